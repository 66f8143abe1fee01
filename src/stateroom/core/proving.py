"""How a task is shown to be done, and who says so (agent-room §6.4, §6.5; gaps 61, 63, 65, 66).

    open, held, blocked, rejected -> submitted -> done | rejected

The owner submits evidence; a member other than the owner, and than whoever submitted it, rules on it. What has been
verified stays done.
"""

from dataclasses import dataclass, replace

from stateroom.core import limits
from stateroom.core.evidence import EVIDENCE_CHARS, Evidence, Ruling, Verdict, blank, kept, missing
from stateroom.core.gates import Rules, actor, are_same, expect, moved, next_step, refuse_verifier, spelled
from stateroom.core.here import Command, Event, Here
from stateroom.core.ids import Name
from stateroom.core.refusals import (
    EvidenceIncomplete,
    NotTheOwner,
    NotTheVerifier,
    OwnerCannotVerify,
    TaskDoneImmutable,
    VerdictNeedsNote,
)
from stateroom.core.tasks import Board, Task, TaskChanged


@dataclass(frozen=True, slots=True)
class SubmitTask(Command):
    """Hand in what shows that a task is done: files and an excerpt, and either run_output with exit_code, or checks."""

    task: str
    file_listing: str = ""
    file_excerpt: str = ""
    run_output: str = ""
    exit_code: int | None = None
    checks: str = ""
    """Each point of the definition of done and how it was checked, for what can not be run."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class VerifyTask(Command):
    """Rule on what was submitted. A run that failed is accepted only with a note that says why."""

    task: str
    verdict: Ruling
    note: str = ""


@dataclass(frozen=True, slots=True)
class TaskSubmitted(TaskChanged):
    """It waits for a verdict on the last of its evidence."""


@dataclass(frozen=True, slots=True)
class TaskVerified(TaskChanged):
    """Another member has found it done, and so it is."""


@dataclass(frozen=True, slots=True)
class TaskRejected(TaskChanged):
    """Another member has not found it done; its owner may submit again."""


def submit(board: Board, command: SubmitTask, here: Here) -> list[Event]:
    task, by = board.find(command.task), actor(here)
    expect(task, "submitted", "open", "held", "blocked", "rejected", "submitted")
    if task.owner is not None and not are_same(task.owner, by):
        raise NotTheOwner(task=task.id, owner=task.owner)
    refuse_verifier(task, by)
    evidence = _evidence(task, command, spelled(by, task.owner), here)
    if task.state == "submitted" and task.evidence and replace(evidence, at=task.evidence[-1].at) == task.evidence[-1]:
        return []  # it lies before the verifier already (W-24)
    after = replace(
        moved(task, "submitted", here),
        owner=task.owner or by,
        evidence=kept((*task.evidence, evidence)),
        verdict=None,
    )
    return [TaskSubmitted(after, task.state, evidence.note)]


def _evidence(task: Task, command: SubmitTask, by: Name, here: Here) -> Evidence:
    """Raises EvidenceIncomplete, TooLong, BadText."""
    parts = {
        name: limits.text(name, getattr(command, name), EVIDENCE_CHARS)
        for name in ("file_listing", "file_excerpt", "run_output", "checks")
    }
    if lacks := missing(**parts, exit_code=command.exit_code):
        raise EvidenceIncomplete(task=task.id, missing="; ".join(lacks))
    return Evidence(
        file_listing=parts["file_listing"],
        file_excerpt=parts["file_excerpt"],
        run_output=_given(parts["run_output"]),
        exit_code=command.exit_code,
        checks=_given(parts["checks"]),
        note=_given(limits.text("note", command.note, EVIDENCE_CHARS)),
        by=by,
        at=here.now,
    )


def _given(text: str) -> str | None:
    return None if blank(text) else text


def verify(board: Board, command: VerifyTask, here: Here) -> list[Event]:
    task, by = board.find(command.task), actor(here)
    if task.state == "cancelled":
        raise TaskDoneImmutable(task=task.id, state=task.state, next=next_step(task))
    expect(task, "verified", "submitted")
    newest = task.evidence[-1] if task.evidence else None
    _refuse_judge(task, newest, by)
    note = _given(limits.text("note", command.note, limits.NOTE_CHARS))
    if command.verdict == "done" and newest is not None and newest.failed and note is None:
        raise VerdictNeedsNote(task=task.id, exit_code=newest.exit_code)
    verdict = Verdict(command.verdict, note, by, here.now)
    if command.verdict == "done":
        return [TaskVerified(replace(moved(task, "done", here), verdict=verdict), task.state, note)]
    return [TaskRejected(replace(moved(task, "rejected", here), verdict=verdict), task.state, note)]


def _refuse_judge(task: Task, newest: Evidence | None, by: Name) -> None:
    """Nobody rules on its own work, not even after handing the task to another. Raises OwnerCannotVerify,
    NotTheVerifier."""
    if are_same(task.owner, by) or (newest is not None and are_same(newest.by, by)):
        raise OwnerCannotVerify(task=task.id, name=by)
    if task.verifier is not None and not are_same(task.verifier, by):
        raise NotTheVerifier(task=task.id, verifier=task.verifier)


RULES: Rules = {SubmitTask: submit, VerifyTask: verify}
FACTS = (TaskSubmitted, TaskVerified, TaskRejected)
