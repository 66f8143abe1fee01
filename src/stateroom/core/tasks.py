"""Tasks: what one is, what can be wished of it, and what can happen to it. The rules are in `board`.

Each fact carries the task as it stands afterwards, so that a view of any one entry needs no other; the fact's name
says what happened.
"""

from dataclasses import dataclass, field
from typing import Literal

from stateroom.core.here import Command, Event
from stateroom.core.ids import Instant, Name, TaskId
from stateroom.core.refusals import UnknownTask

TaskState = Literal["open", "held", "done", "blocked"]


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
    changed_at: Instant = Instant(0)
    """When a task was last added, changed or removed (protocol §2.1)."""

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


@dataclass(frozen=True, slots=True)
class OpenTask(Command):
    title: str
    description: str = ""
    depends_on: tuple[str, ...] = ()
    priority: int | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A task a template adds: dependencies are indexes into the template's own list."""

    title: str
    description: str
    priority: int | None = None
    depends_on: tuple[int, ...] = ()


NOBODY = ""
"""As an owner: clear it. (None leaves it as it is; no member can have the empty name.)"""


@dataclass(frozen=True, slots=True)
class MoveTask(Command):
    """Bring a task to a state; optionally change its owner and write a note on it."""

    task: str
    to: TaskState
    owner: str | None = None
    """A name, NOBODY to clear it, or None to keep it."""
    note: str | None = None
    takeover: bool = False
    """Take it even if another member has it in progress."""
    expected_state: TaskState | None = None
    expected_owner: str | None = None
    """Refuse if the owner is another: a name, NOBODY, or None to expect nothing."""


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
