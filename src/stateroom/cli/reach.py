"""How a command reaches rooms: through a server if one is named or runs on the store, else through the store itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from stateroom.cli.errors import CliError, spoken
from stateroom.cli.later import later
from stateroom.cli.place import server_of
from stateroom.client import Client, Problem, Unreachable
from stateroom.settings import Settings, store_path


@asynccontextmanager
async def client_of(settings: Settings) -> AsyncIterator[Client]:
    """A client of the server, or of the store itself. Raises CliError if there is neither, or it says no."""
    url, path = server_of(settings), store_path(settings.store)
    with spoken(Problem, Unreachable):
        if url or path is None:
            async with Client(url or settings.base_url, settings.api_key) as client:
                yield client
        elif path.exists():
            inside: Any = later("stateroom.cli.inside:inside")
            async with inside(settings) as client:
                yield client
        else:
            raise CliError(
                f"There is no store at {path}, and no server runs on it. Start one with `stateroom up`, or name "
                "another with --url or --store."
            )
