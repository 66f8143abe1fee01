"""The conformance fixture on a free port, in this process."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

from tests.serving import until
from tests.wire.mcp.fixture_server import make_app


@asynccontextmanager
async def fixture_server() -> AsyncIterator[str]:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(), log_level="error", access_log=False, lifespan="off"))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    await until(lambda: server.started or task.done())
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        await task
