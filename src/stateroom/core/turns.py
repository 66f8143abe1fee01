"""The words of turn discipline, and how one turn moves: pure functions of the turn, who is able, and the time.

A *turn* is one message of a person and what the agents answer to it. Whoever is *current* holds the floor until it
has spoken, passes, runs out of time or is skipped; then the next in the *queue* has it.

    sequential:   lead -> supplement … -> wrap -> over        moderator:   moderator (keeps the floor)

The lead answers, every other agent may add once, the lead closes if anybody added something (design §7).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from stateroom.core.ids import Instant, Name
from stateroom.core.members import same

Mode = Literal["open", "sequential", "moderator"]
TurnRole = Literal["lead", "supplement", "wrap", "moderator"]
Ending = Literal["replied", "no_addition", "timed_out", "skipped", "skipped_by_grace"]
Source = Literal["host", "moderator"]

FIRST_MS = 150_000
"""To the first response of a speaker."""
RENEWED_MS = 300_000
"""What a status ping gives from now on."""
HARD_MS = 600_000
"""At most, from taking the floor."""
MODERATOR_MS = 600_000
GRACE_MS = 20_000
SPOKEN_KEPT = 100
"""A moderator's turn may last for days, and every fact about it carries the whole of it."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Milliseconds a role has to its first response; None as designed."""

    lead: int | None = None
    supplement: int | None = None
    wrap: int | None = None
    moderator: int | None = None
    assignee: int | None = None
    """Taken for older clients; an invited member has no deadline."""

    def of(self, role: TurnRole) -> int:
        given: int | None = getattr(self, role)
        return given if given is not None else MODERATOR_MS if role == "moderator" else FIRST_MS


@dataclass(frozen=True, slots=True)
class ModeConfig:
    lead: Name = Name("")
    """Sequential: who leads; empty for the agent that joined first."""
    moderator: Name = Name("")
    """Moderator: who holds the floor. It need not be there yet."""
    timeouts: Timeouts = Timeouts()
    grace_ms: int | None = None
    """After so long without a sign of the lead, the next in line may step in; None: 20 s."""
    restart_on_human: bool = False
    """Whether a person's message during a turn begins a new one (gap 54)."""

    def grace(self) -> int:
        return min(GRACE_MS, self.timeouts.of("lead")) if self.grace_ms is None else self.grace_ms


@dataclass(frozen=True, slots=True)
class Slot:
    name: Name
    role: TurnRole


@dataclass(frozen=True, slots=True)
class Spoken:
    """How somebody's slot ended."""

    name: Name
    role: TurnRole
    ending: Ending
    at: Instant


@dataclass(frozen=True, slots=True)
class Invitation:
    """Leave to say one message while somebody else has the floor."""

    name: Name
    at: Instant
    source: Source


@dataclass(frozen=True, slots=True)
class Turn:
    id: Instant
    """When it began."""
    mode: Mode
    leader: Name
    """The lead or moderator it began with."""
    current: Slot | None = None
    """Who has the floor; None when the turn is over."""
    since: Instant = Instant(0)
    """When `current` took it."""
    deadline: Instant | None = None
    hard_deadline: Instant | None = None
    grace_until: Instant | None = None
    """From then on the head of the queue may step in for the lead; None once the lead has shown life."""
    offered: bool = False
    """Whether the head of the queue has been told so."""
    queue: tuple[Slot, ...] = ()
    spoken: tuple[Spoken, ...] = ()
    invited: tuple[Invitation, ...] = ()

    @property
    def running(self) -> bool:
        return self.current is not None or bool(self.queue)

    def has_floor(self, name: str) -> bool:
        return self.current is not None and same(self.current.name, name)

    def invitation(self, name: str) -> Invitation | None:
        return next((one for one in self.invited if same(one.name, name)), None)

    def stand_in(self, now: Instant) -> Name | None:
        """Who may step in for a silent lead, if that is so by now."""
        waits = self.grace_until is not None and self.current is not None and self.current.role == "lead"
        return self.queue[0].name if waits and self.queue and now >= (self.grace_until or 0) else None


def among(name: str, names: Iterable[str]) -> bool:
    return any(same(name, one) for one in names)


def begin(mode: Mode, config: ModeConfig, leader: Name, others: Iterable[Name], now: Instant) -> Turn:
    """A new turn in which `leader` has the floor, and the others follow."""
    supplements: Iterable[Slot] = (Slot(name, "supplement") for name in others if not same(name, leader))
    turn = Turn(now, mode, leader, queue=tuple(supplements) if mode == "sequential" else ())
    return give(turn, Slot(leader, "lead" if mode == "sequential" else "moderator"), config, now)


def give(turn: Turn, slot: Slot, config: ModeConfig, now: Instant) -> Turn:
    """The floor to somebody, with a fresh deadline."""
    first = config.timeouts.of(slot.role)
    graced = slot.role == "lead" and bool(turn.queue)
    return replace(
        turn,
        current=slot,
        since=now,
        deadline=Instant(now + first),
        hard_deadline=None if slot.role == "moderator" else Instant(now + max(HARD_MS, first)),
        grace_until=Instant(now + config.grace()) if graced else None,
        offered=False,
    )


def over(turn: Turn) -> Turn:
    """Nobody has the floor any more; the record stays."""
    return replace(
        turn, current=None, queue=(), deadline=None, hard_deadline=None, grace_until=None, offered=False, invited=()
    )


def noted(turn: Turn, slot: Slot, ending: Ending, now: Instant) -> Turn:
    spoken = (*turn.spoken, Spoken(slot.name, slot.role, ending, now))
    return replace(turn, spoken=spoken[-SPOKEN_KEPT:] if turn.mode == "moderator" else spoken)


def silent(turn: Turn) -> list[Name]:
    """Who has let the time run out since anybody last spoke."""
    since = takewhile(lambda one: one.ending == "timed_out", reversed(turn.spoken))
    return [one.name for one in since]


def passed(turn: Turn, ending: Ending, config: ModeConfig, able: Iterable[Name], now: Instant) -> Turn:
    """After the current speaker: the next in the queue who is still able, else the lead once more, else it is over."""
    assert turn.current is not None
    return following(noted(turn, turn.current, ending, now), config, list(able), now)


def following(turn: Turn, config: ModeConfig, able: list[Name], now: Instant) -> Turn:
    queue = tuple(slot for slot in turn.queue if among(slot.name, able))
    if queue:
        return give(replace(turn, queue=queue[1:]), queue[0], config, now)
    wrapped = turn.current is not None and turn.current.role == "wrap"
    added = any(one.role == "supplement" and one.ending == "replied" for one in turn.spoken)
    if turn.mode == "sequential" and added and not wrapped and among(turn.leader, able):
        return give(replace(turn, queue=()), Slot(turn.leader, "wrap"), config, now)
    return over(turn)


def stepped_in(turn: Turn, config: ModeConfig, able: Iterable[Name], now: Instant) -> Turn:
    """The head of the queue has spoken in the place of a silent lead."""
    assert turn.current is not None
    head = turn.queue[0]
    skipped = noted(noted(turn, turn.current, "skipped_by_grace", now), head, "replied", now)
    return following(replace(skipped, queue=turn.queue[1:]), config, list(able), now)


def renewed(turn: Turn, now: Instant) -> Turn:
    """A sign of life from the speaker: more time, never past the hard limit, never less than it had."""
    more = max(turn.deadline or 0, min(now + RENEWED_MS, turn.hard_deadline or now + RENEWED_MS))
    return replace(turn, deadline=Instant(more), grace_until=None, offered=False)


def without(turn: Turn, name: str) -> Turn:
    """The same turn with somebody out of its queue and without an invitation."""
    return replace(
        turn,
        queue=tuple(slot for slot in turn.queue if not same(slot.name, name)),
        invited=tuple(one for one in turn.invited if not same(one.name, name)),
    )
