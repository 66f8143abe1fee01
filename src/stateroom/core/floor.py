"""The floor: who may speak, by the room's reply mode (design §7, agent-room §5).

Deadlines are data in the turn; what is due is said once, by whoever comes first: a `Tick`, or the next command. Each
fact carries the turn as it stands afterwards; what the room is told of is `told`.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from stateroom.core import turns
from stateroom.core.here import Command, Event, LogEntry
from stateroom.core.ids import Instant, Name
from stateroom.core.members import same
from stateroom.core.refusals import NotYourTurn
from stateroom.core.turns import Ending, Mode, ModeConfig, Slot, Source, Turn, TurnRole, among

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


@dataclass(frozen=True, slots=True)
class Stage:
    """The floor at one moment of a decision; each step gives the next stage and the facts that lead to it."""

    mode: Mode
    config: ModeConfig
    deputy: Name
    turn: Turn | None
    able: tuple[Name, ...]
    """Who may be given a turn, in order of joining."""
    present: tuple[Name, ...]
    """Who may moderate: the same and, where it is one, the host's own agent."""
    now: Instant

    @property
    def moderator(self) -> Name:
        return self.deputy or self.config.moderator

    @property
    def running(self) -> bool:
        return self.turn is not None and self.turn.running

    def on(self, turn: Turn | None) -> "Stage":
        return replace(self, turn=turn)


Step = tuple[Stage, list[Event]]


def stage(floor: Floor, able: list[Name], present: list[Name], now: Instant) -> Stage:
    return Stage(floor.mode, floor.config, floor.deputy, floor.turn, tuple(able), tuple(present), now)


def lapse(at: Stage) -> Step:
    """What time has ended by now, said once."""
    turn = at.turn
    if turn is None or turn.current is None:
        return at, []
    if turn.deadline is not None and turn.deadline <= at.now:
        return _timed_out(at, turn, turn.current)
    if (name := turn.stand_in(at.now)) and not turn.offered:
        offered = replace(turn, offered=True)
        return at.on(offered), [TurnOffered(offered, name)]
    return at, []


def _timed_out(at: Stage, turn: Turn, slot: Slot) -> Step:
    if at.mode == "moderator":
        return _replace_moderator(at.on(turns.noted(turn, slot, "timed_out", at.now)), "timeout")
    after = turns.passed(turn, "timed_out", at.config, at.able, at.now)
    return at.on(after), [TurnPassed(after, slot.name, slot.role, "timed_out")]


def _replace_moderator(at: Stage, reason: Literal["left", "muted", "timeout"]) -> Step:
    """The agent that joined first takes over; without one the room is open (agent-room §5.6).

    Who has just been silent itself is not asked again, else two dead agents would hand the floor back and forth.
    """
    previous = at.moderator
    silent = turns.silent(at.turn) if at.turn is not None and reason == "timeout" else []
    deputy = next((name for name in at.present if not among(name, [previous, *silent])), None)
    if deputy is None:
        return _fall_back(at, "moderator_timeout" if reason == "timeout" else "moderator_left")
    return _hand_over(at, deputy, previous, reason)


def _hand_over(at: Stage, name: Name, previous: Name, reason: Literal["left", "muted", "timeout", "returned"]) -> Step:
    turn = at.turn
    if turn is not None and turn.running:
        turn = turns.give(turns.without(turn, name), Slot(name, "moderator"), at.config, at.now)
    deputy = Name("") if same(name, at.config.moderator) else name
    return replace(at, deputy=deputy, turn=turn), [ModeratorReplaced(turn, name, previous, reason)]


def hand_back(at: Stage, name: Name) -> Step:
    """The moderator a deputy stands in for is here again (gap 53)."""
    return _hand_over(at, at.config.moderator or name, at.deputy, "returned")


def _fall_back(at: Stage, reason: Fallback) -> Step:
    return replace(at, mode="open", deputy=Name(""), turn=None), [ModeChanged("open", at.config, reason)]


def gone(at: Stage, name: Name, why: Literal["left", "muted"]) -> Step:
    """What follows when somebody leaves or loses its voice; `at` no longer counts it as able."""
    if at.mode == "moderator" and same(name, at.moderator):
        return _replace_moderator(at, why)
    turn = at.turn
    if turn is None or not turn.running:
        return at, []
    if at.mode == "sequential" and same(name, turn.leader):
        return _fall_back(at, "lead_left")
    if turn.current is not None and turn.has_floor(name):
        after = turns.passed(turns.without(turn, name), "skipped", at.config, at.able, at.now)
        return at.on(after), [TurnPassed(after, name, turn.current.role, "skipped", why)]
    after = turns.without(turn, name)
    return (at.on(after), [QueueShortened(after, name)]) if after != turn else (at, [])


def answer_person(at: Stage) -> Step:
    """A person has said something: a turn begins, unless one is running."""
    if at.mode == "open" or (at.running and not at.config.restart_on_human):
        return at, []
    if at.mode == "moderator":
        leader = next((name for name in at.present if same(name, at.moderator)), None)
        if leader is None:
            return at, [ModeratorMissed(at.turn, at.moderator)]
    else:
        lead = at.config.lead
        leader = next((name for name in at.able if lead and same(name, lead)), None) or next(iter(at.able), None)
        if leader is None:
            return at, []
    turn = turns.begin(at.mode, at.config, leader, at.able, at.now)
    return at.on(turn), [TurnStarted(turn)]


def invite(at: Stage, name: Name, source: Source) -> Step:
    """Leave for one message; nothing changes when no turn runs, or when it may speak anyway."""
    if at.turn is None or not at.running or at.turn.invitation(name) or at.turn.has_floor(name):
        return at, []
    turn = replace(at.turn, invited=(*at.turn.invited, turns.Invitation(name, at.now, source)))
    return at.on(turn), [MemberInvited(turn, name, source)]


def skip(at: Stage) -> Step:
    """The floor is taken from whoever has it."""
    if at.turn is None or at.turn.current is None:
        return at, []
    slot = at.turn.current
    after = turns.passed(at.turn, "skipped", at.config, at.able, at.now)
    return at.on(after), [TurnPassed(after, slot.name, slot.role, "skipped", "host")]


def close(at: Stage) -> Step:
    """The room ends, and with it the turn; the record of it stays."""
    if at.turn is None or not at.running:
        return at, []
    after = turns.over(at.turn)
    return at.on(after), [TurnClosed(after)]


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


def refuse(at: Stage, name: Name) -> NotYourTurn:
    """The sentence says who has the floor."""
    turn = at.turn
    if turn is None or turn.current is None:
        return NotYourTurn(name=name, current="no turn is running, a person's message starts the next one")
    return NotYourTurn(name=name, current=f"{turn.current.name} has the floor as {turn.current.role}")


def mode_changed(floor: Floor, entry: LogEntry, event: ModeChanged) -> None:
    floor.mode, floor.config, floor.deputy, floor.turn = event.mode, event.config, Name(""), None


def moved(floor: Floor, entry: LogEntry, event: FloorFact) -> None:
    floor.turn = event.turn


def replaced(floor: Floor, entry: LogEntry, event: ModeratorReplaced) -> None:
    floor.turn = event.turn
    floor.deputy = Name("") if same(event.name, floor.config.moderator) else event.name


FOLDS = {
    ModeChanged: mode_changed,
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
