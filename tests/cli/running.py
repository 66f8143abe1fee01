"""Running `stateroom` as people do: a process, its status, what it wrote where."""

import asyncio
import io
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import apsw
import msgspec

from stateroom.cli import main
from stateroom.client import Client
from tests.serving import environment

DEADLINE_S = 30.0


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self):
        """The one document on stdout: anything else there is an error."""
        return msgspec.json.decode(self.out)

    def refused(self) -> str:
        """What was said about a foreseeable failure: one line on stderr, status 1, nothing on stdout."""
        assert (self.status, self.out) == (1, ""), self
        assert self.err.startswith("stateroom: ") and self.err.count("\n") == 1, self.err  # noqa: PT018
        return self.err


@dataclass(frozen=True)
class Cli:
    """The command line with a home of its own, so that nothing of whoever runs the tests is seen or touched."""

    home: Path

    def env(self, **more: str) -> dict[str, str]:
        own = {"HOME": str(self.home), "XDG_DATA_HOME": str(self.home), "COLUMNS": "300"}
        compiled = {"PYTHONDONTWRITEBYTECODE": ""}  # most of a start's time otherwise, again and again
        return environment(**own, **compiled, **more)

    async def __call__(self, *arguments: object, **env: str) -> Ran:
        """Run a command to its end, in a thread of this process: `main` as it is, but without half a second's start."""
        async with asyncio.timeout(DEADLINE_S):
            return await asyncio.to_thread(self._here, [str(one) for one in arguments], env)

    def _here(self, arguments: list[str], env: dict[str, str]) -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with (
            patch.dict(os.environ, self.env(**env), clear=True),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            status = _status_of(arguments)
        return Ran(status, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())

    async def process(self, *arguments: object, stdin: bytes = b"", **env: str) -> Ran:
        """Run a command to its end, in a process of its own."""
        async with self.running(*arguments, **env) as process, asyncio.timeout(DEADLINE_S):
            out, err = await process.communicate(stdin)
        return Ran(process.returncode, out.decode(), err.decode())

    @asynccontextmanager
    async def running(self, *arguments: object, **env: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """A command that runs on; killed at the end if it still does."""
        command = [sys.executable, "-m", "stateroom", *map(str, arguments)]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, env=self.env(**env), stdin=pipe, stdout=pipe, stderr=pipe
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()

    @asynccontextmanager
    async def up(self, *arguments: object, **env: str) -> AsyncIterator["Up"]:
        """`stateroom up` on a free port, ready."""
        async with self.running("up", "--port", 0, "--json", *arguments, **env) as process:
            said = msgspec.json.decode(await line_of(process))
            yield Up(said["url"], process, said)


def _status_of(arguments: list[str]) -> int:
    try:
        main(arguments)
    except SystemExit as end:
        return end.code or 0
    return 0


@dataclass(frozen=True)
class Up:
    url: str
    process: asyncio.subprocess.Process
    said: dict


async def line_of(process: asyncio.subprocess.Process) -> bytes:
    """The next line a process writes on stdout."""
    async with asyncio.timeout(DEADLINE_S):
        return await process.stdout.readline()


async def ended(process: asyncio.subprocess.Process) -> int:
    async with asyncio.timeout(DEADLINE_S):
        await process.communicate()
    return process.returncode


def store_url(path: Path) -> str:
    return f"sqlite:///{path}"


async def fill(client: Client, room: str, messages: int = 3) -> None:
    """A room with two members, a task that is done, and some messages."""
    await client.create_room(room)
    await client.command(room, "open-task", {"title": "auth API", "description": ""}, by="backend")
    await client.command(room, "move-task", {"task": "T-01", "to": "done", "owner": "backend"}, by="backend")
    for number in range(messages):
        wish = {"type": "note", "to": "frontend", "payload": {"number": number}}
        await client.command(room, "post-message", wish, by="backend")
    await client.inbox(room, "frontend", limit=1)


def damage(store: Path, position: int, room: str = "demo") -> None:
    """Change one byte of a stored body behind everybody's back."""
    db = apsw.Connection(str(store))
    db.execute("DROP TRIGGER entries_do_not_change")
    where = "log = (SELECT log FROM heads WHERE key LIKE ?) AND position = ?"
    (body,) = db.execute(f"SELECT body FROM entries WHERE {where}", (f"%/{room}", position)).fetchone()
    broken = body.replace(b"{", b"\xff", 1)
    db.execute(f"UPDATE entries SET body = ? WHERE {where}", (broken, f"%/{room}", position))
    db.close()
