"""A store on a bad day: everything it does is allowed, all of it happens, and a seed replays it exactly."""

import asyncio
from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from stateroom.log.seam import Conflict, Hint, Unavailable
from stateroom.stores.memory import MemoryStore
from stateroom.testing.conformance.samples import KEY, STAMP, drafts, positions
from stateroom.testing.conformance.watching import until_heard
from stateroom.testing.faults import FaultyStore, Odds
from stateroom.testing.simulated_time import HandClock, run

Diary = list[tuple[str, object]]


async def a_bad_day(seed: int) -> tuple[Diary, float]:
    """A writer and a watcher live through 200 appends; what happened to them, and how long it took."""
    inner = MemoryStore(HandClock())
    store = FaultyStore(inner, Random(seed))
    diary: Diary = []

    async def watch() -> None:
        async with store.log.watch() as hints:
            async for hint in hints:
                diary.append(("hint", hint))

    async def write() -> None:
        after = 0
        while after < 200:
            try:
                after = (await store.log.append(KEY, after, drafts("x"), STAMP))[-1].position
                diary.append(("appended", after))
            except Conflict as conflict:
                diary.append(("conflict", len(conflict.tail)))
                after = conflict.head
            except Unavailable as unavailable:
                happened = len(await inner.log.read(KEY, after)) > 0
                diary.append(("lost after" if happened else "lost before", str(unavailable)))

    watching = asyncio.ensure_future(watch())
    await write()
    store.calm = True
    watching.cancel()
    return diary, asyncio.get_running_loop().time()


def test_a_seed_replays_the_day_exactly() -> None:
    """The same lots in the same order at the same time; another seed, another day."""
    assert run(a_bad_day(1)) == run(a_bad_day(1)) != run(a_bad_day(2))


def test_everything_that_may_happen_does() -> None:
    """Lost before, lost after, conflicts with one's own lost append, hints lost and doubled."""
    diary, _ = run(a_bad_day(1))
    happened = Counter(what for what, _ in diary)
    assert min(happened[what] for what in ("appended", "conflict", "lost before", "lost after", "hint")) >= 3
    hints = [hint for what, hint in diary if what == "hint"]
    assert None in hints
    assert any(one == two is not None for one, two in pairwise(hints))


def test_reads_and_tails_are_short_but_never_empty() -> None:
    """Whoever takes a short answer for the end of the log is caught."""

    async def main() -> None:
        inner = MemoryStore(HandClock())
        await inner.log.append(KEY, 0, drafts(*"abcdefgh"), STAMP)
        store = FaultyStore(inner, Random(1), Odds(lost_before=0, lost_after=0))
        lengths = {len(await store.log.read(KEY, 2)) for _ in range(50)}
        assert lengths == {1, 2, 6}
        assert positions(await store.log.read(KEY, 2, limit=1)) == [3]
        tails = set()
        for _ in range(50):
            with pytest.raises(Conflict) as conflict:
                await store.log.append(KEY, 2, drafts("x"), STAMP)
            tails.add(len(conflict.value.tail))
            assert conflict.value.head == 8
        assert tails == {1, 2, 6}

    run(main())


def test_a_calm_day_is_a_good_day() -> None:
    """Nothing is lost, and no time passes."""

    async def main() -> float:
        began = asyncio.get_running_loop().time()
        store = FaultyStore(MemoryStore(HandClock()), Random(1), Odds(1, 1, 1, 1, 1))
        store.calm = True
        async with store.log.watch() as hints:
            for after in range(100):
                await store.log.append(KEY, after, drafts("x"), STAMP)
            assert await until_heard(hints, Hint(KEY, 100)) == [Hint(KEY, 100)]
        assert len(await store.log.read(KEY, 0)) == 100
        await store.shelf.put({"a": b"1"}, 60)
        assert await store.shelf.swap("a", b"1", b"2", 60)
        assert await store.shelf.get(["a"]) == {"a": b"2"}
        return asyncio.get_running_loop().time() - began

    assert run(main()) == 0


@pytest.mark.parametrize(("odds", "done"), [(Odds(lost_before=1), False), (Odds(lost_before=0, lost_after=1), True)])
def test_shelf_answers_are_lost_too(odds: Odds, done: bool) -> None:
    """Before, and nothing was done; or after, and it was."""

    async def main() -> None:
        inner = MemoryStore(HandClock())
        await inner.shelf.put({"old": b"1"}, 60)
        store = FaultyStore(inner, Random(1), odds)
        calls = (
            store.shelf.put({"put": b"1"}, 60),
            store.shelf.swap("swapped", None, b"1", 60),
            store.shelf.drop(["old"]),
            store.shelf.get(["old"]),
        )
        for call in calls:
            with pytest.raises(Unavailable):
                await call
        found = await inner.shelf.get(["put", "swapped", "old"])
        assert set(found) == ({"put", "swapped"} if done else {"old"})

    run(main())
