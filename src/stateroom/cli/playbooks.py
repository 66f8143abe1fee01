"""`stateroom playbooks`: recipes of teams that rooms start from."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from stateroom.cli.errors import CliError
from stateroom.cli.output import out, plain, print_json
from stateroom.cli.place import settings_of
from stateroom.cli.reach import client_of
from stateroom.settings import Settings
from stateroom.wire.playbooks import GivenTask, PlaybookShape, SavedPlaybook

FILE_BYTES = 1_000_000
SERVERS = ("id", "name", "ownerId", "official", "sourceRoomCode", "createdAt", "updatedAt")
"""Parts of a playbook that a recipe does not have, so that what was shown can be saved."""


def listed(*, url: str = "", store: str = "", json: bool = False) -> None:
    """List the playbooks: those that come with Stateroom, then your team's.

    Parameters
    ----------
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to look into (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    found = asyncio.run(_listed(settings_of(url, store)))
    if json:
        print_json(found)
    else:
        out.print(_table(found))


def show(playbook: str, /, *, url: str = "", store: str = "", json: bool = False) -> None:
    """Show one playbook.

    Parameters
    ----------
    playbook
        Its id, or its name.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to look into (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document, as `save --file` takes it.
    """
    found = asyncio.run(_shown(settings_of(url, store), playbook))
    if json:
        print_json(found)
    else:
        _show(found)


def save(
    name: str,
    /,
    *,
    room: str = "",
    file: Annotated[str, Parameter(allow_leading_hyphen=True)] = "",
    url: str = "",
    store: str = "",
    json: bool = False,
) -> None:
    """Save a room's roles and tasks as a playbook, or one from a file. One of the same name is replaced.

    Parameters
    ----------
    name
        What it is called; its id is made from this.
    room
        The room whose roles and tasks it takes, by id or code.
    file
        A recipe in JSON instead of a room: topic, replyMode, roles, tasks. `-` reads standard input.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    if bool(room) == bool(file):
        raise CliError("Name either a room with --room or a file with --file.")
    saved = asyncio.run(_saved(settings_of(url, store), name, room, _recipe(file) if file else None))
    if json:
        print_json(saved)
        return
    did = "replaces the one there was" if saved.replaced else "is saved"
    out.print(f"Playbook [bold]{plain(saved.playbook.id)}[/bold] {did}: {_extent(saved.playbook)}.")
    out.print(f"Start a room from it: stateroom create-room TOPIC --playbook {plain(saved.playbook.id)}", markup=False)


def remove(playbook: str, /, *, url: str = "", store: str = "", json: bool = False) -> None:
    """Remove a playbook of your team. Rooms that started from it stay as they are.

    Parameters
    ----------
    playbook
        Its id, or its name.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    gone = asyncio.run(_removed(settings_of(url, store), playbook))
    if json:
        print_json({"removed": gone})
    else:
        out.print(f"Playbook {plain(gone)} is removed.", markup=False)


async def _listed(settings: Settings) -> list[PlaybookShape]:
    async with client_of(settings) as client:
        return await client.playbooks()


async def _shown(settings: Settings, playbook: str) -> PlaybookShape:
    async with client_of(settings) as client:
        return await client.playbook(playbook)


async def _saved(settings: Settings, name: str, room: str, recipe: dict[str, Any] | None) -> SavedPlaybook:
    async with client_of(settings) as client:
        return await client.save_playbook(name, room, recipe)


async def _removed(settings: Settings, playbook: str) -> str:
    async with client_of(settings) as client:
        return await client.remove_playbook(playbook)


def _recipe(file: str) -> dict[str, Any]:
    """What is in a file, without what is not for its writer to say. Raises CliError for what is no JSON object."""
    try:
        raw = sys.stdin.buffer.read(FILE_BYTES + 1) if file == "-" else Path(file).read_bytes()
        found = msgspec.json.decode(raw, type=dict[str, Any])
    except OSError as failure:
        raise CliError(f"{file} can not be read: {failure.strerror}.") from failure
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise CliError(f"{file} is no recipe in JSON: {wrong}.") from wrong
    return {name: value for name, value in found.items() if name not in SERVERS}


def _table(found: list[PlaybookShape]) -> Table:
    table = Table("playbook", "name", "of", "mode", "roles", "tasks", box=None)
    for one in found:
        whose = "Stateroom" if one.official is True else plain(str(one.ownerId))
        roles = ", ".join(plain(role.name) for role in one.roles) or "–"
        cells = (plain(one.id), plain(one.name), whose, one.replyMode, roles, str(len(one.tasks)))
        table.add_row(*map(Text, cells))  # as text: brackets in a name are no markup
    return table


def _show(found: PlaybookShape) -> None:
    out.print(f"[bold]{plain(found.id)}[/bold]  {_extent(found)}, {found.replyMode} mode")
    out.print(plain(found.name), markup=False)
    if found.topic:
        out.print(f"  topic    {plain(found.topic)}", markup=False)
    if isinstance(found.opening, str):
        out.print(f"  opening  {plain(found.opening)}", markup=False)
    for role in found.roles:
        words = ": ".join(filter(None, (role.role if role.role != role.name else "", role.brief)))
        out.print(f"  role     {plain(role.name)}" + (f": {plain(words)}" if words else ""), markup=False)
    for number, task in enumerate(found.tasks):
        out.print(f"  task {number:<3} {plain(task.title)}{_plan(task)}", markup=False)


def _plan(task: GivenTask) -> str:
    """` (Builder, verified by QA, after 0, 1)`."""
    parts = [
        plain(task.owner or ""),
        f"verified by {plain(task.verifier)}" if task.verifier else "",
        f"after {', '.join(map(str, task.depends_on))}" if task.depends_on else "",
    ]
    said = ", ".join(filter(None, parts))
    return f" ({said})" if said else ""


def _extent(found: PlaybookShape) -> str:
    return f"{_count(len(found.roles), 'role')}, {_count(len(found.tasks), 'task')}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
