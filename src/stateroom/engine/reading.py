"""Pages of a room's log, in either direction."""

from collections.abc import Callable

from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant, Position
from stateroom.core.lobby import RoomCard
from stateroom.engine.engine import Engine

PAGE = 500
Wanted = Callable[[LogEntry], bool]


async def newest(
    engine: Engine, card: RoomCard, limit: int, wanted: Wanted, *, after: int = 0, before: int | None = None
) -> list[LogEntry]:
    """Up to `limit` wanted entries with after < position < before, newest first. Raises Unavailable."""
    top = await engine.view(card, lambda room: room.position)
    upper = min(top, before - 1) if before is not None else top
    found: list[LogEntry] = []
    while upper > after and len(found) < limit:
        lower = max(after, upper - PAGE)
        page = await engine.rooms.entries(card.key, lower, upper - lower)
        found += [entry for entry in reversed(page) if wanted(entry)]
        upper = lower
    return found[:limit]


async def oldest(
    engine: Engine, card: RoomCard, limit: int, wanted: Wanted, *, after: int = 0, before: int | None = None
) -> list[LogEntry]:
    """Up to `limit` wanted entries with after < position < before, oldest first. Raises BadCursor, Unavailable."""
    found: list[LogEntry] = []
    while len(found) < limit and (page := await engine.rooms.entries(card.key, after, PAGE)):
        found += [entry for entry in page if wanted(entry) and (before is None or entry.position < before)]
        after = page[-1].position
    return found[:limit]


async def position_at(engine: Engine, card: RoomCard, at: Instant) -> Position:
    """The last position that is not later than an instant, by halving: times never run backwards in a log.

    Raises Unavailable.
    """
    low, high = 0, int(await engine.view(card, lambda room: room.position))
    while low < high:
        middle = (low + high + 1) // 2
        found = await engine.rooms.entries(card.key, middle - 1, 1)
        low, high = (middle, high) if found and found[0].at <= at else (low, middle - 1)
    return Position(low)
