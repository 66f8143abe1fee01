"""The cold start under the Room Protocol's names: one call that says where an agent stands."""

from typing import Any

from stateroom.core.room import Room
from stateroom.core.tasks import Task
from stateroom.core.views.board import mine
from stateroom.faces.mcp.desk import Desk, fit, size
from stateroom.faces.mcp.room_protocol.arguments import ByAgent
from stateroom.faces.mcp.room_protocol.inbox import Unread, shown, unread
from stateroom.faces.mcp.room_protocol.pages import noted, said, slim_task
from stateroom.faces.mcp.room_protocol.presence import company
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.inbox import SHOWN, inbox
from stateroom.wire.room_protocol import Shape, task_shape
from stateroom.wire.times import iso_or_none

UNREAD = 50
FRAME_BYTES = 600
"""What a summary takes beside its lists and the agent's name."""


async def get_my_summary(desk: Desk, args: ByAgent) -> Any:
    """Start here: your tasks, unread events (each delivered once), new context, who is online."""
    me = desk.me(args.agentId)
    card = await desk.enter(args.roomId, me)
    half = None if desk.answer_bytes is None else desk.answer_bytes // 2
    waiting = await desk.engine.view(card, lambda room: _waiting(room, me, half and half // 2))
    left_bytes = half and half - size(waiting)
    batch = await unread(desk, card, Unread(roomId=args.roomId, agentId=args.agentId), UNREAD, left_bytes)
    events = await shown(desk, card, batch, left_bytes)
    fresh = await desk.engine.inbox.see_context(card.key, me)
    tasks = await desk.look(args.roomId, lambda room: [task_shape(task) for task in _open_first(room, me)])
    some = fit((slim_task(desk, task, half and half // 2) for task in tasks), half and half // 2)
    here = await company(desk, card, FRAME_BYTES + 2 * size(me) + size(events) + size(some) + size(waiting))
    position = batch.entries[-1].position if batch.entries else batch.cursor.read
    left = await desk.engine.inbox.unread_after(card.key, position) if batch.more else 0
    answer = {
        "agentId": me,
        "roomId": args.roomId,
        **waiting,
        "myTasks": some,
        "unreadEvents": events,
        "newContextCount": fresh,
        "presence": here.items,
        "cursor": iso_or_none(batch.cursor.read_at),
        "position": position,
        **({"moreEvents": left, "next": "get_unread_events"} if left else {}),
        **({"moreTasks": len(tasks) - len(some)} if len(some) < len(tasks) else {}),
    }
    return noted(answer, "" if half is None else _missing(me, left, len(tasks) - len(some), here.note))


def _waiting(room: Room, me: str, room_bytes: int | None) -> Shape:
    """`yourTasks`, the verdicts it owes first: as much of each list as fits, at the least one of each."""
    for shown_of_each in range(SHOWN, 1, -1):
        cut = inbox(room, me, shown_of_each)
        if room_bytes is None or size(cut) <= room_bytes:
            return cut
    return inbox(room, me, 1)


def _missing(me: str, events: int, tasks: int, agents: str) -> str:
    """What a summary that was cut leaves out, and the calls that have it."""
    parts = [
        f"{events} more events are unread: get_unread_events goes on." if events else "",
        f'{tasks} more tasks are yours: get_my_tasks(agentId: "{said(me)}", offset: 0) has all.' if tasks else "",
        agents,
    ]
    return " ".join(filter(None, parts))


def _open_first(room: Room, me: str) -> list[Task]:
    """This agent's tasks, what is still to do before what is done."""
    return sorted(mine(room, me), key=lambda task: task.state == "done")


TOOLS = [Tool.of(get_my_summary, ByAgent)]
