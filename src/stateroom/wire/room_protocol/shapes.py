"""Plans, tasks, context entries, reviews and leases in the Room Protocol's JSON (protocol §2.1, §2.2, §2.4)."""

from typing import Any

from stateroom.core.context import ContextEntry
from stateroom.core.ids import Instant, Position
from stateroom.core.leases import Lease
from stateroom.core.reviews import Review
from stateroom.core.room import Room
from stateroom.core.tasks import Board, PlanState, Task, TaskState
from stateroom.core.views.board import planned
from stateroom.wire.evidence import warning_of
from stateroom.wire.times import iso, iso_or_none

Shape = dict[str, Any]

STATUS: dict[TaskState, str] = {
    "open": "pending",
    "held": "in_progress",
    "submitted": "in_progress",
    "rejected": "in_progress",
    "done": "done",
    "blocked": "blocked",
    "cancelled": "blocked",
}
"""A task's status for those who know four. What is cancelled is not in the plan; asked for by its id it is blocked."""
STATE: dict[str, PlanState] = {"pending": "open", "in_progress": "held", "done": "done", "blocked": "blocked"}


def event_id(position: int) -> str:
    return f"E-{position}"


def read_event_id(text: str) -> Position | None:
    """The position an event id stands for, or None if it is no event id of ours."""
    digits = text.removeprefix("E-")
    return Position(int(digits)) if digits.isascii() and digits.isdecimal() and len(digits) < 16 else None


def task_shape(task: Task, board: Board | None = None) -> Shape:
    """A Task; with the board, also (ours) the dependencies it does not know and the notes written over time.

    Ours too, where there is something to say: the exact `state`, `verifier`, `dod`, the verdict, `commit`, `lease`
    (`token`, `until` as it stands), `handoffRequestedBy`, and `warning`: what speaks against the newest submission.
    """
    shape: Shape = {
        "id": task.id,
        "title": task.title,
        "description": task.description,
        "status": STATUS[task.state],
        "owner": task.owner,
        "created_at": iso(task.opened_at),
        "updated_at": iso(task.changed_at),
        "depends_on": list(task.depends_on),
    }
    if task.priority is not None:
        shape["priority"] = task.priority
    shape |= _proof(task)
    if task.lease is not None and task.leased:
        until = board.held_until(task) if board is not None else task.lease.until(Instant(0))
        shape["lease"] = {"token": task.lease.token, "until": iso_or_none(until)}
    if task.handoff is not None:
        shape["handoffRequestedBy"] = task.handoff.by
    if board is not None:
        if missing := board.missing(task):
            shape["missing_dependencies"] = missing
        if notes := board.notes.get(task.id):
            shape["notes"] = [{"at": iso(note.at), "by": note.by, "text": note.text} for note in notes]
    return shape


def _proof(task: Task) -> Shape:
    """Empty for a task that simply gets done."""
    shape: Shape = {"state": task.state} if task.state in ("submitted", "rejected", "cancelled") else {}
    shape |= {name: value for name, value in (("verifier", task.verifier), ("dod", task.dod)) if value is not None}
    if task.verdict is not None:
        said = task.verdict
        shape["verdict"] = {"verdict": said.verdict, "by": said.by, "note": said.note, "at": iso(said.at)}
    if task.commit is not None:
        shape["commit"] = task.commit.commit
    if (warning := warning_of(task)) is not None:
        shape["warning"] = warning
    return shape


def plan_shape(room: Room, room_id: str, now: int) -> Shape:
    """The whole plan. A room without one reads as empty, made now (protocol §2.1)."""
    opened_at = room.lifecycle.opened_at or now
    return {
        "project": room.lifecycle.project or room_id,
        "created_at": iso(opened_at),
        "updated_at": iso(room.board.changed_at or opened_at),
        "tasks": [task_shape(task, room.board) for task in planned(room)],
    }


def context_shape(entry: ContextEntry) -> Shape:
    return {
        "id": entry.id,
        "type": entry.type,
        "author": entry.author,
        "timestamp": iso(entry.written_at),
        "summary": entry.summary,
        "consuming_agents": list(entry.consumers),
        "payload": entry.payload,
        "version": entry.version,
    }


def review_shape(review: Review, room_id: str = "") -> Shape:
    """A Review. `note` is the newest note, as ever; `requestNote` and `resolutionNote` (ours) keep both (W-37).

    Ours too: `ofSubmission`, whose verdict is the task's (`reviewer` is empty where any other member may give it), and
    `dueAt`, when another member is asked."""
    optional = {
        "note": review.resolution_note or review.note,
        "requestNote": review.note,
        "resolutionNote": review.resolution_note,
        "resolvedAt": iso_or_none(review.resolved_at),
        "resolvedBy": review.resolved_by,
        "ofSubmission": review.of_submission or None,
        "dueAt": iso_or_none(review.due),
    }
    return {
        "id": review.id,
        "roomId": room_id,
        "targetType": review.target_type,
        "targetId": review.target,
        "requestedBy": review.requested_by,
        "reviewer": review.reviewer,
        "status": review.status,
        "createdAt": iso(review.requested_at),
        **{key: value for key, value in optional.items() if value is not None},
    }


def lease_shape(lease: Lease) -> Shape:
    """A LockInfo, with (ours) its deadline and token (W-16)."""
    return {
        "resource": lease.resource,
        "owner": lease.holder,
        "expiresAt": iso(lease.until),
        "token": lease.token,
    }
