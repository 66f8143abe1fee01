"""Seats: who may speak under which name (design §7 "Identity", agent-room §2.7).

Authority follows the seat, not the display name. A name that is taken, or looks like one that is, is given a number;
the host's is refused. Whoever comes back keeps its seat: by its key, by a credential bound to the name, or by its word
where the credential vouches for it (gaps 42, 43).
"""

import hmac
from dataclasses import dataclass
from difflib import get_close_matches

from stateroom.core import limits, looks
from stateroom.core.here import Command, Event, Here
from stateroom.core.ids import Name, Position
from stateroom.core.lifecycle import Lifecycle
from stateroom.core.members import (
    Member,
    MemberKind,
    MemberLeft,
    MemberMuted,
    MemberRemoved,
    Members,
    MemberSeated,
    MemberUnmuted,
    fold,
    same,
)
from stateroom.core.policy import Policy
from stateroom.core.refusals import HostNameTaken, NotParticipant, SeatKeyNeeded

ROLE_CHARS = 200
LOOK_CHARS = 32
NEAREST = 3


@dataclass(frozen=True, slots=True)
class TakeSeat(Command):
    """Join the conversation, under the name that asks or the nearest one that is free."""

    kind: MemberKind = "agent"
    role: str = ""
    color: str = ""
    initials: str = ""
    offer: str = ""
    """SHA-256 of a seat key made for this call; it becomes the seat's unless that has one already."""
    returning: bool = False
    """It says that it was here before, under this name."""


@dataclass(frozen=True, slots=True)
class RemoveMember(Command):
    """Leave, or put somebody out. Others are removed by the host only."""

    target: str


@dataclass(frozen=True, slots=True)
class MuteMember(Command):
    """Take somebody's voice, or give it back. Host only."""

    target: str
    muted: bool = True


def take(lifecycle: Lifecycle, members: Members, command: TakeSeat, here: Here) -> list[Event]:
    limits.text("role", command.role, ROLE_CHARS)
    limits.text("color", command.color, LOOK_CHARS)
    limits.text("initials", command.initials, LOOK_CHARS)
    name = _name(lifecycle, members, command, here)
    known = members.find(name)
    others = [member.color for member in members.by_fold.values() if member is not known]
    member = Member(
        name=name,
        joined_at=known.joined_at if known else here.now,
        joined_position=known.joined_position if known else Position(0),
        kind=command.kind,
        role=command.role or (known.role if known else ""),
        color=looks.color(name, command.color or (known.color if known else ""), others),
        initials=command.initials or (known.initials if known else "") or looks.initials(name),
        muted=known.muted if known else fold(name) in members.silenced,
        seated=True,
        seat=(known.seat if known else "") or command.offer,
    )
    return [] if member == known else [MemberSeated(member)]


def _name(lifecycle: Lifecycle, members: Members, command: TakeSeat, here: Here) -> Name:
    """The name the caller gets. Raises BadName, HostNameTaken."""
    wanted = limits.name(here.by)
    member = members.find(wanted)
    if lifecycle.host and _look_alike(wanted, lifecycle.host):
        proven = lifecycle.hosted_by(here) or (member is not None and shows_key(member, here))
        if not proven or not same(wanted, lifecycle.host):
            raise HostNameTaken(name=wanted)
        return lifecycle.host
    if member is not None and _comes_back(member, command, lifecycle.policy, here):
        return member.name
    return _free(members, wanted)


def _look_alike(one: str, other: str) -> bool:
    return same(one, other) or looks.skeleton(fold(one)) == looks.skeleton(fold(other)) != ""


def _comes_back(member: Member, command: TakeSeat, policy: Policy, here: Here) -> bool:
    """Whether the seat is the caller's own. A word is good only for a seat of its kind: a person is no agent of the
    same name (agent-room §2.7)."""
    if shows_key(member, here):
        return True
    says_so = command.returning and command.kind == member.kind
    if not here.proof.vouched:
        return says_so and member.seated and not member.seat
    own = here.proof.bound or not member.seated or says_so
    return own and not (member.seat and policy.identity == "keyed")


def _free(members: Members, wanted: Name) -> Name:
    """The name, or `name (2)`, `name (3)`, … until nobody has it or looks as if."""
    seen = {looks.skeleton(folded) or folded for folded in members.by_fold}
    number, name = 1, wanted
    while fold(name) in members.by_fold or (looks.skeleton(fold(name)) or fold(name)) in seen:
        number += 1
        suffix = f" ({number})"
        name = Name(wanted[: limits.NAME_CHARS - len(suffix)] + suffix)
    return name


def shows_key(member: Member, here: Here) -> bool:
    """Whether the caller has shown this seat's key."""
    return bool(member.seat and here.proof.seat) and hmac.compare_digest(member.seat, here.proof.seat)


def check_key(lifecycle: Lifecycle, members: Members, here: Here) -> None:
    """Whoever acts under a name that has a keyed seat must show the key, unless its credential vouches for the name
    and the room's policy does not ask for more. The host's seat is proven by what proves the host, too: who has lost
    its key is not locked out (gap 43). Raises SeatKeyNeeded."""
    member = members.find(here.by)
    if member is None or not member.seat or lifecycle.policy.identity == "asserted":
        return
    vouched = here.proof.vouched and lifecycle.policy.identity != "keyed"
    hosts = same(member.name, lifecycle.host) and lifecycle.hosted_by(here)
    if not vouched and not hosts and not shows_key(member, here):
        raise SeatKeyNeeded(name=member.name)


def participant(members: Members, name: str) -> Member:
    """The member of this name. Raises NotParticipant with the three nearest names (agent-room §20 gap 38)."""
    member = members.find(name)
    if member is None:
        close = get_close_matches(fold(name)[: limits.NAME_CHARS], members.by_fold, NEAREST, cutoff=0.4)
        nearest = ", ".join(members.by_fold[folded].name for folded in close)
        told = f" The nearest names here are: {nearest}." if nearest else ""
        raise NotParticipant(name=name[: limits.NAME_CHARS] or "Nobody", nearest=told)
    return member


def speaker(members: Members, here: Here) -> Member:
    """Who asks, as a member. A guest speaks from its seat only: a name that others act under needs no key, so it could
    be taken by saying it. Raises NotParticipant."""
    member = participant(members, here.by)
    if not member.seated and not here.proof.vouched:
        raise NotParticipant(name=member.name, nearest="")
    return member


def remove(lifecycle: Lifecycle, members: Members, command: RemoveMember, here: Here) -> list[Event]:
    target = members.find(command.target)
    if same(here.by, command.target):
        return [MemberLeft(target.name)] if target else []
    lifecycle.must_be_host(here)
    return [MemberRemoved(participant(members, command.target).name)]


def mute(lifecycle: Lifecycle, members: Members, command: MuteMember, here: Here) -> list[Event]:
    lifecycle.must_be_host(here)
    target = participant(members, command.target)
    if target.muted == command.muted:
        return []
    return [MemberMuted(target.name) if command.muted else MemberUnmuted(target.name)]


def speaks_freely(lifecycle: Lifecycle, member: Member) -> bool:
    """Whether no turn ever holds this member back: people, and the host under whatever client (agent-room §1)."""
    return member.kind == "human" or same(member.name, lifecycle.host)


def able(lifecycle: Lifecycle, members: Members) -> list[Name]:
    """Who may be given a turn, in order of joining: seated agents that are not muted, without the host."""
    return [m.name for m in members.seated_agents() if not m.muted and not same(m.name, lifecycle.host)]
