"""The plan: the board under the Room Protocol's names."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from stateroom.core.lobby import RoomCard
from stateroom.core.tasks import (
    NOBODY,
    LinkTask,
    MoveTask,
    OpenTask,
    PrioritizeTask,
    RemoveTask,
    TaskFact,
    TaskRemoved,
)
from stateroom.core.views.board import mine, unblocked
from stateroom.engine.execute import Outcome
from stateroom.faces.mcp.desk import Desk
from stateroom.faces.mcp.room_protocol.arguments import Asked, Id, InRoom, given
from stateroom.faces.mcp.room_protocol.pages import Page, Paged, Pages, Part, noted, page, said, slim_task
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import STATE, Shape, plan_shape, task_shape

PLAN_FRAME_BYTES = 300
"""What a plan takes beside its tasks."""
Status = Literal["pending", "in_progress", "done", "blocked"]


class UpdateTask(InRoom, kw_only=True):
    taskId: str
    status: Status
    owner: str | UnsetType | None = UNSET
    note: str | UnsetType = UNSET
    takeover: bool = False
    expectedStatus: Status | UnsetType = UNSET
    expectedOwner: str | UnsetType | None = UNSET
    token: int | UnsetType = UNSET
    agentId: str | UnsetType = UNSET
    requestId: str = ""


class AddTask(InRoom, kw_only=True):
    title: str
    description: str
    depends_on: tuple[str, ...] = ()
    priority: int | UnsetType = UNSET
    agentId: str | UnsetType = UNSET
    requestId: str = ""


class OneTask(InRoom, kw_only=True):
    taskId: Id


class Unblocked(Paged, kw_only=True):
    agentId: Id | UnsetType = UNSET


class Mine(Paged, kw_only=True):
    agentId: Id


class ATask(Asked, kw_only=True):
    taskId: Id


class Prioritize(ATask, kw_only=True):
    priority: int


class Depend(ATask, kw_only=True):
    dependsOn: Id


async def read_plan(desk: Desk, args: Paged) -> Any:
    """The whole plan: every task with status, owner, dependencies. Opens the room if it is new."""
    card = await desk.enter(args.roomId)  # the dashboard's way to claim a room (protocol, read_plan)
    plan = await desk.engine.view(card, lambda room: plan_shape(room, card.room_id, desk.engine.clock()))
    shown = _page(desk, plan["tasks"], args, "read_plan(", PLAN_FRAME_BYTES)
    return noted({**plan, "tasks": shown.items}, shown.note)


def _page(desk: Desk, tasks: list[Shape], args: Part, call: str, taken: int = 0) -> Page:
    return page(desk, tasks, args, call, taken, lambda task: slim_task(desk, task))


async def update_task(desk: Desk, args: UpdateTask) -> Shape:
    """Set a task's status; with owner, claim it. Refused if another agent has it in progress (takeover overrides);
    token: of the lease it is held under, to finish it."""
    card = await desk.enter(args.roomId)
    command = MoveTask(
        task=args.taskId,
        to=STATE[args.status],
        owner=_owner(args.owner),
        note=None if isinstance(args.note, UnsetType) else args.note,
        takeover=args.takeover,
        expected_state=None if isinstance(args.expectedStatus, UnsetType) else STATE[args.expectedStatus],
        expected_owner=_owner(args.expectedOwner),
        token=None if isinstance(args.token, UnsetType) else args.token,
    )
    by = desk.me(given(args.agentId) or (args.owner if isinstance(args.owner, str) else ""))
    return await _standing(desk, card, args.taskId, await desk.wish(card, command, by, args.requestId))


def _owner(owner: str | UnsetType | None) -> str | None:
    """Left out: keep it. Null: clear it (W-19)."""
    if isinstance(owner, UnsetType):
        return None
    return NOBODY if owner is None else owner


async def _standing(desk: Desk, card: RoomCard, task_id: str, outcome: Outcome) -> Shape:
    """The task as this very call left it; as it stands if nothing had to change."""
    facts = [entry.event for entry in outcome.entries if isinstance(entry.event, TaskFact)]

    def shape(room: Any) -> Shape:
        return task_shape(facts[-1].task if facts else room.board.find(task_id), room.board)

    return slim_task(desk, await desk.engine.view(card, shape))


async def add_task(desk: Desk, args: AddTask) -> Shape:
    """Append a task to the plan: pending, unowned. depends_on takes task ids."""
    card = await desk.enter(args.roomId)
    priority = None if isinstance(args.priority, UnsetType) else args.priority
    command = OpenTask(args.title, args.description, args.depends_on, priority)
    outcome = await desk.wish(card, command, desk.me(given(args.agentId)), args.requestId)
    return await _standing(desk, card, "", outcome)


async def get_task(desk: Desk, args: OneTask) -> Shape:
    """One task by id."""
    return await desk.look(args.roomId, lambda room: task_shape(room.board.find(args.taskId), room.board))


async def get_unblocked_tasks(desk: Desk, args: Unblocked) -> Any:
    """Pending tasks whose dependencies are all done, most important first; with agentId, only free or own ones."""
    agent = desk.me(given(args.agentId))
    tasks = await desk.look(
        args.roomId, lambda room: [task_shape(t, room.board) for t in unblocked(room, agent)], agent
    )
    shown = _page(desk, tasks, args, "get_unblocked_tasks(" + (f'agentId: "{said(agent)}", ' if agent else ""))
    return noted(shown.items, shown.note)


async def get_my_tasks(desk: Desk, args: Mine) -> Any:
    """Every task this agent owns, whatever its status."""
    agent = desk.me(args.agentId)
    tasks = await desk.look(args.roomId, lambda room: [task_shape(t, room.board) for t in mine(room, agent)], agent)
    shown = _page(desk, tasks, args, f'get_my_tasks(agentId: "{said(agent)}", ')
    return noted(shown.items, shown.note)


async def delete_task(desk: Desk, args: ATask) -> Any:
    """Remove a task from the plan. Names the tasks that still depend on it."""
    card = await desk.enter(args.roomId)
    outcome = await desk.wish(card, RemoveTask(args.taskId), desk.me(given(args.agentId)))
    removed = next(entry.event for entry in outcome.entries if isinstance(entry.event, TaskRemoved))
    waiting = page(desk, removed.dependents, Pages(), "")
    more = f"{len(waiting.items)} of {len(removed.dependents)} dependents: read_plan(offset: 0) has every task."
    dependents = {"dependents": waiting.items} if waiting.items else {}
    return noted({"deleted": True, "taskId": args.taskId, **dependents}, more if waiting.note else "")


async def set_task_priority(desk: Desk, args: Prioritize) -> Shape:
    """Set a task's priority: an integer, lower is more important."""
    card = await desk.enter(args.roomId)
    outcome = await desk.wish(card, PrioritizeTask(args.taskId, args.priority), desk.me(given(args.agentId)))
    return await _standing(desk, card, args.taskId, outcome)


async def add_dependency(desk: Desk, args: Depend) -> Shape:
    """Make a task wait for another. Circles are refused."""
    card = await desk.enter(args.roomId)
    outcome = await desk.wish(card, LinkTask(args.taskId, args.dependsOn), desk.me(given(args.agentId)))
    return await _standing(desk, card, args.taskId, outcome)


TOOLS = [
    Tool.of(read_plan, Paged, read_only=True),
    Tool.of(update_task, UpdateTask, idempotent=True),
    Tool.of(add_task, AddTask),
    Tool.of(get_task, OneTask, read_only=True),
    Tool.of(get_unblocked_tasks, Unblocked, read_only=True),
    Tool.of(get_my_tasks, Mine, read_only=True),
    Tool.of(delete_task, ATask, destructive=True, idempotent=True),
    Tool.of(set_task_priority, Prioritize, idempotent=True),
    Tool.of(add_dependency, Depend, idempotent=True),
]
