"""What the transcript says of the board: a sentence for each fact, which programs read too (agent-room §4.4)."""

from collections.abc import Callable
from typing import Any

from stateroom.core import board, handing, proving, silence, tasks
from stateroom.core.here import Event, LogEntry
from stateroom.core.payloads import one_line
from stateroom.wire.agent_room.line import AMBER, BLUE, GREEN, GREY, TITLE_CHARS, Line, tame, who
from stateroom.wire.evidence import warning_of
from stateroom.wire.times import iso

TASK_STATES: dict[tasks.TaskState, str] = {
    "open": "todo",
    "held": "in_progress",
    "submitted": "awaiting_review",
    "done": "done",
    "blocked": "blocked",
    "rejected": "rejected",
    "cancelled": "cancelled",
}
TASK_ICONS = {
    "open": "📝",
    "held": "🔨",
    "submitted": "🔎",
    "done": "✅",
    "blocked": "⛔",
    "rejected": "↩️",
    "cancelled": "🗑️",
}


TASK_DEEDS = {
    "TaskOpened": "added",
    "TaskClaimed": "claimed",
    "TaskSubmitted": "submitted",
    "TaskVerified": "verified",
    "TaskRejected": "rejected",
    "TaskFinished": "finished",
    "TaskBlocked": "blocked",
    "TaskReturned": "given back",
    "TaskReopened": "reopened",
    "TaskCancelled": "cancelled",
    "TaskRemoved": "removed",
    "TaskHandedOver": "handed over",
    "TaskCommitReported": "brought to another commit",
}
"""What was done to a task, by its fact; anything else has changed it."""


def _task(entry: LogEntry, event: tasks.TaskFact) -> Line:
    task = event.task
    did = TASK_DEEDS.get(type(event).__name__, "changed")
    state = TASK_STATES[task.state]
    owner = f", owner {tame(task.owner)}" if task.owner else ""
    title = tame(one_line(task.title, TITLE_CHARS))
    text = f'{TASK_ICONS[task.state]} {task.id} "{title}" {did} by {tame(who(entry))}{owner} (now {state}).'
    loud = warning_of(task) if isinstance(event, proving.TaskSubmitted | proving.TaskCommitReported) else None
    text += f" {loud}" if loud else ""
    next_to_act = task.verifier if task.state == "submitted" else task.owner
    return Line(TASK_ICONS[task.state], GREY, text, "task_update", next_to_act or "", {"taskId": task.id})


def _lapsed(entry: LogEntry, event: silence.TaskLapsed) -> Line:
    text = (
        f"{TASK_ICONS['open']} {event.task.id} is free again: the lease of {tame(event.holder)} has run out, who was "
        f"last seen at {iso(event.seen)} (now todo)."
    )
    about = {"taskId": event.task.id, "holder": event.holder, "lastSeen": event.seen}
    return Line(TASK_ICONS["open"], AMBER, text, "task_update", "", about)


def _stalled(entry: LogEntry, event: silence.ClaimStalled) -> Line:
    holder = event.task.owner or ""
    text = f"@{tame(holder)} holds {event.task.id} and has done nothing here since {iso(event.seen)}."
    return Line("⏳", AMBER, text, "stalled_claim", holder, {"taskId": event.task.id})


def _rerouted(entry: LogEntry, event: silence.TaskRerouted) -> Line:
    to, was = event.task.verifier or "", f" instead of {tame(event.asked)}" if event.asked else ""
    text = f"The verdict on {event.task.id} is overdue: @{tame(to)} is asked for it{was} (now awaiting_review)."
    return Line("🔎", AMBER, text, "task_update", to, {"taskId": event.task.id})


def _overdue(entry: LogEntry, event: silence.VerdictOverdue) -> Line:
    text = f"{event.task.id} has waited for a verdict since {iso(event.since)}, and nobody is here who could give it."
    return Line("⏳", AMBER, text, "review_overdue", event.task.verifier or "", {"taskId": event.task.id})


def _handoff(entry: LogEntry, event: handing.TaskHandoffRequested) -> Line:
    holder = event.task.owner or ""
    text = f"{tame(who(entry))} asks @{tame(holder)} for {event.task.id}."
    return Line("🤝", BLUE, text, "task_handoff_requested", holder, {"taskId": event.task.id})


def _completed(entry: LogEntry, event: board.BoardCompleted) -> Line:
    gone = f", {event.cancelled} cancelled" if event.cancelled else ""
    return Line("🎉", GREEN, f"Nothing is left to do on the board: {event.done} done{gone}.", "board_completed")


BOARD_LINES: dict[type[Event], Callable[[LogEntry, Any], Line]] = {
    silence.TaskLapsed: _lapsed,
    silence.ClaimStalled: _stalled,
    silence.TaskRerouted: _rerouted,
    silence.VerdictOverdue: _overdue,
    handing.TaskHandoffRequested: _handoff,
    tasks.TaskFact: _task,
    board.BoardCompleted: _completed,
}
"""In this order: the common kind of all facts of a task comes after those with a sentence of their own."""
