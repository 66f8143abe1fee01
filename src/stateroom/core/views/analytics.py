"""A room in figures. Exact: counted while folding, not estimated from a window of the log (W-72)."""

from dataclasses import dataclass

from stateroom.core.ids import Instant, Name
from stateroom.core.members import fold
from stateroom.core.messages import DAY_MS
from stateroom.core.room import Room
from stateroom.core.tasks import TaskState


@dataclass(frozen=True, slots=True)
class Analytics:
    tasks: dict[TaskState, int]
    """How many tasks stand where; every state is present."""
    completion_rate: float
    """Done of all, 0 to 1; 0 for an empty plan."""
    context: int
    events: int
    """Everything the room was told and that is not withdrawn."""
    days: int
    events_in_days: int
    """Told on the last `days` calendar days (UTC), today included."""
    per_day: float
    """Rounded to two decimals."""
    owned: dict[Name, int]
    finished: dict[Name, int]
    """Tasks by owner: all of them, and those that are done."""


def analytics(room: Room, days: int, now: Instant) -> Analytics:
    """The figures of a room. `days` is at least 1."""
    tasks = list(room.board.tasks.values())
    states: tuple[TaskState, ...] = ("open", "held", "done", "blocked")
    by_state = {state: sum(task.state == state for task in tasks) for state in states}
    today = now // DAY_MS
    recent = sum(count for day, count in room.messages.told_by_day.items() if today - days < day <= today)
    return Analytics(
        tasks=by_state,
        completion_rate=by_state["done"] / len(tasks) if tasks else 0.0,
        context=len(room.context.entries),
        events=room.messages.told,
        days=days,
        events_in_days=recent,
        per_day=round(recent / days, 2),
        owned=_by_owner(room, done=False),
        finished=_by_owner(room, done=True),
    )


def _by_owner(room: Room, *, done: bool) -> dict[Name, int]:
    counts: dict[str, int] = {}
    names: dict[str, Name] = {}
    for task in room.board.tasks.values():
        if task.owner is not None and (task.state == "done" or not done):
            names.setdefault(fold(task.owner), task.owner)
            counts[fold(task.owner)] = counts.get(fold(task.owner), 0) + 1
    return {names[key]: count for key, count in counts.items()}
