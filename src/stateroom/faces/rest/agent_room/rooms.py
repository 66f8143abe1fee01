"""Rooms and seats: create, get, join, end, reactivate, sweep, the host's key, the room's policy (agent-room §3.3)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from stateroom.core import casting
from stateroom.core.lifecycle import EndRoom, ReactivateRoom, SetPolicy, changed
from stateroom.core.members import Member, same
from stateroom.core.policy import MAX_EXCHANGE_LIMIT, Identity, Policy, Proof, Recovery
from stateroom.core.refusals import HostNameTaken, NotHost
from stateroom.engine import conversation, projects
from stateroom.engine.conversation import Newcomer
from stateroom.engine.presence import Presence
from stateroom.engine.projects import ProjectPass
from stateroom.faces.heritage import heritage_shape
from stateroom.faces.rest.agent_room.asking import At, Door, InRoom, Proving
from stateroom.wire.agent_room.inbox import inbox
from stateroom.wire.agent_room.messages import KINDS
from stateroom.wire.agent_room.rooms import Seen, Shape, participant_shape, standing

Client = Literal["web", "cc"]
ExchangeLimit = Annotated[int, Meta(ge=0, le=MAX_EXCHANGE_LIMIT)]


class GivenPolicy(Struct):
    exchangeLimit: ExchangeLimit | None = None
    identity: Identity | None = None
    proof: Proof | None = None
    reviewSeconds: int | None = None
    recovery: Recovery | None = None

    def wish(self) -> SetPolicy:
        return SetPolicy(self.identity, self.exchangeLimit, self.proof, self.reviewSeconds, self.recovery)


class Create(Struct, kw_only=True):
    topic: str
    createdBy: str
    template: str | None = None
    policy: GivenPolicy | None = None
    projectId: str | None = None
    projectKey: str | None = None


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
    proof: Proof | None = None
    reviewSeconds: int | None = None
    recovery: Recovery | None = None


async def create(door: Door, ask: Create) -> Shape:
    """A room that goes by its code. Whoever made it has yet to join."""
    part_of = ProjectPass(ask.projectId, ask.projectKey or "") if ask.projectId else None
    wanted = (ask.topic, ask.createdBy, ask.template or "", _policy(ask.policy or GivenPolicy()))
    made = await conversation.create(door.engine, door.caller, *wanted, part_of)
    at = At(door.engine, door.links, door.caller, made.card)
    room = {**await at.room(), **await _heritage(at, "")}
    return {"room": room, "hostKey": made.host_key, "joinUrl": door.links.join(at.code)}


async def _heritage(at: At, role_brief: str) -> Shape:
    """What the room's project tells newcomers; empty where it has none."""
    found = await projects.heritage(at.engine, at.card)
    return heritage_shape(found, role_brief) if found else {}


def _policy(given: GivenPolicy) -> Policy:
    return changed(Policy(), given.wish())


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
    brief = await at.engine.view(at.card, lambda room: casting.brief(room.lifecycle.roles, room.members, member))
    if brief:
        told |= {"roleBrief": brief, "agentContext": f"## Your role\n\n{brief}"}
    if inherited := await _heritage(at, brief):
        told |= inherited
        told["room"] |= {name: inherited[name] for name in inherited if name != "agentContext"}
    now = at.engine.clock()
    told["standing"] = await at.engine.view(at.card, lambda room: standing(room, member, now))
    return told | await at.engine.view(at.card, lambda room: inbox(room, member.name))


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
    wish = SetPolicy(ask.identity, ask.exchangeLimit, ask.proof, ask.reviewSeconds, ask.recovery)
    await at.execute(wish, ask.requesterName, ask.keys)
    return {"room": await at.room()}


async def sweep(at: At, ask: Look) -> Shape:
    """Time has passed; what it has ended is said once, whoever asks first."""
    await at.engine.tick(at.card)
    return {"room": await at.room()}


async def verify_host_key(at: At, ask: Verify) -> Shape:
    """Whether this is the host's key. Only here, and in join, a wrong one is called a taken name (agent-room §3.3)."""
    try:
        await at.host("", conversation.Keys(host=ask.hostKey))
    except NotHost as refusal:
        raise HostNameTaken(name=refusal.facts["host"]) from None
    return {"ok": True}
