"""One server for a module's tests, each with rooms of its own."""

from collections.abc import AsyncIterator

import httpx2
import pytest
import pytest_asyncio

from stateroom.app import StateroomApp, make_engine
from stateroom.settings import Settings
from tests.serving import serving
from tests.wire.across.house import AheadClock, House, Room


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """An open server on SQLite, over real HTTP."""
    settings = Settings(store=f"sqlite:///{tmp_path_factory.mktemp('across') / 'rooms.db'}")
    clock = AheadClock()
    async with (
        serving(settings, StateroomApp(make_engine(settings, clock), settings)) as served,
        httpx2.AsyncClient(timeout=40, trust_env=False) as http,
    ):
        yield House(served.url, http, served.engine.rooms.bells.waiting, clock)


@pytest_asyncio.fixture(loop_scope="module")
async def room(house: House) -> Room:
    """Nova's room, with Ben, an agent; Ann, a person; and Dee, who only uses the Room Protocol."""
    room = await house.room()
    await room.tool("room_join", name="Ben", role="skeptic")
    await room.join("Ann", "web")
    await room.tool("heartbeat", agentId="Dee")
    return room
