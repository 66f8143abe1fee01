"""Exclusive, time-bounded claims on named things.

    free -> held -> free        by release, or by the clock: at `until` a lease is free, whoever asks
            held -> held        renewed by its holder, under the same token

A lease's token is the position of the entry that granted it, so it grows with every grant and a late holder
can be told apart (W-15). Nothing but its own deadline ever decides how long a lease lives (W-13).
"""

from dataclasses import dataclass, field

from stateroom.core import limits
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, Position
from stateroom.core.members import same
from stateroom.core.refusals import LeaseHeld, NotTheHolder


@dataclass(frozen=True, slots=True)
class Lease:
    resource: str
    holder: Name
    until: Instant
    token: Position

    def live(self, now: Instant) -> bool:
        return now < self.until


@dataclass(slots=True)
class Leases:
    held: dict[str, Lease] = field(default_factory=dict)

    def live(self, now: Instant) -> list[Lease]:
        """The leases that hold at `now`, by resource name."""
        return [lease for _, lease in sorted(self.held.items()) if lease.live(now)]

    def next_due(self) -> Instant | None:
        return min((lease.until for lease in self.held.values()), default=None)


@dataclass(frozen=True, slots=True)
class TakeLease(Command):
    """Hold a resource for `seconds`, 1 to 300; the holder asking again renews."""

    resource: str
    seconds: int


@dataclass(frozen=True, slots=True)
class ReleaseLease(Command):
    """Give a resource back. With a token, only that grant is released."""

    resource: str
    token: Position | None = None


@dataclass(frozen=True, slots=True)
class LeaseFact(Event):
    resource: str

    @property
    def told(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class LeaseTaken(LeaseFact):
    holder: Name
    until: Instant


@dataclass(frozen=True, slots=True)
class LeaseRenewed(LeaseFact):
    until: Instant


@dataclass(frozen=True, slots=True)
class LeaseReleased(LeaseFact):
    pass


@dataclass(frozen=True, slots=True)
class LeaseLapsed(LeaseFact):
    """Its time ran out while somebody held it; said once, by a tick."""

    holder: Name


def take(leases: Leases, command: TakeLease, here: Here) -> list[Event]:
    resource = limits.text("resource", command.resource, limits.RESOURCE_CHARS)
    until = Instant(here.now + limits.seconds("seconds", command.seconds, limits.LEASE_SECONDS) * 1000)
    lease = leases.held.get(resource)
    if lease is None or not lease.live(here.now):
        return [LeaseTaken(resource, here.by, until)]
    if not same(lease.holder, here.by):
        raise LeaseHeld(resource=resource, holder=lease.holder, remaining_ms=lease.until - here.now, until=lease.until)
    return [LeaseRenewed(resource, max(until, lease.until))] if until > lease.until else []


def release(leases: Leases, command: ReleaseLease, here: Here) -> list[Event]:
    lease = leases.held.get(command.resource)
    ours = lease is not None and lease.live(here.now) and same(lease.holder, here.by)
    if lease is None or not ours or command.token not in (None, lease.token):
        raise NotTheHolder(resource=command.resource, name=here.by)
    return [LeaseReleased(command.resource)]


def lapses(leases: Leases, now: Instant) -> list[Event]:
    """What a tick finds: leases whose time is over and that nobody has given back."""
    return [LeaseLapsed(lease.resource, lease.holder) for lease in leases.held.values() if not lease.live(now)]


def taken(leases: Leases, entry: LogEntry, event: LeaseTaken) -> None:
    leases.held[event.resource] = Lease(event.resource, event.holder, event.until, entry.position)


def renewed(leases: Leases, entry: LogEntry, event: LeaseRenewed) -> None:
    lease = leases.held.get(event.resource)
    if lease:  # the grant itself may have become unreadable
        leases.held[event.resource] = Lease(lease.resource, lease.holder, event.until, lease.token)


def over(leases: Leases, entry: LogEntry, event: LeaseFact) -> None:
    leases.held.pop(event.resource, None)


RULES = {TakeLease: take, ReleaseLease: release}
FOLDS = {LeaseTaken: taken, LeaseRenewed: renewed, LeaseReleased: over, LeaseLapsed: over}
