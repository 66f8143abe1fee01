"""`stateroom demo`: the handoff of the founding essay, played for real by two agents with nobody in between.

Two processes, one server. The agents know the room's id and each other's names; everything else they learn from the
room. This process only prints what they say they do, and checks the room's own log at the end.
"""

import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from stateroom.cli.errors import CliError, spoken
from stateroom.cli.output import err, out, print_json
from stateroom.client import Client, Problem, Unreachable
from stateroom.engine.clock import fresh_room_id

AGENTS = {"backend": "cyan", "frontend": "magenta"}
DEADLINE_S = 60.0


@dataclass(slots=True)
class Trace:
    """What happened, in order, and what the checks found."""

    room: str
    steps: list[dict[str, Any]] = field(default_factory=list)
    checks: dict[str, bool] = field(default_factory=dict)


def demo(*, url: str = "", keep: bool = False, json: bool = False) -> None:
    """Two agents hand an API over: contract, change request, version 1.1.

    Parameters
    ----------
    url
        A running server to play on; a fresh one is started if it is left out.
    keep
        Leave the fresh server's store where it is, and say where.
    json
        Print the trace as one JSON document.
    """
    if find_spec("mcp") is None:
        raise CliError("The demo's agents use the official MCP client. Install it: pip install 'stateroom[demo]'")
    with spoken(Problem, Unreachable):
        trace = asyncio.run(_demo(url, keep, json))
    if json:
        print_json({"room": trace.room, "steps": trace.steps, "checks": trace.checks})
    else:
        for check, held in trace.checks.items():
            out.print(("[green]✔[/green] " if held else "[red]✘[/red] ") + check)
    if not all(trace.checks.values()) or not trace.checks:
        raise CliError("The handoff did not end as it should; the lines marked ✘ say what differs.")
    if not json:
        out.print("[bold green]✔ The frontend built against contract 1.1, and no human relayed a word.[/bold green]")


async def _demo(url: str, keep: bool, quiet: bool) -> Trace:
    trace = Trace(f"demo-{fresh_room_id()}")
    async with _server(url, keep) as base:
        if not quiet:
            out.print(f"Room [bold]{trace.room}[/bold] on {base}")
        await _play(base, trace, quiet)
        async with Client(base, os.environ.get("STATEROOM_API_KEY", "")) as client:
            await _check(client, trace)
    return trace


@asynccontextmanager
async def _server(url: str, keep: bool) -> AsyncIterator[str]:
    """The server to play on: the one named, or one of our own that ends with the demo."""
    if url:
        yield url.rstrip("/")
        return
    with _folder(keep) as folder:
        port = _free_port()
        command = [
            sys.executable,
            "-m",
            "stateroom",
            "up",
            "--port",
            str(port),
            "--store",
            f"sqlite:///{folder}/demo.db",
        ]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STATEROOM_") and k != "API_KEYS"}
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=asyncio.subprocess.DEVNULL)
        try:
            yield await _ready(f"http://127.0.0.1:{port}", process)
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGINT)
                await process.wait()


@contextmanager
def _folder(keep: bool) -> Iterator[Path]:
    """A place for the store, removed afterwards unless it is to be kept."""
    folder = Path(tempfile.mkdtemp(prefix="stateroom-demo-"))
    try:
        yield folder
    finally:
        if keep:
            err.print(f"The room is kept: stateroom up --store sqlite:///{folder}/demo.db")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _ready(url: str, process: asyncio.subprocess.Process) -> str:
    async with Client(url) as client:
        for _ in range(200):
            try:
                await client.health()
            except Unreachable:
                if process.returncode is not None:
                    break
                await asyncio.sleep(0.05)
            else:
                return url
    raise CliError("The demo's own server did not start. `stateroom doctor` checks everything.")


async def _play(url: str, trace: Trace, quiet: bool) -> None:
    """Both agents at once, each a process of its own; their reports as they come."""
    running = [await _agent(name, url, trace.room) for name in AGENTS]
    try:
        async with asyncio.timeout(DEADLINE_S):
            await asyncio.gather(*(_report(process, trace, quiet) for process in running))
    except TimeoutError:
        raise CliError(f"The agents did not finish within {DEADLINE_S:.0f} s.") from None
    finally:
        for process in running:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def _agent(name: str, url: str, room: str) -> asyncio.subprocess.Process:
    command = [sys.executable, "-m", "stateroom.cli.demo_agent", name, url, room]
    return await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)


async def _report(process: asyncio.subprocess.Process, trace: Trace, quiet: bool) -> None:
    assert process.stdout is not None
    async for line in process.stdout:
        step = msgspec.json.decode(line)
        trace.steps.append(step)
        if not quiet:
            out.print(f"[{AGENTS[step['agent']]}]{step['agent']:>8}[/] → ", end="")
            out.print(step["did"], markup=False)
            if step["saw"]:
                out.print(f"           ↳ {step['saw']}", markup=False, style="dim")
    if await process.wait() != 0:
        raise CliError("An agent failed; its own words are above.")


async def _check(client: Client, trace: Trace) -> None:
    """What the room itself says about how it went."""
    events = await client.events(trace.room, order="oldest", limit=1000)
    of_type = {kind: [e for e in events if e["type"] == kind] for kind in {e["type"] for e in events}}
    requests, replies = of_type.get("change_request", []), of_type.get("change_request_fulfilled", [])
    contracts = await client.view(trace.room, "context", type="api_contract")
    seen = [step for step in trace.steps if step.get("delivered") == "change_request"]
    built = [step.get("built") for step in trace.steps if step.get("built")]
    trace.checks = {
        "the contract was announced to its consumer, once": len(of_type.get("context_available", [])) == 1,
        "the change request reached the backend exactly once": len(requests) == 1 and len(seen) == 1,
        "the contract stands at version 1.1": [contract["version"] for contract in contracts] == ["1.1"],
        "the reply names the request it answers": [e.get("reply_to_id") for e in replies]
        == [e["id"] for e in requests],
        "the task is done": [task["state"] for task in await client.view(trace.room, "plan")] == ["done"],
        "the frontend built GET /me from version 1.1": built == ["1.1"],
    }
