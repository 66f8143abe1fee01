"""`stateroom rooms`: which rooms there are."""

import asyncio
from typing import Any

from rich.table import Table

from stateroom.cli.output import out, print_json
from stateroom.cli.reach import client_of, settings_of
from stateroom.wire.times import iso


def rooms(*, url: str = "", json: bool = False) -> None:
    """List the rooms of the running server.

    Parameters
    ----------
    url
        The server to ask (STATEROOM_URL).
    json
        Print one JSON document.
    """
    listed = asyncio.run(_rooms(url))
    if json:
        print_json(listed)
    elif not listed:
        out.print("No rooms yet. An agent's first call to a room opens it.")
    else:
        out.print(_table(listed))


async def _rooms(url: str) -> list[dict[str, Any]]:
    async with client_of(settings_of(url)) as client:
        return [await _described(client, room) for room in await client.rooms()]


async def _described(client: Any, room: dict[str, Any]) -> dict[str, Any]:
    members = await client.view(room["id"], "members")
    return {**room, "online": [member["name"] for member in members if member["online"]]}


def _table(rooms: list[dict[str, Any]]) -> Table:
    table = Table(
        "room", "code", "online", "tasks", "context", "events", "last activity", box=None, padding=(0, 2, 0, 0)
    )
    for room in rooms:
        table.add_row(
            room["id"],
            room["code"],
            ", ".join(room["online"]) or "-",
            f"{room['tasks_done']}/{room['tasks']}",
            str(room["context"]),
            str(room["events"]),
            iso(room["last_at"]),
        )
    return table
