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
from stateroom.faces.mcp.results import Content
from stateroom.faces.mcp.server import Server
from stateroom.faces.mcp.tools import Registry, Tool

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="
IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
TEXT_URI, BINARY_URI = "test://static-text", "test://static-binary"
RESOURCES = {
    TEXT_URI: {"mimeType": "text/plain", "text": "This is the content of the static text resource."},
    BINARY_URI: {"mimeType": "image/png", "blob": PIXEL},
}


class Nothing(Struct):
    pass


class Address(Struct):
    street: str = ""
    city: str = ""


class Weather(Struct, kw_only=True):
    name: Annotated[str, Meta(description="Who asks")] = ""
    days: Annotated[int, Meta(ge=1, le=7)] = 1


def embedded(uri: str) -> dict[str, Any]:
    resource = {"uri": uri, "mimeType": "text/plain", "text": "This is an embedded resource content."}
    return {"type": "resource", "resource": resource}


async def test_simple_text(desk: Any, args: Nothing) -> Any:
    """Answers with a text."""
    return {"text": "This is a simple text response for testing."}


async def test_image_content(desk: Any, args: Nothing) -> Any:
    """Answers with a picture."""
    return Content([IMAGE])


async def test_audio_content(desk: Any, args: Nothing) -> Any:
    """Answers with a sound."""
    return Content([{"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}])


async def test_embedded_resource(desk: Any, args: Nothing) -> Any:
    """Answers with a resource, embedded."""
    return Content([embedded("test://embedded-resource")])


async def test_multiple_content_types(desk: Any, args: Nothing) -> Any:
    """Answers with several kinds of content."""
    text = {"type": "text", "text": "Multiple content types test:"}
    return Content([text, IMAGE, embedded("test://mixed-content-resource")])


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


TOOLS = [
    Tool.of(test_simple_text, Nothing, read_only=True),
    Tool.of(test_image_content, Nothing, read_only=True),
    Tool.of(test_audio_content, Nothing, read_only=True),
    Tool.of(test_embedded_resource, Nothing, read_only=True),
    Tool.of(test_multiple_content_types, Nothing, read_only=True),
    Tool.of(test_error_handling, Nothing),
    Tool.of(test_tool_with_arguments, Weather),
    Tool.of(test_waiting, Nothing, waits=True),
]


def said(*content: dict[str, Any]) -> dict[str, Any]:
    """A prompt that says this."""
    return {"messages": [{"role": "user", "content": part} for part in content]}


class Fixture:
    """Implements `server.Application` with the suite's names."""

    registry = Registry(TOOLS, {"all": [tool.name for tool in TOOLS]}, "all")
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
        return [{"uri": uri, "name": uri, "mimeType": body["mimeType"]} for uri, body in RESOURCES.items()]

    def templates(self) -> list[dict[str, Any]]:
        return [{"uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "application/json"}]

    async def read(self, caller: Any, uri: str) -> dict[str, Any]:
        if uri.startswith("test://template/"):
            return {"uri": uri, "mimeType": "application/json", "text": f'{{"id":"{uri.split("/")[3]}"}}'}
        if uri not in RESOURCES:
            raise UnknownRoom
        return {"uri": uri, **RESOURCES[uri]}

    async def moves(self, caller: Any, uris: list[str]) -> AsyncIterator[list[str]]:
        for uri in uris:
            await self.read(caller, uri)
        return self._moves(uris)

    async def _moves(self, uris: list[str]) -> AsyncIterator[list[str]]:
        while True:
            await asyncio.sleep(0.05)  # noqa: TID251 (the pulse of a room that always moves)
            yield uris

    def prompts(self) -> list[dict[str, Any]]:
        taking = {"test_prompt_with_arguments": ["arg1", "arg2"], "test_prompt_with_embedded_resource": ["resourceUri"]}
        return [
            {
                "name": name,
                "description": "A prompt.",
                "arguments": [{"name": one, "description": one, "required": True} for one in taking.get(name, [])],
            }
            for name in ("test_simple_prompt", "test_prompt_with_image", *taking)
        ]

    def prompt(self, name: str, arguments: Any) -> dict[str, Any] | None:
        match name:
            case "test_simple_prompt":
                return said({"type": "text", "text": "This is a simple prompt for testing."})
            case "test_prompt_with_arguments":
                values = f"arg1='{arguments.get('arg1')}', arg2='{arguments.get('arg2')}'"
                return said({"type": "text", "text": f"Prompt with arguments: {values}"})
            case "test_prompt_with_embedded_resource":
                return said(embedded(arguments.get("resourceUri")), {"type": "text", "text": "Please process it."})
            case "test_prompt_with_image":
                return said(IMAGE, {"type": "text", "text": "Please look at it."})
        return None


def make_app() -> Guard:
    fixture = Fixture()
    endpoint = HttpEndpoint(Server(fixture), fixture.admit)
    return Guard(endpoint, is_open=True, public_hosts=(), fresh_id=lambda: "fixture")
