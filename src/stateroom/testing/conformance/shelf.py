"""The shelf: small values that expire."""

import asyncio
from collections.abc import Awaitable, Callable

from stateroom.log.seam import Store

LetPass = Callable[[int], Awaitable[None]]


async def test_values_come_back_and_missing_ones_are_absent(store: Store, another: Store) -> None:
    """Any bytes under any text, in every process."""
    items = {"a": b"1", "b/ä ✓": b"\0\xff", "empty": b""}
    await store.shelf.put(items, 60)
    for handle in (store, another):
        assert await handle.shelf.get([*items, "missing"]) == items
        assert await handle.shelf.get([]) == {}


async def test_put_replaces(store: Store) -> None:
    """The last value counts; the others stay."""
    await store.shelf.put({"a": b"1", "b": b"1"}, 60)
    await store.shelf.put({"a": b"2"}, 60)
    assert await store.shelf.get(["a", "b"]) == {"a": b"2", "b": b"1"}


async def test_values_expire(store: Store, another: Store, let_pass: LetPass) -> None:
    """A value lives for its time and not longer, whoever looks."""
    await store.shelf.put({"short": b"1"}, 10)
    await store.shelf.put({"long": b"1"}, 100)
    await let_pass(9)
    assert set(await another.shelf.get(["short", "long"])) == {"short", "long"}
    await let_pass(1)
    for handle in (store, another):
        assert set(await handle.shelf.get(["short", "long"])) == {"long"}


async def test_putting_again_gives_new_time(store: Store, let_pass: LetPass) -> None:
    """The time to live counts from the last put."""
    await store.shelf.put({"a": b"1"}, 10)
    await let_pass(9)
    await store.shelf.put({"a": b"2"}, 10)
    await let_pass(9)
    assert await store.shelf.get(["a"]) == {"a": b"2"}


async def test_many_expired_values_do_not_hurt_the_living(store: Store, let_pass: LetPass) -> None:
    """Whatever clears away the dead takes nothing else."""
    await store.shelf.put({f"alive/{n}": b"x" for n in range(300)}, 100)
    await store.shelf.put({f"dead/{n}": b"x" for n in range(3000)}, 1)
    await let_pass(5)
    for n in range(300):
        await store.shelf.put({"counter": str(n).encode()}, 100)
    assert len(await store.shelf.get([f"alive/{n}" for n in range(300)])) == 300
    assert await store.shelf.get([f"dead/{n}" for n in range(3000)]) == {}


async def test_swap_compares_first(store: Store) -> None:
    """Absent is None; only the live value as it is makes a swap happen."""
    assert not await store.shelf.swap("a", b"1", b"x", 60)
    assert await store.shelf.swap("a", None, b"1", 60)
    assert not await store.shelf.swap("a", None, b"x", 60)
    assert not await store.shelf.swap("a", b"2", b"x", 60)
    assert await store.shelf.get(["a"]) == {"a": b"1"}
    assert await store.shelf.swap("a", b"1", b"", 60)
    assert not await store.shelf.swap("a", None, b"x", 60)
    assert await store.shelf.get(["a"]) == {"a": b""}


async def test_an_expired_value_swaps_as_absent(store: Store, let_pass: LetPass) -> None:
    """What cannot be got cannot be compared with either; a swap gives new time."""
    await store.shelf.put({"a": b"1"}, 10)
    await let_pass(10)
    assert not await store.shelf.swap("a", b"1", b"x", 60)
    assert await store.shelf.swap("a", None, b"2", 10)
    await let_pass(9)
    assert await store.shelf.get(["a"]) == {"a": b"2"}
    await let_pass(1)
    assert await store.shelf.get(["a"]) == {}


async def test_of_fifty_swaps_one_wins(store: Store, another: Store) -> None:
    """From two processes at once: one True, forty-nine False."""
    races = [(store, another)[n % 2].shelf.swap("a", None, f"{n}".encode(), 60) for n in range(50)]
    outcomes = await asyncio.gather(*races)
    assert sorted(outcomes) == [False] * 49 + [True]
    assert await store.shelf.get(["a"]) == {"a": f"{outcomes.index(True)}".encode()}


async def test_dropping_values(store: Store, another: Store) -> None:
    """Dropped keys are absent at once, the others stay, unknown ones are no error."""
    await store.shelf.put({"a": b"1", "b": b"1", "c": b"1"}, 60)
    await another.shelf.drop(["a", "b", "unknown"])
    assert await store.shelf.get(["a", "b", "c"]) == {"c": b"1"}
    assert await store.shelf.swap("a", None, b"2", 60)
