"""One log as this process knows it: its state, how much of it is durable, and its newest entries.

The state may run ahead of the store: commands are decided on entries that are folded and on their way, so that
group commit also helps a single busy room. Nothing is answered from it before it is durable (`settled`). When an
append fails, everything that ran ahead is void: the log is `lost`, and loaded again from the store.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from stateroom.core.here import Event, LogEntry
from stateroom.core.ids import LogKey, Name, Position
from stateroom.core.state import State
from stateroom.log.seam import Draft, Stamp

S = TypeVar("S", bound=State)
RECENT_KEPT = 1024


@dataclass(frozen=True, slots=True)
class Landing:
    """One decided request on its way to the store."""

    after: int
    drafts: list[Draft]
    landed: "asyncio.Future[bool]"
    """True: it is in the log. False: another writer came first, decide again. Or it raises Unavailable."""


class Held(Generic[S]):
    """The fold of one log. Only `Rooms` makes, loads and forgets these; only `execute` moves them ahead."""

    def __init__(self, key: LogKey, state: S, evolve: Callable[[S, LogEntry], None]) -> None:
        self.key = key
        self.state = state
        self.durable = state.position
        self.stale = False
        """Another process may have appended; look before answering."""
        self.behind = True
        """Being brought up to date right now, or not yet: nobody may answer from it."""
        self.lost = False
        """An append failed: this object is void, load the log again."""
        self.landing: list[Landing] = []
        """What has been decided and waits for the append that is on its way."""
        self.appending = False
        self.hinted = False
        """A hint has come for entries whose append has not been answered yet."""
        self.snapshot_at = state.position
        self._evolve = evolve
        self._recent: list[LogEntry] = []
        self._settling: list[tuple[int, asyncio.Future[None]]] = []

    @property
    def to_load(self) -> bool:
        """Whether the store has to be read before this can be used. Never while an append is on its way: its
        outcome will tell."""
        return self.lost or ((self.stale or self.behind) and not self.in_flight)

    @property
    def in_flight(self) -> bool:
        """Whether the state is ahead of the store."""
        return self.appending or bool(self.landing)

    def run_ahead(self, events: Sequence[Event], stamp: Stamp) -> list[LogEntry]:
        """Fold what has just been decided, before the store has it: places are what the store will assign."""
        return [self._foresee(event, stamp) for event in events]

    def _foresee(self, event: Event, stamp: Stamp) -> LogEntry:
        state = self.state
        line = state.lines + 1 if event.line else 0
        position = Position(state.position + 1)
        entry = LogEntry(position, line, stamp.at, Name(stamp.by), stamp.via, stamp.cause, event)
        self._fold(entry)
        return entry

    def catch_up(self, entries: Sequence[LogEntry]) -> None:
        """Fold entries read from the store."""
        for entry in entries:
            if entry.position == self.state.position + 1:
                self._fold(entry)
        self.confirm(self.state.position)

    def _fold(self, entry: LogEntry) -> None:
        self._evolve(self.state, entry)
        self._recent.append(entry)
        if len(self._recent) > 2 * RECENT_KEPT:
            del self._recent[:-RECENT_KEPT]

    def confirm(self, position: int) -> None:
        """Everything up to here is in the store."""
        self.durable = Position(max(self.durable, position))
        self._release()

    def lose(self) -> None:
        """What ran ahead is void. Everybody who waits for it looks again."""
        self.lost = True
        self._release()

    def _release(self) -> None:
        waiting, self._settling = self._settling, []
        for position, done in waiting:
            if self.lost or position <= self.durable:
                if not done.done():
                    done.set_result(None)
            else:
                self._settling.append((position, done))

    async def settled(self) -> bool:
        """Wait until all that is known now is durable. False if it was lost instead: ask again."""
        if self.durable < self.state.position and not self.lost:
            done = asyncio.get_running_loop().create_future()
            self._settling.append((self.state.position, done))
            await done
        return not self.lost

    def recent(self, after: int, limit: int) -> list[LogEntry] | None:
        """Durable entries after a position, if they are all at hand; None if the store has to be asked."""
        if self.lost or after >= self.durable or not self._recent or self._recent[0].position > after + 1:
            return None
        start = after + 1 - self._recent[0].position
        return self._recent[start : start + min(limit, self.durable - after)]
