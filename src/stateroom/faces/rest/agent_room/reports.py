"""Reports of a room, and decisions kept as context (agent-room §3.3, §15)."""

from stateroom.engine import reports
from stateroom.faces.rest.agent_room.asking import At, Proving
from stateroom.faces.rest.agent_room.rooms import Look
from stateroom.wire.agent_room.rooms import Shape
from stateroom.wire.reports import report_shape
from stateroom.wire.room_protocol import context_shape


class CreateReport(Proving, kw_only=True):
    name: str | None = None
    """Who exports it; clients of Agent Room do not say."""


class DecisionToContext(Proving, kw_only=True):
    artifactId: str
    name: str


async def create(at: At, ask: CreateReport) -> Shape:
    """The room as it stands, frozen. Works in an ended room, too."""
    if ask.name:
        await at.member(ask.name, ask.keys)
    _, report = await reports.export(at.engine, at.caller, at.card, ask.name or "", ask.keys)
    return {"report": report_shape(report, at.links)}


async def get(at: At, ask: Look) -> Shape:
    """The report that was made last."""
    found = await reports.newest(at.engine, at.card)
    return {"report": report_shape(found[1], at.links) if found else None}


async def keep_decision(at: At, ask: DecisionToContext) -> Shape:
    """A decision of the transcript becomes a context entry that links back to its line; once, however often asked."""
    await at.member(ask.name, ask.keys)
    kept = await reports.keep_decision(at.engine, at.caller, at.card, ask.artifactId, ask.name, ask.keys)
    return {"context": context_shape(kept)}
