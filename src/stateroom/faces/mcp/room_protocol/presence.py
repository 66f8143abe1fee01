"""Who is here, under the Room Protocol's names."""

from typing import Any

from stateroom.core.ids import Name
from stateroom.core.lobby import RoomCard
from stateroom.engine.presence import Presence
from stateroom.faces.mcp.desk import Desk
from stateroom.faces.mcp.room_protocol.arguments import ByAgent
from stateroom.faces.mcp.room_protocol.pages import Page, Paged, Pages, noted, page
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape
from stateroom.wire.times import iso_or_none

FRAME_BYTES = 200
"""What an answer takes beside its list of agents: one name, at most 128 characters."""


async def everybody(desk: Desk, card: RoomCard) -> list[Shape]:
    """AgentPresence of every known agent, in order of arrival. `lastSeen` is kept when offline (W-34)."""
    names: list[Name] = await desk.engine.view(card, lambda room: room.members.names())
    return [_shape(presence) for presence in await desk.engine.presence.of(card.key, names)]


async def company(desk: Desk, card: RoomCard, taken: int) -> Page:
    """Who is here, beside `taken` bytes of other things: those who are online first, if not all fit."""
    everyone = await everybody(desk, card)
    shown = page(desk, everyone, Pages(), "get_presence(", taken)
    if not shown.note:
        return shown
    online = sorted(everyone, key=lambda presence: presence["status"] != "online")
    kept = page(desk, online, Pages(), "", taken).items
    return Page(kept, f"{len(kept)} of {len(everyone)} agents: get_presence(offset: 0) has all of them.")


def _shape(presence: Presence) -> Shape:
    status = "online" if presence.online else "offline"
    return {"agentId": presence.name, "status": status, "lastSeen": iso_or_none(presence.last_seen)}


async def heartbeat(desk: Desk, args: ByAgent) -> Any:
    """Say that this agent is here; online for 120 s. Every other call that names it says so too."""
    card = await desk.enter(args.roomId, desk.me(args.agentId))
    here = await company(desk, card, FRAME_BYTES)
    return noted({"agentId": desk.me(args.agentId), "presence": here.items}, here.note)


async def get_presence(desk: Desk, args: Paged) -> Any:
    """Every known agent: online or offline, and when last seen."""
    card = await desk.find(args.roomId)
    shown = page(desk, await everybody(desk, card) if card else [], args, "get_presence(")
    return noted(shown.items, shown.note)


async def leave_room(desk: Desk, args: ByAgent) -> Any:
    """Leave: forgotten as present; tasks, cursor and locks stay."""
    card = await desk.engine.enter(desk.caller, args.roomId)
    name = desk.me(args.agentId)
    await desk.engine.leave(desk.caller, card, name)
    remaining: list[Name] = await desk.engine.view(card, lambda room: room.members.names())
    shown = page(desk, remaining, Pages(), "", FRAME_BYTES)
    more = f"{len(shown.items)} of {len(remaining)} agents: get_presence(offset: 0) has all of them."
    return noted({"left": True, "agentId": name, "agents": shown.items}, more if shown.note else "")


TOOLS = [Tool.of(heartbeat, ByAgent, idempotent=True), Tool.of(get_presence, Paged, read_only=True)]
LEAVING = [Tool.of(leave_room, ByAgent, idempotent=True)]
