"""The file itself: made, migrated, guarded against change, and refused with a sentence that says what to do."""
# ruff: noqa: ASYNC240 -- a test of files touches files

import asyncio
import hashlib
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from stateroom.log.seam import Unavailable
from stateroom.stores.sqlite import schema
from stateroom.testing.conformance.samples import KEY, OTHER, STAMP, drafts, fill, texts
from tests.stores.conftest import Opened


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def sql(path: Path, script: str) -> list[tuple[Any, ...]]:
    """Run SQL on the file past the store."""
    db = apsw.Connection(str(path))
    try:
        return list(db.execute(script))
    finally:
        db.close()


def description(path: Path) -> list[tuple[Any, ...]]:
    return [
        *sql(path, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"),
        *sql(path, "PRAGMA user_version"),
        *sql(path, "PRAGMA application_id"),
    ]


async def refusal(opened: Opened, path: Path) -> str:
    with pytest.raises(Unavailable) as refused:
        async with opened(path):
            pass
    return str(refused.value)


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder whose sockets' names are short enough to lie beside the file, however deep the tests run."""
    with tempfile.TemporaryDirectory(prefix="sr-") as folder:
        yield Path(folder)


async def test_a_new_file_is_for_its_owner_only(opened: Opened, short_path: Path) -> None:
    """A missing folder is made; nobody else may read the folder, the file, or what SQLite puts beside it."""
    path = short_path / "a" / "b" / "stateroom.db"
    async with opened(path) as store:
        await store.log.append(KEY, 0, drafts("1"), STAMP)
        assert mode(path.parent) == mode(Path(f"{path}.peers")) == 0o700
        assert {mode(file) for file in path.parent.glob("stateroom.db*") if file.is_file()} == {0o600}


async def test_everything_is_there_after_reopening(opened: Opened) -> None:
    """A closed file holds logs, shelf and blobs, and the next append goes on where the last one ended."""
    async with opened() as store:
        await store.log.append(KEY, 0, drafts("1", "2", line=True), STAMP)
        await store.shelf.put({"a": b"1"}, 60)
        digest = await store.blobs.put(b"blob")
    async with opened() as store:
        [third] = await store.log.append(KEY, 2, drafts("3", line=True), STAMP)
        assert (third.position, third.line) == (3, 3)
        assert texts(await store.log.read(KEY, 0)) == ["1", "2", "3"]
        assert await store.shelf.get(["a"]) == {"a": b"1"}
        assert await store.blobs.get(digest) == b"blob"


async def test_many_may_open_a_new_file_at_once(opened: Opened) -> None:
    """Whoever comes first makes the tables; the others find them."""
    stores = [opened() for _ in range(8)]
    handles = await asyncio.gather(*(store.__aenter__() for store in stores))
    await handles[0].log.append(KEY, 0, drafts("1"), STAMP)
    assert [texts(await handle.log.read(KEY, 0)) for handle in handles] == [["1"]] * 8
    for store in stores:
        await store.__aexit__(None, None, None)


@pytest.mark.parametrize("version", range(len(schema.MIGRATIONS)))
async def test_a_migrated_file_equals_a_new_one(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    """From every earlier version, by the same scripts, to the same tables, indexes and triggers."""
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with monkeypatch.context() as then:
        then.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:version])
        db = apsw.Connection(str(old))
        schema.migrate(db, old)
        db.close()
    assert sql(old, "PRAGMA user_version") == [(version,)]
    async with opened(old) as store, opened(new):
        await store.log.append(KEY, 0, drafts("1"), STAMP)
    assert description(old) == description(new)


RELEASED = ["40a8e20f", "042df180"]


def test_a_released_migration_is_never_edited() -> None:
    """Files of users have run these very scripts. Before the first release, put the new digest here instead."""
    assert [hashlib.sha256(script.encode()).hexdigest()[:8] for script in schema.MIGRATIONS] == RELEASED


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET body = x'00' WHERE position = 1",
        "DELETE FROM entries WHERE position = 2",
        "INSERT OR REPLACE INTO entries VALUES (1, 1, 0, 0, '', '', '', x'00')",
        "DELETE FROM entries",
    ],
)
async def test_the_log_is_append_only(opened: Opened, connections: list[apsw.Connection], change: str) -> None:
    """Not even this program's own connection can alter or remove an entry, short of dropping the log."""
    async with opened() as store:
        added = await store.log.append(KEY, 0, drafts("1", "2"), STAMP)
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            connections[0].execute(change)
        assert await store.log.read(KEY, 0) == added


async def test_a_newer_file_is_refused(opened: Opened, path: Path) -> None:
    """An older program must not write into tables it does not know."""
    async with opened():
        pass
    sql(path, "PRAGMA user_version = 99")
    assert "newer Stateroom (schema 99" in await refusal(opened, path)
    assert sql(path, "PRAGMA user_version") == [(99,)]


async def test_another_programs_file_is_refused(opened: Opened, path: Path) -> None:
    """A wrong path must not put our tables into somebody else's database."""
    sql(path, "CREATE TABLE cookies (id)")
    assert "another program" in await refusal(opened, path)
    assert sql(path, "SELECT name FROM sqlite_schema") == [("cookies",)]


async def test_what_is_no_database_is_refused(opened: Opened, path: Path) -> None:
    """The file stays as it was."""
    path.write_bytes(b"not a database " * 1000)
    assert "not a Stateroom file" in await refusal(opened, path)
    assert path.read_bytes() == b"not a database " * 1000


async def test_a_folder_is_refused(opened: Opened, tmp_path: Path) -> None:
    """It names a file that would do."""
    assert f"{tmp_path}/stateroom.db" in await refusal(opened, tmp_path)


async def test_a_path_through_a_file_is_refused(opened: Opened, tmp_path: Path) -> None:
    """Neither directly under a file nor deeper."""
    (tmp_path / "file").touch()
    assert "file is not a folder: choose another" in await refusal(opened, tmp_path / "file" / "stateroom.db")
    assert "(Not a directory): choose another" in await refusal(opened, tmp_path / "file" / "a" / "stateroom.db")


@pytest.fixture
def locked_folder(unprivileged: None) -> Iterator[Path]:
    """A folder of ours in which we may make nothing."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    folder.chmod(0o700)
    for file in sorted(folder.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    folder.rmdir()


async def test_a_folder_one_may_not_write_to_is_reported(opened: Opened, locked_folder: Path) -> None:
    """For a file in it, and for a folder to be made in it."""
    locked_folder.chmod(0o500)
    assert "write permission" in await refusal(opened, locked_folder / "stateroom.db")
    assert "write permission" in await refusal(opened, locked_folder / "a" / "stateroom.db")


async def test_a_file_one_may_not_write_to_is_reported(opened: Opened, locked_folder: Path) -> None:
    """At once, not at the first append; and likewise when only the files beside it cannot be made."""
    path = locked_folder / "stateroom.db"
    async with opened(path):
        pass
    path.chmod(0o400)
    assert "write permission" in await refusal(opened, path)
    path.chmod(0o600)
    locked_folder.chmod(0o500)
    assert "write permission" in await refusal(opened, path)


async def test_an_old_engine_is_refused(opened: Opened, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite before 3.51.3 can lose committed writes in WAL mode."""
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.51.2")
    assert "upgrade the `apsw` package" in await refusal(opened, path)
    assert not path.exists()


async def test_a_damaged_page_is_reported_not_a_crash(opened: Opened, path: Path) -> None:
    """Whoever reads it hears what to do; the rest of the file still works; and doctor sees it."""
    async with opened() as store:
        await fill(store, KEY, 2000)
        await store.log.append(OTHER, 0, drafts("x" * 100_000, "whole"), STAMP)
    with path.open("r+b") as file:
        [(page,)] = sql(path, "SELECT max(pageno) FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf'")
        [(first,)] = sql(path, "SELECT min(pageno) FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf'")
        assert first != page
        file.seek((first - 1) * 4096)
        file.write(b"\xff" * 4096)
    async with opened() as store:
        with pytest.raises(Unavailable, match="damaged"):
            await store.log.read(KEY, 0)
        assert texts(await store.log.read(OTHER, 1)) == ["whole"]
        assert store.integrity() != []


@pytest.mark.parametrize("offset", [0, 8])
async def test_integrity_finds_damage_that_no_log_is_in(opened: Opened, path: Path, offset: int) -> None:
    """A page of the shelf gone bad is told, whether SQLite gives up on it or can say what is wrong."""
    async with opened() as store:
        await store.shelf.put({f"{n}": b"x" * 500 for n in range(100)}, 60)
    [(page,)] = sql(path, "SELECT min(pageno) FROM dbstat WHERE name = 'shelf' AND pagetype = 'leaf'")
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096 + offset)
        file.write(b"\xff" * 16)
    async with opened() as store:
        [fault, *_] = store.integrity()
        assert "damaged" in fault or f"page {page}" in fault


async def test_integrity_finds_a_hole(opened: Opened, connections: list[apsw.Connection]) -> None:
    """A sound file has no faults; one with an entry missing has one, which names the log."""
    async with opened() as store:
        await fill(store, KEY, 10)
        await fill(store, OTHER, 3)
        assert store.integrity() == []
        connections[0].execute("DROP TRIGGER entries_do_not_vanish; DELETE FROM entries WHERE log = 1 AND position = 5")
        [fault] = store.integrity()
        assert KEY in fault
        assert "9 entries" in fault
