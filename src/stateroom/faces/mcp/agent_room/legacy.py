"""Names the tools had before, accepted for ever and never listed (agent-room §9.2)."""

from typing import Any

import msgspec

from stateroom.faces.mcp.agent_room import catalogue
from stateroom.faces.mcp.tools import Tool

TOOLS = {tool.name: tool for tool in catalogue.TOOLS}

OLD: dict[str, tuple[str, dict[str, Any]]] = {
    "room_status": ("room_send", {"kind": "status"}),
    "room_list_messages": ("room_listen", {"timeoutMs": 0}),
    "room_export": ("room_minutes", {"export": True}),
    "room_unwatch": ("room_watch", {"enabled": False}),
    "room_reactivate": ("room_admin", {"action": "reactivate"}),
    "room_set_mode": ("room_admin", {"action": "set_mode"}),
    "room_direct_invoke": ("room_admin", {"action": "invoke"}),
    "room_skip_current": ("room_admin", {"action": "skip"}),
    "room_task_delete": ("room_task", {"action": "cancel"}),
    **{
        f"room_task_{action}": ("room_task", {"action": action})
        for action in ("list", "create", "claim", "submit", "verify", "reassign", "cancel", "reopen")
    },
}
"""Old name -> the tool, and the arguments that the old name stands for."""
DEFAULTS: dict[str, dict[str, Any]] = {"room_list_messages": {"since": 0}}
"""What the old tool did not ask for."""


def _old(name: str, tool: Tool, preset: dict[str, Any]) -> Tool:
    """The tool under an old name: what the name stands for is not asked for, and can not be said otherwise."""
    defaults = {**DEFAULTS.get(name, {}), **preset}
    fields = [(field, Any, value) for field, value in defaults.items()]
    arguments = msgspec.defstruct(f"{tool.arguments.__name__}_{name}", fields, bases=(tool.arguments,), kw_only=True)

    async def run(desk: Any, args: Any) -> Any:
        return await tool.run(desk, msgspec.structs.replace(args, **preset))

    run.__name__, run.__doc__ = name, tool.description
    return Tool.of(run, arguments, waits=tool.waits, read_only=tool.read_only, destructive=tool.destructive)


LEGACY = [_old(name, TOOLS[tool], preset) for name, (tool, preset) in OLD.items() if tool in TOOLS]
