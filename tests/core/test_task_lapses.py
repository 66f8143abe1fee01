"""Claims whose lease has run out: what is said, who gets the task, and what whoever had it can still do (gap 74, traps
22, 24, 32).

Every task here is claimed by ann at the start for 900 seconds under token 1, unless it says otherwise, and so over at
`OVER_MS`.
"""

from dataclasses import replace

import pytest

from stateroom.core.halting import BlockTask, CancelTask
from stateroom.core.handing import ReleaseTask, RenewTask
from stateroom.core.here import Unreadable
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.lifecycle import EndRoom, OpenRoom, ReactivateRoom
from stateroom.core.messages import MessagePosted, PostMessage
from stateroom.core.picking import NextTask
from stateroom.core.proving import TaskSubmitted
from stateroom.core.refusals import (
    NotTheOwner,
    NotTheTaskHolder,
    TaskHeld,
    TaskLeaseOver,
    TaskStateWrong,
    TokenNeeded,
    TokenStale,
)
from stateroom.core.room import Tick, replay
from stateroom.core.silence import ClaimStalled, TaskLapsed
from stateroom.core.tasks import (
    NOBODY,
    MoveTask,
    OpenTask,
    PrioritizeTask,
    TaskClaimed,
    TaskFinished,
    TaskOpened,
    TaskPrioritized,
)
from stateroom.testing.scenes import START, Scene
from tests.core.proven import GOOD, LEASED, ONE, OPENED, OVER_MS, STATES, the
from tests.core.talking import HOST, HOST_KEY

HOURS = 3_600_000
PLAIN = ("ann", OpenTask("t"))
HELLO = PostMessage("hi", "all", {})
UNDER_LEASE = (OPENED, LEASED)


def test_a_lease_is_over_a_grace_after_its_end():
    """The task is free, and the fact names who held it and its last sign of life."""
    scene = Scene(*UNDER_LEASE, ("ann", HELLO, 1_000))
    scene.do("", Tick(), at_ms=700_000)
    assert scene.room.next_due() == START + 1_000 + OVER_MS
    scene.when("", Tick(), at_ms=1_000 + OVER_MS).then(TaskLapsed, holder="ann", seen=START + 1_000, was="held")
    task = the(scene)
    assert (task.state, task.owner, task.held_since) == ("open", None, None)
    assert (task.lease.status, task.lease.ended_at) == ("expired", START + 1_000 + OVER_MS)
    assert scene.room.next_due() is None


def test_that_it_is_over_is_said_before_anything_else_that_happens():
    """Whether or not anybody has ticked, and by whomever; nobody has taken it away."""
    scene = Scene(*UNDER_LEASE)
    scene.when("bob", HELLO, at_ms=OVER_MS).then(TaskLapsed, MessagePosted)
    assert [(one.by, one.was, one.to) for one in the(scene).role_history] == [("", "ann", None)]
    back = Scene(*UNDER_LEASE)
    back.when("ann", HELLO, at_ms=OVER_MS).then(TaskLapsed, MessagePosted)
    assert the(back).owner is None, "coming back late is coming back too late"


def test_who_claims_it_next_gets_it_at_once():
    """The end and the claim are one decision, and the token is a fresh one."""
    scene = Scene(*UNDER_LEASE)
    scene.when("bob", ClaimTask(ONE, 60), at_ms=OVER_MS).then(TaskLapsed, TaskClaimed)
    assert (the(scene).owner, the(scene).lease.token) == ("bob", 2)
    picked = Scene(*UNDER_LEASE)
    picked.when("bob", NextTask(), at_ms=OVER_MS).then(TaskLapsed, TaskClaimed)
    assert the(picked).owner == "bob"


def test_where_nothing_follows_nothing_is_said():
    """A wish that finds everything as it wants it, or that is refused, leaves the end to the next."""
    scene = Scene(*UNDER_LEASE, ("bob", PrioritizeTask(ONE, 1)))
    scene.when("bob", PrioritizeTask(ONE, 1), at_ms=OVER_MS).then()
    scene.when("bob", RenewTask(ONE), at_ms=OVER_MS).then(TaskStateWrong)
    assert the(scene).state == "held"
    scene.when("bob", PrioritizeTask(ONE, 2), at_ms=OVER_MS).then(TaskLapsed, TaskPrioritized)
    assert (the(scene).state, the(scene).priority) == ("open", 2)


def test_several_that_are_over_are_said_in_the_order_of_their_claims():
    """All in one, and only those."""
    scene = Scene(
        *[("bob", OpenTask(f"t{n}")) for n in range(3)],
        *[(name, ClaimTask(id, s)) for name, id, s in (("cyn", "T-03", 60), ("dan", "T-01", 60), ("eve", "T-02", 999))],
    )
    events = scene.do("bob", OpenTask("more"), at_ms=90_000)
    assert [(event.task.id, event.holder) for event in events if isinstance(event, TaskLapsed)] == [
        ("T-03", "cyn"),
        ("T-01", "dan"),
    ]
    assert isinstance(events[-1], TaskOpened)


# -- the stale holder


def test_a_holder_that_was_away_can_not_finish_what_has_lapsed():
    """Not with its token and not without, until it has claimed it again."""
    scene = Scene(*UNDER_LEASE)
    for wish in (replace(GOOD, token=1), GOOD, MoveTask(ONE, "done", token=1)):
        refusal = scene.when("ann", wish, at_ms=OVER_MS).refusal
        assert refusal is not None
    scene.when("ann", replace(GOOD, token=1)).then(TaskLeaseOver)
    scene.when("ann", GOOD).then(TaskLeaseOver)
    scene.do("ann", ClaimTask(ONE, 900))
    scene.when("ann", replace(GOOD, token=1)).then(TokenStale, token=1)
    scene.when("ann", replace(GOOD, token=2)).then(TaskSubmitted)


def test_a_holder_that_was_away_can_not_touch_what_another_holds_now():
    """Whatever it tries with what it has."""
    scene = Scene(*UNDER_LEASE, ("bob", ClaimTask(ONE, 900), OVER_MS))
    before = the(scene)
    scene.when("ann", replace(GOOD, token=1)).then(NotTheOwner, owner="bob")
    scene.when("ann", RenewTask(ONE, 1)).then(NotTheTaskHolder)
    scene.when("ann", ReleaseTask(ONE, 1)).then(NotTheTaskHolder)
    scene.when("ann", MoveTask(ONE, "done", token=1)).then(TaskHeld)
    scene.when("ann", MoveTask(ONE, "blocked")).then(TaskHeld)
    scene.when("ann", ClaimTask(ONE)).then(TaskHeld)
    assert the(scene) == before


def test_the_holder_claiming_again_leaves_its_older_session_outside():
    """A fresh token, the same length unless it says another; the old token is good for nothing."""
    scene = Scene(PLAIN, ("ann", ClaimTask(ONE, 600)))
    scene.when("ann", ClaimTask(ONE), at_ms=9).then(TaskClaimed, was="held")
    lease = the(scene).lease
    assert (lease.token, lease.seconds, lease.granted_at) == (2, 600, START + 9)
    assert the(Scene(PLAIN, LEASED, ("ann", ClaimTask(ONE, 60)))).lease.seconds == 60
    old = (RenewTask(ONE, 1), ReleaseTask(ONE, 1), replace(GOOD, token=1), MoveTask(ONE, "done", token=1))
    for wish in old:
        scene.when("ann", wish).then(TokenStale, token=1)
    scene.when("ann", MoveTask(ONE, "done", token=2)).then(TaskFinished)


def test_a_plain_claim_after_the_end_needs_no_token():
    """It is a claim like any other; the old token is refused all the same."""
    scene = Scene(*UNDER_LEASE, ("bob", ClaimTask(ONE), OVER_MS))
    assert the(scene).lease is None
    scene.when("bob", replace(GOOD, token=1)).then(TokenStale)
    scene.when("bob", GOOD).then(TaskSubmitted)


@pytest.mark.parametrize(
    ("token", "takeover", "by", "expected"),
    [
        (None, False, "ann", TokenNeeded),
        (9, False, "ann", TokenStale),
        (1, False, "ann", TaskFinished),
        (1, False, "bob", TaskHeld),
        (None, True, "bob", TaskFinished),
    ],
)
def test_finishing_what_is_under_a_lease_takes_its_token(token, takeover, by, expected):
    """Or saying that it is taken over (W-18)."""
    scene = Scene(PLAIN, ("ann", ClaimTask(ONE, 60)))
    scene.when(by, MoveTask(ONE, "done", token=token, takeover=takeover)).then(expected)


@pytest.mark.parametrize(
    ("by", "wish"),
    [
        ("ann", ReleaseTask(ONE, 1)),
        ("ann", ReleaseTask(ONE)),
        ("ann", replace(GOOD, token=1)),
        ("bob", BlockTask(ONE, "no access")),
        ("bob", CancelTask(ONE)),
        ("bob", ReassignTask(ONE, "cyn")),
        ("ann", MoveTask(ONE, "open", owner=NOBODY)),
        ("ann", MoveTask(ONE, "blocked")),
        ("ann", MoveTask(ONE, "done", token=1)),
    ],
)
def test_a_lease_ends_with_the_claim(by, wish):
    """Whatever ends that; then it never lapses."""
    scene = Scene(PLAIN, LEASED)
    scene.do(by, wish, at_ms=7)
    assert (the(scene).lease.status, the(scene).lease.ended_at, the(scene).leased) == ("released", START + 7, False)
    assert not any(isinstance(event, TaskLapsed) for event in scene.do("", Tick(), at_ms=OVER_MS))


def test_a_move_by_its_holder_that_is_no_end_keeps_it():
    """A note, or another priority."""
    scene = Scene(PLAIN, LEASED, ("ann", MoveTask(ONE, "held", note="more")), ("bob", PrioritizeTask(ONE, 3)))
    assert (the(scene).lease.token, the(scene).leased) == (1, True)


def test_taking_over_is_holding_without_a_lease():
    """Who takes a task by moving it holds it as the plan does."""
    scene = Scene(PLAIN, LEASED, ("bob", MoveTask(ONE, "held", owner="bob", takeover=True)))
    assert (the(scene).owner, the(scene).lease) == ("bob", None)
    scene.when("ann", replace(GOOD, token=1)).then(NotTheOwner)
    scene.when("bob", MoveTask(ONE, "done", token=1)).then(TokenStale)


# -- long times, lost entries, ended rooms


def test_a_lease_of_three_hours_lives_to_its_last_second():
    """With a restart every ten minutes, and nothing said but that its holder is silent (trap 32)."""
    scene = Scene(OPENED, ("ann", ClaimTask(ONE, 10_800)))
    over = 3 * HOURS + 30_000
    for at_ms in (*range(0, over, 600_000), over - 1):
        scene.do("", Tick(), at_ms=at_ms)
        scene.state = replay(scene.log)
        assert the(scene).leased
    assert [type(entry.event) for entry in scene.log if isinstance(entry.event, ClaimStalled | TaskLapsed)] == [
        ClaimStalled
    ]
    scene.when("", Tick(), at_ms=over).then(TaskLapsed, holder="ann", seen=START)


@pytest.mark.parametrize("lost", [TaskClaimed, TaskLapsed, TaskOpened])
def test_a_lost_entry_leaves_the_task_recoverable(lost):
    """Whichever can not be read: the task is claimed sooner or later, under a token nobody had (trap 24)."""
    scene = Scene(*UNDER_LEASE, ("", Tick(), 600_000), ("", Tick(), OVER_MS))
    if lost is TaskOpened:
        scene = Scene(*UNDER_LEASE)
    log = [replace(one, event=Unreadable("lost")) if type(one.event) is lost else one for one in scene.log]
    scene.state = replay(log)
    scene.do("bob", ClaimTask(ONE, 60), at_ms=OVER_MS)
    assert (the(scene).owner, the(scene).lease.token > 1) == ("bob", True)
    assert scene.when("ann", replace(GOOD, token=1)).refusal is not None


def test_a_token_that_was_granted_in_a_lost_entry_is_not_granted_again():
    """The same member's two sessions could not be told apart by it."""
    scene = Scene(PLAIN, LEASED)
    scene.state = replay([*scene.log[:-1], replace(scene.log[-1], event=Unreadable("lost"))])
    scene.do("ann", ClaimTask(ONE, 60))
    scene.when("ann", replace(GOOD, token=1)).then(TokenStale)


def test_a_claim_without_a_lease_is_never_over_by_itself():
    """It can be taken over, by saying so."""
    scene = Scene(*STATES["held"])
    scene.do("", Tick(), at_ms=48 * HOURS)
    scene.when("bob", ClaimTask(ONE)).then(TaskHeld, lease="")
    scene.when("bob", MoveTask(ONE, "held", owner="bob", takeover=True)).then(TaskClaimed)


def test_in_an_ended_room_no_lease_runs_out():
    """What it came to is said when the room is opened again and somebody does something."""
    scene = Scene(("", OpenRoom("work", "ABC-DEF-GHJ", "", "", "host", HOST_KEY)), *UNDER_LEASE)
    scene.do("host", EndRoom(), proof=HOST)
    assert scene.room.next_due() is None
    scene.when("", Tick(), at_ms=OVER_MS).then()
    scene.do("host", ReactivateRoom(), proof=HOST)
    assert the(scene).leased
    assert scene.room.next_due() <= scene.now
    scene.when("bob", HELLO).then(TaskLapsed, MessagePosted)
