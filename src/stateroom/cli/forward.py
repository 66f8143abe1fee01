"""Passing MCP messages from stdin on to a server, and its answers back. Knows the frames, not what they mean."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import msgspec

from stateroom.faces.mcp.eras import LATEST_LEGACY, NAMED_BY, SERVER_ERROR, VERSION_KEY, RpcError
from stateroom.faces.mcp.server import error_response
from stateroom.faces.mcp.stdio import Write

CONNECT_S = 5.0


class ForwardingSession:
    """One client on stdin, one server behind HTTP."""

    def __init__(self, url: str, key: str, query: dict[str, str], write: Write) -> None:
        authorization = {"authorization": f"Bearer {key}"} if key else {}
        accept = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        timeout = httpx2.Timeout(None, connect=CONNECT_S)
        self._http = httpx2.AsyncClient(headers={**authorization, **accept}, params=query, timeout=timeout)
        self._url, self._write = f"{url}/mcp", write
        self._version = LATEST_LEGACY
        self._running: dict[object, asyncio.Task[None]] = {}

    async def take(self, line: bytes) -> None:
        """Pass one message on; its answers are written as they come."""
        try:
            message = msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError:
            message = {}  # the server says what is wrong with it
        if message.get("method") == "notifications/cancelled":
            self._cancel(message)
            return
        id = message.get("id")
        task = asyncio.create_task(self._pass_on(id, line, self._headers(message)))
        self._running[id] = task
        task.add_done_callback(lambda _: self._running.pop(id, None))
        if message.get("method") == "initialize":
            await task  # what is shaken hands on decides how the next message is sent

    def _cancel(self, message: dict[str, Any]) -> None:
        """Closing the connection is how HTTP cancels."""
        task = self._running.get((message.get("params") or {}).get("requestId"))
        if task is not None:
            task.cancel()

    def _headers(self, message: dict[str, Any]) -> dict[str, str]:
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        if not isinstance(params, dict) or not isinstance(meta, dict) or VERSION_KEY not in meta:
            return {} if message.get("method") == "initialize" else {"mcp-protocol-version": self._version}
        method = str(message.get("method"))
        name = params.get(NAMED_BY.get(method, ""))
        named = {"mcp-name": name} if isinstance(name, str) else {}
        return {"mcp-protocol-version": str(meta[VERSION_KEY]), "mcp-method": method, **named}

    async def _pass_on(self, id: object, line: bytes, headers: dict[str, str]) -> None:
        try:
            async with self._http.stream("POST", self._url, content=line, headers=headers) as answer:
                async for frame in _frames(answer):
                    self._learn(frame)
                    await self._write(frame)
        except httpx2.TransportError as broken:
            if id is not None:
                sentence = f"The Stateroom server does not answer ({broken}). Start it with `stateroom up`."
                await self._write(error_response(id, RpcError(SERVER_ERROR, sentence)))

    def _learn(self, frame: bytes) -> None:
        if b'"protocolVersion"' in frame:
            result = msgspec.json.decode(frame).get("result") or {}
            self._version = str(result.get("protocolVersion", self._version))

    async def finish(self) -> None:
        """Let running calls end; what only waits for others is cancelled."""
        if self._running:
            await asyncio.wait(list(self._running.values()), timeout=1)
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        await self._http.aclose()


async def _frames(answer: httpx2.Response) -> AsyncIterator[bytes]:
    """The JSON-RPC messages of an answer, plain or as a stream."""
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                yield line.removeprefix("data: ").encode()
        return
    body = await answer.aread()
    if body and b'"jsonrpc"' in body:
        yield body
    elif body:
        said = body[:500].decode("utf-8", "replace")
        yield error_response(None, RpcError(SERVER_ERROR, f"HTTP {answer.status_code}: {said}"))
