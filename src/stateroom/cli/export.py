"""`stateroom export`: everything in a room as JSON lines."""

import asyncio
import sys
from pathlib import Path
from typing import Any, TextIO

import msgspec

from stateroom.cli.errors import CliError
from stateroom.cli.output import err, print_json
from stateroom.cli.reach import client_of, settings_of

FORMAT = 1
PAGE = 500


def export(room: str, *, output: Path | None = None, url: str = "", json: bool = False) -> None:
    """Write a room's whole log: a header line, then one line per entry.

    Parameters
    ----------
    room
        A room's id or code.
    output
        The file to write; stdout if it is left out.
    url
        The server to ask (STATEROOM_URL).
    json
        With --output: print what was done as JSON.
    """
    if output is None:
        asyncio.run(_export(room, url, sys.stdout))
        return
    try:
        with output.open("w", encoding="utf-8") as file:
            count = asyncio.run(_export(room, url, file))
    except OSError as failure:
        raise CliError(f"Can not write {output}: {failure.strerror}. Choose another --output.") from failure
    if json:
        print_json({"room": room, "entries": count, "output": str(output)})
    else:
        err.print(f"{count} entries of {room} written to {output}")


async def _export(room: str, url: str, file: TextIO) -> int:
    async with client_of(settings_of(url)) as client:
        info = await client.room(room)
        header = {"format": FORMAT, "room": info["id"], "code": info["code"], "team": info["team"]}
        _write(file, {**header, "created_at": info["created_at"], "position": info["position"]})
        after = 0
        while after < info["position"]:
            page = await client.entries(room, after, PAGE)
            for entry in page["entries"]:
                _write(file, entry)
            after = page["next"]
        return after


def _write(file: TextIO, value: Any) -> None:
    file.write(msgspec.json.encode(value).decode() + "\n")
