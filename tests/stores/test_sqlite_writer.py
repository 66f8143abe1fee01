"""The one thread that writes: many appends in one commit, and what it keeps in order beside them."""

import asyncio
from pathlib import Path

import apsw
import pytest

from stateroom.core.ids import LogKey
from stateroom.log.seam import Conflict, Hint, Store, Unavailable
from stateroom.stores.sqlite import SqliteStore
from stateroom.testing.conformance.samples import KEY, OTHER, STAMP, drafts, fill, texts
from stateroom.testing.conformance.watching import until_heard
from stateroom.testing.simulated_time import HandClock
from tests.stores.conftest import Opened


async def append(store: Store, *bodies: str, after: int = 0, key: str = KEY) -> None:
    await store.log.append(LogKey(key), after, drafts(*bodies), STAMP)


@pytest.fixture
def commits(connections: list[apsw.Connection], store: SqliteStore) -> list[None]:
    """Grows by one with every commit that wrote something."""
    counted: list[None] = []

    def count(*_: object) -> int:
        counted.append(None)
        return apsw.SQLITE_OK

    connections[0].set_wal_hook(count)
    return counted


async def test_a_hundred_appends_share_a_few_commits(store: SqliteStore, commits: list[None]) -> None:
    """What queues up during one commit goes into the next; one commit each would be a hundred."""
    await asyncio.gather(*(append(store, "x", key=f"team/{n}") for n in range(100)))
    assert 1 <= len(commits) <= 10


async def test_conflicts_cost_no_commit(store: SqliteStore, commits: list[None]) -> None:
    """A batch in which nobody won writes nothing."""
    with pytest.raises(Conflict):
        await append(store, "x", after=3)
    assert commits == []


async def test_heads_are_remembered_only_until_another_process_commits(
    store: SqliteStore, another: SqliteStore, connections: list[apsw.Connection]
) -> None:
    """Between our own commits no head is read again; after a foreign one it is, inside the transaction."""
    statements: list[str] = []
    await append(store, "1")
    connections[0].trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: statements.append(event["sql"]))
    await append(store, "2", after=1)
    assert not [sql for sql in statements if "FROM heads" in sql]
    await append(another, "3", after=2)
    await append(store, "4", after=3)
    await append(store, "5", after=4)
    begun = [sql for sql in statements if "FROM heads" in sql or sql.startswith("BEGIN")]
    assert ["FROM heads" in sql for sql in begun] == [False, False, True, False]


async def test_a_caller_that_gives_up_disturbs_nobody(store: SqliteStore) -> None:
    """Its append may happen all the same, and then it is announced like any other."""
    async with store.log.watch() as hints:
        given_up = asyncio.ensure_future(append(store, "1"))
        other = asyncio.ensure_future(append(store, "1", key=OTHER))
        await asyncio.wait([asyncio.ensure_future(store.log.read(KEY, 0))])
        given_up.cancel()
        await other
        await until_heard(hints, Hint(KEY, 1))
    assert texts(await store.log.read(KEY, 0)) == ["1"]


async def test_text_that_cannot_be_stored_is_its_callers_fault_alone(store: SqliteStore) -> None:
    """A lone surrogate is refused before it reaches the batch of others."""
    bad = "\ud800"
    outcomes = await asyncio.gather(
        append(store, "1"),
        append(store, "x", key=bad),
        store.log.read(LogKey(bad), 0),
        store.shelf.put({"a": b"1", bad: b"1"}, 60),
        store.blobs.get(bad),
        append(store, "2", after=1),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), *[UnicodeEncodeError] * 4, type(None)]
    assert await store.shelf.get(["a"]) == {}


async def test_expired_values_are_cleared_away_a_few_at_a_time(
    store: SqliteStore, path: Path, clock: HandClock
) -> None:
    """Each write takes some of the dead with it, so that no write takes long and the file does not grow for ever."""
    await store.shelf.put({f"{n}": b"x" for n in range(250)}, 1)
    clock.advance(2)
    left = []
    for _ in range(4):
        await store.shelf.put({"alive": b"x"}, 60)
        left.append(rows(path, "shelf"))
    assert left == [151, 51, 1, 1]


async def test_a_long_log_is_dropped_in_pieces(store: SqliteStore, path: Path, commits: list[None]) -> None:
    """It is out of reach at once; its entries go in several commits, with room for others between them."""
    await fill(store, KEY, 5000)
    commits.clear()
    await store.log.drop(KEY)
    assert len(commits) >= 4
    assert (rows(path, "entries"), rows(path, "dropped")) == (0, 0)


async def test_a_drop_that_was_cut_short_is_finished_by_the_next(opened: Opened, path: Path) -> None:
    """Entries left behind by a process that died stay out of reach, and are deleted later."""
    async with opened() as store:
        await fill(store, KEY, 100)
    db = apsw.Connection(str(path))
    db.execute("INSERT INTO dropped SELECT log FROM heads; DELETE FROM heads")
    db.close()
    async with opened() as store:
        await append(store, "new")
        assert texts(await store.log.read(KEY, 0)) == ["new"]
        await store.log.drop(OTHER)
        assert (rows(path, "entries"), rows(path, "dropped")) == (1, 0)


async def test_a_closed_store_says_so(opened: Opened) -> None:
    """Neither hanging nor a driver's error: the same sentence for every verb, and open works again."""
    async with opened() as store:
        await append(store, "1")
    with pytest.raises(Unavailable, match="open it first"):
        await append(store, "1")
    with pytest.raises(Unavailable, match="open it first"):
        await store.log.read(KEY, 0)
    await store.open()
    assert texts(await store.log.read(KEY, 0)) == ["1"]
    await store.close()
    await store.close()


def rows(path: Path, table: str) -> int:
    db = apsw.Connection(str(path))
    try:
        count: int = db.execute(f"SELECT count(*) FROM {table}").get
        return count
    finally:
        db.close()
