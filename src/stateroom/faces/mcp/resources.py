"""Resources: what people point at. `stateroom://rooms/{id}/plan`, `/context/{entry}`, `/feed`, `/summary`."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

from stateroom.core.lobby import RoomCard
from stateroom.core.refusals import UnknownRoom
from stateroom.engine.access import Caller
from stateroom.engine.engine import Engine
from stateroom.engine.reading import newest
from stateroom.wire.room_protocol import Shape, context_shape, plan_shape, told
from stateroom.wire.times import iso

URI = re.compile(r"stateroom://rooms/(?P<room>[^/]+)/(?P<what>plan|feed|summary|context/(?P<entry>[^/]+))")
FEED_EVENTS = 50

TEMPLATES = {
    "stateroom://rooms/{room}/plan": "The plan: tasks with status, owner and dependencies.",
    "stateroom://rooms/{room}/context/{entry}": "One context entry.",
    "stateroom://rooms/{room}/feed": "The newest 50 events.",
    "stateroom://rooms/{room}/summary": "The room in figures.",
}


async def find(engine: Engine, caller: Caller, uri: str) -> tuple[RoomCard, str, str]:
    """The room, the part of it and the entry a URI names. Raises UnknownRoom: also for what is not the caller's."""
    match = URI.fullmatch(uri)
    card = await engine.find(caller, match["room"]) if match else None
    if match is None or card is None:
        raise UnknownRoom
    return card, match["what"].partition("/")[0], match["entry"] or ""


async def read(engine: Engine, caller: Caller, uri: str) -> Any:
    """What a URI stands for, as JSON data. Raises UnknownRoom, UnknownContext, Unavailable."""
    card, what, entry = await find(engine, caller, uri)
    return await READERS[what](engine, card, entry)


async def _plan(engine: Engine, card: RoomCard, entry: str) -> Shape:
    return await engine.view(card, lambda room: plan_shape(room, card.room_id, engine.clock()))


async def _context(engine: Engine, card: RoomCard, entry: str) -> Shape:
    return await engine.view(card, lambda room: context_shape(room.context.find(entry)))


async def _feed(engine: Engine, card: RoomCard, entry: str) -> list[Shape]:
    messages = await engine.view(card, lambda room: room.messages)
    entries = await newest(engine, card, FEED_EVENTS, messages.visible)
    return await engine.view(card, lambda room: told(entries, room, card.room_id))


async def _summary(engine: Engine, card: RoomCard, entry: str) -> Shape:
    return await engine.view(
        card,
        lambda room: {
            "roomId": card.room_id,
            "code": card.code,
            "createdAt": iso(card.registered_at),
            "members": room.members.names(),
            "tasks": len(room.board.tasks),
            "context": [{"id": e.id, "type": e.type, "summary": e.summary} for e in room.context.entries.values()],
            "events": room.messages.told,
            "position": room.position,
        },
    )


READERS: dict[str, Callable[[Engine, RoomCard, str], Awaitable[Any]]] = {
    "plan": _plan,
    "context": _context,
    "feed": _feed,
    "summary": _summary,
}
