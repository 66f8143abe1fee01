"""The conversation in the native API: seats, the transcript, the floor. Speaking itself is the command `say`."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from stateroom.core import seats
from stateroom.core.floor import turn_of
from stateroom.core.here import Here
from stateroom.core.ids import Name
from stateroom.core.lobby import RoomCard
from stateroom.core.members import MemberKind, fold
from stateroom.engine.conversation import Keys, Newcomer, join
from stateroom.engine.listening import Listen, Terminated, listen
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.wire.agent_room.messages import Shape, shapes
from stateroom.wire.agent_room.rooms import Seen, room_shape, standing, turn_shape

MAX_WAIT_MS = 60_000


class SeatBody(Struct, forbid_unknown_fields=True):
    name: str
    kind: MemberKind = "agent"
    role: str = ""
    returning: bool = False
    """You were here before, under this name."""
    host_key: str = ""
    seat_key: str = ""


class Seat(Struct):
    name: str
    """The name you got: a number is added where the one you wanted is taken."""
    renamed: bool
    seat_key: str
    """Keep it: it proves that you are you. Empty if the seat has another key, which you did not show."""
    line: int
    """Listen from here: behind the last line, or where you were if you come back."""


class LinesQuery(Struct, forbid_unknown_fields=True):
    after: Annotated[int, Meta(ge=0)] = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    wait_ms: Annotated[int, Meta(ge=0, le=MAX_WAIT_MS)] = 0
    member: str = ""
    """Who listens: its own lines do not end the wait, it is seen to listen, and what it is given counts as delivered.
    Where the room's policy asks everybody for keys, leave it out: no key goes into an address."""
    wake_on: Literal["any", "addressed"] = "any"


class Lines(Struct):
    """Lines in the shape of messages, oldest first."""

    lines: list[dict[str, Any]]
    next: int
    """Read on with `after` set to this."""
    last: int
    """How many lines there are in all."""
    terminated: Terminated = ""
    timed_out: bool = False
    """Nothing came that would have ended the wait; what is here is what was held."""


class FloorQuery(Struct, forbid_unknown_fields=True):
    member: str = ""


class FloorView(Struct):
    room: dict[str, Any]
    turn: dict[str, Any] | None
    """The running turn."""
    standing: dict[str, Any]
    """What the member of the query is to it."""


async def take_seat(given: Given) -> Seat:
    body, card = given.body, await given.room()
    known, last = await given.engine.view(card, lambda room: (room.members.find(body.name), room.lines))
    who = Newcomer(body.name, body.kind, body.role, returning=body.returning)
    joined = await join(given.engine, given.caller, card, who, Keys(body.host_key, body.seat_key))
    name, presence = joined.member.name, given.engine.presence
    line = await presence.heard(card.key, name) if known is not None and not joined.renamed else last
    presence.hear(card.key, name, line)
    return Seat(name, joined.renamed, joined.seat_key, line)


async def lines(given: Given) -> Lines:
    """Lines of the transcript; with wait_ms, waits for the first new one."""
    card, query = await given.room(), given.query
    member = await _listener(given, card)
    heard = await listen(
        given.engine, card, Listen(query.after, member, query.wait_ms / 1000, query.wake_on, query.limit)
    )
    found = heard.transcript
    next_line = found.entries[-1].line if found.entries else query.after
    if member and await given.engine.view(card, lambda room: room.members.find(member)) is not None:
        given.engine.presence.hear(card.key, member, next_line)
    waited_in_vain = heard.timed_out and query.wait_ms > 0
    return Lines(shapes(found, card.code, given.links), next_line, found.total, heard.terminated, waited_in_vain)


async def _listener(given: Given, card: RoomCard) -> Name:
    """Who listens, proven where the room asks for it; empty for who does not say. Raises SeatKeyNeeded."""
    if not given.query.member:
        return Name("")
    by = given.engine.speaks_as(given.caller, given.query.member)
    here = Here(by, given.engine.clock(), given.caller.via, given.caller.proof())
    await given.engine.view(card, lambda room: seats.check_key(room.lifecycle, room.members, here))
    return by


async def floor(given: Given) -> FloorView:
    """Who may speak, and what a member is to the turn."""
    card, now = await given.room(), given.engine.clock()
    names = await given.engine.view(card, lambda room: room.members.names())
    here = await given.engine.presence.of(card.key, names)
    seen = {fold(one.name): Seen(one.last_seen, one.listening_until, one.state) for one in here}

    def look(room: Any) -> tuple[Shape, Shape | None, Shape]:
        turn = turn_of(room.floor)
        member = room.members.find(given.query.member) if given.query.member else None
        return room_shape(room, seen), turn_shape(turn) if turn else None, standing(room, member, now)

    return FloorView(*await given.engine.view(card, look))


ROOM = "/rooms/{room}"
ENDPOINTS = [
    Endpoint(
        method="POST",
        path=f"{ROOM}/seats",
        summary="Join the conversation, or come back to your seat.",
        answer=Seat,
        run=take_seat,
        body=SeatBody,
        status=201,
    ),
    Endpoint(
        method="GET",
        path=f"{ROOM}/lines",
        summary="Lines of the transcript; with wait_ms, waits for the first new one.",
        answer=Lines,
        run=lines,
        query=LinesQuery,
        waits=True,
    ),
    Endpoint(
        method="GET",
        path=f"{ROOM}/floor",
        summary="Who may speak, and what a member is to the turn.",
        answer=FloorView,
        run=floor,
        query=FloorQuery,
    ),
]
