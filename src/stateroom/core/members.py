"""Who takes part. A member becomes known by its first act; there is no separate sign-up (protocol §1)."""

import unicodedata
from dataclasses import dataclass, field

from stateroom.core import limits
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, Position


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


@dataclass(slots=True)
class Members:
    """Everybody who has acted here and has not left, by folded name."""

    by_fold: dict[str, Member] = field(default_factory=dict)

    def find(self, name: str) -> Member | None:
        return self.by_fold.get(fold(name))

    def spelling(self, name: str) -> Name:
        """The name as this room spells it; an unknown name as it was given, checked. Raises BadName."""
        known = self.find(name)
        return known.name if known else limits.name(name)

    def names(self) -> list[Name]:
        return [member.name for member in self.by_fold.values()]


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
class MemberLeft(Event):
    name: Name


def join(members: Members, command: Join, here: Here) -> list[Event]:
    return arrivals(members, here)


def arrivals(members: Members, here: Here) -> list[Event]:
    """The fact that somebody acts here for the first time, if that is so."""
    return [MemberJoined(here.by)] if here.by and not members.find(here.by) else []


def leave(members: Members, command: Leave, here: Here) -> list[Event]:
    return [MemberLeft(here.by)]  # also when it was never here: the room is told (protocol, leave_room)


def joined(members: Members, entry: LogEntry, event: MemberJoined) -> None:
    members.by_fold[fold(event.name)] = Member(event.name, entry.at, entry.position)


def left(members: Members, entry: LogEntry, event: MemberLeft) -> None:
    members.by_fold.pop(fold(event.name), None)


RULES = {Join: join, Leave: leave}
FOLDS = {MemberJoined: joined, MemberLeft: left}
