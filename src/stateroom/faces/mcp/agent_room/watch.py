"""Watching a room without waiting in a call: its transcript is a resource whose changes can be subscribed to, and a
connection that takes notices gets new lines as log messages (agent-room §9.6; gaps 14, 17)."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from stateroom.core.here import LogEntry
from stateroom.core.lifecycle import RoomEnded
from stateroom.core.members import MemberRemoved, same
from stateroom.core.refusals import BadCursor
from stateroom.engine.conversation import Keys
from stateroom.engine.transcript import complete
from stateroom.faces.mcp.agent_room.arguments import Line, Looking
from stateroom.faces.mcp.agent_room.failures import answering
from stateroom.faces.mcp.agent_room.visits import Visit, visit
from stateroom.faces.mcp.messages import notification
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.messages import message_shape

Shape = dict[str, Any]
SHOWN = ("name", "text", "time", "client")
TEXT_CHARS = 2_000
BATCH = 20
"""Lines of one notice."""


class Watch(Looking, kw_only=True):
    enabled: bool = True
    since: Line | None = None


@answering(watching=False)
async def room_watch(desk: Any, args: Watch) -> Any:
    """Be told of new lines without waiting in a call: names the resource to subscribe to and, where the connection
    takes them, sends log notices. enabled: false stops it."""
    there = await visit(desk, args.code, args.name, Keys(seat=args.seatKey))
    source = f"watch/{there.card.key}"
    if not args.enabled:
        stopped = desk.outlet is not None and desk.outlet.detach(source)
        return {"stopped": True, "code": there.card.code} if stopped else _nothing(there)
    cursor, ended = await there.view(lambda room: (room.lines, room.lifecycle.ended_at is not None))
    since = cursor if args.since is None else args.since
    if since > cursor:
        raise BadCursor(cursor=since, last=cursor)
    pushes = desk.outlet is not None and not ended
    if pushes:
        desk.outlet.attach(source, await _notices(there, since))
    return {
        "watching": True,
        "code": there.card.code,
        "cursor": since,
        "resource": resource(there),
        "notices": pushes,
        "hint": _hint(there, since, pushes=pushes),
    }


def resource(there: Visit) -> str:
    """Its address; a guest knows the room by its code."""
    named = there.card.code if there.caller.guest else there.card.room_id
    return f"stateroom://rooms/{named}/transcript"


def _hint(there: Visit, since: int, *, pushes: bool) -> str:
    wait = f'room_listen(code: "{there.card.code}", since: {since})'
    subscribe = f"Subscribe to {resource(there)} (subscriptions/listen) to be told when to look; {wait} has the lines."
    if pushes:
        return f"New lines come as log notices until the room ends; {wait} has them too."
    return subscribe


def _nothing(there: Visit) -> Shape:
    said = "Nothing was sent to this connection. A subscription ends when its stream is closed."
    return {"stopped": False, "code": there.card.code, "message": said}


async def _notices(there: Visit, since: int) -> AsyncIterator[bytes]:
    """A notice for every batch of lines after `since` that are not the watcher's own; ends with the room."""
    place = await there.view(lambda room: room.messages.before_line(since + 1))
    return _following(there, since, place)


async def _following(there: Visit, since: int, place: int) -> AsyncIterator[bytes]:
    async for entries in there.desk.engine.follower.follow(there.card.key, place):
        lines = [entry for entry in entries if entry.line > since]
        others = [entry for entry in lines if not there.me or not entry.by or not same(entry.by, there.me)]
        for first in range(0, len(others), BATCH):
            yield await _notice(there, others[first : first + BATCH])
        if any(_over(there, entry) for entry in lines):
            return


def _over(there: Visit, entry: LogEntry) -> bool:
    event = entry.event
    return isinstance(event, RoomEnded) or (isinstance(event, MemberRemoved) and same(event.name, there.me))


async def _notice(there: Visit, entries: list[LogEntry]) -> bytes:
    lines = await complete(there.desk.engine, there.card, entries)
    shapes = [message_shape(entry, lines, there.card.code, there.desk.links) for entry in entries]
    said = [{name: shape[name] for name in SHOWN} | {"text": shape["text"][:TEXT_CHARS]} for shape in shapes]
    data = {
        "type": "new_messages",
        "code": there.card.code,
        "cursor": entries[-1].line,
        "messages": said,
        "summary": f"{len(said)} new in {there.card.code}",
    }
    told = {"level": "info", "logger": f"room:{there.card.code}", "data": msgspec.json.encode(data).decode()}
    return notification("notifications/message", told)


TOOLS = [Tool.of(room_watch, Watch, idempotent=True)]
