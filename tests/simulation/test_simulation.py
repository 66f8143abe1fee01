"""Thousands of bad days, each replayable from its seed; and bugs planted on purpose, which must be caught."""

import asyncio
import os

import pytest

from stateroom.engine.follow import Follower
from stateroom.engine.inbox import Inbox
from stateroom.log.seam import Conflict
from stateroom.stores.memory import MemoryLog, MemoryStore
from tests.simulation.world import Plan, check, live

SEEDS = int(os.environ.get("SEEDS", "120"))
BATCH = 20
SUSPECTS = 60
"""How many seeds a planted bug may take to show itself."""


@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
def test_every_seed_ends_well(first):
    """Whatever the store does, what must be true is true."""
    for seed in range(first, min(first + BATCH, SEEDS)):
        check(live(seed))


def test_a_seed_replays_exactly():
    """One seed, one history: otherwise a bad day could not be looked at twice."""
    assert live(7).entries == live(7).entries


class BackwardsFollower(Follower):
    """The bug: read first, then subscribe."""

    async def follow(self, key, after, *, pulse_s=None):
        while True:
            while entries := await self._rooms.entries(key, after):
                after = entries[-1].position
                yield entries
            await asyncio.sleep(0.001)  # whatever else it does before it gets round to subscribing
            with self._rooms.bells.hang(key) as bell:
                await bell.wait()


class CarelessLog(MemoryLog):
    """The bug: append without comparing."""

    async def append(self, key, after, drafts, stamp):
        head = len(self._lives[key].records) if key in self._lives else 0
        return await super().append(key, head, drafts, stamp)


class CarelessStore(MemoryStore):
    def __init__(self, now):
        super().__init__(now)
        self.log = CarelessLog()


class HastyInbox(Inbox):
    """The bug: set the cursor without comparing it."""

    async def _swap(self, key, member, stored, cursor):
        await super()._swap(key, member, stored, cursor)
        return True


def caught_by(plan):
    """The first seed that shows a planted bug, or None."""
    for seed in range(SUSPECTS):
        try:
            check(live(seed, plan))
        except (AssertionError, Conflict, asyncio.CancelledError):
            return seed
    return None


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(Plan(follower=BackwardsFollower), id="read before subscribe"),
        pytest.param(Plan(store=CarelessStore), id="append without compare"),
        pytest.param(Plan(inbox=HastyInbox), id="cursor without compare"),
        pytest.param(Plan(request_ids=False), id="retry without a request id"),
    ],
)
def test_a_planted_bug_is_caught(plan):
    """The simulation sees the bugs it is for."""
    assert caught_by(plan) is not None
