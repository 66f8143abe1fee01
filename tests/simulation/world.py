"""A small world: several servers on one bad store, many agents, everything from one seed."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random
from unittest.mock import patch

from stateroom.core.here import LogEntry
from stateroom.core.proving import SubmitTask
from stateroom.core.refusals import LeaseHeld, Refusal
from stateroom.engine import held, rooms
from stateroom.engine.clock import loop_clock
from stateroom.engine.engine import Engine
from stateroom.engine.execute import Executor
from stateroom.engine.follow import Follower
from stateroom.engine.inbox import Ask, Inbox
from stateroom.engine.rooms import Rooms
from stateroom.log import codec
from stateroom.log.seam import Unavailable
from stateroom.stores.memory import MemoryStore
from stateroom.testing.faults import FaultyStore, Odds
from stateroom.testing.simulated_time import run
from tests.simulation.wishes import HELLO, Read, drawn

SERVERS, LATE, AGENTS, STEPS, FOLLOWERS, READERS = 3, 1, 5, 20, 4, 3
RETRIES = 40
CALM_S = 400.0
"""Longer than any lease; and only a wake-up can bring a follower up to date, for it waits without end."""
HONEST = Odds(lost_after=0.0)
"""A shelf that never forgets to say what it did: under it, take delivers exactly once."""


@dataclass
class Plan:
    """What the world is made of; a planted bug replaces one part."""

    store: type[MemoryStore] = MemoryStore
    rooms: type[Rooms] = Rooms
    executor: type[Executor] = Executor
    follower: type[Follower] = Follower
    inbox: type[Inbox] = Inbox


@dataclass
class Outcome:
    """What the world looks like afterwards."""

    entries: list[LogEntry] = field(default_factory=list)
    acknowledged: list[tuple[str, str, list[int]]] = field(default_factory=list)
    """Requests that were answered: which, what they wished, and the positions their callers were told."""
    refused: list[LeaseHeld] = field(default_factory=list)
    takeovers: set[str] = field(default_factory=set)
    """Requests that asked to take a task from its holder."""
    tokens: dict[str, int | None] = field(default_factory=dict)
    """Under which token each request asked to submit a task."""
    heard: dict[str, list[int]] = field(default_factory=dict)
    taken: dict[str, list[int]] = field(default_factory=dict)
    """What groups of readers that share a name were given: `honest` and `lossy`, by the shelf they are on."""
    acked: list[int] = field(default_factory=list)
    """What one reader got in ack mode, repeats included."""
    ends: list[tuple[set[int], bytes]] = field(default_factory=list)
    """Where each server thinks that the log ends: what is withdrawn, and the whole state."""
    failures: list[BaseException] = field(default_factory=list)
    """Whatever went wrong that was neither a refusal nor the store."""


class World:
    def __init__(self, seed: int, plan: Plan) -> None:
        self.seed, self.random, self.plan = seed, Random(seed), plan
        self.outcome = Outcome()
        self.truth = plan.store(loop_clock)
        self.stores: list[FaultyStore] = []
        self.engines: list[Engine] = []
        self.numbers = iter(range(10**9))
        self.memories: dict[str, Read] = {}

    def engine(self) -> Engine:
        """One more server, with luck of its own."""
        luck = f"{self.seed}/{len(self.stores)}"
        store, honest = FaultyStore(self.truth, Random(luck)), FaultyStore(self.truth, Random(luck + "!"), HONEST)
        self.stores += [store, honest]
        engine = Engine(store, loop_clock, draw_code=lambda letters: "".join(self.random.choices(letters, k=9)))
        engine.rooms = self.plan.rooms(store)
        engine.executor = self.plan.executor(store, engine.rooms, loop_clock)
        engine.follower = self.plan.follower(engine.rooms)
        engine.inbox = self.plan.inbox(store, engine.rooms)
        engine.timers._executor, engine.timers._rooms = engine.executor, engine.rooms
        engine.honest_inbox = self.plan.inbox(honest, engine.rooms)
        return engine

    def any(self) -> Engine:
        return self.random.choice(self.engines)

    async def live(self) -> Outcome:
        async with AsyncExitStack() as stack:
            for _ in range(SERVERS):
                self.engines.append(await stack.enter_async_context(self.engine().running()))
            self.caller = self.engines[0].access.admit("")
            self.card = await self.insist(lambda: self.any().enter(self.caller, "room"))
            self.side = await self.insist(lambda: self.any().enter(self.caller, "side"))
            watching = self.watch()
            working = [asyncio.create_task(self.agent(f"agent-{n}")) for n in range(AGENTS)]
            for _ in range(LATE):
                await asyncio.sleep(self.random.random() * STEPS / 2)
                self.engines.append(await stack.enter_async_context(self.engine().running()))
            await asyncio.gather(*working)
            for store in self.stores:
                store.calm = True
            await asyncio.sleep(CALM_S)
            for task in watching:
                task.cancel()
            ends = await asyncio.gather(*watching, return_exceptions=True)
            self.outcome.failures = [end for end in ends if not isinstance(end, asyncio.CancelledError)]
            await self.look_back()
        return self.outcome

    def watch(self) -> list[asyncio.Task[None]]:
        readers = [self.take(name) for name in ("honest", "lossy") for _ in range(READERS)]
        followers = [self.follow(f"f{n}") for n in range(FOLLOWERS)]
        return [asyncio.create_task(each) for each in (*followers, *readers, self.acknowledge())]

    async def look_back(self) -> None:
        self.outcome.entries = codec.decode_all(await self.truth.log.read(self.card.key, 0, 10**6))
        for engine in self.engines:
            engine.rooms.suspect(self.card.key)
            end = await engine.view(self.card, lambda room: (set(room.messages.withdrawn), codec.encode_state(room)))
            self.outcome.ends.append(end)

    async def insist(self, call):
        """A client that repeats the same request, perhaps at another server, until it gets through."""
        for _ in range(RETRIES):
            try:
                return await call()
            except Unavailable:
                await asyncio.sleep(self.random.random() / 10)
        raise AssertionError("the store never answered")

    async def agent(self, name: str) -> None:
        for _ in range(STEPS):
            await asyncio.sleep(self.random.random())
            request, wish = f"{name}-{next(self.numbers)}", await self.wish(name)
            if getattr(wish, "takeover", False):
                self.outcome.takeovers.add(request)
            if isinstance(wish, SubmitTask):
                self.outcome.tokens[request] = wish.token
            twice = self.random.random() < 0.2  # an impatient client sends it again before it was answered
            await asyncio.gather(*(self.ask(name, request, wish) for _ in range(1 + twice)))
            await self.visit(name)

    async def wish(self, name: str):
        read = await self.insist(lambda: self.any().view(self.card, lambda room: what_is_read(room, name)))
        if self.random.random() < 0.3:  # it acts on what it read a while ago
            read = self.memories.get(name, read)
        self.memories[name] = read
        return drawn(self.random, name, next(self.numbers), read)

    async def ask(self, name: str, request: str, wish) -> None:
        async def call():
            engine = self.any()
            outcome = await engine.execute(self.caller, self.card, wish, name, request)
            return engine, [entry.position for entry in outcome.entries]

        try:
            engine, positions = await self.insist(call)
        except LeaseHeld as refusal:
            self.outcome.refused.append(refusal)
        except Refusal:
            return
        else:
            self.outcome.acknowledged.append((request, type(wish).__name__, positions))
            seen = await self.insist(lambda: engine.view(self.card, lambda room: room.position))
            assert seen >= max(positions, default=0), "who has written it sees it there"

    async def visit(self, name: str) -> None:
        """Look into the other room now and then, so that servers forget this one."""
        if self.random.random() < 0.3:
            await self.insist(lambda: self.any().execute(self.caller, self.side, HELLO, name))

    async def follow(self, name: str) -> None:
        """Reads the whole log as it grows; where the store fails, goes on from where it was, perhaps elsewhere."""
        got = self.outcome.heard[name] = []
        while True:
            try:
                async for entries in self.any().follower.follow(self.card.key, got[-1] if got else 0):
                    got += [entry.position for entry in entries]
            except Unavailable:
                await asyncio.sleep(0.01)

    async def take(self, name: str) -> None:
        """One of several readers of one name, each at its own server."""
        engine, got = self.any(), self.outcome.taken.setdefault(name, [])
        inbox = engine.honest_inbox if name == "honest" else engine.inbox
        while True:
            batch = await self.next_batch(engine, inbox, name, Ask(limit=self.random.randint(1, 5)))
            assert [e.position for e in batch.entries] == sorted(e.position for e in batch.entries)
            got += [entry.position for entry in batch.entries]

    async def acknowledge(self) -> None:
        """A reader that acknowledges only what it really has, each time at another server."""
        have = 0
        while True:
            engine = self.any()
            batch = await self.next_batch(engine, engine.inbox, "careful", Ask(limit=3, ack=have))
            self.outcome.acked += [entry.position for entry in batch.entries]
            have = batch.entries[-1].position

    async def next_batch(self, engine: Engine, inbox: Inbox, name: str, ask: Ask):
        async def look():
            batch = await inbox.read(self.card.key, name, ask)
            return batch if batch.entries else None

        while True:
            try:
                batch = await engine.follower.until(self.card.key, look, 3600)
            except Unavailable:
                await asyncio.sleep(0.01)
            else:
                if batch is not None:
                    return batch


def what_is_read(room, name: str) -> Read:
    """What note C-01 says, its version, and the task that an agent holds under a lease."""
    entry = room.context.entries.get("C-01")
    note = (entry.summary, entry.version) if entry else ("0", "1.0")
    own = next((task for task in room.board.of(name) if task.held_by(name) and task.lease), None)
    return Read(*note, own.id, own.lease.token) if own else Read(*note)


def live(seed: int, plan: Plan | None = None) -> Outcome:
    """The world of a seed, from beginning to end. Little is kept in memory, so that everything is loaded often."""

    async def main() -> Outcome:
        return await World(seed, plan or Plan()).live()

    with (
        patch.object(rooms, "SNAPSHOT_EVERY", 10),
        patch.object(rooms, "HELD_ROOMS", 2),
        patch.object(held, "RECENT_KEPT", 4),
    ):
        return run(main())
