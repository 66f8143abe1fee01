"""Tasks that nobody works on for now or for ever, and how they come back (agent-room §6.1, §6.7, §6.8).

    open, held -> blocked            open, held, blocked -> cancelled           rejected, cancelled -> reopened

What has evidence can not be cancelled: a submission is answered by a verdict, not by a disappearance.
"""

from dataclasses import dataclass, replace
from typing import Literal

from stateroom.core import limits
from stateroom.core.evidence import Halt, blank, missing
from stateroom.core.gates import Rules, actor, expect, moved, next_step, refuse_verifier, verdict_due
from stateroom.core.here import Command, Event, Here
from stateroom.core.refusals import EvidenceIncomplete, ReasonMissing, TaskHasEvidence
from stateroom.core.tasks import Board, Task, TaskBlocked, TaskChanged

ReopenTo = Literal["open", "held", "submitted", "blocked"]


@dataclass(frozen=True, slots=True)
class BlockTask(Command):
    """Say what keeps a task from being worked on. It is no claim that the task is done."""

    task: str
    reason: str


@dataclass(frozen=True, slots=True)
class CancelTask(Command):
    """Take a task without evidence off the plan; it can be reopened."""

    task: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReopenTask(Command):
    """Bring a rejected or cancelled task back: open, held by its owner, blocked, or again before its verifier."""

    task: str
    to: ReopenTo = "open"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TaskCancelled(TaskChanged):
    """It is off the plan; what waits for it goes on waiting."""


@dataclass(frozen=True, slots=True)
class TaskReopened(TaskChanged):
    """It was rejected or cancelled and is to be done after all."""


def block(board: Board, command: BlockTask, here: Here) -> list[Event]:
    task, by = board.find(command.task), actor(here)
    expect(task, "blocked", "open", "held", "blocked")
    reason = limits.text("reason", command.reason, limits.NOTE_CHARS)
    if blank(reason):
        raise ReasonMissing(task=task.id)
    if task.blocked is not None and task.blocked.reason == reason:
        return []
    return [TaskBlocked(replace(moved(task, "blocked", here), blocked=Halt(by, here.now, reason)), task.state, reason)]


def cancel(board: Board, command: CancelTask, here: Here) -> list[Event]:
    task, by = board.find(command.task), actor(here)
    expect(task, "cancelled", "open", "held", "blocked", "submitted", "rejected")
    refuse_evidence(task)
    reason = limits.text("reason", command.reason, limits.NOTE_CHARS)
    after = replace(moved(task, "cancelled", here), cancellation=Halt(by, here.now, reason))
    return [TaskCancelled(after, task.state, _written(reason))]


def refuse_evidence(task: Task) -> None:
    """Raises TaskHasEvidence."""
    if task.evidence:
        raise TaskHasEvidence(task=task.id, next=next_step(task))


def reopen(board: Board, command: ReopenTask, here: Here) -> list[Event]:
    task, by = board.find(command.task), actor(here)
    expect(task, "reopened", "rejected", "cancelled")
    reason = limits.text("reason", command.reason, limits.NOTE_CHARS)
    after = moved(task, command.to, here)
    if command.to == "held":
        after = replace(after, owner=task.owner or by, lease=None)
        refuse_verifier(task, after.owner)
    if command.to == "blocked":
        after = replace(after, blocked=Halt(by, here.now, reason))
    if command.to == "submitted":
        after = replace(_again(after), review_due=verdict_due(here))
    return [TaskReopened(after, task.state, _written(reason))]


def _again(task: Task) -> Task:
    """The task before its verifier once more, with what was submitted. Raises EvidenceIncomplete."""
    if not task.evidence:
        raise EvidenceIncomplete(task=task.id, missing="; ".join(missing("", "", "", None, "")))
    return replace(task, verdict=None)


def _written(reason: str) -> str | None:
    return None if blank(reason) else reason


RULES: Rules = {BlockTask: block, CancelTask: cancel, ReopenTask: reopen}
FACTS = (TaskCancelled, TaskReopened)
