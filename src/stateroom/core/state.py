"""What every log folds into, whatever it is about: where it ends, and which requests it has answered."""

from dataclasses import dataclass, field

from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant, Position

REQUEST_WINDOW = 1000
"""How many answered requests a log remembers; an older repeat is a new wish."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A request that has already had its effect: entries `first` to `last` of this log."""

    fingerprint: str
    first: Position
    last: Position


@dataclass(slots=True)
class State:
    """The generic part of a fold. Subclasses add their slices."""

    position: Position = Position(0)
    lines: int = 0
    last_at: Instant = Instant(0)
    requests: dict[str, Answered] = field(default_factory=dict)

    def advance(self, entry: LogEntry) -> None:
        """Take note of an entry's place, time and cause. O(1)."""
        self.position, self.last_at = entry.position, entry.at
        self.lines = entry.line or self.lines
        if entry.cause:
            self._remember(entry)

    def _remember(self, entry: LogEntry) -> None:
        request, _, fingerprint = entry.cause.rpartition("#")
        known = self.requests.get(request)
        first = known.first if known and known.last == entry.position - 1 else entry.position
        self.requests[request] = Answered(fingerprint, first, entry.position)
        if len(self.requests) > REQUEST_WINDOW:
            del self.requests[next(iter(self.requests))]
