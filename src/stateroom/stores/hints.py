"""Hints on their way to watchers. Shared by every store; not a store itself.

A watcher that falls behind never holds up an append and never grows without bound: a key that is waiting
already is not queued twice, and when too many keys wait they collapse into one `None`.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from stateroom.core.ids import LogKey
from stateroom.log.seam import Hint

MOST_WAITING = 4096
"""Distinct keys that may wait for one watcher before they collapse into `None`."""


class Hints(AsyncIterator[Hint | None]):
    """What one watcher has yet to hear, oldest first."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._waiting: OrderedDict[LogKey, Hint] = OrderedDict()
        self._gap = False
        self._bell = asyncio.Event()

    def tell(self, hint: Hint | None) -> None:
        """Queue one hint, or fold it into one of the same log. While a `None` waits it speaks for every other."""
        self._bell.set()
        if self._gap:
            return
        if hint is None or (len(self._waiting) >= self._most and hint.key not in self._waiting):
            self._waiting.clear()
            self._gap = True
        else:
            self._waiting[hint.key] = _fold(self._waiting.get(hint.key), hint)

    async def __anext__(self) -> Hint | None:
        while not self._gap and not self._waiting:
            self._bell.clear()
            await self._bell.wait()
        if self._gap:
            self._gap = False
            return None
        return self._waiting.popitem(last=False)[1]


def _fold(waiting: Hint | None, hint: Hint) -> Hint:
    """A drop must be heard even when the next life has begun, and a late hint must not hide how far the log is."""
    if waiting is None or hint.head == 0 or 0 < waiting.head < hint.head:
        return hint
    return waiting


class Watchers:
    """Everyone who watches through one store. Kept in a list: the order of telling must not depend on memory."""

    def __init__(self) -> None:
        self._all: list[Hints] = []

    def announce(self, news: Iterable[Hint | None]) -> None:
        """Tell every watcher that these logs have moved; `None` means "look everywhere"."""
        for hint in news:
            for hints in self._all:
                hints.tell(hint)

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[AsyncIterator[Hint | None]]:
        """One more watcher, for as long as the context lasts."""
        hints = Hints()
        self._all.append(hints)
        try:
            yield hints
        finally:
            self._all.remove(hints)
