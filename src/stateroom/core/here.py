"""The shape of a wish, of a fact, and of the moment in which a wish is decided."""

from dataclasses import dataclass

from stateroom.core.ids import Instant, Name, Position
from stateroom.core.policy import USUAL, Policy


@dataclass(frozen=True, slots=True)
class Command:
    """A wish, by somebody. Named in the imperative."""


@dataclass(frozen=True, slots=True)
class Event:
    """A fact. Named in the past tense, and never taken back."""

    @property
    def told(self) -> bool:
        """Whether the room hears of it: shown among its events, counted, and delivered to every member."""
        return True

    @property
    def line(self) -> bool:
        """Whether it takes a line of the transcript, and so a line number."""
        return self.told

    @property
    def public(self) -> "Event":
        """The fact as it may leave the server: without digests of keys (agent-room gap 46)."""
        return self


@dataclass(frozen=True, slots=True)
class Unreadable(Event):
    """Stands where a stored entry could not be decoded, so that nothing after it is lost. Never stored."""

    reason: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a log: a fact with its place, time and origin. Positions count from 1 without gaps."""

    position: Position
    line: int
    """Transcript line number, counted over lines only; 0 for an entry that is no line."""
    at: Instant
    by: Name
    """Who asked; empty when nobody is named."""
    via: str
    """A label of the credential that vouched for `by`; never the secret."""
    cause: str
    """The request it answers; empty when the caller gave no request id."""
    event: Event


@dataclass(frozen=True, slots=True)
class Proof:
    """What a caller has shown besides a name. Keys come as SHA-256 digests in hex; the secrets stay outside."""

    host: str = ""
    """Of the host key it gave."""
    seat: str = ""
    """Of the seat key it gave."""
    vouched: bool = False
    """Its credential vouches for whatever name it gives: one of the server's own people, not a guest by code."""
    bound: bool = False
    """Its credential is bound to this one name."""


@dataclass(frozen=True, slots=True)
class Here:
    """The circumstances of one decision."""

    by: Name
    """Who asks; empty when nobody is named. `room.decide` has already put it into the spelling the room knows."""
    now: Instant
    """The server's time, never earlier than the log's last entry: it becomes the `at` of what is decided."""
    via: str = ""
    proof: Proof = Proof()
    redacts: bool = True
    """Whether secrets are taken out of what is written (protocol, agent-room §17.1)."""
    policy: Policy = USUAL
    """How the room is run. `room.decide` fills it in."""
