"""From messages (agent-room §4.3) to lines of a page."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from stateroom.core.marks import find
from stateroom.faces.web.avatars import avatar
from stateroom.faces.web.parts import File, Line, LineKind, Quote, Stretch, moment
from stateroom.faces.web.windows import Window
from stateroom.wire.agent_room.messages import QUOTED_CHARS

Shape = Mapping[str, Any]
QUIET_ROLES = ("", "open", "human", "status")
"""Parts in a turn that say no more than the line itself."""


def stretch(shapes: Sequence[Shape], window: Window, path: str) -> Stretch:
    """The lines to show, from the messages of the window's lines. `path` is the page's own."""
    shown = window.trimmed([len(shape["text"]) for shape in shapes])
    shapes = shapes[shown.after - window.after :][: shown.count]
    ids = {shape["id"] for shape in shapes}
    days = [moment(shape["time"]).day for shape in shapes]
    lines = tuple(
        _line(shape, day if day != before else "", ids, path)
        for shape, day, before in zip(shapes, days, ["", *days], strict=False)
    )
    return Stretch(lines, shown.total, shown.older(path), shown.newer(path))


def line_href(id: int, shown: Iterable[int], path: str) -> str:
    """A line on this page, or on the page that has it."""
    return f"#line-{id}" if id in shown else f"{path}?at={id}#line-{id}"


def _line(shape: Shape, day: str, shown: set[int], path: str) -> Line:
    about, said, at = shape.get("metadata", {}), shape["type"] == "msg", moment(shape["time"])
    quoted = shape.get("replyTo")
    turn_role = about.get("roleAtSend", "")
    return Line(
        id=shape["id"],
        number=shape["line"],
        kind=_kind(said, about),
        icon="" if said else shape["initials"],
        name=shape["name"] if said else "",
        avatar=avatar(shape["initials"], shape["color"]) if said else None,
        role=shape["role"],
        person=said and shape["client"] == "web",
        verified=bool(shape.get("verified")),
        turn_role="" if turn_role in QUIET_ROLES else turn_role.replace("_", " "),
        at=at,
        day=day,
        tags=tuple(dict.fromkeys(mark.kind for mark in find(shape["text"]))) if said else (),
        text=shape["text"] if said else shape["text"].removeprefix(shape["initials"]).lstrip(),
        quote=_quote(quoted, shown, path) if quoted else None,
        files=tuple(_file(one) for one in shape.get("attachments", ())),
    )


def _kind(said: bool, about: Shape) -> LineKind:
    if said:
        return "status" if about.get("roleAtSend") == "status" else "said"
    return "withdrawn" if about.get("eventType") == "withdrawn" else "system"


def _quote(shape: Shape, shown: set[int], path: str) -> Quote:
    cut = "…" if len(shape["text"]) >= QUOTED_CHARS else ""
    return Quote(shape["name"], shape["text"] + cut, line_href(shape["id"], shown, path))


def _file(shape: Shape) -> File:
    return File(shape["name"], shape["url"], f"{shape['mime']}, {size(shape['size'])}")


def size(count: int) -> str:
    """Bytes for people: `12 KB`."""
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1000:.0f} KB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"
