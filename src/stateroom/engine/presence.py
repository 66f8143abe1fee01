"""Who is here, and who listens. Derived from when a member last acted, never written to the log.

Stamped by every authenticated call of that member, not by reads about it (W-33). Kept in memory and put on the shelf
at most every few seconds, so presence costs no store round trip on the hot path; other servers see it from there.

A listening member holds a short lease. It is renewed while the member waits, for all who wait here in one write, and
given back when the wait ends; a server that dies renews nothing, so nobody seems to listen for longer than the lease
(agent-room gaps 13, 14).
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Literal

import msgspec

from stateroom.core.ids import Instant, LogKey, Name
from stateroom.core.members import fold
from stateroom.engine.clock import Clock
from stateroom.log.seam import Store, Unavailable

PresenceState = Literal["listening", "online", "idle", "away"]

ONLINE_MS = 120_000
"""How long a sign of life counts for the Room Protocol, which knows only online and offline (protocol §4.2)."""
FRESH_MS, IDLE_MS = 60_000, 300_000
"""After these an online member is idle, and an idle one away (agent-room §8)."""
SHELVE_EVERY_MS = 15_000
RENEW_S = 5.0
LEASE_MS = 15_000
CLAIMED_MS = 60_000
"""The longest lease a client may ask for at once, which then renews it or not (gap 13)."""
KEPT_S = 30 * 86_400
"""How long we know when somebody was last seen (W-34)."""


@dataclass(frozen=True, slots=True)
class Presence:
    name: Name
    online: bool
    last_seen: Instant | None
    state: PresenceState = "away"
    listening_until: Instant | None = None


class Sign(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a member that is not in the log."""

    seen: Instant = Instant(0)
    listening_until: Instant = Instant(0)
    heard: int = 0
    """The last line of the transcript that was delivered to it."""


class Presences:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._shelf, self._clock = store.shelf, clock
        self._signs: dict[str, Sign] = {}
        self._shelved: dict[str, Instant] = {}
        self._listeners: Counter[str] = Counter()
        self._dirty: set[str] = set()
        self._renewal: asyncio.TimerHandle | None = None
        self._writing: set[asyncio.Task[None]] = set()

    def stamp(self, key: LogKey, name: str) -> None:
        """This member has just acted."""
        place, now = _place(key, name), self._clock()
        self._signs[place] = _seen(self._signs.get(place, Sign()), now)
        if now - self._shelved.get(place, 0) >= SHELVE_EVERY_MS:
            self._shelved[place] = now
            self._write({place})

    def claim(self, key: LogKey, name: str, until: int) -> None:
        """A client says that it listens until then, from outside (agent-room `presence`); at most for a minute."""
        place, now = _place(key, name), self._clock()
        known = self._signs.get(place, Sign())
        self._signs[place] = Sign(now, Instant(min(until, now + CLAIMED_MS)), known.heard)
        self._later(place)

    @contextmanager
    def listening(self, key: LogKey, name: str) -> Iterator[None]:
        """This member waits here for news, for as long as the context lasts."""
        if not name:
            yield
            return
        place = _place(key, name)
        self.stamp(key, name)
        self._listeners[place] += 1
        self._later(place)
        try:
            yield
        finally:
            self._listeners[place] -= 1
            if self._listeners[place] <= 0:
                del self._listeners[place]
            if place in self._signs:  # it may have left meanwhile
                self._signs[place] = Sign(self._clock(), Instant(0), self._signs[place].heard)
                self._later(place)

    def _later(self, place: str) -> None:
        """Tell the other servers, with everybody else's news in one write."""
        self._dirty.add(place)
        if self._renewal is None:
            self._renewal = asyncio.get_running_loop().call_later(RENEW_S, self._renew)

    def _renew(self) -> None:
        self._renewal, places = None, {*self._dirty, *self._listeners}
        self._dirty.clear()
        now = self._clock()
        for place in self._listeners.keys() & self._signs.keys():  # who has left listens no more
            self._signs[place] = Sign(now, Instant(now + LEASE_MS), self._signs[place].heard)
        if places:
            self._write(places)
        if self._listeners:
            self._renewal = asyncio.get_running_loop().call_later(RENEW_S, self._renew)

    def _write(self, places: set[str]) -> None:
        items = {place: msgspec.json.encode(self._signs[place]) for place in places if place in self._signs}
        task = asyncio.create_task(self._shelve(items))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _shelve(self, items: dict[str, bytes]) -> None:
        try:
            await self._shelf.put(items, KEPT_S)
        except Unavailable:  # the next stamp tries again; being seen is no fact of the log
            for place in items:
                self._shelved.pop(place, None)

    def hear(self, key: LogKey, name: str, line: int) -> None:
        """Lines up to this one were delivered to the member. It is only ever too low, never too high."""
        place = _place(key, name)
        known = self._signs.get(place, Sign(self._clock()))
        if line > known.heard:
            self._signs[place] = Sign(known.seen, known.listening_until, line)
            self._later(place)

    async def heard(self, key: LogKey, name: str) -> int:
        """The last line that was delivered to the member, as far as is known. Raises Unavailable."""
        place = _place(key, name)
        known = self._signs.get(place, Sign())
        if known.heard:
            return known.heard
        return _read((await self._shelf.get([place])).get(place)).heard

    async def leave(self, key: LogKey, name: str) -> None:
        """Leaving beats every earlier sign of life."""
        place = _place(key, name)
        self._signs.pop(place, None)
        self._shelved.pop(place, None)
        self._dirty.discard(place)
        await asyncio.gather(*self._writing, return_exceptions=True)
        await self._shelf.drop([place])

    async def of(self, key: LogKey, names: Iterable[Name]) -> list[Presence]:
        """The presence of these members, in their order."""
        places = {name: _place(key, name) for name in names}
        shelved = await self._shelf.get(list(places.values()))
        return [self._presence(name, place, _read(shelved.get(place))) for name, place in places.items()]

    def _presence(self, name: Name, place: str, shelved: Sign) -> Presence:
        now, own = self._clock(), self._signs.get(place, Sign())
        seen = max(own.seen, shelved.seen)
        if place in self._listeners and place in self._signs:
            return Presence(name, True, now, "listening", Instant(now + LEASE_MS))
        newer = own if own.seen >= shelved.seen else shelved
        if newer.listening_until > now:
            return Presence(name, True, Instant(seen), "listening", newer.listening_until)
        online = bool(seen) and now - seen < ONLINE_MS
        return Presence(name, online, Instant(seen) if seen else None, _state(now - seen if seen else None))

    async def close(self) -> None:
        """Put the last signs of life on the shelf."""
        if self._renewal is not None:
            self._renewal.cancel()
        await asyncio.gather(*self._writing, return_exceptions=True)
        last = {
            place: msgspec.json.encode(sign)
            for place, sign in self._signs.items()
            if place in self._dirty or sign.seen > self._shelved.get(place, 0)
        }
        if last:
            with suppress(Unavailable):
                await self._shelf.put(last, KEPT_S)


def _state(age_ms: int | None) -> PresenceState:
    if age_ms is None or age_ms > IDLE_MS:
        return "away"
    return "online" if age_ms <= FRESH_MS else "idle"


def _seen(sign: Sign, now: Instant) -> Sign:
    return Sign(now, sign.listening_until, sign.heard)


def _read(stored: bytes | None) -> Sign:
    """What is on the shelf: a sign, or the bare instant that earlier versions put there."""
    if stored is None:
        return Sign()
    return Sign(Instant(int(stored))) if stored.isdigit() else msgspec.json.decode(stored, type=Sign)


def _place(key: LogKey, name: str) -> str:
    return f"presence/{key}/{fold(name)}"
