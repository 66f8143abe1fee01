"""`stateroom projects`: briefs and memories that outlive rooms."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from rich.table import Table
from rich.text import Text

from stateroom.cli.output import out, plain, print_json
from stateroom.cli.place import settings_of
from stateroom.cli.reach import client_of
from stateroom.client import Client
from stateroom.core.memory import LABELS, Category
from stateroom.wire.projects import ProjectShape

KEPT = "Keep the key, it is shown this once. A room of it: stateroom create-room TOPIC --project {id} --project-key KEY"


def create(name: str, /, *, brief: str = "", url: str = "", store: str = "", json: bool = False) -> None:
    """Make a project. Prints its id, and once its key.

    Parameters
    ----------
    name
        What it is called.
    brief
        What everybody in its rooms should know.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    made = _asked(url, store, lambda client: client.create_project(name, brief))
    if json:
        return print_json(made)
    out.print(f"Project [bold]{plain(made.id)}[/bold] is there: {plain(made.name)}")
    _print_key(made)


def listed(*, url: str = "", store: str = "", json: bool = False) -> None:
    """List your team's projects.

    Parameters
    ----------
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to look into (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    found = _asked(url, store, lambda client: client.projects())
    if json:
        return print_json(found)
    if not found:
        return out.print("There is no project yet: stateroom projects create NAME", markup=False)
    table = Table("project", "name", "rooms", "facts", box=None)
    for one in found:
        table.add_row(*map(Text, (one.id, plain(one.name), str(one.rooms), str(one.facts))))
    out.print(table)


def show(project: str, /, *, budget: int = 4_000, url: str = "", store: str = "", json: bool = False) -> None:
    """Show a project: its brief, its rooms, and what it remembers.

    Parameters
    ----------
    project
        Its id, prj_….
    budget
        How many characters of memory newcomers would be told.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to look into (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    found = _asked(url, store, lambda client: client.project(project, budget))
    if json:
        return print_json(found)
    _show(found)
    told = len(found.facts) - found.left_out
    out.print(f"In {budget} characters of memory newcomers are told {told} of {len(found.facts)} facts.", markup=False)


def rotate_key(project: str, /, *, url: str = "", store: str = "", json: bool = False) -> None:
    """Replace a project's key. The old one opens nothing any more.

    Parameters
    ----------
    project
        Its id, prj_….
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    made = _asked(url, store, lambda client: client.rotate_project_key(project))
    if json:
        return print_json(made)
    _print_key(made)


def brief(project: str, text: str, /, *, name: str = "", url: str = "", store: str = "", json: bool = False) -> None:
    """Say what a project is about.

    Parameters
    ----------
    project
        Its id, prj_….
    text
        What everybody in its rooms should know.
    name
        Call it so from now on.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    _done(url, store, json, lambda client: client.set_brief(project, text, name))


def remember(
    project: str,
    text: str,
    /,
    *,
    category: Category = "facts",
    url: str = "",
    store: str = "",
    json: bool = False,
) -> None:
    """Note a fact by hand.

    Parameters
    ----------
    project
        Its id, prj_….
    text
        One sentence.
    category
        decisions, preferences, facts, deliverables, open_questions or lessons.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    _done(url, store, json, lambda client: client.remember(project, text, category))


def edit(project: str, fact: str, text: str, /, *, url: str = "", store: str = "", json: bool = False) -> None:
    """Change the words of a fact. It is marked as edited, and what rooms say does not change it back.

    Parameters
    ----------
    project
        Its id, prj_….
    fact
        The fact's id, M-….
    text
        Its new words.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    _done(url, store, json, lambda client: client.edit_fact(project, fact, text))


def forget(project: str, fact: str, /, *, url: str = "", store: str = "", json: bool = False) -> None:
    """Take a fact out of the memory. It is not learned again from where it came from.

    Parameters
    ----------
    project
        Its id, prj_….
    fact
        The fact's id, M-….
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    _done(url, store, json, lambda client: client.forget_fact(project, fact))


def _asked(url: str, store: str, ask: Callable[[Client], Awaitable[Any]]) -> Any:
    async def asked() -> Any:
        async with client_of(settings_of(url, store)) as client:
            return await ask(client)

    return asyncio.run(asked())


def _done(url: str, store: str, json: bool, ask: Callable[[Client], Awaitable[ProjectShape]]) -> None:
    found = _asked(url, store, ask)
    if json:
        print_json(found)
    else:
        _show(found)


def _print_key(made: ProjectShape) -> None:
    out.print(f"  key  {made.key}", markup=False)
    out.print(KEPT.format(id=made.id), markup=False)


def _show(found: ProjectShape) -> None:
    out.print(f"[bold]{plain(found.id)}[/bold]  {plain(found.name)}")
    if found.brief:
        out.print(f"Brief (v{found.brief_version})", markup=False)
        out.print(plain(found.brief), markup=False)
    rooms = ", ".join(f"{room.code}{'' if room.learned else ' (not ended)'}" for room in found.rooms)
    out.print(f"Rooms: {rooms or 'none yet'}", markup=False)
    for category, label in LABELS.items():
        facts = [fact for fact in found.facts if fact.category == category]
        if facts:
            out.print(label, style="bold")
        for fact in facts:
            where = ", ".join(f"{one.room} line {one.line}" if one.line else one.room for one in fact.sources)
            said = f"{' (edited)' if fact.edited else ''}{f'  [{where}]' if where else ''}"
            out.print(f"  {fact.id}  {plain(fact.text)}{said}", markup=False)
