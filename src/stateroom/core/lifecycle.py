"""How a room comes to be, ends and comes back: what it is called, to whom it belongs, and by which policy it is run.

active -> ended -> active …
"""

import hmac
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from stateroom.core import limits
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, RoomId
from stateroom.core.refusals import BadPolicy, NotHost

Identity = Literal["", "asserted", "keyed"]
"""Who vouches for a name. *asserted*: the credential does. *keyed*: the seat's key does. Empty: as the caller came,
keyed for a guest who has only the code, asserted for everybody else (design §7)."""

TOPIC_CHARS = 500
EXCHANGE_LIMIT = 12
MAX_EXCHANGE_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Policy:
    """How a room is run. Set by its host."""

    identity: Identity = ""
    exchange_limit: int = EXCHANGE_LIMIT
    """After so many messages of agents in a row, without any change of state, the exchange closes; 0 never."""


@dataclass(slots=True)
class Lifecycle:
    room_id: RoomId = RoomId("")
    code: str = ""
    team: str = ""
    project: str = ""
    """The plan's title: the topic or the room id, unless a template set it (protocol §2.1)."""
    opened_at: Instant = Instant(0)
    topic: str = ""
    host: Name = Name("")
    """Who created it; empty for a room that came to be by being named."""
    host_digest: str = ""
    """SHA-256 of the host key, in hex."""
    owner: str = ""
    """Label of the credential that created it; empty if that was none."""
    ended_at: Instant | None = None
    reactivated_at: Instant | None = None
    policy: Policy = field(default_factory=Policy)

    def hosted_by(self, here: Here) -> bool:
        """Whether the caller is the host: by its key or by the credential that made the room (agent-room §2.5).

        A room nobody created has no key; there everybody the server knows may act for it.
        """
        if self.host_digest and here.proof.host and hmac.compare_digest(self.host_digest, here.proof.host):
            return True
        if self.owner and here.via == self.owner:
            return True
        return not self.host_digest and here.proof.vouched

    def must_be_host(self, here: Here) -> None:
        """Raises NotHost."""
        if not self.hosted_by(here):
            raise NotHost(host=self.host or "the people who run the server")


@dataclass(frozen=True, slots=True)
class OpenRoom(Command):
    """Begin a room's log. Asked by the engine when the lobby has registered the room."""

    room_id: RoomId
    code: str
    team: str
    topic: str = ""
    host: str = ""
    host_digest: str = ""
    owner: str = ""
    policy: Policy = Policy()


@dataclass(frozen=True, slots=True)
class EndRoom(Command):
    """Close the room for everything but reading, reporting and reopening. Host only."""


@dataclass(frozen=True, slots=True)
class ReactivateRoom(Command):
    """Open an ended room again. Host only."""


@dataclass(frozen=True, slots=True)
class SetPolicy(Command):
    """Change how the room is run; what is None stays. Host only."""

    identity: Identity | None = None
    exchange_limit: int | None = None


@dataclass(frozen=True, slots=True)
class RoomOpened(Event):
    room_id: RoomId
    code: str
    team: str
    topic: str = ""
    host: Name = Name("")
    host_digest: str = ""
    owner: str = ""
    policy: Policy = Policy()

    @property
    def public(self) -> "RoomOpened":
        return replace(self, host_digest="")

    @property
    def told(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class RoomEnded(Event):
    """The room has ended."""


@dataclass(frozen=True, slots=True)
class RoomReactivated(Event):
    pass


@dataclass(frozen=True, slots=True)
class PolicySet(Event):
    policy: Policy


@dataclass(frozen=True, slots=True)
class TemplateApplied(Event):
    template: str
    project: str
    task_count: int
    roles: tuple[str, ...] = ()
    """Ids of the role presets it suggests."""
    opening: str = ""
    """What it asks the room to begin with."""


def open_room(lifecycle: Lifecycle, command: OpenRoom, here: Here) -> list[Event]:
    if lifecycle.opened_at:
        return []
    host = limits.name(command.host) if command.host else Name("")
    topic = limits.text("topic", command.topic, TOPIC_CHARS)
    check_policy(command.policy)
    named = (command.room_id, command.code, command.team)
    return [RoomOpened(*named, topic, host, command.host_digest, command.owner, command.policy)]


def end(lifecycle: Lifecycle, command: EndRoom, here: Here) -> list[Event]:
    lifecycle.must_be_host(here)
    return [] if lifecycle.ended_at is not None else [RoomEnded()]


def reactivate(lifecycle: Lifecycle, command: ReactivateRoom, here: Here) -> list[Event]:
    lifecycle.must_be_host(here)
    return [RoomReactivated()] if lifecycle.ended_at is not None else []


def set_policy(lifecycle: Lifecycle, command: SetPolicy, here: Here) -> list[Event]:
    lifecycle.must_be_host(here)
    policy = lifecycle.policy
    if command.identity is not None:
        policy = replace(policy, identity=command.identity)
    if command.exchange_limit is not None:
        policy = replace(policy, exchange_limit=command.exchange_limit)
    check_policy(policy)
    return [PolicySet(policy)] if policy != lifecycle.policy else []


def check_policy(policy: Policy) -> None:
    """Raises BadPolicy."""
    if policy.identity not in get_args(Identity):
        raise BadPolicy(reason="identity is neither asserted nor keyed, nor empty for the default")
    if not 0 <= policy.exchange_limit <= MAX_EXCHANGE_LIMIT:
        raise BadPolicy(reason=f"exchange_limit is {policy.exchange_limit}; use 0 to {MAX_EXCHANGE_LIMIT}")


def opened(lifecycle: Lifecycle, entry: LogEntry, event: RoomOpened) -> None:
    lifecycle.room_id, lifecycle.code, lifecycle.team = event.room_id, event.code, event.team
    lifecycle.topic, lifecycle.project, lifecycle.opened_at = event.topic, event.topic or event.room_id, entry.at
    lifecycle.host, lifecycle.host_digest, lifecycle.owner = event.host, event.host_digest, event.owner
    lifecycle.policy = event.policy


def ended(lifecycle: Lifecycle, entry: LogEntry, event: RoomEnded) -> None:
    lifecycle.ended_at = entry.at


def reactivated(lifecycle: Lifecycle, entry: LogEntry, event: RoomReactivated) -> None:
    lifecycle.ended_at, lifecycle.reactivated_at = None, entry.at


def policy_set(lifecycle: Lifecycle, entry: LogEntry, event: PolicySet) -> None:
    lifecycle.policy = event.policy


def templated(lifecycle: Lifecycle, entry: LogEntry, event: TemplateApplied) -> None:
    lifecycle.project = event.project


RULES = {OpenRoom: open_room, EndRoom: end, ReactivateRoom: reactivate, SetPolicy: set_policy}
FOLDS = {
    RoomOpened: opened,
    RoomEnded: ended,
    RoomReactivated: reactivated,
    PolicySet: policy_set,
    TemplateApplied: templated,
}
