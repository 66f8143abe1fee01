"""The native JSON forms: the core's own words. Instants are milliseconds since 1970-01-01T00:00:00Z."""

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


@dataclass(frozen=True, slots=True)
class Here:
    """A member and whether it is online."""

    name: Name
    online: bool
    last_seen: Instant | None


@dataclass(frozen=True, slots=True)
class Written:
    """What a command did: nothing (`changed` false), something, or what it did the first time (`replayed`)."""

    position: int
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


def entry(entry: LogEntry) -> Entry:
    facts: dict[str, Any] = msgspec.to_builtins(entry.event)
    name = type(entry.event).__name__
    return Entry(entry.position, entry.line, entry.at, entry.by, entry.via, entry.cause, name, entry.event.told, facts)
