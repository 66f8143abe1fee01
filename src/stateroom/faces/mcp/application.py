"""Stateroom as the MCP dispatcher sees it: its tools, resources and prompts, and who may use which room."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import msgspec

from stateroom import __version__
from stateroom.core.ids import LogKey, Position
from stateroom.engine.access import Caller
from stateroom.engine.engine import Engine
from stateroom.faces.mcp import prompts, resources
from stateroom.faces.mcp.arguments import NAME_ARGUMENTS
from stateroom.faces.mcp.desk import ANSWER_BYTES, Desk
from stateroom.faces.mcp.eras import Peer
from stateroom.faces.mcp.profiles import CALLABLE, DEFAULT, INSTRUCTIONS, PROFILES
from stateroom.faces.mcp.room_protocol.texts import TEXTS
from stateroom.faces.mcp.tools import Registry
from stateroom.wire.links import Links

PULSE_S = 15.0


class StateroomApplication:
    """Implements `server.Application` on an engine."""

    texts: Mapping[str, str] = TEXTS
    instructions = INSTRUCTIONS
    info: Mapping[str, str] = {"name": "stateroom", "title": "Stateroom", "version": __version__}

    def __init__(self, engine: Engine, profile: str = "", base_url: str = "") -> None:
        """`profile` is listed when a client asks for none; `base_url` is where people find what we link to."""
        self._engine = engine
        self._links = Links(base_url.rstrip("/"))
        self.registry = Registry(CALLABLE, PROFILES, profile if profile in PROFILES else DEFAULT)

    def admit(self, headers: Mapping[str, str], query: Mapping[str, str]) -> Caller:
        """Raises Unauthorized. `?room=…&agent=…` binds the endpoint to one room and one name."""
        return self._engine.access.admit(
            headers.get("authorization", ""), query.get("room", ""), query.get("agent", "")
        )

    def desk(self, caller: Caller, peer: Peer) -> Desk:
        answer_bytes = ANSWER_BYTES if peer.named else None
        return Desk(self._engine, caller, answer_bytes, peer.client, self._links, peer.outlet, self.registry)

    def given(self, caller: Caller) -> Mapping[str, str]:
        names = dict.fromkeys(NAME_ARGUMENTS, caller.member) if caller.member else {}
        return {**names, "roomId": caller.room, "code": caller.room} if caller.room else names

    async def resources(self, caller: Caller) -> list[dict[str, Any]]:
        """The plan, the summary and the transcript of each of the caller's rooms."""
        return [
            {
                "uri": f"stateroom://rooms/{card.room_id}/{what}",
                "name": f"{card.room_id} {what}",
                "mimeType": "application/json",
            }
            for card in await self._engine.rooms_of(caller)
            for what in ("plan", "summary", "transcript")
        ]

    def templates(self) -> list[dict[str, Any]]:
        return [
            {"uriTemplate": uri, "name": uri.rpartition("}/")[2], "description": text, "mimeType": "application/json"}
            for uri, text in resources.TEMPLATES.items()
        ]

    async def read(self, caller: Caller, uri: str) -> dict[str, Any]:
        value = await resources.read(self._engine, caller, uri, self._links)
        return {"uri": uri, "mimeType": "application/json", "text": msgspec.json.encode(value).decode()}

    async def moves(self, caller: Caller, uris: list[str]) -> AsyncIterator[list[str]]:
        by_key: dict[LogKey, list[str]] = {}
        for uri in uris:
            card, _, _ = await resources.find(self._engine, caller, uri)
            by_key.setdefault(card.key, []).append(uri)
        return self._moves(by_key, await self._engine.follower.positions(by_key))

    async def _moves(
        self, by_key: Mapping[LogKey, list[str]], since: Mapping[LogKey, Position]
    ) -> AsyncIterator[list[str]]:
        async for moved in self._engine.follower.moves(list(by_key), PULSE_S, since):
            yield [uri for key in moved for uri in by_key[key]]

    def prompts(self) -> list[dict[str, Any]]:
        return [
            {
                "name": prompt.name,
                "description": prompt.description,
                "arguments": [
                    {"name": name, "description": text, "required": True} for name, text in prompt.arguments.items()
                ],
            }
            for prompt in prompts.PROMPTS.values()
        ]

    def prompt(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
        if name not in prompts.PROMPTS:
            return None
        text = prompts.render(name, {key: str(value) for key, value in arguments.items()})
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return {"description": prompts.PROMPTS[name].description, "messages": [message]}
