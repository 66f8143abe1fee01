"""`stateroom report`: what came out of a room, as it stands or frozen for good."""

import asyncio
import sys
from typing import Literal

from stateroom.cli.output import err, out, print_json
from stateroom.cli.place import server_of, settings_of
from stateroom.cli.reach import client_of
from stateroom.cli.speaking import in_our_words
from stateroom.cli.transcript import paragraphs
from stateroom.client import Document
from stateroom.settings import Settings

NO_SERVER = "No server runs on this store: the address is for one that `stateroom up` starts."
Form = Literal["minutes", "adr", "pr", "json"]


def report(
    room: str, /, *, format: Form = "minutes", export: bool = False, url: str = "", store: str = "", json: bool = False
) -> None:
    """Show what came out of a room: minutes, a decision record, or the text of a pull request.

    Parameters
    ----------
    room
        A room's code or id.
    format
        minutes, adr (a decision record), pr (a pull request) or json; minutes if it is left out.
    export
        Freeze the room as it stands, and print the address under which it can be read from now on.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to look into (STATEROOM_STORE), through its server if one runs on it.
    json
        The same as --format json.
    """
    form: Form = "json" if json else format
    settings = settings_of(url, store)
    found = asyncio.run(_report(settings, room, form, export))
    if export and form == "json":
        print_json({"id": found.id, "url": found.url, "position": found.position})
    elif export:
        out.print(found.url, markup=False)
        if not server_of(settings):
            err.print(NO_SERVER, markup=False)
    elif form == "json":
        print_json(found.report)
    else:
        _write(found.markdown)


async def _report(settings: Settings, room: str, form: Form, export: bool) -> Document:
    async with client_of(settings) as client:
        with in_our_words():
            return await (client.export(room) if export else client.report(room, form))


def _write(markdown: str) -> None:
    """Byte by byte as it is into a file or pipe; on a terminal without what would steer it."""
    text = "\n".join(paragraphs(markdown)) if out.is_terminal else markdown
    sys.stdout.write(text)
    sys.stdout.flush()
