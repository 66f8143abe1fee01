"""Claims that carry a lease: how it is granted, and kept by signs of life (agent-room §6.9; traps 23, 32).

Every task here is claimed by ann at the start for 900 seconds under token 1, unless it says otherwise. Its end is in
`test_task_lapses`.
"""

import pytest

from stateroom.core.handing import RenewTask, TaskRenewed
from stateroom.core.holding import ClaimTask
from stateroom.core.leases import TakeLease
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.members import Leave
from stateroom.core.messages import PostMessage
from stateroom.core.picking import NextTask
from stateroom.core.refusals import (
    BadDuration,
    NoTaskLease,
    NotTheTaskHolder,
    TaskHeld,
    TaskStateWrong,
    TokenNeeded,
    TokenStale,
)
from stateroom.core.room import Tick
from stateroom.core.seats import RemoveMember, TakeSeat
from stateroom.core.silence import ClaimStalled, TaskLapsed
from stateroom.core.speech import Say
from stateroom.core.tasks import (
    OpenTask,
    PrioritizeTask,
)
from stateroom.core.variables import SetVariable
from stateroom.testing.scenes import START, Scene
from tests.core.proven import LEASED, ONE, OPENED, OVER_MS, STATES, the
from tests.core.talking import HOST, HOST_KEY

HELLO = PostMessage("hi", "all", {})
UNDER_LEASE = (OPENED, LEASED)


def held_until(scene):
    """In ms after the start."""
    until = scene.room.board.held_until(the(scene))
    return None if until is None else until - START


def test_a_claim_carries_a_lease_if_it_asks_for_one():
    """With its token, its length, and when it began; without seconds there is none."""
    lease = the(Scene(OPENED, ("ann", ClaimTask(ONE, 60), 5))).lease
    assert (lease.token, lease.seconds, lease.granted_at, lease.renewed_at) == (1, 60, START + 5, START + 5)
    assert (lease.status, lease.ended_at) == ("active", None)
    bare = Scene(OPENED, ("ann", ClaimTask(ONE)))
    assert (the(bare).lease, held_until(bare)) == (None, None)


def test_tokens_grow_over_all_tasks_of_a_room():
    """Each grant has one more than the last, whoever gets it and for whatever."""
    scene = Scene(*UNDER_LEASE, ("bob", OpenTask("t")), ("bob", ClaimTask("T-02", 60)), ("ann", ClaimTask(ONE)))
    assert (the(scene, "T-02").lease.token, the(scene).lease.token, scene.room.board.tokens) == (2, 3, 3)


@pytest.mark.parametrize("seconds", [-1, 86_401])
def test_a_lease_has_a_length(seconds):
    """Between a second and a day, however it is asked for."""
    for wish in (ClaimTask(ONE, seconds), NextTask(seconds)):
        Scene(OPENED).when("ann", wish).then(BadDuration)
    Scene(*UNDER_LEASE).when("ann", RenewTask(ONE, 1, seconds)).then(BadDuration)


def test_a_lease_never_ends_before_the_time_it_was_renewed_for():
    """Whatever is known of its holder."""
    lease = the(Scene(OPENED, ("ann", ClaimTask(ONE, 60), 5_000))).lease
    assert (lease.until(START), lease.until(START + 9_000)) == (START + 65_000, START + 69_000)


@pytest.mark.parametrize("seconds", [1, 86_400])
def test_the_shortest_and_the_longest_lease_are_granted(seconds):
    """As they are asked for."""
    assert held_until(Scene(OPENED, ("ann", ClaimTask(ONE, seconds)))) == seconds * 1000


def test_others_are_told_the_holder_and_when_its_lease_ends():
    """So that they can wait for it, or do something else."""
    answer = Scene(*UNDER_LEASE).when("bob", ClaimTask(ONE, 60), 100_000)
    answer.then(TaskHeld, holder="ann", held_s=100)
    assert "800 s" in str(answer.refusal)


# -- signs of life


@pytest.mark.parametrize(
    ("by", "wish"),
    [
        ("ann", HELLO),
        ("ANN ", HELLO),
        ("ann", SetVariable("k", "v")),
        ("ann", OpenTask("another")),
        ("ann", TakeLease("main.py", 30)),
        ("ann", PrioritizeTask(ONE, 1)),
        ("ann", TakeSeat()),
    ],
)
def test_whatever_its_holder_does_renews_it(by, wish):
    """In the room, under any spelling of its name, and without naming the task."""
    scene = Scene(*UNDER_LEASE)
    scene.do(by, wish, at_ms=600_000)
    assert held_until(scene) == 600_000 + 900_000
    scene.do("", Tick(), at_ms=OVER_MS)
    assert the(scene).leased


def test_speaking_renews_it_too():
    """What is said in the conversation is a sign of life like any other."""
    scene = Scene(*UNDER_LEASE, ("ann", TakeSeat()), ("ann", Say("at it", "status"), 700_000))
    assert held_until(scene) == 700_000 + 900_000


@pytest.mark.parametrize(
    ("by", "wish"),
    [("bob", HELLO), ("vic", PrioritizeTask(ONE, 1)), ("", SetVariable("k", "v")), ("ann", Leave())],
)
def test_nothing_else_renews_it(by, wish):
    """Not what others do, not even to the task; and going is no sign of staying."""
    scene = Scene(*UNDER_LEASE)
    scene.do(by, wish, at_ms=600_000)
    assert held_until(scene) == 900_000


def test_being_put_out_is_no_sign_of_life():
    """The host removes the holder: the lease runs out in its time."""
    scene = Scene(("", OpenRoom("work", "ABC-DEF-GHJ", "", "", "host", HOST_KEY)), *UNDER_LEASE)
    scene.do("host", RemoveMember("ann"), at_ms=600_000, proof=HOST)
    assert held_until(scene) == 900_000
    scene.when("", Tick(), at_ms=OVER_MS).then(TaskLapsed)


def test_a_refused_wish_is_no_sign_of_life():
    """What did not happen shows nothing."""
    scene = Scene(*UNDER_LEASE)
    scene.when("ann", RenewTask(ONE, 7), at_ms=600_000).then(TokenStale)
    assert held_until(scene) == 900_000


# -- renewing


def test_renewing_starts_its_time_again():
    """From now on; the token stays, and the room is not told."""
    scene = Scene(*UNDER_LEASE)
    scene.when("ann", RenewTask(ONE, 1), at_ms=200_000).then(TaskRenewed)
    lease = the(scene).lease
    assert (lease.token, lease.seconds, lease.granted_at, lease.renewed_at) == (1, 900, START, START + 200_000)
    assert (scene.log[-1].event.told, held_until(scene)) == (False, 1_100_000)


def test_renewing_can_change_its_length():
    """Shorter or longer, from now on."""
    scene = Scene(*UNDER_LEASE, ("ann", RenewTask(ONE, 1, 60), 200_000))
    assert (the(scene).lease.seconds, held_until(scene)) == (60, 260_000)


@pytest.mark.parametrize(
    ("given", "by", "token", "expected"),
    [
        (UNDER_LEASE, "ann", 1, TaskRenewed),
        (UNDER_LEASE, " ANN", 1, TaskRenewed),
        (UNDER_LEASE, "ann", 2, TokenStale),
        (UNDER_LEASE, "ann", 0, TokenStale),
        (UNDER_LEASE, "ann", None, TokenNeeded),
        (UNDER_LEASE, "bob", 1, NotTheTaskHolder),
        (UNDER_LEASE, "vic", 1, NotTheTaskHolder),
        (STATES["held"], "ann", None, NoTaskLease),
        (STATES["held"], "ann", 1, NoTaskLease),
        (STATES["open"], "ann", 1, TaskStateWrong),
        (STATES["submitted"], "ann", 1, TaskStateWrong),
    ],
)
def test_only_its_holder_renews_it_and_shows_its_token(given, by, token, expected):
    """Another session of the same member has another token, or none."""
    Scene(*given).when(by, RenewTask(ONE, token)).then(expected)


def test_in_the_grace_its_holder_can_still_renew_it_and_nobody_else_have_it():
    """To the last millisecond of it."""
    last = OVER_MS - 1
    scene = Scene(*UNDER_LEASE)
    scene.when("", Tick(), at_ms=601_000).then(ClaimStalled)
    scene.when("", Tick(), at_ms=last).then()
    scene.when("bob", ClaimTask(ONE), at_ms=last).then(
        TaskHeld, lease=", under a lease that ends in 0 s unless renewed"
    )
    scene.when("ann", RenewTask(ONE, 1), at_ms=last).then(TaskRenewed)
    assert held_until(scene) == last + 900_000
