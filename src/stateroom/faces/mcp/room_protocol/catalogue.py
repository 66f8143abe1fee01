"""All 44 tools, in the order of the catalogue (protocol §4.2)."""

from stateroom.faces.mcp.room_protocol import (
    comparing,
    context,
    events,
    inbox,
    locks,
    plan,
    presence,
    reviews,
    rooms,
    summary,
    variables,
)
from stateroom.faces.mcp.tools import Tool

TOOLS: list[Tool] = [
    *plan.TOOLS[:6],
    *summary.TOOLS,
    *plan.TOOLS[6:],
    *context.TOOLS,
    *comparing.HISTORY,
    *rooms.INFO,
    *inbox.WAITING,
    *comparing.DIFF,
    *rooms.ANALYTICS,
    *rooms.TEMPLATE_TOOLS,
    *events.POSTING,
    *inbox.READING,
    *events.ANSWERING,
    *presence.TOOLS,
    *locks.TOOLS,
    *variables.TOOLS,
    *rooms.LISTING,
    *presence.LEAVING,
    *reviews.TOOLS,
]
