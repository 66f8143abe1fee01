"""Verdicts that are overdue: another present member is asked for them, and if there is none the room is told, ever more
rarely (agent-room gap 67).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from stateroom.core import silence
from stateroom.core.gates import handed, verdict_due
from stateroom.core.here import Event, Here
from stateroom.core.ids import Instant, Name
from stateroom.core.members import fold
from stateroom.core.reviews import Review, ReviewOverdue, ReviewRerouted, Reviews
from stateroom.core.silence import TaskRerouted, VerdictOverdue
from stateroom.core.tasks import Board, Task


@dataclass(frozen=True, slots=True)
class Bench:
    """Who could be asked, and how many verdicts each of them owes already."""

    judges: tuple[Name, ...]
    """Members who are present, in order of joining."""
    debts: Counter[str]

    def pick(self, *barred: Name | None) -> Name | None:
        """Whoever owes the fewest, and owes one more from now on; None if nobody is left."""
        out = {fold(name) for name in barred if name}
        free = [name for name in self.judges if fold(name) not in out]
        chosen = min(free, key=lambda name: self.debts[fold(name)], default=None)
        if chosen is not None:
            self.debts[fold(chosen)] += 1
        return chosen


def bench(board: Board, reviews: Reviews, judges: Iterable[Name]) -> Bench:
    owed = [task.verifier for task in silence.submitted(board) if task.verifier]
    owed += [review.reviewer for review in reviews.waiting() if not review.of_submission]
    return Bench(tuple(judges), Counter(fold(name) for name in owed))


def verdicts(board: Board, reviews: Reviews, judges: Iterable[Name], here: Here) -> list[Event]:
    """What becomes of every verdict that is overdue by now."""
    asked = bench(board, reviews, judges)
    tasks = [task for task in silence.submitted(board) if _is_over(task.review_due, here)]
    late = [review for review in reviews.waiting() if _is_over(review.due, here)]
    return [*(_task(task, asked, here) for task in tasks), *(_review(review, asked, here) for review in late)]


def _is_over(due: Instant | None, here: Here) -> bool:
    return due is not None and due <= here.now


def _task(task: Task, asked: Bench, here: Here) -> Event:
    newest = task.evidence[-1] if task.evidence else None
    chosen = asked.pick(task.owner, task.verifier, newest.by if newest else None)
    if chosen is None:
        since = newest.at if newest else task.changed_at
        return VerdictOverdue(replace(task, review_due=_later(since, here)), since)
    after = replace(handed(task, "verifier", chosen, here), review_due=verdict_due(here), changed_at=here.now)
    return TaskRerouted(after, task.state, None, task.verifier)


def _review(review: Review, asked: Bench, here: Here) -> Event:
    chosen = asked.pick(review.requested_by, review.reviewer)
    if chosen is None:
        return ReviewOverdue(replace(review, due=_later(review.requested_at, here)))
    return ReviewRerouted(replace(review, reviewer=chosen, due=verdict_due(here)), review.reviewer)


def _later(since: Instant, here: Here) -> Instant | None:
    """Every wait is as long as all before it; none if verdicts are no longer waited for."""
    return Instant(2 * here.now - since) if here.policy.review_seconds and here.now > since else None


def next_due(reviews: Reviews) -> Instant | None:
    """When the next review that was asked for is overdue."""
    return min((review.due for review in reviews.waiting() if review.due is not None), default=None)
