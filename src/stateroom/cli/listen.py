"""`stateroom listen`: the transcript of a room, and what is said next."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from stateroom.cli.errors import CliError
from stateroom.cli.output import err, plain, print_line
from stateroom.cli.place import settings_of
from stateroom.cli.reach import client_of
from stateroom.cli.speaking import in_our_words
from stateroom.cli.transcript import show
from stateroom.client import Client, Lines
from stateroom.settings import Settings

NO_SEAT = "Leave --name out to look on, or take a seat first: `stateroom send ROOM TEXT --name NAME --join`."
REMOVED = "{name} was removed from the room. Leave --name out to look on."


@dataclass(frozen=True, slots=True)
class Listening:
    """What is asked for."""

    room: str
    after: int
    name: str
    addressed: bool
    once: bool


def listen(
    room: str,
    /,
    *,
    after: Annotated[int, Parameter(validator=Number(gte=0))] = 0,
    name: str = "",
    addressed: bool = False,
    once: bool = False,
    url: str = "",
    store: str = "",
    json: bool = False,
) -> None:
    """Show what is said in a room and follow it, until it ends or Ctrl-C; also across a restart of the server.

    Ends with status 0 when the room has ended, 130 when it was interrupted. Times are UTC.

    Parameters
    ----------
    room
        A room's code or id.
    after
        Begin after this line; from the first one if it is left out.
    name
        Listen as this member, who is then seen to listen; without a name you only look on.
    addressed
        With --name: wait for what concerns you. Other lines come together with it, or after a while.
    once
        End with the first lines there are, and wait for them if there are none.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to look into (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document for each line, on a line of its own.
    """
    if addressed and not name:
        raise CliError("--addressed is about somebody: add --name.")
    asyncio.run(_listen(settings_of(url, store), Listening(room, after, name, addressed, once), json))


async def _listen(settings: Settings, wanted: Listening, json: bool) -> None:
    tell = print_line if json else show
    async with client_of(settings) as client:
        with in_our_words(not_participant=NO_SEAT):
            await _greet(client, wanted.room, quiet=json)
            async for page in _pages(client, wanted):
                for message in page.lines:
                    tell(message)
                if page.terminated == "kicked":
                    raise CliError(plain(REMOVED.format(name=wanted.name)))
                if wanted.once and page.lines and not (wanted.addressed and page.timed_out):
                    return


async def _greet(client: Client, room: str, *, quiet: bool) -> None:
    """So that a silent room is not taken for one that does not answer. Raises Problem, Unreachable."""
    found = await client.room(room)
    if err.is_terminal and not quiet:
        err.print(f"Room {found.code}: {plain(found.topic or found.project)}. Ctrl-C ends.", markup=False, style="dim")


async def _pages(client: Client, wanted: Listening) -> AsyncIterator[Lines]:
    """What is there, then what comes. Waiting passes over a member's own lines, and so does not begin with them."""
    after = wanted.after
    while not (wanted.once or wanted.addressed):
        page = await client.lines(wanted.room, after)
        after = page.next
        yield page
        if page.next >= page.last:
            break
    listening = client.listen(
        wanted.room, after, member=wanted.name, wake_on="addressed" if wanted.addressed else "any"
    )
    async for page in listening:
        yield page
