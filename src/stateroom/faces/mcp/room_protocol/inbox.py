"""What an agent has not seen: read, waited for, taken, under the Room Protocol's names."""

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from stateroom.core.here import LogEntry
from stateroom.core.lobby import RoomCard
from stateroom.core.members import same
from stateroom.engine.inbox import Ask, Batch
from stateroom.faces.mcp.desk import Desk, size
from stateroom.faces.mcp.room_protocol.arguments import ByAgent, Limit
from stateroom.faces.mcp.room_protocol.pages import noted, slim_event
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import ALL, Shape, event_shape, told
from stateroom.wire.times import iso_or_none

UNREAD_LIMIT = 50
WAIT_LIMIT = 20
MORE_UNREAD = "{} more are unread: get_unread_events goes on."


class Unread(ByAgent, kw_only=True):
    limit: Limit | UnsetType = UNSET
    peek: bool = False
    ack: int | UnsetType = UNSET
    forMe: bool = False
    excludeSelf: bool = False
    types: tuple[str, ...] = ()


class Wait(Unread, kw_only=True):
    timeoutMs: Annotated[int, Meta(ge=1, le=30_000)] = 5000


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


WAITING = [Tool.of(wait_for_events, Wait, waits=True)]
READING = [Tool.of(get_unread_events, Unread)]
