"""The board: how tasks come and go, which rules there are for them, and what their facts change.

    open -> held -> submitted -> done          blocked, rejected and cancelled on the side
     +-------+----------------->-+

A task moves freely (`moving`) unless it has a verifier or a definition of done: then it is proven (`proving`). Who
holds it is in `holding` and `handing`, which one to take next in `picking`, what ends a claim by itself in `silence`,
what stops it in `halting`, what it waits for in `dependencies`.
"""

import re
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, fields, replace
from typing import Any

from stateroom.core import dependencies, halting, handing, holding, limits, moving, picking, proving, silence
from stateroom.core.dependencies import refuse_circle
from stateroom.core.evidence import blank
from stateroom.core.gates import Rules, apart, spelled
from stateroom.core.here import Event, Here, LogEntry
from stateroom.core.ids import Name, Position, TaskId
from stateroom.core.refusals import BadTaskId, TaskExists, TooLong
from stateroom.core.tasks import (
    Board,
    Draft,
    Note,
    OpenTask,
    PrioritizeTask,
    RemoveTask,
    Task,
    TaskChanged,
    TaskDescribed,
    TaskFact,
    TaskLinked,
    TaskOpened,
    TaskPrioritized,
    TaskReassigned,
    TaskRemoved,
)

NOTES_KEPT = 20
GIVEN_ID = re.compile(r"(?=.*[A-Za-z0-9])[A-Za-z0-9_.-]{1,64}")
NUMBERED = re.compile(r"T-([0-9]{1,9})")
GIVEN_NUMBER_LIMIT = 1_000_000
"""An id of a caller's own choice may not use up the numbers that are drawn here."""


@dataclass(frozen=True, slots=True)
class BoardCompleted(Event):
    """Nothing is left to do: the last unfinished task has come to an end. Said once, until tasks are added."""

    done: int
    cancelled: int

    @property
    def told(self) -> bool:
        """A line of the conversation only: the Room Protocol's agents know their plan, and count its events."""
        return False

    @property
    def line(self) -> bool:
        return True


def open_task(board: Board, command: OpenTask, here: Here) -> list[Event]:
    if len(command.depends_on) > limits.DEPENDENCIES:
        raise TooLong(field="depends_on", size=len(command.depends_on), limit=limits.DEPENDENCIES, unit="tasks")
    for id in command.depends_on:
        limits.text("depends_on", id, limits.NAME_CHARS)
    id = _chosen(board, command.id) if command.id else _id(board.last_number + 1)
    task = _fresh(id, command.title, command.description, command.priority, here)
    task = replace(_with_roles(task, command, here), depends_on=tuple(dict.fromkeys(command.depends_on)))
    refuse_circle(board, task.id, task.depends_on)
    return [TaskOpened(task)]


def _chosen(board: Board, id: str) -> TaskId:
    """An id of the caller's own choice, never used before (gap 73). Raises BadTaskId, TaskExists."""
    if not GIVEN_ID.fullmatch(id):
        raise BadTaskId(task=id[:64], reason="it is too long or has other characters")
    if re.fullmatch("T-[0-9]+", id) and int(id.removeprefix("T-")) >= GIVEN_NUMBER_LIMIT:
        raise BadTaskId(task=id, reason=f"numbers after T- go up to {GIVEN_NUMBER_LIMIT - 1}")
    if TaskId(id) in board.tasks or TaskId(id) in board.removed:
        raise TaskExists(task=id)
    return TaskId(id)


def _with_roles(task: Task, command: OpenTask, here: Here) -> Task:
    """Raises OwnerIsVerifier, BadName, TooLong, BadText."""
    owner, verifier = (
        None if name is None or blank(name) else spelled(name, here.by or None)
        for name in (command.owner, command.verifier)
    )
    apart(owner, verifier)
    dod = limits.text("dod", command.dod or "", limits.DESCRIPTION_CHARS)
    return replace(task, owner=owner, verifier=verifier, dod=None if blank(dod) else dod)


def seed(board: Board, drafts: Iterable[Draft], here: Here) -> list[Event]:
    """The facts by which the tasks of a template or playbook join the board."""
    numbered = list(enumerate(drafts, board.last_number + 1))
    ids = [_id(number) for number, _ in numbered]
    return [
        TaskOpened(
            replace(
                _fresh(_id(number), draft.title, draft.description, draft.priority, here),
                depends_on=tuple(ids[index] for index in draft.depends_on),
                owner=draft.owner,
                verifier=draft.verifier,
                dod=draft.dod,
            ),
            seeded=True,
        )
        for number, draft in numbered
    ]


def _id(number: int) -> TaskId:
    return TaskId(f"T-{number:02d}")


def _fresh(id: TaskId, title: str, description: str, priority: int | None, here: Here) -> Task:
    return Task(
        id=id,
        title=limits.text("title", title, limits.TITLE_CHARS),
        description=limits.text("description", description, limits.DESCRIPTION_CHARS),
        state="open",
        owner=None,
        depends_on=(),
        priority=limits.priority(priority),
        opened_at=here.now,
        changed_at=here.now,
        opened_by=here.by,
    )


def prioritize(board: Board, command: PrioritizeTask, here: Here) -> list[Event]:
    task = board.find(command.task)
    limits.priority(command.priority)
    if task.priority == command.priority:
        return []
    return [TaskPrioritized(replace(task, priority=command.priority, changed_at=here.now), task.state)]


def remove(board: Board, command: RemoveTask, here: Here) -> list[Event]:
    task = board.find(command.task)
    halting.refuse_evidence(task)
    return [TaskRemoved(task, tuple(board.dependents(task.id)))]


def opened(board: Board, entry: LogEntry, event: TaskOpened) -> None:
    stands(board, entry, event)
    board.progressed_at = entry.at


def stands(board: Board, entry: LogEntry, event: TaskFact) -> None:
    _concern(board, board.tasks.get(event.task.id), event.task)
    board.tasks[event.task.id] = event.task
    silence.watch(board, event.task.id)
    _touched(board, entry, event)


def _concern(board: Board, before: Task | None, after: Task | None) -> None:
    """Keep whose business a task is, and whether time matters to it."""
    task = after or before
    if task is None:
        return  # the fact that opened it may have become unreadable
    if before is not None and after is not None and _stands_as(before) == _stands_as(after):
        return
    was, now = (one.concerned if one else frozenset[str]() for one in (before, after))
    for name in was - now:
        _forget(board, name, task.id)
    for name in now - was:
        board.concerns[name] = (*board.concerns.get(name, ()), task.id)
    board.timed.pop(task.id, None)
    if after is not None and after.state in ("held", "submitted"):
        board.timed[task.id] = None
    if after is None or after.state != "held" or before is None or before.owner != after.owner:
        board.silent.pop(task.id, None)


def _stands_as(task: Task) -> tuple[str, Name | None, Name | None]:
    """What decides whose business a task is."""
    return task.state, task.owner, task.verifier


def _forget(board: Board, name: str, id: TaskId) -> None:
    left = tuple(one for one in board.concerns[name] if one != id)
    if left:
        board.concerns[name] = left
    else:
        del board.concerns[name]
        board.seen.pop(name, None)


def _touched(board: Board, entry: LogEntry, event: TaskFact) -> None:
    """Any fact about a task uses up its number: the one that opened it may have become unreadable."""
    numbered = NUMBERED.fullmatch(event.task.id)
    board.last_number = max(board.last_number, int(numbered[1]) if numbered else 0)
    board.tokens = max(board.tokens, event.task.lease.token if event.task.lease else 0)
    if not event.task.over:
        board.completed_at = None
    board.changed_at = entry.at
    board.version += 1


def changed(board: Board, entry: LogEntry, event: TaskChanged) -> None:
    stands(board, entry, event)
    if event.task.state != event.was:
        board.progressed_at = entry.at
    if event.note is not None:
        notes = board.notes.setdefault(event.task.id, [])
        notes.append(Note(entry.at, entry.by, event.note))
        del notes[:-NOTES_KEPT]


def removed(board: Board, entry: LogEntry, event: TaskRemoved) -> None:
    _concern(board, board.tasks.pop(event.task.id, None), None)
    silence.watch(board, event.task.id)
    board.removed[event.task.id] = entry.at
    _touched(board, entry, event)
    board.notes.pop(event.task.id, None)


def completed(board: Board, entry: LogEntry, event: BoardCompleted) -> None:
    board.completed_at = entry.at


def completes(board: Board, events: list[Event]) -> list[Event]:
    """The fact that these have ended the last unfinished task, if so (agent-room §6.8)."""
    ends = {event.task.id: event.task for event in events if isinstance(event, TaskFact) and _ends(event)}
    gone = {event.task.id for event in events if isinstance(event, TaskRemoved)}
    if not ends:
        return []
    states = [task.state for id, task in {**board.tasks, **ends}.items() if id not in gone]
    if "done" not in states or not all(state in ("done", "cancelled") for state in states):
        return []
    return [BoardCompleted(states.count("done"), states.count("cancelled"))]


def _ends(event: TaskFact) -> bool:
    """Whether this takes an unfinished task off what is left to do."""
    if isinstance(event, TaskRemoved):
        return not event.task.over
    return isinstance(event, TaskChanged) and event.task.over and event.was not in ("done", "cancelled")


def after(board: Board, events: list[Event], here: Here) -> Board:
    """Another board, as it will be when these facts have been folded; the one given stays as it is."""
    found = Board(**{part.name: copy(getattr(board, part.name)) for part in fields(Board)})
    for event in events:
        FOLDS[type(event)](found, LogEntry(Position(0), 0, here.now, Name(here.by), here.via, "", event), event)
    return found


RULES: Rules = {
    OpenTask: open_task,
    PrioritizeTask: prioritize,
    RemoveTask: remove,
    **moving.RULES,
    **dependencies.RULES,
    **holding.RULES,
    **handing.RULES,
    **picking.RULES,
    **proving.RULES,
    **halting.RULES,
}
CHANGES: tuple[type[TaskChanged], ...] = (
    *moving.MOVES.values(),
    *(TaskReassigned, TaskDescribed, TaskPrioritized, TaskLinked),
    *holding.FACTS,
    *handing.FACTS,
    *silence.FACTS,
    *proving.FACTS,
    *halting.FACTS,
)
FOLDS: dict[type[Event], Callable[[Board, LogEntry, Any], None]] = {
    TaskOpened: opened,
    TaskRemoved: removed,
    BoardCompleted: completed,
    silence.ClaimStalled: silence.stalled,
    silence.VerdictOverdue: stands,
    **dict.fromkeys(CHANGES, changed),
}
