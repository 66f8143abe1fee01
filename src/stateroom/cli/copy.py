"""`stateroom copy`: rooms from one store to another, straight through the seam.

A room's log is copied first and then made known at the destination, so that an interrupted copy leaves nothing that
anybody sees, and goes on where it stopped when it is run again.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from rich.progress import Progress

from stateroom.cli.errors import CliError, spoken
from stateroom.cli.output import err, out, print_json
from stateroom.cli.stored import lobby_of, one_room, opened, pages
from stateroom.core.ids import LogKey
from stateroom.core.lobby import LOBBY, RoomCard, RoomRegistered
from stateroom.engine.inbox import carry_cursors
from stateroom.log import codec
from stateroom.log.seam import Conflict, Draft, Record, Stamp, Store
from stateroom.settings import SettingsError, store_path


@dataclass(frozen=True, slots=True)
class Copied:
    team: str
    room: str
    code: str
    entries: int
    """How many the destination now has: as many as the source."""
    already: int
    """How many of them it had before."""
    cursors: int
    """Members whose place in the room came along."""


def copy(source: str, destination: str, /, *, room: str = "", json: bool = False) -> None:
    """Copy rooms between stores, with their codes and every member's place in them.

    Parameters
    ----------
    source
        Store URL to read, such as sqlite:///PATH.
    destination
        Store URL to write; a new store is made where there is none.
    room
        Only this room, by id or code; all rooms of all teams if it is left out.
    json
        Print one JSON document.
    """
    with spoken(SettingsError):
        path = store_path(source)
        if path is not None and path.resolve() == (store_path(destination) or path.parent).resolve():
            raise CliError("Source and destination are the same store. Name another destination.")
    done = asyncio.run(_copy(source, destination, room))
    if json:
        print_json(done)
        return
    for one in done:
        already = f", {one.already} of them already there" if one.already else ""
        out.print(f"{one.room} ({one.code}): {one.entries} entries{already}, {one.cursors} members' places")
    out.print(f"{len(done)} rooms, {sum(one.entries for one in done)} entries, all of them checked.")


async def _copy(source: str, destination: str, wanted: str) -> list[Copied]:
    async with opened(source) as here, opened(destination, must_exist=False) as there:
        lobby = await lobby_of(here)
        cards = [one_room(lobby, wanted)] if wanted else list(lobby.rooms.values())
        done = []
        with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
            for card in progress.track(cards, description="Rooms"):
                counting = progress.add_task(card.room_id, total=None)
                done.append(await _copy_room(here, there, card, lambda n, at=counting: progress.advance(at, n)))  # type: ignore[misc]
                progress.remove_task(counting)
    return done


async def _copy_room(here: Store, there: Store, card: RoomCard, advance: Callable[[int], None]) -> Copied:
    """Raises CliError."""
    await _check_code(there, card)
    already = await _shared(here, there, card.key)
    members: set[str] = set()
    count = already
    async for page in pages(here, card.key, already):
        await _append_all(there, card.key, page)
        count += len(page)
        advance(len(page))
    if await _shared(here, there, card.key) != count:
        raise CliError(f"Not all of {card.room_id}'s {count} entries have arrived. Run the copy again.")
    async for page in pages(here, card.key):
        members |= {record.by for record in page if record.by}
    await _register(there, card)
    cursors = await carry_cursors(here.shelf, there.shelf, card.key, sorted(members))
    return Copied(card.team, card.room_id, card.code, count, already, cursors)


async def _check_code(there: Store, card: RoomCard) -> None:
    holder = (await lobby_of(there)).by_code.get(card.code, card.key)
    if holder != card.key:
        raise CliError(
            f"The destination uses the code {card.code} for another room, {holder}. Copy into another store."
        )


async def _shared(here: Store, there: Store, key: LogKey) -> int:
    """How many entries the destination has; they are the source's first ones. Raises CliError if they are not."""
    shared = 0
    async for page in pages(there, key, 0):
        if await here.log.read(key, shared, len(page)) != page:
            raise CliError(f"The destination has a room {key} that is not this one. Copy into another store.")
        shared += len(page)
    return shared


async def _append_all(there: Store, key: LogKey, page: list[Record]) -> None:
    """One append for each entry, since each has its own stamp; handed over together so that they share commits.
    A store takes appends in the order in which it is given them."""
    try:
        await asyncio.gather(*(_append(there, key, record) for record in page))
    except Conflict as moved:
        raise CliError(f"Somebody else writes to {key} at the destination. Stop them and run it again.") from moved


async def _append(there: Store, key: LogKey, record: Record) -> None:
    stamp = Stamp(record.by, record.via, record.cause, record.at)
    await there.log.append(key, record.position - 1, [Draft(record.body, record.line > 0)], stamp)


async def _register(there: Store, card: RoomCard) -> None:
    """Make the room known at the destination, under the code it has."""
    draft = codec.encode(RoomRegistered(card.key, card.team, card.room_id, card.code))
    while card.key not in (lobby := await lobby_of(there)).rooms:
        try:
            await there.log.append(LOBBY, lobby.position, [draft], Stamp("", "copy", "", card.registered_at))
        except Conflict:
            continue  # another room was registered meanwhile: look again
