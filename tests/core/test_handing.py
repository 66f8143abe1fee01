"""What a holder does with its claim, and how another gets the task in good order (agent-room §6.9)."""

import pytest

from stateroom.core.handing import GrantHandoff, ReleaseTask, RequestHandoff, TaskHandedOver, TaskHandoffRequested
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.members import Join, Leave
from stateroom.core.proving import TaskSubmitted
from stateroom.core.refusals import (
    BadName,
    HandoffMissing,
    HandoffToSelf,
    NotParticipant,
    NotTheTaskHolder,
    TaskDoneImmutable,
    TaskStateWrong,
    TokenStale,
    UnknownTask,
    VerifierCannotClaim,
)
from stateroom.core.room import Tick
from stateroom.core.silence import ClaimStalled
from stateroom.core.tasks import MoveTask, TaskReturned
from stateroom.testing.scenes import START, Scene
from tests.core.proven import GOOD, LEASED, ONE, OPENED, OVER_MS, STATES, follows, the

BOB, VIC = ("bob", Join()), ("vic", Join())
HELD, UNDER_LEASE = [OPENED, BOB, VIC, ("ann", ClaimTask(ONE))], [OPENED, BOB, VIC, LEASED]
ASKED = [*UNDER_LEASE, ("bob", RequestHandoff(ONE))]


@pytest.mark.parametrize(
    ("given", "by", "wish", "expected"),
    [
        # giving it back
        (HELD, "ann", ReleaseTask(ONE), TaskReturned),
        (HELD, "ann", ReleaseTask(ONE, 1), TokenStale),
        (UNDER_LEASE, "ann", ReleaseTask(ONE), TaskReturned),
        (UNDER_LEASE, " Ann", ReleaseTask(ONE, 1), TaskReturned),
        (UNDER_LEASE, "ann", ReleaseTask(ONE, 2), TokenStale),
        (UNDER_LEASE, "bob", ReleaseTask(ONE, 1), NotTheTaskHolder),
        # asking for it
        (HELD, "bob", RequestHandoff(ONE), TaskHandoffRequested),
        (UNDER_LEASE, "bob", RequestHandoff(ONE), TaskHandoffRequested),
        (UNDER_LEASE, "somebody new", RequestHandoff(ONE), TaskHandoffRequested),
        (ASKED, "BOB ", RequestHandoff(ONE), ()),
        (ASKED, "cyn", RequestHandoff(ONE), TaskHandoffRequested),
        (UNDER_LEASE, "ANN", RequestHandoff(ONE), HandoffToSelf),
        (UNDER_LEASE, "vic", RequestHandoff(ONE), VerifierCannotClaim),
        # handing it over
        (ASKED, "ann", GrantHandoff(ONE), TaskHandedOver),
        (ASKED, "ann", GrantHandoff(ONE, token=1), TaskHandedOver),
        (ASKED, "ann", GrantHandoff(ONE, token=2), TokenStale),
        (UNDER_LEASE, "ann", GrantHandoff(ONE, " BOB"), TaskHandedOver),
        (HELD, "ann", GrantHandoff(ONE, "bob"), TaskHandedOver),
        (UNDER_LEASE, "ann", GrantHandoff(ONE), HandoffMissing),
        (UNDER_LEASE, "ann", GrantHandoff(ONE, " \t"), HandoffMissing),
        (UNDER_LEASE, "ann", GrantHandoff(ONE, "nobody"), NotParticipant),
        (UNDER_LEASE, "ann", GrantHandoff(ONE, "a\nb"), BadName),
        (UNDER_LEASE, "ann", GrantHandoff(ONE, "ANN"), HandoffToSelf),
        (UNDER_LEASE, "ann", GrantHandoff(ONE, "Vic"), VerifierCannotClaim),
        (ASKED, "bob", GrantHandoff(ONE), NotTheTaskHolder),
        ([*ASKED, ("bob", Leave())], "ann", GrantHandoff(ONE), NotParticipant),
        ([*ASKED, ("hal", ReassignTask(ONE, verifier="bob"))], "ann", GrantHandoff(ONE), VerifierCannotClaim),
        # each needs a task, a name and a claim
        *[
            (given, by, wish, expected)
            for wish in (ReleaseTask(ONE), RequestHandoff(ONE), GrantHandoff(ONE, "bob"))
            for given, by, expected in (
                ([BOB], "ann", UnknownTask),
                (HELD, "", BadName),
                (STATES["open"], "ann", TaskStateWrong),
                (STATES["submitted"], "ann", TaskStateWrong),
                (STATES["blocked"], "ann", TaskStateWrong),
                (STATES["rejected"], "ann", TaskStateWrong),
                (STATES["cancelled"], "ann", TaskStateWrong),
                (STATES["done"], "ann", TaskDoneImmutable),
            )
        ],
    ],
)
def test_who_may_hand_on_what(given, by, wish, expected):
    """One fact or one refusal for each, under any spelling."""
    follows(Scene(*given), by, wish, expected)


def test_what_is_given_back_is_open_to_all():
    """Nobody owns it, nobody is asked for it, and it is on record who gave it back."""
    scene = Scene(*ASKED, ("ann", ReleaseTask(ONE, 1), 5))
    task = the(scene)
    assert (task.state, task.owner, task.handoff, task.lease.status) == ("open", None, None, "released")
    assert [(one.by, one.at, one.was, one.to) for one in task.role_history] == [("ann", START + 5, "ann", None)]


def test_a_request_is_kept_until_it_is_answered():
    """The last one who asked is meant; the claim and its lease stay as they are."""
    scene = Scene(*ASKED, ("cyn", RequestHandoff(ONE), 9))
    task = the(scene)
    assert (task.handoff.by, task.handoff.at) == ("cyn", START + 9)
    assert (task.owner, task.state, task.lease.token) == ("ann", "held", 1)
    scene.do("ann", GrantHandoff(ONE))
    assert (the(scene).owner, the(scene).handoff) == ("cyn", None)


def test_a_lease_goes_along_as_a_fresh_one():
    """Of the same length, under the next token, from the moment of handing over; the old token is good for nothing."""
    scene = Scene(*ASKED)
    scene.when("ann", GrantHandoff(ONE), at_ms=400_000).then(TaskHandedOver, was="held")
    task = the(scene)
    assert (task.owner, task.held_since, task.lease.token, task.lease.seconds) == ("bob", START + 400_000, 2, 900)
    assert scene.room.board.held_until(task) == START + 1_300_000
    scene.when("bob", MoveTask(ONE, "held", token=1)).then()
    scene.when("ann", ReleaseTask(ONE, 1)).then(NotTheTaskHolder)
    assert [(one.by, one.was, one.to) for one in task.role_history] == [("ann", "ann", "bob")]


def test_without_a_lease_none_comes_into_being():
    """Who gets it holds it as it was held."""
    scene = Scene(*HELD, ("ann", GrantHandoff(ONE, "bob")))
    assert (the(scene).owner, the(scene).lease) == ("bob", None)
    scene.when("bob", GOOD).then(TaskSubmitted)


def test_it_is_handed_to_the_name_as_the_room_spells_it():
    """However the holder writes it."""
    scene = Scene(OPENED, ("Bob", Join()), LEASED, ("ann", GrantHandoff(ONE, "bOB ")))
    assert the(scene).owner == "Bob"


def test_a_task_that_was_handed_over_has_a_silence_of_its_own():
    """The old holder's is forgotten, and the new one's begins."""
    scene = Scene(*HELD)
    scene.when("", Tick(), at_ms=600_000).then(ClaimStalled)
    scene.do("ann", GrantHandoff(ONE, "bob"), at_ms=OVER_MS)
    assert scene.room.board.silent == {}
    assert scene.room.next_due() == START + OVER_MS + 600_000
