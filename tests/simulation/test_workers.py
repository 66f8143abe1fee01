"""Workers on two servers, in simulated time: they take tasks under leases, work, vanish and come back, and judge each
other. What happened is judged from the log alone.
"""

import asyncio
import random
from collections import Counter
from contextlib import AsyncExitStack

import pytest

from stateroom.core.board import BoardCompleted
from stateroom.core.claims import GRACE_MS
from stateroom.core.here import LogEntry
from stateroom.core.members import Join, same
from stateroom.core.picking import NextTask
from stateroom.core.policy import Policy
from stateroom.core.proving import SubmitTask, TaskSubmitted, TaskVerified, VerifyTask
from stateroom.core.refusals import Refusal
from stateroom.core.room import replay
from stateroom.core.silence import TaskLapsed, TaskRerouted
from stateroom.core.tasks import OpenTask, Task, TaskClaimed, TaskFact
from stateroom.core.views.duties import duties
from stateroom.engine import conversation
from stateroom.engine.clock import loop_clock
from stateroom.engine.engine import Engine
from stateroom.log import codec
from stateroom.stores.memory import MemoryStore
from stateroom.testing.simulated_time import run

WORKERS = [f"worker {letter}" for letter in "abcdefgh"]
TASKS, LEASE_S, ROUNDS = 40, 60, 400


class Workshop:
    """One room on two servers."""

    def __init__(self, seed: int, engines: list[Engine]) -> None:
        self.engines, self.seed = engines, seed
        self.refused: Counter[str] = Counter()

    async def run(self) -> list[LogEntry]:
        """Everything that happened, as the store has it."""
        first = self.engines[0]
        self.caller = first.access.admit("")
        made = await conversation.create(first, self.caller, "work", "boss", policy=Policy(review_seconds=120))
        self.card = made.card
        for number in range(TASKS):
            waits = (f"T-{number:02d}",) if number % 5 else ()
            judge = random.Random(self.seed + number).choice([*WORKERS, None])
            await self.do(first, "boss", OpenTask(str(number), depends_on=waits, verifier=judge, dod="shown"))
        await asyncio.gather(*(self.worker(name, number) for number, name in enumerate(WORKERS)))
        return codec.decode_all(await first.store.log.read(self.card.key, 0, 10**6))

    async def do(self, engine: Engine, by: str, command) -> list[LogEntry]:
        return (await engine.execute(self.caller, self.card, command, by)).entries

    async def attempt(self, engine: Engine, by: str, command) -> None:
        try:
            await self.do(engine, by, command)
        except Refusal as refusal:
            self.refused[refusal.code] += 1

    async def worker(self, name: str, number: int) -> None:
        """Owes verdicts first, then works; now and then it is away for longer than any lease."""
        chance, engine = random.Random(self.seed * 100 + number), self.engines[number % 2]
        await self.do(engine, name, Join())
        for _ in range(ROUNDS):
            if await engine.view(self.card, lambda room: room.board.completed_at is not None):
                return
            await self.judge(engine, name, chance)
            await self.attempt(engine, name, NextTask(LEASE_S))
            task = await engine.view(self.card, lambda room: next(iter(duties(room, name).current), None))
            if task is None:
                await asyncio.sleep(chance.choice([5, 30]))
                continue
            token = task.lease.token if task.lease else None
            await asyncio.sleep(chance.choice([1, 20, 50, 89, 91, 150, 700]))
            shown = SubmitTask(task.id, "a.py", str(chance.random()), "passed", chance.choice([0, 0, 1]), token=token)
            await self.attempt(self.engines[chance.randrange(2)], name, shown)

    async def judge(self, engine: Engine, name: str, chance: random.Random) -> None:
        owed = await engine.view(self.card, lambda room: duties(room, name).to_verify)
        if chance.random() < 0.5:
            owed = owed or await engine.view(
                self.card,
                lambda room: [t for t in room.board.tasks.values() if t.state == "submitted" and not t.verifier],
            )
        for task in owed:
            verdict = chance.choice(["done", "done", "rejected"])
            await self.attempt(engine, name, VerifyTask(task.id, verdict, chance.choice(["", "so be it"])))


async def workshop(seed: int) -> tuple[list[LogEntry], Counter[str]]:
    store = MemoryStore(loop_clock)
    async with AsyncExitStack() as servers:
        engines = [await servers.enter_async_context(Engine(store, loop_clock).running()) for _ in range(2)]
        room = Workshop(seed, engines)
        return await room.run(), room.refused


def check_holders(entries: list[LogEntry]) -> None:
    """Never two holders; a claim that has lapsed was silent for its time and the grace, and tokens only grow."""
    tasks: dict[str, Task] = {}
    seen: dict[str, int] = {}
    tokens = 0
    for entry in entries:
        event = entry.event
        if isinstance(event, TaskLapsed):
            held = tasks[event.task.id]
            assert held.state == "held"
            assert held.lease is not None
            last = max(seen.get(event.holder, 0), held.held_since or 0)
            assert event.seen == last
            assert entry.at >= last + held.lease.seconds * 1000 + GRACE_MS
        if isinstance(event, TaskClaimed):
            assert event.task.id not in tasks or tasks[event.task.id].state != "held", "a task has two holders"
            assert event.task.lease is not None
            assert event.task.lease.token > tokens
            tokens = event.task.lease.token
        if isinstance(event, TaskFact):
            tasks[event.task.id] = event.task
        if entry.by:
            seen[entry.by] = entry.at


def check_proof(entries: list[LogEntry]) -> None:
    """Who submits holds the task, or mends what was rejected; who verifies is another."""
    before: dict[str, Task] = {}
    for entry in entries:
        event = entry.event
        if isinstance(event, TaskSubmitted):
            assert before[event.task.id].state in ("held", "rejected")
            assert same(before[event.task.id].owner or "", entry.by), "a stale holder has finished"
        if isinstance(event, TaskVerified):
            assert not same(event.task.owner or "", entry.by)
            assert not same(event.task.evidence[-1].by, entry.by)
        if isinstance(event, TaskFact):
            before[event.task.id] = event.task


@pytest.mark.timeout(120)
@pytest.mark.parametrize("seed", range(6))
def test_all_work_gets_done_however_often_somebody_vanishes(seed):
    """Each task once, by whom holds it, checked by another; and all of it happens: lapses, other judges, refusals."""
    entries, refused = run(workshop(seed))
    check_holders(entries)
    check_proof(entries)
    room = replay(entries)
    assert {task.state for task in room.board.tasks.values()} == {"done"}
    assert len(room.board.tasks) == TASKS
    kinds = Counter(type(entry.event) for entry in entries)
    assert kinds[TaskLapsed] > 0
    assert kinds[TaskRerouted] > 0
    assert kinds[BoardCompleted] == 1
    assert refused["task_lease_over"] + refused["token_stale"] + refused["not_the_owner"] > 0
