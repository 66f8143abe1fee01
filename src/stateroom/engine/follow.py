"""Reading a log as it grows. The only place that waits.

Every kind of wake-up is a reader of `follow`: a long poll takes the first batch, a stream takes them all, a webhook
keeps its own cursor, a change notice is the bell alone. Subscribe first, then read: nothing falls between.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import TypeVar

from stateroom.core.here import LogEntry
from stateroom.core.ids import LogKey, Position
from stateroom.engine.rooms import Rooms

T = TypeVar("T")


async def heard(bell: asyncio.Event, timeout_s: float | None) -> bool:
    """Wait for the bell; False if the time ran out first."""
    try:
        async with asyncio.timeout(timeout_s):
            await bell.wait()
    except TimeoutError:
        return False
    return True


async def any_heard(bells: Iterable[asyncio.Event], timeout_s: float) -> None:
    """Wait for the first of several bells, or until the time runs out."""
    waits = [asyncio.ensure_future(bell.wait()) for bell in bells]
    try:
        if waits:
            await asyncio.wait(waits, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(timeout_s)
    finally:
        for wait in waits:
            wait.cancel()


class Follower:
    """Waits on logs, for everybody."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    async def follow(self, key: LogKey, after: int, *, pulse_s: float | None = None) -> AsyncIterator[list[LogEntry]]:
        """All entries after a position, in order, for ever.

        With `pulse_s`, an empty batch whenever it was quiet that long. Raises BadCursor, Unavailable.
        """
        with self._rooms.bells.hang(key) as bell:
            while True:
                bell.clear()
                while entries := await self._rooms.entries(key, after):
                    after = entries[-1].position
                    yield entries
                if not await heard(bell, pulse_s):
                    yield []

    async def until(self, key: LogKey, look: Callable[[], Awaitable[T | None]], timeout_s: float) -> T | None:
        """What `look` finds, asked now and whenever the log moves; None if it found nothing in time.

        However the wait ends, `look` is asked once more, so that a bell at the last moment is not missed.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        with self._rooms.bells.hang(key) as bell:
            while True:
                bell.clear()
                if (found := await look()) is not None:
                    return found
                if (left := deadline - loop.time()) <= 0:
                    return None
                await heard(bell, left)

    async def positions(self, keys: Iterable[LogKey]) -> dict[LogKey, Position]:
        """Where these logs end now. Raises Unavailable."""
        return {key: await self._rooms.view(key, lambda state: state.position) for key in keys}

    async def moves(
        self, keys: Sequence[LogKey], pulse_s: float, since: Mapping[LogKey, Position] | None = None
    ) -> AsyncIterator[list[LogKey]]:
        """Which of these logs have moved, whenever some have: never how. An empty list when it was quiet that long.

        `since` are positions a caller has promised somebody to watch from; else it begins with the first step. Raises
        Unavailable.
        """
        with ExitStack() as stack:
            bells = {key: stack.enter_context(self._rooms.bells.hang(key)) for key in keys}
            seen = since if since is not None else await self.positions(keys)
            while True:
                if (now := await self._looked(bells)) == seen:
                    await any_heard(bells.values(), pulse_s)
                    now = await self._looked(bells)
                yield [key for key in keys if now[key] != seen[key]]
                seen = now

    async def _looked(self, bells: Mapping[LogKey, asyncio.Event]) -> dict[LogKey, Position]:
        """Where the logs end; whatever moves after that rings."""
        for bell in bells.values():
            bell.clear()
        return await self.positions(bells)
