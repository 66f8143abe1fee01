"""An engine on a store in memory, and the means to look at what it asks of the store."""

from collections import Counter

import pytest_asyncio

from stateroom.engine.engine import Engine
from stateroom.stores.memory import MemoryStore
from stateroom.testing.simulated_time import HandClock


class CountingLog:
    """Passes everything on, counts what it is asked, and fails when it is told to."""

    def __init__(self, log) -> None:
        self._log = log
        self.calls: Counter = Counter()
        self.fails: list[Exception] = []
        self.drafts: list[int] = []

    async def append(self, key, after, drafts, stamp):
        self.calls["append"] += 1
        self.drafts.append(len(drafts))
        if self.fails:
            raise self.fails.pop(0)
        return await self._log.append(key, after, drafts, stamp)

    async def read(self, key, after, limit=1000):
        self.calls["read"] += 1
        return await self._log.read(key, after, limit)

    def watch(self):
        return self._log.watch()

    async def drop(self, key):
        await self._log.drop(key)


class Bench:
    """One engine, one room, one clock."""

    def __init__(self, store: MemoryStore, clock: HandClock) -> None:
        self.store, self.clock = store, clock
        self.log = CountingLog(store.log)
        store = MemoryStore(clock)
        store.log, store.shelf = self.log, self.store.shelf
        self.engine = Engine(store, clock)
        self.caller = self.engine.access.admit("")

    async def do(self, command, by="", request_id=""):
        return await self.engine.execute(self.caller, self.card, command, by, request_id)


@pytest_asyncio.fixture
async def clock():
    return HandClock()


@pytest_asyncio.fixture
async def store(clock):
    return MemoryStore(clock)


@pytest_asyncio.fixture
async def bench(store, clock):
    """A warm room on a running engine."""
    async with running(store, clock) as bench:
        yield bench


@pytest_asyncio.fixture
async def other(store, clock, bench):
    """Another server on the same store, with the same room."""
    async with running(store, clock) as second:
        yield second


class running:  # noqa: N801 (reads as a context manager)
    def __init__(self, store, clock) -> None:
        self.bench = Bench(store, clock)

    async def __aenter__(self) -> Bench:
        self._running = self.bench.engine.running()
        await self._running.__aenter__()
        self.bench.card = await self.bench.engine.enter(self.bench.caller, "demo")
        return self.bench

    async def __aexit__(self, *error):
        await self._running.__aexit__(*error)
