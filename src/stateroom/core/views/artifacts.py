"""Artifacts: marks with the line they were made in (agent-room §4.10, §7.1).

An artifact's number counts within its own line, so that its id stays the same whatever is said or withdrawn around it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from stateroom.core.context import WriteContext
from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant, Name, Position
from stateroom.core.marks import MarkKind
from stateroom.core.speech import MessageSaid

SUMMARY_CHARS = 400
TITLE_CHARS = 120
RATIONALE_CHARS = 4_000
LISTED, LISTED_CHARS = 8, 300
"""What keeps the largest message within what a payload may hold, also where every character is escaped."""

_ID = re.compile(r"(?P<source>[1-9][0-9]{0,15})-[1-9][0-9]{0,3}", re.ASCII)
_DECLINED = re.compile(r"\W*(?:reject(?:ed|s)?|block(?:ed|s)?)(?=[\s:,.;!*_]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Artifact:
    id: str
    """`<position>-<n>`: the n-th mark of that line, from 1."""
    kind: MarkKind
    text: str
    source: Position
    line: int
    author: Name
    at: Instant

    @property
    def declined(self) -> bool:
        """Whether it says no to something: it begins with reject, rejected or block (agent-room §15, ADR)."""
        return _DECLINED.match(self.text) is not None


def of(entry: LogEntry) -> list[Artifact]:
    """What a line was marked as, in its order."""
    if not isinstance(entry.event, MessageSaid):
        return []
    return [
        Artifact(f"{entry.position}-{n}", mark.kind, mark.text, entry.position, entry.line, entry.by, entry.at)
        for n, mark in enumerate(entry.event.marks, 1)
    ]


def of_kind(artifacts: Iterable[Artifact], kind: MarkKind) -> list[Artifact]:
    return [one for one in artifacts if one.kind == kind]


def source_of(artifact_id: str) -> Position | None:
    """The position of the line that an id points at; None for what is no id of an artifact."""
    found = _ID.fullmatch(artifact_id)
    return Position(int(found["source"])) if found else None


def as_context(decision: Artifact, entry: LogEntry, code: str) -> WriteContext:
    """A decision as a document that links back to its line: `source` is `{room, line, message, artifact, author}`.

    Its rationale is the message it was made in; what that message declines and what it leaves to do stand with it.
    """
    text = entry.event.text if isinstance(entry.event, MessageSaid) else decision.text
    beside = [one for one in of(entry) if one.id != decision.id]
    payload = {
        "title": _cut(decision.text, TITLE_CHARS),
        "decision": decision.text,
        "rationale": _cut(text, RATIONALE_CHARS),
        "alternatives": _listed(one for one in of_kind(beside, "decision") if one.declined),
        "consequences": _listed(of_kind(beside, "todo")),
        "source": {
            "room": code,
            "line": decision.line,
            "message": decision.source,
            "artifact": decision.id,
            "author": decision.author,
        },
    }
    said = f"Decided by {decision.author}, line {decision.line}: {decision.text}"
    return WriteContext("arch_decision", _cut(said, SUMMARY_CHARS), payload)


def _listed(artifacts: Iterable[Artifact]) -> list[str]:
    return [_cut(one.text, LISTED_CHARS) for one in artifacts][:LISTED]


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
