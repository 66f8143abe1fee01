"""Streamable HTTP at one endpoint, for every revision, without sessions. Raw ASGI: this is the hottest path there is.

A request is answered as JSON. A call that may wait, and a subscription, are answered as an event stream with
keep-alive comments where the client takes one. Closing the connection cancels what it waits for.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import msgspec
from msgspec import UnsetType

from stateroom.engine.access import Unauthorized
from stateroom.faces.asgi import (
    BodyTooLarge,
    Gone,
    Receive,
    Scope,
    Send,
    headers_of,
    query_of,
    read_body,
    send_bytes,
    while_connected,
)
from stateroom.faces.mcp import listen
from stateroom.faces.mcp.eras import (
    HEADER_MISMATCH,
    HEADERLESS,
    INVALID_REQUEST,
    LEGACY,
    MODERN,
    OLDER_ACCEPTED,
    PARSE_ERROR,
    SERVER_ERROR,
    STATUS,
    VERSION_KEY,
    Peer,
    RpcError,
    modern_peer,
)
from stateroom.faces.mcp.messages import Message, error_response, read_message, response, unreadable
from stateroom.faces.mcp.server import Ask, Server

Admit = Callable[[Mapping[str, str], Mapping[str, str]], Any]
"""(headers, query) -> caller. Raises Unauthorized."""

KEEP_ALIVE_S = 15.0
ROUTING = ("mcp-protocol-version", "mcp-method", "mcp-name")
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]


class HttpFault(Exception):
    """An answer below JSON-RPC: a status and a body."""

    def __init__(self, status: int, body: bytes, headers: list[tuple[bytes, bytes]] | None = None) -> None:
        super().__init__(status)
        self.status, self.body, self.headers = status, body, headers or []


def fault(status: int, code: int, message: str) -> HttpFault:
    return HttpFault(status, error_response(None, RpcError(code, message)))


class HttpEndpoint:
    """The ASGI application behind `/mcp`."""

    def __init__(self, server: Server, admit: Admit) -> None:
        self._server, self._admit = server, admit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._serve(scope, receive, send)
        except HttpFault as answer:
            await send_bytes(send, answer.status, answer.body, answer.headers)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        query = query_of(scope)
        try:
            caller = self._admit(headers, query)
        except Unauthorized:
            raise HttpFault(401, b'{"error":"Unauthorized"}') from None
        if scope["method"] != "POST":  # no standing stream, no session to delete (W-46)
            text = error_response(None, RpcError(SERVER_ERROR, "Method not allowed."))
            raise HttpFault(405, text, [(b"allow", b"POST")])
        message = _message(headers, await _body(receive))
        if isinstance(message.id, UnsetType) or isinstance(message.method, UnsetType):
            await send_bytes(send, 202, b"")  # a notification, or an answer to a question we never ask
            return
        await self._answer(message, headers, caller, query.get("profile", ""), receive, send)

    async def _answer(
        self, message: Message, headers: dict[str, str], caller: Any, profile: str, receive: Receive, send: Send
    ) -> None:
        modern = _is_modern(headers)
        try:
            params = message.arguments()
            peer = modern_peer(str(message.method), params, headers) if modern else _legacy_peer(headers, params)
            ask = Ask(str(message.method), params, peer, caller, profile)
            if ask.method == "subscriptions/listen" and peer.modern:
                frames = await listen.stream(self._server, ask, message.id, listen.STREAM_S)
                await while_connected(receive, _stream(send, frames, message.id))
            elif self._server.waits(ask):
                streams = "text/event-stream" in headers.get("accept", "")
                await while_connected(receive, self._wait(message.id, ask, send, streams=streams))
            else:
                await send_bytes(send, 200, response(message.id, await self._server.answer(ask)))
        except RpcError as error:
            told = modern or error.code == HEADER_MISMATCH
            await send_bytes(send, STATUS.get(error.code, 200) if told else 200, error_response(message.id, error))

    async def _wait(self, id: object, ask: Ask, send: Send, *, streams: bool) -> None:
        if streams:
            await _stream(send, _eventually(id, self._server.answer(ask)), id)
        else:
            await send_bytes(send, 200, response(id, await self._server.answer(ask)))


def _headers(scope: Scope) -> dict[str, str]:
    """Raises HttpFault: two copies of a routing header would let two readers disagree."""
    names = [name.decode("latin-1") for name, _ in scope["headers"]]
    for name in ROUTING:
        if names.count(name) > 1:
            raise fault(400, HEADER_MISMATCH, f"{name} header appears more than once")
    return headers_of(scope)


async def _body(receive: Receive) -> bytes:
    """Raises HttpFault."""
    try:
        return await read_body(receive)
    except Gone:
        raise HttpFault(400, b"") from None
    except BodyTooLarge as large:
        raise HttpFault(413, msgspec.json.encode({"error": f"{large} Split it into several calls."})) from None


def _message(headers: dict[str, str], body: bytes) -> Message:
    """Raises HttpFault with the reference's texts (protocol §3.1)."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise fault(415, SERVER_ERROR, "Unsupported Media Type: Content-Type must be application/json")
    try:
        if body.lstrip()[:1] == b"[":
            body = _only(body)
        return read_message(body)
    except msgspec.ValidationError:
        code = INVALID_REQUEST if _is_modern(headers) else PARSE_ERROR
        raise fault(400, code, "Parse error: Invalid JSON-RPC message") from None
    except (msgspec.DecodeError, RecursionError):
        raise HttpFault(400, error_response(*unreadable(body))) from None


def _only(body: bytes) -> bytes:
    """The one element of a batch. Raises HttpFault for a longer one (protocol §3.1)."""
    batch = msgspec.json.decode(body, type=list[msgspec.Raw])
    if len(batch) > 1:
        sentence = f"JSON-RPC batch size {len(batch)} exceeds MAX_RPC_BATCH (1)"
        raise HttpFault(400, msgspec.json.encode({"error": sentence}))
    return bytes(batch[0]) if batch else b"0"


def _is_modern(headers: Mapping[str, str]) -> bool:
    version = headers.get("mcp-protocol-version")
    return version is not None and version not in LEGACY and version not in OLDER_ACCEPTED


def _legacy_peer(headers: Mapping[str, str], params: Mapping[str, Any]) -> Peer:
    """Raises RpcError for a body that says it is of the modern era while the header does not."""
    meta = params.get("_meta")
    if isinstance(meta, dict) and meta.get(VERSION_KEY) in MODERN:
        raise RpcError(HEADER_MISMATCH, "MCP-Protocol-Version header does not match the version in params._meta")
    version = headers.get("mcp-protocol-version")
    return Peer(version or HEADERLESS, named=version is not None, client=headers.get("user-agent", ""))


async def _eventually(id: object, answer: Awaitable[bytes]) -> AsyncIterator[bytes]:
    """An answer as the only frame of a stream, with pulses until it is there. Raises RpcError."""
    task = asyncio.ensure_future(answer)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=KEEP_ALIVE_S)
            if not task.done():
                yield b""
        yield response(id, task.result())
    finally:
        task.cancel()


async def _stream(send: Send, frames: AsyncIterator[bytes], id: object) -> None:
    """Send frames as events, an empty one as a comment. The status is out, so an error is the last event."""
    await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
    try:
        async with contextlib.aclosing(frames):  # type: ignore[type-var]
            async for frame in frames:
                await send({"type": "http.response.body", "body": _event(frame), "more_body": True})
    except RpcError as error:
        await send({"type": "http.response.body", "body": _event(error_response(id, error)), "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _event(frame: bytes) -> bytes:
    return b"event: message\ndata: " + frame + b"\n\n" if frame else b": keep-alive\n\n"
