"""`stateroom rooms`: which rooms there are."""

import asyncio
from dataclasses import dataclass

import msgspec
from rich.table import Table
from rich.text import Text

from stateroom.cli.output import out, plain, print_json
from stateroom.cli.place import settings_of
from stateroom.cli.reach import client_of
from stateroom.client import Client
from stateroom.settings import Settings
from stateroom.wire.shapes import RoomInfo
from stateroom.wire.times import iso


@dataclass(frozen=True, slots=True)
class Listed:
    """A room, and who is online in it."""

    room: RoomInfo
    online: list[str]


def rooms(*, url: str = "", store: str = "", json: bool = False) -> None:
    """List the rooms you can reach: of a server, or of a store on which none runs.

    Parameters
    ----------
    url
        The server to ask (STATEROOM_URL).
    store
        The store to look into (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    settings = settings_of(url, store)
    listed = asyncio.run(_rooms(settings))
    if json:
        print_json([{**msgspec.to_builtins(one.room), "online": one.online} for one in listed])
    elif listed:
        out.print(_table(listed))
    else:
        out.print("No rooms yet: an agent's first call to a room opens it.")


async def _rooms(settings: Settings) -> list[Listed]:
    async with client_of(settings) as client:
        return [await _listed(client, room) for room in await client.rooms()]


async def _listed(client: Client, room: RoomInfo) -> Listed:
    members = await client.members(room.id)
    return Listed(room, [member.name for member in members if member.online])


def _table(listed: list[Listed]) -> Table:
    table = Table("room", "code", "online", "tasks done", "context", "events", "last activity (UTC)", box=None)
    for one in listed:
        room = one.room
        online = Text(", ".join(map(plain, one.online)) or "–")  # as text: brackets in a name are no markup
        done, counts = f"{room.tasks_done}/{room.tasks}", (str(room.context), str(room.events))
        table.add_row(room.id, room.code, online, done, *counts, iso(room.last_at)[:16].replace("T", " "))
    return table
