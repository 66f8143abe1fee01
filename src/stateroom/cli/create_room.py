"""`stateroom create-room`: a room to talk in, and what to hand to people and agents."""

import asyncio
import getpass
from typing import Annotated

import msgspec
from cyclopts import Parameter

from stateroom.cli.output import out, plain, print_json
from stateroom.cli.place import server_of, settings_of
from stateroom.cli.reach import client_of
from stateroom.settings import Settings
from stateroom.wire.links import Links
from stateroom.wire.shapes import RoomInfo

SOMEBODY = "host"
"""Who creates a room where the system knows no login name."""
PASTE = "Join room {code} with room_join, then follow it with room_listen and speak where it helps."
NO_SERVER = "No server runs on this store yet: start one with `stateroom up`, and the page opens."


def create_room(
    topic: str,
    /,
    *,
    host: str = "",
    template: Annotated[str, Parameter(name=("--template", "--playbook"))] = "",
    project: str = "",
    project_key: str = "",
    url: str = "",
    store: str = "",
    json: bool = False,
) -> None:
    """Create a room to talk in.

    Parameters
    ----------
    topic
        What the room is about.
    host
        Under which name you create it; your login name if it is left out.
    template
        Start with a template's roles, opening and tasks: code-review, incident, bug-fix, feature-build, strategy, …;
        or with a playbook's (`stateroom playbooks list`).
    project
        The project it is part of, prj_…: newcomers are told its brief and memory, and what the room leaves is kept.
    project_key
        The project's key, pak_…, if it is another team's.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    settings = settings_of(url, store)
    part_of = {"project": project, "project_key": project_key}
    made = asyncio.run(_create(settings, topic, host or _login(), template, part_of))
    running = server_of(settings)
    links = Links(settings.url or (settings.base_url if settings.public_url else running) or settings.base_url)
    page, paste = links.room(made.code), PASTE.format(code=made.code)
    if json:
        shown = {"page": page, "join": links.join(made.code), "paste": paste, "served": bool(running)}
        print_json({**msgspec.to_builtins(made), **shown})
        return
    _show(made, page, paste)
    if not running:
        out.print(NO_SERVER, markup=False)


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # which of them depends on the version of Python
        return SOMEBODY


async def _create(settings: Settings, topic: str, host: str, template: str, part_of: dict[str, str]) -> RoomInfo:
    async with client_of(settings) as client:
        return await client.create_room(host=host, topic=topic, template=template, **part_of)


def _show(made: RoomInfo, page: str, paste: str) -> None:
    out.print(f"Room [bold]{made.code}[/bold] is open: ", end="")
    out.print(plain(made.topic), markup=False)
    out.print(f"  page      {page}", markup=False)
    out.print(f"  agents    {paste}", markup=False)
    out.print(f"  host key  {made.host_key}", markup=False)
    proves = f"It proves that you are {plain(made.host)}, the host: to speak as the host, to run the room, to end it."
    out.print(f"The host key is shown this once. {proves}", markup=False)
