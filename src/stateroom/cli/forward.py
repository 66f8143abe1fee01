"""Passing MCP messages from stdin on to a server, and its answers back. Knows the frames, not what they mean."""

import asyncio
import base64
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx2
import msgspec

from stateroom.cli.errors import spoken
from stateroom.client import Unreachable
from stateroom.client.connection import make_http, problem, reason
from stateroom.client.sse import frames
from stateroom.faces.mcp.eras import LATEST_LEGACY, NAMED_BY, SERVER_ERROR, VERSION_KEY, RpcError
from stateroom.faces.mcp.server import error_response
from stateroom.faces.mcp.stdio import Write, run

CONNECT_S = 5.0
FINISH_S = 5.0
"""How long calls that are on their way may take when the input ends."""
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
Json = dict[str, Any]


async def forward(url: str, key: str, binding: Mapping[str, str]) -> None:
    """Until the input ends. Raises CliError for what is no URL of a server."""
    with spoken(Unreachable):
        timeout = httpx2.Timeout(None, connect=CONNECT_S)  # a call may wait as long as its client lets it
        http = make_http(url, key, headers=HEADERS, params=binding, timeout=timeout)
    async with http:
        await run(lambda write: ForwardingSession(http, write))


class ForwardingSession:
    """One client on stdin, one server behind HTTP."""

    def __init__(self, http: httpx2.AsyncClient, write: Write) -> None:
        self._http, self._write = http, write
        self._version = LATEST_LEGACY
        self._running: dict[str, asyncio.Task[None]] = {}

    async def take(self, line: bytes) -> None:
        """Pass one message on; its answers are written as they come."""
        message = _read(line)
        if message.get("method") == "notifications/cancelled":
            self._cancel(message)
            return
        task = asyncio.create_task(self._pass_on(message, line))
        name = repr(message.get("id"))
        self._running[name] = task
        task.add_done_callback(lambda _: self._running.pop(name, None))
        if message.get("method") == "initialize":
            await task  # what is shaken hands on decides how the next message is sent

    def _cancel(self, message: Json) -> None:
        """Closing the connection is how HTTP cancels."""
        task = self._running.get(repr(_params(message).get("requestId")))
        if task is not None:
            task.cancel()

    async def _pass_on(self, message: Json, line: bytes) -> None:
        answered = False
        try:
            async with self._http.stream("POST", "/mcp", content=line, headers=self._headers(message)) as answer:
                async for frame in _frames(answer, message):
                    answered = answered or b'"result":' in frame or b'"error":' in frame
                    self._learn(message, frame)
                    await asyncio.shield(self._write(frame))  # a line is written whole or not at all
            broken = "it ended the connection without an answer"
        except httpx2.TransportError as failure:
            broken = reason(failure)
        if _is_owed(message) and not answered:
            sentence = f"The Stateroom server did not answer ({broken}). Start it with `stateroom up`."
            await self._write(_failure(message, sentence))

    def _headers(self, message: Json) -> dict[str, str]:
        """What a gateway wants to see outside of the body (mcp-and-clients §1)."""
        method, params = str(message.get("method")), _params(message)
        meta = params.get("_meta")
        if not isinstance(meta, dict) or VERSION_KEY not in meta:
            return {} if method == "initialize" else {"mcp-protocol-version": self._version}
        name = params.get(NAMED_BY.get(method, ""))
        said = {"mcp-protocol-version": str(meta[VERSION_KEY]), "mcp-method": method}
        if isinstance(name, str):
            said["mcp-name"] = name
        return {header: _header(value) for header, value in said.items()}

    def _learn(self, message: Json, frame: bytes) -> None:
        if message.get("method") == "initialize":
            result = _read(frame).get("result")
            self._version = str(result.get("protocolVersion")) if isinstance(result, dict) else self._version

    async def finish(self) -> None:
        """Let running calls end; what only waits for others is cancelled."""
        if self._running:
            await asyncio.wait(list(self._running.values()), timeout=FINISH_S)
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)


def _read(line: bytes) -> Json:
    """The message, or nothing: then the server says what is wrong with it."""
    try:
        return msgspec.json.decode(line, type=Json)
    except (msgspec.DecodeError, RecursionError):
        return {}


def _params(message: Json) -> Json:
    params = message.get("params")
    return params if isinstance(params, dict) else {}


def _header(value: str) -> str:
    """As it is, or encoded the way the protocol says where a header could not carry it."""
    if value.isascii() and value.isprintable() and value == value.strip() and not value.startswith("=?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode()}?="


def _is_owed(message: Json) -> bool:
    """Whether somebody waits for an answer: not to a notice, nor to an answer of the client's."""
    return not message or ("method" in message and message.get("id") is not None)


def _failure(message: Json, sentence: str) -> bytes:
    return error_response(message.get("id"), RpcError(SERVER_ERROR, sentence))


async def _frames(answer: httpx2.Response, message: Json) -> AsyncIterator[bytes]:
    """The JSON-RPC messages of an answer, plain or as a stream; what is none becomes one under the request's id."""
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        async for frame in frames(answer.aiter_bytes()):
            yield frame.data
        return
    body = await answer.aread()
    said = _read(body)
    if "jsonrpc" in said and (said.get("id") is not None or not message):
        yield body
    elif "jsonrpc" in said and _is_owed(message):
        yield msgspec.json.encode({**said, "id": message["id"]})
    elif body and _is_owed(message):
        refused = problem(answer)
        yield _failure(message, f"{refused} {refused.hint}".strip())
