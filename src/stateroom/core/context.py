"""Context: typed, versioned documents that members write for each other.

Revising replaces what is given, raises the minor version in place, and never changes type or id. Earlier versions
stay in the log; this slice keeps where they are, not what they say.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from stateroom.core import limits
from stateroom.core.breaking import breaking_changes
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import ContextId, Instant, Name, Position
from stateroom.core.payloads import problems, same_json
from stateroom.core.refusals import BadPayload, ContextMoved, TooLong, UnknownContext

ContextType = Literal["api_contract", "arch_decision", "task", "change_request", "note"]


@dataclass(frozen=True, slots=True)
class ContextEntry:
    id: ContextId
    type: ContextType
    author: Name
    """Who wrote this version."""
    summary: str
    consumers: tuple[str, ...]
    payload: dict[str, Any]
    version: str
    """`<major>.<minor>`: 1.0, 1.1, … 1.9, 1.10."""
    written_at: Instant


@dataclass(frozen=True, slots=True)
class Revision:
    version: str
    position: Position


@dataclass(slots=True)
class Context:
    entries: dict[ContextId, ContextEntry] = field(default_factory=dict)
    revisions: dict[ContextId, list[Revision]] = field(default_factory=dict)
    """Oldest first; the last one is the entry as it stands."""
    last_number: int = 0

    def find(self, id: str) -> ContextEntry:
        """Raises UnknownContext."""
        entry = self.entries.get(ContextId(id))
        if entry is None:
            raise UnknownContext(context=id)
        return entry

    def written_since(self, position: int) -> int:
        """How many entries have been written or revised after a position (W-08)."""
        return sum(revisions[-1].position > position for revisions in self.revisions.values())


@dataclass(frozen=True, slots=True)
class WriteContext(Command):
    type: ContextType
    summary: str
    payload: dict[str, Any]
    consumers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviseContext(Command):
    """Replace what is given, keep the rest. With `expected_version`, only if nobody revised meanwhile (W-25)."""

    context: str
    summary: str | None = None
    payload: dict[str, Any] | None = None
    consumers: tuple[str, ...] | None = None
    expected_version: str | None = None


@dataclass(frozen=True, slots=True)
class WithdrawContext(Command):
    context: str


@dataclass(frozen=True, slots=True)
class ContextFact(Event):
    """Something happened to a context entry; `entry` is how it stands afterwards, or last stood."""

    entry: ContextEntry


@dataclass(frozen=True, slots=True)
class ContextWritten(ContextFact):
    @property
    def told(self) -> bool:
        return bool(self.entry.consumers)


@dataclass(frozen=True, slots=True)
class ContextRevised(ContextFact):
    previous_version: str
    breaking: tuple[str, ...] = ()
    """How an API contract stopped keeping what it promised, one sentence each."""

    @property
    def told(self) -> bool:
        return bool(self.entry.consumers)


@dataclass(frozen=True, slots=True)
class ContextWithdrawn(ContextFact):
    @property
    def line(self) -> bool:
        return bool(self.entry.consumers)  # the room always hears of it; the transcript when it is somebody's business


def write(context: Context, command: WriteContext, here: Here) -> list[Event]:
    entry = ContextEntry(
        id=ContextId(f"C-{context.last_number + 1:02d}"),
        type=command.type,
        author=here.by,
        summary=limits.text("summary", command.summary, limits.SUMMARY_CHARS),
        consumers=_consumers(command.consumers),
        payload=_payload(command.type, command.payload),
        version="1.0",
        written_at=here.now,
    )
    return [ContextWritten(entry)]


def revise(context: Context, command: ReviseContext, here: Here) -> list[Event]:
    before = context.find(command.context)
    if command.expected_version not in (None, before.version):
        raise ContextMoved(context=before.id, actual=before.version, expected=command.expected_version)
    after = _merged(before, command)
    if after == before and same_json(after.payload, before.payload):
        return []  # a new author alone is no new version (W-30)
    after = replace(after, author=here.by, version=next_version(before.version), written_at=here.now)
    breaks = breaking_changes(before.payload, after.payload) if before.type == "api_contract" else ()
    return [ContextRevised(after, before.version, breaks)]


def _merged(before: ContextEntry, command: ReviseContext) -> ContextEntry:
    after = before
    if command.summary is not None:
        after = replace(after, summary=limits.text("summary", command.summary, limits.SUMMARY_CHARS))
    if command.consumers is not None:
        after = replace(after, consumers=_consumers(command.consumers))
    if command.payload is not None:
        after = replace(after, payload=_payload(before.type, command.payload))
    return after


def next_version(version: str) -> str:
    """`1.9` -> `1.10`; anything that is not two integers starts again at `1.0` (protocol §2.2)."""
    parts = version.split(".")
    if len(parts) >= 2 and parts[0].isdecimal() and parts[1].isdecimal():
        return f"{int(parts[0])}.{int(parts[1]) + 1}"
    return "1.0"


def _consumers(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > limits.CONSUMERS:
        raise TooLong(field="consuming_agents", size=len(names), limit=limits.CONSUMERS, unit="names")
    return tuple(limits.text("consuming_agents", name, limits.NAME_CHARS) for name in names)


def _payload(type: ContextType, payload: dict[str, Any]) -> dict[str, Any]:
    limits.payload("payload", payload)
    if found := problems(type, payload):
        raise BadPayload(type=type, problems="; ".join(found))
    return payload


def withdraw(context: Context, command: WithdrawContext, here: Here) -> list[Event]:
    return [ContextWithdrawn(context.find(command.context))]


def stands(context: Context, entry: LogEntry, event: ContextFact) -> None:
    _counted(context, event)
    context.entries[event.entry.id] = event.entry
    context.revisions.setdefault(event.entry.id, []).append(Revision(event.entry.version, entry.position))


def _counted(context: Context, event: ContextFact) -> None:
    """Any fact about an entry uses up its number: the one that wrote it may have become unreadable."""
    context.last_number = max(context.last_number, int(event.entry.id.removeprefix("C-")))


def withdrawn(context: Context, entry: LogEntry, event: ContextWithdrawn) -> None:
    _counted(context, event)
    context.entries.pop(event.entry.id, None)
    context.revisions.pop(event.entry.id, None)


RULES = {WriteContext: write, ReviseContext: revise, WithdrawContext: withdraw}
FOLDS = {ContextWritten: stands, ContextRevised: stands, ContextWithdrawn: withdrawn}
