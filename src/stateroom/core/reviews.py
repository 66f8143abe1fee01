"""A yes or no by another member on a task or a context entry.

    pending -> approved | rejected

The requester's note and the resolver's note are two notes (W-37). A submission opens a review of its own, which its
verdict resolves: one fact, seen as a task and as a review (design §2). A review that is asked for besides is an
opinion and changes nothing about its target.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from stateroom.core import limits
from stateroom.core.claims import LEFT_MS
from stateroom.core.context import Context
from stateroom.core.gates import verdict_due
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, ReviewId, TaskId
from stateroom.core.members import MemberLeft, MemberRemoved, same
from stateroom.core.proving import TaskRejected, TaskSubmitted, TaskVerified
from stateroom.core.refusals import NotTheReviewer, OwnReview, ReviewResolved, UnknownReview, UnknownReviewTarget
from stateroom.core.tasks import Board, Task, TaskChanged

TargetType = Literal["task", "context"]
Verdict = Literal["approved", "rejected"]


@dataclass(frozen=True, slots=True)
class Review:
    id: ReviewId
    target_type: TargetType
    target: str
    requested_by: Name
    reviewer: Name
    """Empty for a submission that any member but its owner may rule on."""
    requested_at: Instant
    note: str | None = None
    status: Literal["pending", "approved", "rejected"] = "pending"
    resolution_note: str | None = None
    resolved_at: Instant | None = None
    resolved_by: Name | None = None
    of_submission: bool = False
    """What was submitted for a task is reviewed: approving and rejecting it are the task's verdicts."""
    due: Instant | None = None
    """While it is pending: when another member is asked for it. Of a submission, its task knows."""


@dataclass(slots=True)
class Reviews:
    reviews: dict[ReviewId, Review] = field(default_factory=dict)
    """In the order in which they were requested."""
    last_number: int = 0
    pending: dict[ReviewId, None] = field(default_factory=dict)
    submissions: dict[TaskId, int] = field(default_factory=dict)
    """How many reviews each task's submissions have had."""

    def waiting(self) -> list[Review]:
        """The pending ones, oldest first."""
        return [self.reviews[id] for id in self.pending]

    def of_task(self, task: TaskId) -> Review | None:
        """The newest review of what was submitted for a task."""
        return self.reviews.get(_submission_id(task, self.submissions.get(task, 0)))

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


@dataclass(frozen=True, slots=True)
class ReviewRerouted(ReviewFact):
    """It is overdue, so another member is asked for it."""

    asked: Name = Name("")
    """Who was asked before."""


@dataclass(frozen=True, slots=True)
class ReviewOverdue(ReviewFact):
    """It is overdue, and nobody is here who could give it."""


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
        due=verdict_due(here),
    )
    return [ReviewRequested(review)]


def resolve(reviews: Reviews, command: ResolveReview, here: Here) -> list[Event]:
    review = reviews.find(command.review)
    if review.status != "pending":
        raise ReviewResolved(review=review.id, verdict=review.status)
    if not same(review.reviewer, here.by):
        raise NotTheReviewer(review=review.id, reviewer=review.reviewer)
    after = _resolved(review, command.verdict, _note(command.note), here.by, here.now)
    return [ReviewApproved(after) if command.verdict == "approved" else ReviewRejected(after)]


def _resolved(review: Review, verdict: Verdict, note: str | None, by: Name, at: Instant) -> Review:
    return replace(review, status=verdict, resolution_note=note, resolved_at=at, resolved_by=by, due=None)


def _note(note: str | None) -> str | None:
    return None if note is None else limits.text("note", note, limits.NOTE_CHARS)


def stands(reviews: Reviews, entry: LogEntry, event: ReviewFact) -> None:
    _put(reviews, event.review)
    reviews.last_number = max(reviews.last_number, int(event.review.id.removeprefix("R-")))


def _put(reviews: Reviews, review: Review) -> None:
    reviews.reviews[review.id] = review
    if review.status == "pending":
        reviews.pending[review.id] = None
    else:
        reviews.pending.pop(review.id, None)


def _submission_id(task: TaskId, number: int) -> ReviewId:
    """Told from the ids of reviews that were asked for, which are `R-` and a number."""
    return ReviewId(f"R-{task}.{number}")


def noticed(reviews: Reviews, entry: LogEntry) -> None:
    """Submissions and verdicts are seen as reviews; who has left is not waited for."""
    event = entry.event
    if isinstance(event, TaskChanged) and (event.task.state == "submitted" or event.was == "submitted"):
        _submission(reviews, entry, event)
    elif isinstance(event, MemberLeft | MemberRemoved):
        for review in reviews.waiting():
            if review.due is not None and same(review.reviewer, event.name):
                _put(reviews, replace(review, due=Instant(min(review.due, entry.at + LEFT_MS))))


def _submission(reviews: Reviews, entry: LogEntry, event: TaskChanged) -> None:
    task = event.task
    known = reviews.of_task(task.id)
    if known is None or known.status != "pending":
        reviews.submissions[task.id] = reviews.submissions.get(task.id, 0) + 1
        known = _opened(task, reviews.submissions[task.id], entry)
    if isinstance(event, TaskSubmitted):
        known = replace(known, requested_by=entry.by, note=event.note)
    known = replace(known, reviewer=task.verifier or Name(""))
    if isinstance(event, TaskVerified | TaskRejected):
        status: Verdict = "approved" if isinstance(event, TaskVerified) else "rejected"
        known = _resolved(known, status, event.note, entry.by, entry.at)
    _put(reviews, known)


def _opened(task: Task, number: int, entry: LogEntry) -> Review:
    by = task.owner or entry.by
    return Review(_submission_id(task.id, number), "task", task.id, by, Name(""), entry.at, of_submission=True)


RULES = {ResolveReview: resolve}
FOLDS = dict.fromkeys((ReviewRequested, ReviewApproved, ReviewRejected, ReviewRerouted, ReviewOverdue), stands)
