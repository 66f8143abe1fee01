"""`GET /rooms/{id}/stream`: a room's events as they happen (protocol §5.4), resumable and without gaps (W-44).

Every frame carries its position as `id:`; a client that reconnects with `Last-Event-ID`, or `?after=`, goes on exactly
there. Raw ASGI, so that thousands of idle streams cost little.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec

from stateroom.core.here import LogEntry
from stateroom.core.lobby import RoomCard
from stateroom.core.refusals import BadCursor, BadRoomId, Refusal, ReservedRoomId, UnknownRoom
from stateroom.engine.access import Unauthorized
from stateroom.engine.engine import Engine
from stateroom.engine.reading import position_at
from stateroom.faces.asgi import Receive, Scope, Send, headers_of, query_of, send_bytes, while_connected
from stateroom.faces.rest.frames import Frames
from stateroom.log.seam import Unavailable
from stateroom.wire.problems import HttpProblem, of_refusal, of_store
from stateroom.wire.times import iso, read_iso

STREAM_S = 300.0
PULSE_S = 15.0
PART_BYTES = 64 * 1024
"""About how much is sent at once, so that a long backlog is not held in memory for every stream."""
HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache"), (b"x-accel-buffering", b"no")]
LITERAL: dict[type[Refusal], int] = {UnknownRoom: 403, BadRoomId: 400, ReservedRoomId: 400}
"""Refusals that are said in the reference's words and status (protocol §5.4)."""
MAX_DIGITS = 16


class EventStream:
    """The ASGI application behind the stream's path."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._made = Frames()

    async def __call__(self, scope: Scope, receive: Receive, send: Send, room: str) -> None:
        """Serve one stream of the room with this id or code."""
        try:
            if scope["method"] != "GET":
                raise HttpProblem(405, "http_405", "This path does not take this method.", "Use GET.")
            card, after = await self._opening(scope, room)
        except Unauthorized:
            await send_bytes(send, 401, b'{"error":"Unauthorized"}')
        except Refusal as refusal:
            await _refuse(send, refusal)
        except HttpProblem as problem:
            await _answer(send, problem)
        except Unavailable as failure:
            await _answer(send, of_store(failure))
        else:
            await while_connected(receive, self._send_all(send, card, after))

    async def _opening(self, scope: Scope, room: str) -> tuple[RoomCard, int]:
        """The room, and the position after which to begin."""
        headers, query = headers_of(scope), query_of(scope)
        caller = self._engine.access.admit(
            headers.get("authorization", ""), query.get("room", ""), query.get("agent", "")
        )
        card = await self._engine.find(caller, room)
        if card is None:
            raise UnknownRoom
        after = await self._after(card, headers.get("last-event-id") or query.get("after", "0"))
        return card, max(after, await self._since(card, query["since"]) if "since" in query else 0)

    async def _after(self, card: RoomCard, text: str) -> int:
        """Raises BadCursor for what is no position in the room's log, Unavailable while there is still a status to say
        it with."""
        last = await self._engine.view(card, lambda room: room.position)
        if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
            raise BadCursor(cursor=text[:MAX_DIGITS], last=last)
        if int(text) > last:
            await self._engine.rooms.entries(card.key, int(text), 1)  # another server may know more than we do
        return int(text)

    async def _since(self, card: RoomCard, text: str) -> int:
        """Raises HttpProblem for what is no time."""
        at = read_iso(text)
        if at is None:
            hint = "Send a time such as 2026-12-01T00:00:00.000Z, or after=<position>."
            raise HttpProblem(400, "bad_since", "since is no UTC time.", hint)
        return await position_at(self._engine, card, at)

    async def _send_all(self, send: Send, card: RoomCard, after: int) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await _part(send, f": connected {card.room_id}\n\n".encode())
        try:
            async with asyncio.timeout(STREAM_S), aclosing(self._parts(card, after)) as parts:
                async for part in parts:
                    await _part(send, part)
        except TimeoutError:
            await _part(send, b": timeout\n\n")
        except (Unavailable, BadCursor):  # whoever connects again goes on where it was, or is told why it can not
            await _part(send, b": interrupted\n\n")
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _parts(self, card: RoomCard, after: int) -> AsyncGenerator[bytes, None]:
        async for entries in self._engine.follower.follow(card.key, after, pulse_s=PULSE_S):
            part, said = bytearray(), False
            for entry in await self._visible(card, entries) if entries else ():
                part += self._made.of(card, entry)
                if len(part) >= PART_BYTES:
                    yield bytes(part)
                    part, said = bytearray(), True
            if part or not said:
                yield bytes(part) or f": heartbeat {iso(self._engine.clock())}\n\n".encode()

    async def _visible(self, card: RoomCard, entries: list[LogEntry]) -> list[LogEntry]:
        """Asked as one question: a withdrawal that is not durable yet, and may never be, hides nothing."""
        return await self._engine.view(card, lambda room: [entry for entry in entries if room.messages.visible(entry)])


async def _part(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _refuse(send: Send, refusal: Refusal) -> None:
    if (status := LITERAL.get(type(refusal))) is not None:
        await send_bytes(send, status, msgspec.json.encode({"error": str(refusal)}))
    else:
        await _answer(send, of_refusal(refusal))


async def _answer(send: Send, problem: HttpProblem) -> None:
    headers = [(name.encode(), value.encode()) for name, value in problem.headers.items()]
    await send_bytes(send, problem.status, problem.encoded(), headers)
