"""Lines of the transcript as messages (agent-room §4.3 to §4.5). Ids and times are the server's own (gaps 31, 59)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from stateroom.core import looks
from stateroom.core.attachments import Attachment
from stateroom.core.here import LogEntry
from stateroom.core.members import MemberKind
from stateroom.core.speech import MessageSaid
from stateroom.wire.agent_room.lines import system_line
from stateroom.wire.links import Links

Shape = dict[str, Any]
CLIENTS: dict[MemberKind, str] = {"human": "web", "agent": "cc"}
KINDS: dict[str, MemberKind] = {"web": "human", "cc": "agent"}
QUOTED_CHARS = 120
QUOTED_NAME_CHARS = 80
WITHDRAWN = "(withdrawn)"


@dataclass(frozen=True, slots=True)
class Transcript:
    """Lines ready to be shown: what they quote, and which of them were withdrawn."""

    entries: list[LogEntry]
    """In order, each with a line number."""
    quoted: Mapping[int, LogEntry]
    """By position: what the lines answer."""
    withdrawn: frozenset[int]
    total: int
    """How many lines there are in all."""
    rendered: dict[tuple[int, Links], Shape] = field(default_factory=dict, repr=False, compare=False)
    """Lines as a face has shown them already, by position: many are told the same."""

    @property
    def cursor(self) -> int:
        """How many lines a reader has who has read these."""
        return self.entries[-1].line if self.entries else self.total


def shapes(transcript: Transcript, code: str, links: Links) -> list[Shape]:
    return [message_shape(entry, transcript, code, links) for entry in transcript.entries]


def message_shape(entry: LogEntry, transcript: Transcript, code: str, links: Links) -> Shape:
    """A Message. Ours: `line`, the cursor of a reader who has this one; `verified`, whether the name was proven."""
    event = entry.event
    if entry.position in transcript.withdrawn:
        return _system(entry, "🗑️", "#6B7280", WITHDRAWN, {"eventType": "withdrawn"})
    if not isinstance(event, MessageSaid):
        line = system_line(entry)
        about = {"targetAgentName": line.target, "targetAgentClient": "cc"} if line.target else {}
        named = {"eventType": line.event} if line.event else {}
        return _system(entry, line.icon, line.color, line.text, {**named, **about, **line.more})
    shape = {
        "id": entry.position,
        "type": "msg",
        "name": entry.by,
        "initials": event.speaker.initials or looks.initials(entry.by),
        "color": event.speaker.color or looks.color(entry.by, "", ()),
        "role": event.speaker.role,
        "text": event.text,
        "client": CLIENTS[event.speaker.kind],
        "time": entry.at,
        "metadata": metadata(event),
        "line": entry.line,
        "verified": event.speaker.verified,
    }
    if event.attachments:
        shape["attachments"] = [attachment_shape(one, code, links) for one in event.attachments]
    if (quoted := transcript.quoted.get(event.reply_to)) is not None:
        shape["replyTo"] = quote(quoted, transcript.withdrawn)
    return shape


def _system(entry: LogEntry, icon: str, color: str, text: str, about: Shape) -> Shape:
    return {
        "id": entry.position,
        "type": "sys",
        "name": "system",
        "initials": icon,
        "color": color,
        "role": "",
        "text": text,
        "client": "cc",
        "time": entry.at,
        "metadata": about,
        "line": entry.line,
    }


def metadata(event: MessageSaid) -> Shape:
    standing = event.standing
    shape: Shape = {
        "modeAtSend": standing.mode,
        "roleAtSend": standing.role,
        "invocationType": standing.invocation,
    }
    if standing.turn is not None:
        shape["turnId"] = standing.turn
    if standing.extends_turn:
        shape["extendsTurn"] = True
    if standing.degraded:
        shape["degradedToStatus"] = True
    if event.mentions:
        shape["mentions"] = list(event.mentions)
    return shape


def quote(entry: LogEntry, withdrawn: Iterable[int] = ()) -> Shape:
    """What a line answers, cut short."""
    text = entry.event.text if isinstance(entry.event, MessageSaid) else system_line(entry).text
    shown = WITHDRAWN if entry.position in withdrawn else " ".join(text.split())[:QUOTED_CHARS]
    return {"id": entry.position, "name": (entry.by or "system")[:QUOTED_NAME_CHARS], "text": shown}


def attachment_shape(attachment: Attachment, code: str, links: Links) -> Shape:
    """A MessageAttachment; its text is read on request, not sent with every line."""
    shape: Shape = {
        "id": attachment.id,
        "type": "image" if attachment.mime.startswith("image/") else "file",
        "url": links.blob(code, attachment),
        "name": attachment.name,
        "size": attachment.size,
        "mime": attachment.mime,
        "uploadedAt": attachment.uploaded_at,
    }
    for name, value in (("width", attachment.width), ("height", attachment.height)):
        if value is not None:
            shape[name] = value
    return shape
