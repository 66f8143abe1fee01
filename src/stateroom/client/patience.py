"""How long a client puts up with a server that has answered before and now does not."""

import asyncio

import httpx2

from stateroom.client.problems import Problem, Unreachable

RECONNECT_S = 0.25


class Patience:
    """Renewed by every answer; needs a running event loop."""

    def __init__(self, seconds: float, *, reached: bool) -> None:
        """A server that was never reached is given up at the first failure."""
        self._seconds, self._loop = seconds, asyncio.get_running_loop()
        self._deadline = self._loop.time() + (seconds if reached else 0)

    def renew(self) -> None:
        self._deadline = self._loop.time() + self._seconds

    def bears(self, failure: Problem | Unreachable) -> bool:
        """Whether to try again: it may be over in a moment, because the server starts again or its store was away."""
        passes = isinstance(failure, Unreachable) or failure.status == httpx2.codes.SERVICE_UNAVAILABLE
        return passes and self._loop.time() < self._deadline

    async def pause(self) -> None:
        await asyncio.sleep(RECONNECT_S)
