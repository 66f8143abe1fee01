"""RoomReport, RoomArtifact and RoomRetro (agent-room §4.10). Times are epoch milliseconds.

Ours: `id`, `url`, `position`, `host`, `endedAt`, `tasks`; with each artifact its `line`, `url` and `declined`.
"""

from typing import Any

from stateroom.core.members import fold
from stateroom.core.views.artifacts import Artifact
from stateroom.core.views.minutes import Report
from stateroom.core.views.statistics import SpeakerFigures, Statistics, TaskFigures
from stateroom.wire.agent_room.lines import TASK_STATES
from stateroom.wire.agent_room.messages import CLIENTS, Transcript, shapes
from stateroom.wire.agent_room.tasks import Client, client_of, task_with
from stateroom.wire.links import Links

Shape = dict[str, Any]


def report_shape(report: Report, links: Links) -> Shape:
    """A RoomReport. One that is kept names its address, and who has that may read it (visibility `link`)."""
    kept = {"id": report.id, "url": links.report(report.id), "visibility": "link"} if report.id else {}
    ended = {} if report.ended_at is None else {"endedAt": report.ended_at}
    return {
        **kept,
        "code": report.code,
        "topic": report.topic,
        "host": report.host,
        "createdAt": report.created_at,
        **ended,
        "exportedAt": report.exported_at,
        "position": report.position,
        "participants": [
            {"name": one.name, "role": one.role, "client": CLIENTS[one.kind]} for one in report.participants
        ],
        "messageCount": report.message_count,
        "summary": report.summary,
        "highlights": [f"{one.author}: {one.text}" for one in report.highlights],
        "decisions": [f"{one.author}: {one.text}" for one in report.decisions],
        "actionItems": [f"{one.author}: {one.text}" for one in report.action_items],
        "artifacts": [artifact_shape(one, report.code, links) for one in report.artifacts],
        "tasks": [task_with(task, _clients(report)) for task in report.tasks],
        "transcript": shapes(transcript(report), report.code, links),
        "retro": retro_shape(report.statistics),
    }


def _clients(report: Report) -> Client:
    """Who was a person, as the report remembers it."""
    kinds = {fold(one.name): one.kind for one in report.participants}
    return lambda name: client_of(kinds.get(fold(name)))


def transcript(report: Report) -> Transcript:
    """The lines of a report, ready to be shown without its room."""
    entries = list(report.lines)
    by_position = {int(entry.position): entry for entry in entries}
    return Transcript(entries, by_position, frozenset(report.withdrawn), report.message_count)


def artifact_shape(one: Artifact, code: str, links: Links) -> Shape:
    """A RoomArtifact."""
    shape: Shape = {
        "id": one.id,
        "kind": one.kind,
        "text": one.text,
        "sourceMessageId": one.source,
        "author": one.author,
        "time": one.at,
        "line": one.line,
        "url": links.line(code, one.source),
    }
    return {**shape, "declined": True} if one.kind == "decision" and one.declined else shape


def retro_shape(figures: Statistics) -> Shape:
    """A RoomRetro."""
    shape: Shape = {
        "generatedAt": figures.generated_at,
        "durationMs": figures.duration_ms,
        "messageCount": figures.message_count,
        "sysEventCount": figures.system_count,
        "participants": [_speaker(one) for one in figures.speakers],
    }
    if figures.tasks:
        shape["tasks"] = [_course(one) for one in figures.tasks]
    totals = {
        "timeouts": figures.timeouts,
        "skips": figures.skips,
        "rejections": figures.rejections,
        "tasksDone": figures.tasks_done,
        "tasksOpen": figures.tasks_open,
    }
    return {**shape, "totals": totals}


def _speaker(one: SpeakerFigures) -> Shape:
    return {
        "name": one.name,
        "client": CLIENTS[one.kind],
        "messages": one.messages,
        "chars": one.chars,
        "sharePct": one.share_percent,
        "timeouts": one.timeouts,
        "skips": one.skips,
    }


def _course(one: TaskFigures) -> Shape:
    shape = _some({"id": one.id, "title": one.title, "state": TASK_STATES[one.state]}, owner=one.owner)
    shape = _some(shape, verifier=one.verifier, createdAt=one.opened_at, claimedAt=one.claimed_at)
    shape = _some(shape, submittedAt=one.submitted_at, decidedAt=one.decided_at, cycleMs=one.cycle_ms)
    return {**shape, "rejections": one.rejections, "reassignments": one.reassignments}


def _some(shape: Shape, **more: Any) -> Shape:
    """The shape with those further fields that have a value."""
    return {**shape, **{name: value for name, value in more.items() if value is not None}}
