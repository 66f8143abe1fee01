"""Listening to a room: now, or as soon as there is something (agent-room §9.3, §9.4)."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from stateroom.core.members import Member
from stateroom.engine import listening
from stateroom.engine.conversation import Keys
from stateroom.engine.listening import Heard, WakeOn
from stateroom.faces.mcp.agent_room.arguments import Line, Looking
from stateroom.faces.mcp.agent_room.failures import answering
from stateroom.faces.mcp.agent_room.lines import AT_MOST, AT_MOST_SHORT, Part, fitting, following, mine
from stateroom.faces.mcp.agent_room.texts import ENDED, HEARD, KICKED
from stateroom.faces.mcp.agent_room.visits import Visit, visit
from stateroom.faces.mcp.agent_room.windows import DEFAULT_MS, Window, window
from stateroom.faces.mcp.desk import size
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.inbox import inbox, verdict_ids
from stateroom.wire.agent_room.rooms import standing

Shape = dict[str, Any]


class Listen(Looking, kw_only=True):
    since: Line
    timeoutMs: Annotated[int, Meta(extra_json_schema={"default": DEFAULT_MS})] | None = None
    wakeOn: Literal["any", "addressed"] = "any"
    full: bool = False


@answering()
async def room_listen(desk: Any, args: Listen) -> Any:
    """Lines after since (a cursor), waited for if there are none; timeoutMs: 0 only reads. wakeOn addressed waits for
    what concerns you; the rest comes with it. Go on from the cursor it returns. terminated: the room has ended, or you
    were removed."""
    there = await visit(desk, args.code, args.name, Keys(seat=args.seatKey))
    return await answer(there, args.since, window(desk.client, args.timeoutMs), args.wakeOn, whole=args.full)


async def answer(there: Visit, since: int, wait: Window, wake_on: WakeOn = "any", *, whole: bool = False) -> Any:
    """What one listen answers with. Raises NotParticipant, SeatKeyNeeded, BadCursor, Unavailable."""
    heard = await _wait(there, since, wait, wake_on)
    member = await there.view(lambda room: room.members.find(there.me))
    lines = heard.transcript
    quiet = heard.timed_out and not lines.entries
    frame = await _quiet(there, member) if quiet else await _frame(there, member, heard)
    if wait.cut:
        frame["timeoutMs"] = wait.ms  # the longest that this client is known to wait
    room_bytes = None if there.desk.answer_bytes is None else there.desk.answer_bytes - size(frame) - 300
    part = fitting(there, lines, since, room_bytes, whole=whole)
    if member is not None:
        there.desk.engine.presence.hear(there.card.key, member.name, part.cursor)
    if await mine(there, lines.entries[: len(part.messages)], member):
        frame["addressedYou"] = True
    return _told(there, heard, frame, part)


async def _wait(there: Visit, since: int, wait: Window, wake_on: WakeOn) -> Heard:
    if there.me and await there.view(lambda room: room.members.find(there.me)) is not None:
        await there.member()  # nobody listens in another's keyed seat (L12)
    most = AT_MOST if there.desk.answer_bytes is None else AT_MOST_SHORT
    ask = listening.Listen(since, there.me, wait.seconds, wake_on, most)
    return await listening.listen(there.desk.engine, there.card, ask)


async def _quiet(there: Visit, member: Member | None) -> Shape:
    """As little as possible: it comes again and again (L29)."""
    shape, waiting = await there.view(
        lambda room: (standing(room, member, there.desk.engine.clock()), verdict_ids(room, there.me) if member else {})
    )
    turn = {} if shape["replyMode"] == "open" else {"canISpeakNow": shape["canISpeakNow"]}
    return {"timedOut": True, **turn, **waiting}


async def _frame(there: Visit, member: Member | None, heard: Heard) -> Shape:
    if heard.terminated:
        ended = heard.terminated == "room_ended"
        status, hint = ("ended", ENDED) if ended else ("removed", KICKED)
        return {"terminated": heard.terminated, "listenStatus": status, "hint": hint}
    shape, waiting = await there.view(
        lambda room: (standing(room, member, there.desk.engine.clock()), inbox(room, there.me) if member else {})
    )
    late = {"timedOut": True} if heard.timed_out else {}
    return {**shape, "listenStatus": "active", **late, "hint": HEARD, **waiting}


def _told(there: Visit, heard: Heard, frame: Shape, part: Part) -> Any:
    shape: Shape = {"messages": part.messages, "cursor": part.cursor}
    if part.more:
        shape["more"] = part.more
    shape |= frame
    if part.messages and not heard.terminated:
        shape["nextAction"] = there.listen(part.cursor)
    note = following(there, part)
    return Cut(shape, note) if note else shape


TOOLS = [Tool.of(room_listen, Listen, waits=True)]
