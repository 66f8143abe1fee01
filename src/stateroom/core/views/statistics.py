"""A conversation in figures (agent-room §4.10 "RoomRetro"): who spoke how much, who was silent, how tasks went.

Counted from the facts of the transcript, never from the sentences they are shown as (gap 51). What was withdrawn
counts as a system line, which is how it is shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from stateroom.core.floor import ModeratorReplaced, TurnPassed
from stateroom.core.here import Event, LogEntry
from stateroom.core.ids import Instant, Name, TaskId
from stateroom.core.members import MemberKind, fold
from stateroom.core.proving import TaskRejected, TaskSubmitted
from stateroom.core.room import Room
from stateroom.core.speech import MessageSaid
from stateroom.core.tasks import Task, TaskClaimed, TaskFact, TaskFinished, TaskState


@dataclass(frozen=True, slots=True)
class SpeakerFigures:
    name: Name
    kind: MemberKind
    messages: int
    """Status notes included."""
    chars: int
    share_percent: int
    """Of all characters said, rounded."""
    timeouts: int
    skips: int
    """How often the floor passed it by: by the host, or because another stepped in."""


@dataclass(frozen=True, slots=True)
class TaskFigures:
    id: TaskId
    title: str
    state: TaskState
    owner: Name | None
    verifier: Name | None
    opened_at: Instant
    claimed_at: Instant | None
    """When it was first taken."""
    submitted_at: Instant | None
    """When the newest evidence came in."""
    decided_at: Instant | None
    """When it was accepted or rejected, or finished without a verdict; None while it is neither."""
    rejections: int
    reassignments: int
    """How often owner or verifier changed hands."""

    @property
    def cycle_ms(self) -> int | None:
        """From being taken (or else opened) to being decided; None while it is not."""
        return None if self.decided_at is None else max(0, self.decided_at - (self.claimed_at or self.opened_at))


@dataclass(frozen=True, slots=True)
class Statistics:
    generated_at: Instant
    duration_ms: int
    """From the room's creation to its newest line."""
    message_count: int
    system_count: int
    speakers: tuple[SpeakerFigures, ...]
    """Whoever takes part or has spoken, most messages first."""
    tasks: tuple[TaskFigures, ...]
    """As on the board, in its order."""

    @property
    def timeouts(self) -> int:
        return sum(one.timeouts for one in self.speakers)

    @property
    def skips(self) -> int:
        return sum(one.skips for one in self.speakers)

    @property
    def rejections(self) -> int:
        return sum(one.rejections for one in self.tasks)

    @property
    def tasks_done(self) -> int:
        return sum(one.state == "done" for one in self.tasks)

    @property
    def tasks_open(self) -> int:
        """Every task that is not done (agent-room §4.10), so also what was rejected or cancelled."""
        return len(self.tasks) - self.tasks_done


@dataclass(slots=True)
class _Tally:
    name: Name
    kind: MemberKind
    messages: int = 0
    chars: int = 0
    timeouts: int = 0
    skips: int = 0


@dataclass(slots=True)
class _Course:
    """What the lines tell of a task."""

    claimed_at: Instant | None = None
    submitted_at: Instant | None = None
    finished_at: Instant | None = None
    rejections: int = 0


def statistics(room: Room, lines: list[LogEntry], now: Instant) -> Statistics:
    """The figures of a room and its transcript; of withdrawn lines only that they are there."""
    said = [entry for entry in lines if isinstance(entry.event, MessageSaid) and _stands(room, entry)]
    newest = lines[-1].at if lines else room.lifecycle.opened_at
    return Statistics(
        generated_at=now,
        duration_ms=max(0, newest - room.lifecycle.opened_at),
        message_count=len(said),
        system_count=len(lines) - len(said),
        speakers=_speakers(room, said, lines),
        tasks=_tasks(room, lines),
    )


def _stands(room: Room, entry: LogEntry) -> bool:
    return entry.position not in room.messages.withdrawn


def _speakers(room: Room, said: list[LogEntry], lines: list[LogEntry]) -> tuple[SpeakerFigures, ...]:
    tallies = {folded: _Tally(member.name, member.kind) for folded, member in room.members.by_fold.items()}
    for entry in said:
        if isinstance(entry.event, MessageSaid):
            tally = tallies.setdefault(fold(entry.by), _Tally(entry.by, entry.event.speaker.kind))
            tally.messages, tally.chars = tally.messages + 1, tally.chars + len(entry.event.text)
    for entry in lines:
        if (name := _timed_out(entry.event)) is not None:
            tallies.setdefault(fold(name), _Tally(name, "agent")).timeouts += 1
        elif (name := _passed_by(entry.event)) is not None:
            tallies.setdefault(fold(name), _Tally(name, "agent")).skips += 1
    total = sum(tally.chars for tally in tallies.values())
    return tuple(_figures(tally, total) for tally in sorted(tallies.values(), key=lambda tally: -tally.messages))


def _timed_out(event: Event) -> Name | None:
    """Whose time ran out."""
    if isinstance(event, TurnPassed) and event.ending == "timed_out":
        return event.name
    return event.previous if isinstance(event, ModeratorReplaced) and event.reason == "timeout" else None


def _passed_by(event: Event) -> Name | None:
    """Whom the floor passed by."""
    skipped = isinstance(event, TurnPassed) and (event.why == "host" or event.ending == "skipped_by_grace")
    return event.name if isinstance(event, TurnPassed) and skipped else None


def _figures(tally: _Tally, total: int) -> SpeakerFigures:
    share = int(100 * tally.chars / total + 0.5) if total else 0
    return SpeakerFigures(tally.name, tally.kind, tally.messages, tally.chars, share, tally.timeouts, tally.skips)


def _tasks(room: Room, lines: Iterable[LogEntry]) -> tuple[TaskFigures, ...]:
    courses: dict[TaskId, _Course] = {}
    for entry in lines:
        if isinstance(entry.event, TaskFact):
            _note(courses.setdefault(entry.event.task.id, _Course()), entry)
    return tuple(_task(task, courses.get(task.id, _Course())) for task in room.board.tasks.values())


def _note(course: _Course, entry: LogEntry) -> None:
    if isinstance(entry.event, TaskClaimed) and course.claimed_at is None:
        course.claimed_at = entry.at
    elif isinstance(entry.event, TaskSubmitted):
        course.submitted_at = entry.at
    elif isinstance(entry.event, TaskFinished):
        course.finished_at = entry.at
    elif isinstance(entry.event, TaskRejected):
        course.rejections += 1


def _task(task: Task, course: _Course) -> TaskFigures:
    rejected = task.verdict is not None and task.verdict.verdict == "rejected"
    return TaskFigures(
        id=task.id,
        title=task.title,
        state=task.state,
        owner=task.owner,
        verifier=task.verifier,
        opened_at=task.opened_at,
        claimed_at=course.claimed_at,
        submitted_at=course.submitted_at,
        decided_at=_decided(task, course),
        rejections=max(course.rejections, int(rejected)),
        reassignments=len(task.role_history),
    )


def _decided(task: Task, course: _Course) -> Instant | None:
    if task.state not in ("done", "rejected"):
        return None
    return task.verdict.at if task.verdict else course.finished_at or task.changed_at
