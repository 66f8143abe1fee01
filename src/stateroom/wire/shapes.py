"""The native JSON forms: the core's own words. Instants are milliseconds since 1970-01-01T00:00:00Z."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant, Name, RoomId


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a log: the event's name and its facts, where it stands and where it came from."""

    position: int
    line: int
    at: Instant
    by: Name
    via: str
    cause: str
    event: str
    told: bool
    """Whether the room hears of it as an event."""
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    entries: list[Entry]
    """Oldest first."""
    next: int
    """Read on with `after` set to this."""
    last: int
    """The log's last position."""


@dataclass(frozen=True, slots=True)
class RoomInfo:
    id: RoomId
    code: str
    team: str
    created_at: Instant
    project: str
    members: int
    tasks: int
    tasks_done: int
    context: int
    events: int
    position: int
    last_at: Instant
    topic: str = ""
    host: str = ""
    status: str = "active"
    lines: int = 0
    """How many lines the transcript has."""
    mode: str = "open"
    host_key: str = ""
    """Shown once, to who has just created the room."""


@dataclass(frozen=True, slots=True)
class Here:
    """A member and whether it is online; `presence` is listening, online, idle or away."""

    name: Name
    online: bool
    last_seen: Instant | None
    presence: str = "away"


@dataclass(frozen=True, slots=True)
class Written:
    """What a command did: nothing (`changed` false), something, or what it did the first time (`replayed`)."""

    position: int
    """Of the last of its entries, so that reading on from here misses nobody else's; where it changed nothing, the
    log's last."""
    changed: bool
    replayed: bool
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class Health:
    ok: bool
    ts: str
    version: str
    store: str
    problem: str = ""


PAGE_BYTES = 4 * 1024 * 1024
_encode = msgspec.json.Encoder().encode


def entry(entry: LogEntry) -> Entry:
    """An entry ready to be sent: its facts are encoded already."""
    return _entry(entry, _encode(entry.event.public))


def page(found: Iterable[LogEntry], after: int, last: int) -> Page:
    """The page of these entries, which come after a position; cut, but never empty, at 4 MiB of facts."""
    entries: list[Entry] = []
    used = 0
    for one in found:
        facts = _encode(one.event.public)
        used += len(facts)
        if entries and used > PAGE_BYTES:
            break
        entries.append(_entry(one, facts))
    return Page(entries, entries[-1].position if entries else after, last)


def _entry(entry: LogEntry, encoded: bytes) -> Entry:
    facts: Any = msgspec.Raw(encoded)
    name = type(entry.event).__name__
    return Entry(entry.position, entry.line, entry.at, entry.by, entry.via, entry.cause, name, entry.event.told, facts)
