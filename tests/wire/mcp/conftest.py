"""Toys for the tests of the dispatcher itself; callers of a real server for the tests of the wire."""

import httpx2
import pytest
import pytest_asyncio

from stateroom.faces.mcp.http import HttpEndpoint
from tests.wire.mcp.raw import MODERN, Raw
from tests.wire.mcp.toys import Toys


@pytest.fixture
def toys() -> Toys:
    """The application behind `endpoint`."""
    return Toys()


@pytest.fixture
def endpoint(toys: Toys) -> HttpEndpoint:
    """The ASGI application of `/mcp`, around toys."""
    return toys.endpoint()


@pytest_asyncio.fixture
async def http():
    """A plain HTTP client."""
    async with httpx2.AsyncClient(timeout=20) as client:
        yield client


@pytest_asyncio.fixture
async def modern(server, http):
    """A caller of the newest revision."""
    return Raw(http, f"{server.url}/mcp", MODERN)


@pytest_asyncio.fixture
async def legacy(server, http):
    """A caller of the newest revision that shakes hands."""
    return Raw(http, f"{server.url}/mcp", "2025-11-25")
