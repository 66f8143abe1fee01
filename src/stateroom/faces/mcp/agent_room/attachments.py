"""Reading a file of the room: its text, or the picture itself (agent-room §9.3, §14; gap 23)."""

import base64
from typing import Annotated, Any

from msgspec import Meta

from stateroom.core.attachments import Attachment
from stateroom.core.here import LogEntry
from stateroom.core.refusals import UnknownAttachment
from stateroom.core.speech import MessageSaid
from stateroom.engine import attachments
from stateroom.engine.reading import newest
from stateroom.engine.transcript import complete
from stateroom.faces.mcp.agent_room.arguments import InRoom, Line
from stateroom.faces.mcp.agent_room.failures import answering, failed
from stateroom.faces.mcp.agent_room.visits import Visit, visit
from stateroom.faces.mcp.desk import beginning, fit, size
from stateroom.faces.mcp.results import Cut, Shown
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.messages import attachment_shape, message_shape

Shape = dict[str, Any]
DEFAULT_CHARS = 12_000
SHOWN_BYTES = 1024 * 1024
"""The largest picture that is put into an answer."""
PICTURES = ("image/png", "image/jpeg", "image/jpg", "image/webp", "image/gif")
CANDIDATES = 20
LINE_CHARS = 200


class ReadFile(InRoom, kw_only=True):
    id: str = ""
    url: str = ""
    name: str = ""
    maxChars: Annotated[int, Meta(ge=1_000, le=30_000, extra_json_schema={"default": DEFAULT_CHARS})] | None = None
    offset: Line = 0


@answering(ok=False)
async def room_attachment_read(desk: Any, args: ReadFile) -> Any:
    """Read an attachment by id, url or name: its text (PDF, DOCX, XLSX and ZIP listings too), from offset on, or the
    picture."""
    there = await visit(desk, args.code)
    name = "" if args.name == desk.caller.member else args.name  # a bound endpoint fills in who calls
    try:
        found = await attachments.by_reference(desk.engine, there.card, args.id or args.url or name)
    except UnknownAttachment as refusal:
        return failed(refusal, ok=False, candidates=await _candidates(there))
    shape = {
        "ok": True,
        "attachment": attachment_shape(found, there.card.code, desk.links),
        "message": await _message(there, found),
    }
    if found.mime in PICTURES:
        return await _picture(there, found, shape)
    return await _text(there, found, shape, args)


async def _candidates(there: Visit) -> list[Shape]:
    """What is there instead, newest first."""
    found = await attachments.newest(there.desk.engine, there.card, CANDIDATES)
    named = [{"id": one.id, "name": one.name, "mime": one.mime} for one in found]
    return fit(named, None if there.desk.answer_bytes is None else there.desk.answer_bytes // 2)


async def _message(there: Visit, found: Attachment) -> Shape:
    """The message it came with, in short; the newest if there were several."""

    def carries(entry: LogEntry) -> bool:
        return isinstance(entry.event, MessageSaid) and any(one.id == found.id for one in entry.event.attachments)

    lines = await newest(there.desk.engine, there.card, 1, carries)
    if not lines:
        return {}
    quoting = await complete(there.desk.engine, there.card, lines)
    shape = message_shape(lines[0], quoting, there.card.code, there.desk.links)
    slim = {name: shape[name] for name in ("id", "name", "client", "time", "text")}
    return {**slim, "text": slim["text"][:LINE_CHARS]}


async def _picture(there: Visit, found: Attachment, shape: Shape) -> Any:
    told = {**shape, "source": "image_url"}
    if found.size > SHOWN_BYTES:
        return {**told, "warning": f"The picture takes {found.size} bytes: open its url."}
    data = base64.b64encode(await attachments.data(there.desk.engine, found)).decode()
    mime = "image/jpeg" if found.mime == "image/jpg" else found.mime
    return Shown(told, [{"type": "image", "data": data, "mimeType": mime}])


async def _text(there: Visit, found: Attachment, shape: Shape, args: ReadFile) -> Any:
    """Its text from `offset` on: what was asked for, or as much as a short answer holds."""
    whole = await attachments.text(there.desk.engine, found)
    told = {**shape, "source": "stored_extractedText" if whole else "unsupported", **_warning(found, whole)}
    if not whole:
        return told
    text = whole[args.offset : args.offset + (args.maxChars or DEFAULT_CHARS)]
    if args.maxChars is None and there.desk.answer_bytes is not None:
        text = beginning(text, there.desk.answer_bytes - size(told) - 400)
    end = args.offset + len(text)
    told = {**told, "text": text, "chars": len(whole)}
    if end >= len(whole):
        return told
    call = f'room_attachment_read(code: "{there.card.code}", id: "{found.id}", offset: {end})'
    return Cut({**told, "more": len(whole) - end}, f"{len(whole) - end} more characters: {call}.")


def _warning(found: Attachment, text: str) -> Shape:
    if found.problem:
        return {"warning": found.problem}
    return {} if text else {"warning": "No text was found in it: open its url."}


TOOLS = [Tool.of(room_attachment_read, ReadFile, read_only=True)]
