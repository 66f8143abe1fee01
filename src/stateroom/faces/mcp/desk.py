"""What one tool call works with: the engine, who calls, and how large an answer may be."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from stateroom.core.here import Command
from stateroom.core.ids import Name
from stateroom.core.lobby import RoomCard
from stateroom.core.room import Room
from stateroom.engine.access import Caller
from stateroom.engine.engine import Engine
from stateroom.engine.execute import Outcome
from stateroom.faces.mcp.eras import Outlet
from stateroom.faces.mcp.tools import Registry
from stateroom.wire.links import Links

T = TypeVar("T")
ANSWER_BYTES = 7_500
"""A default answer stays under 8 KB, its frame included (design §8)."""


NOWHERE = Links("")
"""Links without a server's address before them."""


@dataclass(frozen=True, slots=True)
class Desk:
    engine: Engine
    caller: Caller
    answer_bytes: int | None = ANSWER_BYTES
    """None for one-shot callers that speak no MCP revision: programs, not models, which expect everything."""
    client: str = ""
    """What the client says it is."""
    links: Links = NOWHERE
    outlet: Outlet | None = None
    """Where notices to this client go, on a connection that takes some without being asked."""
    tools: Registry | None = None
    """What else this caller can call; None where a tool is to look no further."""

    def me(self, name: str) -> Name:
        """The name this call acts under (protocol §7.5)."""
        return self.engine.speaks_as(self.caller, name)

    async def find(self, room: str) -> RoomCard | None:
        return await self.engine.find(self.caller, room)

    async def enter(self, room: str, agent: str = "") -> RoomCard:
        """The room, made on first touch; the agent is known and online from now on."""
        card = await self.engine.enter(self.caller, room)
        if agent:
            await self.engine.arrive(self.caller, card, agent)
        return card

    async def look(self, room: str, question: Callable[[Room], T], by: str = "") -> T:
        """An answer about a room, which need not exist. `by` is who asks, if that is said."""
        card = await self.find(room)
        if card is not None:
            await self.engine.seen(card, by)
        return await self.engine.view(card, question)

    async def wish(self, card: RoomCard, command: Command, by: str = "", request_id: str = "") -> Outcome:
        return await self.engine.execute(self.caller, card, command, by, request_id)


def size(value: Any) -> int:
    """Bytes of the compact JSON form."""
    return len(msgspec.json.encode(value))


def fit(items: Iterable[T], room_bytes: int | None) -> list[T]:
    """As many leading items as fit, at least one: a first item that is too large alone is still worth having."""
    if room_bytes is None:
        return list(items)
    kept: list[T] = []
    for item in items:
        room_bytes -= size(item) + 1
        if room_bytes < 0 and kept:
            break
        kept.append(item)
    return kept


def beginning(text: str, room_bytes: int) -> str:
    """As much of a text as takes at most so many bytes in JSON."""
    while text and (over := size(text) - room_bytes) > 0:
        text = text[: len(text) - max(1, over // 6)]  # a character takes six bytes at most
    return text
