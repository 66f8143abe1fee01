"""Deadlines are data in the room; this sends a `Tick` when one has passed, so that the room says so once.

With several servers every one of them may tick: one append wins, the others find nothing due.
"""

import asyncio
import heapq
from collections.abc import Awaitable, Callable

from stateroom.core.ids import Instant, LogKey, Name
from stateroom.core.refusals import Refusal
from stateroom.core.room import Tick
from stateroom.engine.clock import Clock
from stateroom.engine.execute import Executor, Outcome, Wish
from stateroom.engine.rooms import Rooms
from stateroom.log.seam import Unavailable

RETRY_MS = 5_000
SYSTEM = "server"
Present = Callable[[LogKey], Awaitable[tuple[Name, ...]]]
"""Who is in a room at the moment."""


class Timers:
    def __init__(self, executor: Executor, rooms: Rooms, clock: Clock, present: Present) -> None:
        self._executor, self._rooms, self._clock, self._present = executor, rooms, clock, present
        self._due: list[tuple[Instant, LogKey]] = []
        self._soonest: dict[LogKey, Instant] = {}
        self._changed = asyncio.Event()

    def expect(self, key: LogKey, due: Instant | None) -> None:
        """This room has something to say at `due`, unless it changes its mind before."""
        if due is None:
            self._soonest.pop(key, None)
        elif self._soonest.get(key) != due:
            self._soonest[key] = due
            heapq.heappush(self._due, (due, key))
            self._changed.set()

    async def run(self) -> None:
        """Tick rooms as they fall due, for ever."""
        while True:
            self._changed.clear()
            for key in self._fallen_due():
                await self._tick(key)
            try:
                async with asyncio.timeout(self._wait_s()):
                    await self._changed.wait()
            except TimeoutError:
                continue

    def _fallen_due(self) -> list[LogKey]:
        now, keys = self._clock(), []
        while self._due and self._due[0][0] <= now:
            due, key = heapq.heappop(self._due)
            if self._soonest.get(key) == due:
                del self._soonest[key]
                keys.append(key)
        return keys

    def _wait_s(self) -> float | None:
        return max(0.001, (self._due[0][0] - self._clock()) / 1000) if self._due else None

    async def tick(self, key: LogKey) -> Outcome:
        """Let a room say what time has ended. Raises Unavailable."""
        return await self._executor.execute(key, Wish(Tick(await self._present(key)), via=SYSTEM))

    async def _tick(self, key: LogKey) -> None:
        try:
            outcome = await self.tick(key)
            due = await self._rooms.view(key, lambda room: room.next_due())
        except (Unavailable, Refusal):
            outcome, due = None, Instant(0)
        if due is not None and due <= self._clock() and not (outcome and outcome.entries):
            due = Instant(self._clock() + RETRY_MS)  # whoever finds nothing to say does not ask at once again
        self.expect(key, due)
