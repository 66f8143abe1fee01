"""Time that takes no time: an event loop whose clock jumps to the next timer as soon as every task waits.

A day of timeouts runs in milliseconds, and two runs of one seed are the same to the last step. Nothing real may
take part: no socket, no thread, no subprocess (so: `MemoryStore`, never `SqliteStore`).
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

from stateroom.core.ids import Instant

T = TypeVar("T")

START_S = 1_767_225_600.0
"""Where simulated time begins: 2026-01-01T00:00:00Z, so that instants look like instants."""


class Stuck(Exception):
    """Every task waits, and no timer will ever wake one: the run would hang for ever."""


class _Jump(selectors.DefaultSelector):
    """Where a real selector would wait, this one moves the clock."""

    elapsed_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise Stuck("every task waits, and no timer is set")
        if not ready and timeout:
            self.elapsed_s += timeout
        return ready


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Counts time from `start_s` seconds since 1970; `clock.loop_clock` then gives matching instants."""

    def __init__(self, start_s: float = START_S) -> None:
        self._start_s = start_s
        self._jump = _Jump()
        super().__init__(self._jump)
        # The finest step that floats of this size can tell apart; with asyncio's own, a timer that is due never fires.
        self._clock_resolution = 1e-6

    def time(self) -> float:
        """Seconds since 1970, simulated."""
        return self._start_s + self._jump.elapsed_s


def run(main: Coroutine[Any, Any, T], start_s: float = START_S) -> T:
    """Run a coroutine in simulated time. Raises Stuck where a real loop would hang."""
    with asyncio.Runner(loop_factory=lambda: SimulatedLoop(start_s)) as runner:
        return runner.run(main)


class HandClock:
    """A clock that stands still until it is moved; for whatever asks `now()`."""

    def __init__(self, at: Instant = Instant(int(START_S * 1000))) -> None:
        self.at = at

    def __call__(self) -> Instant:
        return self.at

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.at = Instant(self.at + round(seconds * 1000))
