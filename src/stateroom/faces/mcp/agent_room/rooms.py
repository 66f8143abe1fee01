"""Making a room, joining it, leaving it, ending it (agent-room §9.1, §9.3)."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from stateroom.core import casting
from stateroom.core.lifecycle import EndRoom
from stateroom.core.members import Member, fold
from stateroom.core.memory import BUDGET_CHARS
from stateroom.core.refusals import UnknownRoom
from stateroom.engine import conversation, projects, transcript
from stateroom.engine.conversation import Joined, Keys, Newcomer
from stateroom.engine.presence import Presence
from stateroom.engine.projects import ProjectPass
from stateroom.faces.heritage import heritage_shape
from stateroom.faces.mcp.agent_room import listening
from stateroom.faces.mcp.agent_room.arguments import InRoom
from stateroom.faces.mcp.agent_room.failures import answering
from stateroom.faces.mcp.agent_room.lines import slim
from stateroom.faces.mcp.agent_room.texts import CREATED, JOINED, LEFT, NOT_HERE, OLDER
from stateroom.faces.mcp.agent_room.visits import Visit, acting, visit
from stateroom.faces.mcp.agent_room.windows import kind, window
from stateroom.faces.mcp.desk import beginning, fit, size
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.inbox import inbox
from stateroom.wire.agent_room.messages import CLIENTS
from stateroom.wire.agent_room.rooms import standing
from stateroom.wire.roles import roles_shape

Shape = dict[str, Any]
RECENT = 20
TEXT_BYTES = 2_000
"""Of one recent message: a look back, not the message itself."""
BRIEF_BYTES, ROLES_BYTES = 1_200, 1_500
MEMORY_CHARS, BRIEF_CHARS = 1_500, 600
"""Of a project's memory and brief in a short answer, where each stands twice: by itself, and in the context."""


class Greeting(Struct, kw_only=True):
    name: str
    role: str = ""
    listenAfterJoin: bool = False
    listenTimeoutMs: Annotated[int, Meta(ge=0)] | None = None


class Create(Greeting, kw_only=True):
    topic: str
    template: str = ""
    projectId: str = ""
    projectKey: str = ""


class Join(Greeting, kw_only=True):
    code: Annotated[str, Meta(min_length=1)]
    hostKey: str = ""
    seatKey: str = ""


class Leave(InRoom, kw_only=True):
    name: str = ""
    seatKey: str = ""


class End(InRoom, kw_only=True):
    name: str = ""
    hostKey: str = ""
    seatKey: str = ""


@answering()
async def room_create(desk: Any, args: Create) -> Any:
    """Make a room about a topic, perhaps from a template or playbook, and join it as its host. Returns the code others
    join with, hostKey and seatKey."""
    part_of = ProjectPass(args.projectId, args.projectKey) if args.projectId else None
    wanted = (args.topic, desk.me(args.name), args.template)
    made = await conversation.create(desk.engine, desk.caller, *wanted, project=part_of)
    there = Visit(desk, desk.caller, made.card, desk.me(args.name), Keys(host=made.host_key))
    joined = await _sit(there, args)
    topic, cursor = await there.view(lambda room: (room.lifecycle.topic, room.lines))
    desk.engine.presence.hear(there.card.key, joined.member.name, cursor)
    shape = {
        "code": made.card.code,
        "topic": topic,
        "cursor": cursor,
        "joinUrl": desk.links.join(made.card.code),
        "hostKey": made.host_key,
        "seatKey": joined.seat_key,
        **await _casting(there, joined.member),
        "autoWatchStarted": False,
        "clientKind": kind(desk.client),
        **await _inherited(there, ""),
        "hint": CREATED,
        "nextAction": there.listen(cursor),
    }
    return await _listened(there, args, shape)


@answering()
async def room_join(desk: Any, args: Join) -> Any:
    """Join a room by its code, or come back to your seat with seatKey. Returns who is here, what was said last, and
    the cursor to listen from. A name that is taken gets a number: act under assignedName."""
    there = await visit(desk, args.code, args.name, Keys(args.hostKey, args.seatKey))
    seats = await there.view(lambda room: {fold(one.name) for one in room.members.by_fold.values() if one.seated})
    joined = await _sit(there, args)
    back = fold(joined.member.name) in seats
    there = await visit(desk, args.code, joined.member.name, Keys(args.hostKey, joined.seat_key))
    here = await _around(there, joined.member)
    shape = {
        "code": there.card.code,
        **here,
        "assignedName": joined.member.name,
        "renamed": joined.renamed,
        "canSpeak": not joined.member.muted,
        **await _casting(there, joined.member),
        **({"seatKey": joined.seat_key} if joined.seat_key else {}),
        "joinUrl": desk.links.join(there.card.code),
        "autoWatchStarted": False,
        "clientKind": kind(desk.client),
        "hint": JOINED,
    }
    shape |= await _inherited(there, shape["roleBrief"])
    return await _listened(there, args, await _caught_up(there, joined.member, shape, back=back))


async def _sit(there: Visit, args: Greeting) -> Joined:
    who = Newcomer(there.me, role=args.role)
    return await conversation.join(there.desk.engine, there.caller, there.card, who, there.keys)


async def _casting(there: Visit, member: Member) -> Shape:
    """What the member is here for, and which roles a room that was started from a playbook wants taken."""
    brief, wanted = await there.view(
        lambda room: (casting.brief(room.lifecycle.roles, room.members, member), roles_shape(room))
    )
    told = {"roleBrief": brief if there.desk.answer_bytes is None else beginning(brief, BRIEF_BYTES)}
    shown = fit(wanted, there.desk.answer_bytes and ROLES_BYTES)
    more = {"moreRoles": len(wanted) - len(shown)} if len(shown) < len(wanted) else {}
    return {**told, "roles": shown, **more} if wanted else told


async def _inherited(there: Visit, role_brief: str) -> Shape:
    """What the room's project tells newcomers; empty where it has none. A short answer has less of it, and says so."""
    short = there.desk.answer_bytes is not None
    found = await projects.heritage(there.desk.engine, there.card, MEMORY_CHARS if short else BUDGET_CHARS)
    if found is None:
        return {}
    return heritage_shape(found, role_brief, BRIEF_CHARS if short else None)


async def _around(there: Visit, member: Member) -> Shape:
    """The room as somebody finds it who comes in."""
    now = there.desk.engine.clock()
    topic, stands, members = await there.view(
        lambda room: (room.lifecycle.topic, standing(room, member, now), list(room.members.by_fold.values()))
    )
    waiting = await there.view(lambda room: inbox(room, member.name))
    room_bytes = None if there.desk.answer_bytes is None else there.desk.answer_bytes // 2 - size(waiting) // 2
    seen = await there.desk.engine.presence.of(there.card.key, [one.name for one in members])
    shown = fit((_participant(one, seen) for one, seen in zip(members, seen, strict=True)), room_bytes)
    more = {"moreParticipants": len(members) - len(shown)} if len(shown) < len(members) else {}
    return {"topic": topic, **stands, **waiting, "participants": shown, **more}


def _participant(member: Member, seen: Presence) -> Shape:
    shape = {
        "name": member.name,
        "role": member.role,
        "client": CLIENTS[member.kind],
        "canSpeak": not member.muted,
        "presence": seen.state,
    }
    return {**shape, "listenUntil": seen.listening_until} if seen.listening_until else shape


async def _caught_up(there: Visit, member: Member, shape: Shape, *, back: bool) -> Any:
    """With what was said last, and a cursor after which nothing is missed.

    A newcomer begins behind the last line. Whoever comes back goes on where it was, unless it is all here (trap 10).
    """
    heard = await there.desk.engine.presence.heard(there.card.key, member.name)
    room_bytes = None if there.desk.answer_bytes is None else there.desk.answer_bytes - size(shape) - 400
    recent, first, total = await _recent(there, room_bytes)
    cursor = heard if back and heard < first - 1 else total
    there.desk.engine.presence.hear(there.card.key, member.name, cursor)
    older = {"olderCount": first - 1, "digestHint": OLDER} if first > 1 else {}
    left = {"unread": total - cursor} if cursor < total else {}
    return {**shape, "cursor": cursor, "recentMessages": recent, **older, **left, "nextAction": there.listen(cursor)}


async def _recent(there: Visit, room_bytes: int | None) -> tuple[list[Shape], int, int]:
    """The newest lines that fit, oldest first; the first line from which on all are here whole; how many there are."""
    lines = await transcript.newest(there.desk.engine, there.card, RECENT)
    kept: list[Shape] = []
    first = lines.total + 1
    for entry in reversed(lines.entries):
        shape = slim(entry, lines, there)
        if room_bytes is not None and (room_bytes := room_bytes - size(shape) - 1) < 0:
            break
        kept.append(shape)
        first = entry.line
    return kept[::-1], first, lines.total


async def _listened(there: Visit, args: Greeting, shape: Shape) -> Any:
    """The same answer, after a first listen in the same call if that was asked for."""
    if not args.listenAfterJoin:
        return shape
    wait = window(there.desk.client, args.listenTimeoutMs)
    begun = there.desk.engine.clock()
    heard = await listening.answer(there, shape["cursor"], wait)
    note, heard = (heard.note, heard.value) if isinstance(heard, Cut) else ("", heard)
    took = {"initialListenMs": there.desk.engine.clock() - begun}
    parts = ("messages", "cursor", "more", "terminated")
    told = {**shape, **took, **{name: heard[name] for name in parts if name in heard}}
    told["nextAction"] = there.listen(told["cursor"])
    return Cut(told, note) if note else told


@answering(left=False)
async def room_leave(desk: Any, args: Leave) -> Any:
    """Leave a room. Your tasks, and what you said, stay."""
    try:
        there = await visit(desk, args.code, args.name, Keys(seat=args.seatKey))
    except UnknownRoom:
        return {"left": True, "code": args.code[:64], "wasHere": False, "hint": NOT_HERE}  # it never fails for that
    gone = await conversation.leave(desk.engine, there.caller, there.card, there.me, keys=there.keys)
    return {"left": True, "code": there.card.code, "wasHere": gone, "hint": LEFT if gone else NOT_HERE}


@answering(ok=False)
async def room_end(desk: Any, args: End) -> Any:
    """End a room for everybody (host: give hostKey). It can still be read and reopened."""
    there = await acting(desk, args)
    await there.wish(EndRoom())
    return {"ended": True, "code": there.card.code}


CREATING = [Tool.of(room_create, Create, waits=True), Tool.of(room_join, Join, waits=True)]
GOING = [
    Tool.of(room_leave, Leave, idempotent=True),
    Tool.of(room_end, End, destructive=True, idempotent=True),
]
