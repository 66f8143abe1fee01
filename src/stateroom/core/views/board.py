"""What there is to do, for somebody in particular."""

from stateroom.core.members import same
from stateroom.core.picking import ready
from stateroom.core.room import Room
from stateroom.core.tasks import PlanState, Task, TaskState

SEEN_AS: dict[TaskState, PlanState] = {
    "open": "open",
    "held": "held",
    "submitted": "held",
    "rejected": "held",
    "done": "done",
    "blocked": "blocked",
    "cancelled": "blocked",
}
"""The states of a plan that knows four (design §7). What is cancelled is no part of one; by itself it looks blocked."""


def planned(room: Room) -> list[Task]:
    """Every task but the cancelled ones, in the order in which they were added."""
    return [task for task in room.board.tasks.values() if task.state != "cancelled"]


def unblocked(room: Room, member: str = "") -> list[Task]:
    """Open tasks whose dependencies are all on the board and done, most important first, then in plan order (W-20).

    With a member, tasks meant for somebody else are left out.
    """
    return [task for task in ready(room.board) if not member or task.owner is None or same(task.owner, member)]


def mine(room: Room, member: str) -> list[Task]:
    """The tasks a member owns, in plan order, whatever their state; what was cancelled is nobody's."""
    return [task for task in planned(room) if task.owner is not None and same(task.owner, member)]
