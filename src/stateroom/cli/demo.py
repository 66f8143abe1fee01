"""`stateroom demo`: the handoff of the founding essay, played for real by two agents with nobody in between.

Two processes, one server. The agents know the room's id and each other's names; everything else they learn from the
room. This process only prints what they say they do, and asks the room's own log at the end whether it is so.
"""

import asyncio
import os
from importlib.util import find_spec
from typing import Any

from stateroom.cli.demo_check import Check, check
from stateroom.cli.demo_stage import AGENTS, Step, play, server
from stateroom.cli.errors import CliError, spoken
from stateroom.cli.output import out, plain, print_json
from stateroom.client import Client, Problem, Unreachable
from stateroom.engine.clock import fresh_room_id

MISSING = (
    "The demo's agents use the official MCP client, which is not installed. "
    "Install it with: pip install 'stateroom[demo]'. In a checkout, `make demo` does it all."
)


def demo(*, url: str = "", keep: bool = False, json: bool = False) -> None:
    """Two agents hand an API over to each other: contract, change request, version 1.1.

    Parameters
    ----------
    url
        A running server to play on (a key for it in STATEROOM_API_KEY); one of our own if it is left out.
    keep
        Leave our own server's store where it is, and say where.
    json
        Print the trace as one JSON document.
    """
    if find_spec("mcp") is None:
        raise CliError(MISSING)
    with spoken(Problem, Unreachable):
        trace = asyncio.run(_demo(url.rstrip("/"), keep, json))
    if json:
        print_json(trace)
    else:
        _show_checks(trace["checks"])
    if not trace["ok"]:
        raise CliError("The handoff did not end as it should: the checks say what differs.")


async def _demo(url: str, keep: bool, quiet: bool) -> dict[str, Any]:
    room, steps = f"demo-{fresh_room_id()}", []

    def saw(step: Step) -> None:
        steps.append(step)
        if not quiet:
            _show(step)

    async with server(url, keep) as base, Client(base, os.environ.get("STATEROOM_API_KEY", "")) as client:
        await client.create_room(room)  # a server that is not there, or wants a key, says so before anything else
        if not quiet:
            out.print(f"Room [bold]{room}[/bold] on {plain(base)}: two agents, two processes, nobody in between.\n")
        await play(base, room, saw)
        checks = await check(client, room, steps)
    return {"ok": all(one.ok for one in checks), "room": room, "url": base, "steps": steps, "checks": checks}


def _show(step: Step) -> None:
    out.print(f"[{AGENTS[step.agent]}]{step.agent:>8}[/] → ", end="")
    out.print(plain(step.did), markup=False)
    if step.saw:
        out.print(f"           ↳ {plain(step.saw)}", markup=False, style="dim")


def _show_checks(checks: list[Check]) -> None:
    out.print("\nWhat the room's own log says:")
    for one in checks:
        out.print("[green]✔[/green] " if one.ok else "[red]✘[/red] ", end="")
        out.print(one.what if one.ok else f"{one.what}: expected {one.expected}, found {one.found}", markup=False)
    if all(one.ok for one in checks):
        out.print("\n[bold green]✔ The frontend built against contract 1.1, and no human relayed a word.[/]")
