"""The one task board: eight actions and one to look (agent-room §6, §9.1)."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from stateroom.core.halting import BlockTask, CancelTask, ReopenTask
from stateroom.core.here import Command
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.tasks import OpenTask, Task, TaskFact
from stateroom.engine.conversation import Keys
from stateroom.engine.execute import Outcome
from stateroom.faces.mcp.agent_room import board
from stateroom.faces.mcp.agent_room.arguments import InRoom, Line, one_of
from stateroom.faces.mcp.agent_room.failures import answering, bad_request
from stateroom.faces.mcp.agent_room.visits import Visit, acting, visit
from stateroom.faces.mcp.results import Cut, Failed
from stateroom.faces.mcp.tools import Tool

Shape = dict[str, Any]
ACTIONS = ("list", "create", "claim", "submit", "verify", "reassign", "cancel", "reopen", "block")
VERDICTS = ("done", "rejected")
BOARD_BYTES = 2_000
"""Of the board beside a task that has just changed."""
FRAME_BYTES = 1_000


class OnBoard(InRoom, kw_only=True):
    action: Annotated[str, one_of(*ACTIONS)]
    name: str = ""
    id: str = ""
    title: str = ""
    description: str = ""
    owner: str = ""
    verifier: str = ""
    dod: str = ""
    dependsOn: list[str] = msgspec.field(default_factory=list)
    priority: int | None = None
    fileListing: str = ""
    fileExcerpt: str = ""
    runOutput: str = ""
    exitCode: int | None = None
    checks: str = ""
    verdict: Annotated[str, one_of(*VERDICTS)] = ""
    note: str = ""
    reason: str = ""
    hostKey: str = ""
    seatKey: str = ""
    requestId: str = ""
    offset: Line = 0
    full: bool = False


def _open(args: OnBoard) -> Command:
    return OpenTask(
        title=args.title,
        description=args.description,
        depends_on=tuple(args.dependsOn),
        priority=args.priority,
        id=args.id,
        owner=args.owner or None,
        verifier=args.verifier or None,
        dod=args.dod or None,
    )


def _submit(args: OnBoard) -> Command:
    return SubmitTask(
        args.id, args.fileListing, args.fileExcerpt, args.runOutput, args.exitCode, args.checks, args.note
    )


def _verify(args: OnBoard) -> Command:
    return VerifyTask(args.id, "done" if args.verdict == "done" else "rejected", args.note)


COMMANDS: dict[str, tuple[tuple[str, ...], Callable[[OnBoard], Command]]] = {
    "create": (("title",), _open),
    "claim": (("id",), lambda args: ClaimTask(args.id)),
    "submit": (("id",), _submit),
    "verify": (("id", "verdict"), _verify),
    "reassign": (("id",), lambda args: ReassignTask(args.id, args.owner or None, args.verifier or None)),
    "cancel": (("id",), lambda args: CancelTask(args.id, args.reason)),
    "reopen": (("id",), lambda args: ReopenTask(args.id, reason=args.reason)),
    "block": (("id",), lambda args: BlockTask(args.id, args.reason)),
}
"""Action -> the arguments it needs beside code and name, and the wish it is."""


@answering(ok=False)
async def room_task(desk: Any, args: OnBoard) -> Any:
    """The task board. create(title; dod or verifier: then only another member's verdict makes it done), claim(id),
    submit(id, fileListing, fileExcerpt, and runOutput with exitCode, or checks), verify(id, verdict), reassign(id,
    owner or verifier), cancel, reopen, block(id, reason); list, with id one task."""
    if args.action == "list":
        return await _list(await visit(desk, args.code, args.name, Keys(seat=args.seatKey)), args)
    if (wrong := _wrong(args)) is not None:
        return wrong
    there = await acting(desk, args)
    await there.member()  # whoever acts on the board is in the room (L13)
    outcome = await there.wish(COMMANDS[args.action][1](args), args.requestId)
    return await _changed(there, await _task(there, outcome, args.id), outcome)


def _wrong(args: OnBoard) -> Failed | None:
    """What the action lacks, if anything."""
    if args.action not in COMMANDS:
        return bad_request(f"There is no action {args.action[:40]!r}.", f"Use one of {', '.join(ACTIONS)}.", ok=False)
    missing = [name for name in COMMANDS[args.action][0] if not getattr(args, name).strip()]
    if missing:
        said = f"{args.action} needs {' and '.join(missing)}."
        return bad_request(said, "Repeat the call with what is missing.", ok=False)
    if args.verdict and args.verdict not in VERDICTS:
        return bad_request("A verdict is done or rejected.", 'Repeat with verdict: "done" or "rejected".', ok=False)
    return None


async def _task(there: Visit, outcome: Outcome, id: str) -> Task:
    """The task as this very call left it; as it stands if nothing had to change."""
    facts = [entry.event for entry in outcome.entries if isinstance(entry.event, TaskFact)]
    return facts[-1].task if facts else await there.view(lambda room: room.board.find(id))


async def _changed(there: Visit, task: Task, outcome: Outcome) -> Any:
    budget = there.desk.answer_bytes
    left = None if budget is None else budget - BOARD_BYTES - FRAME_BYTES
    shown, cut = await there.view(lambda room: board.one(task, room, left))
    others = await there.view(lambda room: board.board(room, there, None if budget is None else BOARD_BYTES))
    shape = {"ok": True, "code": there.card.code, "task": shown, "board": others, "hint": board.hint(task)}
    shape |= {**({"replayed": True} if outcome.replayed else {}), **await there.unread()}
    return _noted(shape, there, _whole(there, task.id) if cut else "", others, 0)


async def _list(there: Visit, args: OnBoard) -> Any:
    budget = None if args.full and args.id else there.desk.answer_bytes
    left = None if budget is None else budget - FRAME_BYTES
    digest = await there.view(board.digest)
    shape: Shape = {"code": there.card.code, "hint": digest}
    if args.id:
        task = await there.view(lambda room: room.board.find(args.id))
        shown, cut = await there.view(lambda room: board.one(task, room, left))
        shape |= {"ok": True, "task": shown, "hint": board.hint(task)}
        return _noted(shape, there, _whole(there, task.id) if cut else "", {}, 0)
    shape["board"] = await there.view(lambda room: board.board(room, there, left, args.offset))
    shape |= await there.view(lambda room: board.inbox(room, there.me) if there.me else {})
    return _noted(shape, there, "", shape["board"], args.offset)


def _whole(there: Visit, id: str) -> str:
    call = f'room_task(code: "{there.card.code}", action: "list", id: "{id}", full: true)'
    return f"Long texts are cut: {call} has them whole."


def _noted(shape: Shape, there: Visit, note: str, shown: Shape, offset: int) -> Any:
    if more := shown.get("more", 0):
        after = offset + len(shown["tasks"])
        call = f'room_task(code: "{there.card.code}", action: "list", offset: {after})'
        note = " ".join(filter(None, (note, f"{more} more tasks: {call}.")))
    return Cut(shape, note) if note else shape


TOOLS = [Tool.of(room_task, OnBoard)]
