"""`stateroom mcp`: MCP on stdin and stdout."""

import asyncio

from stateroom.app import make_engine, make_mcp
from stateroom.cli.errors import spoken
from stateroom.cli.forward import ForwardingSession
from stateroom.cli.reach import running_server, settings_of
from stateroom.core.ids import Name
from stateroom.engine.access import OPEN_TEAM, Caller
from stateroom.faces.mcp import stdio
from stateroom.log.seam import Unavailable
from stateroom.settings import Settings

VIA = "stdio"


def mcp(*, room: str = "", agent: str = "", profile: str = "", url: str = "", store: str = "") -> None:
    """Serve MCP on stdin and stdout: nothing but JSON-RPC is written there.

    Talks to the server that already runs on the store, or that is named; else opens the store itself.

    Parameters
    ----------
    room
        Bind this connection to one room, so that calls need not name it.
    agent
        Bind it to one name.
    profile
        Which tools are listed: core, room, state or full.
    url
        A server to talk to (STATEROOM_URL).
    store
        The store to use (STATEROOM_STORE).
    """
    settings = settings_of(url, store)
    query = {name: value for name, value in (("room", room), ("agent", agent), ("profile", profile)) if value}
    with spoken(Unavailable):
        if server := running_server(settings):
            asyncio.run(stdio.run(lambda write: ForwardingSession(server, settings.api_key, query, write)))
        else:
            asyncio.run(_serve(settings, room, agent, profile))


async def _serve(settings: Settings, room: str, agent: str, profile: str) -> None:
    """This process is the server. Whoever starts it may open the file, so it speaks for the open team."""
    engine = make_engine(settings)
    async with engine.running():
        await stdio.serve(make_mcp(engine, settings.profile), Caller(OPEN_TEAM, VIA, room, Name(agent)), profile)
