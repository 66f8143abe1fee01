"""What happens to a task when nothing happens to it (gaps 67 and 74; traps 4, 22, 24).

    held -> open      a grace after its lease has run out, with the old holder and its last sign of life on record
    held              asked about, once for each silence
    submitted         given to another verifier; which one is for `overdue` to find

Said by a tick; that a lease is over is said before anything else that anybody does.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from stateroom.core.claims import GRACE_MS, LEFT_MS, STALL_MS
from stateroom.core.gates import handed, moved
from stateroom.core.here import Event, Here, LogEntry, Unreadable
from stateroom.core.ids import Instant, Name, TaskId
from stateroom.core.members import MemberLeft, MemberRemoved, fold, same
from stateroom.core.tasks import Board, Task, TaskChanged, TaskNotice


@dataclass(frozen=True, slots=True)
class TaskLapsed(TaskChanged):
    """Its holder's lease has run out, so it is open again."""

    holder: Name = Name("")
    seen: Instant = Instant(0)
    """The holder's last sign of life."""

    @property
    def deed(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class ClaimStalled(TaskNotice):
    """Its holder has done nothing here for a while."""

    seen: Instant = Instant(0)
    """The holder's last sign of life."""


@dataclass(frozen=True, slots=True)
class TaskRerouted(TaskChanged):
    """Its verdict is overdue, so another member is asked for it."""

    asked: Name | None = None
    """Who was asked before."""

    @property
    def deed(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class VerdictOverdue(TaskNotice):
    """Its verdict is overdue, and nobody is here who could give it."""

    since: Instant = Instant(0)
    """When it was submitted."""


def lapses(board: Board, here: Here) -> list[Event]:
    """The claims whose lease is over by now, grace included."""
    if board.due is None or board.due > here.now:
        return []
    nobody = replace(here, by=Name(""))  # whoever comes next has not taken it away
    return [_lapsed(board, task, nobody) for task in _held(board) if _over_at(board, task) <= here.now]


def _held(board: Board) -> Iterator[Task]:
    return (task for id in board.timed if (task := board.tasks[id]).state == "held" and task.owner is not None)


def _over_at(board: Board, task: Task) -> float:
    """When its claim ends by itself: a grace after its lease; never without one."""
    until = board.held_until(task)
    return float("inf") if until is None else until + GRACE_MS


def _lapsed(board: Board, task: Task, here: Here) -> TaskLapsed:
    lease = replace(task.lease, status="expired", ended_at=here.now) if task.lease else None
    after = replace(handed(moved(task, "open", here), "owner", None, here), lease=lease)
    return TaskLapsed(after, task.state, None, task.owner or Name(""), board.last_sign(task))


def stalls(board: Board, here: Here) -> list[Event]:
    """The claims that are still good, and whose holders have been silent for too long to be left alone."""
    return [
        ClaimStalled(task, board.last_sign(task))
        for task in _held(board)
        if _stalls_at(board, task) <= here.now < _over_at(board, task)
    ]


def _stalls_at(board: Board, task: Task) -> float:
    return float("inf") if task.id in board.silent else board.last_sign(task) + STALL_MS


def watch(board: Board, id: TaskId) -> None:
    """Keep `board.due` after something about this task has changed. O(1), unless it was the one that came first."""
    due = _due(board, board.tasks[id]) if id in board.timed else None
    if board.due_task == id:
        times = ((_due(board, board.tasks[one]), one) for one in board.timed)
        board.due, board.due_task = min(((at, one) for at, one in times if at is not None), default=(None, None))
    elif due is not None and (board.due is None or due < board.due):
        board.due, board.due_task = due, id


def _due(board: Board, task: Task) -> Instant | None:
    """When its claim ends by itself, its holder is to be asked, or its verdict is overdue."""
    if task.state == "submitted":
        return task.review_due
    soonest = min(_over_at(board, task), _stalls_at(board, task)) if task.owner is not None else float("inf")
    return None if soonest == float("inf") else Instant(int(soonest))


def submitted(board: Board) -> Iterator[Task]:
    """The tasks that wait for a verdict, in the order in which they came to."""
    return (task for id in board.timed if (task := board.tasks[id]).state == "submitted")


def stalled(board: Board, entry: LogEntry, event: ClaimStalled) -> None:
    board.silent[event.task.id] = entry.at
    watch(board, event.task.id)


def noticed(board: Board, entry: LogEntry) -> None:
    """Whatever a member does here is a sign of life: its claims go on, and it need not be asked. Its verdicts are not
    waited for when it leaves. What can not be read may have been a grant: its token is not given again (trap 24)."""
    if isinstance(entry.event, Unreadable):
        board.tokens += 1
    if isinstance(entry.event, MemberLeft | MemberRemoved):
        _left(board, entry, entry.event.name)
        if same(entry.event.name, entry.by):
            return
    me = fold(entry.by) if entry.by and board.concerns else ""
    if me not in board.concerns:
        return
    board.seen[me] = entry.at
    if board.silent or board.due_task in board.concerns[me]:
        for id in board.concerns[me]:
            if board.tasks[id].held_by(entry.by):
                board.silent.pop(id, None)
                watch(board, id)


def _left(board: Board, entry: LogEntry, name: Name) -> None:
    for id in board.concerns.get(fold(name), ()):
        task = board.tasks[id]
        if task.review_due is not None and task.verifier is not None and same(task.verifier, name):
            due = Instant(min(task.review_due, entry.at + LEFT_MS))
            board.tasks[id] = replace(task, review_due=due)
            watch(board, id)


FACTS = (TaskLapsed, TaskRerouted)
