"""The conversation's way through the engine: a room is made, somebody joins, speaks, goes. The rules are the core's.

Keys are drawn here, shown once, and go on as digests only.
"""

from dataclasses import dataclass

from stateroom.core import limits
from stateroom.core.here import LogEntry
from stateroom.core.ids import Position
from stateroom.core.lifecycle import TOPIC_CHARS, OpenRoom
from stateroom.core.lobby import LOBBY, RegisterRoom, RoomCard, RoomRegistered
from stateroom.core.members import Member, MemberKind, MemberSeated, same
from stateroom.core.policy import Policy, check_policy
from stateroom.core.project import Project
from stateroom.core.seats import RemoveMember, TakeSeat
from stateroom.core.speech import MessageSaid, Say, SecretsRedacted
from stateroom.engine import projects
from stateroom.engine.access import Caller, key_digest
from stateroom.engine.clock import fresh_key
from stateroom.engine.engine import Engine
from stateroom.engine.execute import Wish
from stateroom.engine.playbooks import start
from stateroom.engine.projects import ProjectPass
from stateroom.engine.transcript import page


@dataclass(frozen=True, slots=True)
class Created:
    card: RoomCard
    host_key: str
    """Told this once; the room has its digest."""


@dataclass(frozen=True, slots=True)
class Keys:
    """What a caller sends along to prove itself; empty is not sent."""

    host: str = ""
    seat: str = ""


NO_KEYS = Keys()


@dataclass(frozen=True, slots=True)
class Newcomer:
    """How somebody wants to appear."""

    name: str
    kind: MemberKind = "agent"
    role: str = ""
    color: str = ""
    initials: str = ""
    returning: bool = False
    """It says that it was here before, under this name."""


@dataclass(frozen=True, slots=True)
class Joined:
    member: Member
    renamed: bool
    seat_key: str
    """The seat's key, if it is a new one or the one that was shown; empty if the seat has another or none."""


@dataclass(frozen=True, slots=True)
class SaidSo:
    """What became of something said."""

    entries: list[LogEntry]
    line: LogEntry | None
    """The message; None for a speaker that passed."""
    redacted: int
    replayed: bool = False


async def create(
    engine: Engine,
    caller: Caller,
    topic: str,
    host: str,
    template: str = "",
    policy: Policy | None = None,
    project: ProjectPass | None = None,
) -> Created:
    """A new room that goes by its code, perhaps begun from a template or playbook, perhaps part of a project. Its
    creator has yet to join. Raises BadName, TooLong, BadPolicy, UnknownTemplate, ProjectKeyWrong."""
    name = limits.name(host)
    limits.text("topic", topic, TOPIC_CHARS)
    check_policy(policy or Policy())
    chosen = await start(engine, caller, template) if template else None  # what can be refused, before a room is made
    part_of = await projects.admitted(engine, caller, project) if project else Project()
    registering = RegisterRoom(caller.team, "", engine.codes())
    outcome = await engine.executor.execute(LOBBY, Wish(registering, via=caller.via))
    made = next(entry.event for entry in outcome.entries if isinstance(entry.event, RoomRegistered))
    card = RoomCard(made.key, made.team, made.room_id, made.code, outcome.entries[-1].at)
    key = fresh_key()
    titled = topic.strip() or (chosen.topic if chosen else "") or "Untitled"
    whose = (key_digest(key), caller.credential, policy or Policy(), part_of.id, part_of.name)
    opening = OpenRoom(card.room_id, card.code, card.team, titled, name, *whose)
    if part_of.id:  # first, so that no room of a project is unknown to it
        await projects.attach(engine, caller, part_of, card)
    await engine.execute(caller, card, opening)
    if chosen is not None:
        await engine.execute(caller, card, chosen.applied(), proof=caller.proof(key))
    return Created(card, key)


async def join(
    engine: Engine, caller: Caller, card: RoomCard, who: Newcomer, keys: Keys = NO_KEYS, *, offer: bool = True
) -> Joined:
    """Take a seat, or come back to one. With `offer`, a seat that has no key gets one.

    Raises BadName, HostNameTaken, RoomHasEnded, Unavailable.
    """
    wanted = limits.name(engine.speaks_as(caller, who.name))
    key = fresh_key() if offer else ""
    taking = TakeSeat(who.kind, who.role, who.color, who.initials, key_digest(key) if key else "", who.returning)
    wish = Wish(taking, wanted, caller.via, proof=caller.proof(keys.host, keys.seat))
    outcome = await engine.executor.execute(card.key, wish)  # no sign of life of whoever has the wanted name
    seated = next((entry.event for entry in outcome.entries if isinstance(entry.event, MemberSeated)), None)
    known = None if seated else await engine.view(card, lambda room: room.members.find(wanted))
    member = seated.member if seated else known
    assert member is not None
    engine.presence.stamp(card.key, member.name)
    shown = next((one for one in (key, keys.seat) if one and key_digest(one) == member.seat), "")
    return Joined(member, not same(member.name, wanted), shown)


async def say(
    engine: Engine, caller: Caller, card: RoomCard, name: str, saying: Say, keys: Keys = NO_KEYS, request_id: str = ""
) -> SaidSo:
    """Speak. Raises what `core.saying` refuses, and Unavailable."""
    by = engine.speaks_as(caller, name)
    proof = caller.proof(keys.host, keys.seat)
    outcome = await engine.execute(caller, card, saying, by, request_id, proof)
    line = next((entry for entry in outcome.entries if isinstance(entry.event, MessageSaid)), None)
    redacted = sum(entry.event.count for entry in outcome.entries if isinstance(entry.event, SecretsRedacted))
    return SaidSo(outcome.entries, line, redacted, outcome.replayed)


async def leave(
    engine: Engine, caller: Caller, card: RoomCard, name: str, target: str = "", keys: Keys = NO_KEYS
) -> bool:
    """Leave, or (as host) put somebody else out. Whether anybody was there to go. Raises NotHost, NotParticipant."""
    by = engine.speaks_as(caller, name)
    going = RemoveMember(target or by)
    outcome = await engine.executor.execute(
        card.key, Wish(going, by, caller.via, "", caller.proof(keys.host, keys.seat))
    )
    if outcome.entries:
        await engine.presence.leave(card.key, going.target)
        engine.timers.expect(card.key, await engine.view(card, lambda room: room.next_due()))
    return bool(outcome.entries)


@dataclass(frozen=True, slots=True)
class Unread:
    """What a member has not been given yet: how many lines, and the first that is addressed to it."""

    lines: list[LogEntry]
    """Without its own; up to 1,000 log entries on."""
    heard: int
    """The line after which they begin."""


async def unread(engine: Engine, card: RoomCard, member: Member, until: Position | None = None) -> Unread:
    """Some lines of others after what was delivered to this member. Raises Unavailable."""
    heard = await engine.presence.heard(card.key, member.name)
    found = await page(engine, card, heard)
    others = [entry for entry in found if not same(entry.by, member.name) and (until is None or entry.position < until)]
    return Unread(others, heard)
