"""Every test of this folder uses a room through the dispatcher, on a store in memory, at a time that stands still."""

from collections.abc import AsyncIterator

import pytest

from stateroom.core.members import Join
from stateroom.core.tasks import OpenTask
from stateroom.engine.access import OPEN_TEAM, Caller
from stateroom.engine.engine import Engine
from stateroom.faces.mcp.application import StateroomApplication
from stateroom.faces.mcp.server import Server
from stateroom.stores.memory import MemoryStore
from stateroom.testing.simulated_time import HandClock

from .crowded import MEMBERS, Past, agent, build
from .hands import Hands
from .harness import Room


def pytest_configure(config: pytest.Config) -> None:
    """Make `@promise(…)` known."""
    config.addinivalue_line("markers", "promise(*ids): the promises of the Room Protocol that a test shows")


@pytest.fixture
def clock() -> HandClock:
    """Stands still until it is moved."""
    return HandClock()


@pytest.fixture
async def engine(clock: HandClock) -> AsyncIterator[Engine]:
    """A running engine on a store in memory."""
    async with Engine(MemoryStore(clock), clock).running() as engine:
        yield engine


@pytest.fixture
def room(engine: Engine, clock: HandClock) -> Room:
    """The room `demo` of an open server, used by a program that gets complete answers."""
    server = Server(StateroomApplication(engine))
    return Room(engine, server, clock, Caller(OPEN_TEAM, "open"))


@pytest.fixture
async def hands(room: Room) -> Hands:
    """ann, bob and cyd are known, and there is task T-01."""
    hands = Hands(room)
    for name in ("ann", "bob", "cyd"):
        await hands.do(name, Join())
    await hands.do("ann", OpenTask("x"))
    return hands


@pytest.fixture
def model(room: Room) -> Room:
    """The same room, used by a model that gets at most 8 KB by default."""
    return room.named()


@pytest.fixture(scope="session")
def past() -> Past:
    """What has happened in a crowded room."""
    return build()


@pytest.fixture
async def crowd(past: Past, clock: HandClock) -> AsyncIterator[Room]:
    """A room with hundreds of tasks, entries and members and thousands of events, used by a program."""
    store = MemoryStore(clock)
    await past.into(store)
    async with Engine(store, clock).running() as engine:
        room = Room(engine, Server(StateroomApplication(engine)), clock, Caller(OPEN_TEAM, "open"))
        card = await engine.enter(room.caller, room.id)
        for number in range(MEMBERS):
            engine.presence.stamp(card.key, agent(number))
        yield room
