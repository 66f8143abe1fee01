"""Rooms, their logs, and what a member has not seen yet."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from stateroom.core.here import LogEntry
from stateroom.core.lobby import RoomCard
from stateroom.core.members import fold
from stateroom.core.room import Room
from stateroom.core.views.board import planned
from stateroom.engine import conversation, playbooks
from stateroom.engine.clock import fresh_room_id
from stateroom.engine.inbox import Ask, Batch
from stateroom.engine.projects import ProjectPass
from stateroom.engine.reading import newest, oldest
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.wire import shapes
from stateroom.wire.problems import HttpProblem
from stateroom.wire.room_protocol import Shape, told

MAX_WAIT_MS = 60_000
Limit = Annotated[int, Meta(ge=1, le=1000)]
WaitMs = Annotated[int, Meta(ge=0, le=MAX_WAIT_MS)]


class NewRoom(Struct, forbid_unknown_fields=True):
    id: str = ""
    """Empty: twelve random characters, or the room's code where it has a host."""
    template: str = ""
    """Id of a template or playbook."""
    host: str = ""
    """Who creates it, for a room to talk in: the answer has its host key."""
    topic: str = ""
    project: str = ""
    """Id of the project it is part of, for a room with a host."""
    project_key: str = ""
    """Its key; your own credential is enough for your team's."""


class PageQuery(Struct, forbid_unknown_fields=True):
    after: int = 0
    limit: Limit = 100
    wait_ms: WaitMs = 0


class EventsQuery(Struct, forbid_unknown_fields=True):
    after: int = 0
    before: int | None = None
    limit: Limit = 100
    order: Literal["oldest", "newest"] = "oldest"


class InboxBody(Struct, forbid_unknown_fields=True):
    limit: Limit = 50
    peek: bool = False
    ack: int | None = None
    wait_ms: WaitMs = 0


class Unread(Struct):
    """Unread events, oldest first. `position` acknowledges them; `more` says how many log entries still follow."""

    events: list[dict[str, Any]]
    position: int
    more: int


def info(card: RoomCard, room: Room) -> shapes.RoomInfo:
    tasks = planned(room)
    return shapes.RoomInfo(
        id=card.room_id,
        code=card.code,
        team=card.team,
        created_at=card.registered_at,
        project=room.lifecycle.project or card.room_id,
        members=len(room.members.by_fold),
        tasks=len(tasks),
        tasks_done=sum(task.state == "done" for task in tasks),
        context=len(room.context.entries),
        events=room.messages.told,
        position=room.position,
        last_at=room.last_at,
        topic=room.lifecycle.topic,
        host=room.lifecycle.host,
        status="active" if room.lifecycle.ended_at is None else "ended",
        lines=room.lines,
        mode=room.floor.mode,
    )


async def list_rooms(given: Given) -> list[shapes.RoomInfo]:
    cards = await given.engine.rooms_of(given.caller)
    return [await given.engine.view(card, lambda room, card=card: info(card, room)) for card in cards]  # type: ignore[misc]


async def create_room(given: Given) -> shapes.RoomInfo:
    """Repeating it changes nothing: the template is applied under a request id of its own."""
    if given.body.host:
        return await _create_hosted(given)
    named = given.body.template
    start = await playbooks.start(given.engine, given.caller, named) if named else None  # before there is a room
    card = await given.engine.enter(given.caller, given.body.id or given.caller.room or fresh_room_id())
    if start is not None:
        await given.engine.execute(given.caller, card, start.applied(), request_id=f"create_room/{start.request}")
    return await given.engine.view(card, lambda room: info(card, room))


async def _create_hosted(given: Given) -> shapes.RoomInfo:
    """A room that goes by its code; each call makes another."""
    body = given.body
    if body.id or given.caller.room:
        hint = "Leave `id` out to create a room with a host, or leave `host` out to name the room."
        raise HttpProblem(400, "bad_request", "A room with a host goes by its code and takes no id.", hint)
    part_of = ProjectPass(body.project, body.project_key) if body.project else None
    wanted = (body.topic, body.host, body.template)
    made = await conversation.create(given.engine, given.caller, *wanted, project=part_of)
    shown = await given.engine.view(made.card, lambda room: info(made.card, room))
    return replace(shown, host_key=made.host_key)


async def room_info(given: Given) -> shapes.RoomInfo:
    card = await given.room()
    return await given.engine.view(card, lambda room: info(card, room))


async def entries(given: Given) -> shapes.Page:
    """A page of the log as it is; with `wait_ms`, waits for the first entry."""
    card, query = await given.room(), given.query

    async def look() -> list[LogEntry] | None:
        return await given.engine.rooms.entries(card.key, query.after, query.limit) or None

    found = await given.engine.follower.until(card.key, look, query.wait_ms / 1000) or []
    return shapes.page(found, query.after, await given.engine.view(card, lambda room: room.position))


async def events(given: Given) -> list[Shape]:
    """Events under the Room Protocol's names, in either order."""
    card, query = await given.room(), given.query
    await given.engine.rooms.entries(card.key, query.after, 1)  # refuses a cursor that is outside the log
    messages = await given.engine.view(card, lambda room: room.messages)
    read = newest if query.order == "newest" else oldest
    found = await read(given.engine, card, query.limit, messages.visible, after=query.after, before=query.before)
    return await given.engine.view(card, lambda room: told(found, room, card.room_id))


async def inbox(given: Given) -> Unread:
    """Take, peek at or acknowledge what a member has not seen."""
    card = await given.engine.enter(given.caller, given.path["room"])
    name = given.engine.speaks_as(given.caller, given.path["member"])
    await given.engine.arrive(given.caller, card, name)
    ask = Ask(limit=given.body.limit, peek=given.body.peek, ack=given.body.ack)

    async def look() -> Batch | None:
        batch = await given.engine.inbox.read(card.key, name, ask)
        return batch if batch.entries else None

    batch = await given.engine.follower.until(card.key, look, given.body.wait_ms / 1000)
    if batch is None:
        cursor = await given.engine.inbox.cursor(card.key, name)
        return Unread([], cursor.read, 0)
    shown = await given.engine.view(card, lambda room: told(batch.entries, room, card.room_id))
    return Unread(shown, batch.entries[-1].position, batch.more)


async def heartbeat(given: Given) -> list[shapes.Here]:
    card = await given.engine.enter(given.caller, given.path["room"])
    await given.engine.arrive(given.caller, card, given.engine.speaks_as(given.caller, given.path["member"]))
    return await members_of(given, card)


async def leave(given: Given) -> list[shapes.Here]:
    card = await given.room()
    await given.engine.leave(given.caller, card, given.engine.speaks_as(given.caller, given.path["member"]))
    return await members_of(given, card)


async def members_of(given: Given, card: RoomCard) -> list[shapes.Here]:
    names = await given.engine.view(card, lambda room: sorted(room.members.names(), key=fold))
    presence = await given.engine.presence.of(card.key, names)
    return [shapes.Here(one.name, one.online, one.last_seen, one.state) for one in presence]


ROOM, MEMBER = "/rooms/{room}", "/rooms/{room}/members/{member}"
ENDPOINTS = [
    Endpoint(method="GET", path="/rooms", summary="Your rooms.", answer=list[shapes.RoomInfo], run=list_rooms),
    Endpoint(
        method="POST",
        path="/rooms",
        summary="Open a room, empty or from a template or playbook; opening an open one changes nothing.",
        answer=shapes.RoomInfo,
        run=create_room,
        body=NewRoom,
        status=201,
    ),
    Endpoint(method="GET", path=ROOM, summary="One room, by id or code.", answer=shapes.RoomInfo, run=room_info),
    Endpoint(
        method="GET",
        path=f"{ROOM}/entries",
        summary="A page of the log, everything in it; with wait_ms, waits for the first entry.",
        answer=shapes.Page,
        run=entries,
        query=PageQuery,
        waits=True,
    ),
    Endpoint(
        method="GET",
        path=f"{ROOM}/events",
        summary="Events under the Room Protocol's names.",
        answer=list[dict[str, Any]],
        run=events,
        query=EventsQuery,
    ),
    Endpoint(
        method="POST",
        path=f"{ROOM}/inbox/{{member}}",
        summary="What a member has not seen: take it, peek at it, or acknowledge it.",
        answer=Unread,
        run=inbox,
        body=InboxBody,
        waits=True,
    ),
    Endpoint(
        method="POST",
        path=f"{MEMBER}/heartbeat",
        summary="Say that a member is here.",
        answer=list[shapes.Here],
        run=heartbeat,
    ),
    Endpoint(method="DELETE", path=MEMBER, summary="A member leaves.", answer=list[shapes.Here], run=leave),
]
