"""The plan's own way of working: bring a task to a state, perhaps with an owner and a note (protocol, update_task).

A claim is atomic: a task in progress is taken from its holder only by saying so (W-18). What would change nothing
has no fact (W-24). What needs proof is not moved to done.
"""

from dataclasses import replace

from stateroom.core import limits
from stateroom.core.evidence import Halt
from stateroom.core.gates import (
    Rules,
    apart,
    check_token,
    expect,
    needs_proof,
    next_step,
    refuse_verifier,
    released,
    spelled,
)
from stateroom.core.here import Event, Here
from stateroom.core.holding import held_by_another, taken
from stateroom.core.ids import Instant, Name
from stateroom.core.members import same
from stateroom.core.refusals import TaskDoneImmutable, TaskMoved, TaskNeedsProof
from stateroom.core.tasks import (
    NOBODY,
    Board,
    MoveTask,
    PlanState,
    Task,
    TaskBlocked,
    TaskChanged,
    TaskClaimed,
    TaskDescribed,
    TaskFinished,
    TaskReassigned,
    TaskReturned,
    TaskState,
)

MOVES: dict[PlanState, type[TaskChanged]] = {
    "open": TaskReturned,
    "held": TaskClaimed,
    "done": TaskFinished,
    "blocked": TaskBlocked,
}
IN_HAND: tuple[TaskState, ...] = ("held", "submitted", "rejected")
"""What a plan of four states shows as in progress."""


def move(board: Board, command: MoveTask, here: Here) -> list[Event]:
    task = board.find(command.task)
    _refuse_surprise(task, command)
    owner = _owner(task, command, here)
    _refuse_theft(board, task, owner, command, here)
    described = (
        task.description if command.note is None else limits.text("note", command.note, limits.DESCRIPTION_CHARS)
    )
    after = replace(
        taken(task, owner, here),
        state=command.to,
        description=described,
        held_since=_held_since(task, command.to, owner, here),
        blocked=_halt(task, command, here),
    )
    if after == task:
        return []  # nothing changed, so nothing happened (W-24)
    after = _unclaimed(task, after, here)
    _refuse_shortcut(task, after, here)
    if after.state == "done" and not (command.takeover and task.leased):
        check_token(task, command.token)
    return [_kind_of_move(task, after, command.to)(replace(after, changed_at=here.now), task.state, command.note)]


def _unclaimed(task: Task, after: Task, here: Here) -> Task:
    """A claim ends with the work; whoever takes a task this way holds it without a lease."""
    if after.state != "held":
        return released(after, here)
    return after if task.state == "held" and task.owner == after.owner else replace(after, lease=None, handoff=None)


def _kind_of_move(task: Task, after: Task, to: PlanState) -> type[TaskChanged]:
    if after.state != task.state:
        return MOVES[to]
    if after.owner != task.owner:
        return TaskClaimed if after.state == "held" else TaskReassigned
    return TaskDescribed


def _owner(task: Task, command: MoveTask, here: Here) -> Name | None:
    if command.owner is None:
        claims = command.to == "held" and task.owner is None
        return (here.by or None) if claims else task.owner
    if command.owner == NOBODY:
        return None
    return spelled(command.owner, task.owner, task.verifier, here.by or None)


def _held_since(task: Task, to: PlanState, owner: Name | None, here: Here) -> Instant | None:
    if to != "held":
        return None
    return task.held_since if task.state == "held" and task.owner == owner else here.now


def _halt(task: Task, command: MoveTask, here: Here) -> Halt | None:
    if command.to != "blocked":
        return None
    return task.blocked if task.state == "blocked" else Halt(here.by, here.now, command.note or "")


def _refuse_shortcut(task: Task, after: Task, here: Here) -> None:
    """No way around a verdict (agent-room §6.1). Raises TaskNeedsProof, TaskStateWrong, TaskDoneImmutable,
    OwnerIsVerifier, VerifierCannotClaim."""
    if task.proven:
        raise TaskDoneImmutable(task=task.id, state=task.state, next=next_step(task))
    if after.state == "done" and needs_proof(task, here) and task.state not in ("cancelled", "done"):
        raise TaskNeedsProof(task=task.id, next=_proof(task))
    expect(task, "moved", "open", "held", "blocked", "rejected", "done")
    if after.state == "held":
        refuse_verifier(task, after.owner)
    apart(after.owner, after.verifier)


def _proof(task: Task) -> str:
    """The calls by which a task becomes done from where it stands."""
    if task.state in ("submitted", "rejected"):
        return next_step(task)
    return (
        f'Its owner calls room_task(action: "submit", id: "{task.id}", fileListing, fileExcerpt, and runOutput with '
        f'exitCode, or checks), then another member room_task(action: "verify", id: "{task.id}", verdict: "done")'
    )


def _refuse_surprise(task: Task, command: MoveTask) -> None:
    """Compare-and-set for callers who act on what they read earlier (W-18)."""
    expected = IN_HAND if command.expected_state == "held" else (command.expected_state, None)
    if command.expected_state is not None and task.state not in expected:
        raise TaskMoved(task=task.id, field="status", actual=task.state, expected=command.expected_state)
    if command.expected_owner is not None and not same(task.owner or NOBODY, command.expected_owner):
        raise TaskMoved(task=task.id, field="owner", actual=task.owner, expected=command.expected_owner)


def _refuse_theft(board: Board, task: Task, owner: Name | None, command: MoveTask, here: Here) -> None:
    """What another holds is taken from it only by saying so (W-18); what it holds under a lease is not moved either."""
    held = task.state in ("held", "rejected") and task.owner is not None
    if not held or command.takeover:
        return
    if (owner and not same(task.owner or NOBODY, owner)) or (task.leased and not task.held_by(here.by)):
        raise held_by_another(board, task, here)


RULES: Rules = {MoveTask: move}
