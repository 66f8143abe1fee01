"""What is in a store, straight through the seam: for commands that must see every byte of every team's rooms."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from stateroom.app import make_store
from stateroom.cli.errors import CliError, spoken
from stateroom.core.ids import LogKey
from stateroom.core.lobby import LOBBY, Lobby, RoomCard, evolve, read_code
from stateroom.log import codec
from stateroom.log.seam import Record, Store, Unavailable
from stateroom.settings import SettingsError, store_path

PAGE = 1000


@asynccontextmanager
async def opened(url: str, *, must_exist: bool = True) -> AsyncIterator[Store]:
    """A store, open for as long as the context lasts. Raises CliError."""
    with spoken(SettingsError, Unavailable):
        path = store_path(url)
        if must_exist and (path is None or not path.exists()):
            raise CliError(f"There is no store at {url}. Check the path; a store URL looks like sqlite:///PATH.")
        store = make_store(url)
        await store.open()
        try:
            yield store
        finally:
            await store.close()


async def pages(store: Store, key: LogKey, after: int = 0) -> AsyncIterator[list[Record]]:
    """A log's records after a position, a page at a time. Raises Unavailable."""
    while page := await store.log.read(key, after, PAGE):
        yield page
        after = page[-1].position


async def lobby_of(store: Store) -> Lobby:
    """Which rooms there are. Raises Unavailable."""
    lobby = Lobby()
    async for page in pages(store, LOBBY):
        for record in page:
            evolve(lobby, codec.decode(record))
    return lobby


def one_room(lobby: Lobby, name: str) -> RoomCard:
    """The room with this id or code, whatever its team. Raises CliError."""
    found = [card for card in lobby.rooms.values() if name == card.room_id or read_code(name) == card.code]
    if not found:
        raise CliError(f"The store has no room {name}. It holds {len(lobby.rooms)}; `stateroom rooms` lists them.")
    if len(found) > 1:
        codes = ", ".join(f"{card.code} of team {card.team}" for card in found)
        raise CliError(f"Several teams have a room {name}. Say its code instead: {codes}.")
    return found[0]
