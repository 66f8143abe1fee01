"""The board's rules: how tasks come, move and go.

    open -> held -> done
     ^       |  \
     |       v   blocked
     +-------+

A claim is atomic: a task in progress is taken from its holder only by saying so (W-18). What would change nothing
has no fact (W-24). Tasks never wait for each other in a circle (W-21).
"""

from collections.abc import Iterable
from dataclasses import replace

from stateroom.core import limits
from stateroom.core.here import Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, TaskId
from stateroom.core.members import same
from stateroom.core.refusals import (
    DependencyCycle,
    SelfDependency,
    TaskHeld,
    TaskMoved,
    TooLong,
    UnknownDependency,
)
from stateroom.core.tasks import (
    NOBODY,
    Board,
    Draft,
    LinkTask,
    MoveTask,
    Note,
    OpenTask,
    PrioritizeTask,
    RemoveTask,
    Task,
    TaskBlocked,
    TaskChanged,
    TaskClaimed,
    TaskDescribed,
    TaskFact,
    TaskFinished,
    TaskLinked,
    TaskOpened,
    TaskPrioritized,
    TaskReassigned,
    TaskRemoved,
    TaskReturned,
    TaskState,
)

NOTES_KEPT = 20

MOVES: dict[TaskState, type[TaskChanged]] = {
    "open": TaskReturned,
    "held": TaskClaimed,
    "done": TaskFinished,
    "blocked": TaskBlocked,
}


def open_task(board: Board, command: OpenTask, here: Here) -> list[Event]:
    if len(command.depends_on) > limits.DEPENDENCIES:
        raise TooLong(field="depends_on", size=len(command.depends_on), limit=limits.DEPENDENCIES, unit="tasks")
    for id in command.depends_on:
        limits.text("depends_on", id, limits.NAME_CHARS)
    task = _fresh(board.last_number + 1, command.title, command.description, command.priority, here)
    task = replace(task, depends_on=tuple(dict.fromkeys(command.depends_on)))
    _refuse_circle(board, task.id, task.depends_on)
    return [TaskOpened(task)]


def seed(board: Board, drafts: Iterable[Draft], here: Here) -> list[Event]:
    """The facts by which a template's tasks join the board."""
    numbered = list(enumerate(drafts, board.last_number + 1))
    ids = [_id(number) for number, _ in numbered]
    return [
        TaskOpened(
            replace(
                _fresh(number, draft.title, draft.description, draft.priority, here),
                depends_on=tuple(ids[index] for index in draft.depends_on),
            ),
            seeded=True,
        )
        for number, draft in numbered
    ]


def _id(number: int) -> TaskId:
    return TaskId(f"T-{number:02d}")


def _fresh(number: int, title: str, description: str, priority: int | None, here: Here) -> Task:
    return Task(
        id=_id(number),
        title=limits.text("title", title, limits.TITLE_CHARS),
        description=limits.text("description", description, limits.DESCRIPTION_CHARS),
        state="open",
        owner=None,
        depends_on=(),
        priority=priority,
        opened_at=here.now,
        changed_at=here.now,
    )


def move(board: Board, command: MoveTask, here: Here) -> list[Event]:
    task = board.find(command.task)
    _refuse_surprise(task, command)
    owner = _owner(task, command, here)
    _refuse_theft(task, owner, command, here)
    described = (
        task.description if command.note is None else limits.text("note", command.note, limits.DESCRIPTION_CHARS)
    )
    after = replace(
        task,
        state=command.to,
        owner=owner,
        description=described,
        held_since=_held_since(task, command.to, owner, here),
    )
    if after == task:
        return []  # nothing changed, so nothing happened (W-24)
    return [_kind_of_move(task, after)(replace(after, changed_at=here.now), task.state, command.note)]


def _kind_of_move(task: Task, after: Task) -> type[TaskChanged]:
    if after.state != task.state:
        return MOVES[after.state]
    if after.owner != task.owner:
        return TaskClaimed if after.state == "held" else TaskReassigned
    return TaskDescribed


def _owner(task: Task, command: MoveTask, here: Here) -> Name | None:
    if command.owner is None:
        claims = command.to == "held" and task.owner is None
        return (here.by or None) if claims else task.owner
    if command.owner == NOBODY:
        return None
    spelled = (task.owner, here.by)  # another spelling of a name we know is the same name
    return next((name for name in spelled if name and same(name, command.owner)), None) or limits.name(command.owner)


def _held_since(task: Task, to: TaskState, owner: Name | None, here: Here) -> Instant | None:
    if to != "held":
        return None
    return task.held_since if task.state == "held" and task.owner == owner else here.now


def _refuse_surprise(task: Task, command: MoveTask) -> None:
    """Compare-and-set for callers who act on what they read earlier (W-18)."""
    if command.expected_state not in (None, task.state):
        raise TaskMoved(task=task.id, field="status", actual=task.state, expected=command.expected_state)
    if command.expected_owner is not None and not same(task.owner or NOBODY, command.expected_owner):
        raise TaskMoved(task=task.id, field="owner", actual=task.owner, expected=command.expected_owner)


def _refuse_theft(task: Task, owner: Name | None, command: MoveTask, here: Here) -> None:
    held = task.state == "held" and task.owner is not None
    if held and owner and not command.takeover and not same(task.owner or NOBODY, owner):
        held_s = (here.now - (task.held_since or here.now)) // 1000
        raise TaskHeld(task=task.id, holder=task.owner, held_s=held_s)


def prioritize(board: Board, command: PrioritizeTask, here: Here) -> list[Event]:
    task = board.find(command.task)
    if task.priority == command.priority:
        return []
    return [TaskPrioritized(replace(task, priority=command.priority, changed_at=here.now), task.state)]


def link(board: Board, command: LinkTask, here: Here) -> list[Event]:
    if TaskId(command.depends_on) not in board.tasks:
        raise UnknownDependency(task=command.depends_on)
    task = board.find(command.task)
    if command.depends_on in task.depends_on:
        return []
    _refuse_circle(board, task.id, (command.depends_on,))
    if len(task.depends_on) >= limits.DEPENDENCIES:
        raise TooLong(field="depends_on", size=limits.DEPENDENCIES + 1, limit=limits.DEPENDENCIES, unit="tasks")
    after = replace(task, depends_on=(*task.depends_on, command.depends_on), changed_at=here.now)
    return [TaskLinked(after, task.state)]


def _refuse_circle(board: Board, id: TaskId, depends_on: tuple[str, ...]) -> None:
    """Walk what `id` would wait for; meeting `id` again would close a circle (W-21)."""
    if id in depends_on:
        raise SelfDependency(task=id)
    paths: list[tuple[str, ...]] = [(step,) for step in depends_on]
    seen = set(depends_on)
    while paths:
        path = paths.pop()
        task = board.tasks.get(TaskId(path[-1]))
        for step in task.depends_on if task else ():
            if step == id:
                raise DependencyCycle(task=id, depends_on=path[0], circle=" → ".join((id, *path, id)))
            if step not in seen:
                seen.add(step)
                paths.append((*path, step))


def remove(board: Board, command: RemoveTask, here: Here) -> list[Event]:
    task = board.find(command.task)
    return [TaskRemoved(task, tuple(board.dependents(task.id)))]


def stands(board: Board, entry: LogEntry, event: TaskFact) -> None:
    board.tasks[event.task.id] = event.task
    _touched(board, entry, event)


def _touched(board: Board, entry: LogEntry, event: TaskFact) -> None:
    """Any fact about a task uses up its number: the one that opened it may have become unreadable."""
    board.last_number = max(board.last_number, int(event.task.id.removeprefix("T-")))
    board.changed_at = entry.at


def changed(board: Board, entry: LogEntry, event: TaskChanged) -> None:
    stands(board, entry, event)
    if event.note is not None:
        notes = board.notes.setdefault(event.task.id, [])
        notes.append(Note(entry.at, entry.by, event.note))
        del notes[:-NOTES_KEPT]


def removed(board: Board, entry: LogEntry, event: TaskRemoved) -> None:
    board.tasks.pop(event.task.id, None)
    _touched(board, entry, event)
    board.notes.pop(event.task.id, None)


RULES = {OpenTask: open_task, MoveTask: move, PrioritizeTask: prioritize, LinkTask: link, RemoveTask: remove}
FOLDS = {
    TaskOpened: stands,
    TaskRemoved: removed,
    **dict.fromkeys([*MOVES.values(), TaskReassigned, TaskDescribed, TaskPrioritized, TaskLinked], changed),
}
