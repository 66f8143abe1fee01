"""What waits for one member: the verdicts it owes first, then its own work (agent-room §6.10, gap 68)."""

from dataclasses import dataclass

from stateroom.core.members import same
from stateroom.core.reviews import Review
from stateroom.core.room import Room
from stateroom.core.tasks import Task


@dataclass(frozen=True, slots=True)
class Duties:
    to_verify: tuple[Task, ...]
    """Submitted, and it alone is to rule on them; longest waiting first."""
    to_review: tuple[Review, ...]
    """Other reviews that were asked of it."""
    current: tuple[Task, ...]
    """Its own, begun: rejected ones first, then what it holds, then what is blocked."""
    queued: tuple[Task, ...]
    """Its own, not begun."""

    def __bool__(self) -> bool:
        return bool(self.to_verify or self.to_review or self.current or self.queued)


BEGUN = ("rejected", "held", "blocked")


def duties(room: Room, name: str) -> Duties:
    """O(what concerns this member)."""
    tasks = room.board.of(name)
    own = [task for task in tasks if task.owner is not None and same(task.owner, name)]
    judged = [task for task in tasks if task.state == "submitted" and task.verifier and same(task.verifier, name)]
    asked = [one for one in room.reviews.waiting() if not one.of_submission and same(one.reviewer, name)]
    return Duties(
        tuple(sorted(judged, key=lambda task: task.changed_at)),
        tuple(asked),
        tuple(task for state in BEGUN for task in own if task.state == state),
        tuple(task for task in own if task.state == "open"),
    )
