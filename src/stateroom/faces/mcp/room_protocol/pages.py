"""How a long answer is kept under 8 KB for a model (decision 4): pages of lists, and large things made slim.

What is left out is always said, with the call that has it. A program gets everything, and so does whoever gives
a `limit`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from stateroom.faces.mcp.desk import Desk, fit, size
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.room_protocol.arguments import InRoom
from stateroom.wire.room_protocol import Shape

T = TypeVar("T")
CLIPPED_CHARS = 200

Offset = Annotated[int, Meta(ge=0)]
PageLimit = Annotated[int, Meta(ge=1, le=500)]


class Pages(Struct, kw_only=True):
    """Which part of a list; without a limit as much as fits."""

    offset: Offset = 0
    limit: PageLimit | UnsetType = UNSET


class Paged(InRoom, Pages, kw_only=True):
    pass


@dataclass(frozen=True, slots=True)
class Page:
    items: list[Any]
    note: str
    """Empty when nothing was left out that was asked for."""


def page(desk: Desk, items: Sequence[T], part: Pages, call: str, taken: int = 0) -> Page:
    """The part of a list that was asked for, or as much of it as fits beside `taken` bytes of other things.

    `call` is the tool that was called, with the arguments that it needs for the rest, and an open end.
    """
    rest = items[part.offset :]
    if not isinstance(part.limit, UnsetType):
        return Page(list(rest[: part.limit]), "")
    kept = fit(rest, None if desk.answer_bytes is None else desk.answer_bytes - taken)
    if len(kept) == len(rest):
        return Page(kept, "")
    following = part.offset + len(kept)
    return Page(kept, f"{part.offset + 1} to {following} of {len(items)}: {call}offset: {following}) has the rest.")


def noted(value: Any, note: str) -> Any:
    """The value, and what is missing from it if anything is."""
    return Cut(value, note) if note else value


def slim(shape: Shape, room_bytes: int | None, fields: Iterable[str], call: str) -> Shape:
    """The shape, if it is too large without what its largest fields hold; `left_out` (ours) says which, and where
    they are. Fields keep their types: a text is clipped, a list or an object emptied."""
    if room_bytes is None or size(shape) <= room_bytes:
        return shape
    slimmer, left_out = dict(shape), []
    for field in fields:
        if shape.get(field):
            slimmer[field] = _less(shape[field])
            left_out.append(field)
            slimmer["left_out"] = f"{', '.join(left_out)}: {call}"
        if size(slimmer) <= room_bytes:
            break
    return slimmer


def _less(value: Any) -> Any:
    if isinstance(value, str):
        return value[:CLIPPED_CHARS] + ("…" if len(value) > CLIPPED_CHARS else "")
    return type(value)()


def slim_task(desk: Desk, task: Shape) -> Shape:
    return slim(task, desk.answer_bytes, ("notes", "description", "depends_on"), f'get_task(taskId: "{task["id"]}")')


def slim_entry(desk: Desk, entry: Shape, call: str = "", room_bytes: int | None = None) -> Shape:
    """A context entry; `call` has it in full, if it is not the newest version."""
    call = call or f'read_context(id: "{entry["id"]}")'
    return slim(entry, room_bytes or desk.answer_bytes, ("payload", "consuming_agents", "summary"), call)


def slim_event(event: Shape, room_bytes: int | None) -> Shape:
    call = f'read_events(after: {event["position"] - 1}, order: "oldest", limit: 1)'
    return slim(event, room_bytes, ("payload", "read_by"), call)


def slim_review(desk: Desk, review: Shape) -> Shape:
    return slim(review, desk.answer_bytes, ("resolutionNote", "requestNote", "note"), "list_reviews(limit: 500)")
