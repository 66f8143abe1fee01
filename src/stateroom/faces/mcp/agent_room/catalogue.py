"""The eleven tools of the conversation, in the order of agent-room §9.1."""

from stateroom.faces.mcp.agent_room import admin, attachments, listening, minutes, rooms, speaking, task, watch
from stateroom.faces.mcp.tools import Tool

TOOLS: list[Tool] = [
    *rooms.CREATING,
    *speaking.TOOLS,
    *listening.TOOLS,
    *minutes.TOOLS,
    *rooms.GOING,
    *task.TOOLS,
    *admin.TOOLS,
    *watch.TOOLS,
    *attachments.TOOLS,
]
