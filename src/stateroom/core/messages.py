"""What is said in the room. A posted event is a message: a type, an addressee, a payload.

What was said stays in the log for ever. This slice keeps only what a later rule or view must know about it:
which positions were withdrawn, who has marked what as read, and how much is said per day.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from stateroom.core import limits
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Name, Position
from stateroom.core.members import fold
from stateroom.core.refusals import UnknownEvent

DAY_MS = 86_400_000
DAYS_KEPT = 91
LINES_APART = 64


@dataclass(slots=True)
class Messages:
    told: int = 0
    """Entries the room was told of and that are not withdrawn."""
    told_by_day: dict[int, int] = field(default_factory=dict)
    """Day (since 1970) -> entries told on it; the newest 91 days that had any."""
    last: Position = Position(0)
    withdrawn: dict[int, None] = field(default_factory=dict)
    """Positions, in the order in which they were withdrawn."""
    untold: list[list[int]] = field(default_factory=list)
    """Runs of positions the room was not told of, first and last: those can be neither withdrawn nor marked."""
    receipts: dict[int, dict[str, Name]] = field(default_factory=dict)
    """Position -> who marked it read, by folded name."""
    line_places: list[Position] = field(default_factory=list)
    """Where lines 1, 65, 129, … of the transcript are, so that reading on from a line needs no search."""

    def before_line(self, line: int) -> Position:
        """A position after which, within a few entries, the given line and all later ones are."""
        index = min((line - 1) // LINES_APART, len(self.line_places) - 1)
        return Position(self.line_places[index] - 1) if index >= 0 else Position(0)

    def visible(self, entry: LogEntry) -> bool:
        return entry.event.told and entry.position not in self.withdrawn

    def has(self, position: int) -> bool:
        """Whether the room was told of this position, and it is not withdrawn."""
        run = bisect_right(self.untold, position, key=lambda run: run[0])
        untold = run > 0 and position <= self.untold[run - 1][1]
        return 0 < position <= self.last and position not in self.withdrawn and not untold

    def read_by(self, position: int) -> list[Name]:
        return list(self.receipts.get(position, {}).values())


@dataclass(frozen=True, slots=True)
class PostMessage(Command):
    type: str
    to: str
    """A member's name or `all`. Advice, not access: everybody sees everything."""
    payload: dict[str, Any]
    reply_to: str = ""
    """Id of what it answers, as the caller wrote it; the parent need not exist."""


@dataclass(frozen=True, slots=True)
class MarkRead(Command):
    position: Position


@dataclass(frozen=True, slots=True)
class WithdrawMessage(Command):
    position: Position


@dataclass(frozen=True, slots=True)
class MessagePosted(Event):
    type: str
    to: str
    payload: dict[str, Any]
    reply_to: str = ""


@dataclass(frozen=True, slots=True)
class MessageRead(Event):
    position: Position

    @property
    def told(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class MessageWithdrawn(Event):
    """A tombstone: the log keeps every entry, views stop showing this one (W-11)."""

    position: Position


def post(messages: Messages, command: PostMessage, here: Here) -> list[Event]:
    limits.text("type", command.type, limits.NAME_CHARS)
    limits.text("to", command.to, limits.NAME_CHARS)
    limits.text("reply_to", command.reply_to, limits.NAME_CHARS)
    payload = limits.payload("payload", command.payload)
    return [MessagePosted(command.type, command.to, payload, command.reply_to)]


def mark_read(messages: Messages, command: MarkRead, here: Here) -> list[Event]:
    _must_be_there(messages, command.position)
    known = fold(here.by) in messages.receipts.get(command.position, {})
    return [] if known else [MessageRead(command.position)]


def withdraw(messages: Messages, command: WithdrawMessage, here: Here) -> list[Event]:
    _must_be_there(messages, command.position)
    return [MessageWithdrawn(command.position)]


def _must_be_there(messages: Messages, position: Position) -> None:
    if not messages.has(position):
        raise UnknownEvent(event=f"E-{position}")


def heard(messages: Messages, entry: LogEntry) -> None:
    """Count an entry of any noun that the room is told of."""
    if entry.line and entry.line > LINES_APART * len(messages.line_places):
        messages.line_places.append(entry.position)
    if not entry.event.told:
        _not_told(messages, entry.position)
    else:
        messages.told, messages.last = messages.told + 1, entry.position
        day = entry.at // DAY_MS
        messages.told_by_day[day] = messages.told_by_day.get(day, 0) + 1
        if len(messages.told_by_day) > DAYS_KEPT:
            del messages.told_by_day[min(messages.told_by_day)]


def _not_told(messages: Messages, position: Position) -> None:
    if messages.untold and messages.untold[-1][1] == position - 1:
        messages.untold[-1][1] = position
    else:
        messages.untold.append([position, position])


def marked_read(messages: Messages, entry: LogEntry, event: MessageRead) -> None:
    messages.receipts.setdefault(event.position, {})[fold(entry.by)] = entry.by


def withdrawn(messages: Messages, entry: LogEntry, event: MessageWithdrawn) -> None:
    messages.withdrawn[event.position] = None
    messages.receipts.pop(event.position, None)
    messages.told -= 1


def posted(messages: Messages, entry: LogEntry, event: MessagePosted) -> None:
    """Nothing to keep: `heard` has counted it, the log holds it."""


RULES = {PostMessage: post, MarkRead: mark_read, WithdrawMessage: withdraw}
FOLDS = {MessagePosted: posted, MessageRead: marked_read, MessageWithdrawn: withdrawn}
