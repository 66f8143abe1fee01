"""What the dispatcher asks of the application it serves."""

from collections.abc import AsyncIterator, Awaitable, Mapping
from typing import Any, Protocol

from stateroom.faces.mcp.eras import Peer
from stateroom.faces.mcp.tools import Registry


class Application(Protocol):
    """What a server is a server of."""

    registry: Registry
    texts: Mapping[str, str]
    instructions: str
    info: Mapping[str, str]

    def desk(self, caller: Any, peer: Peer) -> Any:
        """What a tool call works with."""

    def given(self, caller: Any) -> Mapping[str, str]:
        """Arguments the caller's endpoint or credential is bound to."""

    def resources(self, caller: Any) -> Awaitable[list[dict[str, Any]]]: ...

    def templates(self) -> list[dict[str, Any]]: ...

    def read(self, caller: Any, uri: str) -> Awaitable[dict[str, Any]]:
        """`{uri, mimeType, text}`. Raises Refusal."""

    def moves(self, caller: Any, uris: list[str]) -> Awaitable[AsyncIterator[list[str]]]:
        """The URIs that may have changed, whenever some have since this call; an empty list is a pulse.

        Raises Refusal at once.
        """

    def prompts(self) -> list[dict[str, Any]]: ...

    def prompt(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None: ...
