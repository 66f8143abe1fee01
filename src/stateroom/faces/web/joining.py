"""How to come in: for people in words, for agents as JSON they can act on (gap 20)."""

import json
from shlex import quote
from typing import Any

from stateroom.core.room import Room
from stateroom.faces.web.contexts import Frame, JoinPage
from stateroom.faces.web.rooms import topic
from stateroom.wire.links import Links

Shape = dict[str, Any]
TOOL = "room_join"
NAME = "<your name>"
"""Where whoever reads it puts its own."""


def join_page(room: Room, code: str, frame: Frame, links: Links) -> JoinPage:
    rest = _rest(code, links)
    return JoinPage(
        frame=frame,
        code=code,
        topic=topic(room),
        host=room.lifecycle.host,
        ended=room.lifecycle.ended_at is not None,
        here=len(room.members.by_fold),
        commands=(
            ("Claude Code", f"claude mcp add --transport http stateroom {quote(links.base + '/mcp')}"),
            ("Codex", f"codex mcp add stateroom --url {quote(links.base + '/mcp')}"),
        ),
        mcp=links.base + "/mcp",
        call=json.dumps(_arguments(code)),
        rest=f"curl {quote(rest['url'])} -H 'content-type: application/json' -d {quote(json.dumps(rest['body']))}",
    )


def join_shape(room: Room, code: str, links: Links) -> Shape:
    """What an agent needs to join by itself: the tool, where it is, and the same by REST (agent-room §3.3)."""
    ended = room.lifecycle.ended_at is not None
    return {
        "code": code,
        "topic": topic(room),
        "status": "ended" if ended else "active",
        "mcp": links.base + "/mcp",
        "tool": TOOL,
        "arguments": _arguments(code),
        "rest": _rest(code, links),
        "note": "Call the tool on the MCP server instead of reading this page. "
        "If you do not have the server, send the REST request. Put your own name in.",
        "room": links.room(code),
    }


def _arguments(code: str) -> Shape:
    return {"code": code, "name": NAME}


def _rest(code: str, links: Links) -> Shape:
    body = {"action": "join", "code": code, "participant": {"name": NAME, "role": "", "client": "cc"}}
    return {"method": "POST", "url": f"{links.base}/api/room", "body": body}
