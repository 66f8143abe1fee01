"""What `stateroom doctor` looks at in a store: does it open, can it be written, can every entry be read."""

import asyncio
from collections.abc import AsyncIterator, Callable

from stateroom.cli.checks import Finding
from stateroom.cli.errors import CliError
from stateroom.cli.stored import lobby_of, opened, pages
from stateroom.client import masked
from stateroom.core.here import Unreadable
from stateroom.core.ids import LogKey
from stateroom.core.lobby import LOBBY
from stateroom.log import codec
from stateroom.log.seam import Store
from stateroom.settings import store_path

POSITIONS_SHOWN = 10
PROBE = "doctor"


async def store_findings(url: str) -> AsyncIterator[Finding]:
    path = store_path(url)
    if path is None:
        yield Finding("store", True, f"{masked(url)} keeps nothing: everything ends with the server")
    elif not path.exists():
        yield Finding("store", True, f"{path} is not made yet; the first start makes it")
    else:
        try:
            async with opened(url) as store:
                yield Finding("store", True, f"{path} opens")
                async for finding in _content(store):
                    yield finding
        except CliError as failure:
            yield Finding("store", False, str(failure))


async def _content(store: Store) -> AsyncIterator[Finding]:
    """Raises CliError where the store does not answer."""
    await store.shelf.put({PROBE: b"was here"}, 1)
    yield Finding("writable", True, "a value was written")
    yield await _entries(store)
    check: Callable[[], list[str]] | None = getattr(store, "integrity", None)
    faults = await asyncio.to_thread(check) if check else []
    if faults:
        said = f"{'; '.join(faults[:5])}. Stop Stateroom, keep a copy of the file, and restore a backup."
        yield Finding("integrity", False, said, {"faults": faults})
    else:
        yield Finding("integrity", True, "every page and every log is whole")


async def _entries(store: Store) -> Finding:
    keys = [LOBBY, *(await lobby_of(store)).rooms]
    count, damaged = 0, {}
    for key in keys:
        entries, broken = await _unreadable(store, key)
        count += entries
        if broken:
            damaged[key] = broken
    said = f"{len(keys) - 1} rooms, {count} entries"
    if not damaged:
        return Finding("entries", True, f"{said}, all readable")
    where = "; ".join(f"{len(broken)} in {key} at {_some(broken)}" for key, broken in damaged.items())
    advice = "They are skipped and everything else works. To get them back, restore a backup."
    return Finding("entries", False, f"{said}, of which can not be read: {where}. {advice}", {"damaged": damaged})


async def _unreadable(store: Store, key: LogKey) -> tuple[int, list[int]]:
    """How many entries a log has, and the positions of those that can not be read."""
    count, broken = 0, []
    async for page in pages(store, key):
        count += len(page)
        broken += [record.position for record in page if isinstance(codec.decode(record).event, Unreadable)]
    return count, broken


def _some(positions: list[int]) -> str:
    shown = ", ".join(map(str, positions[:POSITIONS_SHOWN]))
    return shown + (", …" if len(positions) > POSITIONS_SHOWN else "")
