"""The rule of speaking: who may, what it is to the turn, and what follows (agent-room §5.2 for the order of checks).

A status note never uses up a turn or an invitation, is tagged as such in every mode, and passes the same gate of
membership and mute (gaps 52, 52b, 52c).
"""

from dataclasses import dataclass, field, replace

from stateroom.core import limits, marks, mentions, repair, seats, steps, turns
from stateroom.core.attachments import Attachments
from stateroom.core.floor import InvitationUsed, QueueShortened, TurnExtended, TurnPassed, TurnStarted
from stateroom.core.here import Event, Here
from stateroom.core.ids import Instant, Name, Position
from stateroom.core.lifecycle import Lifecycle
from stateroom.core.marks import Mark
from stateroom.core.members import Member, Members, same
from stateroom.core.messages import Messages
from stateroom.core.refusals import ExchangeClosed, Muted, NothingSaid, TooLong
from stateroom.core.speech import (
    MESSAGE_ATTACHMENTS,
    MESSAGE_CHARS,
    NO_ADDITION,
    ExchangePaused,
    InvocationType,
    MessageSaid,
    RoleAtSend,
    Say,
    Speaker,
    Speech,
    Standing,
)
from stateroom.core.steps import Stage
from stateroom.core.turns import Turn


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants to say, as far as the floor is concerned."""

    name: Name
    status: bool
    passes: bool
    """It is `__no_addition__`: the speaker has nothing to add."""
    concludes: bool
    """It carries a [RESULT]."""
    mentions: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Grant:
    """That it may be said, as what, and what follows on the floor."""

    role: RoleAtSend
    invocation: InvocationType = "normal_turn"
    facts: list[Event] = field(default_factory=list)
    stores: bool = True
    """False for a speaker that passes."""
    extends: bool = False
    degraded: bool = False


STATUS: tuple[RoleAtSend, InvocationType] = ("status", "status_update")


@dataclass(frozen=True, slots=True)
class Around:
    """The slices a message is said in."""

    lifecycle: Lifecycle
    members: Members
    messages: Messages
    attachments: Attachments
    speech: Speech


def say(around: Around, at: Stage, command: Say, here: Here) -> list[Event]:
    """Raises NotParticipant, Muted, NotYourTurn, ExchangeClosed, TooLong, NothingSaid, UnknownAttachment."""
    member = seats.speaker(around.members, here)
    if member.muted:
        raise Muted(name=member.name)
    text = repair.unescape(limits.text("text", command.text, MESSAGE_CHARS))
    if not text.strip() and not command.attachments:
        raise NothingSaid
    if len(command.attachments) > MESSAGE_ATTACHMENTS:
        size = len(command.attachments)
        raise TooLong(field="attachments", size=size, limit=MESSAGE_ATTACHMENTS, unit="files")
    found = marks.find(text)
    named = _mentioned(text, around.members)
    at, lapsed = steps.lapse(at) if at.mode != "open" else (at, [])
    grant = granted(at, _wanted(member, command, text, found, named), seats.speaks_freely(around.lifecycle, member))
    if not grant.stores:
        return [*lapsed, *grant.facts]
    limit = around.lifecycle.policy.exchange_limit
    counts = limit > 0 and member.kind == "agent" and grant.role != "status" and at.mode != "sequential"
    if counts and around.speech.paused:
        raise ExchangeClosed(count=around.speech.among_agents)
    standing = Standing(at.mode, grant.role, grant.invocation, _turn_id(at, grant), grant.extends, grant.degraded)
    said = MessageSaid(
        kind=command.kind,
        text=text,
        speaker=_speaker(member, here),
        standing=standing,
        reply_to=command.reply_to if around.messages.has(command.reply_to) else Position(0),
        marks=found,
        mentions=named,
        attachments=tuple(around.attachments.find(id) for id in command.attachments),
    )
    ends = counts and around.speech.among_agents + 1 >= limit
    return [*lapsed, said, *grant.facts, *([ExchangePaused(around.speech.among_agents + 1)] if ends else [])]


def _wanted(member: Member, command: Say, text: str, found: tuple[Mark, ...], named: tuple[Name, ...]) -> Wanted:
    status = command.kind == "status"
    return Wanted(
        name=member.name,
        status=status,
        passes=not status and text.strip() == NO_ADDITION,
        concludes=any(mark.kind == "result" for mark in found),
        mentions=named,
    )


def _mentioned(text: str, members: Members) -> tuple[Name, ...]:
    return tuple(Name(name) for name in mentions.find(text, members.names()).named)


def _speaker(member: Member, here: Here) -> Speaker:
    verified = seats.shows_key(member, here) or here.proof.bound
    return Speaker(member.kind, member.role, member.color, member.initials, verified)


def _turn_id(at: Stage, grant: Grant) -> Instant | None:
    """The turn it was said in, or the one it began."""
    begun = next((fact.turn for fact in grant.facts if isinstance(fact, TurnStarted)), None)
    turn = begun or (at.turn if at.running else None)
    return turn.id if turn is not None else None


def granted(at: Stage, wanted: Wanted, freely: bool) -> Grant:
    """Leave to say it, by the reply mode. Raises NotYourTurn."""
    if at.mode == "open":
        return Grant(*STATUS) if wanted.status else Grant("open")
    if at.mode == "moderator" and _moderates(at, wanted) and (at.running or not freely):
        return _as_moderator(at, wanted)
    if freely:
        return _as_person(at, wanted)
    turn = at.turn
    if at.mode == "sequential" and turn is not None and turn.running:
        if turn.has_floor(wanted.name):
            return _with_floor(at, turn, wanted)
        if same(turn.stand_in(at.now) or "", wanted.name):
            return _stepping_in(at, turn, wanted)
    if turn is not None and turn.running and (invitation := turn.invitation(wanted.name)):
        return _invited(turn, wanted, invitation)
    if at.mode == "moderator":
        return Grant(*STATUS, stores=not wanted.passes, degraded=not wanted.status)
    raise steps.refuse(at, wanted.name)


def _as_person(at: Stage, wanted: Wanted) -> Grant:
    if wanted.status:
        return Grant(*STATUS)
    _, facts = steps.answer_person(at)
    return Grant("human", facts=facts)


def _moderates(at: Stage, wanted: Wanted) -> bool:
    """The acting moderator, or the one it stands in for, which takes the floor back by speaking (gap 53)."""
    mine = same(at.moderator, wanted.name) or (bool(at.deputy) and same(at.config.moderator, wanted.name))
    return mine and any(same(name, wanted.name) for name in at.present)


def _as_moderator(at: Stage, wanted: Wanted) -> Grant:
    facts: list[Event] = []
    if not same(at.moderator, wanted.name):
        at, facts = steps.hand_back(at, wanted.name)
    if wanted.status:
        return Grant(*STATUS, facts)
    turn = at.turn
    if turn is None or turn.current is None:
        return Grant("moderator", facts=facts, stores=not wanted.passes)
    ending: turns.Ending = "no_addition" if wanted.passes else "replied"
    after = turns.give(turns.noted(turn, turn.current, ending, at.now), turn.current, at.config, at.now)
    facts = [*facts, TurnPassed(after, turn.current.name, turn.current.role, ending)]
    at = at.on(after)
    for name in wanted.mentions if not wanted.passes else ():
        if any(same(name, able) for able in at.able) and not same(name, wanted.name):
            at, invited = steps.invite(at, name, "moderator")
            facts += invited
    return Grant("moderator", facts=facts, stores=not wanted.passes)


def _with_floor(at: Stage, turn: Turn, wanted: Wanted) -> Grant:
    slot = turn.current
    assert slot is not None
    if wanted.status:
        after = turns.renewed(turn, at.now)
        return Grant(*STATUS, [TurnExtended(after)], extends=True)
    ending: turns.Ending = "no_addition" if wanted.passes else "replied"
    if wanted.concludes and slot.role in ("lead", "wrap"):
        after = turns.over(turns.noted(turn, slot, "replied", at.now))
    else:
        after = turns.passed(turn, ending, at.config, at.able, at.now)
    fact = TurnPassed(after, slot.name, slot.role, ending)
    return Grant(_spoken_as(slot.role), facts=[fact], stores=not wanted.passes)


def _spoken_as(role: turns.TurnRole) -> RoleAtSend:
    return role


def _stepping_in(at: Stage, turn: Turn, wanted: Wanted) -> Grant:
    """The lead is silent and its grace is over."""
    lead = turn.current
    assert lead is not None
    if wanted.status:
        return Grant(*STATUS)
    if wanted.passes:
        after = turns.without(turn, wanted.name)
        return Grant("supplement", facts=[QueueShortened(after, wanted.name)], stores=False)
    after = turns.stepped_in(turn, at.config, at.able, at.now)
    return Grant("supplement", facts=[TurnPassed(after, lead.name, lead.role, "skipped_by_grace")])


def _invited(turn: Turn, wanted: Wanted, invitation: turns.Invitation) -> Grant:
    if wanted.status:
        return Grant(*STATUS)
    left = tuple(one for one in turn.invited if one is not invitation)
    used: list[Event] = [InvitationUsed(replace(turn, invited=left), wanted.name)]
    by_host = invitation.source == "host"
    role: RoleAtSend = "host_directed" if by_host else "assignee"
    return Grant(role, "host_directed" if by_host else "moderator_assigned", used, stores=not wanted.passes)
