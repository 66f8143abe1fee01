"""Reviews as every face lists them: those that were asked for, and those that submissions opened."""

from dataclasses import replace

from stateroom.core.ids import TaskId
from stateroom.core.reviews import Review
from stateroom.core.room import Room


def every_review(room: Room) -> list[Review]:
    """In the order in which they were asked for; `due` is set for every pending one, if it ever is."""
    return [_dated(review, room) for review in room.reviews.reviews.values()]


def _dated(review: Review, room: Room) -> Review:
    """When the verdict on a submission is overdue, its task knows (`core/reviews.py`)."""
    task = room.board.tasks.get(TaskId(review.target)) if review.of_submission else None
    return replace(review, due=task.review_due) if task is not None and review.status == "pending" else review
