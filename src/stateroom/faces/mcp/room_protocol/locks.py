"""Leases under the Room Protocol's names. A lock named `plan` is like any other: it never blocks the plan (W-12)."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from stateroom.core.ids import Position
from stateroom.core.leases import Lease, ReleaseLease, TakeLease
from stateroom.core.refusals import LeaseHeld, NotTheHolder
from stateroom.faces.mcp.desk import Desk
from stateroom.faces.mcp.room_protocol.arguments import ByAgent, Id
from stateroom.faces.mcp.room_protocol.pages import Paged, noted, page
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape, lease_shape
from stateroom.wire.times import iso


class Acquire(ByAgent, kw_only=True):
    resource: Id
    ttlSeconds: Annotated[int, Meta(ge=1, le=300)] = 30


class Release(ByAgent, kw_only=True):
    resource: Id
    token: int | UnsetType = UNSET


async def acquire_lock(desk: Desk, args: Acquire) -> Shape:
    """Try to hold a named resource; never waits. The holder asking again renews. The token grows with every grant."""
    card = await desk.enter(args.roomId)
    answer: Shape = {"acquired": False, "resource": args.resource, "holder": "", "ttlSeconds": args.ttlSeconds}
    try:
        await desk.wish(card, TakeLease(args.resource, args.ttlSeconds), desk.me(args.agentId))
    except LeaseHeld as held:
        until = iso(int(str(held.facts["until"])))
        return {**answer, "holder": held.facts["holder"], "expiresAt": until}
    lease: Lease = await desk.engine.view(card, lambda room: room.leases.held[args.resource])
    return {
        **answer,
        "acquired": True,
        "holder": lease.holder,
        "expiresAt": iso(lease.until),
        "token": lease.token,
    }


async def release_lock(desk: Desk, args: Release) -> Shape:
    """Give a lock back; false if it is free or somebody else's. With token, only that grant."""
    card = await desk.enter(args.roomId)
    token = None if isinstance(args.token, UnsetType) else Position(args.token)
    try:
        await desk.wish(card, ReleaseLease(args.resource, token), desk.me(args.agentId))
    except NotTheHolder:
        return {"released": False, "resource": args.resource}
    return {"released": True, "resource": args.resource}


async def list_locks(desk: Desk, args: Paged) -> Any:
    """The locks that are held now, with holder and expiry."""
    now = desk.engine.clock()
    locks = await desk.look(args.roomId, lambda room: [lease_shape(lease) for lease in room.leases.live(now)])
    shown = page(desk, locks, args, "list_locks(")
    return noted(shown.items, shown.note)


TOOLS = [
    Tool.of(acquire_lock, Acquire),
    Tool.of(release_lock, Release, idempotent=True),
    Tool.of(list_locks, Paged, read_only=True),
]
