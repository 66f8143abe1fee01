"""Hundreds of bad days, each replayable from its seed; and bugs planted on purpose, which must be caught."""

import asyncio
import os

import pytest

from stateroom.core import holding, proving, silence
from stateroom.core.claims import TaskLease
from stateroom.core.refusals import BadCursor
from stateroom.log.seam import Conflict
from stateroom.testing.simulated_time import Stuck
from tests.simulation import bugs
from tests.simulation.checks import check
from tests.simulation.world import Plan, live

SEEDS = int(os.environ.get("SEEDS", "200"))
BATCH = 20
SUSPECTS = 400
"""How many seeds a planted bug may take to show itself."""


@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
def test_every_seed_ends_well(first):
    """Whatever the store does, what must be true is true."""
    for seed in range(first, min(first + BATCH, SEEDS)):
        check(live(seed))


@pytest.mark.parametrize("seed", [7, 8])
def test_a_seed_replays_exactly(seed):
    """One seed, one history, to the last thing anybody heard: otherwise a bad day could not be looked at twice."""
    assert repr(live(seed)) == repr(live(seed))
    assert live(seed).entries != live(seed + 2).entries


def caught_by(plan):
    """The first seed that shows a planted bug, or None."""
    for seed in range(SUSPECTS):
        try:
            check(live(seed, plan))
        except (AssertionError, Conflict, BadCursor, Stuck, asyncio.CancelledError):
            return seed
    return None


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(Plan(follower=bugs.BackwardsFollower), id="read before subscribe"),
        pytest.param(Plan(rooms=bugs.DeafRooms), id="a gap taken for silence"),
        pytest.param(Plan(rooms=bugs.ForgetfulRooms), id="a hint lost while reading"),
        pytest.param(Plan(store=bugs.CarelessStore), id="append without compare"),
        pytest.param(Plan(inbox=bugs.HastyInbox), id="cursor without compare"),
        pytest.param(Plan(inbox=bugs.GreedyInbox), id="a lost swap taken for won"),
        pytest.param(Plan(executor=bugs.ForgetfulExecutor), id="a repeated request done again"),
        pytest.param(Plan(executor=bugs.RashExecutor), id="a void request answered"),
        pytest.param(Plan(executor=bugs.UnsettledExecutor), id="a refusal that rests on nothing"),
    ],
)
def test_a_planted_bug_is_caught(plan):
    """The simulation sees the bugs it is for."""
    assert caught_by(plan) is not None


@pytest.mark.parametrize(
    ("noun", "name", "instead"),
    [
        pytest.param(proving, "check_token", lambda task, token: None, id="a stale token taken"),
        pytest.param(silence, "GRACE_MS", 0, id="no grace"),
        pytest.param(silence, "watch", lambda board, id: None, id="a deadline forgotten"),
        pytest.param(holding, "TaskLease", lambda token, *times: TaskLease(1, *times), id="one token for all"),
        pytest.param(proving, "_refuse_judge", lambda task, newest, by: None, id="ruling on one's own work"),
    ],
)
def test_a_planted_bug_of_the_board_is_caught(noun, name, instead, monkeypatch):
    """So it does where a rule is wrong."""
    monkeypatch.setattr(noun, name, instead)
    assert caught_by(Plan()) is not None
