"""MCP on stdin and stdout from this very process, which opens the store itself."""

from collections.abc import Mapping
from dataclasses import replace

from stateroom.app import make_engine, make_mcp
from stateroom.cli.errors import CliError, spoken
from stateroom.engine.access import Access, Caller, Unauthorized
from stateroom.faces.mcp import stdio
from stateroom.log.seam import Unavailable
from stateroom.settings import Settings

VIA = "stdio"


async def serve(settings: Settings, binding: Mapping[str, str]) -> None:
    """Until the input ends. `binding` may fix `room` and `agent`, and choose the `profile`. Raises CliError."""
    engine = make_engine(settings)
    caller = _caller(engine.access, settings.api_key, binding)
    with spoken(Unavailable):
        async with engine.running():
            await stdio.serve(make_mcp(engine, settings), caller, binding.get("profile", ""))


def _caller(access: Access, key: str, binding: Mapping[str, str]) -> Caller:
    """Who may open the file needs no key, except to say which team's rooms are meant. Raises CliError."""
    try:
        caller = access.admit(f"Bearer {key}", binding.get("room", ""), binding.get("agent", ""))
    except Unauthorized:
        raise CliError(
            "STATEROOM_API_KEYS names teams. Say with STATEROOM_API_KEY whose rooms this process works in."
        ) from None
    return replace(caller, via=VIA)
