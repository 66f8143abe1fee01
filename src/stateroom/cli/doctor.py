"""`stateroom doctor`: is everything as it should be, and if not, what to do."""

import asyncio
import os
import platform
import shutil
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import apsw
import httpx2
import msgspec

from stateroom import __version__
from stateroom.app import make_store
from stateroom.cli.errors import CliError
from stateroom.cli.output import out, print_json
from stateroom.cli.reach import running_server, settings_of
from stateroom.core.here import Unreadable
from stateroom.core.ids import LogKey
from stateroom.core.lobby import LOBBY, replay
from stateroom.log import codec
from stateroom.log.seam import Record, Store, Unavailable
from stateroom.settings import Settings, SettingsError, from_env, store_path

PAGE = 1000
LOW_DISK_BYTES = 200 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    ok: bool
    said: str
    """What was found; when not ok, also what to do."""


def doctor(*, store: str = "", json: bool = False) -> None:
    """Check settings, store and server. Ends with status 1 if something is wrong.

    Parameters
    ----------
    store
        The store to look at (STATEROOM_STORE).
    json
        Print one JSON document.
    """
    findings = asyncio.run(_all(store))
    if json:
        print_json({"ok": all(finding.ok for finding in findings), "findings": findings})
    else:
        for finding in findings:
            mark = "[green]✔[/green]" if finding.ok else "[red]✘[/red]"
            out.print(f"{mark} {finding.what:<10} ", end="")
            out.print(finding.said, markup=False)
    if not all(finding.ok for finding in findings):
        sys.exit(1)


async def _all(store: str) -> list[Finding]:
    findings = [_versions()]
    try:
        settings = settings_of(store=store) if store else from_env(os.environ)
        path = store_path(settings.store)
    except (SettingsError, CliError) as wrong:
        return [*findings, Finding("settings", False, str(wrong))]
    findings += [_settings(settings), _server(settings)]
    if path is not None:
        findings.append(_disk(path))
    return [*findings, *[finding async for finding in _store(settings)]]


def _versions() -> Finding:
    said = f"stateroom {__version__}, Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}"
    return Finding("versions", True, said)


def _settings(settings: Settings) -> Finding:
    """Keys are counted, never shown."""
    keys = len([part for part in settings.api_keys.split(",") if part.strip()])
    said = f"listen on {settings.host}:{settings.port}, store {settings.store}, {keys or 'no'} team keys"
    try:
        settings.check()
    except SettingsError as wrong:
        return Finding("settings", False, str(wrong))
    return Finding("settings", True, said)


def _server(settings: Settings) -> Finding:
    url = running_server(settings)
    if not url:
        return Finding("server", True, "none runs on this store; `stateroom up` starts one")
    try:
        health = msgspec.json.decode(httpx2.get(f"{url}/health", timeout=2.0).content)
    except (httpx2.HTTPError, msgspec.DecodeError):
        return Finding("server", False, f"{url} does not answer. Start it with `stateroom up`, or unset STATEROOM_URL.")
    if not health.get("ok"):
        return Finding("server", False, f"{url} answers, but its store does not: {health.get('problem')}")
    return Finding("server", True, f"{url} is healthy ({health['store']}, version {health['version']})")


def _disk(path: Path) -> Finding:
    folder = next((parent for parent in path.parents if parent.is_dir()), Path("/"))
    free = shutil.disk_usage(folder).free
    if free < LOW_DISK_BYTES:
        return Finding("disk", False, f"{free >> 20} MB free in {folder}. Make room, or move the store.")
    return Finding("disk", True, f"{free >> 30} GB free in {folder}")


async def _store(settings: Settings) -> AsyncIterator[Finding]:
    path = store_path(settings.store)
    if path is not None and not path.exists():
        yield Finding("store", True, "not made yet; the first start makes it")
        return
    store = make_store(settings.store)
    try:
        await store.open()
    except Unavailable as failure:
        yield Finding("store", False, str(failure))
        return
    try:
        async for finding in _content(store):
            yield finding
    except Unavailable as failure:
        yield Finding("store", False, str(failure))
    finally:
        await store.close()


async def _content(store: Store) -> AsyncIterator[Finding]:
    """Every entry of every log, decoded."""
    broken, entries = await _unreadable(store, LOBBY)
    lobby = replay(codec.decode_all([record async for record in _records(store, LOBBY)]))
    for key in lobby.rooms:
        more, count = await _unreadable(store, key)
        broken, entries = broken + more, entries + count
    said = f"{len(lobby.rooms)} rooms, {entries} entries"
    if broken:
        yield Finding("entries", False, f"{said}; unreadable and skipped: {', '.join(broken[:20])}. Restore a backup.")
    else:
        yield Finding("entries", True, f"{said}, all readable")
    check = getattr(store, "integrity", None)
    faults: list[str] = await asyncio.to_thread(check) if check else []
    yield Finding("integrity", not faults, "; ".join(faults[:5]) or "sound")


async def _unreadable(store: Store, key: LogKey) -> tuple[list[str], int]:
    """`log:position` of each entry that cannot be read, and how many there are in all."""
    found, count = [], 0
    async for record in _records(store, key):
        count += 1
        if isinstance(codec.decode(record).event, Unreadable):
            found.append(f"{key}:{record.position}")
    return found, count


async def _records(store: Store, key: LogKey) -> AsyncIterator[Record]:
    after = 0
    while page := await store.log.read(key, after, PAGE):
        for record in page:
            yield record
        after = page[-1].position
