"""Who may do what to a task, and when: what several of the board's rules ask alike (agent-room §6.1, strict column).

Every next step that is named here is a call of the tool `room_task`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from stateroom.core import limits
from stateroom.core.evidence import ROLE_CHANGES_KEPT, Role, RoleChange
from stateroom.core.here import Command, Event, Here
from stateroom.core.ids import Instant, Name
from stateroom.core.members import same
from stateroom.core.refusals import (
    OwnerIsVerifier,
    TaskDoneImmutable,
    TaskLeaseOver,
    TaskStateWrong,
    TokenNeeded,
    TokenStale,
    VerifierCannotClaim,
)
from stateroom.core.tasks import Board, Task, TaskState

Rules = dict[type[Command], Callable[[Board, Any, Here], list[Event]]]

NEXT: dict[TaskState, str] = {
    "open": 'Claim it with room_task(action: "claim", id: "{task}")',
    "held": 'Its owner submits what shows it is done: room_task(action: "submit", id: "{task}", fileListing, '
    "fileExcerpt, and runOutput with exitCode, or checks)",
    "submitted": "It waits for the verdict of its verifier, or of any member but its owner: "
    'room_task(action: "verify", id: "{task}", verdict: "done" or "rejected", note)',
    "done": "Open a new task for what is still to do",
    "blocked": 'Claim it again when nothing is in the way: room_task(action: "claim", id: "{task}")',
    "rejected": 'Its owner mends it and submits it again with room_task(action: "submit", id: "{task}", …), or '
    'somebody reopens it with room_task(action: "reopen", id: "{task}")',
    "cancelled": 'Reopen it first with room_task(action: "reopen", id: "{task}")',
}
"""What can be done with a task in each state."""


def next_step(task: Task) -> str:
    return NEXT[task.state].format(task=task.id)


def actor(here: Here) -> Name:
    """Who asks: what is put on record about a task's proof needs a name. Raises BadName."""
    return limits.name(here.by)


def expect(task: Task, wished: str, *states: TaskState) -> None:
    """Whether a task in this state can be `wished` (a participle). Raises TaskDoneImmutable, TaskStateWrong."""
    if task.state in states:
        return
    if task.state == "done":
        raise TaskDoneImmutable(task=task.id, state=task.state, next=next_step(task))
    raise TaskStateWrong(task=task.id, state=task.state, wished=wished, next=next_step(task))


def spelled(name: str, *known: Name | None) -> Name:
    """The name, as it is spelled where it is known already. Raises BadName."""
    return next((one for one in known if one and same(one, name)), None) or limits.name(name)


def are_same(one: Name | None, other: Name | None) -> bool:
    """Whether both are somebody, and the same (gap 63)."""
    return one is not None and other is not None and same(one, other)


def apart(owner: Name | None, verifier: Name | None) -> None:
    """Nobody rules on its own work, so nobody is both (gap 62). Raises OwnerIsVerifier."""
    if owner is not None and are_same(owner, verifier):
        raise OwnerIsVerifier(name=owner)


def refuse_verifier(task: Task, name: Name | None) -> None:
    """A verifier that held the task could not rule on it, and nobody else could (gap 62).

    Raises VerifierCannotClaim.
    """
    if are_same(task.verifier, name):
        raise VerifierCannotClaim(task=task.id, verifier=task.verifier)


def moved(task: Task, state: TaskState, here: Here) -> Task:
    """The task in that state from now on; what belongs to the state it leaves is gone."""
    after = replace(task, state=state, changed_at=here.now, held_since=here.now if state == "held" else None)
    return replace(released(after, here), blocked=None, cancellation=None, review_due=None)


def released(task: Task, here: Here) -> Task:
    """The task without a claim on it: its lease has ended, and nobody is asked for it."""
    lease = task.lease
    if lease is not None and lease.active:
        lease = replace(lease, status="released", ended_at=here.now)
    return replace(task, lease=lease, handoff=None)


def check_token(task: Task, token: int | None) -> None:
    """Whoever finishes a task that is under a lease shows its token; whose lease is over does not finish it.

    Raises TokenStale, TokenNeeded, TaskLeaseOver.
    """
    lease = task.lease
    if token is not None and (lease is None or lease.token != token):
        raise TokenStale(task=task.id, token=token)
    if lease is not None and lease.status == "expired":
        raise TaskLeaseOver(task=task.id)
    if lease is not None and lease.active and token is None:
        raise TokenNeeded(task=task.id)


def needs_proof(task: Task, here: Here) -> bool:
    """Whether only another member's verdict makes it done: the task asks for it, or the room's policy."""
    return task.needs_proof or here.policy.proof == "always"


def verdict_due(here: Here) -> Instant | None:
    """When a verdict that is asked for now is overdue; None for never."""
    return Instant(here.now + here.policy.review_seconds * 1000) if here.policy.review_seconds else None


def handed(task: Task, role: Role, to: Name | None, here: Here) -> Task:
    """The task with that owner or verifier, and on record that it became another; as it was if it did not."""
    was = task.owner if role == "owner" else task.verifier
    if was == to:
        return task
    history = (*task.role_history, RoleChange(here.by, here.now, role, was, to))[-ROLE_CHANGES_KEPT:]
    if role == "owner":
        return released(replace(task, owner=to, role_history=history), here)
    return replace(task, verifier=to, role_history=history)
