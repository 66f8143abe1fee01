"""The steps of a turn during one decision: from the floor as it stands to the floor as it will, and the facts between.

Pure functions of a `Stage`. What time has ended is said first and once (`lapse`), whoever comes: a `Tick` or a command.
"""

from dataclasses import dataclass, replace
from typing import Literal

from stateroom.core import turns
from stateroom.core.floor import (
    Fallback,
    Floor,
    MemberInvited,
    ModeChanged,
    ModeratorMissed,
    ModeratorReplaced,
    QueueShortened,
    TurnClosed,
    TurnOffered,
    TurnPassed,
    TurnStarted,
)
from stateroom.core.here import Event
from stateroom.core.ids import Instant, Name
from stateroom.core.members import same
from stateroom.core.refusals import NotYourTurn
from stateroom.core.turns import Mode, ModeConfig, Slot, Source, Turn, among


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


def refuse(at: Stage, name: Name) -> NotYourTurn:
    """The sentence says who has the floor."""
    turn = at.turn
    if turn is None or turn.current is None:
        return NotYourTurn(name=name, current="no turn is running, a person's message starts the next one")
    return NotYourTurn(name=name, current=f"{turn.current.name} has the floor as {turn.current.role}")
