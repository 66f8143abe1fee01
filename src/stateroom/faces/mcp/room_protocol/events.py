"""Events: the room's log under the Room Protocol's names."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant, Position
from stateroom.core.lobby import RoomCard
from stateroom.core.members import same
from stateroom.core.messages import MarkRead, MessagePosted, PostMessage, WithdrawMessage
from stateroom.core.refusals import UnknownEvent
from stateroom.engine.inbox import Ask, Batch
from stateroom.engine.reading import newest, oldest
from stateroom.faces.mcp.arguments import BadArguments, issue
from stateroom.faces.mcp.desk import Desk, fit, size
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.room_protocol.arguments import Asked, ByAgent, Id, InRoom, Limit, ShortText, given
from stateroom.faces.mcp.room_protocol.arguments import Position as PositionArgument
from stateroom.faces.mcp.room_protocol.pages import Paged, noted, page, slim_event
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import ALL, Shape, event_shape, read_event_id, told
from stateroom.wire.times import iso_or_none, read_iso

UTC_TIME = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$")]
UNREAD_LIMIT = 50
WAIT_LIMIT = 20
READ_LIMIT = 20
MORE_UNREAD = "{} more are unread: get_unread_events goes on."


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


class Unread(ByAgent, kw_only=True):
    limit: Limit | UnsetType = UNSET
    peek: bool = False
    ack: int | UnsetType = UNSET
    forMe: bool = False
    excludeSelf: bool = False
    types: tuple[str, ...] = ()


class Wait(Unread, kw_only=True):
    timeoutMs: Annotated[int, Meta(ge=1, le=30_000)] = 5000


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


async def get_unread_events(desk: Desk, args: Unread) -> Any:
    """Events this agent has not seen, oldest first, each delivered once. peek: look only.
    ack: position of the last event you have; what follows is delivered again until acknowledged."""
    card = await desk.enter(args.roomId, desk.me(args.agentId))
    batch = await unread(desk, card, args, UNREAD_LIMIT, desk.answer_bytes)
    return await _batch_shape(desk, card, args, batch, count=len(batch.entries))


async def unread(desk: Desk, card: RoomCard, args: Unread, limit: int, room_bytes: int | None) -> Batch:
    """One read of the inbox. An explicit limit is kept to; otherwise the answer's size bounds it, and nothing
    that was not delivered counts as read."""
    room_bytes = room_bytes if isinstance(args.limit, UnsetType) else None
    messages = await desk.engine.view(card, lambda room: room.messages)

    def as_shown(entry: LogEntry) -> Shape:
        return slim_event(event_shape(entry, card.room_id, messages.read_by(entry.position)), room_bytes)

    ask = Ask(
        limit=args.limit if not isinstance(args.limit, UnsetType) else limit,
        room_bytes=room_bytes,
        wanted=_filter(desk, args),
        size=None if room_bytes is None else lambda entry: size(as_shown(entry)) + 1,
        peek=args.peek,
        ack=None if isinstance(args.ack, UnsetType) else args.ack,
    )
    return await desk.engine.inbox.read(card.key, desk.me(args.agentId), ask)


def _filter(desk: Desk, args: Unread) -> Callable[[LogEntry], bool] | None:
    """What the caller asked to see (W-10); None for everything."""
    if not (args.forMe or args.excludeSelf or args.types):
        return None
    me = desk.me(args.agentId)

    def wanted(entry: LogEntry) -> bool:
        event = event_shape(entry, "")
        return (
            (not args.forMe or event["to"] == ALL or same(event["to"], me))
            and not (args.excludeSelf and same(event["from"], me))
            and (not args.types or event["type"] in args.types)
        )

    return wanted


async def shown(desk: Desk, card: RoomCard, batch: Batch, room_bytes: int | None) -> list[Shape]:
    """A batch as it is answered; an event that is too large by itself without its payload."""
    events = await desk.engine.view(card, lambda room: told(batch.entries, room, card.room_id))
    return [slim_event(event, room_bytes) for event in events]


async def _batch_shape(desk: Desk, card: RoomCard, args: Unread, batch: Batch, **more: Any) -> Any:
    events = await shown(desk, card, batch, desk.answer_bytes if isinstance(args.limit, UnsetType) else None)
    position = batch.entries[-1].position if batch.entries else batch.cursor.read
    shape = {"events": events, "cursor": iso_or_none(batch.cursor.read_at), **more, "position": position}
    left = await desk.engine.inbox.unread_after(card.key, position) if batch.more else 0
    if left:
        shape["more"] = left
    if batch.skipped:
        shape["skipped"] = batch.skipped
    cut = left and desk.answer_bytes is not None and isinstance(args.limit, UnsetType)
    return noted(shape, MORE_UNREAD.format(left) if cut else "")


async def wait_for_events(desk: Desk, args: Wait) -> Any:
    """Like get_unread_events, but waits up to timeoutMs for the first one."""
    card = await desk.enter(args.roomId, desk.me(args.agentId))

    async def look() -> Batch | None:
        batch = await unread(desk, card, args, WAIT_LIMIT, desk.answer_bytes)
        return batch if batch.entries else None

    batch = await desk.engine.follower.until(card.key, look, args.timeoutMs / 1000)
    if batch is None:
        cursor = await desk.engine.inbox.cursor(card.key, desk.me(args.agentId))
        nothing: Shape = {"events": [], "cursor": iso_or_none(cursor.read_at), "count": 0}
        return {**nothing, "position": cursor.read, "timedOut": True}
    return await _batch_shape(desk, card, args, batch, count=len(batch.entries), timedOut=False)


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
    part = page(desk, readers, args, f"get_event_reads(eventId: E-{position}, ")
    return noted({"eventId": args.eventId, "readBy": part.items}, part.note)


async def delete_event(desk: Desk, args: DeleteEvent) -> Shape:
    """Withdraw an event from view."""
    card = await desk.enter(args.roomId)
    position = await _known(desk, card, args.eventId)
    await desk.wish(card, WithdrawMessage(position), desk.me(given(args.agentId)))
    return {"deleted": True, "eventId": args.eventId}


WAITING = [Tool.of(wait_for_events, Wait, waits=True)]
TOOLS = [
    Tool.of(post_event, PostEvent),
    Tool.of(read_events, ReadEvents, read_only=True),
    Tool.of(get_unread_events, Unread),
    Tool.of(mark_event_read, MarkEvent, idempotent=True),
    Tool.of(get_event_reads, Receipts, read_only=True),
    Tool.of(reply_to_event, Reply),
    Tool.of(delete_event, DeleteEvent, destructive=True, idempotent=True),
]
