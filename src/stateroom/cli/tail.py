"""`stateroom tail`: a room's events as readable lines."""

import asyncio
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from stateroom.cli.output import out, plain, print_json, print_line
from stateroom.cli.place import settings_of
from stateroom.cli.reach import client_of
from stateroom.settings import Settings

SHOWN_CHARS = 160


def tail(
    room: str,
    /,
    *,
    lines: Annotated[int, Parameter(name=["--lines", "-n"], validator=Number(gte=0, lte=1000))] = 20,
    follow: Annotated[bool, Parameter(name=["--follow", "-f"])] = False,
    url: str = "",
    store: str = "",
    json: bool = False,
) -> None:
    """Show the last events of a room.

    Parameters
    ----------
    room
        A room's id or code.
    lines
        How many of the newest events to show; 20 if it is left out.
    follow
        Go on with what happens next, until Ctrl-C; also across a restart of the server.
    url
        The server to ask (STATEROOM_URL).
    store
        The store to look into (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document; with --follow, one for each event, each on a line of its own.
    """
    asyncio.run(_tail(settings_of(url, store), room, lines, follow, json))


async def _tail(settings: Settings, room: str, count: int, follow: bool, json: bool) -> None:
    async with client_of(settings) as client:
        last = (await client.room(room)).position
        newest = await client.events(room, order="newest", before=last + 1, limit=count) if count else []
        events = newest[::-1]
        if json and not follow:
            print_json(events)
            return
        show = print_line if json else _show
        for event in events:
            show(event)
        if follow:
            async for event in client.follow(room, last):
                show(event)


def _show(event: dict[str, Any]) -> None:
    said = msgspec.json.encode(event["payload"]).decode()
    shown = said if len(said) <= SHOWN_CHARS else said[: SHOWN_CHARS - 1] + "…"
    to = "" if event["to"] == "all" else f" → {event['to']}"
    line = f"{event['timestamp'][11:19]}  {event['id']:>6}  {event['from']}{to}  {event['type']}  {shown}"
    out.print(plain(line), markup=False)
