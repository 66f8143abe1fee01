"""Earlier versions of context entries, read from where they are in the log."""

from stateroom.core.context import ContextEntry, ContextFact, Revision
from stateroom.core.lobby import RoomCard
from stateroom.core.refusals import NoEarlierVersion, UnknownVersion
from stateroom.engine.engine import Engine


async def versions(engine: Engine, card: RoomCard, context_id: str, limit: int, offset: int = 0) -> list[ContextEntry]:
    """Up to `limit` earlier versions, newest first, without the current one and the `offset` before it.

    Raises UnknownContext, Unavailable.
    """
    _, earlier = await _revisions(engine, card, context_id)
    found = [await _at(engine, card, revision) for revision in earlier[::-1][offset : offset + limit]]
    return [entry for entry in found if entry is not None]


async def version(
    engine: Engine, card: RoomCard, context_id: str, wanted: str | None
) -> tuple[ContextEntry, ContextEntry]:
    """The entry as it stands, and an earlier version: the newest, or the newest that carries a version label.

    Raises UnknownContext, NoEarlierVersion, UnknownVersion, Unavailable.
    """
    current, earlier = await _revisions(engine, card, context_id)
    if not earlier:
        raise NoEarlierVersion(context=context_id)
    for revision in reversed(earlier):
        if wanted in (None, revision.version) and (entry := await _at(engine, card, revision)) is not None:
            return current, entry
    raise UnknownVersion(context=context_id, version=wanted)


async def _revisions(engine: Engine, card: RoomCard, context_id: str) -> tuple[ContextEntry, list[Revision]]:
    return await engine.view(
        card,
        lambda room: (entry := room.context.find(context_id), room.context.revisions[entry.id][:-1]),
    )


async def _at(engine: Engine, card: RoomCard, revision: Revision) -> ContextEntry | None:
    """What an entry said then; None where the log has become unreadable."""
    found = await engine.entry(card, revision.position)
    return found.event.entry if found is not None and isinstance(found.event, ContextFact) else None
