"""Shared variables under the Room Protocol's names."""

from typing import Annotated, Any

from msgspec import Meta

from stateroom.core.variables import SetVariable
from stateroom.faces.mcp.desk import Desk, size
from stateroom.faces.mcp.room_protocol.arguments import ByAgent, Id, InRoom, ShortText
from stateroom.faces.mcp.room_protocol.pages import Paged, clip, noted, page
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape

FRAME_BYTES = 100
LONG_BYTES = 6_000
CLIPPED = "Values of more than 6 KB are clipped: get_shared_var has each in full."


class SetVar(ByAgent, kw_only=True):
    key: ShortText
    value: Annotated[str, Meta(max_length=4096)]


class GetVar(InRoom, kw_only=True):
    key: Id


async def set_shared_var(desk: Desk, args: SetVar) -> Shape:
    """Set a small named string; last write wins. Values stay strings."""
    card = await desk.enter(args.roomId)
    await desk.wish(card, SetVariable(args.key, args.value), desk.me(args.agentId))
    return {"key": args.key, "value": args.value}


async def get_shared_var(desk: Desk, args: GetVar) -> Shape:
    """One variable; found tells unset from empty."""
    value = await desk.look(args.roomId, lambda room: room.variables.values.get(args.key))
    return {"key": args.key, "value": value, "found": value is not None}


async def list_shared_vars(desk: Desk, args: Paged) -> Any:
    """All variables."""
    values = await desk.look(args.roomId, lambda room: list(room.variables.values.items()))
    shown = page(desk, values, args, "list_shared_vars(", FRAME_BYTES, _short)
    whole = shown.items == values[args.offset : args.offset + len(shown.items)]
    note = " ".join(filter(None, (shown.note, "" if whole else CLIPPED)))
    return noted({"vars": dict(shown.items), "count": len(values)}, note)


def _short(item: tuple[str, str]) -> tuple[str, str]:
    """A variable whose value alone would not fit, clipped."""
    key, value = item
    return (key, clip(value)) if size(value) > LONG_BYTES else item


TOOLS = [
    Tool.of(set_shared_var, SetVar, idempotent=True),
    Tool.of(get_shared_var, GetVar, read_only=True),
    Tool.of(list_shared_vars, Paged, read_only=True),
]
