"""Speaking in a room: a message or a status note, with files and replies (agent-room §9.3, §14)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from stateroom.core import mentions
from stateroom.core.ids import Position
from stateroom.core.refusals import NotParticipant
from stateroom.core.speech import MessageSaid, Say
from stateroom.engine import conversation
from stateroom.engine.conversation import SaidSo
from stateroom.engine.transcript import complete
from stateroom.faces.mcp.agent_room.arguments import Acting, Line
from stateroom.faces.mcp.agent_room.failures import answering
from stateroom.faces.mcp.agent_room.files import File, UploadFailed, stored
from stateroom.faces.mcp.agent_room.lines import Part, fitting
from stateroom.faces.mcp.agent_room.recovery import carried_out, printed
from stateroom.faces.mcp.agent_room.texts import PAUSED, RECOVERED, SENT
from stateroom.faces.mcp.agent_room.visits import Visit, acting
from stateroom.faces.mcp.desk import size
from stateroom.faces.mcp.results import Cut, Failed
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.inbox import verdicts
from stateroom.wire.agent_room.messages import metadata

Shape = dict[str, Any]
Attached = Annotated[File, Meta(extra_json_schema={"required": ["name", "mime", "content_base64"]})]
TOLD = ("roleAtSend", "turnId", "extendsTurn", "degradedToStatus")
NOTHING = SaidSo([], None, 0)
FRAME_BYTES = 1_100
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
    found = await printed(there, args.text)
    if found.calls:
        await there.member()  # a stranger's calls are refused as its words are, before anything is done
    said = NOTHING
    shape: Shape = {"sent": False, "appended": False}
    if found.text or args.attachments or not found.calls:
        try:
            said, shape = await _said(there, msgspec.structs.replace(args, text=found.text))
        except UploadFailed as failure:
            return Failed(failure.shape)
    if not found.calls:
        return await _caught_up(there, said, shape) if desk.tools is not None else shape
    shape["recovered"] = await carried_out(there, found.calls, args.requestId)
    try:
        return await _caught_up(there, said, shape)
    except NotParticipant:  # it has left with one of the calls
        return {**shape, "hint": RECOVERED}


async def _said(there: Visit, args: Send) -> tuple[SaidSo, Shape]:
    """What was said, and what became of it. Raises Refusal, UploadFailed, Unavailable."""
    files = await stored(there, args.attachments) if args.attachments else ()
    saying = Say(args.text, args.kind, Position(args.replyTo), files)
    engine = there.desk.engine
    said = await conversation.say(engine, there.caller, there.card, args.name, saying, there.keys, args.requestId)
    return said, {"sent": True, "appended": said.line is not None, **await _became(there, said, args)}


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
    shape |= await there.view(lambda room: verdicts(room, member.name))
    left = None if there.desk.answer_bytes is None else there.desk.answer_bytes - size(shape) - FRAME_BYTES
    part = fitting(there, lines, waiting.heard, left)
    rest = waiting.lines[len(part.messages) :]
    behind = max(waiting.heard, own.line if own else 0, part.cursor)
    cursor = part.cursor if rest else behind
    there.desk.engine.presence.hear(there.card.key, member.name, cursor)
    told = {**shape, "cursor": cursor, "messages": part.messages, "unread": len(rest), **await there.top(rest, member)}
    hint = " ".join(((RECOVERED,) if "recovered" in shape else ()) + (PAUSED if shape.get("exchangePaused") else SENT,))
    told |= {"hint": hint, "nextAction": there.listen(cursor)}
    return _noted(told, part, len(rest), there)


def _noted(told: Shape, part: Part, rest: int, there: Visit) -> Any:
    call = f'room_listen(code: "{there.card.code}", since: {part.cursor}, timeoutMs: 0)'
    note = " ".join(filter(None, (part.note, f"{rest} more unread lines: {call}." if rest else "")))
    return Cut(told, note) if note else told


TOOLS = [Tool.of(room_send, Send)]
