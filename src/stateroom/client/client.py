"""The client: one method per thing a server does. What comes back is in the native shapes (`wire/shapes.py`)."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any
from urllib.parse import quote

import httpx2
import msgspec

from stateroom.client.connection import Connection
from stateroom.client.problems import Problem, Unreachable
from stateroom.client.sse import Frame, frames
from stateroom.wire.shapes import Health, Here, Page, RoomInfo, Written

Json = dict[str, Any]
API = "/api/v1"
SILENCE_S = 60.0
"""A stream says something at least every 15 s; a longer silence is a broken connection."""
RECONNECT_S = 0.25
PATIENCE_S = 60.0


class Client:
    """A connection to a server; use it as an async context manager. Every call raises Problem or Unreachable."""

    def __init__(self, url: str, key: str = "", *, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        """Raises Unreachable for what is no URL of a server."""
        self.url = url.rstrip("/")
        self._connection = Connection(self.url, key, transport)

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._connection.close()

    async def health(self) -> Health:
        """How the server is; also while its store does not answer."""
        return await self._connection.get("/health", Health, even_if_unwell=True)

    async def rooms(self) -> list[RoomInfo]:
        return await self._connection.get(f"{API}/rooms", list[RoomInfo])

    async def create_room(self, id: str = "", template: str = "") -> RoomInfo:
        """Open a room, empty or from a template; an id is drawn if none is given."""
        return await self._connection.post(f"{API}/rooms", RoomInfo, {"id": id, "template": template})

    async def room(self, room: str) -> RoomInfo:
        """A room by id or code, as everywhere."""
        return await self._connection.get(_path(room), RoomInfo)

    async def command(self, room: str, name: str, wish: Json, by: str = "", request_id: str = "") -> Written:
        """Carry out a wish such as `open-task`. With a request id, repeating the call has its effect once."""
        body = {"by": by, "request_id": request_id, "wish": wish}
        return await self._connection.post(f"{_path(room)}/commands/{quote(name, safe='')}", Written, body)

    async def entries(self, room: str, after: int = 0, limit: int = 100, wait_ms: int = 0) -> Page:
        """A page of the log as it is; with `wait_ms`, waits for the first entry."""
        query: dict[str, str | int] = {"after": after, "limit": limit, "wait_ms": wait_ms}
        return await self._connection.get(f"{_path(room)}/entries", Page, query, wait_ms=wait_ms)

    async def events(self, room: str, **query: str | int) -> list[Json]:
        """Events under the Room Protocol's names: `after`, `before`, `limit`, `order`."""
        return await self._connection.get(f"{_path(room)}/events", list[Json], query)

    async def plan(self, room: str) -> list[Json]:
        return await self._connection.get(f"{_path(room)}/plan", list[Json])

    async def context(self, room: str, **query: str | int) -> list[Json]:
        """Context entries as they stand, by `type` or `author`."""
        return await self._connection.get(f"{_path(room)}/context", list[Json], query)

    async def members(self, room: str) -> list[Here]:
        return await self._connection.get(f"{_path(room)}/members", list[Here])

    async def inbox(self, room: str, member: str, *, wait_ms: int = 0, **ask: int | bool | None) -> Json:
        """What a member has not seen: taken; with `peek=True` looked at; with `ack` acknowledged first."""
        path = f"{_path(room)}/inbox/{quote(member, safe='')}"
        return await self._connection.post(path, Json, {**ask, "wait_ms": wait_ms}, wait_ms=wait_ms)

    async def view(self, room: str, name: str, **query: str | int) -> Any:
        """Any other view: `unblocked`, `leases`, `search`, `analytics`, `context/C-01/diff`, …"""
        return await self._connection.get(f"{_path(room)}/{name}", object, query)

    async def follow(self, room: str, after: int = 0, patience_s: float = PATIENCE_S) -> AsyncIterator[Json]:
        """Events after a position as they happen, for ever; a cut connection goes on by itself where it was.

        Raises what went wrong at once when the server was never reached, else when it was not for `patience_s`.
        """
        last, loop = str(after), asyncio.get_running_loop()
        deadline = loop.time() + (patience_s if self._connection.reached else 0)
        while True:
            try:
                async with aclosing(self._heard(room, last)) as heard:
                    async for frame in heard:
                        last = frame.id or last
                        yield msgspec.json.decode(frame.data)
                deadline = loop.time() + patience_s
            except (Problem, Unreachable) as failure:
                if loop.time() >= deadline or not _passes(failure):
                    raise
            await asyncio.sleep(RECONNECT_S)

    async def _heard(self, room: str, last: str) -> AsyncGenerator[Frame, None]:
        """One connection's frames."""
        path = f"/rooms/{quote(room, safe='')}/stream"
        async with self._connection.stream(path, {"last-event-id": last}, SILENCE_S) as chunks:
            async for frame in frames(chunks):
                yield frame


def _passes(failure: Problem | Unreachable) -> bool:
    """Whether it may be over in a moment: the server starts again, or its store was away."""
    return isinstance(failure, Unreachable) or failure.status == httpx2.codes.SERVICE_UNAVAILABLE


def _path(room: str) -> str:
    return f"{API}/rooms/{quote(room, safe='')}"
