"""Shelf and blobs as SQL. Reads take the reader's connection, writes the writer's; none of them commits."""

import hashlib
from collections.abc import Mapping, Sequence

import apsw

MOST_PURGED = 100
"""Expired values deleted along with one write: enough to keep up, too few to be felt."""

PURGE = "DELETE FROM shelf WHERE key IN (SELECT key FROM shelf WHERE expires_at <= ? LIMIT ?)"


def get(db: apsw.Connection, keys: Sequence[str], now: int) -> dict[str, bytes]:
    """The values among `keys` that have not expired."""
    found: dict[str, bytes] = {}
    for key in keys:
        found.update(db.execute("SELECT key, value FROM shelf WHERE key = ? AND expires_at > ?", (key, now)))
    return found


def put(db: apsw.Connection, items: Mapping[str, bytes], now: int, ttl_s: int) -> None:
    """Store or replace, and purge some of what has expired."""
    db.execute(PURGE, (now, MOST_PURGED))
    rows = [(key, value, now + ttl_s * 1000) for key, value in items.items()]
    db.executemany("INSERT OR REPLACE INTO shelf VALUES (?, ?, ?)", rows)


def swap(db: apsw.Connection, key: str, old: bytes | None, new: bytes, now: int, ttl_s: int) -> bool:
    """Compare and set, inside the writer's transaction."""
    if get(db, [key], now).get(key) != old:
        return False
    put(db, {key: new}, now, ttl_s)
    return True


def drop(db: apsw.Connection, keys: Sequence[str]) -> None:
    """Forget these keys."""
    db.executemany("DELETE FROM shelf WHERE key = ?", [(key,) for key in keys])


def put_blob(db: apsw.Connection, data: bytes) -> str:
    """Store bytes once; returns their SHA-256."""
    digest = hashlib.sha256(data).hexdigest()
    db.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (digest, data))
    return digest


def get_blob(db: apsw.Connection, digest: str) -> bytes | None:
    """The bytes of a digest."""
    data: bytes | None = db.execute("SELECT data FROM blobs WHERE digest = ?", (digest,)).get
    return data


def drop_blob(db: apsw.Connection, digest: str) -> None:
    """Forget a blob."""
    db.execute("DELETE FROM blobs WHERE digest = ?", (digest,))
