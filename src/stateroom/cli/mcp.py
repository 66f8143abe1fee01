"""`stateroom mcp`: MCP on stdin and stdout."""

import asyncio
from typing import Literal

from stateroom.cli.later import later
from stateroom.cli.place import server_of, settings_of

Profile = Literal["core", "room", "state", "full"]


def mcp(*, room: str = "", agent: str = "", profile: Profile | None = None, url: str = "", store: str = "") -> None:
    """Serve MCP on stdin and stdout: nothing but JSON-RPC is written there.

    Parameters
    ----------
    room
        Bind this connection to one room, so that calls need not name it.
    agent
        Bind it to one name.
    profile
        Which tools are listed; every tool can be called whatever is listed.
    url
        A server to talk to (STATEROOM_URL).
    store
        The store to use (STATEROOM_STORE), whatever STATEROOM_URL says.
    """
    settings = settings_of(url, store)
    server = server_of(settings)
    binding = {name: value for name, value in (("room", room), ("agent", agent), ("profile", profile)) if value}
    if server:  # neither way pays for what only the other one needs
        asyncio.run(later("stateroom.cli.forward:forward")(server, settings.api_key, binding))
    else:
        asyncio.run(later("stateroom.cli.here:serve")(settings, binding))
