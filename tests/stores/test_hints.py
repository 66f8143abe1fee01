"""Hints on their way to one watcher."""

import asyncio

from stateroom.core.ids import LogKey
from stateroom.log.seam import Hint
from stateroom.stores.hints import Hints, Watchers

A, B, C = (LogKey(text) for text in "abc")


async def taken(hints: Hints) -> list[Hint | None]:
    """Everything that waits."""
    found: list[Hint | None] = []
    while True:
        waiting = asyncio.ensure_future(anext(hints))
        await asyncio.wait([waiting], timeout=0)
        if not waiting.done():
            waiting.cancel()
            return found
        found.append(waiting.result())


async def test_hints_come_in_order_each_log_once() -> None:
    """A log that moves again while it waits keeps its place and says how far it is now."""
    hints = Hints()
    for hint in (Hint(B, 1), Hint(A, 1), Hint(B, 2)):
        hints.tell(hint)
    assert await taken(hints) == [Hint(B, 2), Hint(A, 1)]
    assert await taken(hints) == []


async def test_too_many_logs_become_one_none() -> None:
    """And what is told while it waits is covered by it; what comes later is heard by name again."""
    hints = Hints(most=2)
    for hint in (Hint(A, 1), Hint(B, 1), Hint(A, 2), Hint(C, 1), Hint(A, 3)):
        hints.tell(hint)
    assert await taken(hints) == [None]
    hints.tell(Hint(A, 4))
    assert await taken(hints) == [Hint(A, 4)]


async def test_none_covers_what_waited_before_it() -> None:
    """Who looks everywhere need not be sent to single logs as well."""
    hints = Hints()
    for hint in (Hint(A, 1), None, Hint(B, 1), None):
        hints.tell(hint)
    assert await taken(hints) == [None]


async def test_a_late_hint_does_not_hide_how_far_a_log_is() -> None:
    """Processes announce in no common order: the larger head counts."""
    hints = Hints()
    for head in (8, 7):
        hints.tell(Hint(A, head))
    assert await taken(hints) == [Hint(A, 8)]


async def test_a_drop_is_not_hidden_by_the_next_life() -> None:
    """Who held the old life must let go of it, however far the new one has come."""
    hints = Hints()
    for head in (5, 0, 1):
        hints.tell(Hint(A, head))
    assert await taken(hints) == [Hint(A, 0)]


async def test_a_watcher_that_has_left_is_told_no_more() -> None:
    """Its hints would pile up for nobody."""
    watchers = Watchers()
    async with watchers.watch() as gone:
        pass
    async with watchers.watch() as here:
        watchers.announce([Hint(A, 1)])
        assert await anext(here) == Hint(A, 1)
    assert isinstance(gone, Hints)
    assert await taken(gone) == []
