"""What a room leaves to its project, taken from its log without any model: what was decided, what came out, what is
still open, what was rejected and why (agent-room §13)."""

from collections.abc import Iterable, Iterator
from itertools import chain

from stateroom.core.context import ContextFact
from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant, Position, TaskId
from stateroom.core.likeness import tokens
from stateroom.core.marks import MarkKind
from stateroom.core.memory import CATEGORIES, FACT_CHARS, Candidate, Category, Source
from stateroom.core.room import Room
from stateroom.core.speech import MessageSaid
from stateroom.core.tasks import Task, TaskFact
from stateroom.core.views import artifacts

MOST = 100
"""Of one room and category; the newest."""
MARKED: dict[MarkKind, Category] = {"decision": "decisions", "result": "facts", "todo": "open_questions"}


def telling(entry: LogEntry) -> bool:
    """Whether an entry says anything that a project might remember; all others need not be read into memory."""
    if isinstance(entry.event, MessageSaid):
        return bool(entry.event.marks)
    return isinstance(entry.event, TaskFact | ContextFact)


def learned(room: Room, entries: Iterable[LogEntry]) -> tuple[Candidate, ...]:
    """What is worth remembering of a room, given all its entries that tell something, oldest first."""
    known = list(entries)
    found = list(chain(_marks(room, known), _tasks(room, known), _documents(room, known)))
    found.sort(key=lambda one: one.source.at if one.source else 0)
    by_category = ([one for one in found if one.category == category][-MOST:] for category in CATEGORIES)
    return tuple(chain.from_iterable(by_category))


def _candidate(
    room: Room, category: Category, text: str, entry: LogEntry | None, at: Instant, about: str = "", title: str = ""
) -> Iterator[Candidate]:
    plain = _plain(text)
    if tokens(plain):
        line, position = (entry.line, entry.position) if entry else (0, Position(0))
        source = Source(room.lifecycle.code, line, entry.at if entry else at)
        yield Candidate(category, plain, source, about, title, position)


def _plain(text: str) -> str:
    """On one line of bounded length."""
    plain = " ".join(text.split())
    return plain if len(plain) <= FACT_CHARS else plain[: FACT_CHARS - 1] + "…"


def _marks(room: Room, entries: list[LogEntry]) -> Iterator[Candidate]:
    """A decision that declines something begins with that word, and so does the fact."""
    for entry in entries:
        for one in artifacts.of(entry) if room.messages.visible(entry) else ():
            if one.kind in MARKED:
                yield from _candidate(room, MARKED[one.kind], one.text, entry, one.at)


def _tasks(room: Room, entries: list[LogEntry]) -> Iterator[Candidate]:
    """Each task as it stands at the end; the line is that of the last that happened to it."""
    last: dict[TaskId, LogEntry] = {e.event.task.id: e for e in entries if isinstance(e.event, TaskFact)}
    for task in room.board.tasks.values():
        where = (last.get(task.id), task.changed_at)
        about = (f"{room.lifecycle.code} {task.id}", _plain(task.title))
        if task.state == "done":
            yield from _candidate(room, "deliverables", f"{task.title}{_credit(task)}", *where, *about)
        elif task.state != "cancelled":
            stands = {"blocked": " (blocked)", "rejected": " (rejected)"}.get(task.state, "")
            yield from _candidate(room, "open_questions", f"{task.id} {task.title}{stands}", *where, *about)
        if task.verdict is not None and task.verdict.verdict == "rejected" and task.verdict.note:
            yield from _candidate(room, "lessons", f"{task.title} was rejected: {task.verdict.note}", *where)


def _credit(task: Task) -> str:
    done = f"done by {task.owner}" if task.owner else ""
    checked = f"verified by {task.verdict.by}" if task.verdict is not None else ""
    said = ", ".join(filter(None, (done, checked)))
    return f" ({said})" if said else ""


def _documents(room: Room, entries: list[LogEntry]) -> Iterator[Candidate]:
    last = {e.event.entry.id: e for e in entries if isinstance(e.event, ContextFact)}
    for entry in room.context.entries.values():
        if entry.type == "task" or not entry.summary.strip():
            continue
        category: Category = "decisions" if entry.type == "arch_decision" else "facts"
        kind = "" if entry.type in ("arch_decision", "note") else f"{entry.type} {entry.id} {entry.version}: "
        yield from _candidate(room, category, f"{kind}{entry.summary}", last.get(entry.id), entry.written_at)
