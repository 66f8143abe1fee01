"""Turns: how the room takes them, who is given the word, who is skipped (agent-room §3.3, §5)."""

from typing import Any, Literal

from msgspec import Struct

from stateroom.core.floor import Invite, MemberInvited, SetMode, SkipSpeaker, TurnPassed
from stateroom.core.here import LogEntry
from stateroom.faces.rest.agent_room.asking import At
from stateroom.faces.rest.agent_room.errors import Malformed
from stateroom.faces.rest.agent_room.rooms import Client, Hosting, Look
from stateroom.wire.agent_room.rooms import Shape, read_mode_config, spoken_shape, turn_shape

ANNOUNCED = ("mode_changed", "lead_changed", "moderator_changed", "host_invoked", "skipped_by_host")
"""What clients announce after they have done it. The server has said so itself by then, once (gap 50)."""


class SetReplyMode(Hosting, kw_only=True):
    mode: str
    config: dict[str, Any] | None = None


class Target(Struct, kw_only=True):
    name: str
    client: Client | None = None


class DirectInvoke(Hosting, kw_only=True):
    target: Target
    source: Literal["host", "moderator"]


class AboutLine(Struct, kw_only=True):
    eventType: str


class SystemLine(Struct, kw_only=True):
    metadata: AboutLine


class SystemMessage(Hosting, kw_only=True):
    message: SystemLine


async def set_reply_mode(at: At, ask: SetReplyMode) -> Shape:
    await at.execute(SetMode(ask.mode, read_mode_config(ask.config)), ask.requesterName, ask.keys)
    return {"room": await at.room()}


async def direct_invoke(at: At, ask: DirectInvoke) -> Shape:
    """By the host, or without any key by the acting moderator (gap 37)."""
    wish = Invite(ask.target.name, ask.source)
    outcome = await at.execute(wish, ask.requesterName, ask.keys)
    return {"added": any(isinstance(entry.event, MemberInvited) for entry in outcome.entries)}


async def skip_current(at: At, ask: Hosting) -> Shape:
    outcome = await at.execute(SkipSpeaker(), ask.requesterName, ask.keys)
    return {"skipped": next(filter(None, map(passed, outcome.entries)), None)}


def passed(entry: LogEntry) -> Shape | None:
    """The TurnSpokenEntry of somebody whose slot has ended; None for any other fact."""
    event = entry.event
    if not isinstance(event, TurnPassed) or event.turn is None:
        return None
    spoken = [one for one in event.turn.spoken if one.name == event.name and one.ending == event.ending]
    return spoken_shape(spoken[-1]) if spoken else None


async def turn_state(at: At, ask: Look) -> Shape:
    """The record of a finished turn stays until the next begins; null where there never was one."""
    turn = await at.engine.view(at.card, lambda room: room.floor.turn)
    return {"turnState": None if turn is None else turn_shape(turn)}


async def system_message(at: At, ask: SystemMessage) -> Shape:
    """Never makes a line: what clients announce has been said, and nobody writes system lines but the server (L11)."""
    await at.host(ask.requesterName, ask.keys)
    if ask.message.metadata.eventType not in ANNOUNCED:
        named = ask.message.metadata.eventType[:80]
        raise Malformed(f"{named!r} is nothing that a client announces.", "Use send; the server writes system lines.")
    return {}
