"""A small world: several servers on one bad store, many agents, everything from one seed."""

import asyncio
from collections import defaultdict
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random

from stateroom.core.context import ReviseContext, WriteContext
from stateroom.core.leases import LeaseLapsed, LeaseReleased, LeaseRenewed, LeaseTaken, ReleaseLease, TakeLease
from stateroom.core.messages import PostMessage
from stateroom.core.refusals import Refusal
from stateroom.core.room import Room, replay
from stateroom.core.tasks import LinkTask, MoveTask, OpenTask, TaskChanged
from stateroom.core.variables import SetVariable
from stateroom.engine.clock import loop_clock
from stateroom.engine.engine import Engine
from stateroom.engine.follow import Follower
from stateroom.engine.inbox import Ask, Inbox
from stateroom.log import codec
from stateroom.log.seam import Unavailable
from stateroom.stores.memory import MemoryStore
from stateroom.testing.faults import FaultyStore
from stateroom.testing.simulated_time import run

SERVERS, AGENTS, STEPS, FOLLOWERS, READERS = 3, 5, 10, 4, 3
RETRIES = 40
CALM_S = 60.0
"""Far less than one wait of a follower: only a wake-up can bring it up to date."""


@dataclass
class Plan:
    """What the world is made of; a planted bug replaces one part."""

    store: type[MemoryStore] = MemoryStore
    follower: type[Follower] = Follower
    inbox: type[Inbox] = Inbox
    request_ids: bool = True


@dataclass
class Outcome:
    """What the world looks like afterwards."""

    entries: list = field(default_factory=list)
    acknowledged: dict[str, list[int]] = field(default_factory=dict)
    heard: dict[str, list[int]] = field(default_factory=dict)
    taken: list[int] = field(default_factory=list)
    """What a group of readers that share a name were given, in any order."""
    acked: list[int] = field(default_factory=list)
    """What one reader got in ack mode, repeats included."""
    states: list[bytes] = field(default_factory=list)


class World:
    def __init__(self, seed: int, plan: Plan) -> None:
        self.random = Random(seed)
        self.plan = plan
        self.outcome = Outcome()
        self.truth = plan.store(loop_clock)
        self.stores = [FaultyStore(self.truth, Random(f"{seed}/{n}")) for n in range(SERVERS)]
        self.engines = [self._engine(store) for store in self.stores]
        self.caller = self.engines[0].access.admit("")
        self.numbers = iter(range(10**9))

    def _engine(self, store: FaultyStore) -> Engine:
        engine = Engine(store, loop_clock, draw_code=lambda letters: "".join(self.random.choices(letters, k=9)))
        engine.follower = self.plan.follower(engine.rooms)
        engine.inbox = self.plan.inbox(store, engine.rooms)
        return engine

    def any(self) -> Engine:
        return self.random.choice(self.engines)

    async def live(self) -> Outcome:
        async with AsyncExitStack() as stack:
            for engine in self.engines:
                await stack.enter_async_context(engine.running())
            self.card = await self.insist(lambda: self.any().enter(self.caller, "room"))
            listening = [asyncio.create_task(self.follow(f"f{n}")) for n in range(FOLLOWERS)]
            reading = [asyncio.create_task(self.take()) for _ in range(READERS)]
            reading.append(asyncio.create_task(self.acknowledge()))
            await asyncio.gather(*(self.agent(f"agent-{n}") for n in range(AGENTS)))
            for store in self.stores:
                store.calm = True
            await asyncio.sleep(CALM_S)
            for task in [*listening, *reading]:
                task.cancel()
            await asyncio.gather(*listening, *reading, return_exceptions=True)
            await self.look_back()
        return self.outcome

    async def look_back(self) -> None:
        self.outcome.entries = codec.decode_all(await self.truth.log.read(self.card.key, 0, 10**6))
        for engine in self.engines:
            engine.rooms.suspect(self.card.key)
            self.outcome.states.append(await engine.view(self.card, codec.encode_state))

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
            wish, request = self.wish(name), f"{name}-{next(self.numbers)}"
            request_id = request if self.plan.request_ids else ""
            try:
                done = await self.insist(
                    lambda wish=wish, id=request_id: self.any().execute(self.caller, self.card, wish, name, id)
                )
            except Refusal:
                continue
            self.outcome.acknowledged[request] = [entry.position for entry in done.entries]

    def wish(self, name: str):
        task, other = (f"T-{self.random.randint(1, 5):02d}" for _ in range(2))
        return self.random.choice(
            [
                OpenTask("t"),
                MoveTask(task, "held", owner=name),
                MoveTask(task, "done"),
                MoveTask(task, "open", owner=""),
                LinkTask(task, other),
                TakeLease("main.py", 2),
                ReleaseLease("main.py"),
                PostMessage("hi", "all", {"n": next(self.numbers)}),
                WriteContext("note", "s", {"text": "t"}, (name,)),
                ReviseContext("C-01", summary=str(next(self.numbers))),
                SetVariable("v", str(next(self.numbers))),
            ]
        )

    async def follow(self, name: str) -> None:
        """Reads the whole log as it grows; where the store fails, goes on from where it was."""
        got = self.outcome.heard[name] = []
        engine = self.any()
        while True:
            try:
                async for entries in engine.follower.follow(self.card.key, got[-1] if got else 0):
                    got += [entry.position for entry in entries]
            except Unavailable:
                await asyncio.sleep(0.01)

    async def take(self) -> None:
        """One of several readers of one name, each at its own server."""
        engine = self.any()
        while True:
            batch = await self.next_batch(engine, "group", Ask(limit=self.random.randint(1, 5)))
            self.outcome.taken += [entry.position for entry in batch.entries]

    async def acknowledge(self) -> None:
        """A reader that acknowledges only what it really has."""
        engine, have = self.any(), 0
        while True:
            batch = await self.next_batch(engine, "careful", Ask(limit=3, ack=have))
            self.outcome.acked += [entry.position for entry in batch.entries]
            have = batch.entries[-1].position

    async def next_batch(self, engine: Engine, name: str, ask: Ask):
        async def look():
            batch = await engine.inbox.read(self.card.key, name, ask)
            return batch if batch.entries else None

        while True:
            try:
                batch = await engine.follower.until(self.card.key, look, 3600)
            except Unavailable:
                await asyncio.sleep(0.01)
                continue
            if batch is not None:
                return batch


def live(seed: int, plan: Plan | None = None) -> Outcome:
    """The world of a seed, from beginning to end."""

    async def main() -> Outcome:
        return await World(seed, plan or Plan()).live()

    return run(main())


def check(outcome: Outcome, *, takes_lose: bool = True) -> None:
    """Everything that must be true of any world. `takes_lose`: a lost answer may lose a taken batch (W-05)."""
    entries = outcome.entries
    positions = [entry.position for entry in entries]
    assert positions == list(range(1, len(entries) + 1)), "positions are gapless"
    by_request = defaultdict(list)
    for entry in entries:
        by_request[entry.cause.rpartition("#")[0].partition("/")[2]].append(entry.position)
    for request, acknowledged in outcome.acknowledged.items():
        assert by_request.get(request, []) == acknowledged, f"{request}: acknowledged means in the log, once"
    for name, got in outcome.heard.items():
        assert got == positions, f"{name} heard {len(got)} of {len(positions)}"
    told = [entry.position for entry in entries if entry.event.told]
    assert len(outcome.taken) == len(set(outcome.taken)), "readers that share a name never get an event twice"
    assert set(outcome.taken) <= set(told)
    assert takes_lose or set(outcome.taken) == set(told)
    assert list(dict.fromkeys(outcome.acked)) == told, "ack mode loses nothing and keeps the order"
    assert set(outcome.states) == {codec.encode_state(replay(entries, Room()))}, "every server ends where the log does"
    check_claims(entries)


def check_claims(entries: list) -> None:
    """No task and no lease ever has two holders."""
    owners: dict = {}
    leases: dict = {}
    for entry in entries:
        event = entry.event
        if isinstance(event, TaskChanged):
            held = owners.get(event.task.id)
            assert event.task.owner in (None, held) or held is None or event.was != "held", "a claim was stolen"
            owners[event.task.id] = event.task.owner
        elif isinstance(event, LeaseTaken):
            assert event.resource not in leases or leases[event.resource][1] <= entry.at, "two holders of a lease"
            leases[event.resource] = (event.holder, event.until)
        elif isinstance(event, LeaseRenewed):
            leases[event.resource] = (leases[event.resource][0], event.until)
        elif isinstance(event, LeaseReleased | LeaseLapsed):
            leases.pop(event.resource, None)
