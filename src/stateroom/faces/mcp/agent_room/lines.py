"""Lines of the transcript, slim, and as many of them as an answer holds (agent-room §9.4, trap 8).

A line is never lost by being cut: whole lines come in order, the cursor is that of the last one, and one line that is
too large alone comes shortened under its id, with the call that has it whole.
"""

from dataclasses import dataclass

from stateroom.core.here import LogEntry
from stateroom.core.members import Member
from stateroom.core.speech import MessageSaid
from stateroom.core.views.waking import addressed
from stateroom.faces.mcp.agent_room.visits import Visit
from stateroom.faces.mcp.desk import beginning, size
from stateroom.wire.agent_room.messages import Shape, Transcript, message_shape

AT_MOST = 1_000
"""Lines of one answer, however small they are."""
AT_MOST_SHORT = 200
"""Of a short one: more than it can hold."""
LEAST_BYTES = 200
ALWAYS = ("id", "type", "name", "client", "text", "time")
IF_GIVEN = ("role", "attachments", "replyTo", "verified")


@dataclass(frozen=True, slots=True)
class Part:
    """The lines an answer holds."""

    messages: list[Shape]
    cursor: int
    """The last of them, or where the reader was."""
    more: int
    """How many follow."""
    note: str = ""
    """What is not whole, and the call that has it."""


def slim(entry: LogEntry, transcript: Transcript, visit: Visit) -> Shape:
    """A message without what only a page needs. Ours: `kind` of a status note, `event` and `for` of a system line."""
    place = (entry.position, visit.desk.links)
    if (known := transcript.rendered.get(place)) is None:
        known = transcript.rendered[place] = _slimmed(entry, transcript, visit)
    return known


def _slimmed(entry: LogEntry, transcript: Transcript, visit: Visit) -> Shape:
    shape = message_shape(entry, transcript, visit.card.code, visit.desk.links)
    slimmed = {name: shape[name] for name in ALWAYS} | {name: shape[name] for name in IF_GIVEN if shape.get(name)}
    about = shape["metadata"]
    if shape["type"] == "sys":
        named = {"event": about.get("eventType"), "for": about.get("targetAgentName")}
        return slimmed | {name: value for name, value in named.items() if value}
    if isinstance(entry.event, MessageSaid) and entry.event.standing.role == "status":
        slimmed["kind"] = "status"
    return slimmed


def fitting(visit: Visit, transcript: Transcript, since: int, room_bytes: int | None, *, whole: bool = False) -> Part:
    """As many leading lines as fit into so many bytes, at least one; that one shortened unless `whole`."""
    kept: list[Shape] = []
    cursor, note = since, ""
    for entry in transcript.entries[:AT_MOST]:
        shape = slim(entry, transcript, visit)
        if room_bytes is not None:
            takes = size(shape) + 1
            if takes > room_bytes and kept:
                break
            if takes > room_bytes and not whole:
                shape, note = shortened(shape, room_bytes), _whole(visit, entry)
                takes = size(shape) + 1
            room_bytes -= takes
        kept.append(shape)
        cursor = entry.line
    return Part(kept, cursor, transcript.total - cursor, note)


def shortened(shape: Shape, room_bytes: int) -> Shape:
    """A line whose text is cut so that all of it takes about so many bytes. Ours: `cut`."""
    bare = {**shape, "text": "", "cut": True}
    return {**bare, "text": beginning(shape["text"], max(room_bytes - size(bare), LEAST_BYTES))}


def _whole(visit: Visit, entry: LogEntry) -> str:
    call = f'room_listen(code: "{visit.card.code}", since: {entry.line - 1}, timeoutMs: 0, full: true)'
    return f"Message {entry.position} is cut: {call} has it whole."


def following(visit: Visit, part: Part) -> str:
    """What an answer has left out, as a note; empty if nothing."""
    after = f'room_listen(code: "{visit.card.code}", since: {part.cursor}, timeoutMs: 0)'
    more = f"{part.more} more lines follow: {after}." if part.more else ""
    return " ".join(filter(None, (part.note, more)))


async def mine(visit: Visit, entries: list[LogEntry], member: Member | None) -> bool:
    """Whether one of these lines is addressed to the member."""
    if member is None or not entries:
        return False
    found: bool = await visit.view(lambda room: any(addressed(entry, member, room) for entry in entries))
    return found
