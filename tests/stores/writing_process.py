"""A process of its own that appends to a file and says so. Run by `test_sqlite_crash`; it is no test.

`writing_process.py PATH flood`: eight logs at once, for ever; after each acknowledged append one line `LOG POSITION`.
`writing_process.py PATH once LOG`: waits for a line on standard input, appends one entry to LOG, and ends.
"""

import asyncio
import sys
from pathlib import Path

from stateroom.core.ids import LogKey
from stateroom.log.seam import Draft, Stamp, Store
from stateroom.stores.sqlite import SqliteStore
from stateroom.testing.simulated_time import HandClock

STAMP = Stamp("ada", "", "", HandClock()())


def body(key: str, position: int) -> bytes:
    """What belongs at a position, so that a reader can tell."""
    return f"{key}:{position}:".encode() * 20


async def flood(store: Store, key: LogKey) -> None:
    after = len(await store.log.read(key, 0, limit=1_000_000))
    while True:
        await store.log.append(key, after, [Draft(body(key, after + 1), line=True)], STAMP)
        after += 1
        sys.stdout.write(f"{key} {after}\n")
        sys.stdout.flush()


async def main(path: str, what: str, *keys: str) -> None:
    store = SqliteStore(Path(path), HandClock())
    await store.open()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    if what == "flood":
        await asyncio.gather(*(flood(store, LogKey(f"team/{n}")) for n in range(8)))
    for key in keys:
        await asyncio.to_thread(sys.stdin.readline)
        await store.log.append(LogKey(key), 0, [Draft(body(key, 1))], STAMP)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
