"""The client: one method per thing a server does, data in and out as plain JSON values."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import httpx2
import msgspec

from stateroom.client.problems import Problem, Unreachable

Json = dict[str, Any]
TIMEOUT_S = 10.0
STREAM_SILENCE_S = 60.0
"""A stream says something at least every 15 s; a longer silence is a broken connection."""


class Client:
    """A connection to a server. Use as an async context manager. Every call raises Problem or Unreachable."""

    def __init__(self, url: str, key: str = "") -> None:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self.url = url.rstrip("/")
        self._http = httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=TIMEOUT_S)

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._http.aclose()

    async def health(self) -> Json:
        """`{ok, ts, version, store}`; also while the store does not answer."""
        answer = await self._send("GET", "/health")
        health: Json = msgspec.json.decode(answer.content)
        return health

    async def rooms(self) -> list[Json]:
        return await self._api("GET", "/rooms")  # type: ignore[no-any-return]

    async def create_room(self, id: str = "", template: str = "") -> Json:
        return await self._api("POST", "/rooms", {"id": id, "template": template})  # type: ignore[no-any-return]

    async def room(self, room: str) -> Json:
        """A room by id or code."""
        return await self._api("GET", _path(room))  # type: ignore[no-any-return]

    async def view(self, room: str, name: str, **query: str | int) -> Any:
        """A view of a room: `plan`, `context`, `members`, `analytics`, …"""
        return await self._api("GET", f"{_path(room)}/{name}", query=query)

    async def command(self, room: str, name: str, wish: Json, by: str = "", request_id: str = "") -> Json:
        """Carry out a wish such as `open-task`. With a request id, repeating the call has its effect once."""
        body = {"by": by, "request_id": request_id, "wish": wish}
        return await self._api("POST", f"{_path(room)}/commands/{name}", body)  # type: ignore[no-any-return]

    async def entries(self, room: str, after: int = 0, limit: int = 100, wait_ms: int = 0) -> Json:
        """A page of the log: `{entries, next, last}`."""
        query: dict[str, str | int] = {"after": after, "limit": limit, "wait_ms": wait_ms}
        return await self._api("GET", f"{_path(room)}/entries", query=query)  # type: ignore[no-any-return]

    async def events(self, room: str, **query: str | int) -> list[Json]:
        return await self._api("GET", f"{_path(room)}/events", query=query)  # type: ignore[no-any-return]

    async def follow(self, room: str, after: int = 0) -> AsyncIterator[Json]:
        """Events after a position as they happen, for ever; goes on by itself where a connection was cut."""
        while True:
            async for event in self._stream(room, after):
                after = event["position"]
                yield event

    async def _stream(self, room: str, after: int) -> AsyncIterator[Json]:
        """One connection's worth. Ends when the connection does; raises if it could not be made."""
        timeout = httpx2.Timeout(TIMEOUT_S, read=STREAM_SILENCE_S)
        path, query = f"/rooms/{quote(room, safe='')}/stream", {"after": after}
        connected = False
        try:
            async with self._http.stream("GET", path, params=query, timeout=timeout) as answer:
                if answer.status_code != httpx2.codes.OK:
                    await answer.aread()
                    raise _problem(answer)
                connected = True
                async for line in answer.aiter_lines():
                    if line.startswith("data: "):
                        yield msgspec.json.decode(line.removeprefix("data: "))
        except httpx2.TransportError as broken:
            if not connected:
                raise Unreachable(self.url, _reason(broken)) from broken

    async def _api(
        self, method: str, path: str, body: Json | None = None, query: dict[str, str | int] | None = None
    ) -> Any:
        answer = await self._send(method, f"/api/v1{path}", body, query)
        if answer.status_code >= httpx2.codes.BAD_REQUEST:
            raise _problem(answer)
        return msgspec.json.decode(answer.content)

    async def _send(
        self, method: str, path: str, body: Json | None = None, query: dict[str, str | int] | None = None
    ) -> httpx2.Response:
        try:
            return await self._http.request(method, path, json=body, params=query)
        except httpx2.TransportError as broken:
            raise Unreachable(self.url, _reason(broken)) from broken


def _path(room: str) -> str:
    return f"/rooms/{quote(room, safe='')}"


def _reason(broken: Exception) -> str:
    return str(broken) or type(broken).__name__


def _problem(answer: httpx2.Response) -> Problem:
    """The server's own words, or the status if it is not our server that answered."""
    try:
        said = msgspec.json.decode(answer.content)
    except msgspec.DecodeError:
        said = {}
    error = said.get("error") if isinstance(said, dict) else None
    if isinstance(error, dict):
        return Problem(answer.status_code, error["code"], error["message"], error.get("hint", ""))
    if answer.status_code == httpx2.codes.UNAUTHORIZED:
        return Problem(401, "unauthorized", "The server wants a key.", "Set STATEROOM_API_KEY.")
    return Problem(answer.status_code, "http_error", str(error or f"HTTP {answer.status_code}"))
