"""Typed, versioned context under the Room Protocol's names."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from stateroom.core.context import ContextEntry, ContextFact, ReviseContext, WithdrawContext, WriteContext
from stateroom.core.lobby import RoomCard
from stateroom.core.members import same
from stateroom.core.room import Room
from stateroom.engine.execute import Outcome
from stateroom.faces.mcp.desk import Desk
from stateroom.faces.mcp.room_protocol.arguments import Asked, ContextKind, Id, InRoom, ShortText, given
from stateroom.faces.mcp.room_protocol.pages import Paged, noted, page, said, slim_entry
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape, context_shape


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


class ListEntries(Paged, kw_only=True):
    type: ContextKind | UnsetType = UNSET
    author: Id | UnsetType = UNSET


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
        return slim_entry(desk, context_shape(facts[-1].entry))
    return slim_entry(desk, await desk.engine.view(card, lambda room: context_shape(room.context.find(id))))


async def read_context(desk: Desk, args: ReadEntry) -> Shape:
    """One context entry by id, complete."""
    return await desk.look(args.roomId, lambda room: context_shape(room.context.find(args.id)))


async def list_context(desk: Desk, args: ListEntries) -> Any:
    """Context entries with payloads, newest first; filter by type and author."""
    found = await desk.look(args.roomId, lambda room: [context_shape(entry) for entry in _matching(room, args)])
    part = page(desk, found, args, _call(args), slim=lambda entry: slim_entry(desk, entry))
    return noted(part.items, part.note)


def _call(args: ListEntries) -> str:
    """The call for the next page: with the same filters."""
    filters = {"type": args.type, "author": args.author}
    said_filters = {name: said(value) for name, value in filters.items() if not isinstance(value, UnsetType)}
    return "list_context(" + "".join(f'{name}: "{value}", ' for name, value in said_filters.items())


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


TOOLS = [
    Tool.of(write_context, WriteEntry),
    Tool.of(read_context, ReadEntry, read_only=True),
    Tool.of(list_context, ListEntries, read_only=True),
    Tool.of(update_context, UpdateEntry),
    Tool.of(delete_context, AnEntry, destructive=True, idempotent=True),
]
