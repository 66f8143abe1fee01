"""A room in figures. Exact: counted while folding, not estimated from a window of the log (W-72)."""

from dataclasses import dataclass

from stateroom.core.ids import Instant, Name
from stateroom.core.members import fold
from stateroom.core.messages import DAY_MS
from stateroom.core.room import Room
from stateroom.core.tasks import PlanState, TaskState
from stateroom.core.views.board import SEEN_AS, planned


@dataclass(frozen=True, slots=True)
class Analytics:
    tasks: dict[PlanState, int]
    """How many tasks of the plan stand where; every state of a plan is present."""
    completion_rate: float
    """Done of all that are not cancelled, 0 to 1; 0 for an empty plan."""
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
    states: dict[TaskState, int]
    """How many tasks of the board stand where exactly; every state is present."""


def analytics(room: Room, days: int, now: Instant) -> Analytics:
    """The figures of a room. `days` is at least 1."""
    tasks = planned(room)
    states: tuple[PlanState, ...] = ("open", "held", "done", "blocked")
    by_state = {state: sum(SEEN_AS[task.state] == state for task in tasks) for state in states}
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
        states={state: sum(task.state == state for task in room.board.tasks.values()) for state in SEEN_AS},
    )


def _by_owner(room: Room, *, done: bool) -> dict[Name, int]:
    counts: dict[str, int] = {}
    names: dict[str, Name] = {}
    for task in planned(room):
        if task.owner is not None and (task.state == "done" or not done):
            names.setdefault(fold(task.owner), task.owner)
            counts[fold(task.owner)] = counts.get(fold(task.owner), 0) + 1
    return {names[key]: count for key, count in counts.items()}
