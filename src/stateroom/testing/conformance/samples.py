"""What the tests write."""

from collections.abc import Sequence

from stateroom.core.ids import Instant, LogKey
from stateroom.log.seam import Draft, Record, Stamp, Store

KEY = LogKey("team/a")
OTHER = LogKey("team/b")
NOON = Instant(1_767_268_800_000)
STAMP = Stamp(by="ada", via="key:1", cause="c1", at=NOON)

PATIENCE_S = 10
"""How long to await what should happen at once, on a machine that is busy."""


def drafts(*texts: str, line: bool = False) -> list[Draft]:
    """One draft per text."""
    return [Draft(text.encode(), line) for text in texts]


def texts(records: Sequence[Record]) -> list[str]:
    """The bodies, as text."""
    return [record.body.decode() for record in records]


def positions(records: Sequence[Record]) -> list[int]:
    """The positions."""
    return [record.position for record in records]


async def fill(store: Store, key: LogKey, count: int) -> None:
    """Append `count` entries to a new log, many at a time."""
    for start in range(0, count, 500):
        numbers = range(start + 1, min(start + 500, count) + 1)
        await store.log.append(key, start, drafts(*map(str, numbers)), STAMP)
