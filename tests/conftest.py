"""Fixtures for everything that needs a server."""

from pathlib import Path

import pytest_asyncio

from stateroom.settings import Settings
from tests.serving import serving


@pytest_asyncio.fixture
async def server(tmp_path: Path):
    """An open server on a fresh SQLite store."""
    async with serving(Settings(store=f"sqlite:///{tmp_path / 'rooms.db'}")) as served:
        yield served


@pytest_asyncio.fixture
async def keyed_server(tmp_path: Path):
    """A server of two teams, red and blue, whose secrets are `red-secret` and `blue-secret`."""
    settings = Settings(store=f"sqlite:///{tmp_path / 'rooms.db'}", api_keys="red:red-secret,blue:blue-secret")
    async with serving(settings) as served:
        yield served
