"""A server of toys: the dispatcher's own behaviour, without a room, a store or an engine."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from stateroom.core.refusals import TaskHeld, UnknownRoom
from stateroom.engine.access import Unauthorized
from stateroom.faces.mcp.eras import Peer
from stateroom.faces.mcp.http import HttpEndpoint
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.server import Server
from stateroom.faces.mcp.tools import Registry, Tool
from stateroom.log.seam import Unavailable

SECRET = "the-password-is-swordfish"
"""Stands in the text of a fault, and must never be answered."""


class Nothing(Struct):
    """No arguments."""


class Text(Struct):
    text: str


class Sum(Struct):
    a: int
    b: Annotated[int, Meta(ge=0)] = 0


class Everything(Struct, kw_only=True):
    """One argument of every kind a tool may take."""

    roomId: str
    kind: Literal["one", "two"]
    label: Annotated[str, Meta(min_length=1, max_length=5)] = ""
    count: Annotated[int, Meta(ge=1)] | None = None
    names: list[str] = []
    payload: dict[str, Any] | None = None
    sure: bool = False


async def echo(desk: Any, args: Text) -> Any:
    """Answers with what it was given."""
    return {"text": args.text}


async def add(desk: Any, args: Sum) -> Any:
    """Adds two numbers."""
    return {"sum": args.a + args.b}


async def everything(desk: Any, args: Everything) -> Any:
    """Takes one argument of every kind."""
    return {field: getattr(args, field) for field in args.__struct_fields__}


async def fail(desk: Any, args: Text) -> Any:
    """Refuses, repeating what it was given."""
    raise TaskHeld(task="T-01", holder=args.text, held_s=3, lease="")


async def reworded(desk: Any, args: Nothing) -> Any:
    """Refuses with words from a table."""
    raise UnknownRoom(name="r-1")


async def store_down(desk: Any, args: Nothing) -> Any:
    """Finds its store gone."""
    raise Unavailable("The store does not answer.")


async def broken(desk: Any, args: Nothing) -> Any:
    """Has a fault nobody foresaw."""
    raise KeyError(SECRET)


async def listing(desk: Any, args: Nothing) -> Any:
    """Answers with an array."""
    return [{"id": 1}, {"id": 2}]


async def raw(desk: Any, args: Nothing) -> Any:
    """Answers with JSON that is encoded already."""
    return Raw(b'{"spliced":true}')


async def long(desk: Any, args: Nothing) -> Any:
    """Answers with a part and says where the rest is."""
    return Cut({"items": [1, 2]}, "2 of 9 items: call long(after: 2).")


async def long_list(desk: Any, args: Nothing) -> Any:
    """The same as an array."""
    return Cut([1, 2], "2 of 9 items: call long(after: 2).")


async def big(desk: Any, args: Nothing) -> Any:
    """Answers with half a megabyte."""
    return {"text": "€" * 170_000}


async def wait(desk: "Desk", args: Nothing) -> Any:
    """Waits until it is told to go on."""
    return await desk.toys.waited()


class Desk:
    """What a toy works with."""

    def __init__(self, toys: "Toys", caller: str, peer: Peer) -> None:
        self.toys, self.caller, self.peer = toys, caller, peer


class Toys:
    """Implements `app_hooks.Application`."""

    texts: Mapping[str, str] = {"unknown_room": "No room is called {name}"}
    instructions = "Toys."
    info: Mapping[str, str] = {"name": "toys", "title": "Toys", "version": "1"}

    def __init__(self) -> None:
        plain = [echo, add, everything, fail, reworded, store_down, broken, listing, raw, long, long_list, big]
        tools = [Tool.of(run, run.__annotations__["args"]) for run in plain]
        tools.append(Tool.of(wait, Nothing, waits=True, read_only=True))
        profiles = {"few": ["echo", "add"], "all": [tool.name for tool in tools]}
        self.registry = Registry(tools, profiles, "few", {"old_echo": "echo"})
        self.waiting, self.cancelled, self.subscribed = 0, 0, 0
        self.go = asyncio.Event()
        """Lets waiting calls answer."""
        self.moved: asyncio.Queue[list[str]] = asyncio.Queue()
        """What subscribers are told; an empty list is a pulse, a `None` a fault."""

    def admit(self, headers: Mapping[str, str], query: Mapping[str, str]) -> str:
        if headers.get("authorization") == "Bearer wrong":
            raise Unauthorized
        return query.get("agent", "")

    def desk(self, caller: str, peer: Peer) -> Desk:
        return Desk(self, caller, peer)

    def given(self, caller: str) -> Mapping[str, str]:
        return {"text": caller} if caller else {}

    async def waited(self) -> Any:
        self.waiting += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.waiting -= 1
        return {"waited": True}

    async def resources(self, caller: str) -> list[dict[str, Any]]:
        return [{"uri": "toy://ball", "name": "ball"}]

    def templates(self) -> list[dict[str, Any]]:
        return [{"uriTemplate": "toy://{name}", "name": "toy"}]

    async def read(self, caller: str, uri: str) -> dict[str, Any]:
        if uri == "toy://broken":
            raise KeyError(SECRET)
        if uri == "toy://away":
            raise Unavailable("The store does not answer.")
        if uri != "toy://ball":
            raise UnknownRoom
        return {"uri": uri, "mimeType": "text/plain", "text": "round"}

    async def moves(self, caller: str, uris: list[str]) -> AsyncIterator[list[str]]:
        for uri in uris:
            await self.read(caller, uri)
        return self._moves()

    async def _moves(self) -> AsyncIterator[list[str]]:
        self.subscribed += 1
        try:
            while (moved := await self.moved.get()) is not None:
                yield moved
            raise KeyError(SECRET)
        finally:
            self.subscribed -= 1

    def prompts(self) -> list[dict[str, Any]]:
        return [{"name": "play", "arguments": [{"name": "what", "required": True}]}]

    def prompt(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
        if name != "play":
            return None
        text = f"Play with {arguments.get('what')}."
        return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}

    def endpoint(self) -> HttpEndpoint:
        return HttpEndpoint(Server(self), self.admit)


def decoded(body: bytes) -> Any:
    return msgspec.json.decode(body)
