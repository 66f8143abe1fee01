"""Minutes: what came out of a room, and how (agent-room §15, gaps 41 and 82).

A report holds all that its readers need, so that it can be read without the room, and for ever. What was not marked
is not guessed: without marks there are no decisions and nothing to do, and the summary says so.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from stateroom.core import marks
from stateroom.core.context import ContextFact
from stateroom.core.here import Event, LogEntry, Unreadable
from stateroom.core.ids import Instant, Name, Position
from stateroom.core.members import MemberKind, fold
from stateroom.core.proving import TaskVerified
from stateroom.core.reviews import Review
from stateroom.core.room import Room
from stateroom.core.speech import MessageSaid
from stateroom.core.tasks import Task, TaskFact
from stateroom.core.views.artifacts import Artifact, of, of_kind
from stateroom.core.views.statistics import Statistics, statistics

HIGHLIGHTS = 8
HIGHLIGHT_CHARS = 220
SHORT_CHARS = 10
"""A line must be longer than that to be a highlight."""
HOUR_MS, MINUTE_MS = 3_600_000, 60_000


@dataclass(frozen=True, slots=True)
class Participant:
    name: Name
    role: str
    kind: MemberKind


@dataclass(frozen=True, slots=True)
class Highlight:
    source: Position
    """The line it was taken from."""
    line: int
    author: Name
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """A room as it stood at a position."""

    code: str
    topic: str
    host: Name
    """Who created it; empty for a room that came to be by being named."""
    created_at: Instant
    ended_at: Instant | None
    exported_at: Instant
    position: Position
    participants: tuple[Participant, ...]
    """Who is there, in order of joining, then whoever has taken part and left."""
    message_count: int
    """Lines of the transcript, system lines included."""
    summary: str
    highlights: tuple[Highlight, ...]
    """At most 8; tasks that were verified come first."""
    artifacts: tuple[Artifact, ...]
    """Every mark, in the order of the transcript."""
    tasks: tuple[Task, ...]
    """The board, in its order."""
    reviews: tuple[Review, ...]
    """Those that were asked for; what was said of submissions stands with their tasks."""
    """In the order in which they were asked for."""
    statistics: Statistics
    lines: tuple[LogEntry, ...]
    """The transcript: each fact with as much as its line shows. A withdrawn one has become unreadable."""
    withdrawn: tuple[Position, ...] = ()
    """Which lines were withdrawn."""
    id: str = ""
    """Where it is kept; empty for one that was only looked at."""

    @property
    def decisions(self) -> list[Artifact]:
        return of_kind(self.artifacts, "decision")

    @property
    def action_items(self) -> list[Artifact]:
        return of_kind(self.artifacts, "todo")


def minutes(room: Room, lines: list[LogEntry], now: Instant) -> Report:
    """The report of a room. `lines` are all lines of its log, up to its position."""
    gone = room.messages.withdrawn
    shown = [entry for entry in lines if entry.position not in gone]
    artifacts = tuple(one for entry in shown for one in of(entry))
    life, tasks = room.lifecycle, tuple(room.board.tasks.values())
    figures, participants = statistics(room, lines, now), _participants(room, lines)
    return Report(
        code=life.code,
        topic=life.topic or life.project or life.room_id,
        host=life.host,
        created_at=life.opened_at,
        ended_at=life.ended_at,
        exported_at=now,
        position=room.position,
        participants=participants,
        message_count=len(lines),
        summary=_summary(figures, len(participants), artifacts),
        highlights=tuple([*_verified(shown), *_said(shown)][:HIGHLIGHTS]),
        artifacts=artifacts,
        tasks=tasks,
        reviews=tuple(review for review in room.reviews.reviews.values() if not review.of_submission),
        statistics=figures,
        lines=tuple(_kept(entry, withdrawn=entry.position in gone) for entry in lines),
        withdrawn=tuple(entry.position for entry in lines if entry.position in gone),
    )


def _participants(room: Room, lines: Iterable[LogEntry]) -> tuple[Participant, ...]:
    found = {key: Participant(one.name, one.role, one.kind) for key, one in room.members.by_fold.items()}
    for entry in lines:
        if entry.by and (key := fold(entry.by)) not in room.members.by_fold:
            speaker = entry.event.speaker if isinstance(entry.event, MessageSaid) else None
            if speaker is not None:
                found[key] = Participant(entry.by, speaker.role, speaker.kind)
            else:
                found.setdefault(key, Participant(entry.by, "", "agent"))
    return tuple(found.values())


def _summary(figures: Statistics, participants: int, artifacts: tuple[Artifact, ...]) -> str:
    """One sentence about size, one about outcome; nothing of what anybody wrote."""
    size = f"{_count(participants, 'participant')}, {_count(figures.message_count, 'message')}"
    counts = [
        _count(len(of_kind(artifacts, "decision")), "decision"),
        _count(len(of_kind(artifacts, "todo")), "action item"),
        _count(len(of_kind(artifacts, "result")), "result"),
    ]
    outcome = (
        f"Marked: {', '.join(counts)}." if artifacts else "Nothing was marked as a decision, action item or result."
    )
    done = f" {figures.tasks_done} of {_count(len(figures.tasks), 'task')} done." if figures.tasks else ""
    return f"{size} in {_duration(figures.duration_ms)}. {outcome}{done}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _duration(milliseconds: int) -> str:
    hours, minutes_left = milliseconds // HOUR_MS, milliseconds % HOUR_MS // MINUTE_MS
    return f"{hours} h {minutes_left} min" if hours else f"{minutes_left} min"


def _verified(lines: Iterable[LogEntry]) -> list[Highlight]:
    """The tasks that another member has found done, which they stay, each with the line that says so."""
    return [
        Highlight(
            entry.position, entry.line, entry.by, _clip(f"{entry.event.task.id} is done: {entry.event.task.title}")
        )
        for entry in lines
        if isinstance(entry.event, TaskVerified)
    ]


def _said(lines: Iterable[LogEntry]) -> list[Highlight]:
    """First lines of messages; where there are too many, of those that made a mark before others."""
    spoken = [entry for entry in lines if isinstance(entry.event, MessageSaid) and entry.event.kind == "message"]
    marked = [entry for entry in spoken if of(entry)]
    plain = [entry for entry in spoken if not of(entry)]
    found: list[Highlight] = []
    for entry in [*marked, *plain]:
        if len(found) < HIGHLIGHTS and (line := _first_line(entry)):
            found.append(Highlight(entry.position, entry.line, entry.by, _clip(line)))
    return sorted(found, key=lambda one: one.source)


def _first_line(entry: LogEntry) -> str:
    """The first line of a message that is more than a word, and neither code nor quotation; empty if there is none."""
    text = entry.event.text if isinstance(entry.event, MessageSaid) else ""
    return next((line for line in _own_lines(text) if len(line) > SHORT_CHARS), "")


_BREAK = re.compile(r"\r\n|[\n\r\u2028\u2029]")


def _own_lines(text: str) -> Iterator[str]:
    """The lines that are neither code nor quotation, as they were written."""
    written = iter(_BREAK.split(text))
    for shown in marks.prose(text).split("\n"):
        yield next((line for line in written if _covers(shown, line)), shown).strip()


def _covers(shown: str, line: str) -> bool:
    """Whether a line is the other with its code spans overwritten."""
    return shown == line or (len(shown) == len(line) and all(a in (b, "`") for a, b in zip(shown, line, strict=True)))


def _clip(text: str) -> str:
    return text if len(text) <= HIGHLIGHT_CHARS else text[: HIGHLIGHT_CHARS - 3] + "..."


def _kept(entry: LogEntry, *, withdrawn: bool) -> LogEntry:
    """An entry as a report keeps it: without the credential and the request behind it."""
    return replace(entry, via="", cause="", event=Unreadable("withdrawn") if withdrawn else _slim(entry.event))


def _slim(event: Event) -> Event:
    """As much of a fact as its line shows: tasks and documents are not repeated whole with each change."""
    if isinstance(event, TaskFact):
        return replace(event, task=replace(event.task, description="", evidence=(), role_history=()))
    if isinstance(event, ContextFact):
        return replace(event, entry=replace(event.entry, payload={}))
    return event.public
