"""An engine on a store in memory, and the means to look at, and to hold up, what it asks of the store."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps

import pytest_asyncio

from stateroom.core.here import Command
from stateroom.engine.clock import Clock, loop_clock
from stateroom.engine.engine import Engine
from stateroom.engine.follow import heard
from stateroom.log import codec
from stateroom.stores.memory import MemoryStore
from stateroom.testing.simulated_time import HandClock, run


class Gate:
    """Holds up whoever comes, until it is opened."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()

    async def pass_through(self) -> None:
        self.reached.set()
        await self.opened.wait()


class Spy:
    """Passes everything on to a part of a store. Counts what it is asked; holds it up, or fails, when told to."""

    def __init__(self, part) -> None:
        self._part = part
        self.calls: Counter[str] = Counter()
        self.fails: list[Exception] = []
        """What the next appends (or swaps and puts) come to, instead of happening."""
        self.lost: list[Exception] = []
        """The same, after they have happened."""
        self.gates: dict[str, Gate] = {}

    def hold(self, verb: str) -> Gate:
        self.gates[verb] = Gate()
        return self.gates[verb]

    async def _ask(self, verb: str, *args):
        self.calls[verb] += 1
        if (gate := self.gates.get(verb)) is not None:
            await gate.pass_through()
        writes = verb in ("append", "put", "swap")
        if writes and self.fails:
            raise self.fails.pop(0)
        answer = await getattr(self._part, verb)(*args)
        if writes and self.lost:
            raise self.lost.pop(0)
        return answer


class SpyLog(Spy):
    def __init__(self, log) -> None:
        super().__init__(log)
        self.drafts: list[int] = []
        """How many entries each append was asked to add."""
        self.page = 10**9
        """How many records a read brings at most."""

    async def append(self, key, after, drafts, stamp):
        self.drafts.append(len(drafts))
        return await self._ask("append", key, after, drafts, stamp)

    async def read(self, key, after, limit=1000):
        return await self._ask("read", key, after, min(limit, self.page))

    def watch(self):
        return self._part.watch()

    async def drop(self, key):
        await self._ask("drop", key)


class SpyShelf(Spy):
    async def get(self, keys):
        return await self._ask("get", keys)

    async def put(self, items, ttl_s):
        await self._ask("put", items, ttl_s)

    async def swap(self, key, old, new, ttl_s):
        return await self._ask("swap", key, old, new, ttl_s)

    async def drop(self, keys):
        await self._ask("drop", keys)


class Bench:
    """One engine, one room, one clock."""

    def __init__(self, store: MemoryStore, clock: Clock) -> None:
        self.store, self.clock = store, clock
        self.log, self.shelf = SpyLog(store.log), SpyShelf(store.shelf)
        spied = MemoryStore(clock)
        spied.log, spied.shelf = self.log, self.shelf
        self.engine = Engine(spied, clock)
        self.caller = self.engine.access.admit("")

    async def do(self, command: Command, by: str = "", request_id: str = ""):
        return await self.engine.execute(self.caller, self.card, command, by, request_id)

    def doing(self, command: Command, by: str = "", request_id: str = "") -> asyncio.Task:
        return asyncio.create_task(self.do(command, by, request_id))

    async def stored(self):
        """The room's whole log, as the store has it."""
        return codec.decode_all(await self.store.log.read(self.card.key, 0, 10**6))

    async def kinds(self) -> list[str]:
        return [type(entry.event).__name__ for entry in await self.stored()]

    async def encoded(self) -> bytes:
        """The room's whole state, as the engine has it."""
        return await self.engine.view(self.card, codec.encode_state)


@asynccontextmanager
async def running(store: MemoryStore, clock: Clock):
    """A warm room on a running engine."""
    bench = Bench(store, clock)
    async with bench.engine.running():
        bench.card = await bench.engine.enter(bench.caller, "demo")
        try:
            yield bench
        finally:  # a test that failed leaves nobody waiting
            for gate in (*bench.log.gates.values(), *bench.shelf.gates.values()):
                gate.opened.set()


async def settle() -> None:
    """Let everything that can run now, run."""
    for _ in range(50):
        await asyncio.sleep(0)  # noqa: TID251 (turns of the loop)


def simulated(test: Callable[..., Coroutine]) -> Callable[..., None]:
    """Runs a test in simulated time; the clock of its engines is `loop_clock`."""

    @wraps(test)
    def in_no_time(*args, **kwargs) -> None:
        run(test(*args, **kwargs))

    return in_no_time


async def let_pass(seconds: float) -> None:
    """Let simulated time pass."""
    await heard(asyncio.Event(), seconds)


def simulated_store() -> MemoryStore:
    return MemoryStore(loop_clock)


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
