"""A yes or no by another member on a task or a context entry.

    pending -> approved | rejected

The requester's note and the resolver's note are two notes (W-37).
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from stateroom.core import limits
from stateroom.core.context import Context
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, ReviewId
from stateroom.core.members import same
from stateroom.core.refusals import NotTheReviewer, OwnReview, ReviewResolved, UnknownReview, UnknownReviewTarget
from stateroom.core.tasks import Board

TargetType = Literal["task", "context"]
Verdict = Literal["approved", "rejected"]


@dataclass(frozen=True, slots=True)
class Review:
    id: ReviewId
    target_type: TargetType
    target: str
    requested_by: Name
    reviewer: Name
    requested_at: Instant
    note: str | None = None
    status: Literal["pending", "approved", "rejected"] = "pending"
    resolution_note: str | None = None
    resolved_at: Instant | None = None
    resolved_by: Name | None = None


@dataclass(slots=True)
class Reviews:
    reviews: dict[ReviewId, Review] = field(default_factory=dict)
    """In the order in which they were requested."""
    last_number: int = 0

    def find(self, id: str) -> Review:
        """Raises UnknownReview."""
        review = self.reviews.get(ReviewId(id))
        if review is None:
            raise UnknownReview(review=id)
        return review


@dataclass(frozen=True, slots=True)
class RequestReview(Command):
    target_type: TargetType
    target: str
    reviewer: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ResolveReview(Command):
    review: str
    verdict: Verdict
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewFact(Event):
    """Something happened to a review; `review` is how it stands afterwards."""

    review: Review


@dataclass(frozen=True, slots=True)
class ReviewRequested(ReviewFact):
    pass


@dataclass(frozen=True, slots=True)
class ReviewApproved(ReviewFact):
    pass


@dataclass(frozen=True, slots=True)
class ReviewRejected(ReviewFact):
    pass


def request(reviews: Reviews, board: Board, context: Context, command: RequestReview, here: Here) -> list[Event]:
    targets = board.tasks if command.target_type == "task" else context.entries
    if command.target not in targets:
        raise UnknownReviewTarget(kind=command.target_type, target=command.target)
    reviewer = limits.name(command.reviewer)
    if same(reviewer, here.by):
        raise OwnReview(name=here.by)
    review = Review(
        id=ReviewId(f"R-{reviews.last_number + 1:02d}"),
        target_type=command.target_type,
        target=command.target,
        requested_by=here.by,
        reviewer=reviewer,
        requested_at=here.now,
        note=_note(command.note),
    )
    return [ReviewRequested(review)]


def resolve(reviews: Reviews, command: ResolveReview, here: Here) -> list[Event]:
    review = reviews.find(command.review)
    if review.status != "pending":
        raise ReviewResolved(review=review.id, verdict=review.status)
    if not same(review.reviewer, here.by):
        raise NotTheReviewer(review=review.id, reviewer=review.reviewer)
    after = replace(
        review,
        status=command.verdict,
        resolution_note=_note(command.note),
        resolved_at=here.now,
        resolved_by=here.by,
    )
    return [ReviewApproved(after) if command.verdict == "approved" else ReviewRejected(after)]


def _note(note: str | None) -> str | None:
    return None if note is None else limits.text("note", note, limits.NOTE_CHARS)


def stands(reviews: Reviews, entry: LogEntry, event: ReviewFact) -> None:
    reviews.reviews[event.review.id] = event.review
    reviews.last_number = max(reviews.last_number, int(event.review.id.removeprefix("R-")))


RULES = {ResolveReview: resolve}
FOLDS = {ReviewRequested: stands, ReviewApproved: stands, ReviewRejected: stands}
