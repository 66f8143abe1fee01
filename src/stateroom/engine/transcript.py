"""Reading the transcript by its line numbers. Nothing is ever trimmed or renumbered (agent-room gaps 5, 41)."""

from collections.abc import Iterable

from stateroom.core.here import LogEntry
from stateroom.core.lobby import RoomCard
from stateroom.core.refusals import BadCursor
from stateroom.core.room import Room
from stateroom.core.speech import MessageSaid
from stateroom.engine.engine import Engine
from stateroom.engine.rooms import PAGE
from stateroom.wire.agent_room.messages import Transcript


async def after(engine: Engine, card: RoomCard, line: int, limit: int | None = None) -> Transcript:
    """The lines after a line, oldest first, at most `limit`. Raises BadCursor, Unavailable."""
    total, place = await engine.view(card, lambda room: (room.lines, room.messages.before_line(line + 1)))
    if line > total:  # another server may know more than we do
        await engine.rooms.look_again(card.key)
        total, place = await engine.view(card, lambda room: (room.lines, room.messages.before_line(line + 1)))
    if not 0 <= line <= total:
        raise BadCursor(cursor=line, last=total)
    wanted = total - line if limit is None else min(limit, total - line)
    stand = await engine.view(card, _stand)
    if (known := engine.shown.find((card.key, line, wanted), stand)) is not None:
        return known
    found: list[LogEntry] = []
    while len(found) < wanted and (page := await engine.rooms.entries(card.key, place)):
        found += [entry for entry in page if entry.line > line]
        place = page[-1].position
    lines = await complete(engine, card, found[:wanted])
    engine.shown.keep((card.key, line, wanted), stand, lines)
    return lines


def _stand(room: Room) -> tuple[int, ...]:
    """Tells two states of a log apart, in whatever life of it."""
    return room.position, room.last_at, room.lifecycle.opened_at


async def newest(engine: Engine, card: RoomCard, count: int) -> Transcript:
    """The last lines, oldest first. Raises Unavailable."""
    total = await engine.view(card, lambda room: room.lines)
    return await after(engine, card, max(0, total - count))


async def until(engine: Engine, card: RoomCard, position: int) -> Transcript:
    """All lines up to a position: a room as it stood then. Raises Unavailable."""
    found: list[LogEntry] = []
    place = 0
    while place < position and (page := await engine.rooms.entries(card.key, place, min(PAGE, position - place))):
        found += [entry for entry in page if entry.line]
        place = page[-1].position
    return await complete(engine, card, found)


async def complete(engine: Engine, card: RoomCard, entries: list[LogEntry]) -> Transcript:
    """Lines with what they quote, and which of them were withdrawn."""
    withdrawn, total = await engine.view(card, lambda room: (room.messages.withdrawn, room.lines))
    gone = frozenset(entry.position for entry in entries if entry.position in withdrawn)
    quoted = {position: entry for position in _answered(entries) if (entry := await engine.entry(card, position))}
    return Transcript(entries, quoted, gone | (quoted.keys() & withdrawn.keys()), total)


def _answered(entries: Iterable[LogEntry]) -> set[int]:
    said = (entry.event for entry in entries if isinstance(entry.event, MessageSaid))
    return {event.reply_to for event in said if event.reply_to}


async def page(engine: Engine, card: RoomCard, line: int) -> list[LogEntry]:
    """Some lines after a line, as they are in the log, for whoever only looks; none if there are none, however many
    entries lie between that are no lines. Raises Unavailable."""
    place = await engine.view(card, lambda room: room.messages.before_line(line + 1))
    while entries := await engine.rooms.entries(card.key, place):
        if found := [entry for entry in entries if entry.line > line]:
            return found
        place = entries[-1].position
    return []
