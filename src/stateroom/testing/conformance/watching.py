"""Watch: hints for everything that moves, from wherever it was moved."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from stateroom.core.ids import LogKey
from stateroom.log.seam import Conflict, Hint, Store
from stateroom.testing.conformance.samples import KEY, OTHER, PATIENCE_S, STAMP, drafts, positions

Hints = AsyncIterator[Hint | None]


async def until_heard(hints: Hints, *expected: Hint) -> list[Hint | None]:
    """Listen until each log was heard to be that far (or dropped, or a `None` came). Returns what was heard."""
    missing = {hint.key: hint.head for hint in expected}
    heard: list[Hint | None] = []
    async with asyncio.timeout(PATIENCE_S):
        while missing:
            hint = await anext(hints)
            heard.append(hint)
            if hint is None:
                break
            if hint.head == missing.get(hint.key) or hint.head > missing.get(hint.key, hint.head):
                del missing[hint.key]
    return heard


async def test_a_watcher_hears_of_an_append_here(store: Store) -> None:
    """The hint names the log and its last position."""
    async with store.log.watch() as hints:
        await store.log.append(KEY, 0, drafts("1", "2"), STAMP)
        assert await until_heard(hints, Hint(KEY, 2)) in ([Hint(KEY, 2)], [None])


async def test_a_watcher_hears_of_an_append_elsewhere(store: Store, another: Store) -> None:
    """Another process's append wakes us, and what it wakes us for can be read."""
    async with store.log.watch() as hints:
        await another.log.append(KEY, 0, drafts("1", "2"), STAMP)
        await until_heard(hints, Hint(KEY, 2))
        assert positions(await store.log.read(KEY, 0)) == [1, 2]


async def test_every_watcher_hears(store: Store, another: Store) -> None:
    """Watchers do not take hints from one another."""
    async with store.log.watch() as one, store.log.watch() as two, another.log.watch() as three:
        await store.log.append(KEY, 0, drafts("1"), STAMP)
        for hints in (one, two, three):
            await until_heard(hints, Hint(KEY, 1))


async def test_nothing_is_missed_in_a_crowd(store: Store, another: Store) -> None:
    """Two processes append to forty logs at once; every log is heard of up to its end, or a `None` says look."""
    keys = [LogKey(f"team/{n}") for n in range(40)]
    async with store.log.watch() as hints:
        for after in range(5):
            moves = [(store, another)[n % 2].log.append(key, after, drafts("x"), STAMP) for n, key in enumerate(keys)]
            await asyncio.gather(*moves)
        await until_heard(hints, *(Hint(key, 5) for key in keys))


async def test_a_watcher_that_does_not_listen_holds_nobody_up(store: Store) -> None:
    """After more hints than anyone keeps, it hears of every log by name, or `None` once it listens again."""
    keys = [LogKey(f"team/{n}") for n in range(5000)]
    async with store.log.watch() as hints:
        await asyncio.gather(*(store.log.append(key, 0, drafts("x"), STAMP) for key in keys))
        await until_heard(hints, *(Hint(key, 1) for key in keys))
        await store.log.append(KEY, 0, drafts("x"), STAMP)
        await until_heard(hints, Hint(KEY, 1))


async def test_a_watcher_may_stop_waiting_and_go_on(store: Store) -> None:
    """Giving up on one wait does not end the watch, and loses nothing."""
    async with store.log.watch() as hints:
        waiting = asyncio.ensure_future(anext(hints))
        await store.log.read(KEY, 0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await store.log.append(KEY, 0, drafts("x"), STAMP)
        await until_heard(hints, Hint(KEY, 1))


async def test_a_conflict_is_no_news(store: Store) -> None:
    """What added nothing is not announced."""
    async with store.log.watch() as hints:
        with pytest.raises(Conflict):
            await store.log.append(OTHER, 3, drafts("x"), STAMP)
        await store.log.append(KEY, 0, drafts("x"), STAMP)
        assert Hint(OTHER, 0) not in await until_heard(hints, Hint(KEY, 1))


async def test_a_drop_is_heard_everywhere(store: Store, another: Store) -> None:
    """Its head is 0, so that nobody takes the next life for the last one."""
    await store.log.append(KEY, 0, drafts("1", "2"), STAMP)
    async with store.log.watch() as here, another.log.watch() as there:
        await store.log.drop(KEY)
        for hints in (here, there):
            heard = await until_heard(hints, Hint(KEY, 0))
            assert heard[-1] in (Hint(KEY, 0), None)


async def test_a_drop_is_heard_although_the_next_life_has_begun(store: Store) -> None:
    """The hint of the new life does not swallow the hint of the old one's end."""
    await store.log.append(KEY, 0, drafts("1"), STAMP)
    async with store.log.watch() as hints:
        await asyncio.gather(store.log.drop(KEY), store.log.append(KEY, 0, drafts("1"), STAMP))
        assert (await until_heard(hints, Hint(KEY, 0)))[-1] in (Hint(KEY, 0), None)


async def test_the_next_life_is_announced_like_any_other(store: Store, another: Store) -> None:
    """A drop does not cling to the key: later hints say how far the new log is."""
    async with store.log.watch() as here, another.log.watch() as there:
        await store.log.append(KEY, 0, drafts("old"), STAMP)
        await store.log.drop(KEY)
        for hints in (here, there):
            await until_heard(hints, Hint(KEY, 0))
        await store.log.append(KEY, 0, drafts("1"), STAMP)
        await store.log.append(KEY, 1, drafts("2", "3"), STAMP)
        for hints in (here, there):
            assert (await until_heard(hints, Hint(KEY, 3)))[-1] in (Hint(KEY, 3), None)
