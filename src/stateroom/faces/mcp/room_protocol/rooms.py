"""Rooms, and what is true of one as a whole, under the Room Protocol's names."""

from typing import Annotated

from msgspec import Meta, Struct

from stateroom.core import templates
from stateroom.core.refusals import NoSemanticSearch
from stateroom.core.room import ApplyTemplate, Room
from stateroom.core.tasks import Task, TaskState
from stateroom.core.views.analytics import Analytics, analytics
from stateroom.core.views.board import mine
from stateroom.engine.clock import fresh_room_id
from stateroom.engine.searching import search as search_room
from stateroom.faces.mcp.desk import Desk, fit
from stateroom.faces.mcp.room_protocol.arguments import ByAgent, Id, InRoom
from stateroom.faces.mcp.room_protocol.events import Unread, unread
from stateroom.faces.mcp.room_protocol.presence import everybody
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape, task_shape, told
from stateroom.wire.times import iso, iso_or_none

SUMMARY_UNREAD = 50
STATUS_KEYS: dict[TaskState, str] = {"open": "pending", "held": "inProgress", "done": "done", "blocked": "blocked"}


class Nothing(Struct):
    pass


class Search(InRoom, kw_only=True):
    q: Annotated[str, Meta(min_length=1, max_length=200)]
    limit: Annotated[int, Meta(ge=1, le=50)] = 20
    semantic: bool = False


class Days(InRoom, kw_only=True):
    days: Annotated[int, Meta(ge=1, le=90)] = 7


class FromTemplate(Struct, kw_only=True):
    templateId: Id
    roomId: str = ""
    agentId: str = ""
    append: bool = False


async def get_my_summary(desk: Desk, args: ByAgent) -> Shape:
    """Start here: your tasks, unread events (each delivered once), new context, who is online."""
    me = desk.me(args.agentId)
    card = await desk.enter(args.roomId, me)
    half = None if desk.answer_bytes is None else desk.answer_bytes // 2
    batch = await unread(desk, card, Unread(roomId=args.roomId, agentId=args.agentId), SUMMARY_UNREAD, half)
    fresh = await desk.engine.inbox.see_context(card.key, me)
    tasks = await desk.look(args.roomId, lambda room: [task_shape(task) for task in _open_first(room, me)])
    events = await desk.engine.view(card, lambda room: told(batch.entries, room, card.room_id))
    shown = fit(tasks, half and half // 2)
    position = batch.entries[-1].position if batch.entries else batch.cursor.read
    left = await desk.engine.inbox.unread_after(card.key, position) if batch.more else 0
    return {
        "agentId": me,
        "roomId": args.roomId,
        "myTasks": shown,
        "unreadEvents": events,
        "newContextCount": fresh,
        "presence": await everybody(desk, card),
        "cursor": iso_or_none(batch.cursor.read_at),
        "position": position,
        **({"moreEvents": left, "next": "get_unread_events"} if left else {}),
        **({"moreTasks": len(tasks) - len(shown)} if len(shown) < len(tasks) else {}),
    }


def _open_first(room: Room, me: str) -> list[Task]:
    """This agent's tasks, what is still to do before what is done."""
    return sorted(mine(room, me), key=lambda task: task.state == "done")


async def get_room_info(desk: Desk, args: InRoom) -> Shape:
    """Owner, age, and how many members, tasks, context entries and events."""
    card = await desk.find(args.roomId)

    def info(room: Room) -> Shape:
        return {
            "roomId": card.room_id if card else args.roomId,
            "ownerTeamId": card.team if card else None,
            "createdAt": iso(card.registered_at) if card else None,
            "memberCount": len(room.members.by_fold),
            "taskCount": len(room.board.tasks),
            "contextCount": len(room.context.entries),
            "eventCount": room.messages.told,
            **({"code": card.code} if card else {}),
        }

    return await desk.engine.view(card, info)


async def search(desk: Desk, args: Search) -> Shape:
    """Find words in tasks, context and events; best first."""
    if args.semantic:
        raise NoSemanticSearch
    card = await desk.find(args.roomId)
    hits = await search_room(desk.engine, card, args.q, args.limit) if card else []
    found = [{"kind": hit.kind, "id": hit.id, "score": hit.score, "snippet": hit.snippet} for hit in hits]
    return {"q": args.q.strip(), "hits": found}


async def get_room_analytics(desk: Desk, args: Days) -> Shape:
    """Progress in figures: tasks by status, agents, events per day."""
    card = await desk.find(args.roomId)
    now = desk.engine.clock()
    figures = await desk.engine.view(card, lambda room: analytics(room, args.days, now))
    presence = await everybody(desk, card) if card else []
    return {
        "roomId": card.room_id if card else args.roomId,
        "ownerTeamId": card.team if card else None,
        "createdAt": iso(card.registered_at) if card else None,
        **_figures(figures),
        "agents": {"total": len(presence), "online": sum(p["status"] == "online" for p in presence)},
    }


def _figures(figures: Analytics) -> Shape:
    """The counted part of an Analytics; `byAgent` is ours (W-72)."""
    tasks = {STATUS_KEYS[state]: count for state, count in figures.tasks.items()}
    return {
        "tasks": {
            "total": sum(figures.tasks.values()),
            **tasks,
            "completionRate": figures.completion_rate,
        },
        "contextCount": figures.context,
        "events": {"total": figures.events, "lastDays": figures.days, "perDay": figures.per_day},
        "byAgent": {
            name: {"owned": owned, "done": figures.finished.get(name, 0)} for name, owned in figures.owned.items()
        },
    }


async def list_rooms(desk: Desk, args: Nothing) -> Shape:
    """The rooms you can use."""
    return {"rooms": [card.room_id for card in await desk.engine.rooms_of(desk.caller)]}


async def list_templates(desk: Desk, args: Nothing) -> Shape:
    """Plans a room can start from."""
    return {
        "templates": [
            {"id": t.id, "name": t.name, "description": t.description, "taskCount": len(t.tasks)}
            for t in templates.TEMPLATES.values()
        ]
    }


async def create_room_from_template(desk: Desk, args: FromTemplate) -> Shape:
    """Open a room whose plan starts from a template. A plan that has tasks is never overwritten."""
    template = templates.find(args.templateId)  # before a room is made for nothing
    card = await desk.enter(args.roomId.strip() or desk.caller.room or fresh_room_id())
    await desk.wish(card, ApplyTemplate(args.templateId, args.append), desk.me(args.agentId))
    return {"roomId": card.room_id, "templateId": template.id, "taskCount": len(template.tasks)}


SUMMARY = [Tool.of(get_my_summary, ByAgent)]
INFO = [Tool.of(get_room_info, InRoom, read_only=True), Tool.of(search, Search, read_only=True)]
ANALYTICS = [Tool.of(get_room_analytics, Days, read_only=True)]
TEMPLATE_TOOLS = [
    Tool.of(list_templates, Nothing, read_only=True),
    Tool.of(create_room_from_template, FromTemplate),
]
LISTING = [Tool.of(list_rooms, Nothing, read_only=True)]
