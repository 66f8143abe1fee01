"""Any ASGI application on a free port, in this process."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import uvicorn

from tests.serving import until
from tests.wire.mcp.fixture_server import make_app


@asynccontextmanager
async def running(app: Any, lifespan: Literal["on", "off"] = "off") -> AsyncIterator[str]:
    """The URL it is served under."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, lifespan=lifespan))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    await until(lambda: server.started or task.done())
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


@asynccontextmanager
async def fixture_server() -> AsyncIterator[str]:
    """The conformance fixture."""
    async with running(make_app()) as url:
        yield f"{url}/mcp"
