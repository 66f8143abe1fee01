"""`stateroom export`: everything in a room as JSON lines.

The first line is a header, each following one an entry: its position, line, time, member, credential, cause, and its
body as it is stored. Read from the store itself, so that nothing is lost: a body that is no JSON (a damaged one) is
written as `raw`, in base64. A server that is named by its URL hands out what it can read; then `unreadable` stands in
the place of a damaged body, and the command says so and fails.
"""

import asyncio
import base64
import os
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import IO, Any

import msgspec

from stateroom.cli.errors import CliError
from stateroom.cli.output import err, print_json
from stateroom.cli.place import settings_of
from stateroom.cli.reach import client_of
from stateroom.cli.stored import lobby_of, one_room, opened, pages
from stateroom.log.codec import VERSIONS
from stateroom.log.seam import Record
from stateroom.settings import Settings, store_path
from stateroom.wire.shapes import Entry

FORMAT = 1
PAGE = 1000
Line = dict[str, Any]


def export(room: str, /, *, output: Path | None = None, url: str = "", store: str = "", json: bool = False) -> None:
    """Write a room's whole log: a header line, then one line per entry.

    Parameters
    ----------
    room
        A room's id or code.
    output
        The file to write; stdout if it is left out. It is put in place only when it is complete.
    url
        A server to ask (STATEROOM_URL) instead of the store.
    store
        The store to read (STATEROOM_STORE); a server may run on it meanwhile.
    json
        With --output: print what was done as one JSON document.
    """
    lines = _lines(settings_of(url, store), room)
    if output is None:
        damaged, count = asyncio.run(_write(lines, sys.stdout.buffer))
    else:
        damaged, count = _to_file(output, lines)
        if json:
            print_json({"room": room, "entries": count, "damaged": damaged, "output": str(output)})
        else:
            err.print(f"{count} entries of {room} written to {output}", markup=False)
    if damaged:
        raise CliError(
            f"{damaged} entries are damaged, and this server does not hand out their bytes: they are missing. "
            "Export from the store itself, on the machine where it is, with --store."
        )


def _to_file(output: Path, lines: AsyncIterator[Line]) -> tuple[int, int]:
    """Raises CliError; then the file is as it was."""
    draft = output.with_name(f"{output.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as file:
            done = asyncio.run(_write(lines, file))
        draft.replace(output)
    except OSError as failure:
        raise CliError(f"Can not write {output}: {failure.strerror}. Choose another --output.") from failure
    finally:
        draft.unlink(missing_ok=True)
    return done


async def _write(lines: AsyncIterator[Line], file: IO[bytes]) -> tuple[int, int]:
    """How many entries are damaged and without their bytes, and how many there are in all."""
    damaged, count = 0, -1  # the header is none
    async with aclosing(lines) as following:  # type: ignore[type-var]
        async for line in following:
            file.write(msgspec.json.encode(line) + b"\n")
            damaged, count = damaged + ("unreadable" in line), count + 1
    file.flush()
    return damaged, count


def _lines(settings: Settings, room: str) -> AsyncIterator[Line]:
    if settings.url or store_path(settings.store) is None:
        return _of_server(settings, room)
    return _of_store(settings.store, room)


async def _of_store(url: str, name: str) -> AsyncIterator[Line]:
    async with opened(url) as store:
        card = one_room(await lobby_of(store), name)
        yield _header(card.room_id, card.code, card.team, card.registered_at)
        async for page in pages(store, card.key):
            for record in page:
                yield _of_record(record)


async def _of_server(settings: Settings, name: str) -> AsyncIterator[Line]:
    async with client_of(settings) as client:
        room = await client.room(name)
        yield _header(room.id, room.code, room.team, room.created_at)
        after = 0
        while after < room.position:
            page = await client.entries(name, after, PAGE)
            if not page.entries:
                raise CliError(f"{name} ended at entry {after} while it was read. Run the export again.")
            for entry in page.entries:
                yield _of_entry(entry)
            after = page.next


def _header(room: str, code: str, team: str, created_at: int) -> Line:
    return {"format": FORMAT, "room": room, "code": code, "team": team, "created_at": created_at}


def _of_record(record: Record) -> Line:
    line: Line = {name: getattr(record, name) for name in ("position", "line", "at", "by", "via", "cause")}
    if _fits_a_line(record.body):
        return {**line, "body": msgspec.Raw(record.body)}
    return {**line, "raw": base64.b64encode(record.body).decode()}


def _fits_a_line(body: bytes) -> bool:
    try:
        msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return b"\n" not in body


def _of_entry(entry: Entry) -> Line:
    line: Line = {name: getattr(entry, name) for name in ("position", "line", "at", "by", "via", "cause")}
    if entry.event == "Unreadable":
        return {**line, "unreadable": entry.facts.get("reason", "")}
    version = VERSIONS.get(entry.event, 1)  # a server hands out the newest form of every event
    return {**line, "body": {"event": entry.event, "version": version, "facts": entry.facts}}
