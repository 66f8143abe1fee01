"""What is in the file, and how an older file becomes a current one.

A script that has been released is never edited: a change is one more script at the end.
"""

from pathlib import Path

import apsw

from stateroom.log.seam import Unavailable

APPLICATION_ID = 0x53746D31
"""Marks the file as ours (`Stm1`), so that another program's SQLite file is never taken for one."""

THE_LOGS = """
CREATE TABLE heads (  -- where each living log is; `log` is never used twice, so a dropped log cannot shine through
  log INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,
  position INTEGER NOT NULL, line INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE entries (  -- line is 0 for an entry that is no line of the transcript
  -- Laid down in the order of writing, found by an index. Keeping each log's entries together (WITHOUT ROWID) made
  -- one append among many 1.6 to 3.6 times dearer, and the file twice as large from bodies of 1 KB up.
  log INTEGER NOT NULL, position INTEGER NOT NULL, line INTEGER NOT NULL, at INTEGER NOT NULL,
  "by" TEXT NOT NULL, via TEXT NOT NULL, cause TEXT NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY (log, position)
) STRICT;
CREATE TABLE dropped (log INTEGER PRIMARY KEY) STRICT;  -- entries of these may be deleted, and of no other
CREATE TABLE tally (moves INTEGER NOT NULL) STRICT;  -- how many commits have moved a log: one row
INSERT INTO tally VALUES (0);
CREATE TRIGGER entries_do_not_change BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER entries_do_not_vanish BEFORE DELETE ON entries WHEN OLD.log NOT IN (SELECT log FROM dropped)
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""

THE_SHELF_AND_BLOBS = """
CREATE TABLE shelf (key TEXT PRIMARY KEY, value BLOB NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX shelf_by_expiry ON shelf (expires_at);
CREATE TABLE blobs (digest TEXT NOT NULL UNIQUE, data BLOB NOT NULL) STRICT;
"""

MIGRATIONS = (THE_LOGS, THE_SHELF_AND_BLOBS)
"""Script n lifts a file from version n-1 to version n; `PRAGMA user_version` says which the file is at."""


def migrate(db: apsw.Connection, path: Path) -> None:
    """Bring the file up to date in one transaction. Raises Unavailable for a file that is newer, or not ours."""
    if _version(db, path) == len(MIGRATIONS):
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        for number, script in enumerate(MIGRATIONS[_version(db, path) :], _version(db, path) + 1):
            db.execute(script)
            db.pragma("user_version", number)
            db.pragma("application_id", APPLICATION_ID)
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _version(db: apsw.Connection, path: Path) -> int:
    version: int = db.pragma("user_version")
    empty = db.execute("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)").get
    if not empty and db.pragma("application_id") != APPLICATION_ID:
        raise Unavailable(f"{path} is the SQLite file of another program: choose another path for Stateroom.")
    if version > len(MIGRATIONS):
        raise Unavailable(
            f"{path} was written by a newer Stateroom (schema {version}, this one knows {len(MIGRATIONS)}): "
            "upgrade Stateroom, or choose another path."
        )
    return version
