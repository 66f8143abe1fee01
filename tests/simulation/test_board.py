"""Agents that share a board on two servers, in simulated time: some die, some sleep, some come back with what they had.

Judged from the log alone, wherever that is possible (traps 19, 21, 22; issue 4).
"""

import asyncio
import random
from collections import Counter
from contextlib import AsyncExitStack

import pytest

from stateroom.core.claims import GRACE_MS
from stateroom.core.handing import GrantHandoff, RenewTask
from stateroom.core.holding import ClaimTask
from stateroom.core.messages import PostMessage
from stateroom.core.picking import NextTask
from stateroom.core.proving import SubmitTask, TaskSubmitted, TaskVerified, VerifyTask
from stateroom.core.refusals import NotTheOwner, NotTheTaskHolder, Refusal, TaskHeld, TaskLeaseOver, TokenStale
from stateroom.core.room import Tick
from stateroom.core.silence import TaskLapsed
from stateroom.core.tasks import OpenTask, TaskClaimed
from stateroom.engine.assignments import next_task
from stateroom.engine.clock import loop_clock
from stateroom.engine.engine import Engine
from stateroom.log import codec
from stateroom.stores.memory import MemoryStore
from stateroom.testing.simulated_time import run

LEASE_S = 60
OVER_S = LEASE_S + GRACE_MS / 1000


def shown(id, token=None):
    return SubmitTask(id, "a.py", "…", checks="read it", token=token)


class House:
    """Two servers on one store, and a room with so many tasks."""

    def __init__(self, engines: list[Engine]) -> None:
        self.engines = engines

    async def opened(self, tasks: int) -> "House":
        self.caller = self.engines[0].access.admit("")
        self.card = await self.engines[0].enter(self.caller, "work")
        for _ in range(tasks):
            await self.do("host", OpenTask("t"))
        return self

    async def do(self, by, wish, server=0):
        """The events that a wish at one of the servers has."""
        outcome = await self.engines[server].execute(self.caller, self.card, wish, by)
        return [entry.event for entry in outcome.entries]

    async def refused(self, by, wish, server=0):
        try:
            await self.do(by, wish, server)
        except Refusal as refusal:
            return type(refusal)
        return None

    async def next(self, by, server=0, lease_s=LEASE_S):
        """The task it is given, or None."""
        given = await next_task(self.engines[server], self.caller, self.card, by, NextTask(lease_s))
        return given.briefing.task if given.briefing else None

    async def log(self):
        return codec.decode_all(await self.engines[0].store.log.read(self.card.key, 0, 10**6))

    async def of_kind(self, kind):
        return [entry for entry in await self.log() if isinstance(entry.event, kind)]


def in_a_house(main, tasks=1):
    """Run a story in simulated time, in a room with so many tasks."""

    async def story():
        store = MemoryStore(loop_clock)
        async with AsyncExitStack() as servers:
            engines = [await servers.enter_async_context(Engine(store, loop_clock).running()) for _ in range(2)]
            return await main(await House(engines).opened(tasks))

    return run(story())


def test_the_task_of_a_killed_holder_is_free_after_lease_and_grace():
    """Said once by however many servers, with who held it and when it was last alive; the next one gets it."""

    async def story(house):
        await house.next("ann")
        await house.do("ann", PostMessage("at it", "all", {}))  # its last sign of life, then it is killed
        alive = loop_clock()
        await asyncio.sleep(OVER_S - 1)
        assert await house.next("bob", server=1) is None
        await asyncio.sleep(2)
        (lapsed,) = await house.of_kind(TaskLapsed)
        assert (lapsed.event.holder, lapsed.event.seen, lapsed.by) == ("ann", alive, "")
        assert lapsed.at - alive == OVER_S * 1000
        task = await house.next("bob", server=1)
        assert (task.owner, task.lease.token) == ("bob", 2)

    in_a_house(story)


def test_two_servers_that_tick_at_once_say_it_once():
    """Each decides for itself; one append wins, and the other finds nothing left to say."""

    async def story(house):
        for name in ("ann", "bob", "cyn"):
            await house.next(name)
        await asyncio.sleep(OVER_S - 0.001)
        await asyncio.sleep(0.001)
        await asyncio.gather(*(house.do("", Tick(), server) for server in (0, 1, 0, 1)))
        await asyncio.sleep(60)
        lapsed = [entry.event.task.id for entry in await house.of_kind(TaskLapsed)]
        assert lapsed == ["T-01", "T-02", "T-03"]

    in_a_house(story, tasks=3)


@pytest.mark.parametrize("how", ["it has lapsed", "it was handed over"])
def test_a_server_that_was_paused_does_not_let_a_stale_holder_finish(how):
    """It still believes that its agent holds the task; what it decides on that is not what lands in the log."""

    async def story(house):
        token = (await house.next("ann", server=1)).lease.token
        house.engines[1].rooms._hear = lambda hint: None
        house.engines[1].timers.expect = lambda key, due: None
        if how == "it has lapsed":
            await asyncio.sleep(OVER_S + 1)
            await house.do("bob", ClaimTask("T-01", 600))
        else:
            await house.do("bob", PostMessage("hi", "all", {}))
            await house.do("ann", GrantHandoff("T-01", "bob", token))
        refused = await house.refused("ann", shown("T-01", token), server=1)
        assert refused is (TaskLeaseOver if how == "it has lapsed" else NotTheOwner)
        assert await house.refused("ann", PostMessage("so?", "all", {}), server=1) is None, "now it knows"
        assert await house.refused("ann", shown("T-01", token), server=1) is NotTheOwner
        assert await house.refused("ann", RenewTask("T-01", token), server=1) is NotTheTaskHolder
        assert await house.of_kind(TaskSubmitted) == []

    in_a_house(story)


def test_a_holder_that_wakes_before_anybody_else_has_to_claim_again():
    """Its old token is refused also where nobody has taken the task, and after its own second claim."""

    async def story(house):
        token = (await house.next("ann")).lease.token
        await asyncio.sleep(OVER_S + 1)
        assert await house.refused("ann", shown("T-01", token), server=1) is TaskLeaseOver
        again = await house.next("ann", server=1)
        assert again.lease.token > token
        assert await house.refused("ann", shown("T-01", token)) is TokenStale
        await house.do("ann", shown("T-01", again.lease.token), server=1)

    in_a_house(story)


def test_fifty_claim_one_task_and_one_gets_it():
    """At the same moment, at either server; everybody else is told who has it (trap 19)."""

    async def story(house):
        answers = await asyncio.gather(*(house.refused(f"m{n}", ClaimTask("T-01", 60), n % 2) for n in range(50)))
        assert Counter(answers) == {None: 1, TaskHeld: 49}
        assert len(await house.of_kind(TaskClaimed)) == 1

    in_a_house(story)


class Crew:
    """Twenty agents; some are killed with a task in hand. Whoever is done judges what of others waits for a verdict."""

    def __init__(self, house: House, seed: int) -> None:
        self.house, self.chance = house, random.Random(seed)
        self.dead: set[str] = set()

    async def run(self) -> None:
        await asyncio.gather(self.last_judge(), *(self.agent(number) for number in range(20)))

    async def agent(self, number: int) -> None:
        name, server = f"m{number}", number % 2
        while await self.unfinished():
            task = await self.house.next(name, server)
            if task is None:
                await asyncio.sleep(5)
            elif number >= 5 and self.chance.random() < 0.1:
                self.dead.add(name)
                return
            else:
                await self.work(name, server, task)

    async def work(self, name, server, task) -> None:
        """At times for so long that its lease is over before it is done."""
        await asyncio.sleep(self.chance.choice([0, 1, 20, 80, 100]))
        await self.house.refused(name, shown(task.id, task.lease.token), server)
        await self.judge(name, server)

    async def judge(self, name, server) -> None:
        for id in await self.house.engines[server].view(self.house.card, waits_for_verdict):
            await self.house.refused(name, VerifyTask(id, "done"), server)

    async def last_judge(self) -> None:
        while await self.unfinished():
            await self.judge("host", 0)
            await asyncio.sleep(10)

    async def unfinished(self) -> bool:
        return await self.house.engines[0].view(self.house.card, lambda room: room.board.completed_at is None)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_twenty_agents_do_a_hundred_tasks_although_some_of_them_die(seed):
    """None is lost, none is done twice, none is judged by who did it, and the claims of the dead are taken up."""

    async def story(house):
        crew = Crew(house, seed)
        await crew.run()
        verified = await house.of_kind(TaskVerified)
        assert Counter(entry.event.task.id for entry in verified) == {f"T-{n:02d}": 1 for n in range(1, 101)}
        assert all(entry.by != entry.event.task.owner for entry in verified)
        assert {entry.event.holder for entry in await house.of_kind(TaskLapsed)} >= crew.dead != set()
        check_claims(await house.log())

    in_a_house(story, tasks=100)


def waits_for_verdict(room):
    return [task.id for task in room.board.tasks.values() if task.state == "submitted"]


def check_claims(log):
    """Never two holders, and a claim by another only after a lapse that the log has."""
    holders = {}
    for entry in log:
        event = entry.event
        if isinstance(event, TaskClaimed):
            assert holders.setdefault(event.task.id, event.task.owner) == event.task.owner
        elif isinstance(event, TaskLapsed):
            assert holders.pop(event.task.id) == event.holder
