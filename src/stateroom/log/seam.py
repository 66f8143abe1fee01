"""What Stateroom asks of a store: append, read, watch and drop for logs; a shelf; blobs.

`append` is the only place where concurrent writers meet. `watch` carries hints, never content:
a hint says "this log has moved, read it". A lost, doubled or late hint is only ever a delay, as long
as the store says `None` ("I was cut off: look everywhere") after a gap.

Bodies are opaque bytes here: the codec in `log/codec.py` knows what they mean, stores do not.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from stateroom.core.ids import Instant, LogKey


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every entry of one request shares."""

    by: str
    """The member who asked; empty when nobody is named."""
    via: str
    """A label of the credential that vouched for `by`; never the secret."""
    cause: str
    """The request that asked for it; empty when the caller gave no request id."""
    at: Instant
    """When, by the server's clock. The store keeps it from running backwards within a log."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One encoded event on its way into a log."""

    body: bytes
    line: bool = False
    """Whether the entry is also a line of the transcript, and so takes the next line number."""
    stamp: "Stamp | None" = None
    """Its own stamp, where several requests share one append; None: the append's."""


@dataclass(frozen=True, slots=True)
class Record:
    """One stored line of a log."""

    position: int
    line: int
    """Transcript line number, counted from 1 over lines only; 0 for an entry that is no line."""
    at: Instant
    by: str
    via: str
    cause: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Hint:
    """This log has moved. Never content: only how far, so that a reader who knows that much need not look."""

    key: LogKey
    head: int
    """The log's last position when the hint was made; 0 after a drop."""


class Conflict(Exception):
    """Someone else appended first. `head` is the log's last position now (0 for an empty or dropped log);
    `tail` holds up to 1,000 records after the position the writer believed in (empty if head is smaller)."""

    def __init__(self, head: int, tail: Sequence[Record]) -> None:
        super().__init__(f"the log is at {head}")
        self.head = head
        self.tail = tail


class Unavailable(Exception):
    """The store did not answer, or could not write (disk full, read-only, locked, corrupt).

    An append that ended so may or may not have happened: read to find out. The text says what to do.
    """


class Log(Protocol):
    async def append(self, key: LogKey, after: int, drafts: Sequence[Draft], stamp: Stamp) -> list[Record]:
        """Add the drafts right after position `after`: all or none, durable when this returns.

        Assigned inside: positions (after+1 …), line numbers (the log's last line number, plus one per draft
        with `line`), and `at` = the larger of the stamp's `at` and the `at` of the record before it. A draft that
        brings a stamp of its own keeps that one: so several requests can share one append.
        Announces key and new head to every watcher, in this and in other processes. Raises Conflict, Unavailable.
        """

    async def read(self, key: LogKey, after: int, limit: int = 1000) -> list[Record]:
        """Up to `limit` records after a position, in order, without gaps. An unknown log reads as empty."""

    def watch(self) -> AbstractAsyncContextManager[AsyncIterator[Hint | None]]:
        """Hints for every append that begins once the context is entered; `None` after a possible gap."""

    async def drop(self, key: LogKey) -> None:
        """Forget a whole log. A later append starts a new life at position 1 (after=0). Announces the key."""


class Shelf(Protocol):
    """Small values with a time to live: presence, cursors, snapshots, counters. Losing one is never losing a fact."""

    async def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The live values among `keys`; missing and expired ones are absent."""

    async def put(self, items: Mapping[str, bytes], ttl_s: int) -> None:
        """Store or replace, to expire after `ttl_s` seconds."""

    async def swap(self, key: str, old: bytes | None, new: bytes, ttl_s: int) -> bool:
        """Compare and set in one step: True if the live value was `old` (None = absent) and is now `new`."""

    async def drop(self, keys: Sequence[str]) -> None:
        """Forget these keys; unknown ones are no error."""


class Blobs(Protocol):
    async def put(self, data: bytes) -> str:
        """Store bytes; returns their SHA-256 as 64 lower-case hex digits. Storing the same bytes twice is one blob."""

    async def get(self, digest: str) -> bytes | None:
        """The bytes of a digest, or None."""

    async def drop(self, digest: str) -> None:
        """Forget a blob; an unknown digest is no error."""


class Store(Protocol):
    """One place where everything durable lives."""

    log: Log
    shelf: Shelf
    blobs: Blobs
    name: str
    """`memory`, `sqlite`, …: what `/health` reports."""

    async def open(self) -> None:
        """Connect and migrate. Raises Unavailable with a sentence that says what to do."""

    async def close(self) -> None:
        """Finish what was accepted, then let go of everything."""
