"""Speaking in a room: a message or a status note, with files and replies (agent-room §9.3, §14)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from stateroom.core import mentions
from stateroom.core.ids import Position
from stateroom.core.speech import MessageSaid, Say
from stateroom.engine import conversation
from stateroom.engine.conversation import SaidSo
from stateroom.engine.transcript import complete
from stateroom.faces.mcp.agent_room.arguments import Acting, Line
from stateroom.faces.mcp.agent_room.failures import answering
from stateroom.faces.mcp.agent_room.files import File, UploadFailed, stored
from stateroom.faces.mcp.agent_room.lines import Part, fitting
from stateroom.faces.mcp.agent_room.texts import PAUSED, SENT
from stateroom.faces.mcp.agent_room.visits import Visit, acting
from stateroom.faces.mcp.desk import size
from stateroom.faces.mcp.results import Cut, Failed
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.messages import metadata

Shape = dict[str, Any]
Attached = Annotated[File, Meta(extra_json_schema={"required": ["name", "mime", "content_base64"]})]
TOLD = ("roleAtSend", "turnId", "extendsTurn", "degradedToStatus")
FRAME_BYTES = 800
"""What an answer takes beside what became of the message and the lines: hint, next call, the top line."""


class Send(Acting, kw_only=True):
    text: str
    kind: Literal["message", "status"] = "message"
    role: str = ""
    replyTo: Line = 0
    attachments: list[Attached] = msgspec.field(default_factory=list)


@answering(sent=False)
async def room_send(desk: Any, args: Send) -> Any:
    """Say something; kind status notes progress and takes no turn. @Name calls a member; [DECISION] [TODO] [STATUS]
    [RESULT] mark what follows; the text __no_addition__ passes your turn. The answer has what you have not read."""
    there = await acting(desk, args)
    try:
        files = await stored(there, args.attachments) if args.attachments else ()
    except UploadFailed as failure:
        return Failed(failure.shape)
    saying = Say(args.text, args.kind, Position(args.replyTo), files)
    said = await conversation.say(desk.engine, there.caller, there.card, args.name, saying, there.keys, args.requestId)
    shape = {"sent": True, "appended": said.line is not None, **await _became(there, said, args)}
    return await _caught_up(there, said, shape)


async def _became(there: Visit, said: SaidSo, args: Send) -> Shape:
    """What the message was to the room."""
    event = said.line.event if said.line is not None else None
    if said.line is None or not isinstance(event, MessageSaid):
        mode = await there.view(lambda room: room.floor.mode)
        return {"reason": "no_addition", "metadata": {"modeAtSend": mode, "invocationType": "normal_turn"}}
    about, paused, names = metadata(event), *await there.view(lambda room: (room.speech.paused, room.members.names()))
    shape = {"id": said.line.position, **{name: about[name] for name in TOLD if name in about}}
    if args.kind == "status":
        shape["extendsTurn"] = event.standing.extends_turn
    unknown = mentions.find(event.text, names).unknown
    found = {
        "redacted": said.redacted,
        "unmatchedMentions": [name[:128] for name in unknown],
        "exchangePaused": paused,
        "replayed": said.replayed,
    }
    return shape | {name: value for name, value in found.items() if value}


async def _caught_up(there: Visit, said: SaidSo, shape: Shape) -> Any:
    """With the lines of others that the sender has not been given, as many as fit, and a cursor after which nothing is
    missed: its own line only if everything before it is here (L04, L06)."""
    member = await there.member()
    own = said.line
    waiting = await conversation.unread(there.desk.engine, there.card, member, own.position if own else None)
    lines = await complete(there.desk.engine, there.card, waiting.lines)
    left = None if there.desk.answer_bytes is None else there.desk.answer_bytes - size(shape) - FRAME_BYTES
    part = fitting(there, lines, waiting.heard, left)
    rest = waiting.lines[len(part.messages) :]
    behind = max(waiting.heard, own.line if own else 0, part.cursor)
    cursor = part.cursor if rest else behind
    there.desk.engine.presence.hear(there.card.key, member.name, cursor)
    told = {**shape, "cursor": cursor, "messages": part.messages, "unread": len(rest), **await there.top(rest, member)}
    told |= {"hint": PAUSED if shape.get("exchangePaused") else SENT, "nextAction": there.listen(cursor)}
    return _noted(told, part, len(rest), there)


def _noted(told: Shape, part: Part, rest: int, there: Visit) -> Any:
    call = f'room_listen(code: "{there.card.code}", since: {part.cursor}, timeoutMs: 0)'
    note = " ".join(filter(None, (part.note, f"{rest} more unread lines: {call}." if rest else "")))
    return Cut(told, note) if note else told


TOOLS = [Tool.of(room_send, Send)]
