"""The board, column by column."""

from stateroom.core.evidence import doubts, stale
from stateroom.core.ids import Instant
from stateroom.core.room import Room
from stateroom.core.tasks import Task, TaskState
from stateroom.faces.web.parts import Column, TaskCard, moment, moment_or_none
from stateroom.wire.agent_room.lines import TASK_STATES

TITLES: dict[TaskState, str] = {
    "open": "To do",
    "held": "In progress",
    "submitted": "Awaiting review",
    "rejected": "Rejected",
    "blocked": "Blocked",
    "done": "Done",
    "cancelled": "Cancelled",
}
ALWAYS = ("open", "held", "submitted", "done")
OVER = ("done", "cancelled")
COLUMN_TASKS = 100
NOTE_CHARS = 400


def columns(room: Room, now: Instant) -> tuple[Column, ...]:
    """A column for each state that has tasks, and for the usual ones; none while there are no tasks."""
    tasks = room.board.tasks.values()
    if not tasks:
        return ()
    found = {state: [task for task in tasks if task.state == state] for state in TITLES}
    return tuple(_column(state, tasks, room, now) for state, tasks in found.items() if tasks or state in ALWAYS)


def _column(state: TaskState, tasks: list[Task], room: Room, now: Instant) -> Column:
    shown = tasks[-COLUMN_TASKS:] if state in OVER else tasks[:COLUMN_TASKS]
    return Column(TASK_STATES[state], TITLES[state], tuple(_card(task, room, now) for task in shown), len(tasks))


def _card(task: Task, room: Room, now: Instant) -> TaskCard:
    halt = task.cancellation or task.blocked
    newest = task.evidence[-1] if task.evidence else None
    return TaskCard(
        id=task.id,
        title=task.title,
        owner=task.owner or "",
        meant=task.state == "open",
        verifier=task.verifier or "",
        dod=short(task.dod or "", NOTE_CHARS),
        waits_for=tuple(id for id in task.depends_on if not _done(id, room)) if task.state != "done" else (),
        proof=_proof(task),
        failed=newest is not None and newest.failed,
        alarms=_alarms(task),
        until=moment_or_none(room.board.held_until(task)),
        silent=moment(room.board.last_sign(task)) if task.id in room.board.silent else None,
        asks_for=task.handoff.by if task.handoff else "",
        since=moment(_submitted_at(task)) if task.state == "submitted" else None,
        overdue=_is_overdue(task, room, now),
        verdict=_verdict(task),
        reason=short(halt.reason, NOTE_CHARS) if halt and task.state in ("cancelled", "blocked") else "",
    )


def short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _done(id: str, room: Room) -> bool:
    task = room.board.tasks.get(id)  # type: ignore[call-overload]  # a dependency may be on no board
    return task is not None and task.state == "done"


def _proof(task: Task) -> str:
    """How far a task's proof has come."""
    if not task.needs_proof:
        return ""
    if not task.evidence:
        return "no evidence yet"
    newest = task.evidence[-1]
    shown = "checked by hand" if newest.exit_code is None else f"run, exit code {newest.exit_code}"
    shown = f"run FAILED with exit code {newest.exit_code}" if newest.failed else shown
    tries = f", submission {len(task.evidence)}" if len(task.evidence) > 1 else ""
    return f"evidence by {newest.by}: {shown}{tries}"


def _alarms(task: Task) -> tuple[str, ...]:
    """What speaks against the newest submission besides the exit code, which is shown with the run (trap 72)."""
    newest = task.evidence[-1] if task.evidence and not task.over else None
    if newest is None:
        return ()
    about = f"is about commit {newest.commit}" if newest.commit else "names no commit"
    old = (f"stale evidence: it {about}, now {task.commit.commit} is reported",) if task.commit else ()
    return (*(old if stale(newest, task.commit) else ()), *doubts(newest))


def _is_overdue(task: Task, room: Room, now: Instant) -> bool:
    """Whether its verdict has taken longer than the room's policy lets it."""
    limit = room.lifecycle.policy.review_seconds * 1000
    return task.state == "submitted" and bool(limit) and now - _submitted_at(task) >= limit


def _submitted_at(task: Task) -> Instant:
    return task.evidence[-1].at if task.evidence else task.changed_at


def _verdict(task: Task) -> str:
    if task.verdict is None:
        return ""
    did = "accepted" if task.verdict.verdict == "done" else "rejected"
    note = f": {short(task.verdict.note, NOTE_CHARS)}" if task.verdict.note else ""
    return f"{did} by {task.verdict.by}{note}"
