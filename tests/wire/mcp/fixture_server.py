"""What the official conformance suite wants to find, around the real dispatcher.

Only the edges are toys: the transport, the dispatcher, argument decoding and results are the product's own.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from stateroom.core.refusals import UnknownContext, UnknownRoom
from stateroom.faces.guard import Guard
from stateroom.faces.mcp.http import HttpEndpoint
from stateroom.faces.mcp.server import Server
from stateroom.faces.mcp.tools import Registry, Tool

RESOURCES = {"test://static-text": "This is the content of the static text resource."}


class Nothing(Struct):
    pass


class Address(Struct):
    street: str = ""
    city: str = ""


class Weather(Struct, kw_only=True):
    name: Annotated[str, Meta(description="Who asks")] = ""
    days: Annotated[int, Meta(ge=1, le=7)] = 1


async def test_simple_text(desk: Any, args: Nothing) -> Any:
    """Answers with a text."""
    return {"text": "This is a simple text response for testing."}


async def test_error_handling(desk: Any, args: Nothing) -> Any:
    """Always refuses."""
    raise UnknownContext(context="C-99")


async def test_tool_with_arguments(desk: Any, args: Weather) -> Any:
    """Takes arguments with bounds."""
    return {"name": args.name, "days": args.days}


async def test_waiting(desk: Any, args: Nothing) -> Any:
    """Takes a moment, and says so while it waits."""
    await asyncio.sleep(0.01)  # noqa: TID251 (waiting is what this tool is for)
    return {"done": True}


class Fixture:
    """Implements `server.Application` with the suite's names."""

    registry = Registry(
        [
            Tool.of(test_simple_text, Nothing, read_only=True),
            Tool.of(test_error_handling, Nothing),
            Tool.of(test_tool_with_arguments, Weather),
            Tool.of(test_waiting, Nothing, waits=True),
        ],
        {"all": ["test_simple_text", "test_error_handling", "test_tool_with_arguments", "test_waiting"]},
        "all",
    )
    texts: ClassVar[dict[str, str]] = {}
    instructions = "A server for conformance tests."
    info: ClassVar[dict[str, str]] = {"name": "fixture", "title": "Fixture", "version": "1"}

    def admit(self, headers: Any, query: Any) -> str:
        return "anybody"

    def desk(self, caller: Any, peer: Any) -> None:
        return None

    def given(self, caller: Any) -> dict[str, str]:
        return {}

    async def resources(self, caller: Any) -> list[dict[str, Any]]:
        return [{"uri": uri, "name": uri, "mimeType": "text/plain"} for uri in RESOURCES]

    def templates(self) -> list[dict[str, Any]]:
        return [{"uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "application/json"}]

    async def read(self, caller: Any, uri: str) -> dict[str, Any]:
        if uri.startswith("test://template/"):
            return {"uri": uri, "mimeType": "application/json", "text": f'{{"id":"{uri.split("/")[3]}"}}'}
        if uri not in RESOURCES:
            raise UnknownRoom
        return {"uri": uri, "mimeType": "text/plain", "text": RESOURCES[uri]}

    async def moves(self, caller: Any, uris: list[str]) -> AsyncIterator[list[str]]:
        for uri in uris:
            await self.read(caller, uri)
        return self._moves(uris)

    async def _moves(self, uris: list[str]) -> AsyncIterator[list[str]]:
        while True:
            await asyncio.sleep(0.05)  # noqa: TID251 (the pulse of a room that always moves)
            yield uris

    def prompts(self) -> list[dict[str, Any]]:
        arguments = [{"name": name, "description": name, "required": True} for name in ("arg1", "arg2")]
        return [
            {"name": "test_simple_prompt", "description": "A prompt."},
            {"name": "test_prompt_with_arguments", "description": "A prompt.", "arguments": arguments},
        ]

    def prompt(self, name: str, arguments: Any) -> dict[str, Any] | None:
        if name not in ("test_simple_prompt", "test_prompt_with_arguments"):
            return None
        text = f"Prompt with arguments: arg1='{arguments.get('arg1')}', arg2='{arguments.get('arg2')}'"
        text = text if arguments else "This is a simple prompt for testing."
        return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}


def make_app() -> Guard:
    fixture = Fixture()
    endpoint = HttpEndpoint(Server(fixture), fixture.admit)
    return Guard(endpoint, is_open=True, public_hosts=(), fresh_id=lambda: "fixture")
