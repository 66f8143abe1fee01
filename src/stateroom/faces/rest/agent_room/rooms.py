"""Rooms and seats: create, get, join, end, reactivate, sweep, the host's key, the room's policy (agent-room §3.3)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from stateroom.core import roles
from stateroom.core.lifecycle import (
    EXCHANGE_LIMIT,
    MAX_EXCHANGE_LIMIT,
    EndRoom,
    Identity,
    Policy,
    ReactivateRoom,
    SetPolicy,
)
from stateroom.core.members import Member, same
from stateroom.core.refusals import HostNameTaken, NotHost
from stateroom.core.room import Tick
from stateroom.engine import conversation
from stateroom.engine.conversation import NO_KEYS, Newcomer
from stateroom.engine.presence import Presence
from stateroom.faces.rest.agent_room.asking import At, Door, InRoom, Proving
from stateroom.faces.rest.agent_room.errors import Malformed
from stateroom.wire.agent_room.messages import KINDS
from stateroom.wire.agent_room.rooms import Seen, Shape, participant_shape, standing

Client = Literal["web", "cc"]
ExchangeLimit = Annotated[int, Meta(ge=0, le=MAX_EXCHANGE_LIMIT)]


class GivenPolicy(Struct):
    exchangeLimit: ExchangeLimit | None = None
    identity: Identity | None = None


class Create(Struct, kw_only=True):
    topic: str
    createdBy: str
    template: str | None = None
    policy: GivenPolicy | None = None
    projectId: str | None = None


class GivenParticipant(Struct, kw_only=True):
    """Who wants to join; when it joined and was last seen is for the server to say."""

    name: str
    role: str | None = None
    color: str | None = None
    initials: str | None = None
    client: Client | None = None


class PriorIdentity(Struct, kw_only=True):
    name: str
    client: Client | None = None


class Join(Proving, kw_only=True):
    participant: GivenParticipant
    priorIdentity: PriorIdentity | None = None
    wantSeatKey: bool | None = None
    wantMemberKey: bool | None = None


class Hosting(Proving, kw_only=True):
    requesterName: str


class Look(InRoom):
    """Takes no more than the room's code."""


class Verify(InRoom, kw_only=True):
    hostKey: str


class ChangePolicy(Hosting, kw_only=True):
    exchangeLimit: ExchangeLimit | None = None
    identity: Identity | None = None


async def create(door: Door, ask: Create) -> Shape:
    """A room that goes by its code. Whoever made it has yet to join."""
    if ask.projectId:
        raise Malformed("Projects are not served here yet.", "Leave projectId out.")
    made = await conversation.create(
        door.engine, door.caller, ask.topic, ask.createdBy, ask.template or "", _policy(ask.policy or GivenPolicy())
    )
    at = At(door.engine, door.links, door.caller, made.card)
    return {"room": await at.room(), "hostKey": made.host_key, "joinUrl": door.links.join(at.code)}


def _policy(given: GivenPolicy) -> Policy:
    limit = EXCHANGE_LIMIT if given.exchangeLimit is None else given.exchangeLimit
    return Policy(given.identity or "", limit)


async def get(at: At, ask: Look) -> Shape:
    return {"room": await at.room()}


async def join(at: At, ask: Join) -> Shape:
    """Who asks for a key gets one; nobody else's seat is given one, because nobody else would send it (floor 5)."""
    offer = bool(ask.wantSeatKey or ask.wantMemberKey)
    who = await _newcomer(at, ask)
    joined = await conversation.join(at.engine, at.caller, at.card, who, ask.keys, offer=offer)
    member = joined.member
    told: Shape = {
        "room": await at.room(),
        "participant": await _participant(at, member),
        "renamed": not same(member.name, ask.participant.name),
        "joinUrl": at.links.join(at.code),
    }
    if joined.seat_key:
        told |= {"seatKey": joined.seat_key, "memberKey": joined.seat_key}
    if brief := roles.brief(member.role):
        told |= {"roleBrief": brief, "agentContext": f"## Your role\n\n{brief}"}
    now = at.engine.clock()
    return told | {"standing": await at.engine.view(at.card, lambda room: standing(room, member, now))}


async def _newcomer(at: At, ask: Join) -> Newcomer:
    given, prior = ask.participant, ask.priorIdentity
    name = given.name
    if prior is not None and await at.engine.view(at.card, lambda room: _numbered(room.members.find(prior.name), name)):
        name = prior.name
    return Newcomer(
        name=name,
        kind=KINDS[given.client or "cc"],
        role=given.role or "",
        color=given.color or "",
        initials=given.initials or "",
        returning=prior is not None and same(prior.name, name),
    )


def _numbered(member: Member | None, wanted: str) -> bool:
    """Whether it is here as `wanted (2)` or so, and comes back to that seat and not to a third (gap 42)."""
    if member is None:
        return False
    start, _, number = member.name.rpartition(" (")
    return same(start, wanted) and number.endswith(")") and number[:-1].isdecimal()


async def _participant(at: At, member: Member) -> Shape:
    found: list[Presence] = await at.engine.presence.of(at.card.key, [member.name])
    return participant_shape(member, Seen(found[0].last_seen, found[0].listening_until, found[0].state))


async def end(at: At, ask: Hosting) -> Shape:
    await at.execute(EndRoom(), ask.requesterName, ask.keys)
    return {"room": await at.room()}


async def reactivate(at: At, ask: Hosting) -> Shape:
    await at.execute(ReactivateRoom(), ask.requesterName, ask.keys)
    return {"room": await at.room()}


async def set_policy(at: At, ask: ChangePolicy) -> Shape:
    wish = SetPolicy(ask.identity, ask.exchangeLimit)
    await at.execute(wish, ask.requesterName, ask.keys)
    return {"room": await at.room()}


async def sweep(at: At, ask: Look) -> Shape:
    """Time has passed; what it has ended is said once, whoever asks first."""
    await at.execute(Tick(), "", NO_KEYS)
    return {"room": await at.room()}


async def verify_host_key(at: At, ask: Verify) -> Shape:
    """Whether this is the host's key. Only here, and in join, a wrong one is called a taken name (agent-room §3.3)."""
    try:
        await at.host("", conversation.Keys(host=ask.hostKey))
    except NotHost as refusal:
        raise HostNameTaken(name=refusal.facts["host"]) from None
    return {"ok": True}
