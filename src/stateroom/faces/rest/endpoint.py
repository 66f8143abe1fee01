"""What an endpoint of the native API is: data that routes, OpenAPI document and docs are all made from."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from stateroom.core.lobby import RoomCard
from stateroom.core.refusals import UnknownRoom
from stateroom.engine.access import Caller
from stateroom.engine.engine import Engine
from stateroom.wire.links import Links


class NoQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Takes no parameters."""


@dataclass(frozen=True, slots=True)
class Given:
    """One request, decoded."""

    engine: Engine
    caller: Caller
    links: Links
    path: dict[str, str]
    query: Any
    body: Any

    async def room(self) -> RoomCard:
        """The room in the path. Raises UnknownRoom (L09: every verb on an unknown room says so)."""
        card = await self.engine.find(self.caller, self.path["room"])
        if card is None:
            raise UnknownRoom
        return card


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    method: str
    path: str
    """Below `/api/v1`, parameters in braces."""
    summary: str
    answer: Any
    """The type of the answer."""
    run: Callable[[Given], Awaitable[Any]]
    query: type[msgspec.Struct] = NoQuery
    body: Any = None
    """The type of the body; None if it takes none."""
    status: int = 200
    waits: bool = False
    """Whether it may wait for something to happen: then it ends with its client's connection, and does nothing more."""

    @property
    def id(self) -> str:
        """A name for generated clients: `get_rooms_room_plan`."""
        words = self.path.replace("{", "").replace("}", "").replace("-", "_").split("/")
        return "_".join([self.method.lower(), *filter(None, words)])
