"""How a long answer is kept under 8 KB for a model (decision 4): pages of lists, and large things made slim.

What is left out is always said, with the call that has it. A program gets everything, and so does whoever gives
a `limit`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from stateroom.core.limits import NAME_CHARS
from stateroom.core.payloads import one_line
from stateroom.faces.mcp.desk import Desk, fit, size
from stateroom.faces.mcp.results import Cut
from stateroom.faces.mcp.room_protocol.arguments import InRoom
from stateroom.wire.room_protocol import Shape

T = TypeVar("T")
CLIPPED_BYTES = 200
TASK_FIELDS = ("notes", "description", "verdict", "dod", "missing_dependencies", "depends_on", "title")

Offset = Annotated[int, Meta(ge=0)]
PageLimit = Annotated[int, Meta(ge=1, le=500)]


class Part(Protocol):
    """Which part of a list; without a limit as much as fits."""

    @property
    def offset(self) -> int: ...

    @property
    def limit(self) -> int | UnsetType: ...


class Pages(Struct, kw_only=True):
    offset: Offset = 0
    limit: PageLimit | UnsetType = UNSET


class Paged(InRoom, kw_only=True):
    offset: Offset = 0
    limit: PageLimit | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class Page:
    items: list[Any]
    note: str
    """Empty when nothing was left out that was asked for."""


def page(
    desk: Desk, items: Sequence[T], part: Part, call: str, taken: int = 0, slim: Callable[[T], T] | None = None
) -> Page:
    """The part of a list that was asked for, or as much of it as fits beside `taken` bytes of other things.

    `call` is the tool that was called, with the arguments that it needs for the rest, and an open end; `slim` takes
    from an item what would make it too large by itself.
    """
    rest = items[part.offset :]
    if not isinstance(part.limit, UnsetType):
        return Page(list(rest[: part.limit]), "")
    if desk.answer_bytes is None:
        return Page(list(rest), "")
    kept = fit(map(slim, rest) if slim else rest, desk.answer_bytes - taken)
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
            slimmer[field] = _less(field, shape[field])
            left_out.append(field)
            slimmer["left_out"] = f"{', '.join(left_out)}: {call}"
        if size(slimmer) <= room_bytes:
            break
    return slimmer


def _less(field: str, value: Any) -> Any:
    if isinstance(value, str):
        return clip(value)
    if field == "verdict":  # who said what stays
        return {**value, "note": clip(value["note"] or "")}
    return type(value)()


def clip(text: str) -> str:
    """The beginning of a text, marked if it goes on."""
    short = text.encode()[:CLIPPED_BYTES].decode(errors="ignore")
    return text if short == text else short + "…"


def said(name: str) -> str:
    """A name that the caller gave, inside the call that we name."""
    return one_line(name, NAME_CHARS)


def slim_task(desk: Desk, task: Shape, room_bytes: int | None = None) -> Shape:
    call = f'get_task(taskId: "{task["id"]}")'
    return slim(task, room_bytes or desk.answer_bytes, TASK_FIELDS, call)


def slim_entry(desk: Desk, entry: Shape, call: str = "", room_bytes: int | None = None) -> Shape:
    """A context entry; `call` has it in full, if it is not the newest version."""
    call = call or f'read_context(id: "{entry["id"]}")'
    return slim(entry, room_bytes or desk.answer_bytes, ("payload", "consuming_agents", "summary"), call)


def slim_event(event: Shape, room_bytes: int | None) -> Shape:
    call = f'read_events(after: {event["position"] - 1}, order: "oldest", limit: 1)'
    return slim(event, room_bytes, ("payload", "read_by"), call)


def slim_review(desk: Desk, review: Shape) -> Shape:
    return slim(review, desk.answer_bytes, ("resolutionNote", "requestNote", "note"), "list_reviews(limit: 500)")
