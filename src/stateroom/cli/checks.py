"""What `stateroom doctor` looks at besides the store: versions, settings, disk, server, port."""

import platform
import re
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import apsw

from stateroom import __version__
from stateroom.cli.card import card_of, read_card
from stateroom.cli.errors import CliError
from stateroom.cli.listener import AlreadyServed, listen
from stateroom.cli.place import server_of
from stateroom.client import Client, Problem, Unreachable, masked
from stateroom.engine.access import parse_keys
from stateroom.settings import Settings, SettingsError, store_path

LOW_DISK_BYTES = 200 * 1024 * 1024
REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    ok: bool
    said: str
    """What was found; when not ok, also what to do."""
    details: dict[str, Any] = field(default_factory=dict)


def versions() -> Finding:
    """Of everything that has a say in how Stateroom behaves."""
    wanted = [line for line in metadata.requires("stateroom") or [] if "extra ==" not in line]
    names = [REQUIREMENT.match(line)[0] for line in wanted]  # type: ignore[index]
    found = {name: _version(name) for name in names}
    missing = [name for name, line in zip(names, wanted, strict=True) if not found[name] and ";" not in line]
    said = f"stateroom {__version__}, Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}"
    if missing:
        said = f"{said}; missing: {', '.join(missing)}. Install Stateroom again."
    return Finding("versions", not missing, said, {"packages": found})


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def settings_as_understood(settings: Settings) -> Finding:
    """Secrets are counted, never shown."""
    said = ", ".join(
        [
            f"listen on {settings.host}:{settings.port}",
            f"store {masked(settings.store)}",
            _teams(settings),
            *([f"public at {masked(settings.public_url)}"] if settings.public_url else []),
            *([f"server {masked(settings.url)}"] if settings.url else []),
            *(["a key for clients is set"] if settings.api_key else []),
        ]
    )
    wrong = _wrong_setting(settings)
    return Finding("settings", not wrong, wrong or said)


def _teams(settings: Settings) -> str:
    teams = sorted({key.team for key in parse_keys(settings.api_keys)})
    return f"keys for {', '.join(teams)}" if teams else "no team keys: open to this machine"


def _wrong_setting(settings: Settings) -> str:
    try:
        settings.check()
    except SettingsError as wrong:
        return str(wrong)
    parts = [part for part in settings.api_keys.split(",") if part.strip()]
    if len(parse_keys(settings.api_keys)) < len(parts):
        return "A part of STATEROOM_API_KEYS is no team:secret and is ignored. Complete it, or take it out."
    return ""


def disk(path: Path) -> Finding:
    folder = next((parent for parent in path.absolute().parents if parent.is_dir()), Path("/"))
    free = shutil.disk_usage(folder).free
    if free < LOW_DISK_BYTES:
        return Finding("disk", False, f"{free >> 20} MB free in {folder}. Make room, or move the store.")
    return Finding("disk", True, f"{free >> 30} GB free in {folder}")


async def server(settings: Settings) -> AsyncIterator[Finding]:
    """The server to talk to if there is one, else whether one could start."""
    url = server_of(settings)
    if url:
        yield await _answers(url, settings.api_key)
        return
    path = store_path(settings.store)
    left = read_card(path) if path else None
    if left and path:
        said = f"none runs on this store. One at {left.url} ended without tidying up; {card_of(path)} is ignored."
        yield Finding("server", True, said)
    else:
        yield Finding("server", True, "none runs on this store; `stateroom up` starts one")
    yield _port(settings)


async def _answers(url: str, key: str) -> Finding:
    try:
        async with Client(url, key) as client:
            health = await client.health()
            if not health.ok:
                return Finding("server", False, f"{masked(url)} answers, but its store does not: {health.problem}")
            said = f"{masked(url)} is well: version {health.version}, {health.store}"
            return Finding("server", True, said + await _admitted(client, key))
    except (Problem, Unreachable) as failure:
        return Finding("server", False, f"{failure} {getattr(failure, 'hint', '')}".strip())


async def _admitted(client: Client, key: str) -> str:
    """Raises Problem: a key is set, and it is none of the server's."""
    try:
        await client.rooms()
    except Problem as problem:
        if key or problem.code != "unauthorized":
            raise
        return "; it wants a key, and STATEROOM_API_KEY is not set"
    return ""


def _port(settings: Settings) -> Finding:
    try:
        listen(settings).close()
    except CliError as taken:
        return Finding("port", isinstance(taken, AlreadyServed), str(taken))
    return Finding("port", True, f"{settings.host}:{settings.port} is free")
