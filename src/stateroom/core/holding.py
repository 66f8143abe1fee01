"""Who holds a task and who rules on it: claiming, and handing over (agent-room §6.3, §6.6; gaps 60, 62, 71)."""

from dataclasses import dataclass, replace

from stateroom.core.evidence import blank
from stateroom.core.gates import Rules, actor, apart, are_same, expect, handed, moved, refuse_verifier, spelled
from stateroom.core.here import Command, Event, Here
from stateroom.core.ids import Name
from stateroom.core.members import same
from stateroom.core.refusals import NobodyNamed, OwnerIsVerifier, TaskHeld
from stateroom.core.tasks import Board, Task, TaskChanged, TaskClaimed, TaskReassigned


@dataclass(frozen=True, slots=True)
class ClaimTask(Command):
    """Take a task that nobody is at work on. Whoever asks holds it from then on."""

    task: str


@dataclass(frozen=True, slots=True)
class ReassignTask(Command):
    """Give a task another owner, another verifier, or both; its state and evidence stay. Blank keeps who it is."""

    task: str
    owner: str | None = None
    verifier: str | None = None


@dataclass(frozen=True, slots=True)
class TaskVerifierNamed(TaskChanged):
    """Its verifier became another, and perhaps its owner too; its role history says from whom to whom."""


def claim(board: Board, command: ClaimTask, here: Here) -> list[Event]:
    task, by = board.find(command.task), actor(here)
    expect(task, "claimed", "open", "held", "blocked")
    refuse_verifier(task, by)
    if task.state == "held" and task.owner is not None:
        if same(task.owner, by):
            return []
        raise held_by_another(task, here)
    return [TaskClaimed(taken(moved(task, "held", here), spelled(by, task.owner), here), task.state)]


def taken(task: Task, owner: Name | None, here: Here) -> Task:
    """The task with that owner; taking it from nobody is no change of hands."""
    return replace(task, owner=owner) if task.owner is None else handed(task, "owner", owner, here)


def held_by_another(task: Task, here: Here) -> TaskHeld:
    held_s = (here.now - (task.held_since or task.changed_at)) // 1000
    return TaskHeld(task=task.id, holder=task.owner, held_s=held_s)


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
    return [kind(replace(after, changed_at=here.now, held_since=held_since), task.state)]


def _named(name: str | None, present: Name | None, other: Name | None, here: Here) -> Name | None:
    """The wished name, or who it is now; another spelling of a name we know is the same name."""
    return present if name is None or blank(name) else spelled(name, present, other, here.by or None)


def _refuse_submitter(task: Task, verifier: Name | None) -> None:
    """What waits for a verdict can not wait for that of who submitted it. Raises OwnerIsVerifier."""
    newest = task.evidence[-1] if task.evidence else None
    if task.state == "submitted" and newest is not None and are_same(newest.by, verifier):
        raise OwnerIsVerifier(name=newest.by)


RULES: Rules = {ClaimTask: claim, ReassignTask: reassign}
FACTS = (TaskVerifierNamed,)
