"""What is said and read: send, messages, messageCount, and our own listen (agent-room §3.3, §5.2)."""

from typing import Annotated

from msgspec import Meta, Struct

from stateroom.core.floor import InvitationUsed, QueueShortened, TurnPassed
from stateroom.core.here import LogEntry
from stateroom.core.ids import Position
from stateroom.core.members import Member
from stateroom.core.speech import MessageKind, MessageSaid, Say
from stateroom.engine import conversation, transcript
from stateroom.engine.conversation import SaidSo
from stateroom.engine.listening import Heard, Listen, WakeOn, listen
from stateroom.faces.rest.agent_room.asking import At, Proving
from stateroom.faces.rest.agent_room.rooms import Look
from stateroom.faces.rest.agent_room.turns import passed
from stateroom.wire.agent_room.inbox import inbox, verdict_ids
from stateroom.wire.agent_room.messages import Transcript, message_shape, metadata, shapes
from stateroom.wire.agent_room.rooms import Shape, standing

MAX_WAIT_MS = 60_000
DEFAULT_WAIT_MS = 25_000
MAX_LINES = 1000
NEAR = 100
"""So many lines are looked at to see which of them are a sender's own."""
LARGEST_ID = 2**53
"""What a JSON number can tell apart; no line has a greater id."""
Limit = Annotated[int, Meta(ge=1, le=MAX_LINES)]


class Messages(Proving, kw_only=True):
    cursor: int | None = None
    """How many lines the reader has."""
    limit: Limit | None = None
    name: str | None = None
    """Who reads; then the lines count as delivered to it."""


class Attached(Struct, kw_only=True):
    """What upload has answered. Only the id is read: what else there is to know of the file, the room knows."""

    id: str


class Answers(Struct, kw_only=True):
    id: int | float


class GivenMessage(Struct, kw_only=True):
    """What else a client says of a message, such as its time, type or metadata, is for the server to say (gap 31)."""

    name: str
    text: str | None = None
    attachments: list[Attached] | None = None
    replyTo: Answers | None = None


class Send(Proving, kw_only=True):
    message: GivenMessage
    kind: MessageKind | None = None
    requestId: str | None = None
    since: int | None = None
    """How many lines the sender has: it is given those it has not (gap 4)."""


class ListenFor(Proving, kw_only=True):
    since: int
    name: str | None = None
    timeoutMs: Annotated[int, Meta(ge=0, le=MAX_WAIT_MS)] = DEFAULT_WAIT_MS
    wakeOn: WakeOn = "any"
    limit: Limit | None = None


async def messages(at: At, ask: Messages) -> Shape:
    """The lines after the cursor. `total` is their absolute count after this read, unless a limit cut it short."""
    line = ask.cursor or 0
    member = await at.reader(ask.name or "", ask.keys)
    found = await transcript.after(at.engine, at.card, line, ask.limit)
    return _delivered(at, found, line, member, cut=ask.limit is not None)


def _delivered(at: At, found: Transcript, since: int, member: Member | None, *, cut: bool) -> Shape:
    """Lines on their way to a reader. Its next cursor is the last of them, whatever has been said meanwhile."""
    cursor = found.entries[-1].line if found.entries else since
    if member is not None:
        at.engine.presence.hear(at.card.key, member.name, cursor)
        at.engine.presence.stamp(at.card.key, member.name)
    total = found.total if cut else cursor
    return {"messages": shapes(found, at.code, at.links), "total": total, "cursor": cursor}


async def message_count(at: At, ask: Look) -> Shape:
    return {"total": await at.engine.view(at.card, lambda room: room.lines)}


async def send(at: At, ask: Send) -> Shape:
    said = await conversation.say(
        at.engine, at.caller, at.card, ask.message.name, _saying(ask), ask.keys, ask.requestId or ""
    )
    result: Shape = {"appended": said.line is not None, "metadata": await _metadata(at, said)}
    if said.line is None:
        result["reason"] = "no_addition"
    if skipped := next(filter(None, map(_skipped, said.entries)), None):
        result["leadSkipped"] = skipped
    told: Shape = {"result": result}
    if said.line is not None:
        complete = await transcript.complete(at.engine, at.card, [said.line])
        told["message"] = message_shape(said.line, complete, at.code, at.links)
    if said.redacted:
        told["redacted"] = said.redacted
    return told | await _missed(at, ask, said)


def _saying(ask: Send) -> Say:
    given = ask.message
    answers = given.replyTo.id if given.replyTo else 0
    return Say(
        text=given.text or "",
        kind=ask.kind or "message",
        reply_to=Position(int(answers) if 0 < answers < LARGEST_ID else 0),
        attachments=tuple(one.id for one in given.attachments or ()),
    )


async def _metadata(at: At, said: SaidSo) -> Shape:
    """What a message was to the turn, or what it was to pass."""
    if said.line is not None and isinstance(said.line.event, MessageSaid):
        return metadata(said.line.event)
    for entry in said.entries:
        if isinstance(entry.event, TurnPassed) and entry.event.ending == "no_addition":
            return _passing(entry.event, entry.event.role)
        if isinstance(entry.event, QueueShortened):
            return _passing(entry.event, "supplement")
        if isinstance(entry.event, InvitationUsed):
            return _passing(entry.event, "host_directed")
    mode = await at.engine.view(at.card, lambda room: room.floor.mode)
    return {"modeAtSend": mode, "roleAtSend": "status", "invocationType": "status_update"}


def _passing(event: TurnPassed | QueueShortened | InvitationUsed, role: str) -> Shape:
    told: Shape = {"roleAtSend": role, "invocationType": "normal_turn"}
    return told if event.turn is None else {"modeAtSend": event.turn.mode, **told, "turnId": event.turn.id}


def _skipped(entry: LogEntry) -> Shape | None:
    """The lead, when somebody stepped in for it."""
    event = entry.event
    return passed(entry) if isinstance(event, TurnPassed) and event.ending == "skipped_by_grace" else None


async def _missed(at: At, ask: Send, said: SaidSo) -> Shape:
    """What the sender has not been given, and a cursor from which it misses nothing (gap 4, L06).

    `unread` counts the lines of others; beyond the next hundred all lines.
    """
    name, own = ask.message.name, said.line.line if said.line else 0
    member = await at.reader(name, ask.keys)
    if ask.since is not None:
        found = await transcript.after(at.engine, at.card, ask.since, MAX_LINES)
        told = _delivered(at, found, ask.since, member, cut=True)
        return told | {"unread": max(0, told["total"] - told["cursor"])}
    if member is None:
        return {"cursor": own, "unread": 0}
    heard = await at.engine.presence.heard(at.card.key, member.name)
    if own - heard > NEAR:
        return {"cursor": heard, "unread": own - heard - 1}
    missed = await conversation.unread(at.engine, at.card, member, said.line.position if said.line else None)
    if missed.lines or not own:
        return {"cursor": heard, "unread": len(missed.lines)}
    at.engine.presence.hear(at.card.key, member.name, own)
    return {"cursor": own, "unread": 0}


async def listen_for(at: At, ask: ListenFor) -> Shape:
    """Lines after `since`, waited for. Ours: what a loop of `get`, `messages` and `sweep` does in one call."""
    name = ask.name or ""
    member = await at.reader(name, ask.keys)
    wanted = Listen(ask.since, name, ask.timeoutMs / 1000, ask.wakeOn, ask.limit)
    heard = await listen(at.engine, at.card, wanted)
    told = _delivered(at, heard.transcript, ask.since, member, cut=ask.limit is not None)
    if heard.timed_out and not told["messages"]:  # what is quiet costs next to nothing (L29)
        owed = await at.engine.view(at.card, lambda room: verdict_ids(room, member.name) if member else {})
        return {"messages": [], "cursor": told["cursor"], "timedOut": True, **owed}
    now = at.engine.clock()
    stands = await at.engine.view(at.card, lambda room: standing(room, room.members.find(name), now))
    waiting = await at.engine.view(at.card, lambda room: inbox(room, member.name) if member else {})
    return {**told, **_ending(heard), **stands, **waiting}


def _ending(heard: Heard) -> Shape:
    if heard.terminated:
        return {"terminated": heard.terminated}
    return {"timedOut": True} if heard.timed_out else {}
