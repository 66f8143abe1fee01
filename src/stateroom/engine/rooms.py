"""Logs as they are now: loaded from snapshot and tail, kept up to date, and forgotten when nobody asks for them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from stateroom.core import lobby, remembering, room
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import LogKey
from stateroom.core.lobby import LOBBY, Lobby
from stateroom.core.project import PREFIX, Project
from stateroom.core.refusals import BadCursor
from stateroom.core.room import Room
from stateroom.core.state import State
from stateroom.engine.bells import Bells
from stateroom.engine.held import Held
from stateroom.log import codec
from stateroom.log.seam import Hint, Record, Store, Unavailable

S = TypeVar("S", bound=State)
T = TypeVar("T")
PAGE = 1000
HELD_ROOMS = 2000
SNAPSHOT_EVERY = 500
SNAPSHOT_TTL_S = 90 * 86_400


@dataclass(frozen=True, slots=True)
class Kind(Generic[S]):
    """What a log is about: its empty state and the two functions that move it."""

    empty: type[S]
    decide: Callable[[S, Command, Here], list[Event]]
    evolve: Callable[[S, LogEntry], None]


ROOM = Kind(Room, room.decide, room.evolve)
LOBBY_KIND = Kind(Lobby, lobby.decide, lobby.evolve)
PROJECT = Kind(Project, remembering.decide, remembering.evolve)


def kind_of(key: LogKey) -> Kind[Any]:
    if key.startswith(PREFIX):
        return PROJECT
    return LOBBY_KIND if key == LOBBY else ROOM


def snapshot_key(key: LogKey) -> str:
    return f"snapshot/{key}"


class Rooms:
    """The only owner of folded states in this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[LogKey, Held[Any]] = {}
        self._loading: WeakValueDictionary[LogKey, asyncio.Lock] = WeakValueDictionary()
        self._snapshots: set[asyncio.Task[None]] = set()
        self.bells = Bells()

    async def hold(self, key: LogKey) -> Held[Any]:
        """The log's state, loaded and not known to be stale. Raises Unavailable.

        Between this call's return and the caller's next await nobody else moves the state: that is what makes the
        commands of one log be decided one after another.
        """
        held = self._held.get(key)
        if held is None or held.to_load:
            held = await self._load(key)
        else:
            self._held[key] = self._held.pop(key)  # most recently used last
        return held

    def at_hand(self, key: LogKey) -> Any:
        """The log's state as far as this process knows it, without asking anybody; None if it does not."""
        held = self._held.get(key)
        return held.state if held and not held.lost else None

    async def _load(self, key: LogKey) -> Held[Any]:
        async with self._loading.setdefault(key, asyncio.Lock()):
            held = self._held.get(key)
            if held is None or held.lost:
                held = self._keep(await self._from_snapshot(key))
            if held.to_load and not await self._catch_up(held):
                held.lose()
                held = self._keep(self._empty(key))
                await self._catch_up(held)
        return held

    def _keep(self, held: Held[Any]) -> Held[Any]:
        self._held[held.key] = held
        self._make_room()
        return held

    def _empty(self, key: LogKey) -> Held[Any]:
        kind = kind_of(key)
        return Held(key, kind.empty(), kind.evolve)

    async def _from_snapshot(self, key: LogKey) -> Held[Any]:
        kind = kind_of(key)
        stored = (await self._store.shelf.get([snapshot_key(key)])).get(snapshot_key(key))
        state = codec.decode_state(stored, kind.empty) if stored else None
        return self._empty(key) if state is None else Held(key, state, kind.evolve)

    async def _catch_up(self, held: Held[Any]) -> bool:
        """Read on to the log's end, beginning with the last entry we know.

        False if that is not there any more: what we know is of an earlier life of the log, which was dropped.
        Raises Unavailable, and then it is still behind.
        """
        held.stale, held.behind = False, True  # first, so that a hint that comes while we read is not forgotten
        known, after = held.state.position, max(held.state.position - 1, 0)
        records = await self._store.log.read(held.key, after, PAGE)
        if known and (not records or records[0].at != held.state.last_at):
            return False
        while records:
            held.catch_up(codec.decode_all(records))
            records = await self._store.log.read(held.key, held.state.position, PAGE)
        held.behind = False
        self.maybe_snapshot(held)
        return True

    def _make_room(self) -> None:
        busy = {LOBBY, *self._loading}
        idle = (key for key, held in self._held.items() if not held.in_flight and key not in busy)
        for key in list(islice(idle, max(0, len(self._held) - HELD_ROOMS))):
            del self._held[key]

    async def view(self, key: LogKey, question: Callable[[Any], T]) -> T:
        """An answer about a log's state, given only once everything it rests on is durable. Raises Unavailable."""
        while True:
            held = await self.hold(key)
            answer = question(held.state)
            if await held.settled():
                return answer

    async def entries(self, key: LogKey, after: int, limit: int = PAGE) -> list[LogEntry]:
        """Durable entries after a position; from memory when they are new. Raises BadCursor, Unavailable."""
        held = await self.hold(key)
        found = held.recent(after, limit)
        if found is not None:
            return found
        if after > held.state.position:  # another server may know more than we do
            held = await self.look_again(key)
        if not 0 <= after <= held.state.position:
            raise BadCursor(cursor=after, last=held.durable)
        return codec.decode_all(await self._read(key, after, min(limit, held.durable - after)))

    async def _read(self, key: LogKey, after: int, count: int) -> list[Record]:
        """So many records, in as many pages as the store makes of them; fewer only if the log was dropped."""
        records: list[Record] = []
        while len(records) < count:
            page = await self._store.log.read(key, after + len(records), count - len(records))
            if not page:
                break
            records += page
        return records

    def landed(self, held: Held[Any]) -> None:
        """Nothing is on its way any more. A hint that came before its append's answer rang for nothing: ring again."""
        self.maybe_snapshot(held)
        if held.hinted or held.stale or held.lost:
            held.hinted = False
            self.bells.ring(held.key)

    def suspect(self, key: LogKey) -> None:
        """Look at the store before answering from this log again, or when what is on its way has arrived."""
        if (held := self._held.get(key)) is not None:
            held.stale = True

    async def look_again(self, key: LogKey) -> Held[Any]:
        """The log as the store has it now, whatever we believed. Raises Unavailable."""
        held = await self.hold(key)
        while held.in_flight:  # until its outcome is known nobody may look
            await held.settled()
            held = await self.hold(key)
        held.stale = True
        return await self.hold(key)

    def _suspect_all(self) -> None:
        for held in self._held.values():
            held.stale = True

    async def forget(self, key: LogKey) -> None:
        """Drop a log and everything derived from it. Raises Unavailable."""
        await self._store.log.drop(key)
        await self._store.shelf.drop([snapshot_key(key)])
        if (held := self._held.pop(key, None)) is not None:
            held.lose()

    def maybe_snapshot(self, held: Held[Any]) -> None:
        """Now and then, put the state on the shelf, so that the next cold load reads only a tail."""
        if not held.lost and held.durable == held.state.position >= held.snapshot_at + SNAPSHOT_EVERY:
            held.snapshot_at = held.state.position
            task = asyncio.create_task(self._put_snapshot(held.key, codec.encode_state(held.state)))
            self._snapshots.add(task)
            task.add_done_callback(self._snapshots.discard)

    async def _put_snapshot(self, key: LogKey, snapshot: bytes) -> None:
        with suppress(Unavailable):  # a snapshot that is not taken costs time, never a fact
            await self._store.shelf.put({snapshot_key(key): snapshot}, SNAPSHOT_TTL_S)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[asyncio.Task[None]]:
        """Listen to the store for as long as the context lasts. One watch per process."""
        async with self._store.log.watch() as hints:
            task = asyncio.create_task(self._hear_all(hints))
            try:
                yield task
            finally:
                task.cancel()
                await asyncio.gather(task, *self._snapshots, return_exceptions=True)

    async def _hear_all(self, hints: AsyncIterator[Hint | None]) -> None:
        async for hint in hints:
            self._hear(hint)

    def _hear(self, hint: Hint | None) -> None:
        if hint is None:
            self._suspect_all()
            self.bells.ring_all()
            return
        held = self._held.get(hint.key)
        if held is not None:
            if hint.head == 0:  # dropped: whatever is said under this name now is another life
                held.lose()
            elif hint.head > held.state.position:
                held.stale = True
            held.hinted = held.hinted or (held.in_flight and hint.head > held.durable)
        self.bells.ring(hint.key)
