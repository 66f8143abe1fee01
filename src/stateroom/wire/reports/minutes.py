"""Minutes as Markdown (agent-room §15): what came out, who did what, and every line that was said."""

from collections.abc import Iterable
from typing import Any

from stateroom.core.marks import MarkKind
from stateroom.core.tasks import Task
from stateroom.core.views.artifacts import Artifact, of_kind
from stateroom.core.views.minutes import Participant, Report
from stateroom.core.views.statistics import SpeakerFigures
from stateroom.wire.agent_room.lines import TASK_STATES
from stateroom.wire.agent_room.messages import shapes
from stateroom.wire.links import Links
from stateroom.wire.reports.markdown import NOTHING, bullets, inline, line_link, marked, moment, quoted, section, yaml
from stateroom.wire.reports.shapes import transcript
from stateroom.wire.times import iso

KINDS: tuple[tuple[MarkKind, str], ...] = (
    ("decision", "Decision"),
    ("todo", "Todo"),
    ("status", "Status"),
    ("result", "Result"),
)


def document(report: Report, links: Links) -> list[str]:
    def told(artifacts: Iterable[Artifact]) -> list[str]:
        return [marked(one, report.code, links) for one in artifacts]

    highlights = (
        f"{inline(one.author)}: {inline(one.text)} ({line_link(one.line, one.source, report.code, links)})"
        for one in report.highlights
    )
    return [
        *_front_matter(report, links),
        *("", f"# {inline(report.topic)}", ""),
        f"> Minutes of room [{report.code}]({links.room(report.code)}), as it stood at {moment(report.exported_at)}.",
        *("", report.summary),
        *section("Participants", bullets(map(_participant, report.participants))),
        *section("Highlights", bullets(highlights)),
        *section("Decisions", bullets(told(report.decisions))),
        *section("Action Items", bullets(f"[ ] {one}" for one in told(report.action_items))),
        *section("Structured Artifacts", _artifacts(report, links)),
        *section("Tasks", bullets(map(_task, report.tasks))),
        *section("Statistics", _statistics(report.statistics.speakers)),
        *section("Transcript", _transcript(report, links)),
    ]


def _front_matter(report: Report, links: Links) -> list[str]:
    names = ", ".join(yaml(one.name) for one in report.participants)
    kept = [f"report: {yaml(links.report(report.id))}"] if report.id else []
    return [
        "---",
        f"title: {yaml(report.topic)}",
        f"room: {yaml(report.code)}",
        f"exported: {yaml(iso(report.exported_at))}",
        f"messages: {report.message_count}",
        f"participants: [{names}]",
        f"position: {report.position}",
        *kept,
        "---",
    ]


def _participant(one: Participant) -> str:
    role = f", {inline(one.role)}" if one.role else ""
    return f"{inline(one.name)} ({one.kind}{role})"


def _artifacts(report: Report, links: Links) -> list[str]:
    lines: list[str] = []
    for kind, title in KINDS:
        if found := of_kind(report.artifacts, kind):
            lines += section(title, bullets(marked(one, report.code, links) for one in found), level=3)
    return lines[1:] or [NOTHING]


def _task(task: Task) -> str:
    owner = f", owner {inline(task.owner)}" if task.owner else ""
    verdict = task.verdict
    ruled = f", {verdict.verdict} by {inline(verdict.by)}" if verdict else ""
    return f"{inline(task.id)} {inline(task.title)}: {TASK_STATES[task.state]}{owner}{ruled}"


def _statistics(speakers: Iterable[SpeakerFigures]) -> list[str]:
    rows = [
        f"| {inline(one.name)} | {one.messages} | {one.share_percent} % | {one.timeouts} | {one.skips} |"
        for one in speakers
    ]
    head = ["| name | messages | share of characters | timeouts | skips |", "|---|---|---|---|---|"]
    return [*head, *rows] if rows else [NOTHING]


def _transcript(report: Report, links: Links) -> list[str]:
    lines: list[str] = []
    for message in shapes(transcript(report), report.code, links):
        lines += _said(message) if message["type"] == "msg" else _happened(message)
        lines.append("")
    return lines or [NOTHING]


def _happened(message: dict[str, Any]) -> list[str]:
    icon, text = message["initials"], message["text"]
    return [f"{icon} {inline(text.removeprefix(icon))} · {_when(message)}"]


def _said(message: dict[str, Any]) -> list[str]:
    role = f" ({inline(message['role'])})" if message["role"] else ""
    status = " · status" if message["metadata"]["roleAtSend"] == "status" else ""
    answer = message.get("replyTo")
    lines = [f"**{inline(message['name'])}**{role}{status} · {_when(message)}", ""]
    if answer:
        lines += [f"In reply to {inline(answer['name'])}: {inline(answer['text'])}", ""]
    lines += quoted(message["text"])
    files = [_file(one) for one in message.get("attachments", ())]
    return [*lines, "", *bullets(files)] if files else lines


def _when(message: dict[str, Any]) -> str:
    return f"{moment(message['time'])} · line {message['line']}"


def _file(one: dict[str, Any]) -> str:
    return f"[{inline(one['name'])}]({one['url']}) ({inline(one['mime'])}, {one['size']} bytes)"
