"""A room's page as data: the shapes that clients of Agent Room know, side by side."""

from collections.abc import Mapping
from typing import Any

from stateroom.core import floor
from stateroom.core.room import Room
from stateroom.engine.presence import Presence
from stateroom.faces.web.windows import Window
from stateroom.wire.agent_room.rooms import Seen, room_shape, turn_shape
from stateroom.wire.agent_room.tasks import board_shape
from stateroom.wire.links import Links
from stateroom.wire.times import iso

Shape = dict[str, Any]


def room_snapshot(
    room: Room, code: str, messages: list[Shape], seen: Mapping[str, Presence], window: Window, links: Links
) -> Shape:
    """`{room, turnState, messages, total, older, board, context, links}`; `seen` by folded name."""
    signs = {name: Seen(one.last_seen, one.listening_until, one.state) for name, one in seen.items()}
    turn = floor.turn_of(room.floor)
    older = window.older(links.room(code))
    return {
        "room": room_shape(room, signs),
        "turnState": turn_shape(turn) if turn else None,
        "messages": messages,
        "total": window.total,
        "older": f"{older}&format=json" if older else None,
        "board": board_shape(room, code),
        "context": [
            {
                "id": entry.id,
                "type": entry.type,
                "version": entry.version,
                "summary": entry.summary,
                "author": entry.author,
                "consuming_agents": list(entry.consumers),
                "timestamp": iso(entry.written_at),
            }
            for entry in room.context.entries.values()
        ],
        "links": {"join": links.join(code), "room": links.room(code), "report": f"{links.room(code)}/report"},
    }
