"""Which tasks wait for which. They never wait for each other in a circle (W-21)."""

from dataclasses import replace

from stateroom.core import limits
from stateroom.core.gates import Rules
from stateroom.core.here import Event, Here
from stateroom.core.ids import TaskId
from stateroom.core.refusals import DependencyCycle, SelfDependency, TooLong, UnknownDependency
from stateroom.core.tasks import Board, LinkTask, TaskLinked


def link(board: Board, command: LinkTask, here: Here) -> list[Event]:
    if TaskId(command.depends_on) not in board.tasks:
        raise UnknownDependency(task=command.depends_on)
    task = board.find(command.task)
    if command.depends_on in task.depends_on:
        return []
    refuse_circle(board, task.id, (command.depends_on,))
    if len(task.depends_on) >= limits.DEPENDENCIES:
        raise TooLong(field="depends_on", size=limits.DEPENDENCIES + 1, limit=limits.DEPENDENCIES, unit="tasks")
    after = replace(task, depends_on=(*task.depends_on, command.depends_on), changed_at=here.now)
    return [TaskLinked(after, task.state)]


def refuse_circle(board: Board, id: TaskId, depends_on: tuple[str, ...]) -> None:
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


RULES: Rules = {LinkTask: link}
