"""Who is here. Derived from when a member last acted, never written to the log.

Stamped by every authenticated call of that member, not by reads about it (W-33). Kept in memory and put on the shelf
at most every few seconds, so presence costs no store round trip on the hot path; other servers see it from there.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from stateroom.core.ids import Instant, LogKey, Name
from stateroom.core.members import fold
from stateroom.engine.clock import Clock
from stateroom.log.seam import Store, Unavailable

ONLINE_MS = 120_000
SHELVE_EVERY_MS = 15_000
KEPT_S = 30 * 86_400
"""How long we know when somebody was last seen (W-34)."""


@dataclass(frozen=True, slots=True)
class Presence:
    name: Name
    online: bool
    last_seen: Instant | None


class Presences:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._shelf, self._clock = store.shelf, clock
        self._seen: dict[str, Instant] = {}
        self._shelved: dict[str, Instant] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def stamp(self, key: LogKey, name: str) -> None:
        """This member has just acted."""
        place, now = _place(key, name), self._clock()
        self._seen[place] = now
        if now - self._shelved.get(place, 0) >= SHELVE_EVERY_MS:
            self._shelved[place] = now
            task = asyncio.create_task(self._shelve(place, now))
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    async def _shelve(self, place: str, at: Instant) -> None:
        try:
            await self._shelf.put({place: str(at).encode()}, KEPT_S)
        except Unavailable:  # the next stamp tries again; being seen is no fact of the log
            self._shelved.pop(place, None)

    async def leave(self, key: LogKey, name: str) -> None:
        """Leaving beats every earlier sign of life."""
        place = _place(key, name)
        self._seen.pop(place, None)
        self._shelved.pop(place, None)
        await asyncio.gather(*self._writing, return_exceptions=True)
        await self._shelf.drop([place])

    async def of(self, key: LogKey, names: Iterable[Name]) -> list[Presence]:
        """The presence of these members, in their order."""
        places = {name: _place(key, name) for name in names}
        shelved = await self._shelf.get(list(places.values()))
        return [self._presence(name, place, shelved.get(place)) for name, place in places.items()]

    def _presence(self, name: Name, place: str, shelved: bytes | None) -> Presence:
        seen = max(self._seen.get(place, 0), int(shelved or 0))
        online = bool(seen) and self._clock() - seen < ONLINE_MS
        return Presence(name, online, Instant(seen) if seen else None)

    async def close(self) -> None:
        """Put the last signs of life on the shelf."""
        await asyncio.gather(*self._writing, return_exceptions=True)
        last = {place: str(at).encode() for place, at in self._seen.items() if at > self._shelved.get(place, 0)}
        if last:
            with suppress(Unavailable):
                await self._shelf.put(last, KEPT_S)


def _place(key: LogKey, name: str) -> str:
    return f"presence/{key}/{fold(name)}"
