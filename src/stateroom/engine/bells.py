"""Who wants to be told when a log moves. A bell carries nothing: whoever hears it reads the log."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from stateroom.core.ids import LogKey


class Bells:
    """Bells by log. Ringing one is O(waiters of that log)."""

    def __init__(self) -> None:
        self._by_key: dict[LogKey, dict[asyncio.Event, None]] = {}

    @contextmanager
    def hang(self, key: LogKey) -> Iterator[asyncio.Event]:
        """A bell that rings whenever the log moves, for as long as the context lasts."""
        bell = asyncio.Event()
        waiting = self._by_key.setdefault(key, {})
        waiting[bell] = None
        try:
            yield bell
        finally:
            del waiting[bell]
            if not waiting and self._by_key.get(key) is waiting:
                del self._by_key[key]

    def ring(self, key: LogKey) -> None:
        for bell in self._by_key.get(key, ()):
            bell.set()

    def ring_all(self) -> None:
        for key in self._by_key:
            self.ring(key)

    def waiting(self) -> int:
        """How many bells hang."""
        return sum(map(len, self._by_key.values()))
