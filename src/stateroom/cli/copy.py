"""`stateroom copy`: rooms from one store to another, straight through the seam."""

import asyncio
from dataclasses import dataclass
from typing import Any

from rich.progress import Progress

from stateroom.app import make_store
from stateroom.cli.errors import CliError, spoken
from stateroom.cli.output import err, out, print_json
from stateroom.core.ids import LogKey
from stateroom.core.lobby import LOBBY, Lobby, RoomRegistered, replay
from stateroom.log import codec
from stateroom.log.seam import Conflict, Draft, Record, Stamp, Store, Unavailable
from stateroom.settings import SettingsError

PAGE = 1000


@dataclass(frozen=True, slots=True)
class Copied:
    room: str
    entries: int
    already: int
    """Entries that were there before: an interrupted copy goes on where it stopped."""


def copy(source: str, destination: str, *, room: str = "", json: bool = False) -> None:
    """Copy rooms between stores. Both should be without a running server.

    A room that exists at the destination is only ever continued, never overwritten: its entries must be the first
    ones of the source's.

    Parameters
    ----------
    source
        Store URL to read: sqlite:///PATH.
    destination
        Store URL to write.
    room
        Only this room, by id or code; all of them if it is left out.
    json
        Print one JSON document.
    """
    with spoken(SettingsError, Unavailable):
        done = asyncio.run(_copy(source, destination, room))
    if json:
        print_json(done)
    else:
        for one in done:
            out.print(f"{one.room}: {one.entries} entries" + (f" ({one.already} were there)" if one.already else ""))


async def _copy(source: str, destination: str, wanted: str) -> list[Copied]:
    if source == destination:
        raise CliError("Source and destination are the same store.")
    here, there = make_store(source), make_store(destination)
    await here.open()
    try:
        await there.open()
        try:
            return await _copy_rooms(here, there, wanted)
        finally:
            await there.close()
    finally:
        await here.close()


async def _copy_rooms(here: Store, there: Store, wanted: str) -> list[Copied]:
    lobby = replay(codec.decode_all(await _all(here, LOBBY)))
    cards = [card for card in lobby.rooms.values() if not wanted or lobby.find(card.team, wanted) == card]
    if wanted and not cards:
        raise CliError(f"The source has no room {wanted}. `stateroom rooms` lists a running server's rooms.")
    done = []
    with Progress(console=err, transient=True) as progress:
        for card in progress.track(cards, description="Copying"):
            done.append(await _copy_log(here, there, card.key))
            await _register(there, lobby, card.key)
    return done


async def _copy_log(here: Store, there: Store, key: LogKey) -> Copied:
    records, present = await _all(here, key), await _all(there, key)
    if [_same(one) for one in present] != [_same(one) for one in records[: len(present)]]:
        raise CliError(f"Room {key} exists at the destination and is another one. Copy into an empty store.")
    for start in range(len(present), len(records), PAGE):  # side by side, so that they share commits
        await asyncio.gather(*(_append(there, key, record) for record in records[start : start + PAGE]))
    arrived = await _all(there, key)
    if len(arrived) != len(records):
        raise CliError(f"Room {key}: {len(arrived)} of {len(records)} entries arrived. Run the copy again.")
    return Copied(key, len(records), len(present))


def _same(record: Record) -> tuple[Any, ...]:
    return record.position, record.line, record.by, record.cause, record.body


async def _append(there: Store, key: LogKey, record: Record) -> None:
    stamp = Stamp(record.by, record.via, record.cause, record.at)
    try:
        await there.log.append(key, record.position - 1, [Draft(record.body, record.line > 0)], stamp)
    except Conflict as moved:
        raise CliError(f"Somebody else writes to {key} at the destination. Stop its server and run again.") from moved


async def _register(there: Store, lobby: Lobby, key: LogKey) -> None:
    """Make the room known at the destination, under the code it has."""
    known = replay(codec.decode_all(await _all(there, LOBBY)))
    if key in known.rooms:
        return
    card = lobby.rooms[key]
    if card.code in known.by_code:
        raise CliError(f"The destination already uses the code {card.code} for another room.")
    draft = codec.encode(RoomRegistered(key, card.team, card.room_id, card.code))
    await there.log.append(LOBBY, known.position, [draft], Stamp("", "copy", "", card.registered_at))


async def _all(store: Store, key: LogKey) -> list[Record]:
    records: list[Record] = []
    while page := await store.log.read(key, len(records), PAGE):
        records += page
    return records
