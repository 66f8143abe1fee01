"""The file: opening it, and saying in one plain sentence why it could not be opened, read or written."""

import os
import threading
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Literal

import apsw

from stateroom.log.seam import Unavailable

Synchronous = Literal["FULL", "NORMAL"]
"""FULL survives a power cut; NORMAL may then lose the last commits, but never the file."""

OLDEST_ENGINE = (3, 51, 3)
"""Older engines can lose committed writes when two connections write and checkpoint a WAL at the same instant."""

BUSY_S = 5
"""How long to wait for another process that holds the file."""

_ADVICE: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "The disk that holds {path} is full: free some space and try again; no restart is needed."),
    (
        apsw.ReadOnlyError,
        "{path} cannot be written: give the user who runs Stateroom write permission on the file and its folder, "
        "or choose another path.",
    ),
    (apsw.NotADBError, "{path} is not a Stateroom file: choose another path, or move that file out of the way."),
    (
        apsw.CorruptError,
        "{path} is damaged: stop Stateroom, keep a copy of the file, and restore it from a backup ({error}).",
    ),
    (
        apsw.BusyError,
        "Another process has held {path} for more than {busy_s} seconds: wait for it to finish, or stop it, "
        "and try again.",
    ),
    (
        apsw.CantOpenError,
        "{path} or the files beside it cannot be opened: check that the folder exists and that the user who runs "
        "Stateroom may write to it, or choose another path.",
    ),
    (
        apsw.IOError,
        "The disk did not read or write {path} ({error}): check the disk, its free space and limits, and try again.",
    ),
    (apsw.Error, "SQLite could not use {path} ({error}): run `stateroom doctor`."),
)


def unavailable(error: apsw.Error, path: Path) -> Unavailable:
    """The sentence for what SQLite reported."""
    advice = next(text for kind, text in _ADVICE if isinstance(error, kind))
    return Unavailable(advice.format(path=path, error=error, busy_s=BUSY_S))


def prepare(path: Path) -> None:
    """Make the folder (mode 0700) and an empty file (mode 0600) where they are missing. Raises Unavailable.

    SQLite gives the files it puts beside ours the same mode. A file that exists is not touched: closing a file
    gives up every POSIX lock that this process holds on it, those of another open store too.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if path.is_dir():
            raise Unavailable(
                f"{path} is a folder: give the path of a file, such as {path / 'stateroom.db'}."
            ) from None
        if not path.parent.is_dir():
            raise Unavailable(f"{path.parent} is not a folder: choose another path.") from None
    except PermissionError:
        raise unavailable(apsw.ReadOnlyError(), path) from None
    except OSError as error:
        raise Unavailable(f"{path} cannot be made ({error.strerror}): choose another path.") from error


def connect(path: Path, synchronous: Synchronous, opened: ExitStack) -> apsw.Connection:
    """A connection set up the way every part of this store expects. Raises apsw.Error, Unavailable."""
    db = opened.enter_context(closing(apsw.Connection(str(path))))
    if db.readonly("main"):
        raise unavailable(apsw.ReadOnlyError(), path)
    db.set_busy_handler(_wait_a_little)
    if db.pragma("journal_mode", "WAL") != "wal":
        raise Unavailable(f"{path} is on a disk that cannot share memory between processes: choose a local disk.")
    db.pragma("synchronous", synchronous)
    db.pragma("foreign_keys", False)
    db.pragma("recursive_triggers", True)  # so that not even INSERT OR REPLACE gets around the append-only triggers
    db.pragma("wal_autocheckpoint", 4000)
    return db


def check_engine() -> None:
    """Raise Unavailable for an SQLite that can lose writes."""
    if tuple(int(part) for part in apsw.sqlite_lib_version().split(".")) < OLDEST_ENGINE:
        raise Unavailable(f"SQLite {apsw.sqlite_lib_version()} can lose writes: upgrade the `apsw` package.")


def _wait_a_little(tries: int) -> bool:
    """One millisecond at a time. SQLite's own back-off grows to 100 ms, and then a busy neighbour starves us."""
    threading.Event().wait(0.001)
    return tries < BUSY_S * 1000
