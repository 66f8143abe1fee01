"""One of the demo's two agents: a process of its own that reaches the room through the official MCP client.

    python -m stateroom.cli.demo_agent backend --url http://127.0.0.1:7373 --room demo

It is a script, not a model, so that the demo ends the same way each time; what it does is what the tools tell a model
to do. What the other one does it learns from the room alone. Each step is printed as one line of JSON.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from stateroom.cli import demo_handoff, demo_talk, demo_work
from stateroom.cli.demo_actor import Agent
from stateroom.cli.errors import CliError, first_of

HTTP_S = 60.0
PARTS: dict[str, list[Callable[[Agent], Awaitable[None]]]] = {
    "backend": [demo_handoff.backend, demo_talk.backend, demo_work.backend],
    "frontend": [demo_handoff.frontend, demo_talk.frontend, demo_work.frontend],
}


async def act(name: str, url: str, room: str) -> None:
    """Play an agent's parts to their end. Raises CliError."""
    key = os.environ.get("STATEROOM_API_KEY", "")
    http = httpx2.AsyncClient(headers={"authorization": f"Bearer {key}"} if key else {}, timeout=HTTP_S)
    place = f"{url}/mcp?profile=full"  # the client checks results against the schemas of the tools it is shown
    try:
        async with http, Client(streamable_http_client(place, http_client=http)) as client:
            agent = Agent(name, room, client)
            for part in PARTS[name]:
                await part(agent)
    except BaseExceptionGroup as failed:  # the client's task groups wrap whatever happens inside of them
        raise CliError(f"{name}: {first_of(failed)}") from failed


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m stateroom.cli.demo_agent", description=__doc__)
    parser.add_argument("name", choices=PARTS)
    parser.add_argument("--url", required=True)
    parser.add_argument("--room", required=True)
    given = parser.parse_args()
    try:
        asyncio.run(act(given.name, given.url, given.room))
    except CliError as failure:
        sys.exit(f"stateroom: {failure}")


if __name__ == "__main__":
    main()
