"""Minutes of a room: read, exported, as a document, or as a short look back (agent-room §9.3, §9.4, §15)."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from stateroom.core.refusals import UnknownReport
from stateroom.core.views.artifacts import Artifact
from stateroom.core.views.minutes import Report
from stateroom.engine import reports, transcript
from stateroom.engine.conversation import Keys
from stateroom.faces.mcp.agent_room.arguments import Line, Looking, one_of
from stateroom.faces.mcp.agent_room.failures import answering, bad_request
from stateroom.faces.mcp.agent_room.lines import slim
from stateroom.faces.mcp.agent_room.visits import Visit, visit
from stateroom.faces.mcp.desk import NOWHERE, beginning, fit, size
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.messages import message_shape
from stateroom.wire.reports.rendering import FORMATS, file_name, render
from stateroom.wire.reports.shapes import report_shape, retro_shape
from stateroom.wire.reports.shapes import transcript as lines_of

Shape = dict[str, Any]
DOCUMENTS = (*FORMATS, "json")
RECENT, DIGEST_CHARS, MARKED_CHARS, SEED_CHARS = 16, 1_200, 180, 600
NOTE_BYTES = 300
FRAME_BYTES = 600
EXPORTED = "The report is frozen as the room stood: whoever has reportUrl can read it."
KEPT = "The decision is a context entry now: read_context has it, and list_context lists it."


class Minutes(Looking, kw_only=True):
    export: bool = False
    stats: bool = False
    format: Annotated[str, one_of(*DOCUMENTS)] = ""
    snapshot: bool = False
    keepDecision: str = ""
    report: str = ""
    offset: Line = 0
    limit: Annotated[int, Meta(ge=1)] | None = None


@answering(ok=False)
async def room_minutes(desk: Any, args: Minutes) -> Any:
    """What came out of a room: summary, decisions, to-dos, transcript from offset on. export freezes a report under
    its own URL; format gives a document; report reads an exported one by its id; stats adds figures; snapshot is a
    short look back; keepDecision (a decision's id) makes it a context entry."""
    if args.format and args.format not in DOCUMENTS:
        return bad_request(f"There is no format {args.format[:40]!r}.", f"Use one of {', '.join(DOCUMENTS)}.", ok=False)
    there = await visit(desk, args.code, args.name, Keys(seat=args.seatKey))
    if args.keepDecision:
        return await _keep(there, args.keepDecision)
    if args.snapshot:
        return await _snapshot(there)
    report = await _report(there, args)
    head = _exported(there, report) if args.export else {"code": there.card.code}
    if args.format:
        return _document(there, report, args, head)
    return head if args.export else _minutes(there, report, args)


async def _report(there: Visit, args: Minutes) -> Report:
    engine, card = there.desk.engine, there.card
    if args.report:
        return await _kept(there, args.report)
    if not args.export:
        return await reports.current(engine, card)
    return (await reports.export(engine, there.caller, card, there.me, there.keys))[1]


async def _kept(there: Visit, id: str) -> Report:
    """A report of this room as it was exported. Raises UnknownReport."""
    report = await reports.kept(there.desk.engine, id)
    if report.code != there.card.code:
        raise UnknownReport(report=id[:MARKED_CHARS])
    return report


def _exported(there: Visit, report: Report) -> Shape:
    return {
        "exported": True,
        "code": there.card.code,
        "reportUrl": there.desk.links.report(report.id),
        "reportId": report.id,
        "position": report.position,
        "messageCount": report.message_count,
        "participantCount": len(report.participants),
        "hint": EXPORTED,
    }


async def _keep(there: Visit, artifact_id: str) -> Shape:
    """Raises UnknownArtifact, NotParticipant."""
    await there.member()
    engine, card = there.desk.engine, there.card
    entry = await reports.keep_decision(engine, there.caller, card, artifact_id, there.me, there.keys)
    shown = {"id": entry.id, "type": entry.type, "summary": entry.summary[:MARKED_CHARS], "version": entry.version}
    return {"kept": True, "code": card.code, "decision": artifact_id, "context": shown, "hint": KEPT}


def _minutes(there: Visit, report: Report, args: Minutes) -> Any:
    """The first page has what came out of the room, every page its part of the transcript."""
    budget = there.desk.answer_bytes
    third = None if budget is None else budget // 3
    shape: Shape = {"code": there.card.code, "topic": report.topic, "messageCount": report.message_count}
    notes: list[str] = []
    if args.offset == 0:
        shape |= _outcome(report, third and third // 2, notes)
    if args.stats:
        shape["retro"] = _figures(report, third, notes)
    left = None if budget is None else budget - size(shape) - NOTE_BYTES
    wanted = report.message_count if args.limit is None else args.limit
    texts = fit(_texts(there, report, args.offset, wanted), left)
    if left is not None and texts and size(texts[0]) > left:
        texts = [beginning(texts[0], left)]
        call = f'room_listen(code: "{there.card.code}", since: {args.offset}, timeoutMs: 0, full: true)'
        notes.append(f"Line {args.offset + 1} is cut: {call} has it whole.")
    after = args.offset + len(texts)
    if (more := max(0, report.message_count - after)) > 0:
        shape["more"] = more
        notes.append(f'{more} more lines: room_minutes(code: "{there.card.code}", offset: {after}).')
    shape["transcript"] = "\n\n".join(texts)
    return Cut(shape, " ".join(notes)) if notes else shape


def _outcome(report: Report, part_bytes: int | None, notes: list[str]) -> Shape:
    """Who was there and what came out, each list as far as it fits."""
    lists: dict[str, list[Any]] = {
        "participants": [one.name for one in report.participants],
        "decisions": list(map(_marked, report.decisions)),
        "actionItems": list(map(_marked, report.action_items)),
        "highlights": [f"{one.author}: {one.text}" for one in report.highlights],
    }
    shown = {name: fit(whole, part_bytes) if whole else [] for name, whole in lists.items()}
    left = [f"{len(lists[name]) - len(some)} {name}" for name, some in shown.items() if len(some) < len(lists[name])]
    if left:
        notes.append(f"{', '.join(left)} more: room_minutes(format: json) has all.")
    return {"summary": report.summary, **shown}


def _marked(one: Artifact) -> Shape:
    return {"id": one.id, "text": one.text, "author": one.author, "line": one.line}


def _figures(report: Report, room_bytes: int | None, notes: list[str]) -> Shape:
    """The retro, its lists as far as they fit."""
    shape = retro_shape(report.statistics)
    if room_bytes is None or size(shape) <= room_bytes:
        return shape
    for name in ("participants", "tasks"):
        if name in shape:
            shape[name] = fit(shape[name], room_bytes // 2)
    notes.append("The figures are not all here: room_minutes(format: json) has them.")
    return shape


def _texts(there: Visit, report: Report, offset: int, limit: int) -> Iterable[str]:
    """Lines of the transcript as text. What somebody said is indented, so that it can not pass for another's line."""
    lines = lines_of(report)
    for entry in lines.entries[offset : offset + limit]:
        shape = message_shape(entry, lines, report.code, there.desk.links)
        text = "\n  ".join(str(shape["text"]).splitlines())
        files = [_file(one) for one in shape.get("attachments", ())]
        yield "\n  ".join([f"{shape['name']}: {text}" if shape["type"] == "msg" else f"[{text}]", *files])


def _file(one: Shape) -> str:
    return f"[FILE: {one['name']} · {one['mime']} · {one['size']} bytes · {one['url']}]"


def _document(there: Visit, report: Report, args: Minutes, head: Shape) -> Any:
    """A document, from a character on as much as fits."""
    links = there.desk.links
    if args.format == "json":
        name, text = f"{there.card.code}.json", msgspec.json.encode(report_shape(report, links)).decode()
    else:
        name, text = file_name(report), render(report, next(one for one in FORMATS if one == args.format), links)
    shape = {**head, "format": args.format, "fileName": name, "chars": len(text)}
    left = None if there.desk.answer_bytes is None else there.desk.answer_bytes - size(shape) - NOTE_BYTES
    part = text[args.offset :] if args.limit is None else text[args.offset : args.offset + args.limit]
    part = part if left is None else beginning(part, left)
    end = args.offset + len(part)
    shape["document"] = part
    if end >= len(text):
        return shape
    frozen = f'report: "{report.id}", ' if report.id else ""
    call = f'room_minutes(code: "{there.card.code}", {frozen}format: "{args.format}", offset: {end})'
    return Cut({**shape, "more": len(text) - end}, f"{len(text) - end} more characters: {call}.")


async def _snapshot(there: Visit) -> Shape:
    """What a newcomer needs: how it began, what was marked since, and the newest messages."""
    report = await reports.current(there.desk.engine, there.card)
    lines = await transcript.newest(there.desk.engine, there.card, RECENT)
    seed, digest = _seed(report), _digest(report, lines.total - len(lines.entries))
    shape = {
        "snapshot": True,
        "code": there.card.code,
        "topic": report.topic,
        "participants": [one.name for one in report.participants][:50],
        "seed": seed,
        "digest": digest,
    }
    left = None if there.desk.answer_bytes is None else there.desk.answer_bytes - size(shape) - FRAME_BYTES
    recent = [slim(entry, lines, there) for entry in reversed(lines.entries)]
    kept = [] if left is not None and recent and size(recent[0]) > left else fit(recent, left)[::-1]
    hint = f'room_listen(code: "{there.card.code}", since: {lines.total}) goes on from here.'
    return {**shape, "recent": kept, "olderCount": lines.total - len(kept), "cursor": lines.total, "hint": hint}


def _seed(report: Report) -> str:
    """How it began: the first message of a person, or of anybody."""
    said = [shape for shape in _shapes(report) if shape["type"] == "msg"]
    first = next((shape for shape in said if shape["client"] == "web"), said[0] if said else None)
    return f"{first['name']}: {first['text']}"[:SEED_CHARS] if first else ""


def _shapes(report: Report) -> Iterable[Shape]:
    lines = lines_of(report)
    return (message_shape(entry, lines, report.code, NOWHERE) for entry in lines.entries)


def _digest(report: Report, before: int) -> str:
    """What was marked in the lines that are not shown, newest kept."""
    older = [one for one in report.artifacts if one.line <= before]
    marked = [f"{one.author}: [{one.kind.upper()}] {one.text}"[:MARKED_CHARS] for one in older]
    kept: list[str] = []
    left = DIGEST_CHARS
    for text in reversed(marked):
        if (left := left - len(text) - 1) < 0:
            break
        kept.append(text)
    return "\n".join(kept[::-1])


TOOLS = [Tool.of(room_minutes, Minutes)]
