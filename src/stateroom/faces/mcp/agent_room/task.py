"""The one task board: what can be done with a task, and a look (agent-room §6, §9.1)."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from stateroom.core.claims import LEASE_SECONDS
from stateroom.core.halting import BlockTask, CancelTask, ReopenTask
from stateroom.core.handing import GrantHandoff, ReleaseTask, RenewTask, RequestHandoff
from stateroom.core.here import Command
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.members import same
from stateroom.core.proving import ReportCommit, SubmitTask, VerifyTask
from stateroom.core.tasks import OpenTask, Task, TaskFact
from stateroom.engine.conversation import Keys
from stateroom.engine.execute import Outcome
from stateroom.faces.mcp.agent_room import assigning, board
from stateroom.faces.mcp.agent_room.arguments import InRoom, Line, one_of
from stateroom.faces.mcp.agent_room.failures import answering, bad_request
from stateroom.faces.mcp.agent_room.visits import Visit, acting, visit
from stateroom.faces.mcp.desk import size
from stateroom.faces.mcp.results import Cut, Failed
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.inbox import inbox
from stateroom.wire.agent_room.tasks import REOPENED, held_under

Shape = dict[str, Any]
ACTIONS = (
    *("list", "create", "claim", "next", "submit", "verify", "reassign", "cancel", "reopen", "block"),
    *("renew", "release", "handoff", "grant", "commit"),
)
VERDICTS = ("done", "rejected")
BOARD_BYTES = 2_000
"""Of the board beside a task that has just changed."""
LEASING = ("claim", "renew", "grant")
"""What is answered with the lease's token, whoever holds it now; every other action with the caller's own."""
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
    leaseSeconds: Annotated[int, Meta(ge=0)] = 0
    token: int | None = None
    commit: str = ""
    attachments: list[str] = msgspec.field(default_factory=list)
    links: list[str] = msgspec.field(default_factory=list)
    state: Annotated[str, one_of(*REOPENED)] = ""
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
    texts = (args.fileListing, args.fileExcerpt, args.runOutput, args.exitCode, args.checks, args.note)
    return SubmitTask(args.id, *texts, args.commit, tuple(args.attachments), tuple(args.links), args.token)


def _verify(args: OnBoard) -> Command:
    return VerifyTask(args.id, "done" if args.verdict == "done" else "rejected", args.note)


COMMANDS: dict[str, tuple[tuple[str, ...], Callable[[OnBoard], Command]]] = {
    "create": (("title",), _open),
    "claim": (("id",), lambda args: ClaimTask(args.id, args.leaseSeconds)),
    "submit": (("id",), _submit),
    "verify": (("id", "verdict"), _verify),
    "reassign": (("id",), lambda args: ReassignTask(args.id, args.owner or None, args.verifier or None)),
    "cancel": (("id",), lambda args: CancelTask(args.id, args.reason)),
    "reopen": (("id",), lambda args: ReopenTask(args.id, REOPENED[args.state or "todo"], args.reason)),
    "block": (("id",), lambda args: BlockTask(args.id, args.reason)),
    "renew": (("id",), lambda args: RenewTask(args.id, args.token, args.leaseSeconds)),
    "release": (("id",), lambda args: ReleaseTask(args.id, args.token)),
    "handoff": (("id",), lambda args: RequestHandoff(args.id)),
    "grant": (("id",), lambda args: GrantHandoff(args.id, args.owner, args.token)),
    "commit": (("id", "commit"), lambda args: ReportCommit(args.id, args.commit)),
}
"""Action -> the arguments it needs beside code and name, and the wish it is."""


@answering(ok=False)
async def room_task(desk: Any, args: OnBoard) -> Any:
    """The task board. create(title; dod or verifier: then only another member's verdict makes it done), claim(id),
    next: claims the best task for you under a lease, with what it builds on; submit(id, fileListing, fileExcerpt, and
    runOutput with exitCode, or checks; token if leased), verify(id, verdict), reassign(id, owner or verifier), cancel,
    reopen, block(id, reason), renew, release, handoff (ask its holder), grant(owner), commit(id, commit: older evidence
    is stale); list, with id one task."""
    if args.action == "list":
        return await _list(await visit(desk, args.code, args.name, Keys(seat=args.seatKey)), args)
    if (wrong := _wrong(args)) is not None:
        return wrong
    there = await acting(desk, args)
    if args.action == "next":
        return await assigning.answer(there, args.leaseSeconds or LEASE_SECONDS, args.requestId)
    await there.member()  # whoever acts on the board is in the room (L13)
    outcome = await there.wish(COMMANDS[args.action][1](args), args.requestId)
    task = await _task(there, outcome, args.id)
    leased = await there.view(lambda room: held_under(task, room))
    tells = args.action in LEASING or same(task.owner or "", there.me)
    return await _changed(there, task, outcome, leased if tells else {})


def _wrong(args: OnBoard) -> Failed | None:
    """What the action lacks, if anything."""
    if args.action == "next":
        return None
    if args.action not in COMMANDS:
        return bad_request(f"There is no action {args.action[:40]!r}.", f"Use one of {', '.join(ACTIONS)}.", ok=False)
    missing = [name for name in COMMANDS[args.action][0] if not getattr(args, name).strip()]
    if missing:
        said = f"{args.action} needs {' and '.join(missing)}."
        return bad_request(said, "Repeat the call with what is missing.", ok=False)
    if args.state and args.state not in REOPENED:
        return bad_request(f"state is one of {', '.join(REOPENED)}.", "Repeat the call with one of them.", ok=False)
    if args.verdict and args.verdict not in VERDICTS:
        return bad_request("A verdict is done or rejected.", 'Repeat with verdict: "done" or "rejected".', ok=False)
    return None


async def _task(there: Visit, outcome: Outcome, id: str) -> Task:
    """The task as this very call left it; as it stands if nothing had to change."""
    facts = [entry.event for entry in outcome.entries if isinstance(entry.event, TaskFact)]
    return facts[-1].task if facts else await there.view(lambda room: room.board.find(id))


async def _changed(there: Visit, task: Task, outcome: Outcome, leased: Shape) -> Any:
    budget = there.desk.answer_bytes
    left = None if budget is None else budget - BOARD_BYTES - FRAME_BYTES
    shown, cut = await there.view(lambda room: board.one(task, room, left))
    others = await there.view(lambda room: board.board(room, there, None if budget is None else BOARD_BYTES))
    hint = await there.view(lambda room: board.hint(task, room, there.me))
    shape = {"ok": True, "code": there.card.code, "task": shown, **leased, "board": others, "hint": hint}
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
        hint = await there.view(lambda room: board.hint(task, room, there.me))
        shape |= {"ok": True, "task": shown, **(board.history(task) if args.full else {}), "hint": hint}
        return _noted(shape, there, _whole(there, task.id) if cut else "", {}, 0)
    waiting = await there.view(lambda room: inbox(room, there.me) if there.me else {})
    left = None if left is None else left - size(waiting)
    shape |= {**waiting, "board": await there.view(lambda room: board.board(room, there, left, args.offset))}
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
