"""Tasks and the board as Agent Room knows them, in the shapes of its third generation (agent-room §4.8, §4.9).

Times are epoch milliseconds; what is not there is left out. Peers' text stands in fields of its own.
"""

from collections.abc import Callable
from typing import Any

from stateroom.core.claims import Handoff, TaskLease
from stateroom.core.evidence import CommitReport, Evidence, Halt, RoleChange, Verdict, stale
from stateroom.core.halting import ReopenTo
from stateroom.core.ids import Instant, Name
from stateroom.core.members import MemberKind
from stateroom.core.room import Room
from stateroom.core.tasks import Task
from stateroom.wire.agent_room.board_lines import TASK_STATES
from stateroom.wire.agent_room.messages import CLIENTS
from stateroom.wire.evidence import warning_of

Shape = dict[str, Any]
REOPENED: dict[str, ReopenTo] = {
    "todo": "open",
    "in_progress": "held",
    "awaiting_review": "submitted",
    "blocked": "blocked",
}
"""To what a task can be reopened, under its name here."""
Client = Callable[[Name], str]
"""The client kind of a name."""


def board_shape(room: Room, code: str) -> Shape:
    """The TaskBoard: every task, cancelled ones too. `version` grows with each change, `lastProgressAt` with each task
    that comes to another state, `completionAnnouncedAt` is when nothing was left to do."""
    board = room.board
    shape = {"code": code, "tasks": [task_shape(task, room) for task in board.tasks.values()], "version": board.version}
    return _some(
        shape,
        lastProgressAt=board.progressed_at,
        completionAnnouncedAt=board.completed_at,
        lastStallNudgeAt=max(board.silent.values(), default=None),
    )


def task_shape(task: Task, room: Room) -> Shape:
    """A Task of a room."""

    def client(name: Name) -> str:
        member = room.members.find(name)
        return client_of(member.kind if member else None)

    return task_with(task, client, room.board.held_until(task))


def client_of(kind: MemberKind | None) -> str:
    """`web` for people, `cc` for agents and for whoever is not here yet."""
    return CLIENTS[kind or "agent"]


def task_with(task: Task, client: Client, until: Instant | None = None) -> Shape:
    """A Task, where `client` knows who is a person; `until` is when its lease ends, as it stands.

    Ours: `description`, `dependsOn`, `priority`, `submissions` (how many are kept), `commit` (the newest reported),
    `handoff`, `reviewDueAt`, the lease's `token`, and `warning`, where something speaks against the newest submission
    (gap 65)."""
    newest = task.evidence[-1] if task.evidence else None
    shape = _some(
        {"id": task.id, "title": task.title, "state": TASK_STATES[task.state]},
        description=task.description or None,
        **_member("owner", task.owner, client),
        **_member("verifier", task.verifier, client),
        dod=task.dod,
        evidence=_evidence(newest, task.commit, client) if newest else None,
        verdict=_verdict(task.verdict, client) if task.verdict else None,
        cancellation=_cancellation(task.cancellation, client) if task.cancellation else None,
        blocked=_halt(task.blocked, client) if task.blocked else None,
        roleHistory=[_role_change(change, client) for change in task.role_history] or None,
        dependsOn=list(task.depends_on) or None,
        priority=task.priority,
        submissions=len(task.evidence) or None,
        warning=warning_of(task),
        lease=_lease(task, task.lease, until, client) if task.lease else None,
        handoff=_handoff(task.handoff, client) if task.handoff else None,
        commit=_commit(task.commit, client) if task.commit else None,
        reviewRequestedAt=newest.at if newest and task.state == "submitted" else None,
        reviewDueAt=task.review_due,
    )
    return {**shape, "createdBy": task.opened_by, "createdAt": task.opened_at, "updatedAt": task.changed_at}


def _some(shape: Shape, **more: Any) -> Shape:
    """The shape with those further fields that have a value."""
    return {**shape, **{name: value for name, value in more.items() if value is not None}}


def _member(role: str, name: Name | None, client: Client) -> Shape:
    """`owner` and `ownerClient`; empty when there is nobody."""
    return {} if name is None else {role: name, f"{role}Client": client(name)}


def _lease(task: Task, lease: TaskLease, until: Instant | None, client: Client) -> Shape:
    """As §4.8 has it; its `id` is the token as text."""
    shape = {"id": str(lease.token), "token": lease.token, "status": lease.status, "grantedAt": lease.granted_at}
    holder = {"holderName": task.owner, "holderClient": client(task.owner)} if lease.active and task.owner else {}
    return _some(
        {**shape, **holder, "expiresAt": until or lease.until(Instant(0))},
        renewedAt=lease.renewed_at if lease.renewed_at != lease.granted_at else None,
        releasedAt=lease.ended_at,
        handoff=_handoff(task.handoff, client) if task.handoff and lease.active else None,
    )


def held_under(task: Task, room: Room) -> Shape:
    """The lease a task is held under: `token`, to be given when it is finished, and `leaseUntil`; empty without one."""
    until = room.board.held_until(task)
    return {} if until is None or task.lease is None else {"token": task.lease.token, "leaseUntil": until}


def _handoff(asked: Handoff, client: Client) -> Shape:
    return {"requestedByName": asked.by, "requestedByClient": client(asked.by), "requestedAt": asked.at}


def _commit(report: CommitReport, client: Client) -> Shape:
    return {"commit": report.commit, "by": report.by, "byClient": client(report.by), "at": report.at}


def submission_history(task: Task) -> list[Shape]:
    """What was submitted before the newest, in short, oldest first."""
    return [
        _some({"by": one.by, "at": one.at}, exitCode=one.exit_code, commit=one.commit, note=one.note)
        for one in task.evidence[:-1]
    ]


def _evidence(evidence: Evidence, reported: CommitReport | None, client: Client) -> Shape:
    """Ours: `note`, `commit`, `attachments`, `links`, and `stale`, where another commit was reported since."""
    return _some(
        {"fileListing": evidence.file_listing, "fileExcerpt": evidence.file_excerpt},
        runOutput=evidence.run_output,
        exitCode=evidence.exit_code,
        checks=evidence.checks,
        note=evidence.note,
        commit=evidence.commit,
        attachments=list(evidence.attachments) or None,
        links=list(evidence.links) or None,
        stale=stale(evidence, reported) or None,
        submittedBy=evidence.by,
        submittedClient=client(evidence.by),
        at=evidence.at,
    )


def _verdict(verdict: Verdict, client: Client) -> Shape:
    return _some({"verdict": verdict.verdict}, note=verdict.note, **_said(verdict, client))


def _cancellation(halt: Halt, client: Client) -> Shape:
    """Unlike what blocks a task, it needs no reason."""
    return _some(_said(halt, client), reason=halt.reason or None)


def _halt(halt: Halt, client: Client) -> Shape:
    return {**_said(halt, client), "reason": halt.reason}


def _role_change(change: RoleChange, client: Client) -> Shape:
    hands = {"from": change.was, "to": change.to}
    return _some({**_said(change, client), "field": change.field}, **hands)


def _said(one: Verdict | Halt | RoleChange, client: Client) -> Shape:
    return {"by": one.by, "byClient": client(one.by), "at": one.at}
