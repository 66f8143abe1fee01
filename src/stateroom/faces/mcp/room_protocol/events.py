"""Events: the room's log under the Room Protocol's names."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant, Position
from stateroom.core.lobby import RoomCard
from stateroom.core.messages import MarkRead, MessagePosted, PostMessage, WithdrawMessage
from stateroom.core.refusals import UnknownEvent
from stateroom.engine.reading import newest, oldest
from stateroom.faces.mcp.arguments import BadArguments, issue
from stateroom.faces.mcp.desk import Desk, fit
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.room_protocol.arguments import Asked, ByAgent, Id, InRoom, Limit, ShortText, given
from stateroom.faces.mcp.room_protocol.arguments import Position as PositionArgument
from stateroom.faces.mcp.room_protocol.pages import Paged, noted, page, slim_event
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape, event_id, event_shape, read_event_id, told
from stateroom.wire.times import read_iso

UTC_TIME = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$")]
READ_LIMIT = 20


class PostEvent(InRoom, kw_only=True):
    type: ShortText
    sender: ShortText = field(name="from")
    to: ShortText
    payload: dict[str, Any]
    requestId: str = ""


class Reply(InRoom, kw_only=True):
    replyToId: Id
    type: Id
    sender: Id = field(name="from")
    to: Id
    payload: dict[str, Any]
    requestId: str = ""


class ReadEvents(InRoom, kw_only=True):
    since: UTC_TIME | UnsetType = UNSET
    limit: Limit | UnsetType = UNSET
    after: PositionArgument = 0
    before: PositionArgument | UnsetType = UNSET
    order: Literal["newest", "oldest"] = "newest"


class Receipts(Paged, kw_only=True):
    eventId: Id


class MarkEvent(ByAgent, kw_only=True):
    eventId: Id


class DeleteEvent(Asked, kw_only=True):
    eventId: Id


async def post_event(desk: Desk, args: PostEvent) -> Shape:
    """Tell the room something: a type, an addressee (an agent or "all"), a payload."""
    command = PostMessage(args.type, args.to, args.payload)
    return await _post(desk, args.roomId, command, args.sender, args.requestId)


async def reply_to_event(desk: Desk, args: Reply) -> Shape:
    """Answer an event; the answer names it in reply_to_id."""
    command = PostMessage(args.type, args.to, args.payload, args.replyToId)
    posted = await _post(desk, args.roomId, command, args.sender, args.requestId)
    card = await desk.enter(args.roomId)
    return {**posted, "parent_found": await _find(desk, card, args.replyToId) is not None}


async def _post(desk: Desk, room: str, command: PostMessage, sender: str, request_id: str) -> Shape:
    card = await desk.enter(room)
    outcome = await desk.wish(card, command, desk.me(sender), request_id)
    posted = next(entry for entry in outcome.entries if isinstance(entry.event, MessagePosted))
    return slim_event(event_shape(posted, card.room_id), desk.answer_bytes)


async def _find(desk: Desk, card: RoomCard, event_id: str) -> LogEntry | None:
    """The entry an event id names, if the room was told of it and it is not withdrawn."""
    position = read_event_id(event_id)
    entry = await desk.engine.entry(card, position) if position else None
    if entry is None or not await desk.engine.view(card, lambda room: room.messages.visible(entry)):
        return None
    return entry


async def _known(desk: Desk, card: RoomCard, event_id: str) -> Position:
    """Raises UnknownEvent."""
    entry = await _find(desk, card, event_id)
    if entry is None:
        raise UnknownEvent(event=event_id)
    return entry.position


async def read_events(desk: Desk, args: ReadEvents) -> Any:
    """Look at the log without touching any cursor. Newest first; bounded by since (UTC) or after/before (positions)."""
    since = None if isinstance(args.since, UnsetType) else _instant(args.since)
    card = await desk.find(args.roomId)
    if card is None:
        return []
    limit = READ_LIMIT if isinstance(args.limit, UnsetType) else args.limit
    before = None if isinstance(args.before, UnsetType) else args.before
    messages = await desk.engine.view(card, lambda room: room.messages)

    def wanted(entry: LogEntry) -> bool:
        return messages.visible(entry) and (since is None or entry.at > since)

    read = newest if args.order == "newest" else oldest
    entries = await read(desk.engine, card, limit + 1, wanted, after=args.after, before=before)
    events = await desk.engine.view(card, lambda room: told(entries, room, card.room_id))
    whole = not isinstance(args.limit, UnsetType) or desk.answer_bytes is None
    return events[:limit] if whole else _cut(desk, events, limit, args.order)


def _instant(since: str) -> Instant:
    """Raises BadArguments for what looks like a time but is on no calendar."""
    at = read_iso(since)
    if at is None:
        raise BadArguments("read_events", [issue("invalid_string", ["since"], "Invalid datetime")])
    return at


def _cut(desk: Desk, events: list[Shape], limit: int, order: str) -> Any:
    """The first of these, at most `limit`; one more than that says that there are more."""
    kept = fit([slim_event(event, desk.answer_bytes) for event in events[:limit]], desk.answer_bytes)
    if len(kept) == len(events):
        return kept
    bound = f"before: {kept[-1]['position']}" if order == "newest" else f"after: {kept[-1]['position']}"
    return Cut(kept, f'There are more events: read_events({bound}, order: "{order}") goes on.')


async def mark_event_read(desk: Desk, args: MarkEvent) -> Shape:
    """Leave a receipt: this agent has read this event."""
    card = await desk.enter(args.roomId)
    position = await _known(desk, card, args.eventId)
    await desk.wish(card, MarkRead(position), desk.me(args.agentId))
    return {"eventId": args.eventId, "agentId": desk.me(args.agentId), "ok": True}


async def get_event_reads(desk: Desk, args: Receipts) -> Any:
    """Which agents have left a receipt for an event."""
    position = read_event_id(args.eventId) or 0
    readers = await desk.look(args.roomId, lambda room: room.messages.read_by(position))
    part = page(desk, readers, args, f'get_event_reads(eventId: "{event_id(position)}", ')
    return noted({"eventId": args.eventId, "readBy": part.items}, part.note)


async def delete_event(desk: Desk, args: DeleteEvent) -> Shape:
    """Withdraw an event from view."""
    card = await desk.enter(args.roomId)
    position = await _known(desk, card, args.eventId)
    await desk.wish(card, WithdrawMessage(position), desk.me(given(args.agentId)))
    return {"deleted": True, "eventId": args.eventId}


POSTING = [Tool.of(post_event, PostEvent), Tool.of(read_events, ReadEvents, read_only=True)]
ANSWERING = [
    Tool.of(mark_event_read, MarkEvent, idempotent=True),
    Tool.of(get_event_reads, Receipts, read_only=True),
    Tool.of(reply_to_event, Reply),
    Tool.of(delete_event, DeleteEvent, destructive=True, idempotent=True),
]
