"""Every test of this folder asks `/api/room`, on a store in memory, at a time that stands still until it is moved."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from stateroom.engine.access import Access, parse_keys
from stateroom.engine.engine import Engine
from stateroom.stores.memory import MemoryStore
from stateroom.testing.simulated_time import HandClock

from .asking import Actions


def pytest_configure(config: pytest.Config) -> None:
    """Make `@mends(…)` known."""
    config.addinivalue_line("markers", "mends(*gaps): the gaps of Agent Room (§20) that a test shows to be closed")
    config.addinivalue_line("markers", "row(number): the row of Agent Room's conformance checks (§23) that a test is")


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def ask(clock: HandClock) -> AsyncIterator[Actions]:
    """An open server."""
    async with Engine(MemoryStore(clock), clock).running() as engine:
        yield Actions(engine, clock)


@pytest.fixture
async def keyed(clock: HandClock) -> AsyncIterator[Actions]:
    """A server with keys, asked by a guest. `keyed.as_("Bearer red-secret")` is team red."""
    access = Access(parse_keys("red:red-secret,blue:blue-secret"))
    async with Engine(MemoryStore(clock), clock, access).running() as engine:
        yield Actions(engine, clock)


class Room:
    """A room, with short ways to say what happens in it."""

    def __init__(self, ask: Actions, code: str, host_key: str) -> None:
        self.ask, self.code, self.host_key = ask, code, host_key

    async def __call__(self, action: str, **fields: Any):
        return await self.ask(action, code=self.code, **fields)

    async def ok(self, action: str, **fields: Any) -> Any:
        return await self.ask.ok(action, code=self.code, **fields)

    async def refused(self, action: str, **fields: Any) -> str:
        return await self.ask.refused(action, code=self.code, **fields)

    async def host(self, action: str, **fields: Any) -> Any:
        """What the host does, with its key."""
        return await self.ok(action, requesterName="Host", hostKey=self.host_key, **fields)

    async def join(self, name: str, client: str = "cc", **fields: Any) -> Any:
        key = self.host_key if name == "Host" else None
        return await self.ok("join", participant=participant(name, client), hostKey=key, **fields)

    async def say(self, name: str, text: str, **fields: Any) -> Any:
        return await self.ok("send", message=said(name, text), **fields)

    async def lines(self, cursor: int = 0) -> list[dict[str, Any]]:
        return (await self.ok("messages", cursor=cursor))["messages"]

    async def texts(self) -> list[str]:
        return [line["text"] for line in await self.lines()]


def participant(name: str, client: str = "cc", **fields: Any) -> dict[str, Any]:
    """As the client sends it."""
    look = {"role": "", "color": "#10B981", "initials": name[:2].upper(), "joinedAt": 1, "lastSeenAt": 1}
    return {"name": name, "client": client, **look, **fields}


def said(name: str, text: str, client: str = "cc", **fields: Any) -> dict[str, Any]:
    """A message as the client sends it: with an id and a time of its own."""
    look = {"id": 42, "type": "msg", "initials": "XX", "color": "#000000", "role": "Builder", "time": 42}
    return {**look, "name": name, "text": text, "client": client, **fields}


@pytest.fixture
async def room(ask: Actions) -> Room:
    """A room of Host's, who has joined as a person; agents may talk as long as they like."""
    return await made(ask)


async def made(ask: Actions, **fields: Any) -> Room:
    policy = {"exchangeLimit": 0}
    created = await ask.ok("create", topic="Cache bug", createdBy="Host", policy=policy, **fields)
    room = Room(ask, created["room"]["code"], created["hostKey"])
    await room.join("Host", "web")
    return room
