"""How a task is shown to be done, and who says so (agent-room §6.4, §6.5; gaps 61, 63, 65, 66).

    open, held, blocked, rejected -> submitted -> done | rejected

The owner submits evidence; a member other than the owner, and than whoever submitted it, rules on it. What has been
verified stays done.
"""

from dataclasses import dataclass, replace

from stateroom.core import evidence, limits
from stateroom.core.evidence import (
    ATTACHMENTS,
    EVIDENCE_CHARS,
    CommitReport,
    Evidence,
    Ruling,
    Verdict,
    blank,
    kept,
    missing,
    objections,
    same_commit,
)
from stateroom.core.gates import (
    Rules,
    actor,
    are_same,
    check_token,
    expect,
    moved,
    next_step,
    refuse_verifier,
    spelled,
    verdict_due,
)
from stateroom.core.here import Command, Event, Here
from stateroom.core.ids import Name
from stateroom.core.refusals import (
    BadCommit,
    EvidenceIncomplete,
    NotTheOwner,
    NotTheVerifier,
    OwnerCannotVerify,
    TaskDoneImmutable,
    TooLong,
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
    commit: str = ""
    """The commit it is about: 7 to 64 hexadecimal digits."""
    attachments: tuple[str, ...] = ()
    """Ids of files uploaded to this room, at most 10."""
    links: tuple[str, ...] = ()
    """http or https addresses where more is to be seen, at most 10."""
    token: int | None = None
    """Of the lease it is held under; needed if it is."""


@dataclass(frozen=True, slots=True)
class ReportCommit(Command):
    """Say which commit a task has come to. What was submitted about another one is stale from then on."""

    task: str
    commit: str


@dataclass(frozen=True, slots=True)
class VerifyTask(Command):
    """Rule on what was submitted. A run that failed, or evidence that is stale, is accepted only with a note that says
    why."""

    task: str
    verdict: Ruling
    note: str = ""


@dataclass(frozen=True, slots=True)
class TaskSubmitted(TaskChanged):
    """It waits for a verdict on the last of its evidence."""


@dataclass(frozen=True, slots=True)
class TaskCommitReported(TaskChanged):
    """It has come to another commit."""


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
    check_token(task, command.token)
    shown = _evidence(task, command, spelled(by, task.owner), here)
    if task.state == "submitted" and task.evidence and replace(shown, at=task.evidence[-1].at) == task.evidence[-1]:
        return []  # it lies before the verifier already (W-24)
    after = replace(
        moved(task, "submitted", here),
        owner=task.owner or by,
        evidence=kept((*task.evidence, shown)),
        verdict=None,
        commit=_reported(task, command.commit, here),
        review_due=verdict_due(here),
    )
    return [TaskSubmitted(after, task.state, shown.note)]


def _reported(task: Task, commit: str, here: Here) -> CommitReport | None:
    """The newest report on the task's commit; one that says the same again is none. Raises BadCommit."""
    given = evidence.commit(commit)
    if given is None or (task.commit is not None and same_commit(given, task.commit.commit)):
        return task.commit
    return CommitReport(given, here.by, here.now)


def report(board: Board, command: ReportCommit, here: Here) -> list[Event]:
    task, _ = board.find(command.task), actor(here)
    expect(task, "brought to another commit", "open", "held", "blocked", "rejected", "submitted")
    if blank(command.commit):
        raise BadCommit(commit="An empty text")
    after = replace(task, commit=_reported(task, command.commit, here))
    return [] if after == task else [TaskCommitReported(replace(after, changed_at=here.now), task.state)]


def _evidence(task: Task, command: SubmitTask, by: Name, here: Here) -> Evidence:
    """Raises EvidenceIncomplete, TooLong, BadText, BadCommit, BadLink."""
    if len(command.attachments) > ATTACHMENTS:
        raise TooLong(field="attachments", size=len(command.attachments), limit=ATTACHMENTS, unit="files")
    parts = {
        name: limits.text(name, getattr(command, name), EVIDENCE_CHARS)
        for name in ("file_listing", "file_excerpt", "run_output", "checks")
    }
    if lacks := missing(**parts, exit_code=command.exit_code, dod=task.dod or ""):
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
        commit=evidence.commit(command.commit) or (task.commit.commit if task.commit else None),
        attachments=tuple(dict.fromkeys(command.attachments)),
        links=evidence.links(command.links),
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
    against = objections(newest, task.commit) if newest is not None else []
    if command.verdict == "done" and against and note is None:
        raise VerdictNeedsNote(task=task.id, objections="; ".join(against))
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


RULES: Rules = {SubmitTask: submit, ReportCommit: report, VerifyTask: verify}
FACTS = (TaskSubmitted, TaskCommitReported, TaskVerified, TaskRejected)
