"""What a member has not seen yet.

*take* advances the member's cursor: each entry is delivered once per member, also under concurrent calls and by
several servers (W-06). *peek* looks without advancing. *ack* advances only to what the caller says it has, and
delivers what comes after again and again until it is acknowledged, so a lost answer loses nothing (W-05).

Unread means: told to the room, after the cursor. Nothing else has a say in it.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from weakref import WeakValueDictionary

import msgspec

from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant, LogKey, Position
from stateroom.core.members import fold
from stateroom.core.refusals import BadCursor
from stateroom.core.room import Room
from stateroom.engine.rooms import PAGE, Rooms
from stateroom.log.seam import Shelf, Store, Unavailable

CURSOR_TTL_S = 30 * 86_400
SWAPS = 100

Wanted = Callable[[LogEntry], bool]
Size = Callable[[LogEntry], int]


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a member has read one life of a room."""

    life: Instant = Instant(0)
    read: Position = Position(0)
    read_at: Instant | None = None
    """The time of the last entry delivered; for display only."""
    context: Position = Position(0)
    """Up to where the member knows which context entries there are (W-08)."""


@dataclass(frozen=True, slots=True)
class Batch:
    entries: list[LogEntry]
    """Oldest first."""
    cursor: Cursor
    more: int
    """How many log entries still lie behind this batch; 0 means the member is up to date."""
    skipped: int = 0
    """Told entries that did not match what the caller asked for; they count as read."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What one call wants from the inbox."""

    limit: int = 50
    room_bytes: int | None = None
    """Stop before the rendered entries exceed this; at least one is always delivered."""
    wanted: Wanted | None = None
    size: Size | None = None
    peek: bool = False
    ack: int | None = None
    """Acknowledge everything up to this position, and deliver what follows without advancing further."""


class Inbox:
    def __init__(self, store: Store, rooms: Rooms) -> None:
        self._shelf, self._rooms = store.shelf, rooms
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def read(self, key: LogKey, member: str, ask: Ask) -> Batch:
        """The next unread entries. Raises BadCursor, Unavailable; then nothing has moved."""
        if ask.peek:
            return await self._scan(key, (await self._cursor(key, member))[1], ask)
        name = _cursor_key(key, member)
        async with self._turns.setdefault(name, asyncio.Lock()):  # spares one process its own swap conflicts
            for _ in range(SWAPS):
                batch = await self._try(key, member, ask)
                if batch is not None:
                    return batch
        raise Unavailable("Too many readers share this name right now. Repeat the call, or use a name of your own.")

    async def _try(self, key: LogKey, member: str, ask: Ask) -> Batch | None:
        stored, cursor = await self._cursor(key, member)
        if ask.ack is not None:
            cursor = await self._acknowledged(key, cursor, ask.ack)
        batch = await self._scan(key, cursor, ask)
        after = cursor if ask.ack is not None else batch.cursor
        if after == (_decode(stored) if stored else None) or (stored is None and after.read == 0):
            return batch
        if not await self._swap(key, member, stored, after):
            return None
        return replace(batch, cursor=after)

    async def _acknowledged(self, key: LogKey, cursor: Cursor, position: int) -> Cursor:
        _, last = await self._extent(key, lambda _, last: position > last)
        if not 0 <= position <= last:
            raise BadCursor(cursor=position, last=last)
        return replace(cursor, read=Position(max(cursor.read, position)))  # never backwards (W-06)

    async def _extent(self, key: LogKey, doubtful: Callable[[Instant, Position], bool]) -> tuple[Instant, Position]:
        """The room's life and last position; looked up again if they can not be what another server has seen."""
        extent: tuple[Instant, Position] = await self._rooms.view(key, _extent)
        if doubtful(*extent):
            await self._rooms.look_again(key)
            extent = await self._rooms.view(key, _extent)
        return extent

    async def _scan(self, key: LogKey, cursor: Cursor, ask: Ask) -> Batch:
        """Walk on from the cursor until the batch is full or the log ends."""
        found: list[LogEntry] = []
        after, used, skipped = cursor.read, 0, 0
        withdrawn, last = await self._rooms.view(key, lambda room: (set(room.messages.withdrawn), room.position))
        while page := await self._rooms.entries(key, after, min(PAGE, max(2 * ask.limit, 100))):
            for entry in page:
                if entry.event.told and entry.position not in withdrawn:
                    if ask.wanted is not None and not ask.wanted(entry):
                        skipped += 1
                    else:
                        used += ask.size(entry) if ask.size else 0
                        full = len(found) >= ask.limit or (ask.room_bytes is not None and used > ask.room_bytes)
                        if found and full:
                            return self._batch(found, cursor, after, last, skipped)
                        found.append(entry)
                after = entry.position
        return self._batch(found, cursor, after, last, skipped)

    def _batch(self, found: list[LogEntry], cursor: Cursor, after: int, last: int, skipped: int) -> Batch:
        read_at = found[-1].at if found else cursor.read_at
        moved = replace(cursor, read=Position(after), read_at=read_at)
        return Batch(found, moved, max(0, last - after), skipped)

    async def see_context(self, key: LogKey, member: str) -> int:
        """How many context entries were written since the member last asked this; all of them the first time."""
        fresh = 0
        for _ in range(SWAPS):
            stored, cursor = await self._cursor(key, member)
            look = partial(_fresh_context, since=cursor.context)
            position, fresh = await self._rooms.view(key, look)
            seen = replace(cursor, context=position)
            if position <= cursor.context or await self._swap(key, member, stored, seen):
                break
        return fresh

    async def cursor(self, key: LogKey, member: str) -> Cursor:
        """How far the member has read."""
        return (await self._cursor(key, member))[1]

    async def unread_after(self, key: LogKey, position: int) -> int:
        """How many told entries lie after a position, counted up to 1,000 log entries on."""
        messages = await self._rooms.view(key, lambda room: room.messages)
        return sum(map(messages.visible, await self._rooms.entries(key, position)))

    async def _cursor(self, key: LogKey, member: str) -> tuple[bytes | None, Cursor]:
        """What is stored, and what it means in the room's present life: a cursor from an earlier one starts anew."""
        name = _cursor_key(key, member)
        stored = (await self._shelf.get([name])).get(name)
        cursor = _decode(stored) if stored else Cursor()
        life, _ = await self._extent(key, lambda life, last: cursor.life != life or cursor.read > last)
        if cursor.life != life:
            cursor = Cursor(life=life)
        return stored, cursor

    async def _swap(self, key: LogKey, member: str, stored: bytes | None, cursor: Cursor) -> bool:
        return await self._shelf.swap(_cursor_key(key, member), stored, msgspec.json.encode(cursor), CURSOR_TTL_S)


def _extent(room: Room) -> tuple[Instant, Position]:
    return room.lifecycle.opened_at, room.position


def _fresh_context(room: Room, since: Position) -> tuple[Position, int]:
    return room.position, room.context.written_since(since)


def _cursor_key(key: LogKey, member: str) -> str:
    return f"cursor/{key}/{fold(member)}"


def _decode(stored: bytes) -> Cursor:
    return msgspec.json.decode(stored, type=Cursor)


async def carry_cursors(source: Shelf, destination: Shelf, key: LogKey, members: Iterable[str]) -> int:
    """After a log was copied: what its members have seen stays seen. Says how many cursors were carried over."""
    found = await source.get([_cursor_key(key, member) for member in members])
    return sum([await destination.swap(name, None, cursor, CURSOR_TTL_S) for name, cursor in found.items()])
