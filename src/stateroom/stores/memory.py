"""A store in memory: for tests, simulations and demos. Several servers in one process may share one.

Every method runs without waiting, so each is one indivisible step of the event loop.
"""

import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from stateroom.core.ids import Instant, LogKey
from stateroom.log.seam import Blobs, Conflict, Draft, Hint, Log, Record, Shelf, Stamp
from stateroom.stores.hints import Watchers

LONGEST_TAIL = 1000


@dataclass(slots=True)
class _Life:
    """One log from its first append to its drop."""

    records: list[Record] = field(default_factory=list)
    lines: int = 0

    def add(self, draft: Draft, stamp: Stamp) -> Record:
        at = max(stamp.at, self.records[-1].at) if self.records else stamp.at
        self.lines += draft.line
        line = self.lines if draft.line else 0
        record = Record(len(self.records) + 1, line, at, stamp.by, stamp.via, stamp.cause, draft.body)
        self.records.append(record)
        return record


class MemoryLog:
    """Logs as lists."""

    def __init__(self) -> None:
        self._lives: dict[LogKey, _Life] = {}
        self._watchers = Watchers()

    async def append(self, key: LogKey, after: int, drafts: Sequence[Draft], stamp: Stamp) -> list[Record]:
        life = self._lives.get(key) or _Life()
        head = len(life.records)
        if head != after:
            raise Conflict(head, _after(life, after, LONGEST_TAIL))
        if not drafts:
            return []
        added = [life.add(draft, draft.stamp or stamp) for draft in drafts]
        self._lives[key] = life
        self._watchers.announce([Hint(key, len(life.records))])
        return added

    async def read(self, key: LogKey, after: int, limit: int = 1000) -> list[Record]:
        life = self._lives.get(key)
        return _after(life, after, limit) if life else []

    def watch(self) -> AbstractAsyncContextManager[AsyncIterator[Hint | None]]:
        return self._watchers.watch()

    async def drop(self, key: LogKey) -> None:
        if self._lives.pop(key, None):
            self._watchers.announce([Hint(key, 0)])


def _after(life: _Life, after: int, limit: int) -> list[Record]:
    start = max(after, 0)
    return life.records[start : start + max(limit, 0)]


class MemoryShelf:
    """Values with the instant at which they stop counting."""

    def __init__(self, now: Callable[[], Instant]) -> None:
        self._now = now
        self._values: dict[str, tuple[bytes, int]] = {}
        self._sweep_above = 1000

    async def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        return {key: value for key in keys if (value := self._live(key)) is not None}

    async def put(self, items: Mapping[str, bytes], ttl_s: int) -> None:
        self._sweep()
        expires_at = self._now() + ttl_s * 1000
        self._values.update({key: (value, expires_at) for key, value in items.items()})

    async def swap(self, key: str, old: bytes | None, new: bytes, ttl_s: int) -> bool:
        if self._live(key) != old:
            return False
        await self.put({key: new}, ttl_s)
        return True

    async def drop(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._values.pop(key, None)

    def _live(self, key: str) -> bytes | None:
        value, expires_at = self._values.get(key, (None, 0))
        return value if expires_at > self._now() else None

    def _sweep(self) -> None:
        """Forget what has expired whenever the shelf has doubled, so that each `put` pays its share."""
        if len(self._values) > self._sweep_above:
            self._values = {key: self._values[key] for key in self._values if self._live(key) is not None}
            self._sweep_above = 2 * len(self._values) + 1000


class MemoryBlobs:
    """Bytes by their hash."""

    def __init__(self) -> None:
        self._data: dict[str, bytes] = {}

    async def put(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self._data[digest] = data
        return digest

    async def get(self, digest: str) -> bytes | None:
        return self._data.get(digest)

    async def drop(self, digest: str) -> None:
        self._data.pop(digest, None)


class MemoryStore:
    """Holds everything until the process ends. `open` and `close` change nothing, so that servers can share it."""

    name: str = "memory"

    def __init__(self, now: Callable[[], Instant]) -> None:
        """`now` decides what on the shelf has expired."""
        self.log: Log = MemoryLog()
        self.shelf: Shelf = MemoryShelf(now)
        self.blobs: Blobs = MemoryBlobs()

    async def open(self) -> None:
        """Nothing to connect to."""

    async def close(self) -> None:
        """Nothing to let go of: another server may still hold this store."""
