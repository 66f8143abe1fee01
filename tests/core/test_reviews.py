"""A yes or no by another member."""

import pytest

from stateroom.core.context import WithdrawContext, WriteContext
from stateroom.core.refusals import (
    BadName,
    BadText,
    NotTheReviewer,
    OwnReview,
    ReviewResolved,
    TooLong,
    UnknownReview,
    UnknownReviewTarget,
)
from stateroom.core.reviews import RequestReview, ResolveReview, ReviewApproved, ReviewRejected, ReviewRequested
from stateroom.core.tasks import MoveTask, OpenTask, RemoveTask
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
