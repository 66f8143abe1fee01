"""What both of the demo's agents can do: call a tool, tell whoever watches, wait for an event."""

import sys
from collections.abc import Callable
from typing import Any

import msgspec
from mcp.client import Client

from stateroom.cli.demo_stage import Step
from stateroom.cli.errors import CliError

Json = dict[str, Any]
WAIT_MS = 5_000
WAITS = 10


class Agent:
    """A name, a room, and a connection."""

    def __init__(self, name: str, room: str, client: Client) -> None:
        self.name, self._room, self._client = name, room, client

    async def call(self, tool: str, **arguments: Any) -> Any:
        """A tool's answer about the room of the handoff. Raises CliError."""
        return await self.ask(tool, roomId=self._room, **arguments)

    async def ask(self, tool: str, **arguments: Any) -> Any:
        """A tool's answer as data. Raises CliError with the tool's own words."""
        answer = await self._client.call_tool(tool, arguments)
        text = getattr(answer.content[0], "text", "")
        if answer.is_error:
            raise CliError(f"{tool} answered {text}")
        return msgspec.json.decode(text)

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The error's name of a call that must not be carried out. Raises CliError if it is."""
        answer = await self._client.call_tool(tool, {"roomId": self._room, **arguments})
        if not answer.is_error:
            raise CliError(f"{tool} did what it must not do.")
        return str((answer.structured_content or {}).get("error", ""))

    def tell(self, did: str, saw: str = "", **facts: Any) -> None:
        """One step, for whoever watches."""
        sys.stdout.buffer.write(msgspec.json.encode(Step(self.name, did, saw, facts)) + b"\n")
        sys.stdout.buffer.flush()

    async def hear(self, type: str, suits: Callable[[Json], bool]) -> Json:
        """The first unread event that suits, as soon as there is one. What does not suit is acknowledged; the event
        itself stays unread, for the call that takes it. Raises CliError."""
        seen = 0
        for _ in range(WAITS):
            ask = {"agentId": self.name, "types": [type], "ack": seen, "timeoutMs": WAIT_MS}
            for event in (await self.call("wait_for_events", **ask))["events"]:
                if suits(event):
                    return event  # type: ignore[no-any-return]
                seen = event["position"]
        raise CliError(f"I waited in vain for {type}.")
