"""What to do next: which tasks are ready, and taking the best of them in one step, so that no two members who ask at
the same moment are given the same (traps 19, 21, 25).
"""

from dataclasses import dataclass

from stateroom.core.claims import LEASE_SECONDS
from stateroom.core.gates import Rules, actor, are_same, spelled
from stateroom.core.here import Command, Event, Here
from stateroom.core.holding import take
from stateroom.core.ids import Name, TaskId
from stateroom.core.members import same
from stateroom.core.tasks import Board, Task


@dataclass(frozen=True, slots=True)
class NextTask(Command):
    """Claim the best task that whoever asks may do, under a lease. Whoever holds one already goes on with that: one at
    a time (trap 25)."""

    lease_s: int = LEASE_SECONDS


def ready(board: Board) -> list[Task]:
    """Open tasks whose dependencies are all on the board and done, most important first, then in plan order (W-20)."""
    tasks = [task for task in board.tasks.values() if task.state == "open" and _met(board, task)]
    return sorted(tasks, key=lambda task: (task.priority is None, task.priority or 0))


def _met(board: Board, task: Task) -> bool:
    """A dependency that is on no board counts as unmet (protocol §1, guarantee 5)."""
    return all(id in board.tasks and board.tasks[TaskId(id)].state == "done" for id in task.depends_on)


def best(board: Board, name: Name) -> Task | None:
    """The ready task this member should take: not meant for another, not its own to rule on; at the same priority what
    is meant for it comes first."""
    mine = [task for task in ready(board) if task.owner is None or same(task.owner, name)]
    mine = [task for task in mine if not are_same(task.verifier, name)]
    return min(mine, key=lambda task: (task.priority is None, task.priority or 0, task.owner is None), default=None)


def at_work(board: Board, name: Name) -> Task | None:
    """The task a member is to go on with before it takes another: what was rejected first, then what it holds."""
    own = [task for task in board.of(name) if are_same(task.owner, name)]
    return next((task for state in ("rejected", "held") for task in own if task.state == state), None)


def next_task(board: Board, command: NextTask, here: Here) -> list[Event]:
    by = actor(here)
    task = None if at_work(board, by) else best(board, by)
    return [] if task is None else [take(board, task, spelled(by, task.owner), command.lease_s, here)]


RULES: Rules = {NextTask: next_task}
