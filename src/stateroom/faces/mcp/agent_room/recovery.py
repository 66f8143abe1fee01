"""Tool calls that a model has printed into a message: carried out as if it had made them (agent-room §16.1, gap 94).

In its own name, in this room, through the same tools, with nothing it has not shown itself: a text can do nothing that
its sender could not. Host actions are left out, and nothing waits.
"""

from dataclasses import replace
from typing import Any

import msgspec

from stateroom.core import leaks
from stateroom.core.leaks import Call, Leaks, Tools
from stateroom.core.lobby import read_code
from stateroom.core.members import same
from stateroom.core.refusals import Refusal
from stateroom.core.repair import unescape
from stateroom.faces.mcp.agent_room.admin import Administer
from stateroom.faces.mcp.agent_room.attachments import ReadFile
from stateroom.faces.mcp.agent_room.failures import name_of
from stateroom.faces.mcp.agent_room.listening import Listen
from stateroom.faces.mcp.agent_room.rooms import End, Join
from stateroom.faces.mcp.agent_room.visits import Visit
from stateroom.faces.mcp.agent_room.watch import Watch
from stateroom.faces.mcp.arguments import ALIASES, NAME_ARGUMENTS, TWINS, BadArguments, decode
from stateroom.faces.mcp.desk import Desk, beginning, size
from stateroom.faces.mcp.results import Content, Cut, Failed, Shown
from stateroom.faces.mcp.tools import Tool
from stateroom.log.seam import Unavailable

Shape = dict[str, Any]
ROOM_ARGUMENTS = ("code", "roomId")
RESULTS_BYTES = 3_000
"""Of all results and refusals together."""
LEAST_BYTES = 60
REQUEST_ID_CHARS = 128
AT_ONCE: Shape = {"timeoutMs": 0, "listenAfterJoin": False, "peek": True}
"""Arguments that let a tool wait, or take what its answer may be too short to hold, and what they are here."""
HOST_ONLY = "Actions of the host are carried out only when they are really called."
DELIVERING = ("get_my_summary",)
"""What delivers events once: its answer needs the place of a whole one."""
LEFT_OUT = "Joining, watching and reading what comes once are done only by a real call."
HEARD_HERE = "The messages of this very answer are those that you have not read."
ELSEWHERE = "It is about another room than the one the message was sent to."
SOMEBODY_ELSE = "It names another member than the one that sent the message."
_UNREADABLE = (BadArguments, msgspec.MsgspecError, UnicodeEncodeError, OverflowError)


async def printed(there: Visit, text: str) -> Leaks:
    """The calls in a text, each with the arguments that it lacks, and what is left to be said. Nothing where the room
    leaves texts as they are, or where this very text was a printed call's."""
    tools = there.desk.tools
    if tools is None or await there.view(lambda room: room.lifecycle.policy.recovery == "off"):
        return Leaks((), text)

    def taken(name: str, arguments: Shape) -> Shape | None:
        tool = tools.find(name)
        return _completed(tool, arguments, there) if tool is not None else None

    known = Tools(tools.names, taken)
    found = leaks.find(text, known)
    if found.calls or (meant := unescape(text)) == text:
        return found
    found = leaks.find(meant, known)
    return found if found.calls else Leaks((), text)


def _completed(tool: Tool, arguments: Shape, there: Visit) -> Shape | None:
    """The arguments with who and where the sender is, under the tool's own names; None if they do not fit the tool.

    Names that the tool does not know are forgiven in a call that is made, and a doubt in one that is only printed."""
    fields = {str(field.encode_name): field.type for field in msgspec.structs.fields(tool.arguments)}
    named: Shape = {}
    for name, value in arguments.items():
        ours = next(
            (one for one in (name, ALIASES.get(name), TWINS.get(ALIASES.get(name, name))) if one in fields), None
        )
        if ours is None or ours in named:
            return None
        named[ours] = _typed(value, fields[ours])
    own = {name: value for name, value in _own(there).items() if name in fields and not named.get(name)}
    return named | own if _read(tool, named | own) is not None else None


def _own(there: Visit) -> Shape:
    """What a call need not say, because the message it stood in has said it."""
    own = {**dict.fromkeys(ROOM_ARGUMENTS, there.card.code), **dict.fromkeys(NAME_ARGUMENTS, there.me)}
    return own | ({"seatKey": there.keys.seat} if there.keys.seat else {})


def _typed(value: Any, wanted: Any) -> Any:
    """A text where the tool takes none is read as what it says: tags have all values as text."""
    if not isinstance(value, str):
        return value
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        try:
            return msgspec.json.decode(value.strip().lower() if value.strip() in ("True", "False") else value)
        except _UNREADABLE:
            pass
    return value


def _read(tool: Tool, arguments: Shape) -> Any:
    """The tool's argument struct, read the way every call's is; None if the arguments do not fit."""
    try:
        return decode(tool, msgspec.json.encode(arguments), {})
    except _UNREADABLE:
        return None


async def carried_out(there: Visit, calls: tuple[Call, ...], request_id: str) -> list[Shape]:
    """What became of each call, in their order. A failure of one does not stop the next."""
    room_bytes = RESULTS_BYTES // max(1, len(calls))
    outcomes: list[Shape] = []
    for number, call in enumerate(calls, 1):
        id = f"{request_id}.{number}" if request_id and len(request_id) < REQUEST_ID_CHARS - 3 else ""
        outcomes.append({"tool": call.tool, **await _carried_out(there, call, id, room_bytes)})
    return outcomes


async def _carried_out(there: Visit, call: Call, request_id: str, room_bytes: int) -> Shape:
    assert there.desk.tools is not None
    tool = there.desk.tools.find(call.tool)
    assert tool is not None
    arguments = _read(tool, call.arguments)
    if wrong := _not_allowed(arguments, call, there):
        return _no("skipped" if wrong == LEFT_OUT else "not_authorized", wrong, room_bytes)
    if isinstance(arguments, Listen):  # it would pass over lines that its part of this answer has no place for
        return {"ok": True, "message": HEARD_HERE}
    try:
        value = await tool.run(_desk(there.desk), _at_once(arguments, request_id))
    except Refusal as refusal:
        return _no(name_of(refusal), str(refusal), room_bytes)
    except Unavailable as failure:
        return _no("store_unavailable", str(failure), room_bytes)
    return _outcome(value, room_bytes)


def _not_allowed(arguments: Any, call: Call, there: Visit) -> str:
    """Why a call is not carried out though it could be made; empty if it is."""
    said = call.arguments
    if isinstance(arguments, Administer | End) or said.get("hostKey"):
        return HOST_ONLY
    if isinstance(arguments, Join | Watch) or call.tool in DELIVERING:
        return LEFT_OUT
    if not all(_here(name, said.get(name), there) for name in ROOM_ARGUMENTS):
        return ELSEWHERE
    names = () if isinstance(arguments, ReadFile) else NAME_ARGUMENTS  # there a name is a file's
    return SOMEBODY_ELSE if any(said.get(name) and not same(said[name], there.me) for name in names) else ""


def _here(name: str, room: str | None, there: Visit) -> bool:
    """Whether a call is about the room the message was sent to: to a guest, an id names a room of its own team."""
    if room is None:
        return True
    if name == "roomId" and there.caller.guest:
        return False
    return room == there.card.room_id or read_code(room) == there.card.code


def _desk(desk: Desk) -> Desk:
    """Without tools of its own: what is said this way is not looked through again."""
    return replace(desk, tools=None, answer_bytes=RESULTS_BYTES)


def _at_once(arguments: Any, request_id: str) -> Any:
    """The arguments, so that nothing waits, and a repeated message does nothing twice."""
    fields = arguments.__struct_fields__
    changes: Shape = {name: value for name, value in AT_ONCE.items() if name in fields}
    changes |= {"requestId": request_id} if request_id and not getattr(arguments, "requestId", True) else {}
    return msgspec.structs.replace(arguments, **changes)


def _outcome(value: Any, room_bytes: int) -> Shape:
    """A tool's answer in short."""
    if isinstance(value, Failed):
        return _no(str(value.value.get("error", "refused")), str(value.value.get("message", "")), room_bytes)
    if isinstance(value, Cut | Shown):
        value = value.value
    if isinstance(value, Content):
        return {"ok": True, "cut": True}
    if size(value) <= room_bytes:
        return {"ok": True, "result": value}
    return {"ok": True, "result": _slim(value, room_bytes), "cut": True}


def _slim(value: Any, room_bytes: int) -> Any:
    """The small parts of an object, in its order, as many as fit."""
    kept: Shape = {}
    for name, part in value.items() if isinstance(value, dict) else ():
        takes = size({name: part})
        if takes <= room_bytes:
            kept[name] = part
            room_bytes -= takes
    return kept


def _no(error: str, message: str, room_bytes: int) -> Shape:
    return {"ok": False, "error": error, "message": beginning(message, max(room_bytes, LEAST_BYTES))}
