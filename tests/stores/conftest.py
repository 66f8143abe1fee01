"""Stores under test share one clock that is moved by hand."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from pathlib import Path

import apsw
import pytest

from stateroom.stores.sqlite import SqliteStore, file, session
from stateroom.stores.sqlite.file import Synchronous
from stateroom.testing.simulated_time import HandClock

pytest.register_assert_rewrite("stateroom.testing.conformance")

Opened = Callable[..., AbstractAsyncContextManager[SqliteStore]]


@pytest.fixture
def clock() -> HandClock:
    """Stands still."""
    return HandClock()


@pytest.fixture
def let_pass(clock: HandClock) -> Callable[[int], Awaitable[None]]:
    """Moves the clock."""

    async def advance(seconds: int) -> None:
        clock.advance(seconds)

    return advance


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the SQLite file of a test is."""
    return tmp_path / "stateroom.db"


@pytest.fixture
def opened(path: Path, clock: HandClock, connections: list[apsw.Connection]) -> Opened:
    """Makes SQLite stores on that file (or another), each open for as long as its context lasts."""

    @asynccontextmanager
    async def opened(path: Path = path) -> AsyncIterator[SqliteStore]:
        store = SqliteStore(path, clock)
        await store.open()
        try:
            yield store
        finally:
            await store.close()

    return opened


@pytest.fixture
async def store(opened: Opened) -> AsyncIterator[SqliteStore]:
    """An opened SQLite store."""
    async with opened() as store:
        yield store


@pytest.fixture
async def another(store: SqliteStore, opened: Opened) -> AsyncIterator[SqliteStore]:
    """A second store on the same file, as another process would have."""
    async with opened() as another:
        yield another


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[apsw.Connection]:
    """Every connection that a store opens from now on: first the writer's, then the reader's."""
    made: list[apsw.Connection] = []

    def connect(path: Path, synchronous: Synchronous, opened: ExitStack) -> apsw.Connection:
        made.append(original(path, synchronous, opened))
        return made[-1]

    original = file.connect
    monkeypatch.setattr(session, "connect", connect)
    return made


@pytest.fixture
def unprivileged() -> Iterator[None]:
    """Root may do anything to any file; the tests of permissions are done as somebody else."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)
