"""Who holds a task and who rules on it: claiming, and naming others (agent-room §6.3, §6.6; gaps 60, 62, 71).

A claim may carry a lease. What its holder can do with it is in `handing`, what happens in silence is in `silence`.
"""

from dataclasses import dataclass, replace

from stateroom.core import limits
from stateroom.core.claims import LONGEST_LEASE, TaskLease
from stateroom.core.evidence import blank
from stateroom.core.gates import (
    Rules,
    actor,
    apart,
    are_same,
    expect,
    handed,
    moved,
    refuse_verifier,
    spelled,
    verdict_due,
)
from stateroom.core.here import Command, Event, Here
from stateroom.core.ids import Name
from stateroom.core.refusals import NobodyNamed, OwnerIsVerifier, TaskHeld
from stateroom.core.tasks import Board, Task, TaskChanged, TaskClaimed, TaskReassigned


@dataclass(frozen=True, slots=True)
class ClaimTask(Command):
    """Take a task that nobody is at work on. Whoever asks holds it from then on; with a lease, for as long as it shows
    signs of life. Its holder asking again gets a fresh lease."""

    task: str
    lease_s: int = 0
    """Seconds that the lease lasts after the holder's last sign of life, 1 to 86,400 (900 is usual); 0 for no lease."""


@dataclass(frozen=True, slots=True)
class ReassignTask(Command):
    """Give a task another owner, another verifier, or both; its state and evidence stay. Blank keeps who it is."""

    task: str
    owner: str | None = None
    verifier: str | None = None


@dataclass(frozen=True, slots=True)
class TaskVerifierNamed(TaskChanged):
    """Its verifier became another, and perhaps its owner too; its role history says from whom to whom."""


@dataclass(frozen=True, slots=True)
class TaskCast(TaskChanged):
    """What was planned for a role of the playbook is planned for a member now; the room is told once of the role."""

    @property
    def told(self) -> bool:
        return False

    @property
    def line(self) -> bool:
        return False


def claim(board: Board, command: ClaimTask, here: Here) -> list[Event]:
    task, by = board.find(command.task), actor(here)
    expect(task, "claimed", "open", "held", "blocked")
    refuse_verifier(task, by)
    if task.held_by(by):
        return _again(board, task, command, here)
    if task.state == "held" and task.owner is not None:
        raise held_by_another(board, task, here)
    return [take(board, task, spelled(by, task.owner), command.lease_s, here)]


def take(board: Board, task: Task, by: Name, lease_s: int, here: Here) -> TaskClaimed:
    """The fact that somebody takes a task that is free. Raises BadDuration."""
    after = taken(moved(task, "held", here), by, here)
    return TaskClaimed(replace(after, lease=lease(board, lease_s, here)), task.state)


def _again(board: Board, task: Task, command: ClaimTask, here: Here) -> list[Event]:
    """Its holder may be another session of the same member: a fresh token tells the two apart."""
    seconds = command.lease_s or (task.lease.seconds if task.lease is not None and task.leased else 0)
    if not seconds:
        return []
    return [TaskClaimed(replace(task, lease=lease(board, seconds, here), changed_at=here.now), task.state)]


def lease(board: Board, seconds: int, here: Here) -> TaskLease | None:
    """A fresh lease; none for 0 seconds. Raises BadDuration."""
    if not seconds:
        return None
    limits.seconds("lease_s", seconds, LONGEST_LEASE)
    return TaskLease(board.tokens + 1, seconds, here.now, here.now)


def taken(task: Task, owner: Name | None, here: Here) -> Task:
    """The task with that owner; taking it from nobody is no change of hands."""
    return replace(task, owner=owner) if task.owner is None else handed(task, "owner", owner, here)


def held_by_another(board: Board, task: Task, here: Here) -> TaskHeld:
    held_s = (here.now - (task.held_since or task.changed_at)) // 1000
    until = board.held_until(task)
    under = "" if until is None else f", under a lease that ends in {max(0, until - here.now) // 1000} s unless renewed"
    return TaskHeld(task=task.id, holder=task.owner, held_s=held_s, lease=under)


def reassign(board: Board, command: ReassignTask, here: Here) -> list[Event]:
    task = board.find(command.task)
    if blank(command.owner) and blank(command.verifier):
        raise NobodyNamed(task=task.id)
    expect(task, "given to another", "open", "held", "submitted", "blocked")
    owner = _named(command.owner, task.owner, task.verifier, here)
    verifier = _named(command.verifier, task.verifier, task.owner, here)
    apart(owner, verifier)
    _refuse_submitter(task, verifier)
    after = handed(handed(task, "owner", owner, here), "verifier", verifier, here)
    if after == task:
        return []
    kind = TaskReassigned if after.verifier == task.verifier else TaskVerifierNamed
    held_since = here.now if task.state == "held" and after.owner != task.owner else task.held_since
    due = verdict_due(here) if task.state == "submitted" else None
    return [kind(replace(after, changed_at=here.now, held_since=held_since, review_due=due), task.state)]


def _named(name: str | None, present: Name | None, other: Name | None, here: Here) -> Name | None:
    """The wished name, or who it is now; another spelling of a name we know is the same name."""
    return present if name is None or blank(name) else spelled(name, present, other, here.by or None)


def _refuse_submitter(task: Task, verifier: Name | None) -> None:
    """What waits for a verdict can not wait for that of who submitted it. Raises OwnerIsVerifier."""
    newest = task.evidence[-1] if task.evidence else None
    if task.state == "submitted" and newest is not None and are_same(newest.by, verifier):
        raise OwnerIsVerifier(name=newest.by)


RULES: Rules = {ClaimTask: claim, ReassignTask: reassign}
FACTS = (TaskVerifierNamed, TaskCast)
