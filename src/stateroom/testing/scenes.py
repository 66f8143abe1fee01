"""Rules tested in one line: `Scene(given…).when(who, wish).then(facts)`, or `.then(Refusal)`.

    Scene(("ann", OpenTask("one")), ("ann", MoveTask("T-01", "held"), 500))
        .when("bob", MoveTask("T-01", "held", owner="bob"), at_ms=35_500)
        .then(TaskHeld, holder="ann", held_s=35)

Whatever the rule under test, a scene also checks what must be true of every rule: deciding changes nothing, what was
decided can be stored and read back, and a refusal can be put into words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from stateroom.core.board import BoardCompleted
from stateroom.core.here import Command, Event, Here, LogEntry, Proof
from stateroom.core.ids import Instant, Name, Position
from stateroom.core.lobby import Lobby
from stateroom.core.members import MemberJoined
from stateroom.core.project import Project
from stateroom.core.refusals import Refusal
from stateroom.core.room import Room
from stateroom.core.state import State
from stateroom.engine.rooms import LOBBY_KIND, PROJECT, ROOM, Kind
from stateroom.log import codec
from stateroom.log.seam import Record

S = TypeVar("S", bound=State)
START = Instant(1_767_225_600_000)
"""2026-01-01T00:00:00Z, when every scene begins."""
VIA = "scene"
"""The credential behind every wish of a scene."""

GUEST = Proof()
"""Nothing is shown: the wish of somebody who has only the room's code."""
TEAM = Proof(vouched=True)
"""What a team's own people show."""

Given = tuple[str, Command] | tuple[str, Command, int]
"""Who wished what, and at how many ms after the start; without a time the clock stands still."""
Expected = Event | type[Event] | type[Refusal]


def entries(
    state: State, events: Iterable[Event], *, at: Instant, by: str = "", via: str = VIA, cause: str = ""
) -> list[LogEntry]:
    """The log entries that decided events become, exactly as the engine would write them; folds nothing."""
    made: list[LogEntry] = []
    position, line = state.position, state.lines
    for event in events:
        position, line = Position(position + 1), line + event.line
        made.append(LogEntry(position, line if event.line else 0, at, Name(by), via, cause, event))
    return made


def stored(entry: LogEntry) -> Record:
    """The record a store would keep of an entry."""
    body = codec.encode(entry.event).body
    return Record(entry.position, entry.line, entry.at, entry.by, entry.via, entry.cause, body)


@dataclass(frozen=True)
class Answer(Generic[S]):
    """What became of one wish: facts, or a refusal."""

    scene: "_Stage[S]"
    events: list[Event]
    refusal: Refusal | None = None

    def then(self, *expected: Expected, **facts: object) -> "_Stage[S]":
        """Check what followed: exactly these events (given whole or by their kind), or this refusal; nothing, if
        none is named. `facts` are fields of the refusal, or of the last event. That somebody arrived by acting for
        the first time, and that nothing is left to do, need not be mentioned. Returns the scene, for the next
        `when`."""
        refusals = [kind for kind in expected if isinstance(kind, type) and issubclass(kind, Refusal)]
        if refusals or self.refusal:
            assert [type(self.refusal)] == refusals, f"expected {expected}, got {self.refusal!r} {self.events}"
        else:
            self._happened(expected)
        for name, fact in facts.items():
            assert self[name] == fact, f"{name} is {self[name]!r}, expected {fact!r}"
        return self.scene

    def _happened(self, expected: Sequence[object]) -> None:
        arrived = isinstance(self.events[0], MemberJoined) if self.events else False
        got = self.events[1:] if arrived and not _is(self.events[0], *expected[:1]) else self.events
        if got and isinstance(got[-1], BoardCompleted) and not _is(got[-1], *expected[-1:]):
            got = got[:-1]
        assert len(got) == len(expected), f"expected {expected}, got {got}"
        assert all(map(_is, got, expected)), f"expected {expected}, got {got}"

    def __getitem__(self, fact: str) -> Any:
        """A field of the refusal, or of the last event."""
        told = [event for event in self.events if not isinstance(event, BoardCompleted)] or self.events
        return self.refusal.facts[fact] if self.refusal else getattr(told[-1], fact)

    @property
    def told(self) -> list[str]:
        """The kinds of those events that the room hears of."""
        return [type(event).__name__ for event in self.events if event.told]


def _worded(refusal: Refusal) -> Refusal:
    assert str(refusal), "a refusal must be able to speak"
    assert refusal.next_step(), "a refusal must say what to do next"
    return refusal


def _is(event: Event, *expected: object) -> bool:
    return any(type(event) is kind or event == kind for kind in expected)


class _Stage(Generic[S]):
    """A state, its log, and a clock that stands still until it is told to move."""

    kind: ClassVar[Kind[Any]]

    def __init__(self, *given: Given, proof: Proof = TEAM) -> None:
        """`given` is what was wished before; none of it may be refused. `proof` is what everybody shows."""
        self.state: S = self.kind.empty()
        self.log: list[LogEntry] = []
        self.now = START
        self.proof = proof
        for by, command, *at_ms in given:
            self.do(by, command, *at_ms)

    def do(
        self, by: str, command: Command, at_ms: int | None = None, *, via: str = VIA, proof: Proof | None = None
    ) -> list[Event]:
        """Carry out a wish that must not be refused. Raises Refusal."""
        answer = self.when(by, command, at_ms, via=via, proof=proof)
        if answer.refusal:
            raise answer.refusal
        return answer.events

    def when(
        self,
        by: str,
        command: Command,
        at_ms: int | None = None,
        *,
        cause: str = "",
        via: str = VIA,
        proof: Proof | None = None,
    ) -> Answer[S]:
        """What follows from a wish, already folded into the state. `proof`, if given, is shown this once."""
        if at_ms is not None:
            self.now = Instant(START + at_ms)
        before = codec.encode_state(self.state)
        try:
            events = self.kind.decide(self.state, command, Here(Name(by), self.now, via, proof or self.proof))
        except Refusal as refusal:
            return Answer(self, [], _worded(refusal))
        finally:
            assert codec.encode_state(self.state) == before, "to decide must change nothing"
        self.fold(events, by, cause)
        return Answer(self, events)

    def fold(self, events: Iterable[Event], by: str = "", cause: str = "") -> None:
        """Append events to the log and fold them, without asking any rule."""
        for entry in entries(self.state, events, at=self.now, by=self._spelled(by), cause=cause):
            assert codec.decode(stored(entry)) == entry, "what is stored must come back the same"
            self.log.append(entry)
            self.kind.evolve(self.state, entry)

    def _spelled(self, by: str) -> str:
        return by


class Scene(_Stage[Room]):
    """A room."""

    kind = ROOM

    @property
    def room(self) -> Room:
        return self.state

    def _spelled(self, by: str) -> str:
        return self.room.members.spelling(by) if by else ""


class ProjectScene(_Stage[Project]):
    """A project."""

    kind = PROJECT

    @property
    def project(self) -> Project:
        return self.state


class LobbyScene(_Stage[Lobby]):
    """The lobby."""

    kind = LOBBY_KIND

    @property
    def lobby(self) -> Lobby:
        return self.state
