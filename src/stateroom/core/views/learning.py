"""What a room leaves to its project, taken from its log without any model: what was decided, what came out, what is
still open, what was rejected and why (agent-room §13)."""

from collections.abc import Iterable, Iterator

from stateroom.core.context import ContextFact
from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant, TaskId
from stateroom.core.marks import MarkKind
from stateroom.core.memory import FACT_CHARS, Candidate, Category, Source, tokens
from stateroom.core.room import Room
from stateroom.core.tasks import Task, TaskFact
from stateroom.core.views import artifacts

MOST = 300
"""Of one room; the newest."""
MARKED: dict[MarkKind, Category] = {"decision": "decisions", "result": "facts", "todo": "open_questions"}


def learned(room: Room, entries: Iterable[LogEntry]) -> tuple[Candidate, ...]:
    """What is worth remembering of a room, given all its entries, oldest first."""
    known = list(entries)
    found = [*_marks(room, known), *_tasks(room, known), *_documents(room, known)]
    return tuple(found[-MOST:])


def _candidate(
    room: Room, category: Category, text: str, line: int, at: Instant, about: str = ""
) -> Iterator[Candidate]:
    plain = " ".join(text.split())
    plain = plain if len(plain) <= FACT_CHARS else plain[: FACT_CHARS - 1] + "…"
    if tokens(plain):
        yield Candidate(category, plain, Source(room.lifecycle.code, line, at), about)


def _marks(room: Room, entries: list[LogEntry]) -> Iterator[Candidate]:
    for entry in entries:
        for one in artifacts.of(entry) if room.messages.visible(entry) else ():
            if one.kind in MARKED:
                yield from _candidate(room, MARKED[one.kind], one.text, one.line, one.at)


def _tasks(room: Room, entries: list[LogEntry]) -> Iterator[Candidate]:
    """Each task as it stands at the end; the line is that of the last that happened to it."""
    lines: dict[TaskId, LogEntry] = {e.event.task.id: e for e in entries if isinstance(e.event, TaskFact)}
    for task in room.board.tasks.values():
        entry = lines.get(task.id)
        line, at = (entry.line, entry.at) if entry else (0, task.changed_at)
        about = f"{room.lifecycle.code} {task.id}"
        if task.state == "done":
            yield from _candidate(room, "deliverables", f"{task.title}{_credit(task)}", line, at, about)
        elif task.state != "cancelled":
            stands = {"blocked": " (blocked)", "rejected": " (rejected)"}.get(task.state, "")
            yield from _candidate(room, "open_questions", f"{task.id} {task.title}{stands}", line, at, about)
        if task.verdict is not None and task.verdict.verdict == "rejected" and task.verdict.note:
            yield from _candidate(room, "lessons", f"{task.title} was rejected: {task.verdict.note}", line, at)


def _credit(task: Task) -> str:
    done = f"done by {task.owner}" if task.owner else ""
    checked = f"verified by {task.verdict.by}" if task.verdict is not None else ""
    said = ", ".join(filter(None, (done, checked)))
    return f" ({said})" if said else ""


def _documents(room: Room, entries: list[LogEntry]) -> Iterator[Candidate]:
    lines = {e.event.entry.id: e for e in entries if isinstance(e.event, ContextFact)}
    for entry in room.context.entries.values():
        if entry.type == "task" or not entry.summary.strip():
            continue
        written = lines.get(entry.id)
        line, at = (written.line, written.at) if written else (0, entry.written_at)
        category: Category = "decisions" if entry.type == "arch_decision" else "facts"
        kind = "" if entry.type in ("arch_decision", "note") else f"{entry.type} {entry.id} {entry.version}: "
        yield from _candidate(room, category, f"{kind}{entry.summary}", line, at)
