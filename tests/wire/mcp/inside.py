"""HTTP exchanges with an ASGI application in this process: no socket, and every event in sight."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from stateroom.faces.asgi import App
from tests.wire.mcp.raw import BOTH, META, MODERN, NAMED_BY

DEADLINE_S = 10.0


class Exchange:
    """One request on its way. Chunks of the answer come as they are sent; `hang_up` is the client going away."""

    def __init__(self, scope: dict[str, Any], chunks: list[bytes], *, whole: bool) -> None:
        self.scope = scope
        self._chunks, self._whole = list(chunks), whole
        self._gone = asyncio.Event()
        self._sent: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.status = 0
        self.headers: dict[str, str] = {}

    async def receive(self) -> dict[str, Any]:
        if self._chunks:
            return {
                "type": "http.request",
                "body": self._chunks.pop(0),
                "more_body": bool(self._chunks) or not self._whole,
            }
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, event: Any) -> None:
        if event["type"] == "http.response.start":
            assert not self.status, "an answer begins once"
            self.status = event["status"]
            self.headers = {name.decode(): value.decode() for name, value in event["headers"]}
        else:
            if event.get("body"):
                await self._sent.put(event["body"])
            if not event.get("more_body"):
                await self._sent.put(None)

    def hang_up(self) -> None:
        self._gone.set()

    async def chunk(self) -> bytes:
        """The next part of the answer; nothing at its end."""
        async with asyncio.timeout(DEADLINE_S):
            return await self._sent.get() or b""

    async def frame(self) -> dict[str, Any] | str:
        """The next event of a stream, decoded, or a comment as it is."""
        text = (await self.chunk()).decode()
        if text.startswith(":"):
            return text
        head, data, *rest = text.split("\n")
        assert (head, rest) == ("event: message", ["", ""])
        return dict(msgspec.json.decode(data.removeprefix("data: ")))

    async def body(self) -> bytes:
        chunks = []
        while chunk := await self.chunk():
            chunks.append(chunk)
        return b"".join(chunks)

    async def answer(self) -> Any:
        return msgspec.json.decode(await self.body())


@asynccontextmanager
async def exchange(app: App, *chunks: bytes, method: str = "POST", query: str = "", whole: bool = True, **headers: str):
    """An exchange under way; at the end of the context the client is gone, and the application has to be done."""
    sent = {**BOTH, **headers}
    scope = {
        "type": "http",
        "method": method,
        "path": "/mcp",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items() if value],
    }
    under_way = Exchange(scope, list(chunks), whole=whole)
    task = asyncio.create_task(app(scope, under_way.receive, under_way.send))
    try:
        yield under_way
    finally:
        under_way.hang_up()
        async with asyncio.timeout(DEADLINE_S):
            await task


def request(version: str | None, method: str, params: dict[str, Any] | None = None, id: Any = 1):
    """The body of a request and its headers, as the revision asks."""
    params = dict(params or {})
    headers = {} if version is None else {"mcp-protocol-version": version}
    if version == MODERN:
        params["_meta"] = META
        headers["mcp-method"] = method
        if method in NAMED_BY and NAMED_BY[method] in params:
            headers["mcp-name"] = params[NAMED_BY[method]]
    return msgspec.json.encode({"jsonrpc": "2.0", "id": id, "method": method, "params": params}), headers


async def ask(app: App, version: str | None, method: str, params: dict[str, Any] | None = None, query: str = "") -> Any:
    """(status, answer) of one request, whether it came plain or as a stream."""
    body, headers = request(version, method, params)
    async with exchange(app, body, query=query, **headers) as under_way:
        text = (await under_way.body()).decode()
        if under_way.headers["content-type"] == "text/event-stream":
            text = text.rstrip().rpartition("data: ")[2]
        return under_way.status, msgspec.json.decode(text)


async def call(app: App, version: str | None, tool: str, query: str = "", **arguments: Any) -> dict[str, Any]:
    """The result of one tool call."""
    status, answer = await ask(app, version, "tools/call", {"name": tool, "arguments": arguments}, query)
    assert status == 200, answer
    return dict(answer["result"])
