"""Bugs planted on purpose, each one that somebody could really write."""

import asyncio

from stateroom.core.here import Here
from stateroom.engine.execute import Executor, Outcome
from stateroom.engine.follow import Follower
from stateroom.engine.inbox import Inbox
from stateroom.engine.rooms import Rooms, kind_of
from stateroom.stores.memory import MemoryLog, MemoryStore


class BackwardsFollower(Follower):
    """Reads first, then subscribes."""

    async def follow(self, key, after, *, pulse_s=None):
        while True:
            while entries := await self._rooms.entries(key, after):
                after = entries[-1].position
                yield entries
            await asyncio.sleep(0.001)  # whatever else it does before it gets round to subscribing
            with self._rooms.bells.hang(key) as bell:
                await bell.wait()


class DeafRooms(Rooms):
    """Takes a gap in the hints for silence."""

    def _hear(self, hint):
        if hint is not None:
            super()._hear(hint)


class ForgetfulRooms(Rooms):
    """Clears the mark that something may have come after reading instead of before."""

    async def _catch_up(self, held):
        found = await super()._catch_up(held)
        held.stale = False
        return found


class CarelessLog(MemoryLog):
    """Appends without comparing."""

    async def append(self, key, after, drafts, stamp):
        head = len(self._lives[key].records) if key in self._lives else 0
        return await super().append(key, head, drafts, stamp)


class CarelessStore(MemoryStore):
    def __init__(self, now):
        super().__init__(now)
        self.log = CarelessLog()


class HastyInbox(Inbox):
    """Sets the cursor without comparing it."""

    async def _swap(self, key, member, stored, cursor):
        await super()._swap(key, member, stored, cursor)
        return True


class GreedyInbox(Inbox):
    """Hands out what it has found although another was faster."""

    async def _try(self, key, member, ask):
        stored, cursor = await self._cursor(key, member)
        batch = await self._scan(key, cursor, ask)
        await self._swap(key, member, stored, batch.cursor)
        return batch


class ForgetfulExecutor(Executor):
    """Does not know a repeated request again."""

    def _answered(self, state, wish):
        return None


class RashExecutor(Executor):
    """Answers a repeated request with what stands where it was foreseen, whatever became of it."""

    async def _again(self, held, answered):
        await held.settled()
        count = answered.last - answered.first + 1
        return Outcome(await self._rooms.entries(held.key, answered.first - 1, count), replayed=True)


class UnsettledExecutor(Executor):
    """Says no at once, also where that rests on something that is still on its way."""

    async def execute(self, key, wish):
        state = (await self._rooms.hold(key)).state
        if self._answered(state, wish) is None:
            now = max(self._clock(), state.last_at)
            kind_of(key).decide(state, wish.command, Here(wish.by, now, wish.via))
        return await super().execute(key, wish)
