"""MCP on stdin and stdout: one JSON-RPC message a line, either era, requests side by side.

Nothing but JSON-RPC is ever written (L41). Any first message gets an answer and the server goes on (trap 61). At the
end of the input running calls are finished before it ends.
"""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from stateroom.faces.mcp import listen
from stateroom.faces.mcp.eras import (
    INVALID_REQUEST,
    LATEST_LEGACY,
    VERSION_KEY,
    Peer,
    RpcError,
    client_name,
    modern_peer,
)
from stateroom.faces.mcp.messages import Message, error_response, read_message, response, unreadable
from stateroom.faces.mcp.notices import Notices
from stateroom.faces.mcp.server import Ask, Server

LISTEN = "subscriptions/listen"
CHUNK_BYTES = 64 * 1024
MAX_LINE_BYTES = 1024 * 1024
TOO_LONG = b"\0"
"""Stands for a line above the limit, of which nothing is kept: a part of it must not be taken for a message."""
FINISH_S, GRACE_S = 30.0, 1.0
"""How long calls may go on when the input has ended: those that work, and those that only wait for others."""


class StdioSession:
    """One client on a pair of streams."""

    def __init__(self, server: Server, caller: Any, profile: str, write: Callable[[bytes], Awaitable[None]]) -> None:
        self._server, self._caller, self._profile, self._write = server, caller, profile, write
        self._version, self._client = LATEST_LEGACY, ""
        self._notices = Notices(write)
        self._running: dict[object, asyncio.Task[None]] = {}
        """By the id of the request, until its answer is on its way."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: set[asyncio.Task[None]] = set()

    async def take(self, line: bytes) -> None:
        """Start on one message; its answer is written when it is there."""
        try:
            message = read_message(line)
        except (msgspec.DecodeError, RecursionError) as broken:
            await self._write(error_response(*_answer_to(line, broken)))
            return
        if isinstance(message.method, UnsetType):
            return  # an answer to a question we never ask
        if message.id is UNSET:
            self._notice(message)
            return
        try:
            self._start(message.id, self._ask(message))
        except RpcError as error:
            await self._write(error_response(message.id, error))

    def _ask(self, message: Message) -> Ask:
        """Raises RpcError."""
        if message.id in self._running:
            raise RpcError(INVALID_REQUEST, "A request with this id is still being answered")
        params = message.arguments()
        if message.method == "logging/setLevel":
            self._notices.heed(params.get("level"))
        return Ask(str(message.method), params, self._peer(message), self._caller, self._profile)

    def _start(self, id: object, ask: Ask) -> None:
        task = asyncio.create_task(self._answer(id, ask))
        self._running[id] = task
        self._tasks.add(task)
        if self._server.waits(ask) or ask.method == LISTEN:
            self._waiting.add(task)
        task.add_done_callback(lambda _: self._end(id, task))

    def _end(self, id: object, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        self._waiting.discard(task)
        if self._running.get(id) is task:  # cancelled
            del self._running[id]

    def _notice(self, message: Message) -> None:
        if message.method == "notifications/cancelled":
            try:
                id = message.arguments().get("requestId")
            except RpcError:
                return  # nobody is answered on a notice
            task = self._running.get(id) if isinstance(id, str | int | float) else None
            if task is not None:
                task.cancel()

    async def _answer(self, id: object, ask: Ask) -> None:
        try:
            if ask.method == LISTEN and ask.peer.modern:
                await self._listen(id, ask)
                return
            answer = response(id, await self._server.answer(ask))
        except RpcError as error:
            answer = error_response(id, error)
        del self._running[id]  # whoever reads the answer may use the id again at once
        await self._write(answer)

    async def _listen(self, id: object, ask: Ask) -> None:
        """Until it is cancelled. Raises RpcError."""
        async for frame in await listen.stream(self._server, ask, id, None):
            if frame:
                await self._write(frame)

    def _peer(self, message: Message) -> Peer:
        """Modern requests say so in `_meta`; all others speak what was shaken hands on, as `initialize` always does."""
        params = message.arguments()
        if message.method == "initialize":
            self._version = str(params.get("protocolVersion", LATEST_LEGACY))
            self._client = client_name(params.get("clientInfo"))
            return Peer(LATEST_LEGACY, named=True, client=self._client)
        meta = params.get("_meta")
        if message.method == "server/discover" or (isinstance(meta, dict) and VERSION_KEY in meta):
            return modern_peer(str(message.method), params, None)
        version = self._version if self._version < "2026" else LATEST_LEGACY
        return Peer(version, named=True, client=self._client, outlet=self._notices)

    async def finish(self) -> None:
        """Let running calls end; what only waits for others is soon cancelled."""
        await self._notices.finish()
        if working := self._tasks - self._waiting:
            await asyncio.wait(working, timeout=FINISH_S)
        if self._waiting:
            await asyncio.wait(set(self._waiting), timeout=GRACE_S)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _answer_to(line: bytes, broken: Exception) -> tuple[object, RpcError]:
    """Whom to answer, and what, for a line that is no message."""
    if line is TOO_LONG:
        said = f"A message takes at most {MAX_LINE_BYTES} bytes. Split it into several calls."
        return None, RpcError(INVALID_REQUEST, said)
    if isinstance(broken, msgspec.ValidationError):
        return None, RpcError(INVALID_REQUEST, "Invalid JSON-RPC message")
    return unreadable(line)


class Session(Protocol):
    """Somebody who takes lines."""

    async def take(self, line: bytes) -> None: ...

    async def finish(self) -> None: ...


Write = Callable[[bytes], Awaitable[None]]


async def run(session_on: Callable[[Write], Session]) -> None:
    """Serve this process's stdin and stdout until the input ends. `session_on(write)` makes the session."""
    lock = asyncio.Lock()
    out = sys.stdout.fileno()

    async def write(message: bytes) -> None:
        async with lock:
            await asyncio.to_thread(_write_line, out, message)

    session = session_on(write)
    async for line in lines(sys.stdin.fileno()):
        if line.strip():
            await session.take(line)
    await session.finish()


async def serve(server: Server, caller: Any, profile: str = "") -> None:
    """Answer from this very process."""
    await run(lambda write: StdioSession(server, caller, profile, write))


def _write_line(out: int, message: bytes) -> None:
    """Past Python's own buffer: what could not be written must not wait there and fail once more at the exit."""
    rest = memoryview(message + b"\n")
    try:
        while rest:
            rest = rest[os.write(out, rest) :]
    except BrokenPipeError:
        pass  # nobody listens any more; the end of the input is on its way


async def lines(source: int) -> AsyncIterator[bytes]:
    """The lines of a file descriptor without their ends; `TOO_LONG` for one above the limit.

    The thread that reads is no thread of the loop's: a read that never returns does not keep the process from ending.
    """
    rest, skipping = b"", False
    async for chunk in _chunks(source):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield TOO_LONG if skipping or len(line) > MAX_LINE_BYTES else line
            skipping = False
        if len(rest) > MAX_LINE_BYTES:
            rest, skipping = b"", True
    if rest or skipping:
        yield TOO_LONG if skipping else rest


async def _chunks(source: int) -> AsyncIterator[bytes]:
    """What a thread reads, one chunk ahead at most. Works for pipes, files and terminals alike."""
    loop = asyncio.get_running_loop()
    read: asyncio.Queue[bytes] = asyncio.Queue()
    wanted = threading.Semaphore()

    def reading() -> None:
        chunk = b"-"
        while chunk:
            wanted.acquire()
            try:
                chunk = os.read(source, CHUNK_BYTES)
            except OSError:  # a terminal that was closed
                chunk = b""
            with contextlib.suppress(RuntimeError):  # the loop has ended before the input has
                loop.call_soon_threadsafe(read.put_nowait, chunk)

    threading.Thread(target=reading, name="stdin", daemon=True).start()
    while chunk := await read.get():
        wanted.release()
        yield chunk
