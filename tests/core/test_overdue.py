"""Verdicts that are overdue: another member who is here is asked, or the room is told, ever more rarely (gap 67)."""

import pytest

from stateroom.core.holding import ReassignTask
from stateroom.core.lifecycle import OpenRoom, SetPolicy
from stateroom.core.members import Join, Leave
from stateroom.core.policy import Policy
from stateroom.core.proving import ReportCommit, SubmitTask, TaskVerified, VerifyTask
from stateroom.core.refusals import NotTheReviewer, NotTheVerifier
from stateroom.core.reviews import RequestReview, ResolveReview, ReviewApproved, ReviewOverdue, ReviewRerouted
from stateroom.core.room import Tick
from stateroom.core.seats import RemoveMember, TakeSeat
from stateroom.core.silence import TaskRerouted, VerdictOverdue
from stateroom.core.tasks import OpenTask
from stateroom.testing.scenes import START, Scene
from tests.core.proven import GOOD, ONE, OPENED, STATES, the
from tests.core.talking import HOST, HOST_KEY

DUE = 1_800_000
"""Half an hour, unless the room's policy says otherwise."""
HERE = [(name, Join()) for name in ("ann", "vic", "bob", "cyn", "dan")]
WAITING = [*HERE, *STATES["submitted"]]


def opened(**policy):
    """A room with a host and this policy."""
    return ("", OpenRoom("work", "ABC-DEF-GHJ", "", "", "host", HOST_KEY, policy=Policy(**policy)))


def tick(scene, *present, at_ms):
    return scene.when("", Tick(present), at_ms)


def submit(id, listing="a.py"):
    return SubmitTask(id, listing, "…", checks="read it")


def asked(scene, id=ONE):
    return the(scene, id).verifier


def test_another_who_is_here_is_asked():
    """When it is due and not before; who was asked before is on record, and can not rule any more."""
    scene = Scene(*WAITING)
    assert scene.room.next_due() == START + DUE
    tick(scene, "bob", at_ms=DUE - 1).then()
    tick(scene, "bob", at_ms=DUE).then(TaskRerouted, asked="vic", was="submitted")
    task = the(scene)
    assert (task.verifier, task.review_due, task.changed_at) == ("bob", START + 2 * DUE, START + DUE)
    assert [(one.field, one.by, one.was, one.to) for one in task.role_history] == [("verifier", "", "vic", "bob")]
    scene.when("vic", VerifyTask(ONE, "done")).then(NotTheVerifier, verifier="bob")
    scene.when("bob", VerifyTask(ONE, "done")).then(TaskVerified)
    assert (scene.room.next_due(), the(scene).review_due) == (None, None)


@pytest.mark.parametrize(
    ("present", "chosen"),
    [
        (["cyn", "bob"], "bob"),  # whoever came first
        (["CYN "], "cyn"),
        (["ann", "vic", "dan"], "dan"),
        (["ann"], None),  # never its owner
        (["vic"], None),  # nor who was asked already
        (["a stranger"], None),
        ([], None),
    ],
)
def test_who_is_asked(present, chosen):
    """A member who is here, and neither its owner nor who has not answered."""
    scene = Scene(*WAITING)
    tick(scene, *present, at_ms=DUE).then(TaskRerouted if chosen else VerdictOverdue)
    assert asked(scene) == (chosen or "vic")


def test_who_submitted_is_not_asked_after_handing_it_over():
    """The work is its own all the same."""
    scene = Scene(*WAITING, ("hal", ReassignTask(ONE, "bob", "vic")))
    tick(scene, "ann", "bob", "vic", at_ms=DUE).then(VerdictOverdue)
    tick(scene, "ann", "cyn", at_ms=2 * DUE).then(TaskRerouted)
    assert asked(scene) == "cyn"


def test_whoever_owes_the_fewest_verdicts_is_asked():
    """Of submissions and other reviews together, counting those that are being handed out."""
    scene = Scene(*HERE)
    for id in ("T-01", "T-02", "T-03", "T-04"):
        scene.do("ann", OpenTask("t", id=id))
    scene.do("ann", RequestReview("task", "T-01", "bob"), at_ms=1)
    for id in ("T-01", "T-02", "T-03"):
        scene.do("ann", submit(id), at_ms=0)
    tick(scene, "bob", "cyn", "dan", at_ms=DUE).then(TaskRerouted, TaskRerouted, TaskRerouted)
    assert [asked(scene, id) for id in ("T-01", "T-02", "T-03")] == ["cyn", "dan", "bob"]


def test_what_somebody_owes_already_counts():
    """Each verdict once, whether it is late or not, and whether it was asked for with a submission or besides."""
    scene = Scene(*HERE, ("ann", OpenTask("t", id="late", verifier="vic")), ("ann", submit("late")))
    scene.do("host", OpenTask("t", id="owed", owner="eve", verifier="bob"), at_ms=5)
    scene.do("eve", submit("owed"))
    for reviewer in ("cyn", "dan"):
        scene.do("eve", RequestReview("task", "late", reviewer))
    tick(scene, "bob", "cyn", "dan", at_ms=DUE).then(TaskRerouted)
    assert asked(scene, "late") == "bob"


def test_who_owes_one_verdict_more_is_asked_later():
    """Although it came first."""
    scene = Scene(*HERE, ("ann", OpenTask("t", id="late", verifier="vic")), ("ann", submit("late")))
    scene.do("host", OpenTask("t", id="owed", owner="eve", verifier="bob"), at_ms=5)
    scene.do("eve", submit("owed"))
    tick(scene, "bob", "cyn", at_ms=DUE).then(TaskRerouted)
    assert asked(scene, "late") == "cyn"


def test_with_nobody_here_it_is_said_ever_more_rarely():
    """Every wait is as long as all before it, and the task stays whose it was."""
    scene = Scene(*WAITING)
    for times in (1, 2, 4, 8):
        assert scene.room.next_due() == START + times * DUE
        tick(scene, "ann", at_ms=times * DUE).then(VerdictOverdue, since=START)
        assert (asked(scene), the(scene).state, the(scene).role_history) == ("vic", "submitted", ())
    tick(scene, "bob", at_ms=16 * DUE).then(TaskRerouted)


def test_a_submission_that_anybody_may_rule_on_is_put_before_somebody():
    """Otherwise everybody leaves it to another."""
    scene = Scene(*HERE, ("ann", OpenTask("t")), ("ann", GOOD))
    tick(scene, "cyn", at_ms=DUE).then(TaskRerouted, asked=None)
    assert asked(scene) == "cyn"


@pytest.mark.parametrize("going", ["leaves", "is put out"])
def test_a_verifier_that_has_gone_is_waited_for_for_a_minute(going):
    """It may come back; its own deeds in between are none."""
    scene = Scene(opened(), *WAITING)
    if going == "leaves":
        scene.do("vic", Leave(), at_ms=10_000)
    else:
        scene.do("host", RemoveMember("vic"), at_ms=10_000, proof=HOST)
    assert scene.room.next_due() == START + 70_000
    tick(scene, "bob", at_ms=70_000).then(TaskRerouted, asked="vic")


def test_who_goes_shortly_before_the_time_does_not_lengthen_it():
    """The minute is at most what is left."""
    scene = Scene(*WAITING, ("vic", Leave(), DUE - 1))
    assert scene.room.next_due() == START + DUE


def test_others_may_go_without_effect():
    """The owner's absence is no reason to hurry anybody."""
    scene = Scene(*WAITING, ("ann", Leave(), 10_000), ("bob", Leave(), 10_000))
    assert scene.room.next_due() == START + DUE


def test_a_new_submission_and_a_new_verifier_have_time_of_their_own():
    """From then on."""
    scene = Scene(*WAITING, ("ann", submit(ONE, "b.py"), 5))
    assert the(scene).review_due == START + 5 + DUE
    scene.do("hal", ReassignTask(ONE, verifier="bob"), at_ms=9)
    assert scene.room.next_due() == START + 9 + DUE
    scene.do("ann", ReportCommit(ONE, "abcdef0"), at_ms=11)
    assert scene.room.next_due() == START + 9 + DUE


@pytest.mark.parametrize(("seconds", "due"), [(30, 30_000), (0, None), (2_592_000, 2_592_000_000)])
def test_the_room_says_how_long_a_verdict_may_take(seconds, due):
    """Half a minute to thirty days; for ever with 0."""
    scene = Scene(opened(review_seconds=seconds), *WAITING)
    assert scene.room.next_due() == (due and START + due)
    scene.do("ann", RequestReview("task", ONE, "bob"))
    assert scene.room.reviews.find("R-01").due == (due and START + due)


def test_what_is_asked_for_once_keeps_its_time():
    """A policy that waits for ever holds from the next verdict on; then nothing is due any more."""
    scene = Scene(opened(), *WAITING)
    scene.do("host", SetPolicy(review_seconds=0), proof=HOST)
    tick(scene, at_ms=DUE).then(VerdictOverdue)
    assert (the(scene).review_due, scene.room.next_due()) == (None, None)


def test_in_a_keyed_room_only_who_has_a_seat_is_asked():
    """A name alone could be anybody's."""
    scene = Scene(opened(identity="keyed"), *WAITING)
    tick(scene, "bob", "cyn", at_ms=DUE).then(VerdictOverdue)
    scene.do("cyn", TakeSeat())
    tick(scene, "bob", "cyn", at_ms=2 * DUE).then(TaskRerouted)
    assert asked(scene) == "cyn"


def test_a_tick_says_each_once():
    """A second one, on another server, finds nothing to say."""
    scene = Scene(*WAITING)
    tick(scene, "bob", at_ms=DUE).then(TaskRerouted)
    tick(scene, "bob", at_ms=DUE).then()


# -- reviews that were asked for


ASKED = [*HERE, OPENED, ("ann", RequestReview("task", ONE, "vic", "please"))]


def test_a_review_goes_to_another_too():
    """With its note; who was asked before can not answer it any more."""
    scene = Scene(*ASKED)
    tick(scene, "ann", "vic", "bob", at_ms=DUE).then(ReviewRerouted, asked="vic")
    review = scene.room.reviews.find("R-01")
    assert (review.reviewer, review.note, review.due, review.status) == ("bob", "please", START + 2 * DUE, "pending")
    scene.when("vic", ResolveReview("R-01", "approved")).then(NotTheReviewer, reviewer="bob")
    scene.when("bob", ResolveReview("R-01", "approved")).then(ReviewApproved)
    assert (scene.room.next_due(), scene.room.reviews.find("R-01").due) == (None, None)


def test_its_requester_is_not_asked_for_it():
    """Nor who has not answered; with nobody else here it is said, ever more rarely."""
    scene = Scene(*ASKED)
    for times in (1, 2, 4):
        tick(scene, "ann", "vic", at_ms=times * DUE).then(ReviewOverdue)
    assert scene.room.reviews.find("R-01").reviewer == "vic"
    assert scene.room.next_due() == START + 8 * DUE


def test_a_reviewer_that_has_gone_is_waited_for_for_a_minute():
    """As for a verdict; others may go."""
    assert Scene(*ASKED, ("bob", Leave(), 10_000)).room.next_due() == START + DUE
    scene = Scene(*ASKED, ("vic", Leave(), 10_000))
    assert scene.room.next_due() == START + 70_000
    tick(scene, "bob", at_ms=70_000).then(ReviewRerouted)
