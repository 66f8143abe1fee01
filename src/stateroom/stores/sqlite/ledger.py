"""The logs, inside the writer's transaction: compare, append, drop. Where each log stands is kept in memory.

Rows gather in Python and go to SQLite in two sweeps at the end of a batch (`flush`), which is what makes one
append among many cheap. Nothing here commits: `writer` does, and calls `forget` when it could not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from stateroom.core.ids import Instant, LogKey
from stateroom.log.seam import Conflict, Draft, Hint, Record, Stamp

LONGEST_TAIL = 1000
MOST_HEADS = 100_000
"""Heads kept in memory (about 300 bytes each) before all are forgotten and read again as needed."""
SWEEP_ENTRIES = 2000
"""Entries of a dropped log deleted in one go, so that nobody's append waits long behind a drop."""

SELECT_RECORDS = """
SELECT position, line, at, "by", via, cause, body FROM entries
WHERE log = (SELECT log FROM heads WHERE key = ?) AND position > ? ORDER BY position LIMIT ?
"""

DELETE_OLDEST = """
DELETE FROM entries WHERE log = ?1
  AND position < ?2 + (SELECT position FROM entries WHERE log = ?1 ORDER BY position LIMIT 1)
"""


@dataclass(slots=True)
class Head:
    """Where a log stands. `log` is 0 until its first entry."""

    log: int = 0
    position: int = 0
    line: int = 0
    at: Instant = Instant(0)


@dataclass(frozen=True, slots=True)
class Move:
    """What one commit moved. `number` counts such commits over the file's whole life, in every process."""

    number: int
    hints: tuple[Hint, ...] | None
    """One for each log; None when they are too many to name: look everywhere."""


def records(db: apsw.Connection, key: LogKey, after: int, limit: int) -> list[Record]:
    """Up to `limit` records after a position; an unknown log has none."""
    return [Record(*row) for row in db.execute(SELECT_RECORDS, (key, max(after, 0), max(limit, 0)))]


def moves(db: apsw.Connection) -> int:
    """How many commits have moved a log so far, by whichever process."""
    count: int = db.execute("SELECT moves FROM tally").get
    return count


class Ledger:
    """Belongs to the writer thread and its connection."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._heads: dict[LogKey, Head] = {}
        self._rows: list[tuple[int | str | bytes, ...]] = []
        self._touched: dict[LogKey, Head] = {}
        self._dropped: set[LogKey] = set()
        self._moves = 0
        self._version = -1

    def begin(self) -> None:
        """First thing inside a transaction: believe no head once another process has committed."""
        version = self._data_version()
        if version != self._version or len(self._heads) > MOST_HEADS:
            self._heads.clear()
            self._moves = moves(self._db)
            self._version = version

    def append(self, key: LogKey, after: int, drafts: Sequence[Draft], stamp: Stamp) -> list[Record]:
        """As the seam says, durable after the commit. Later work of the same batch sees it. Raises Conflict."""
        head = self._head(key)
        if head.position != after:
            raise self._conflict(key, head, after)
        if not drafts:
            return []
        if not head.log:
            self._begin_life(key, head)
        added = [self._add(head, draft, draft.stamp or stamp) for draft in drafts]
        self._touched[key] = head
        return added

    def drop(self, key: LogKey) -> None:
        """Forget the log at once; its entries are out of reach now and deleted by `sweep`."""
        head = self._head(key)
        if head.log:
            self._db.execute("INSERT INTO dropped VALUES (?)", (head.log,))
            self._db.execute("DELETE FROM heads WHERE log = ?", (head.log,))
            self._touched[key] = self._heads[key] = Head()
            self._dropped.add(key)

    def sweep(self) -> bool:
        """Delete some entries of a dropped log; True while there is more to delete."""
        log = self._db.execute("SELECT log FROM dropped LIMIT 1").get
        if log is None:
            return False
        self._db.execute(DELETE_OLDEST, (log, SWEEP_ENTRIES))
        if not self._db.changes():
            self._db.execute("DELETE FROM dropped WHERE log = ?", (log,))
        return True

    def flush(self) -> None:
        """Hand what has gathered to SQLite, still inside the transaction."""
        heads = [(head.position, head.line, head.at, head.log) for head in self._touched.values()]
        self._db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._rows)
        self._db.executemany("UPDATE heads SET position = ?, line = ?, at = ? WHERE log = ?", heads)
        self._rows.clear()

    def close_batch(self) -> Move | None:
        """Last thing before the commit: flush, and count the move if any log moved."""
        self.flush()
        if not self._touched:
            return None
        self._db.execute("UPDATE tally SET moves = moves + 1")
        self._moves += 1
        heads = self._touched.items()
        hints = tuple(Hint(key, 0 if key in self._dropped else head.position) for key, head in heads)
        self._touched.clear()
        self._dropped.clear()
        return Move(self._moves, hints)

    def forget(self) -> None:
        """After a rollback: nothing that was gathered counts, and `begin` will believe nothing."""
        self._rows.clear()
        self._touched.clear()
        self._dropped.clear()
        self._version = -1

    def _add(self, head: Head, draft: Draft, stamp: Stamp) -> Record:
        head.at = max(head.at, stamp.at) if head.position else stamp.at
        head.position += 1
        head.line += draft.line
        line = head.line if draft.line else 0
        record = Record(head.position, line, head.at, stamp.by, stamp.via, stamp.cause, draft.body)
        self._rows.append((head.log, head.position, line, head.at, stamp.by, stamp.via, stamp.cause, draft.body))
        return record

    def _head(self, key: LogKey) -> Head:
        head = self._heads.get(key)
        if head is None:
            row = self._db.execute("SELECT log, position, line, at FROM heads WHERE key = ?", (key,)).fetchone()
            head = self._heads[key] = Head(*row) if row else Head()
        return head

    def _begin_life(self, key: LogKey, head: Head) -> None:
        self._db.execute("INSERT INTO heads (key, position, line, at) VALUES (?, 0, 0, 0)", (key,))
        head.log = self._db.last_insert_rowid()

    def _conflict(self, key: LogKey, head: Head, after: int) -> Conflict:
        if after > head.position:
            return Conflict(head.position, [])
        self.flush()
        return Conflict(head.position, records(self._db, key, after, LONGEST_TAIL))

    def _data_version(self) -> int:
        version: int = self._db.execute("PRAGMA data_version").get
        return version
