"""Who is here, under the Room Protocol's names."""

from typing import Any

from stateroom.core.ids import Name
from stateroom.core.lobby import RoomCard
from stateroom.engine.presence import Presence
from stateroom.faces.mcp.desk import Desk
from stateroom.faces.mcp.room_protocol.arguments import ByAgent, InRoom
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape
from stateroom.wire.times import iso_or_none


async def everybody(desk: Desk, card: RoomCard) -> list[Shape]:
    """AgentPresence of every known agent, in order of arrival. `lastSeen` is kept when offline (W-34)."""
    names: list[Name] = await desk.engine.view(card, lambda room: room.members.names())
    return [_shape(presence) for presence in await desk.engine.presence.of(card.key, names)]


def _shape(presence: Presence) -> Shape:
    status = "online" if presence.online else "offline"
    return {"agentId": presence.name, "status": status, "lastSeen": iso_or_none(presence.last_seen)}


async def heartbeat(desk: Desk, args: ByAgent) -> Shape:
    """Say that this agent is here; online for 120 s. Every other call that names it says so too."""
    card = await desk.enter(args.roomId, desk.me(args.agentId))
    return {"agentId": desk.me(args.agentId), "presence": await everybody(desk, card)}


async def get_presence(desk: Desk, args: InRoom) -> Any:
    """Every known agent: online or offline, and when last seen."""
    card = await desk.find(args.roomId)
    return await everybody(desk, card) if card else []


async def leave_room(desk: Desk, args: ByAgent) -> Shape:
    """Leave: forgotten as present; tasks, cursor and locks stay."""
    card = await desk.engine.enter(desk.caller, args.roomId)
    name = desk.me(args.agentId)
    await desk.engine.leave(desk.caller, card, name)
    remaining: list[Name] = await desk.engine.view(card, lambda room: room.members.names())
    return {"left": True, "agentId": name, "agents": remaining}


TOOLS = [Tool.of(heartbeat, ByAgent, idempotent=True), Tool.of(get_presence, InRoom, read_only=True)]
LEAVING = [Tool.of(leave_room, ByAgent, idempotent=True)]
