"""Who takes part. A member becomes known by its first act; there is no separate sign-up (protocol §1).

Who joins the conversation takes a *seat* besides: a kind, a role, a look, and a key that proves it. The rules of
seats are in `seats`.
"""

import unicodedata
from dataclasses import dataclass, field, replace
from typing import Literal

from stateroom.core import limits
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, Position
from stateroom.core.refusals import NotParticipant

MemberKind = Literal["agent", "human"]
REMOVED_KEPT = 1000


def fold(name: str) -> str:
    """The form in which two names are the same name: trimmed, NFKC, case-folded. The one compare of names."""
    return unicodedata.normalize("NFKC", name.strip()).casefold()


def same(one: str, other: str) -> bool:
    """Whether two spellings name the same member."""
    return fold(one) == fold(other)


@dataclass(frozen=True, slots=True)
class Member:
    name: Name
    joined_at: Instant
    joined_position: Position
    kind: MemberKind = "agent"
    role: str = ""
    color: str = ""
    initials: str = ""
    muted: bool = False
    seated: bool = False
    """It has joined the conversation, and so takes turns; others have only acted in the room."""
    seat: str = ""
    """SHA-256 of its seat key, in hex; empty if it has none."""


@dataclass(slots=True)
class Members:
    """Everybody who has acted here and has not left, by folded name, in order of joining."""

    by_fold: dict[str, Member] = field(default_factory=dict)
    removed: dict[str, Instant] = field(default_factory=dict)
    """Who was removed by the host and has not joined again since, by folded name."""
    silenced: dict[str, Instant] = field(default_factory=dict)
    """Who went while it was muted, by folded name: coming back does not give the voice back."""

    def find(self, name: str) -> Member | None:
        return self.by_fold.get(fold(name))

    def spelling(self, name: str) -> Name:
        """The name as this room spells it; an unknown name as it was given, checked. Raises BadName."""
        known = self.find(name)
        return known.name if known else limits.name(name)

    def muted(self, name: str) -> bool:
        """Whether a name has no voice; going away and coming back does not give it back."""
        member = self.find(name)
        return member.muted if member is not None else fold(name) in self.silenced

    def names(self) -> list[Name]:
        return [member.name for member in self.by_fold.values()]

    def seated_agents(self) -> list[Member]:
        """Who may be given a turn, in order of joining."""
        return [member for member in self.by_fold.values() if member.seated and member.kind == "agent"]


@dataclass(frozen=True, slots=True)
class Join(Command):
    """Be known in this room. Joining twice is joining once."""


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Be forgotten as present; cursor, leases and tasks stay."""


@dataclass(frozen=True, slots=True)
class MemberJoined(Event):
    name: Name

    @property
    def told(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class MemberSeated(Event):
    """Somebody has joined the conversation, or come back to its seat; `member` is how it stands afterwards."""

    member: Member

    @property
    def told(self) -> bool:
        return False

    @property
    def public(self) -> "MemberSeated":
        return MemberSeated(replace(self.member, seat=""))


@dataclass(frozen=True, slots=True)
class MemberLeft(Event):
    name: Name


@dataclass(frozen=True, slots=True)
class MemberRemoved(Event):
    """The host has put somebody out; who acts here again must join first."""

    name: Name


@dataclass(frozen=True, slots=True)
class MemberMuted(Event):
    name: Name


@dataclass(frozen=True, slots=True)
class MemberUnmuted(Event):
    name: Name


def join(members: Members, command: Join, here: Here) -> list[Event]:
    return arrivals(members, here)


def arrivals(members: Members, here: Here) -> list[Event]:
    """The fact that somebody acts here for the first time, if that is so. Raises NotParticipant for who was removed."""
    if not here.by or members.find(here.by):
        return []
    refuse_removed(members, here.by)
    return [MemberJoined(here.by)]


def refuse_removed(members: Members, name: str) -> None:
    """Raises NotParticipant."""
    if fold(name) in members.removed:
        raise NotParticipant(name=name, nearest=" The host removed it.")


def leave(members: Members, command: Leave, here: Here) -> list[Event]:
    return [MemberLeft(here.by)]  # also when it was never here: the room is told (protocol, leave_room)


def joined(members: Members, entry: LogEntry, event: MemberJoined) -> None:
    _sits(members, Member(event.name, entry.at, entry.position, muted=fold(event.name) in members.silenced))


def seated(members: Members, entry: LogEntry, event: MemberSeated) -> None:
    known = members.find(event.member.name)
    since = (known.joined_at, known.joined_position) if known else (entry.at, entry.position)
    _sits(members, replace(event.member, joined_at=since[0], joined_position=since[1]))


def _sits(members: Members, member: Member) -> None:
    members.by_fold[fold(member.name)] = member
    members.removed.pop(fold(member.name), None)
    members.silenced.pop(fold(member.name), None)


def left(members: Members, entry: LogEntry, event: MemberLeft | MemberRemoved) -> None:
    member = members.by_fold.pop(fold(event.name), None)
    if member is not None and member.muted:
        _keep(members.silenced, event.name, entry)


def removed(members: Members, entry: LogEntry, event: MemberRemoved) -> None:
    left(members, entry, event)
    _keep(members.removed, event.name, entry)


def _keep(gone: dict[str, Instant], name: Name, entry: LogEntry) -> None:
    gone[fold(name)] = entry.at
    if len(gone) > REMOVED_KEPT:
        del gone[next(iter(gone))]


def muted(members: Members, entry: LogEntry, event: MemberMuted | MemberUnmuted) -> None:
    if (member := members.find(event.name)) is not None:
        members.by_fold[fold(event.name)] = replace(member, muted=isinstance(event, MemberMuted))


RULES = {Join: join, Leave: leave}
FOLDS = {
    MemberJoined: joined,
    MemberSeated: seated,
    MemberLeft: left,
    MemberRemoved: removed,
    MemberMuted: muted,
    MemberUnmuted: muted,
}
