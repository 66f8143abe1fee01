"""A fact, the ways in which it is done, and what is seen of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tests.wire.across.house import Room

Do = Callable[[Room], Awaitable[Any]]


@dataclass(frozen=True)
class Seen:
    """One entry of the log, as each face shows it."""

    fact: str
    """In the native API."""
    event: str = ""
    """Type of the Room Protocol's event; empty for what the room is not told of."""
    line: str = ""
    """`msg`, or the `eventType` of a system line; empty for what is no line."""
    says: str = ""
    """Is in the line's text."""
    payload: dict[str, Any] = field(default_factory=dict)
    """Is in the event's payload."""
    sender: str = ""
    to: str = "all"


@dataclass(frozen=True)
class Fact:
    what: str
    ways: dict[str, Do]
    """By face: tool of the conversation (`talk`), of the Room Protocol (`state`), action, command."""
    seen: list[Seen]
    before: tuple[Do, ...] = ()
    """What has to have happened."""


def says(text: str, name: str = "Ben", kind: str = "message") -> dict[str, Do]:
    """Something said, through each face in which one can speak."""
    return {
        "talk": lambda room: room.tool("room_send", name=name, text=text, kind=kind),
        "action": lambda room: room.say(name, text, kind=kind),
        "command": lambda room: room.wish("say", name, text=text, kind=kind),
    }


async def an_open_task(room: Room) -> None:
    await room.tool("add_task", title="Write the client", description="", agentId="Dee")


async def last_event(room: Room) -> str:
    return str((await room.tool("read_events", limit=1))[0]["id"])
