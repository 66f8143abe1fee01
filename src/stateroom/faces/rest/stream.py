"""`GET /rooms/{id}/stream`: a room's events as they happen (protocol §5.4), resumable and without gaps (W-44).

Every frame carries its position as `id:`; a client that reconnects with `Last-Event-ID`, or `?after=`, goes on exactly
there. Raw ASGI, so that thousands of idle streams cost little.
"""

import asyncio
from collections.abc import AsyncIterator

import msgspec

from stateroom.core.lobby import RoomCard
from stateroom.core.refusals import BadCursor, Refusal, UnknownRoom
from stateroom.engine.access import Unauthorized
from stateroom.engine.engine import Engine
from stateroom.faces.asgi import Receive, Scope, Send, headers_of, query_of, send_bytes, while_connected
from stateroom.log.seam import Unavailable
from stateroom.wire.problems import HttpProblem, of_refusal, of_store
from stateroom.wire.room_protocol import event_shape
from stateroom.wire.times import iso, read_iso

STREAM_S = 300.0
PULSE_S = 15.0
HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache"), (b"x-accel-buffering", b"no")]


class EventStream:
    """The ASGI application behind the stream's path."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def __call__(self, scope: Scope, receive: Receive, send: Send, room: str) -> None:
        """Serve one stream of the room with this id or code."""
        try:
            card, after, since = await self._opening(scope, room)
        except Unauthorized:
            await _refuse(send, 401, {"error": "Unauthorized"})
        except UnknownRoom as refusal:
            await _refuse(send, 403, {"error": str(refusal)})  # the reference's words and status (protocol §5.4)
        except Refusal as refusal:
            await _refuse(send, refusal.status, of_refusal(refusal).problem)
        except HttpProblem as problem:
            await _refuse(send, problem.status, problem.problem)
        except Unavailable as failure:
            await _refuse(send, 503, of_store(failure).problem)
        else:
            await while_connected(receive, self._send_all(send, card, after, since))

    async def _opening(self, scope: Scope, room: str) -> tuple[RoomCard, int, int]:
        """The room, the position and the instant after which to begin."""
        headers, query = headers_of(scope), query_of(scope)
        caller = self._engine.access.admit(headers.get("authorization", ""))
        card = await self._engine.find(caller, room)
        if card is None:
            raise UnknownRoom
        since = read_iso(query["since"]) if "since" in query else 0
        if since is None:
            raise HttpProblem(400, "bad_since", "since must be a UTC time such as 2026-12-01T00:00:00.000Z.")
        after = headers.get("last-event-id") or query.get("after", "0")
        last = await self._engine.view(card, lambda room: room.position)
        if not after.isdecimal() or int(after) > last:
            raise BadCursor(cursor=after, last=last)
        return card, int(after), since

    async def _send_all(self, send: Send, card: RoomCard, after: int, since: int) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await _part(send, f": connected {card.room_id}\n\n".encode())
        try:
            async with asyncio.timeout(STREAM_S):
                async for frames in self._frames(card, after, since):
                    await _part(send, frames)
        except TimeoutError:
            await _part(send, b": timeout\n\n")
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _frames(self, card: RoomCard, after: int, since: int) -> AsyncIterator[bytes]:
        async for entries in self._engine.follower.follow(card.key, after, pulse_s=PULSE_S):
            messages = await self._engine.view(card, lambda room: room.messages)
            frames = [
                b"id: %d\nevent: message\ndata: %b\n\n"
                % (entry.position, msgspec.json.encode(event_shape(entry, card.room_id)))
                for entry in entries
                if messages.visible(entry) and entry.at > since
            ]
            yield b"".join(frames) if frames else f": heartbeat {iso(self._engine.clock())}\n\n".encode()


async def _part(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _refuse(send: Send, status: int, body: object) -> None:
    await send_bytes(send, status, msgspec.json.encode(body))
