"""Rooms folded from their logs, line by line, for whoever looks at a room as a whole: read on, not anew, each time
somebody asks (agent-room gap 58).

They are apart from the rooms that rules are decided on, so a long look at one holds nobody up.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from stateroom.core.here import LogEntry
from stateroom.core.ids import LogKey
from stateroom.core.lobby import RoomCard
from stateroom.core.room import Room, evolve
from stateroom.engine.engine import Engine
from stateroom.engine.rooms import PAGE

LINES_KEPT = 20_000
"""Of all rooms together; a room that has more is read anew each time."""


@dataclass(slots=True)
class Replay:
    """A room as it stood at `room.position`, and all lines up to there."""

    room: Room = field(default_factory=Room)
    lines: list[LogEntry] = field(default_factory=list)
    last: LogEntry | None = None
    """The entry it ends with."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def fold(self, entries: list[LogEntry]) -> None:
        for entry in entries:
            evolve(self.room, entry)
        self.lines += [entry for entry in entries if entry.line]
        self.last = entries[-1]

    def begin_again(self) -> None:
        self.room, self.lines, self.last = Room(), [], None


Replays = dict[LogKey, Replay]
_REPLAYS: WeakKeyDictionary[Engine, Replays] = WeakKeyDictionary()
"""What each engine of this process has read, the longest unused first."""


@asynccontextmanager
async def replayed(engine: Engine, card: RoomCard) -> AsyncIterator[Replay]:
    """The room as it stands now. It does not move before the context ends. Raises Unavailable."""
    replays = _REPLAYS.setdefault(engine, {})
    replay = replays[card.key] = replays.pop(card.key) if card.key in replays else Replay()
    try:
        async with replay.lock:
            await _read_on(engine, card, replay)
            yield replay
    finally:
        _make_room(replays)


async def _read_on(engine: Engine, card: RoomCard, replay: Replay) -> None:
    end = await engine.view(card, lambda room: room.position)
    if replay.last is not None and await engine.entry(card, replay.last.position) != replay.last:
        replay.begin_again()  # what we know is of an earlier life of the log, which was dropped
    while (place := replay.room.position) < end:
        page = await engine.rooms.entries(card.key, place, min(PAGE, end - place))
        if not page:
            break
        replay.fold(page)


def _make_room(replays: Replays) -> None:
    held = sum(len(replay.lines) for replay in replays.values())
    for key, replay in list(replays.items()):
        if held > LINES_KEPT and not replay.lock.locked():
            held -= len(replays.pop(key).lines)
