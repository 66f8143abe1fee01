"""A real server on a free loopback port, in this process or in one of its own."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import uvicorn

from stateroom.app import StateroomApp, make_app
from stateroom.engine.engine import Engine
from stateroom.settings import Settings

DEADLINE_S = 20.0


@dataclass(frozen=True)
class Served:
    url: str
    engine: Engine


@asynccontextmanager
async def serving(settings: Settings, app: StateroomApp | None = None) -> AsyncIterator[Served]:
    """Serve in this process; ends with the context. An application of one's own may bring its own store."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    app = app or make_app(settings)
    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="on", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server.serve(sockets=[listener]))
    await until(lambda: server.started or task.done())
    try:
        yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", app.engine)
    finally:
        server.should_exit = True
        await task


async def until(condition, what: str = "") -> None:
    """Wait until a condition holds: no test waits for time to pass."""
    async with asyncio.timeout(DEADLINE_S):
        while not condition():  # noqa: ASYNC110 (conditions of other tasks have no event)
            await asyncio.sleep(0)  # noqa: TID251 (a turn of the loop, not a wait)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(**more: str) -> dict[str, str]:
    """This environment without settings of whoever runs the tests."""
    return {k: v for k, v in os.environ.items() if not k.startswith("STATEROOM_") and k != "API_KEYS"} | more


@asynccontextmanager
async def server_process(store: Path, *arguments: str, **env: str) -> AsyncIterator["Process"]:
    """`stateroom up` in a process of its own, ready to serve; killed at the end if it still runs."""
    port = free_port()
    command = [sys.executable, "-m", "stateroom", "up", "--port", str(port), "--store", f"sqlite:///{store}"]
    process = await asyncio.create_subprocess_exec(
        *command, *arguments, env=environment(**env), stdout=asyncio.subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        await answering(url)
        yield Process(url, process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@dataclass(frozen=True)
class Process:
    url: str
    process: asyncio.subprocess.Process


async def answering(url: str) -> None:
    """Wait until a server says it is healthy."""
    async with httpx2.AsyncClient() as http, asyncio.timeout(DEADLINE_S):
        while not await _is_healthy(http, url):  # noqa: ASYNC110 (another process has no event)
            await asyncio.sleep(0.01)  # noqa: TID251 (between two looks)


async def _is_healthy(http: httpx2.AsyncClient, url: str) -> bool:
    try:
        return bool((await http.get(f"{url}/health")).json()["ok"])
    except httpx2.TransportError:
        return False
