"""Reports: a room frozen at a position, kept under an unguessable id (agent-room §15, gap 83).

The report itself is a blob; the room remembers which there are, the lobby finds them by their id.
"""

from dataclasses import dataclass, field

from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name, Position

REPORTS_KEPT = 200


@dataclass(frozen=True, slots=True)
class ReportCard:
    id: str
    digest: str
    """Of the blob that holds it as JSON."""
    position: Position
    """It shows the room as it stood here."""
    at: Instant
    by: Name


@dataclass(slots=True)
class Reports:
    cards: list[ReportCard] = field(default_factory=list)
    """Oldest first; the newest 200."""

    def newest(self) -> ReportCard | None:
        return self.cards[-1] if self.cards else None


@dataclass(frozen=True, slots=True)
class KeepReport(Command):
    """Remember a report that has been made. Asked by the engine."""

    id: str
    digest: str
    position: Position


@dataclass(frozen=True, slots=True)
class ReportKept(Event):
    report: ReportCard

    @property
    def told(self) -> bool:
        return False


def keep(reports: Reports, command: KeepReport, here: Here) -> list[Event]:
    return [ReportKept(ReportCard(command.id, command.digest, command.position, here.now, here.by))]


def kept(reports: Reports, entry: LogEntry, event: ReportKept) -> None:
    reports.cards.append(event.report)
    del reports.cards[:-REPORTS_KEPT]


RULES = {KeepReport: keep}
FOLDS = {ReportKept: kept}
