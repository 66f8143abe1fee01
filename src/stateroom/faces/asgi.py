"""What the HTTP faces share below their protocols: headers, bodies, hang-ups."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeVar
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

T = TypeVar("T")
MAX_BODY_BYTES = 1024 * 1024
DRAINED_BYTES = 16 * MAX_BODY_BYTES
"""How much of a body that is too large is read all the same."""
JSON = (b"content-type", b"application/json")


class BodyTooLarge(Exception):
    """A body above the limit; read to its end, within reason, so that its sender hears the answer."""

    def __init__(self, size: int) -> None:
        super().__init__(f"The request takes {size} of at most {MAX_BODY_BYTES} bytes.")


class Gone(Exception):
    """The client hung up before it had sent everything."""


def headers_of(scope: Scope) -> dict[str, str]:
    """By lower-case name, trimmed: the HTTP parser leaves trailing blanks in place (stack §1)."""
    return {name.decode("latin-1"): value.decode("latin-1").strip() for name, value in scope["headers"]}


def query_of(scope: Scope) -> dict[str, str]:
    """The first value of each query parameter."""
    if not scope["query_string"]:
        return {}
    return {key: values[0] for key, values in parse_qs(scope["query_string"].decode("latin-1")).items()}


async def read_body(receive: Receive) -> bytes:
    """The whole body, joined as bytes (L15). Raises BodyTooLarge, Gone."""
    chunks: list[bytes] = []
    size, more = 0, True
    while more:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Gone
        chunk = event.get("body", b"")
        size += len(chunk)
        if size <= MAX_BODY_BYTES:
            chunks.append(chunk)
        more = event.get("more_body", False) and size <= DRAINED_BYTES
    if size > MAX_BODY_BYTES:
        raise BodyTooLarge(size)
    return b"".join(chunks)


async def send_bytes(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]] | None = None) -> None:
    """One complete answer; JSON unless it is empty."""
    kind = [JSON] if body else []
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*kind, length, *(headers or [])]})
    await send({"type": "http.response.body", "body": body})


async def while_connected(receive: Receive, work: Awaitable[T]) -> T | None:
    """Do the work unless the client hangs up first; then nobody is left to answer, and it ends where it is.

    None if so, else what the work returns. Raises what the work raises.
    """
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_hang_up(receive))
    try:
        await asyncio.wait([working, gone], return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, gone):
            task.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)


async def _hang_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
