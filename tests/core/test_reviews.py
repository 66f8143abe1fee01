"""A yes or no by another member."""

from dataclasses import replace

import pytest

from stateroom.core.context import WithdrawContext, WriteContext
from stateroom.core.halting import ReopenTask
from stateroom.core.here import Unreadable
from stateroom.core.holding import ReassignTask
from stateroom.core.members import Join
from stateroom.core.proving import SubmitTask, TaskRejected, TaskSubmitted, TaskVerified, VerifyTask
from stateroom.core.refusals import (
    BadName,
    BadText,
    NotTheReviewer,
    NotTheVerifier,
    OwnerCannotVerify,
    OwnReview,
    ReviewResolved,
    TooLong,
    UnknownReview,
    UnknownReviewTarget,
    VerdictNeedsNote,
)
from stateroom.core.reviews import RequestReview, ResolveReview, ReviewApproved, ReviewRejected, ReviewRequested
from stateroom.core.room import Tick, replay
from stateroom.core.silence import TaskRerouted
from stateroom.core.tasks import MoveTask, OpenTask, RemoveTask, TaskOpened
from stateroom.testing.scenes import START, Scene

TASK = ("ann", OpenTask("t"))
NOTE = ("ann", WriteContext("note", "s", {"text": "t"}))
ASKED = ("ann", RequestReview("task", "T-01", "Bob", "please"))
YES, NO = (("bob", ResolveReview("R-01", verdict)) for verdict in ("approved", "rejected"))


@pytest.mark.parametrize(
    ("given", "by", "wish", "expected"),
    [
        ([TASK], "ann", RequestReview("task", "T-01", "bob"), ReviewRequested),
        ([NOTE], "ann", RequestReview("context", "C-01", "bob"), ReviewRequested),
        ([TASK], "ann", RequestReview("task", "T-01", "somebody who never came"), ReviewRequested),
        ([TASK, ASKED], "ann", RequestReview("task", "T-01", "bob"), ReviewRequested),
        ([TASK], "ann", RequestReview("task", "T-09", "bob"), UnknownReviewTarget),
        ([TASK], "ann", RequestReview("context", "T-01", "bob"), UnknownReviewTarget),
        ([NOTE], "ann", RequestReview("task", "C-01", "bob"), UnknownReviewTarget),
        ([TASK, ("ann", RemoveTask("T-01"))], "ann", RequestReview("task", "T-01", "bob"), UnknownReviewTarget),
        ([NOTE, ("ann", WithdrawContext("C-01"))], "ann", RequestReview("context", "C-01", "bob"), UnknownReviewTarget),
        ([TASK], "ann", RequestReview("task", "T-01", " ANN"), OwnReview),
        ([TASK], "ann", RequestReview("task", "T-01", " "), BadName),
        ([TASK], "ann", RequestReview("task", "T-01", "bob", "x" * 4001), TooLong),
        ([TASK], "ann", RequestReview("task", "T-01", "bob", "\x00"), BadText),
        ([TASK, ASKED], "bob", ResolveReview("R-01", "approved"), ReviewApproved),
        ([TASK, ASKED], " BOB", ResolveReview("R-01", "rejected"), ReviewRejected),
        ([TASK, ASKED], "ann", ResolveReview("R-01", "approved"), NotTheReviewer),
        ([TASK, ASKED], "cyn", ResolveReview("R-01", "rejected"), NotTheReviewer),
        ([TASK, ASKED], "bob", ResolveReview("R-02", "approved"), UnknownReview),
        ([TASK, ASKED], "bob", ResolveReview("R-01", "approved", "x" * 4001), TooLong),
        ([TASK, ASKED, YES], "bob", ResolveReview("R-01", "approved"), ReviewResolved),
        ([TASK, ASKED, YES], "cyn", ResolveReview("R-01", "rejected"), ReviewResolved),
        ([TASK, ASKED, NO], "bob", ResolveReview("R-01", "approved"), ReviewResolved),
        ([TASK, ASKED, ("ann", RemoveTask("T-01"))], "bob", ResolveReview("R-01", "approved"), ReviewApproved),
    ],
)
def test_what_follows_from_a_wish(given, by, wish, expected):
    """Each wish has exactly this fact or this refusal."""
    Scene(*given).when(by, wish).then(expected)


def test_both_notes_are_kept():
    """The requester's note and the resolver's note are two notes (W-37)."""
    scene = Scene(TASK, ASKED)
    scene.when("Bob", ResolveReview("R-01", "rejected", "no tests"), 9).then(ReviewRejected)
    review = scene.room.reviews.find("R-01")
    assert (review.note, review.resolution_note) == ("please", "no tests")
    assert (review.status, review.resolved_by, review.resolved_at) == ("rejected", "Bob", START + 9)
    assert (review.requested_by, review.reviewer, review.requested_at) == ("ann", "Bob", START)


def test_the_first_answer_stands():
    """A second one is told what the first was, and changes nothing."""
    Scene(TASK, ASKED, NO).when(*YES).then(ReviewResolved, review="R-01", verdict="rejected")


def test_only_the_named_reviewer_may_answer():
    """Others are told whom to wait for."""
    Scene(TASK, ASKED).when("cyn", ResolveReview("R-01", "approved")).then(NotTheReviewer, reviewer="Bob")


def test_a_verdict_leaves_its_target_alone():
    """What follows from a yes is for those who asked (protocol, approve)."""
    scene = Scene(TASK, ("ann", MoveTask("T-01", "held")))
    before = scene.room.board.find("T-01")
    for wish in (ASKED, YES):
        scene.do(*wish)
    assert scene.room.board.find("T-01") == before


def test_reviews_are_numbered_in_the_order_of_asking():
    """And stay, answered or not."""
    scene = Scene(TASK, ASKED, ASKED, YES, ASKED)
    assert list(scene.room.reviews.reviews) == ["R-01", "R-02", "R-03"]


# -- submissions are reviews

SHOWN = SubmitTask("T-01", "a.py", "…", checks="read it", note="please look")
PLANNED = ("ann", OpenTask("t", verifier="bob"))
ASKED_OF_A = ("ann", RequestReview("task", "a", "bob"))
SUBMITTED = ("ann", SHOWN, 3)


def of_task(scene, number=1, task="T-01"):
    return scene.room.reviews.find(f"R-{task}.{number}")


def test_a_submission_is_a_review():
    """Requested by who submitted it, of whoever is to rule on it, with the note of the submission."""
    review = of_task(Scene(PLANNED, SUBMITTED))
    assert (review.target_type, review.target, review.of_submission, review.status) == ("task", "T-01", True, "pending")
    assert (review.requested_by, review.reviewer, review.requested_at) == ("ann", "bob", START + 3)
    assert (review.note, review.due) == ("please look", None)
    anybody = of_task(Scene(TASK, SUBMITTED))
    assert anybody.reviewer == ""


@pytest.mark.parametrize(("verdict", "status"), [("done", "approved"), ("rejected", "rejected")])
def test_the_verdict_resolves_it(verdict, status):
    """With the verifier's note beside the other, and by whom and when."""
    scene = Scene(PLANNED, SUBMITTED, ("bob", VerifyTask("T-01", verdict, "looked"), 9))
    review = of_task(scene)
    assert (review.status, review.note, review.resolution_note) == (status, "please look", "looked")
    assert (review.resolved_by, review.resolved_at) == ("bob", START + 9)
    assert scene.room.reviews.waiting() == []


def test_the_next_submission_is_the_next_review():
    """What was said of the first stays with it."""
    scene = Scene(PLANNED, SUBMITTED, ("bob", VerifyTask("T-01", "rejected", "no")), ("ann", replace(SHOWN, note="")))
    assert [(one.id, one.status) for one in scene.room.reviews.reviews.values()] == [
        ("R-T-01.1", "rejected"),
        ("R-T-01.2", "pending"),
    ]
    assert (of_task(scene, 1).resolution_note, of_task(scene, 2).note) == ("no", None)
    assert scene.room.reviews.of_task("T-01") == of_task(scene, 2)


def test_submitting_again_before_the_verdict_is_the_same_review():
    """With the newer note."""
    scene = Scene(PLANNED, SUBMITTED, ("ann", replace(SHOWN, file_listing="b.py", note="newer")))
    assert [(one.id, one.note) for one in scene.room.reviews.reviews.values()] == [("R-T-01.1", "newer")]


def test_it_follows_its_tasks_verifier():
    """Who is named anew is its reviewer, and who reopens a submission asks again."""
    scene = Scene(PLANNED, SUBMITTED, ("hal", ReassignTask("T-01", verifier="cyn")))
    assert of_task(scene).reviewer == "cyn"
    scene.do("cyn", VerifyTask("T-01", "rejected"))
    scene.do("hal", ReopenTask("T-01", "submitted"))
    assert (of_task(scene, 2).status, of_task(scene, 2).requested_by, of_task(scene, 2).reviewer) == (
        *("pending", "ann"),
        "cyn",
    )


def test_an_overdue_verdict_moves_its_review_along():
    """And does not ask twice: its task alone knows when it is due."""
    scene = Scene(PLANNED, ("cyn", Join()), SUBMITTED)
    scene.when("", Tick(("cyn",)), at_ms=3 + 1_800_000).then(TaskRerouted)
    assert (of_task(scene).reviewer, of_task(scene).due) == ("cyn", None)


@pytest.mark.parametrize("id", ["01", "1", "T-01.1", "R-01", "a.1", "T-01"])
def test_ids_of_the_two_kinds_never_meet(id):
    """Whatever a task is called, and however many of each there are."""
    scene = Scene(("ann", OpenTask("t", id=id)), ("ann", OpenTask("t", id="a")), ASKED_OF_A, ASKED_OF_A)
    for task in (id, "a"):
        scene.do("ann", replace(SHOWN, task=task))
        scene.do("bob", VerifyTask(task, "rejected"))
        scene.do("ann", replace(SHOWN, task=task, note="again"))
    scene.do(*ASKED_OF_A)
    assert list(scene.room.reviews.reviews) == ["R-01", "R-02", f"R-{id}.1", f"R-{id}.2", "R-a.1", "R-a.2", "R-03"]


@pytest.mark.parametrize("lost", [TaskOpened, TaskSubmitted, TaskRejected, ReviewRequested])
def test_lost_entries_leave_reviews_that_can_be_resolved(lost):
    """Whichever entry can not be read, no id is given twice, and what waits can be answered."""
    wishes = [
        PLANNED,
        SUBMITTED,
        ("bob", VerifyTask("T-01", "rejected")),
        ("cyn", RequestReview("task", "T-01", "bob")),
    ]
    scene = Scene(*wishes)
    scene.state = replay(
        [replace(one, event=Unreadable("lost")) if type(one.event) is lost else one for one in scene.log]
    )
    known = set(scene.room.reviews.reviews)
    if "R-T-01.1" not in scene.room.reviews.pending:
        scene.do("ann", replace(SHOWN, note="again"))
    waits = scene.room.reviews.of_task("T-01")
    assert waits.status == "pending"
    assert waits.id not in known or waits.id in {one.id for one in scene.room.reviews.waiting()}
    scene.when("bob", ResolveReview(waits.id, "approved")).then(TaskVerified)
    assert scene.room.board.find("T-01").state == "done"


def test_an_opinion_besides_decides_nothing():
    """A review that was asked for of a submitted task leaves the submission where it is."""
    scene = Scene(PLANNED, SUBMITTED, ("ann", RequestReview("task", "T-01", "cyn", "your opinion?")))
    scene.when("cyn", ResolveReview("R-01", "approved")).then(ReviewApproved)
    assert (scene.room.board.find("T-01").state, of_task(scene).status) == ("submitted", "pending")


@pytest.mark.parametrize(
    ("by", "expected"),
    [("ann", OwnerCannotVerify), ("cyn", NotTheVerifier), ("Bob ", TaskVerified)],
)
def test_who_answers_a_submission_is_who_may_rule_on_it(by, expected):
    """The same refusals as of a verdict, since it is one."""
    Scene(PLANNED, SUBMITTED).when(by, ResolveReview("R-T-01.1", "approved")).then(expected)


def test_a_failed_run_needs_a_note_this_way_too():
    """There is no shorter way."""
    failed = replace(SHOWN, run_output="1 failed", exit_code=1)
    scene = Scene(PLANNED, ("ann", failed))
    scene.when("bob", ResolveReview("R-T-01.1", "approved")).then(VerdictNeedsNote)
    scene.when("bob", ResolveReview("R-T-01.1", "approved", "flaky")).then(TaskVerified)
