"""Requests to `/api/room` without a network: the real ASGI application behind the address, on a store in memory."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette

from stateroom.engine.engine import Engine
from stateroom.faces.rest import uploads
from stateroom.faces.rest.agent_room.endpoint import AgentRoomEndpoint
from stateroom.testing.simulated_time import HandClock
from stateroom.wire.links import Links

BASE = "http://rooms.test"


@dataclass(frozen=True)
class Answer:
    """What came back, read as a client reads it."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def body(self) -> Any:
        return json.loads(self.raw)

    @property
    def error(self) -> str:
        """The name of the error; empty for a success."""
        return "" if self.ok else self.body["error"]


class Actions:
    """One server, asked directly."""

    def __init__(self, engine: Engine, clock: HandClock, authorization: str = "") -> None:
        self.engine, self.clock, self.authorization = engine, clock, authorization
        self._endpoint = AgentRoomEndpoint(engine, Links(BASE))
        self._files = Starlette(routes=uploads.routes(engine, BASE, self._find_room))

    async def _find_room(self, request, code):
        return await self.engine.find_by_code(self.engine.access.admit_guest(self.authorization), code)

    def as_(self, authorization: str) -> "Actions":
        """The same server, for whoever sends this header."""
        return Actions(self.engine, self.clock, authorization)

    async def __call__(self, action: str, **fields: Any) -> Answer:
        """One action, with the fields that are not None: a client in JavaScript leaves the others out."""
        return await self.raw(encoded(action, fields))

    async def ok(self, action: str, **fields: Any) -> Any:
        """The body of an action that must succeed."""
        answer = await self(action, **fields)
        assert answer.ok, answer.raw
        return answer.body

    async def refused(self, action: str, **fields: Any) -> str:
        """The name of the error of an action that must fail."""
        answer = await self(action, **fields)
        assert not answer.ok, answer.raw
        return answer.error

    async def raw(self, *chunks: bytes, method: str = "POST") -> Answer:
        """A body, in as many pieces as it is given in."""
        return await asked(self._endpoint, method, "/api/room", self._headers("application/json"), chunks)

    async def path(self, method: str, path: str, content_type: str = "", body: bytes = b"") -> Answer:
        """Uploads, and the files they left."""
        return await asked(self._files, method, path, self._headers(content_type), (body,))

    def _headers(self, content_type: str) -> list[tuple[bytes, bytes]]:
        named = {"content-type": content_type, "authorization": self.authorization}
        return [(name.encode(), value.encode()) for name, value in named.items() if value]


def encoded(action: str, fields: Mapping[str, Any]) -> bytes:
    return json.dumps({"action": action, **{k: v for k, v in fields.items() if v is not None}}).encode()


async def asked(app, method: str, path: str, headers: list[tuple[bytes, bytes]], chunks: tuple[bytes, ...]) -> Answer:
    """One request to an ASGI application."""
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
    }
    pieces = [
        {"type": "http.request", "body": chunk, "more_body": index + 1 < len(chunks)}
        for index, chunk in enumerate(chunks)
    ]
    sent: list[dict[str, Any]] = []
    never = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if pieces:
            return pieces.pop(0)
        await never.wait()
        raise AssertionError("nobody hangs up here")

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    await app(scope, receive, send)
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], told, b"".join(event.get("body", b"") for event in sent[1:]))
