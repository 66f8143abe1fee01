"""A store on a bad day: slow, forgetful of answers, short of breath, careless with hints. All of it from one seed.

Everything it does, the seam allows. A caller that survives it under simulated time survives real stores.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random

from stateroom.core.ids import LogKey
from stateroom.log.seam import Blobs, Conflict, Draft, Hint, Log, Record, Shelf, Stamp, Store, Unavailable


@dataclass(frozen=True, slots=True)
class Odds:
    """How bad the day is: probabilities per call or hint, and the delays to choose from, in seconds."""

    lost_before: float = 0.05
    """The call fails, and nothing was done."""
    lost_after: float = 0.05
    """The call fails, although it was done."""
    short: float = 0.5
    """A read, or the tail of a conflict, brings only one or two records."""
    hint_lost: float = 0.1
    """A hint is lost, and some time later the watcher hears `None`."""
    hint_doubled: float = 0.1
    delays_s: tuple[float, ...] = (0.0, 0.001, 0.01, 0.3)


class Fate:
    """Draws the lots. While `calm`, everything goes well and at once."""

    def __init__(self, random: Random, odds: Odds) -> None:
        self.calm = False
        self.odds = odds
        self._random = random

    def strikes(self, odds: float) -> bool:
        return not self.calm and self._random.random() < odds

    async def delay(self) -> None:
        await asyncio.sleep(0 if self.calm else self._random.choice(self.odds.delays_s))

    async def before(self) -> None:
        """Time passes on the way there; the question may be lost. Raises Unavailable."""
        await self.delay()
        if self.strikes(self.odds.lost_before):
            raise Unavailable("simulated: lost before anything was done; try again")

    async def after(self) -> None:
        """Time passes on the way back; the answer may be lost. Raises Unavailable."""
        await self.delay()
        if self.strikes(self.odds.lost_after):
            raise Unavailable("simulated: lost after it was done; read to find out")

    def shortened(self, limit: int) -> int:
        return min(limit, self._random.choice((1, 2))) if self.strikes(self.odds.short) else limit


class FaultyLog:
    def __init__(self, log: Log, fate: Fate) -> None:
        self._log = log
        self._fate = fate

    async def append(self, key: LogKey, after: int, drafts: Sequence[Draft], stamp: Stamp) -> list[Record]:
        await self._fate.before()
        try:
            records = await self._log.append(key, after, drafts, stamp)
        except Conflict as conflict:
            await self._fate.after()
            raise Conflict(conflict.head, conflict.tail[: self._fate.shortened(1000)]) from None
        await self._fate.after()
        return records

    async def read(self, key: LogKey, after: int, limit: int = 1000) -> list[Record]:
        await self._fate.before()
        records = await self._log.read(key, after, self._fate.shortened(limit))
        await self._fate.after()
        return records

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[AsyncIterator[Hint | None]]:
        async with self._log.watch() as hints:
            yield FaultyHints(hints, self._fate)

    async def drop(self, key: LogKey) -> None:
        await self._fate.before()
        await self._log.drop(key)
        await self._fate.after()


class FaultyHints(AsyncIterator[Hint | None]):
    """Hints late, twice, or not at all. Giving up while one is delayed does not lose it."""

    def __init__(self, hints: AsyncIterator[Hint | None], fate: Fate) -> None:
        self._hints = hints
        self._fate = fate
        self._coming: deque[Hint | None] = deque()

    async def __anext__(self) -> Hint | None:
        if not self._coming:
            self._coming.extend(self._fall(await anext(self._hints)))
        await self._fate.delay()
        return self._coming.popleft()

    def _fall(self, hint: Hint | None) -> list[Hint | None]:
        if self._fate.strikes(self._fate.odds.hint_lost):
            return [None]
        return [hint, hint] if self._fate.strikes(self._fate.odds.hint_doubled) else [hint]


class FaultyShelf:
    def __init__(self, shelf: Shelf, fate: Fate) -> None:
        self._shelf = shelf
        self._fate = fate

    async def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        await self._fate.before()
        found = await self._shelf.get(keys)
        await self._fate.after()
        return found

    async def put(self, items: Mapping[str, bytes], ttl_s: int) -> None:
        await self._fate.before()
        await self._shelf.put(items, ttl_s)
        await self._fate.after()

    async def swap(self, key: str, old: bytes | None, new: bytes, ttl_s: int) -> bool:
        await self._fate.before()
        swapped = await self._shelf.swap(key, old, new, ttl_s)
        await self._fate.after()
        return swapped

    async def drop(self, keys: Sequence[str]) -> None:
        await self._fate.before()
        await self._shelf.drop(keys)
        await self._fate.after()


class FaultyStore:
    """Wraps an opened store. Several may wrap one, each with its own luck: so many servers, one truth."""

    name: str = "faulty"

    def __init__(self, store: Store, random: Random, odds: Odds | None = None) -> None:
        self._store = store
        self._fate = Fate(random, odds or Odds())
        self.log: Log = FaultyLog(store.log, self._fate)
        self.shelf: Shelf = FaultyShelf(store.shelf, self._fate)
        self.blobs: Blobs = store.blobs

    @property
    def calm(self) -> bool:
        """Set it to let everything go well from now on, for the end of a simulation."""
        return self._fate.calm

    @calm.setter
    def calm(self, calm: bool) -> None:
        self._fate.calm = calm

    async def open(self) -> None:
        await self._store.open()

    async def close(self) -> None:
        await self._store.close()
