"""How a room comes to be, ends and comes back: what it is called, to whom it belongs, and by which policy it is run.

active -> ended -> active …
"""

import hmac
from dataclasses import dataclass, field, fields, replace

from stateroom.core import limits
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, RoomId
from stateroom.core.policy import USUAL, Identity, Policy, Proof, Recovery, check_policy
from stateroom.core.refusals import NotHost
from stateroom.core.roles import RoleSlot

TOPIC_CHARS = 500


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
    project_id: str = ""
    """The project it is part of (agent-room §13); `project` is something else, the title of its plan."""
    project_name: str = ""
    roles: tuple[RoleSlot, ...] = ()
    """What the playbook it started from wants somebody for."""

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
    policy: Policy = USUAL
    project_id: str = ""
    project_name: str = ""


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
    proof: Proof | None = None
    review_seconds: int | None = None
    recovery: Recovery | None = None


@dataclass(frozen=True, slots=True)
class RoomOpened(Event):
    room_id: RoomId
    code: str
    team: str
    topic: str = ""
    host: Name = Name("")
    host_digest: str = ""
    owner: str = ""
    policy: Policy = USUAL
    project_id: str = ""
    project_name: str = ""

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


@dataclass(frozen=True, slots=True)
class PlaybookApplied(Event):
    """Started from a playbook; its tasks have come before."""

    playbook: str
    """Its id."""
    name: str
    project: str
    task_count: int
    roles: tuple[RoleSlot, ...] = ()
    """All roles of the room from now on."""
    opening: str = ""


def open_room(lifecycle: Lifecycle, command: OpenRoom, here: Here) -> list[Event]:
    if lifecycle.opened_at:
        return []
    host = limits.name(command.host) if command.host else Name("")
    topic = limits.text("topic", command.topic, TOPIC_CHARS)
    check_policy(command.policy)
    named = (command.room_id, command.code, command.team)
    project = (command.project_id, command.project_name)
    return [RoomOpened(*named, topic, host, command.host_digest, command.owner, command.policy, *project)]


def end(lifecycle: Lifecycle, command: EndRoom, here: Here) -> list[Event]:
    lifecycle.must_be_host(here)
    return [] if lifecycle.ended_at is not None else [RoomEnded()]


def reactivate(lifecycle: Lifecycle, command: ReactivateRoom, here: Here) -> list[Event]:
    lifecycle.must_be_host(here)
    return [RoomReactivated()] if lifecycle.ended_at is not None else []


def set_policy(lifecycle: Lifecycle, command: SetPolicy, here: Here) -> list[Event]:
    lifecycle.must_be_host(here)
    policy = changed(lifecycle.policy, command)
    check_policy(policy)
    return [PolicySet(policy)] if policy != lifecycle.policy else []


def changed(policy: Policy, wish: SetPolicy) -> Policy:
    """The policy with everything that is wished otherwise."""
    wished = {part.name: getattr(wish, part.name) for part in fields(wish)}
    return replace(policy, **{name: value for name, value in wished.items() if value is not None})


def opened(lifecycle: Lifecycle, entry: LogEntry, event: RoomOpened) -> None:
    lifecycle.room_id, lifecycle.code, lifecycle.team = event.room_id, event.code, event.team
    lifecycle.topic, lifecycle.project, lifecycle.opened_at = event.topic, event.topic or event.room_id, entry.at
    lifecycle.host, lifecycle.host_digest, lifecycle.owner = event.host, event.host_digest, event.owner
    lifecycle.policy = event.policy
    lifecycle.project_id, lifecycle.project_name = event.project_id, event.project_name


def ended(lifecycle: Lifecycle, entry: LogEntry, event: RoomEnded) -> None:
    lifecycle.ended_at = entry.at


def reactivated(lifecycle: Lifecycle, entry: LogEntry, event: RoomReactivated) -> None:
    lifecycle.ended_at, lifecycle.reactivated_at = None, entry.at


def policy_set(lifecycle: Lifecycle, entry: LogEntry, event: PolicySet) -> None:
    lifecycle.policy = event.policy


def templated(lifecycle: Lifecycle, entry: LogEntry, event: TemplateApplied) -> None:
    lifecycle.project = event.project


def played(lifecycle: Lifecycle, entry: LogEntry, event: PlaybookApplied) -> None:
    lifecycle.project, lifecycle.roles = event.project, event.roles


RULES = {OpenRoom: open_room, EndRoom: end, ReactivateRoom: reactivate, SetPolicy: set_policy}
FOLDS = {
    RoomOpened: opened,
    RoomEnded: ended,
    RoomReactivated: reactivated,
    PolicySet: policy_set,
    TemplateApplied: templated,
    PlaybookApplied: played,
}
