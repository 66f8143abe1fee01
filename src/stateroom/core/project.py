"""A project: a brief and a memory that outlive rooms (agent-room §13). It has a log of its own.

What one is, what can be wished of it, and what can happen to it; the rules are in `remembering`. Who may read it is for
the engine to see: its team, and whoever shows its key.
"""

import hmac
from dataclasses import dataclass, field, replace

from stateroom.core.here import Command, Event
from stateroom.core.ids import Instant, LogKey, Position
from stateroom.core.memory import Candidate, Category, MemoryFact
from stateroom.core.refusals import UnknownFact
from stateroom.core.state import State

PREFIX = "project:"


def project_key(id: str) -> LogKey:
    """The log of a project. No room's key looks so: those have a team's name, which holds no colon, and a slash."""
    return LogKey(PREFIX + id)


@dataclass(frozen=True, slots=True)
class Attached:
    """A room of the project."""

    room: LogKey
    code: str
    attached_at: Instant
    learned: Position = Position(0)
    """Up to where it was read into the memory."""


@dataclass(slots=True)
class Project(State):
    id: str = ""
    team: str = ""
    name: str = ""
    digest: str = ""
    """SHA-256 of its key, in hex."""
    brief: str = ""
    brief_version: int = 0
    brief_at: Instant = Instant(0)
    created_at: Instant = Instant(0)
    rooms: dict[LogKey, Attached] = field(default_factory=dict)
    facts: dict[str, MemoryFact] = field(default_factory=dict)
    last_number: int = 0
    forgotten: dict[str, Instant] = field(default_factory=dict)
    """What is not to be learned again: `<category> <words>`, or `about <room> <task>` of a question."""

    def proven_by(self, digest: str) -> bool:
        """Whether this is the digest of its key, in constant time."""
        return bool(self.digest and digest) and hmac.compare_digest(self.digest, digest)

    def find(self, id: str) -> MemoryFact:
        """Raises UnknownFact."""
        if id not in self.facts:
            raise UnknownFact(fact=id[:32])
        return self.facts[id]


@dataclass(frozen=True, slots=True)
class CreateProject(Command):
    id: str
    team: str
    name: str
    digest: str
    brief: str = ""


@dataclass(frozen=True, slots=True)
class SetBrief(Command):
    """Say what the project is about, and perhaps what it is called."""

    brief: str
    name: str = ""
    """Empty keeps it."""


@dataclass(frozen=True, slots=True)
class RotateKey(Command):
    """Give it another key; the old one opens nothing any more."""

    digest: str


@dataclass(frozen=True, slots=True)
class AttachRoom(Command):
    room: LogKey
    code: str


@dataclass(frozen=True, slots=True)
class LearnRoom(Command):
    """Take in what an ended room has said, up to a position."""

    room: LogKey
    position: Position
    said: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Remember(Command):
    """Note a fact by hand."""

    category: Category
    text: str


@dataclass(frozen=True, slots=True)
class EditFact(Command):
    fact: str
    text: str


@dataclass(frozen=True, slots=True)
class ForgetFact(Command):
    """Take a fact out; it is not learned again from where it came from."""

    fact: str


@dataclass(frozen=True, slots=True)
class ProjectCreated(Event):
    id: str
    team: str
    name: str
    digest: str
    brief: str = ""

    @property
    def public(self) -> "ProjectCreated":
        return replace(self, digest="")


@dataclass(frozen=True, slots=True)
class BriefSet(Event):
    brief: str
    name: str


@dataclass(frozen=True, slots=True)
class KeyRotated(Event):
    digest: str

    @property
    def public(self) -> "KeyRotated":
        return KeyRotated("")


@dataclass(frozen=True, slots=True)
class RoomAttached(Event):
    room: LogKey
    code: str


@dataclass(frozen=True, slots=True)
class RoomLearned(Event):
    """An ended room was read up to a position: these facts are new or have one more source, those are answered."""

    room: LogKey
    position: Position
    facts: tuple[MemoryFact, ...]
    answered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactRemembered(Event):
    """A fact as it stands from now on: noted by hand, or its words changed."""

    fact: MemoryFact


@dataclass(frozen=True, slots=True)
class FactForgotten(Event):
    fact: MemoryFact
