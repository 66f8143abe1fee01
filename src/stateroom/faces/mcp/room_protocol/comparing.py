"""What context entries said before, under the Room Protocol's names: history and comparison."""

from typing import Any

from msgspec import UnsetType

from stateroom.core.context import ContextEntry
from stateroom.core.ids import ContextId
from stateroom.core.refusals import NoEarlierVersion, UnknownContext
from stateroom.core.room import Room
from stateroom.core.views.diff import Diff, diff
from stateroom.engine.history import version, versions
from stateroom.faces.mcp.desk import Desk, fit, size
from stateroom.faces.mcp.room_protocol.arguments import Id, InRoom
from stateroom.faces.mcp.room_protocol.pages import Paged, noted, slim, slim_entry
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.room_protocol import Shape, context_shape

HISTORY_SHOWN = 50
NOTE_BYTES = 500
NOT_ALL = "Not all of what changed is shown; the two versions in full: {} and {}."


class History(Paged, kw_only=True):
    id: Id


class Compare(InRoom, kw_only=True):
    id: Id
    againstVersion: str = ""


async def get_context_history(desk: Desk, args: History) -> Any:
    """Earlier versions of an entry, newest first."""
    nothing: Shape = {"id": args.id, "current": None, "history": []}
    card = await desk.find(args.roomId)
    if card is None:
        return nothing
    limit = HISTORY_SHOWN if isinstance(args.limit, UnsetType) else args.limit
    try:
        current = await desk.engine.view(card, lambda room: context_shape(room.context.find(args.id)))
        earlier = await versions(desk.engine, card, args.id, limit, args.offset)
    except UnknownContext:
        return nothing  # an unknown id is no error here (protocol); a withdrawn one shows nothing more (W-28)
    total = await desk.engine.view(card, lambda room: len(_labels(room, args.id)) - 1)
    answer: Shape = {"id": args.id, "current": current, "history": list(map(context_shape, earlier)), "total": total}
    if desk.answer_bytes is None or not isinstance(args.limit, UnsetType):
        return answer
    return _short_history(answer, desk, args, desk.answer_bytes)


def _labels(room: Room, id: str) -> list[str]:
    """The versions of an entry, oldest first, the current one last."""
    return [revision.version for revision in room.context.revisions.get(ContextId(id), [])]


def _short_history(answer: Shape, desk: Desk, args: History, room_bytes: int) -> Any:
    """A history that fits: the current version has half of the room at most."""
    current = slim_entry(desk, answer["current"], room_bytes=room_bytes // 2)
    room_bytes -= size(current)
    earlier = [
        slim_entry(desk, entry, _one_version(args.id, place), room_bytes)
        for place, entry in enumerate(answer["history"], args.offset)
    ]
    kept = fit(earlier, room_bytes)
    following = args.offset + len(kept)
    more = f"Versions {args.offset + 1} to {following} of {answer['total']} earlier ones: "
    more += f'get_context_history(id: "{args.id}", offset: {following}) has the rest.'
    return noted({**answer, "current": current, "history": kept}, more if following < answer["total"] else "")


def _one_version(id: str, offset: int) -> str:
    """The call that reads one earlier version in full."""
    return f'get_context_history(id: "{id}", offset: {offset}, limit: 1)'


async def diff_context(desk: Desk, args: Compare) -> Any:
    """What changed since an earlier version: keys, deep paths, and for api_contract what breaks."""
    card = await desk.find(args.roomId)
    if card is None:
        raise UnknownContext(context=args.id)
    current, previous = await version(desk.engine, card, args.id, args.againstVersion or None)
    if previous is None:
        raise NoEarlierVersion(context=args.id)
    change = diff(previous.summary, current.summary, previous.payload, current.payload, current.type)
    answer: Shape = {
        "id": args.id,
        "current": context_shape(current),
        "previous": context_shape(previous),
        "diff": _diff_shape(change, previous, current),
    }
    if desk.answer_bytes is None or size(answer) <= desk.answer_bytes:
        return answer
    labels = await desk.engine.view(card, lambda room: _labels(room, args.id))
    back = len(labels) - 2 - labels.index(previous.version)
    return _short_diff(desk, answer, _one_version(args.id, back), desk.answer_bytes - NOTE_BYTES)


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


def _short_diff(desk: Desk, answer: Shape, previous: str, room_bytes: int) -> Any:
    """A comparison that fits: of each part as much as its share allows, what breaks before all else."""
    share = room_bytes // 8
    newest = f'read_context(id: "{answer["id"]}")'
    change = slim(answer["diff"], 0, ("fromSummary", "toSummary"), f"{newest}, {previous}")
    keys = {kind: _some(keys, share // 2) for kind, keys in change["payload"].items()}
    paths = _some(change["paths"], share)
    short: Shape = {
        **answer,
        "current": slim_entry(desk, answer["current"], room_bytes=share),
        "previous": slim_entry(desk, answer["previous"], previous, share),
        "diff": {
            **change,
            "payload": keys,
            "paths": paths,
            "morePaths": change["morePaths"] + len(change["paths"]) - len(paths),
            "breaking": _some(change["breaking"], 2 * share),
        },
    }
    return noted(short, NOT_ALL.format(newest, previous))


def _some(items: Any, room_bytes: int) -> list[Any]:
    """As many leading items as fit; none if even the first is too large."""
    kept = fit(list(items), room_bytes)
    return kept if size(kept) <= room_bytes else []


HISTORY = [Tool.of(get_context_history, History, read_only=True)]
DIFF = [Tool.of(diff_context, Compare, read_only=True)]
