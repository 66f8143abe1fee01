"""Tasks and the board as Agent Room knows them, in the shapes of its third generation (agent-room §4.8, §4.9).

Times are epoch milliseconds; what is not there is left out. Peers' text stands in fields of its own.
"""

from collections.abc import Callable
from typing import Any

from stateroom.core.evidence import Evidence, Halt, RoleChange, Verdict
from stateroom.core.ids import Name
from stateroom.core.members import MemberKind
from stateroom.core.room import Room
from stateroom.core.tasks import Task
from stateroom.wire.agent_room.lines import TASK_STATES
from stateroom.wire.agent_room.messages import CLIENTS

Shape = dict[str, Any]
Client = Callable[[Name], str]
"""The client kind of a name."""


def board_shape(room: Room, code: str) -> Shape:
    """The TaskBoard: every task, cancelled ones too. `version` grows with each change, `lastProgressAt` with each task
    that comes to another state."""
    tasks = [task_shape(task, room) for task in room.board.tasks.values()]
    return _some({"code": code, "tasks": tasks, "version": room.board.version}, lastProgressAt=room.board.progressed_at)


def task_shape(task: Task, room: Room) -> Shape:
    """A Task of a room."""

    def client(name: Name) -> str:
        member = room.members.find(name)
        return client_of(member.kind if member else None)

    return task_with(task, client)


def client_of(kind: MemberKind | None) -> str:
    """`web` for people, `cc` for agents and for whoever is not here yet."""
    return CLIENTS[kind or "agent"]


def task_with(task: Task, client: Client) -> Shape:
    """A Task, where `client` knows who is a person. Ours: `description`, `dependsOn`, `priority`, `submissions` (how
    many are kept), and `warning`, where the newest submission shows a run that failed (gap 65)."""
    newest = task.evidence[-1] if task.evidence else None
    shape = _some(
        {"id": task.id, "title": task.title, "state": TASK_STATES[task.state]},
        description=task.description or None,
        **_member("owner", task.owner, client),
        **_member("verifier", task.verifier, client),
        dod=task.dod,
        evidence=_evidence(newest, client) if newest else None,
        verdict=_verdict(task.verdict, client) if task.verdict else None,
        cancellation=_cancellation(task.cancellation, client) if task.cancellation else None,
        blocked=_halt(task.blocked, client) if task.blocked else None,
        roleHistory=[_role_change(change, client) for change in task.role_history] or None,
        dependsOn=list(task.depends_on) or None,
        priority=task.priority,
        submissions=len(task.evidence) or None,
        warning=_warning(newest) if newest else None,
    )
    return {**shape, "createdBy": task.opened_by, "createdAt": task.opened_at, "updatedAt": task.changed_at}


def _some(shape: Shape, **more: Any) -> Shape:
    """The shape with those further fields that have a value."""
    return {**shape, **{name: value for name, value in more.items() if value is not None}}


def _member(role: str, name: Name | None, client: Client) -> Shape:
    """`owner` and `ownerClient`; empty when there is nobody."""
    return {} if name is None else {role: name, f"{role}Client": client(name)}


def _evidence(evidence: Evidence, client: Client) -> Shape:
    return _some(
        {"fileListing": evidence.file_listing, "fileExcerpt": evidence.file_excerpt},
        runOutput=evidence.run_output,
        exitCode=evidence.exit_code,
        checks=evidence.checks,
        note=evidence.note,
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


def _warning(newest: Evidence) -> str | None:
    if not newest.failed:
        return None
    return f"The run submitted ended with exit code {newest.exit_code}. Accepting it needs a note that says why."
