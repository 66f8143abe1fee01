"""Notices to a client that is being asked nothing: log messages on a connection of the legacy era, which takes them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from stateroom.core.refusals import Refusal
from stateroom.log.seam import Unavailable

HEARD_AT = ("debug", "info")
"""Levels at which a client still takes messages of level info."""
log = logging.getLogger(__name__)


class Notices:
    """Implements `eras.Outlet` on whatever writes messages."""

    def __init__(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        self._write = write
        self._sources: dict[str, asyncio.Task[None]] = {}
        self._quiet = False

    def heed(self, level: object) -> None:
        """The client has said from which level on it takes messages."""
        self._quiet = level not in HEARD_AT

    def attach(self, name: str, frames: AsyncIterator[bytes]) -> None:
        """Write these as they come, until there are no more; a new source replaces the one of its name."""
        self.detach(name)
        task = asyncio.create_task(self._pass_on(name, frames))
        self._sources[name] = task
        task.add_done_callback(lambda _: self._forget(name, task))

    def detach(self, name: str) -> bool:
        """Write no more of these. Whether there was such a source."""
        task = self._sources.pop(name, None)
        if task is not None:
            task.cancel()
        return task is not None

    def _forget(self, name: str, task: "asyncio.Task[None]") -> None:
        if self._sources.get(name) is task:
            del self._sources[name]

    async def _pass_on(self, name: str, frames: AsyncIterator[bytes]) -> None:
        try:
            async for frame in frames:
                if not self._quiet:
                    await self._write(frame)
        except (Refusal, Unavailable) as failure:  # nobody has asked, so nobody is answered
            log.warning("notices of %s have ended: %s", name, failure)

    async def finish(self) -> None:
        """No more of any source."""
        tasks = list(self._sources.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
