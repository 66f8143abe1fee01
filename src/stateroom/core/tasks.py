"""Tasks: what one is, what the plan can wish of it, and what can happen to it. The rules are in `board`.

Each fact carries the task as it stands afterwards, so that a view of any one entry needs no other; the fact's name
says what happened. What is wished of a task's roles, proof and halts is in `holding`, `proving` and `halting`.
"""

from dataclasses import dataclass, field
from typing import Literal

from stateroom.core.claims import Handoff, TaskLease
from stateroom.core.evidence import CommitReport, Evidence, Halt, RoleChange, Verdict
from stateroom.core.here import Command, Event
from stateroom.core.ids import Instant, Name, TaskId
from stateroom.core.members import fold, same
from stateroom.core.refusals import UnknownTask

TaskState = Literal["open", "held", "submitted", "done", "blocked", "rejected", "cancelled"]
PlanState = Literal["open", "held", "done", "blocked"]
"""What a task can be moved to at will; a submission, a verdict and a cancellation are wishes of their own."""


@dataclass(frozen=True, slots=True)
class Task:
    id: TaskId
    title: str
    description: str
    state: TaskState
    owner: Name | None
    """Who holds it; while it is open, whom it is meant for."""
    depends_on: tuple[str, ...]
    priority: int | None
    """Lower is more important; None sorts last."""
    opened_at: Instant
    changed_at: Instant
    held_since: Instant | None = None
    opened_by: Name = Name("")
    """Empty when nobody was named."""
    verifier: Name | None = None
    """Who alone may rule on what is submitted; None leaves that to any member but the owner."""
    dod: str | None = None
    """Definition of done: what a submission has to show."""
    evidence: tuple[Evidence, ...] = ()
    """What was submitted, newest last (see `evidence.kept`)."""
    verdict: Verdict | None = None
    """On the newest submission; None while that waits for one."""
    cancellation: Halt | None = None
    blocked: Halt | None = None
    role_history: tuple[RoleChange, ...] = ()
    """How owner and verifier changed hands, newest last, at most 50."""
    lease: TaskLease | None = None
    """The one it is held under, or the last one it was, until it is claimed without."""
    handoff: Handoff | None = None
    """Who has asked its holder for it last."""
    commit: CommitReport | None = None
    """The newest one reported; evidence of another is stale."""
    review_due: Instant | None = None
    """While it is submitted: when another member is asked for the verdict."""

    @property
    def needs_proof(self) -> bool:
        """Whether only the verdict of a member other than its owner makes it done (design §7). What was submitted once
        also waits for one: a rejection is not undone by moving on. A room's policy can ask it of every task."""
        return self.verifier is not None or self.dod is not None or bool(self.evidence)

    @property
    def proven(self) -> bool:
        """Whether a verdict has made it done; then it stays so."""
        return self.state == "done" and self.verdict is not None

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return self.state in ("done", "cancelled")

    @property
    def leased(self) -> bool:
        """Whether it is held under a lease that nobody has ended yet."""
        return self.state == "held" and self.lease is not None and self.lease.active

    def held_by(self, name: str) -> bool:
        return self.state == "held" and self.owner is not None and same(self.owner, name)

    @property
    def concerned(self) -> frozenset[str]:
        """Whose business it is while there is something to do: owner and verifier, folded."""
        return frozenset(fold(name) for name in (self.owner, self.verifier) if name and not self.over)


@dataclass(frozen=True, slots=True)
class Note:
    at: Instant
    by: Name
    text: str


@dataclass(slots=True)
class Board:
    tasks: dict[TaskId, Task] = field(default_factory=dict)
    """In the order in which they were added."""
    notes: dict[TaskId, list[Note]] = field(default_factory=dict)
    """What was written on a task over time, newest last, at most 20 a task (W-19); the log has them all."""
    last_number: int = 0
    """The highest number in use, or used once, as `T-<number>`."""
    removed: dict[TaskId, Instant] = field(default_factory=dict)
    """Ids that were used once, and when their task was removed: what refers to them must not come to mean another."""
    changed_at: Instant = Instant(0)
    """When a task was last added, changed or removed (protocol §2.1)."""
    progressed_at: Instant | None = None
    """When a task last came to another state (agent-room §4.9)."""
    version: int = 0
    """How many facts the board has seen."""
    tokens: int = 0
    """The highest token a lease was granted under."""
    concerns: dict[str, tuple[TaskId, ...]] = field(default_factory=dict)
    """The unfinished tasks of each member, as owner or verifier, by folded name."""
    timed: dict[TaskId, None] = field(default_factory=dict)
    """The tasks that something happens to when nothing happens: held, or submitted."""
    due: Instant | None = None
    """When the first of those has its time; kept, because every wish asks for it."""
    due_task: TaskId | None = None
    """Whose time that is."""
    seen: dict[str, Instant] = field(default_factory=dict)
    """When each member that `concerns` names has last done something here."""
    silent: dict[TaskId, Instant] = field(default_factory=dict)
    """Held tasks whose holder was asked about its silence, and when; until it does something."""
    completed_at: Instant | None = None
    """When the room was told that everything is done; None again when something is to do."""

    def find(self, id: str) -> Task:
        """Raises UnknownTask."""
        task = self.tasks.get(TaskId(id))
        if task is None:
            raise UnknownTask(task=id)
        return task

    def missing(self, task: Task) -> list[str]:
        """Dependencies that are on no board: they keep the task blocked, so views report them (W-21)."""
        return [id for id in task.depends_on if id not in self.tasks]

    def dependents(self, id: str) -> list[TaskId]:
        return [task.id for task in self.tasks.values() if id in task.depends_on]

    def of(self, name: str) -> list[Task]:
        """The unfinished tasks that a member owns or is to verify, oldest first."""
        found = (self.tasks.get(id) for id in self.concerns.get(fold(name), ()))
        return sorted((task for task in found if task), key=lambda task: task.opened_at)

    def last_sign(self, task: Task) -> Instant:
        """When whoever holds a task has last done something, at the earliest when it took it."""
        seen = self.seen.get(fold(task.owner), Instant(0)) if task.owner else Instant(0)
        return max(seen, task.held_since or task.changed_at)

    def held_until(self, task: Task) -> Instant | None:
        """When the lease a task is held under ends, as it stands; None if it is held without."""
        return task.lease.until(self.last_sign(task)) if task.lease is not None and task.leased else None


@dataclass(frozen=True, slots=True)
class OpenTask(Command):
    title: str
    description: str = ""
    depends_on: tuple[str, ...] = ()
    priority: int | None = None
    id: str = ""
    """Left empty, it is the next number."""
    owner: str | None = None
    """Whom it is meant for."""
    verifier: str | None = None
    dod: str | None = None
    """Definition of done. With it or a verifier, only another member's verdict makes the task done."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A task a template or playbook adds: dependencies are indexes into its own list."""

    title: str
    description: str = ""
    priority: int | None = None
    depends_on: tuple[int, ...] = ()
    owner: Name | None = None
    """A member, or a role of the playbook."""
    verifier: Name | None = None
    dod: str | None = None


NOBODY = ""
"""As an owner: clear it. (None leaves it as it is; no member can have the empty name.)"""


@dataclass(frozen=True, slots=True)
class MoveTask(Command):
    """Bring a task to a state; optionally change its owner and write a note on it."""

    task: str
    to: PlanState
    owner: str | None = None
    """A name, NOBODY to clear it, or None to keep it."""
    note: str | None = None
    takeover: bool = False
    """Take it even if another member has it in progress."""
    expected_state: TaskState | None = None
    """Refuse if the state is another. `held` also fits submitted and rejected, which a plan of four states shows so."""
    expected_owner: str | None = None
    """Refuse if the owner is another: a name, NOBODY, or None to expect nothing."""
    token: int | None = None
    """Of the lease it is held under; needed to finish a task that is."""


@dataclass(frozen=True, slots=True)
class PrioritizeTask(Command):
    task: str
    priority: int


@dataclass(frozen=True, slots=True)
class LinkTask(Command):
    """Make a task wait for another."""

    task: str
    depends_on: str


@dataclass(frozen=True, slots=True)
class RemoveTask(Command):
    task: str


@dataclass(frozen=True, slots=True)
class TaskFact(Event):
    """Something happened to a task; `task` is how it stands afterwards."""

    task: Task

    @property
    def deed(self) -> bool:
        """Whether somebody did it; what time does is no news from the members."""
        return True

    @property
    def line(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class TaskOpened(TaskFact):
    seeded: bool = False
    """Part of a template, which the room is told of once as a whole."""

    @property
    def told(self) -> bool:
        return not self.seeded

    @property
    def line(self) -> bool:
        return not self.seeded


@dataclass(frozen=True, slots=True)
class TaskChanged(TaskFact):
    """The common part of the facts below, never a fact itself."""

    was: TaskState
    note: str | None = None


@dataclass(frozen=True, slots=True)
class TaskNotice(TaskFact):
    """Something to know about a task that nobody has done; the common part of such facts."""

    @property
    def deed(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class TaskClaimed(TaskChanged):
    pass


@dataclass(frozen=True, slots=True)
class TaskReturned(TaskChanged):
    """It is open again."""


@dataclass(frozen=True, slots=True)
class TaskBlocked(TaskChanged):
    pass


@dataclass(frozen=True, slots=True)
class TaskFinished(TaskChanged):
    pass


@dataclass(frozen=True, slots=True)
class TaskReassigned(TaskChanged):
    """Its owner changed and nothing else."""


@dataclass(frozen=True, slots=True)
class TaskDescribed(TaskChanged):
    pass


@dataclass(frozen=True, slots=True)
class TaskPrioritized(TaskChanged):
    pass


@dataclass(frozen=True, slots=True)
class TaskLinked(TaskChanged):
    pass


@dataclass(frozen=True, slots=True)
class TaskRemoved(TaskFact):
    dependents: tuple[TaskId, ...] = ()
    """Tasks that still name it as a dependency (W-21)."""
