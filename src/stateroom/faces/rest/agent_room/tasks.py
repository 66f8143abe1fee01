"""The task board as Agent Room's clients use it (agent-room §3.3, §6). Whoever acts on it is in the room (L13)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from stateroom.core.evidence import Ruling
from stateroom.core.halting import BlockTask, CancelTask, ReopenTask, ReopenTo
from stateroom.core.here import Command
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.tasks import OpenTask, TaskOpened
from stateroom.engine.conversation import Keys
from stateroom.faces.rest.agent_room.asking import At, Proving
from stateroom.faces.rest.agent_room.rooms import Client, Hosting, Look
from stateroom.wire.agent_room.rooms import Shape
from stateroom.wire.agent_room.tasks import board_shape, task_shape

REOPENED: dict[str, ReopenTo] = {
    "todo": "open",
    "in_progress": "held",
    "awaiting_review": "submitted",
    "blocked": "blocked",
}
"""To what a task can be reopened, under its name here."""


class TaskCreate(Hosting, kw_only=True):
    title: Annotated[str, Meta(min_length=1)]
    id: str | None = None
    owner: str | None = None
    ownerClient: Client | None = None
    verifier: str | None = None
    verifierClient: Client | None = None
    dod: str | None = None
    description: str | None = None
    dependsOn: list[str] | None = None
    priority: Annotated[int, Meta(ge=-(10**9), le=10**9)] | None = None


class OnTask(Proving, kw_only=True):
    """What a member does with a task."""

    id: str
    name: str
    client: Client | None = None


class GivenEvidence(Struct, kw_only=True):
    fileListing: str | None = None
    fileExcerpt: str | None = None
    runOutput: str | None = None
    exitCode: int | None = None
    checks: str | None = None


class TaskSubmit(OnTask, kw_only=True):
    evidence: GivenEvidence
    note: str | None = None


class TaskVerify(OnTask, kw_only=True):
    verdict: Ruling
    note: str | None = None


class WithTask(Hosting, kw_only=True):
    """What somebody in the room, or its host, does with a task of whomever."""

    id: str
    requesterClient: Client | None = None


class TaskReassign(WithTask, kw_only=True):
    owner: str | None = None
    ownerClient: Client | None = None
    verifier: str | None = None
    verifierClient: Client | None = None


class TaskCancel(WithTask, kw_only=True):
    reason: str | None = None


class TaskReopen(WithTask, kw_only=True):
    state: Literal["todo", "in_progress", "awaiting_review", "blocked"] | None = None
    reason: str | None = None


class TaskBlock(WithTask, kw_only=True):
    reason: str


async def board(at: At, ask: Look) -> Shape:
    return {"board": await at.engine.view(at.card, lambda room: board_shape(room, at.code))}


async def create(at: At, ask: TaskCreate) -> Shape:
    await at.member_or_host(ask.requesterName, ask.keys)
    wish = OpenTask(
        title=ask.title,
        description=ask.description or "",
        depends_on=tuple(ask.dependsOn or ()),
        priority=ask.priority,
        id=ask.id or "",
        owner=ask.owner,
        verifier=ask.verifier,
        dod=ask.dod,
    )
    outcome = await at.execute(wish, ask.requesterName, ask.keys)
    made = next(entry.event for entry in outcome.entries if isinstance(entry.event, TaskOpened))
    return await _shown(at, made.task.id)


async def claim(at: At, ask: OnTask) -> Shape:
    return await _by_member(at, ask, ClaimTask(ask.id))


async def submit(at: At, ask: TaskSubmit) -> Shape:
    shown = ask.evidence
    wish = SubmitTask(
        task=ask.id,
        file_listing=shown.fileListing or "",
        file_excerpt=shown.fileExcerpt or "",
        run_output=shown.runOutput or "",
        exit_code=shown.exitCode,
        checks=shown.checks or "",
        note=ask.note or "",
    )
    return await _by_member(at, ask, wish)


async def verify(at: At, ask: TaskVerify) -> Shape:
    return await _by_member(at, ask, VerifyTask(ask.id, ask.verdict, ask.note or ""))


async def reassign(at: At, ask: TaskReassign) -> Shape:
    return await _by_somebody(at, ask, ReassignTask(ask.id, ask.owner, ask.verifier))


async def cancel(at: At, ask: TaskCancel) -> Shape:
    return await _by_somebody(at, ask, CancelTask(ask.id, ask.reason or ""))


async def reopen(at: At, ask: TaskReopen) -> Shape:
    return await _by_somebody(at, ask, ReopenTask(ask.id, REOPENED[ask.state or "todo"], ask.reason or ""))


async def block(at: At, ask: TaskBlock) -> Shape:
    return await _by_somebody(at, ask, BlockTask(ask.id, ask.reason))


async def _by_member(at: At, ask: OnTask, wish: Command) -> Shape:
    await at.member(ask.name, ask.keys)
    return await _done(at, ask.id, wish, ask.name, ask.keys)


async def _by_somebody(at: At, ask: WithTask, wish: Command) -> Shape:
    await at.member_or_host(ask.requesterName, ask.keys)
    return await _done(at, ask.id, wish, ask.requesterName, ask.keys)


async def _done(at: At, id: str, wish: Command, name: str, keys: Keys) -> Shape:
    await at.execute(wish, name, keys)
    return await _shown(at, id)


async def _shown(at: At, id: str) -> Shape:
    """The board and the task as they stand now."""
    return await at.engine.view(
        at.card,
        lambda room: {"board": board_shape(room, at.code), "task": task_shape(room.board.find(id), room)},
    )
