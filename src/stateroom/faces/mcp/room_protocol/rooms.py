"""Rooms, and what is true of one as a whole, under the Room Protocol's names."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from stateroom.core import templates
from stateroom.core.playbooks import Playbook
from stateroom.core.refusals import NoSemanticSearch
from stateroom.core.room import Room
from stateroom.core.tasks import TaskState
from stateroom.core.views.analytics import Analytics, analytics
from stateroom.core.views.board import planned
from stateroom.engine import playbooks
from stateroom.engine.clock import fresh_room_id
from stateroom.engine.searching import search as search_room
from stateroom.faces.mcp.desk import Desk, fit, size
from stateroom.faces.mcp.room_protocol.arguments import Id, InRoom
from stateroom.faces.mcp.room_protocol.pages import Pages, clip, noted, page
from stateroom.faces.mcp.room_protocol.presence import everybody
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape
from stateroom.wire.times import iso

FRAME_BYTES = 200
ANALYTICS_FRAME_BYTES = 700
HITS = 20
STATUS_KEYS: dict[TaskState, str] = {"open": "pending", "held": "inProgress", "done": "done", "blocked": "blocked"}


class Nothing(Struct):
    pass


class Listing(Pages, kw_only=True):
    pass


class Search(InRoom, kw_only=True):
    q: Annotated[str, Meta(min_length=1, max_length=200)]
    limit: Annotated[int, Meta(ge=1, le=50)] | UnsetType = UNSET
    semantic: bool = False


class Days(InRoom, kw_only=True):
    days: Annotated[int, Meta(ge=1, le=90)] = 7


class FromTemplate(Struct, kw_only=True):
    templateId: Id
    roomId: str = ""
    agentId: str = ""
    append: bool = False


async def get_room_info(desk: Desk, args: InRoom) -> Shape:
    """Owner, age, and how many members, tasks, context entries and events."""
    card = await desk.find(args.roomId)

    def info(room: Room) -> Shape:
        return {
            "roomId": card.room_id if card else args.roomId,
            "ownerTeamId": card.team if card else None,
            "createdAt": iso(card.registered_at) if card else None,
            "memberCount": len(room.members.by_fold),
            "taskCount": len(planned(room)),
            "contextCount": len(room.context.entries),
            "eventCount": room.messages.told,
            **({"code": card.code} if card else {}),
        }

    return await desk.engine.view(card, info)


async def search(desk: Desk, args: Search) -> Any:
    """Find words in tasks, context and events; best first."""
    if args.semantic:
        raise NoSemanticSearch
    card = await desk.find(args.roomId)
    limit = HITS if isinstance(args.limit, UnsetType) else args.limit
    hits = await search_room(desk.engine, card, args.q, limit) if card else []
    found = [{"kind": hit.kind, "id": hit.id, "score": hit.score, "snippet": hit.snippet} for hit in hits]
    q = args.q.strip()
    shown = page(desk, found, Pages(limit=args.limit), "", FRAME_BYTES + size(q))
    more = f"{len(shown.items)} of {len(found)} hits: search(limit: {limit}) has all of them."
    return noted({"q": q, "hits": shown.items}, more if shown.note else "")


async def get_room_analytics(desk: Desk, args: Days) -> Any:
    """Progress in figures: tasks by status, agents, events per day."""
    card = await desk.find(args.roomId)
    now = desk.engine.clock()
    figures = await desk.engine.view(card, lambda room: analytics(room, args.days, now))
    presence = await everybody(desk, card) if card else []
    owners = page(desk, _by_agent(figures), Pages(), "", ANALYTICS_FRAME_BYTES)
    more = f"{len(owners.items)} of {len(figures.owned)} owners of tasks: read_plan(offset: 0) has every task's."
    answer = {
        "roomId": card.room_id if card else args.roomId,
        "ownerTeamId": card.team if card else None,
        "createdAt": iso(card.registered_at) if card else None,
        **_figures(figures),
        "agents": {"total": len(presence), "online": sum(p["status"] == "online" for p in presence)},
        "byAgent": dict(owners.items),
    }
    return noted(answer, more if owners.note else "")


def _by_agent(figures: Analytics) -> list[tuple[str, Shape]]:
    """Tasks by owner (ours: W-72), whoever owns most first."""
    most_first = sorted(figures.owned.items(), key=lambda owned: -owned[1])
    return [(name, {"owned": owned, "done": figures.finished.get(name, 0)}) for name, owned in most_first]


def _figures(figures: Analytics) -> Shape:
    """The counted part of an Analytics."""
    tasks = {STATUS_KEYS[state]: count for state, count in figures.tasks.items()}
    return {
        "tasks": {
            "total": sum(figures.tasks.values()),
            **tasks,
            "completionRate": figures.completion_rate,
        },
        "contextCount": figures.context,
        "events": {"total": figures.events, "lastDays": figures.days, "perDay": figures.per_day},
    }


async def list_rooms(desk: Desk, args: Listing) -> Any:
    """The rooms you can use."""
    rooms = [card.room_id for card in await desk.engine.rooms_of(desk.caller)]
    shown = page(desk, rooms, args, "list_rooms(", FRAME_BYTES)
    return noted({"rooms": shown.items}, shown.note)


async def list_templates(desk: Desk, args: Nothing) -> Any:
    """Plans a room can start from: templates, then playbooks with their roles."""
    built_in = [
        {"id": t.id, "name": t.name, "description": t.description, "taskCount": len(t.tasks)}
        for t in templates.TEMPLATES.values()
    ]
    kept = [_playbook(desk, one) for one in await playbooks.listed(desk.engine, desk.caller)]
    shown = fit([*built_in, *kept], desk.answer_bytes and desk.answer_bytes - FRAME_BYTES)
    left = len(built_in) + len(kept) - len(shown)
    return noted({"templates": shown}, f"{left} more playbooks: GET /api/v1/playbooks lists them." if left else "")


def _playbook(desk: Desk, playbook: Playbook) -> Shape:
    """As a template. Ours: the names of its `roles`."""
    topic = playbook.topic or playbook.name
    about = topic if desk.answer_bytes is None else clip(topic)
    shape = {"id": playbook.id, "name": playbook.name, "description": about, "taskCount": len(playbook.tasks)}
    return {**shape, "roles": [role.name for role in playbook.roles]} if playbook.roles else shape


async def create_room_from_template(desk: Desk, args: FromTemplate) -> Shape:
    """Open a room whose plan starts from a template or playbook. A plan that has tasks is never overwritten."""
    start = await playbooks.start(desk.engine, desk.caller, args.templateId)  # before a room is made for nothing
    card = await desk.enter(args.roomId.strip() or desk.caller.room or fresh_room_id())
    await desk.wish(card, start.applied(append=args.append), desk.me(args.agentId))
    return {"roomId": card.room_id, "templateId": start.id, "taskCount": start.tasks}


INFO = [Tool.of(get_room_info, InRoom, read_only=True), Tool.of(search, Search, read_only=True)]
ANALYTICS = [Tool.of(get_room_analytics, Days, read_only=True)]
TEMPLATE_TOOLS = [
    Tool.of(list_templates, Nothing, read_only=True),
    Tool.of(create_room_from_template, FromTemplate),
]
LISTING = [Tool.of(list_rooms, Listing, read_only=True)]
