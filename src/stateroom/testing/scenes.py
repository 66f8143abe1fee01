"""Rules tested in one line: `Scene(given…).when(wish)` answers with facts, or raises a refusal."""

from collections.abc import Iterable

from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, Position
from stateroom.core.room import Room, decide, evolve
from stateroom.log import codec

START = Instant(1_767_225_600_000)
"""2026-01-01T00:00:00Z."""


class Scene:
    """A room, its log, and a clock that stands still until it is told to move."""

    def __init__(self, *given: tuple[str, Command]) -> None:
        """`given` are wishes that came before, each with who made it."""
        self.room = Room()
        self.log: list[LogEntry] = []
        self.now = START
        for by, command in given:
            self.when(by, command)

    def when(self, by: str, command: Command, *, after_s: float = 0) -> list[Event]:
        """The facts that follow from a wish, folded into the room. Raises Refusal; then nothing has changed."""
        self.now = Instant(self.now + round(after_s * 1000))
        before = codec.encode_state(self.room)
        try:
            events = decide(self.room, command, Here(Name(by), self.now))
        finally:
            assert codec.encode_state(self.room) == before, "decide changed the room"
        spelled = self.room.members.spelling(by) if by else ""
        self.fold(events, Name(spelled))
        return events

    def fold(self, events: Iterable[Event], by: Name = Name("")) -> None:
        """Append facts to the log and fold them, as the engine would."""
        for event in events:
            line = self.room.lines + 1 if event.line else 0
            entry = LogEntry(Position(self.room.position + 1), line, self.now, by, "scene", "", event)
            self.log.append(entry)
            evolve(self.room, entry)

    def told(self, events: Iterable[Event]) -> list[str]:
        """The names of those facts that the room hears of."""
        return [type(event).__name__ for event in events if event.told]
