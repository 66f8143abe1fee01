"""The next task for somebody, with what it takes to do it, in one answer of at most 8 KB."""

from typing import Annotated, Any

from msgspec import Meta

from stateroom.core import picking
from stateroom.core.claims import LEASE_SECONDS
from stateroom.core.context import ContextEntry
from stateroom.core.members import same
from stateroom.core.picking import NextTask
from stateroom.core.room import Room
from stateroom.core.tasks import Task
from stateroom.core.views.briefing import Briefing
from stateroom.engine import assignments
from stateroom.engine.assignments import Assignment
from stateroom.faces.mcp.agent_room import board
from stateroom.faces.mcp.agent_room.arguments import Acting
from stateroom.faces.mcp.agent_room.failures import answering
from stateroom.faces.mcp.agent_room.texts import NOTHING_READY
from stateroom.faces.mcp.agent_room.visits import Visit, acting
from stateroom.faces.mcp.desk import ANSWER_BYTES, size
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.inbox import finish, inbox
from stateroom.wire.agent_room.tasks import held_under, task_shape
from stateroom.wire.room_protocol import context_shape

Shape = dict[str, Any]
DUTIES_SHOWN = 2
"""Of each list in `yourTasks`: the answer is about one task."""
TASK_BYTES, WAITED_BYTES, NOTE_BYTES = 2_000, 800, 300
SUMMARY_CHARS = 200
SUMMARY_BYTES, SUMMARIES = 350, 5
"""Kept free for the documents that come after one that is shown whole."""


class Next(Acting, kw_only=True):
    leaseSeconds: Annotated[int, Meta(ge=1, extra_json_schema={"default": LEASE_SECONDS})] = LEASE_SECONDS


@answering(ok=False)
async def next_task(desk: Any, args: Next) -> Any:
    """Claim the best task you may do, under a lease that your work renews, with the documents it builds on; or go on
    with the one you have. One at a time."""
    return await answer(await acting(desk, args), args.leaseSeconds, args.requestId)


async def answer(there: Visit, lease_s: int, request_id: str) -> Any:
    """What `next_task` answers with, however much the caller could take. Raises Refusal, Unavailable."""
    await there.member()  # whoever acts on the board is in the room (L13)
    engine, who = there.desk.engine, (there.caller, there.card, there.me)
    given = await assignments.next_task(engine, *who, NextTask(lease_s), there.keys, request_id)
    around = await there.view(lambda room: inbox(room, there.me, DUTIES_SHOWN)) | await there.unread()
    frame = {"ok": True, "code": there.card.code, **({"replayed": True} if given.replayed else {})}
    if given.briefing is None:
        why = await there.view(lambda room: nothing_ready(room, there.me))
        return {**frame, "task": None, "why": why, **around, "hint": NOTHING_READY}
    shape, note = await there.view(lambda room: _assigned(room, there, given, frame | around))
    return Cut(shape, note) if note else shape


def _assigned(room: Room, there: Visit, given: Assignment, frame: Shape) -> tuple[Shape, str]:
    """The whole answer, and which calls have what is not in it."""
    assert given.briefing is not None
    brief = given.briefing
    task, cut = board.one(brief.task, room, TASK_BYTES)
    waited = _waited(brief, room)
    shape = {"ok": True, "task": task, **held_under(brief.task, room), "resumed": given.resumed}
    shape |= {**({"dependsOn": waited} if waited else {}), "finish": finish(brief.task, room), **frame}
    documents, left = _documents(brief.documents, ANSWER_BYTES - NOTE_BYTES - size(shape))
    shape |= {"context": documents} if documents else {}
    calls = [f'room_task(code: "{there.card.code}", action: "list", id: "{brief.task.id}", full: true)'] if cut else []
    calls += [f'read_context(roomId: "{there.card.code}", id)'] if left else []
    return shape, f"Not all of it is here: {' and '.join(calls)} have the rest." if calls else ""


def _waited(brief: Briefing, room: Room) -> list[Shape]:
    """The tasks it waited for, slim, as many as fit."""
    kept: list[Shape] = []
    left = WAITED_BYTES
    for one in brief.depends_on:
        shape = board.slim(task_shape(one, room))
        if (left := left - size(shape) - 1) < 0:
            break
        kept.append(shape)
    return kept


def _documents(entries: tuple[ContextEntry, ...], room_bytes: int) -> tuple[list[Shape], bool]:
    """The documents, whole as long as they fit, else in a line each; and whether anything is left out."""
    shown: list[Shape] = []
    for after, entry in enumerate(entries, 1):
        kept_free = SUMMARY_BYTES * min(SUMMARIES, len(entries) - after)
        shape = context_shape(entry)
        if size(shape) > room_bytes - kept_free:
            shape = {name: shape[name] for name in ("id", "type", "version")} | {
                "summary": entry.summary[:SUMMARY_CHARS],
                "cut": True,
            }
        if (room_bytes := room_bytes - size(shape) - 1) < 0:
            return shown, True
        shown.append(shape)
    return shown, any("cut" in shape for shape in shown)


def nothing_ready(room: Room, name: str) -> str:
    """Why there is nothing for this member to take, in figures."""
    tasks = list(room.board.tasks.values())
    if not tasks:
        return "The board is empty."
    ready = picking.ready(room.board)
    others = [task for task in ready if not _mine_to_judge(task, name)]
    counts = {
        "waiting for other tasks": sum(task.state == "open" for task in tasks) - len(ready),
        "meant for others": len(others),
        "yours to rule on": len(ready) - len(others),
        "in progress": sum(task.state == "held" for task in tasks),
        "awaiting a verdict": sum(task.state == "submitted" for task in tasks),
        **{state: sum(task.state == state for task in tasks) for state in ("rejected", "blocked", "done", "cancelled")},
    }
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return f"{'All tasks are over' if all(task.over for task in tasks) else 'No task is ready for you'}: {said}."


def _mine_to_judge(task: Task, name: str) -> bool:
    return task.verifier is not None and same(task.verifier, name)


TOOLS = [Tool.of(next_task, Next)]
