"""`stateroom tail`: a room's events as readable lines."""

import asyncio
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from stateroom.cli.output import out, print_line
from stateroom.cli.reach import client_of, settings_of

SHOWN_CHARS = 160


def tail(
    room: str,
    *,
    n: Annotated[int, Parameter(name=["-n", "--lines"])] = 20,
    follow: Annotated[bool, Parameter(name=["-f", "--follow"])] = False,
    url: str = "",
    json: bool = False,
) -> None:
    """Show the last events of a room.

    Parameters
    ----------
    room
        A room's id or code.
    n
        How many of the newest events to show.
    follow
        Go on with what happens next, until Ctrl-C.
    url
        The server to ask (STATEROOM_URL).
    json
        Print one JSON document a line.
    """
    asyncio.run(_tail(room, n, follow, url, json))


async def _tail(room: str, n: int, follow: bool, url: str, json: bool) -> None:
    async with client_of(settings_of(url)) as client:
        newest = await client.events(room, order="newest", limit=max(1, min(n, 1000)))
        last = (await client.room(room))["position"] if not newest else newest[0]["position"]
        for event in reversed(newest[:n]):
            _show(event, json)
        if follow:
            async for event in client.follow(room, last):
                _show(event, json)


def _show(event: dict[str, Any], json: bool) -> None:
    if json:
        print_line(event)
        return
    said = msgspec.json.encode(event["payload"]).decode()
    shown = said if len(said) <= SHOWN_CHARS else said[: SHOWN_CHARS - 1] + "…"
    to = "" if event["to"] == "all" else f" → {event['to']}"
    line = f"{event['timestamp'][11:19]}  {event['id']:>6}  {event['from']}{to}  {event['type']}  {shown}"
    out.print(line, markup=False)
