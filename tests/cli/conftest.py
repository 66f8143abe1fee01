"""Fixtures for the command line: a home of its own, and a store with one room in it."""

from pathlib import Path

import pytest

from stateroom.cli.inside import inside
from stateroom.settings import Settings
from tests.cli.running import Cli, fill, store_url


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    home = tmp_path / "home"
    home.mkdir()
    return Cli(home)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where a store will be."""
    return tmp_path / "rooms.db"


@pytest.fixture
async def filled(store: Path) -> Path:
    """A store on which no server runs, with the room `demo` in it."""
    async with inside(Settings(store=store_url(store))) as client:
        await fill(client, "demo")
    return store
