"""The floor: who may speak, by the room's reply mode (design §7, agent-room §5).

Deadlines are data in the turn; what is due is said once, by whoever comes first: a `Tick`, or the next command. Each
fact carries the turn as it stands afterwards; what the room is told of is `told`.
"""

from dataclasses import dataclass, field
from typing import Literal

from stateroom.core.here import Command, Event, LogEntry
from stateroom.core.ids import Instant, Name, TaskId
from stateroom.core.members import same
from stateroom.core.turns import Ending, Mode, ModeConfig, Source, Turn, TurnRole, among

Why = Literal["", "host", "left", "muted"]
Fallback = Literal["", "lead_left", "moderator_left", "moderator_timeout"]


@dataclass(slots=True)
class Floor:
    mode: Mode = "open"
    config: ModeConfig = field(default_factory=ModeConfig)
    deputy: Name = Name("")
    """Who holds the floor for a moderator that is gone; empty while that one does so itself."""
    turn: Turn | None = None

    @property
    def moderator(self) -> Name:
        """Who acts as moderator now."""
        return self.deputy or self.config.moderator

    def next_due(self) -> Instant | None:
        """When a `Tick` will find something to say about the turn."""
        turn = self.turn
        if turn is None or turn.current is None:
            return None
        waits = turn.grace_until if turn.queue and not turn.offered else None
        return min((due for due in (turn.deadline, waits) if due is not None), default=None)


@dataclass(frozen=True, slots=True)
class SetMode(Command):
    """Choose how the room takes turns. Ends a running turn. Host only."""

    mode: str
    config: ModeConfig = ModeConfig()


@dataclass(frozen=True, slots=True)
class Invite(Command):
    """Let somebody say one message now. By the host, or by the moderator in moderator mode."""

    target: str
    source: Source = "host"


@dataclass(frozen=True, slots=True)
class SkipSpeaker(Command):
    """Take the floor from whoever has it. Host only."""


@dataclass(frozen=True, slots=True)
class ModeChanged(Event):
    mode: Mode
    config: ModeConfig
    reason: Fallback = ""
    """Why the room fell back to open by itself; empty when the host chose."""


@dataclass(frozen=True, slots=True)
class RoleTaken(Event):
    """Somebody has come for a role of the playbook: what was planned for the role is planned for that member now. Where
    the mode named the role, it names the member; the turn goes on."""

    name: Name
    role: str
    tasks: tuple[TaskId, ...]
    """Which were handed over just before."""
    config: ModeConfig
    """As it stands afterwards."""


@dataclass(frozen=True, slots=True)
class FloorFact(Event):
    """Something happened on the floor; `turn` is how it stands afterwards."""

    turn: Turn | None

    @property
    def told(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class TurnStarted(FloorFact):
    pass


@dataclass(frozen=True, slots=True)
class TurnPassed(FloorFact):
    """Somebody's slot has ended."""

    name: Name
    role: TurnRole
    ending: Ending
    why: Why = ""

    @property
    def told(self) -> bool:
        return self.why == "host" or self.ending in ("timed_out", "skipped_by_grace")


@dataclass(frozen=True, slots=True)
class TurnExtended(FloorFact):
    """The speaker has shown that it is at work."""


@dataclass(frozen=True, slots=True)
class TurnOffered(FloorFact):
    """The lead has been silent for so long that the next in line may step in."""

    name: Name


@dataclass(frozen=True, slots=True)
class QueueShortened(FloorFact):
    """Somebody who waited for the floor waits no more."""

    name: Name


@dataclass(frozen=True, slots=True)
class TurnClosed(FloorFact):
    """The turn is over because the room has ended; nothing runs out in it any more."""


@dataclass(frozen=True, slots=True)
class MemberInvited(FloorFact):
    name: Name
    source: Source

    @property
    def told(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class InvitationUsed(FloorFact):
    name: Name


@dataclass(frozen=True, slots=True)
class ModeratorReplaced(FloorFact):
    """Somebody else holds the floor as moderator from now on."""

    name: Name
    previous: Name
    reason: Literal["left", "muted", "timeout", "returned"]

    @property
    def told(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class ModeratorMissed(FloorFact):
    """A person has spoken, and the moderator is not there to take the floor."""

    name: Name

    @property
    def told(self) -> bool:
        return True


def turn_of(floor: Floor) -> Turn | None:
    """The turn, if one is running."""
    return floor.turn if floor.turn is not None and floor.turn.running else None


def role_in_turn(floor: Floor, name: str, now: Instant) -> str:
    """What a member is to the present turn, as agents are told it (agent-room §5.7)."""
    turn = floor.turn
    if floor.mode == "moderator" and same(name, floor.moderator):
        return "moderator"
    if turn is None:
        return "observer"
    if turn.invitation(name):
        return "host_directed"
    if turn.current is not None and turn.has_floor(name):
        return turn.current.role
    if same(turn.stand_in(now) or "", name):
        return "supplement"
    if among(name, (slot.name for slot in turn.queue)):
        return "queued"
    return "spoken" if among(name, (one.name for one in turn.spoken)) else "observer"


def may_speak(floor: Floor, name: str, now: Instant) -> bool:
    """Whether an agent's message would be taken as such; the moderator's always, also while a deputy stands in."""
    if floor.mode == "open" or (floor.mode == "moderator" and same(name, floor.config.moderator)):
        return True
    return role_in_turn(floor, name, now) not in ("queued", "spoken", "observer")


def mode_changed(floor: Floor, entry: LogEntry, event: ModeChanged) -> None:
    floor.mode, floor.config, floor.deputy, floor.turn = event.mode, event.config, Name(""), None


def role_taken(floor: Floor, entry: LogEntry, event: RoleTaken) -> None:
    floor.config = event.config


def moved(floor: Floor, entry: LogEntry, event: FloorFact) -> None:
    floor.turn = event.turn


def replaced(floor: Floor, entry: LogEntry, event: ModeratorReplaced) -> None:
    floor.turn = event.turn
    floor.deputy = Name("") if same(event.name, floor.config.moderator) else event.name


FOLDS = {
    ModeChanged: mode_changed,
    RoleTaken: role_taken,
    ModeratorReplaced: replaced,
    **dict.fromkeys(
        [
            TurnStarted,
            TurnPassed,
            TurnExtended,
            TurnOffered,
            QueueShortened,
            TurnClosed,
            MemberInvited,
            InvitationUsed,
            ModeratorMissed,
        ],
        moved,
    ),
}
