"""What a task's holder does with its claim, and how another gets it in good order (agent-room §6.9).

held -> held      renewed; asked for; handed to another member
held -> open      given back
"""

from dataclasses import dataclass, replace

from stateroom.core import limits
from stateroom.core.claims import LONGEST_LEASE, Handoff
from stateroom.core.evidence import blank
from stateroom.core.gates import (
    Rules,
    actor,
    are_same,
    check_token,
    expect,
    handed,
    moved,
    refuse_verifier,
    spelled,
)
from stateroom.core.here import Command, Event, Here
from stateroom.core.holding import lease
from stateroom.core.ids import Name
from stateroom.core.members import same
from stateroom.core.refusals import HandoffMissing, HandoffToSelf, NoTaskLease, NotTheTaskHolder
from stateroom.core.tasks import Board, Task, TaskChanged, TaskReturned


@dataclass(frozen=True, slots=True)
class RenewTask(Command):
    """Go on holding a task under its lease. Whatever its holder does in the room renews it as well."""

    task: str
    token: int | None = None
    lease_s: int = 0
    """How long it is to last from now on; 0 keeps what it is."""


@dataclass(frozen=True, slots=True)
class ReleaseTask(Command):
    """Give a task back to the board."""

    task: str
    token: int | None = None


@dataclass(frozen=True, slots=True)
class RequestHandoff(Command):
    """Ask a task's holder for it."""

    task: str


@dataclass(frozen=True, slots=True)
class GrantHandoff(Command):
    """Hand a task over to another member, by default to who asked for it; a lease goes along as a fresh one."""

    task: str
    to: str = ""
    token: int | None = None


@dataclass(frozen=True, slots=True)
class TaskRenewed(TaskChanged):
    """Its holder is still at work on it."""

    @property
    def told(self) -> bool:
        return False

    @property
    def line(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class TaskHandoffRequested(TaskChanged):
    """Somebody has asked its holder for it."""


@dataclass(frozen=True, slots=True)
class TaskHandedOver(TaskChanged):
    """Its holder has given it to another member, who holds it now."""


def _own(board: Board, id: str, wished: str, here: Here) -> Task:
    """A task that whoever asks holds. Raises UnknownTask, TaskStateWrong, TaskDoneImmutable, NotTheTaskHolder."""
    task, by = board.find(id), actor(here)
    expect(task, wished, "held")
    if not task.held_by(by):
        raise NotTheTaskHolder(task=task.id, name=by)
    return task


def renew(board: Board, command: RenewTask, here: Here) -> list[Event]:
    task = _own(board, command.task, "renewed", here)
    if task.lease is None or not task.leased:
        raise NoTaskLease(task=task.id)
    check_token(task, command.token)
    seconds = limits.seconds("lease_s", command.lease_s or task.lease.seconds, LONGEST_LEASE)
    return [TaskRenewed(replace(task, lease=replace(task.lease, seconds=seconds, renewed_at=here.now)), task.state)]


def release(board: Board, command: ReleaseTask, here: Here) -> list[Event]:
    task = _own(board, command.task, "given back", here)
    if command.token is not None:
        check_token(task, command.token)
    return [TaskReturned(handed(moved(task, "open", here), "owner", None, here), task.state)]


def request_handoff(board: Board, command: RequestHandoff, here: Here) -> list[Event]:
    task, by = board.find(command.task), actor(here)
    expect(task, "asked for", "held")
    refuse_verifier(task, by)
    if task.held_by(by):
        raise HandoffToSelf(task=task.id, name=by)
    if task.handoff is not None and same(task.handoff.by, by):
        return []
    return [TaskHandoffRequested(replace(task, handoff=Handoff(by, here.now), changed_at=here.now), task.state)]


def grant_handoff(board: Board, command: GrantHandoff, here: Here) -> list[Event]:
    """Whether `to` is a member is for the room to see."""
    task = _own(board, command.task, "handed over", here)
    if command.token is not None:
        check_token(task, command.token)
    to = _receiver(task, command)
    refuse_verifier(task, to)
    if are_same(task.owner, to):
        raise HandoffToSelf(task=task.id, name=to)
    seconds = task.lease.seconds if task.lease is not None and task.leased else 0
    after = replace(handed(task, "owner", to, here), held_since=here.now, changed_at=here.now)
    return [TaskHandedOver(replace(after, lease=lease(board, seconds, here)), task.state)]


def _receiver(task: Task, command: GrantHandoff) -> Name:
    """Raises HandoffMissing, BadName."""
    if not blank(command.to):
        return spelled(command.to, task.owner, task.handoff.by if task.handoff else None)
    if task.handoff is None:
        raise HandoffMissing(task=task.id)
    return task.handoff.by


RULES: Rules = {
    RenewTask: renew,
    ReleaseTask: release,
    RequestHandoff: request_handoff,
    GrantHandoff: grant_handoff,
}
FACTS = (TaskRenewed, TaskHandoffRequested, TaskHandedOver)
