"""What becomes of a batch that cannot be written: everyone hears what to do, and nothing of it is there."""

import asyncio
import resource
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import apsw
import pytest

from stateroom.core.ids import LogKey
from stateroom.log.seam import Store, Unavailable
from stateroom.stores.sqlite import SqliteStore, file, ledger
from stateroom.testing.conformance.samples import KEY, OTHER, PATIENCE_S, STAMP, drafts, texts


async def append(store: Store, *bodies: str, after: int = 0, key: str = KEY) -> None:
    await store.log.append(LogKey(key), after, drafts(*bodies), STAMP)


@pytest.fixture
def writing(connections: list[apsw.Connection], store: SqliteStore) -> apsw.Connection:
    """The writer's connection. Touch it only while nothing is queued."""
    return connections[0]


@contextmanager
def full_disk(db: apsw.Connection) -> Iterator[None]:
    db.pragma("max_page_count", db.pragma("page_count"))
    yield
    db.pragma("max_page_count", 2**30)


@contextmanager
def failing_disk(_: apsw.Connection) -> Iterator[None]:
    """No file of this process may grow past 64 KiB: a real write fails inside the commit."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@contextmanager
def no_permission(db: apsw.Connection) -> Iterator[None]:
    db.pragma("query_only", True)
    yield
    db.pragma("query_only", False)


@contextmanager
def failing_statement(db: apsw.Connection) -> Iterator[None]:
    """The last statement before the commit fails, and SQLite leaves the transaction open."""
    db.execute("CREATE TEMP TRIGGER planted BEFORE UPDATE ON tally BEGIN SELECT RAISE(FAIL, 'planted'); END")
    yield
    db.execute("DROP TRIGGER planted")


@contextmanager
def refusing_commit(db: apsw.Connection) -> Iterator[None]:
    db.set_commit_hook(lambda: True)
    yield
    db.set_commit_hook(None)


@pytest.mark.parametrize(
    ("trouble", "advice"),
    [
        (full_disk, "full: free some space and try again"),
        (failing_disk, "check the disk, its free space and limits"),
        (no_permission, "write permission"),
        (failing_statement, "stateroom doctor"),
        (refusing_commit, "stateroom doctor"),
    ],
)
async def test_a_batch_that_cannot_be_written_changes_nothing(
    store: SqliteStore,
    writing: apsw.Connection,
    trouble: Callable[[apsw.Connection], AbstractContextManager[None]],
    advice: str,
) -> None:
    """Everyone in it hears what to do, nothing of it is there, and the next batch goes through as if it never was."""
    await append(store, "1")
    await append(store, "stays", key="team/dropped")
    await store.shelf.put({"a": b"1"}, 60)
    big = "x" * 100_000
    work: list[Awaitable[object]] = [
        append(store, big, big, after=1),
        append(store, "new", key=OTHER),
        store.shelf.put({"a": b"2"}, 60),
        store.shelf.swap("b", None, b"1", 60),
        store.blobs.put(b"blob"),
        store.log.drop(LogKey("team/dropped")),
    ]
    with trouble(writing):
        outcomes = await asyncio.gather(*work, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Unavailable] * 6
    assert all(advice in str(outcome) for outcome in outcomes)
    assert texts(await store.log.read(KEY, 0)) == ["1"]
    assert await store.log.read(OTHER, 0) == []
    assert texts(await store.log.read(LogKey("team/dropped"), 0)) == ["stays"]
    assert await store.shelf.get(["a", "b"]) == {"a": b"1"}
    await append(store, "unrelated", key="team/c")
    assert store.integrity() == []
    await asyncio.gather(append(store, "2", after=1), append(store, "new", key=OTHER))
    assert texts(await store.log.read(KEY, 0)) == ["1", "2"]
    assert store.integrity() == []


async def test_a_file_held_by_another_process_is_awaited_then_reported(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock is no reason to hang: after the time for waiting it is a clear answer, and later it works again."""
    monkeypatch.setattr(file, "BUSY_S", 0.05)
    holder = apsw.Connection(str(path))
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="Another process has held"):
        await append(store, "1")
    holder.execute("COMMIT")
    await append(store, "1")
    holder.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_fault_of_ours_leaves_nobody_waiting(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the thread ever end by a programming error, all who wait and all who come are told so."""

    def fault(*_: object) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(ledger.Ledger, "append", fault)
    async with asyncio.timeout(PATIENCE_S):
        outcomes = await asyncio.gather(append(store, "1"), store.shelf.put({"a": b"1"}, 60), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [Unavailable] * 2
        with pytest.raises(Unavailable):
            await store.shelf.put({"a": b"1"}, 60)
        assert await store.shelf.get(["a"]) == {}
