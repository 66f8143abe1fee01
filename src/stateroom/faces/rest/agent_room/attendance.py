"""Who is here, and who may speak: presence, leaving, muting (agent-room §3.3, §8)."""

from typing import Any

from stateroom.core.ids import Instant
from stateroom.core.members import Member
from stateroom.core.seats import MuteMember
from stateroom.engine import conversation
from stateroom.engine.presence import Presence
from stateroom.faces.rest.agent_room.asking import At, Proving
from stateroom.faces.rest.agent_room.errors import Malformed
from stateroom.faces.rest.agent_room.rooms import Client, Hosting, Look
from stateroom.wire.agent_room.messages import CLIENTS
from stateroom.wire.agent_room.rooms import Shape

STATES = {"listening": "listening", "online": "online", "idle": "stale", "away": "disconnected"}
"""What health calls the states of presence (agent-room §8)."""


class Remove(Hosting, kw_only=True):
    targetName: str
    targetClient: Client | None = None


class Mute(Hosting, kw_only=True):
    targetName: str
    muted: bool
    targetClient: Client | None = None


class Present(Proving, kw_only=True):
    name: str
    until: int | float
    """Epoch ms; a lease, so at most a minute from now. One in the past gives it back."""


class Seen(Proving, kw_only=True):
    name: str


async def remove(at: At, ask: Remove) -> Shape:
    """Leaving is silent for whoever is not here any more."""
    if not ask.targetName.strip():
        raise Malformed("targetName is empty.", "Name who is to go; to leave, your own name.")
    await conversation.leave(at.engine, at.caller, at.card, ask.requesterName, ask.targetName, ask.keys)
    return {"room": await at.room()}


async def set_muted(at: At, ask: Mute) -> Shape:
    await at.execute(MuteMember(ask.targetName, ask.muted), ask.requesterName, ask.keys)
    return {"room": await at.room()}


async def presence(at: At, ask: Present) -> Shape:
    """A client that polls says that it listens; it needs the seat's key where the seat has one (L12)."""
    member = await at.member(ask.name, ask.keys)
    at.engine.presence.claim(at.card.key, member.name, int(ask.until))
    return {}


async def update_presence(at: At, ask: Seen) -> Shape:
    """A sign of life. When that was is for the server to say."""
    member = await at.member(ask.name, ask.keys)
    at.engine.presence.stamp(at.card.key, member.name)
    return {"ok": True}


async def health(at: At, ask: Look) -> Shape:
    members = await at.engine.view(at.card, lambda room: list(room.members.by_fold.values()))
    found = await at.engine.presence.of(at.card.key, [member.name for member in members])
    now = at.engine.clock()
    return {"health": [_health(*pair, now) for pair in zip(members, found, strict=True)]}


def _health(member: Member, seen: Presence, now: Instant) -> dict[str, Any]:
    """Ages and remaining times in milliseconds; null where there is none."""
    return {
        "name": member.name,
        "client": CLIENTS[member.kind],
        "role": member.role,
        "state": STATES[seen.state],
        "lastSeenAgoMs": None if seen.last_seen is None else max(0, now - seen.last_seen),
        "listenRemainingMs": None if seen.listening_until is None else max(0, seen.listening_until - now),
    }
