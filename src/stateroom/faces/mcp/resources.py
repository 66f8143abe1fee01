"""Resources: what people point at. `stateroom://rooms/{id}/plan`, `/context/{entry}`, `/feed`, `/summary`,
`/transcript`."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from stateroom.core.lobby import RoomCard
from stateroom.core.refusals import UnknownRoom
from stateroom.core.room import Room
from stateroom.engine import transcript
from stateroom.engine.access import Caller
from stateroom.engine.engine import Engine
from stateroom.engine.reading import newest
from stateroom.wire.agent_room.messages import shapes
from stateroom.wire.links import Links
from stateroom.wire.room_protocol import Shape, context_shape, plan_shape, told
from stateroom.wire.times import iso

T = TypeVar("T")
URI = re.compile(r"stateroom://rooms/(?P<room>[^/]+)/(?P<what>plan|feed|summary|transcript|context/(?P<entry>[^/]+))")
FEED_EVENTS = 50
TRANSCRIPT_LINES = 50

TEMPLATES = {
    "stateroom://rooms/{room}/plan": "The plan: tasks with status, owner and dependencies.",
    "stateroom://rooms/{room}/context/{entry}": "One context entry.",
    "stateroom://rooms/{room}/feed": "The newest 50 events.",
    "stateroom://rooms/{room}/summary": "The room in figures.",
    "stateroom://rooms/{room}/transcript": "The newest 50 lines of the conversation.",
}


async def find(engine: Engine, caller: Caller, uri: str) -> tuple[RoomCard, str, str]:
    """The room, the part of it and the entry a URI names. Raises UnknownRoom: also for what is not the caller's."""
    match = URI.fullmatch(uri)
    if match is not None and match["what"] == "transcript":  # whoever has the code may listen, and so may watch
        _, card = await engine.find_by_code(caller, match["room"])
        return card, "transcript", ""
    found = await engine.find(caller, match["room"]) if match else None
    if match is None or found is None:
        raise UnknownRoom
    return found, match["what"].partition("/")[0], match["entry"] or ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A part of a room that is to be read."""

    engine: Engine
    card: RoomCard
    entry: str
    links: Links

    async def view(self, question: Callable[[Room], T]) -> T:
        return await self.engine.view(self.card, question)


async def read(engine: Engine, caller: Caller, uri: str, links: Links) -> Any:
    """What a URI stands for, as JSON data. Raises UnknownRoom, UnknownContext, Unavailable."""
    card, what, entry = await find(engine, caller, uri)
    return await READERS[what](Wanted(engine, card, entry, links))


async def _plan(at: Wanted) -> Shape:
    return await at.view(lambda room: plan_shape(room, at.card.room_id, at.engine.clock()))


async def _context(at: Wanted) -> Shape:
    return await at.view(lambda room: context_shape(room.context.find(at.entry)))


async def _feed(at: Wanted) -> list[Shape]:
    messages = await at.view(lambda room: room.messages)
    entries = await newest(at.engine, at.card, FEED_EVENTS, messages.visible)
    return await at.view(lambda room: told(entries, room, at.card.room_id))


async def _transcript(at: Wanted) -> Shape:
    lines = await transcript.newest(at.engine, at.card, TRANSCRIPT_LINES)
    return {
        "roomId": at.card.room_id,
        "code": at.card.code,
        "messages": shapes(lines, at.card.code, at.links),
        "cursor": lines.total,
    }


async def _summary(at: Wanted) -> Shape:
    card = at.card
    return await at.view(
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


READERS: dict[str, Callable[[Wanted], Awaitable[Any]]] = {
    "plan": _plan,
    "context": _context,
    "feed": _feed,
    "summary": _summary,
    "transcript": _transcript,
}
