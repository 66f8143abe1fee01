"""The page of a report, from its JSON form (agent-room §4.10)."""

from collections.abc import Mapping
from typing import Any

from stateroom.faces.web.contexts import Frame, Outcome, OutcomeColumn, ReportMember, ReportPage, ReportTask
from stateroom.faces.web.lines import line_href, stretch
from stateroom.faces.web.parts import moment
from stateroom.faces.web.windows import Window

Shape = Mapping[str, Any]
COLUMN_OUTCOMES = 500
FORMATS = {"minutes": "Minutes", "adr": "Decision record", "pr": "Pull request description"}
COLUMNS = (
    ("Decisions", ("decision",), "Nothing was marked as a decision."),
    ("Action items", ("todo",), "Nothing was marked to be done."),
    ("Status and results", ("status", "result"), "No status and no result was marked."),
)


def report_page(report: Shape, frame: Frame, path: str, permalink: str, window: Window) -> ReportPage:
    """`path` is the page's own; `permalink` is empty for a draft."""
    transcript = stretch(report["transcript"][window.after : window.before - 1], window, path)
    shown = {line.id for line in transcript.lines}
    retro = report.get("retro") or {}
    return ReportPage(
        frame=frame,
        code=report["code"],
        topic=report["topic"],
        draft=not permalink,
        permalink=permalink,
        created=moment(report["createdAt"]),
        exported=moment(report["exportedAt"]),
        count=report["messageCount"],
        duration=duration(retro["durationMs"]) if "durationMs" in retro else "",
        summary=report["summary"],
        highlights=tuple(report["highlights"]),
        outcomes=tuple(_column(report, shown, path, *column) for column in COLUMNS),
        members=_members(report, retro),
        tasks=tuple(_task(task) for task in retro.get("tasks") or ()),
        downloads=tuple((name, f"{path}?format={id}") for id, name in FORMATS.items()),
        transcript=transcript,
    )


def line_of(report: Shape, id: int) -> int:
    """The line of a message; 0 for none."""
    ids = [message["id"] for message in report["transcript"]]
    return ids.index(id) + 1 if id in ids else 0


def _column(report: Shape, shown: set[int], path: str, title: str, kinds: tuple[str, ...], empty: str) -> OutcomeColumn:
    marked = [one for one in report["artifacts"] if one["kind"] in kinds]
    shown_outcomes = tuple(
        Outcome(
            kind=one["kind"],
            text=one["text"],
            author=one["author"],
            at=moment(one["time"]),
            href=line_href(one["sourceMessageId"], shown, path),
            declined=bool(one.get("declined")),
        )
        for one in marked[:COLUMN_OUTCOMES]
    )
    return OutcomeColumn(title, empty, len(kinds) > 1, shown_outcomes, len(marked))


def _members(report: Shape, retro: Shape) -> tuple[ReportMember, ...]:
    counted = {(one["name"], one["client"]): one for one in retro.get("participants") or ()}
    return tuple(_member(one, counted.get((one["name"], one["client"]))) for one in report["participants"])


def _member(one: Shape, counted: Shape | None) -> ReportMember:
    return ReportMember(
        name=one["name"],
        role=one["role"],
        person=one["client"] == "web",
        messages=counted["messages"] if counted else None,
        share=counted["sharePct"] if counted else None,
        missed=counted["timeouts"] + counted["skips"] if counted else None,
    )


def _task(task: Shape) -> ReportTask:
    return ReportTask(
        id=task["id"],
        title=task["title"],
        state=task["state"].replace("_", " "),
        owner=task.get("owner") or "",
        verifier=task.get("verifier") or "",
        rejections=task.get("rejections") or 0,
    )


def duration(ms: int) -> str:
    """For people: `2 h 05 min`."""
    minutes = ms // 60_000
    if not minutes:
        return "less than a minute"
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes % 60:02d} min" if hours else f"{minutes} min"
