"""Agents of one server, over real HTTP."""

from collections.abc import AsyncIterator

import httpx2
import pytest
import pytest_asyncio

from tests.serving import Served
from tests.wire.agent_room.mcp.harness import Agent


@pytest_asyncio.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    """A plain HTTP client that waits long enough for a listen."""
    async with httpx2.AsyncClient(timeout=30) as client:
        yield client


@pytest.fixture
def agent(server: Served, http: httpx2.AsyncClient) -> Agent:
    """A model's client: of the newest revision, with answers of at most 8 KB."""
    return Agent(http, f"{server.url}/mcp")


@pytest.fixture
def program(server: Served, http: httpx2.AsyncClient) -> Agent:
    """A program that posts single calls and gets everything."""
    return Agent(http, f"{server.url}/mcp", None)


@pytest.fixture
def red(keyed_server: Served, http: httpx2.AsyncClient) -> Agent:
    """An agent of team red on a keyed server."""
    return Agent(http, f"{keyed_server.url}/mcp", authorization="Bearer red-secret")


@pytest.fixture
def blue(keyed_server: Served, http: httpx2.AsyncClient) -> Agent:
    """An agent of team blue on the same server."""
    return Agent(http, f"{keyed_server.url}/mcp", authorization="Bearer blue-secret")
