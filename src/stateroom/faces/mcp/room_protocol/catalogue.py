"""All 44 tools, in the order of the catalogue (protocol §4.2)."""

from stateroom.faces.mcp.room_protocol import context, events, locks, plan, presence, reviews, rooms, variables
from stateroom.faces.mcp.tools import Tool

TOOLS: list[Tool] = [
    *plan.TOOLS[:6],
    *rooms.SUMMARY,
    *plan.TOOLS[6:],
    *context.WRITING,
    *rooms.INFO,
    *events.WAITING,
    *context.COMPARING,
    *rooms.ANALYTICS,
    *rooms.TEMPLATE_TOOLS,
    *events.TOOLS,
    *presence.TOOLS,
    *locks.TOOLS,
    *variables.TOOLS,
    *rooms.LISTING,
    *presence.LEAVING,
    *reviews.TOOLS,
]
