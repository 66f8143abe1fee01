"""Looking a whole file over, for `stateroom doctor`."""

from pathlib import Path

import apsw

from stateroom.stores.sqlite.file import unavailable

WRONG_HEADS = """
SELECT key, heads.position, count(entries.position), coalesce(max(entries.position), 0), coalesce(max(entries.line), 0),
  heads.line, count(nullif(entries.line, 0))
FROM heads LEFT JOIN entries USING (log) GROUP BY log
HAVING heads.position <> count(entries.position) OR heads.position <> coalesce(max(entries.position), 0)
  OR heads.line <> coalesce(max(entries.line), 0) OR heads.line <> count(nullif(entries.line, 0))
"""


def inspect(path: Path) -> list[str]:
    """One sentence per fault. Works on an open store too: it takes a connection of its own. Raises Unavailable."""
    try:
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            return _pages(db) or _logs(db)
        finally:
            db.close()
    except apsw.CorruptError as error:
        return [str(unavailable(error, path))]  # too badly damaged to be looked over
    except apsw.Error as error:
        raise unavailable(error, path) from error


def _pages(db: apsw.Connection) -> list[str]:
    return [f"SQLite: {text}" for (text,) in db.execute("PRAGMA quick_check") if text != "ok"]


def _logs(db: apsw.Connection) -> list[str]:
    return [
        f"Log {key} says it is at {position} (line {line}), but holds {count} entries up to {last} (line {last_line})."
        for key, position, count, last, last_line, line, _ in db.execute(WRONG_HEADS)
    ]
