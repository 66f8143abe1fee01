"""An architecture decision record as Markdown (agent-room §15; gap 81): what was decided, instead of what, and why."""

from collections.abc import Iterator

from stateroom.core.here import LogEntry
from stateroom.core.members import fold
from stateroom.core.speech import MessageSaid
from stateroom.core.tasks import Task
from stateroom.core.views.artifacts import Artifact
from stateroom.core.views.minutes import Report
from stateroom.wire.links import Links
from stateroom.wire.reports.markdown import NOTHING, bullets, day, inline, line_link, marked, quoted, section

SKEPTIC = "skeptic"
"""The role whose answers to a decision are objections (agent-room §18.1)."""


def document(report: Report, links: Links) -> list[str]:
    taken = [one for one in report.decisions if not one.declined]
    declined = [one for one in report.decisions if one.declined]
    deciders = {fold(one.author): inline(one.author) for one in report.decisions}
    decided = max((one.at for one in report.decisions), default=report.exported_at)
    consequences = (f"[ ] {marked(one, report.code, links)}" for one in report.action_items)
    return [
        *(f"# {inline(report.topic)}", ""),
        f"- Status: {_status(taken, declined)}",
        f"- Date: {day(decided)}",
        f"- Decided by: {', '.join(deciders.values()) or 'nobody yet'}",
        f"- Room: [{report.code}]({links.room(report.code)})",
        *section("Context", _context(report, links)),
        *section("Decision", bullets(marked(one, report.code, links) for one in taken)),
        *section("Considered options", _options(report, declined, links)),
        *section("Consequences", bullets(consequences)),
        *section("Evidence", bullets(_proof(task) for task in report.tasks if task.proven)),
    ]


def _status(taken: list[Artifact], declined: list[Artifact]) -> str:
    return "accepted" if taken else "rejected" if declined else "proposed"


def _context(report: Report, links: Links) -> list[str]:
    """What the room began with, and the facts about it."""
    seed = next((entry for entry in report.lines if _is_message(entry)), None)
    facts = bullets([f"Opened on {day(report.created_at)}" + (f" by {inline(report.host)}" if report.host else "")])
    facts += bullets(f"{inline(one.name)} took part" + _as(one.role) for one in report.participants)
    return [*(_quote(seed, report.code, links) if seed else []), *facts, "", report.summary]


def _as(role: str) -> str:
    return f" as {inline(role)}" if role else ""


def _is_message(entry: LogEntry) -> bool:
    return isinstance(entry.event, MessageSaid) and entry.event.kind == "message"


def _quote(entry: LogEntry, code: str, links: Links) -> list[str]:
    text = entry.event.text if isinstance(entry.event, MessageSaid) else ""
    return [f"{inline(entry.by)}, {line_link(entry.line, entry.position, code, links)}:", "", *quoted(text), ""]


def _options(report: Report, declined: list[Artifact], links: Links) -> list[str]:
    """What was not taken, and what skeptics answered to what was decided."""
    options = bullets(f"Not taken: {marked(one, report.code, links)}" for one in declined) if declined else []
    objections = [part for entry in _objections(report) for part in ("", *_quote(entry, report.code, links))]
    return [*options, *objections] or [NOTHING]


def _objections(report: Report) -> Iterator[LogEntry]:
    decided = {one.source for one in report.decisions}
    for entry in report.lines:
        event = entry.event
        if isinstance(event, MessageSaid) and event.reply_to in decided and fold(event.speaker.role) == SKEPTIC:
            yield entry


def _proof(task: Task) -> str:
    """What was verified, by whom, and on what grounds."""
    verdict, newest = task.verdict, task.evidence[-1] if task.evidence else None
    ruled = f"verified by {inline(verdict.by)} on {day(verdict.at)}" if verdict else "done"
    ran = "" if newest is None or newest.exit_code is None else f", exit code {newest.exit_code}"
    note = f": {inline(verdict.note)}" if verdict and verdict.note else ""
    return f"{inline(task.id)} {inline(task.title)}, {ruled}{ran}{note}"
