"""MCP on stdin and stdout: one JSON-RPC message a line, either era, requests side by side.

Nothing but JSON-RPC is ever written (L41). Any first message gets an answer and the server goes on (trap 61). At the
end of the input running calls are finished before it ends.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from stateroom.faces.mcp import listen
from stateroom.faces.mcp.eras import (
    INVALID_REQUEST,
    LATEST_LEGACY,
    PARSE_ERROR,
    VERSION_KEY,
    Peer,
    RpcError,
    modern_peer,
)
from stateroom.faces.mcp.server import Ask, Message, Server, error_response, read_message, response

MAX_LINE_BYTES = 1024 * 1024


class StdioSession:
    """One client on a pair of streams."""

    def __init__(self, server: Server, caller: Any, profile: str, write: Callable[[bytes], Awaitable[None]]) -> None:
        self._server, self._caller, self._profile, self._write = server, caller, profile, write
        self._version = LATEST_LEGACY
        self._running: dict[object, asyncio.Task[None]] = {}

    async def take(self, line: bytes) -> None:
        """Start on one message; its answer is written when it is there."""
        try:
            message = read_message(line)
        except msgspec.ValidationError:
            await self._write(error_response(None, RpcError(INVALID_REQUEST, "Invalid JSON-RPC message")))
            return
        except (msgspec.DecodeError, RecursionError):
            await self._write(error_response(None, RpcError(PARSE_ERROR, "Parse error: Invalid JSON")))
            return
        if isinstance(message.method, UnsetType):
            return  # an answer to a question we never ask
        if message.id is UNSET:
            self._notice(message)
            return
        task = asyncio.create_task(self._answer(message))
        self._running[message.id] = task
        task.add_done_callback(lambda _: self._running.pop(message.id, None))

    def _notice(self, message: Message) -> None:
        if message.method == "notifications/cancelled":
            task = self._running.get(message.arguments().get("requestId"))
            if task is not None:
                task.cancel()

    async def _answer(self, message: Message) -> None:
        try:
            ask = Ask(str(message.method), message.arguments(), self._peer(message), self._caller, self._profile)
            if ask.method == "subscriptions/listen" and ask.peer.modern:
                async for frame in await listen.stream(self._server, ask, message.id, None):
                    if frame:
                        await self._write(frame)
            else:
                await self._write(response(message.id, await self._server.answer(ask)))
        except RpcError as error:
            await self._write(error_response(message.id, error))

    def _peer(self, message: Message) -> Peer:
        """Modern requests say so in `_meta`; all others speak what was shaken hands on."""
        params = message.arguments()
        meta = params.get("_meta")
        if message.method == "server/discover" or (isinstance(meta, dict) and VERSION_KEY in meta):
            return modern_peer(str(message.method), params, None)
        if message.method == "initialize":
            self._version = str(params.get("protocolVersion", LATEST_LEGACY))
        return Peer(self._version if self._version < "2026" else LATEST_LEGACY, named=True)

    async def finish(self) -> None:
        """Let running calls end; what only waits for others is cancelled."""
        if self._running:
            await asyncio.wait(list(self._running.values()), timeout=1)
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)


class Session(Protocol):
    """Somebody who takes lines."""

    async def take(self, line: bytes) -> None: ...

    async def finish(self) -> None: ...


Write = Callable[[bytes], Awaitable[None]]


async def run(session_on: Callable[[Write], Session]) -> None:
    """Serve this process's stdin and stdout until the input ends. `session_on(write)` makes the session."""
    lock = asyncio.Lock()

    async def write(message: bytes) -> None:
        async with lock:
            await asyncio.to_thread(_write_line, sys.stdout.buffer, message)

    session = session_on(write)
    async for line in LineReader(sys.stdin.buffer):
        if line.strip():
            await session.take(line)
    await session.finish()


async def serve(server: Server, caller: Any, profile: str = "") -> None:
    """Answer from this very process."""
    await run(lambda write: StdioSession(server, caller, profile, write))


def _write_line(out: BinaryIO, message: bytes) -> None:
    out.write(message + b"\n")
    out.flush()


class LineReader:
    """Lines of a blocking stream, read in a thread: works for pipes, files and terminals alike."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    def __aiter__(self) -> "LineReader":
        return self

    async def __anext__(self) -> bytes:
        line = await asyncio.to_thread(self._source.readline, MAX_LINE_BYTES)
        if not line:
            raise StopAsyncIteration
        return line
