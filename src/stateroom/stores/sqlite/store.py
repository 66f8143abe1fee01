"""`SqliteStore`: what the seam asks for, each verb put as a question to the reader or a change for the writer."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from stateroom.core.ids import Instant, LogKey
from stateroom.log.seam import Blobs, Draft, Hint, Log, Record, Shelf, Stamp, Unavailable
from stateroom.stores.sqlite import shelf
from stateroom.stores.sqlite.file import Synchronous
from stateroom.stores.sqlite.inspection import inspect
from stateroom.stores.sqlite.ledger import records
from stateroom.stores.sqlite.session import Session

Opened = Callable[[], Session]
"""The session, or Unavailable while the store is closed."""


class SqliteLog:
    """Logs in the file."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def append(self, key: LogKey, after: int, drafts: Sequence[Draft], stamp: Stamp) -> list[Record]:
        for each in (stamp, *(draft.stamp for draft in drafts if draft.stamp)):
            _check_text(key, each.by, each.via, each.cause)
        session = self._opened()
        return await session.record(partial(session.ledger.append, key, after, drafts, stamp))

    async def read(self, key: LogKey, after: int, limit: int = 1000) -> list[Record]:
        _check_text(key)
        return await self._opened().read(lambda db: records(db, key, after, limit))

    def watch(self) -> AbstractAsyncContextManager[AsyncIterator[Hint | None]]:
        return self._opened().lookout.watchers.watch()

    async def drop(self, key: LogKey) -> None:
        """A new life may begin at once; this returns when the old entries are deleted, other work going on between."""
        _check_text(key)
        session = self._opened()
        await session.record(partial(session.ledger.drop, key))
        while await session.record(session.ledger.sweep):
            pass


class SqliteShelf:
    """Small values in the file. Time is read here, in the loop, so that the threads need no clock."""

    def __init__(self, opened: Opened, now: Callable[[], Instant]) -> None:
        self._opened = opened
        self._now = now

    async def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        _check_text(*keys)
        now = self._now()
        return await self._opened().read(lambda db: shelf.get(db, keys, now))

    async def put(self, items: Mapping[str, bytes], ttl_s: int) -> None:
        _check_text(*items)
        now = self._now()
        await self._opened().write(lambda db: shelf.put(db, items, now, ttl_s))

    async def swap(self, key: str, old: bytes | None, new: bytes, ttl_s: int) -> bool:
        _check_text(key)
        now = self._now()
        return await self._opened().write(lambda db: shelf.swap(db, key, old, new, now, ttl_s))

    async def drop(self, keys: Sequence[str]) -> None:
        _check_text(*keys)
        await self._opened().write(lambda db: shelf.drop(db, keys))


class SqliteBlobs:
    """Bytes in the file, by their hash."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def put(self, data: bytes) -> str:
        return await self._opened().write(lambda db: shelf.put_blob(db, data))

    async def get(self, digest: str) -> bytes | None:
        _check_text(digest)
        return await self._opened().read(lambda db: shelf.get_blob(db, digest))

    async def drop(self, digest: str) -> None:
        _check_text(digest)
        await self._opened().write(lambda db: shelf.drop_blob(db, digest))


class SqliteStore:
    """One file, which several processes on one machine may open at once."""

    name: str = "sqlite"

    def __init__(self, path: Path, now: Callable[[], Instant], synchronous: Synchronous = "FULL") -> None:
        """`now` decides what on the shelf has expired; `NORMAL` may lose the last commits before a power cut."""
        self._path = path
        self._synchronous: Synchronous = synchronous
        self._session: Session | None = None
        self.log: Log = SqliteLog(self._opened)
        self.shelf: Shelf = SqliteShelf(self._opened, now)
        self.blobs: Blobs = SqliteBlobs(self._opened)

    async def open(self) -> None:
        """Make or migrate the file. Raises Unavailable with a sentence that says what to do."""
        if self._session is None:
            self._session = await Session.open(self._path, self._synchronous)

    async def close(self) -> None:
        """Finish what was accepted, then let go of the file. Closing twice is no error."""
        session, self._session = self._session, None
        if session:
            await session.close()

    def integrity(self) -> list[str]:
        """What is wrong with the file, one sentence each; empty when it is sound. Reads all of it: for `doctor`.

        Raises Unavailable where the file cannot even be opened.
        """
        return inspect(self._path)

    def _opened(self) -> Session:
        if self._session is None:
            raise Unavailable("The store is closed: open it first.")
        return self._session


def _check_text(*texts: str) -> None:
    """Raise UnicodeEncodeError here for text no store can hold (a lone surrogate), not in a thread others share."""
    "".join(texts).encode()
