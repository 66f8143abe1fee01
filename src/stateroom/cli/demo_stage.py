"""Where the demo plays: a server with a store of its own, and the two agents as processes beside it."""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from stateroom.cli.errors import CliError, first_of
from stateroom.cli.output import err

AGENTS = {"backend": "cyan", "frontend": "magenta"}
DECISION = "A token lives for 15 minutes; POST /login gives a new one."
"""What the agents come to in their conversation."""
DEADLINE_S = 90.0
START_S = 20.0
STOP_S = 5.0


class Step(msgspec.Struct):
    """One thing an agent did, in its own words, and what it got to see."""

    agent: str
    did: str
    saw: str = ""
    facts: dict[str, Any] = {}


@asynccontextmanager
async def server(url: str, keep: bool) -> AsyncIterator[str]:
    """The server to play on: the one named, or one of our own that ends with the context. Raises CliError."""
    if url:
        yield url
        return
    with _folder(keep) as folder:
        store = f"sqlite:///{folder / 'demo.db'}"
        arguments = ["-m", "stateroom", "up", "--host", "127.0.0.1", "--port", "0", "--store", store, "--json"]
        async with _process(arguments, _open_environment(), asyncio.subprocess.PIPE) as process:
            yield await _ready(process)


def _open_environment() -> dict[str, str]:
    """Without settings that are meant for other servers."""
    return {k: v for k, v in os.environ.items() if not k.startswith("STATEROOM_") and k != "API_KEYS"}


@contextmanager
def _folder(keep: bool) -> Iterator[Path]:
    """A place for the store, removed afterwards unless it is to be kept."""
    folder = Path(tempfile.mkdtemp(prefix="stateroom-demo-"))
    try:
        yield folder
    finally:
        if keep:
            err.print(f"The room is kept: stateroom rooms --store sqlite:///{folder / 'demo.db'}", markup=False)
        else:
            shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def _process(
    arguments: list[str], environment: dict[str, str], stdout: int
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Python process that is told to end with the context, and made to if it does not."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, env=environment, stdin=asyncio.subprocess.DEVNULL, stdout=stdout
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), STOP_S)
            except TimeoutError:
                process.kill()
                await process.wait()


async def _ready(process: asyncio.subprocess.Process) -> str:
    """The server's URL, once it says it is ready."""
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), START_S)
        return str(msgspec.json.decode(line)["url"])
    except (TimeoutError, msgspec.DecodeError):
        raise CliError("The demo's own server did not start. `stateroom doctor` checks everything.") from None


async def play(url: str, room: str, saw: Callable[[Step], None]) -> None:
    """Both agents at once; `saw` is called with each step as it happens. Raises CliError.

    They write into one pipe, so that what caused something is always read before what it caused.
    """
    reading, writing = os.pipe()
    listening = asyncio.create_task(_listen(reading, saw))
    try:
        async with asyncio.timeout(DEADLINE_S), asyncio.TaskGroup() as group:
            for agent in AGENTS:
                group.create_task(_agent(agent, url, room, writing))
    except TimeoutError:
        raise CliError(f"The agents did not finish within {DEADLINE_S:.0f} s.") from None
    except BaseExceptionGroup as failed:  # one that fails takes the other with it
        raise first_of(failed) from None
    finally:
        os.close(writing)
        await listening


async def _listen(reading: int, saw: Callable[[Step], None]) -> None:
    """Until nobody is left who could write."""
    lines = asyncio.StreamReader()
    with open(reading, "rb", buffering=0) as pipe:  # noqa: ASYNC230 (it is open already)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(lines), pipe
        )
        async for line in lines:
            saw(msgspec.json.decode(line, type=Step))
        transport.close()


async def _agent(name: str, url: str, room: str, stdout: int) -> None:
    arguments = ["-m", "stateroom.cli.demo_agent", name, "--url", url, "--room", room]
    async with _process(arguments, dict(os.environ), stdout) as process:
        if await process.wait() != 0:
            raise CliError(f"The {name} agent failed; its own words are above.")
