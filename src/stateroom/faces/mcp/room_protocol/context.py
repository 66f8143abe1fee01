"""Typed, versioned context under the Room Protocol's names."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from stateroom.core.context import ContextEntry, ContextFact, ReviseContext, WithdrawContext, WriteContext
from stateroom.core.lobby import RoomCard
from stateroom.core.members import same
from stateroom.core.refusals import NoEarlierVersion, UnknownContext
from stateroom.core.room import Room
from stateroom.core.views.diff import Diff, diff
from stateroom.engine.execute import Outcome
from stateroom.engine.history import version, versions
from stateroom.faces.mcp.desk import Desk, fit
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.room_protocol.arguments import Asked, ContextKind, Id, InRoom, ShortText, given
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape, context_shape

HISTORY_SHOWN = 50


class WriteEntry(InRoom, kw_only=True):
    type: ContextKind
    summary: Annotated[str, Meta(max_length=4000)]
    consuming_agents: Annotated[list[Annotated[str, Meta(max_length=128)]], Meta(max_length=50)]
    payload: dict[str, Any]
    author: ShortText
    id: str = ""
    requestId: str = ""


class ReadEntry(InRoom, kw_only=True):
    id: str


class ListEntries(InRoom, kw_only=True):
    type: ContextKind | UnsetType = UNSET
    author: Id | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=500)] | UnsetType = UNSET
    offset: Annotated[int, Meta(ge=0)] = 0


class UpdateEntry(InRoom, kw_only=True):
    id: Id
    author: Id
    summary: str | UnsetType = UNSET
    consuming_agents: list[str] | UnsetType = UNSET
    payload: dict[str, Any] | UnsetType = UNSET
    expectedVersion: str | UnsetType = UNSET
    requestId: str = ""


class AnEntry(Asked, kw_only=True):
    id: Id


class Compare(InRoom, kw_only=True):
    id: Id
    againstVersion: str = ""


async def write_context(desk: Desk, args: WriteEntry) -> Shape:
    """Share a typed entry; consuming_agents are told. With id, revise that entry instead. Payload fields:
    api_contract{service,version,endpoints[{method,path,response,auth_required,description}]}
    arch_decision{title,decision,rationale,alternatives[],consequences[]}
    task{task_id,acceptance_criteria[],technical_notes}
    change_request{requested_by,target_agent,description,urgency} note{text}"""
    if args.id:
        return await update_context(desk, _revision(args))
    card = await desk.enter(args.roomId)
    command = WriteContext(args.type, args.summary, args.payload, tuple(args.consuming_agents))
    return await _standing(desk, card, "", await desk.wish(card, command, desk.me(args.author), args.requestId))


def _revision(args: WriteEntry) -> "UpdateEntry":
    return UpdateEntry(
        roomId=args.roomId,
        id=args.id,
        author=args.author,
        summary=args.summary,
        consuming_agents=args.consuming_agents,
        payload=args.payload,
        requestId=args.requestId,
    )


async def _standing(desk: Desk, card: RoomCard, id: str, outcome: Outcome) -> Shape:
    """The entry as this very call left it; as it stands if nothing had to change."""
    facts = [entry.event for entry in outcome.entries if isinstance(entry.event, ContextFact)]
    if facts:
        return context_shape(facts[-1].entry)
    return await desk.engine.view(card, lambda room: context_shape(room.context.find(id)))


async def read_context(desk: Desk, args: ReadEntry) -> Shape:
    """One context entry by id, complete."""
    return await desk.look(args.roomId, lambda room: context_shape(room.context.find(args.id)))


async def list_context(desk: Desk, args: ListEntries) -> Any:
    """Context entries with payloads, newest first; filter by type and author."""
    found = await desk.look(args.roomId, lambda room: [context_shape(entry) for entry in _matching(room, args)])
    page = found[args.offset :]
    if not isinstance(args.limit, UnsetType):
        return page[: args.limit]
    kept = fit(page, desk.answer_bytes)
    if len(kept) == len(page):
        return page
    following = args.offset + len(kept)
    rest = ", ".join(entry["id"] for entry in page[len(kept) :][:20])
    return Cut(
        kept,
        f"Entries {args.offset + 1} to {following} of {len(found)}: list_context(offset: {following}) has the rest"
        f" ({rest}); read_context reads one.",
    )


def _matching(room: Room, args: ListEntries) -> list[ContextEntry]:
    author = given(args.author)
    newest_first = sorted(room.context.entries.values(), key=lambda e: -room.context.revisions[e.id][-1].position)
    return [
        entry
        for entry in newest_first
        if args.type in (UNSET, entry.type) and (not author or same(author, entry.author))
    ]


async def update_context(desk: Desk, args: UpdateEntry) -> Shape:
    """Revise an entry in place: given fields replace, the version's minor rises, consumers are told what broke."""
    card = await desk.enter(args.roomId)
    command = ReviseContext(
        context=args.id,
        summary=None if isinstance(args.summary, UnsetType) else args.summary,
        payload=None if isinstance(args.payload, UnsetType) else args.payload,
        consumers=None if isinstance(args.consuming_agents, UnsetType) else tuple(args.consuming_agents),
        expected_version=None if isinstance(args.expectedVersion, UnsetType) else args.expectedVersion,
    )
    return await _standing(desk, card, args.id, await desk.wish(card, command, desk.me(args.author), args.requestId))


async def delete_context(desk: Desk, args: AnEntry) -> Shape:
    """Withdraw a context entry and its history."""
    card = await desk.enter(args.roomId)
    await desk.wish(card, WithdrawContext(args.id), desk.me(given(args.agentId)))
    return {"deleted": True, "id": args.id}


async def get_context_history(desk: Desk, args: AnEntry) -> Any:
    """Earlier versions of an entry, newest first."""
    nothing: Shape = {"id": args.id, "current": None, "history": []}
    card = await desk.find(args.roomId)
    if card is None:
        return nothing
    try:
        current = await desk.engine.view(card, lambda room: room.context.find(args.id))
    except UnknownContext:
        return nothing  # an unknown id is no error here (protocol); a withdrawn one shows nothing more (W-28)
    history = [context_shape(entry) for entry in await versions(desk.engine, card, args.id, HISTORY_SHOWN)]
    total = await desk.engine.view(card, lambda room: len(room.context.revisions[current.id]) - 1)
    now = context_shape(current)
    kept = fit([now, *history], desk.answer_bytes)[1:] if history else []
    answer = {"id": args.id, "current": now, "history": kept, "total": total}
    if len(kept) == total:
        return answer
    return Cut(answer, f"{len(kept)} of {total} earlier versions; diff_context(againstVersion: …) shows any other.")


async def diff_context(desk: Desk, args: Compare) -> Shape:
    """What changed since an earlier version: keys, deep paths, and for api_contract what breaks."""
    card = await desk.find(args.roomId)
    if card is None:
        raise UnknownContext(context=args.id)
    current, previous = await version(desk.engine, card, args.id, args.againstVersion or None)
    if previous is None:
        raise NoEarlierVersion(context=args.id)
    change = diff(previous.summary, current.summary, previous.payload, current.payload, current.type)
    return {
        "id": args.id,
        "current": context_shape(current),
        "previous": context_shape(previous),
        "diff": _diff_shape(change, previous, current),
    }


def _diff_shape(change: Diff, previous: ContextEntry, current: ContextEntry) -> Shape:
    """A ContextDiff; `paths`, `breaking`, `authorChanged` and `consumersChanged` are ours (W-31)."""
    return {
        "summaryChanged": change.summary_changed,
        "fromSummary": previous.summary,
        "toSummary": current.summary,
        "payload": {"added": change.added, "removed": change.removed, "changed": change.changed},
        "fromVersion": previous.version,
        "toVersion": current.version,
        "paths": [{"path": path.path, "kind": path.kind} for path in change.paths],
        "morePaths": change.more,
        "breaking": list(change.breaking),
        "authorChanged": previous.author != current.author,
        "consumersChanged": previous.consumers != current.consumers,
    }


WRITING = [
    Tool.of(write_context, WriteEntry),
    Tool.of(read_context, ReadEntry, read_only=True),
    Tool.of(list_context, ListEntries, read_only=True),
    Tool.of(update_context, UpdateEntry),
    Tool.of(delete_context, AnEntry, destructive=True, idempotent=True),
    Tool.of(get_context_history, AnEntry, read_only=True),
]
COMPARING = [Tool.of(diff_context, Compare, read_only=True)]
