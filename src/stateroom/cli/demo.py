"""`stateroom demo`: the handoff of the founding essay, a conversation, and a task that the other verifies, played for
real by two agents with nobody in between.

Two processes, one server. The agents know the room's id and each other's names; everything else they learn from the
room. This process only prints what they say they do, and asks the rooms' own logs at the end whether it is so.
"""

import asyncio
import os
from importlib.util import find_spec
from typing import Any

from stateroom.cli.demo_check import Check, Talk, check, check_talk, check_work
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
    """Two agents hand an API over to each other, settle a question, and check each other's work.

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
        _show_talk(trace["talk"], stays=bool(url))
        if trace["ok"]:
            out.print("\n[bold green]✔ The frontend built against contract 1.1, and no human relayed a word.[/]")
    if not trace["ok"]:
        raise CliError("The demo did not end as it should: the checks say what differs.")


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
        about_talk, talk = await check_talk(client, steps)
        checks = [*await check(client, room, steps), *about_talk, *await check_work(client, room, steps)]
    ok = all(one.ok for one in checks)
    return {"ok": ok, "room": room, "url": base, "steps": steps, "checks": checks, "talk": talk}


def _show(step: Step) -> None:
    out.print(f"[{AGENTS[step.agent]}]{step.agent:>8}[/] → ", end="")
    out.print(plain(step.did), markup=False)
    if step.saw:
        out.print(f"           ↳ {plain(step.saw)}", markup=False, style="dim")


def _show_checks(checks: list[Check]) -> None:
    out.print("\nWhat the rooms' own logs say:")
    for one in checks:
        out.print("[green]✔[/green] " if one.ok else "[red]✘[/red] ", end="")
        out.print(one.what if one.ok else f"{one.what}: expected {one.expected}, found {one.found}", markup=False)


def _show_talk(talk: Talk, *, stays: bool) -> None:
    """The conversation as its exported report has it. `stays`: whether the server goes on running."""
    if not talk.report:
        return
    out.print("\nWhat their exported report says:")
    for one in (talk.summary, *(f"decision: {decision}" for decision in talk.decisions)):
        out.print(f"  {plain(one)}", markup=False)
    out.print(f"  report    {talk.report}", markup=False)
    out.print(f"  the room  {talk.page}", markup=False)
    if not stays:
        out.print("  The demo's own server has served both; on a server of yours (--url) they stay.", markup=False)
    if talk.woken_ms is not None:
        out.print(f"The decision woke the waiting frontend {talk.woken_ms} ms after it was sent.", markup=False)
