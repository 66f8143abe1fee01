"""What a context entry may hold: a closed set of types, and the shape each one's payload must have.

`SHAPES` is the law, at a glance (protocol §2.2). The words it is written in come first: each shape tells what is
wrong with a value in the wordings clients already know, and describes itself as JSON Schema. A shape asks only for
what it names; fields it does not name are welcome anywhere and are kept, because nothing here alters a payload (W-26).
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import NoneType
from typing import Any, ClassVar

MAX_PAYLOAD_BYTES = 64_000
"""The same bound for writing and for revising, counted in bytes (W-27)."""
MAX_DEPTH = 64
MAX_PROBLEMS = 20
SHOWN_CHARS = 200

Path = tuple[str | int, ...]


class Shape:
    """What a value must be. Subclasses add what is wrong beyond the kind, and what JSON Schema calls it."""

    kind: ClassVar[str]

    def check(self, value: Any, path: Path) -> Iterator[str]:
        """Every problem with the value, lazily, as `<dotted path>: <message>`."""
        if kind_of(value) != self.kind:
            return iter([_at(path, f"Expected {self.expected()}, received {kind_of(value)}")])
        return self.beyond(value, path)

    def expected(self) -> str:
        return self.kind

    def beyond(self, value: Any, path: Path) -> Iterator[str]:
        return iter(())

    def schema(self) -> dict[str, Any]:
        return {"type": self.kind}


@dataclass(frozen=True)
class Flag(Shape):
    kind = "boolean"


@dataclass(frozen=True)
class Text(Shape):
    kind = "string"
    min: int = 0
    """Characters."""

    def beyond(self, value: str, path: Path) -> Iterator[str]:
        if len(value) < self.min:
            yield _at(path, f"String must contain at least {self.min} character(s)")

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": self.min} if self.min else {"type": "string"}


@dataclass(frozen=True)
class OneOf(Shape):
    kind = "string"
    values: tuple[str, ...]

    def expected(self) -> str:
        return " | ".join(f"'{value}'" for value in self.values)

    def beyond(self, value: str, path: Path) -> Iterator[str]:
        if value not in self.values:
            yield _at(path, f"Invalid enum value. Expected {self.expected()}, received '{one_line(value, 40)}'")

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.values)}


@dataclass(frozen=True)
class ListOf(Shape):
    kind = "array"
    of: Shape
    min: int = 0
    """Elements."""

    def beyond(self, value: list[object], path: Path) -> Iterator[str]:
        if len(value) < self.min:
            yield _at(path, f"Array must contain at least {self.min} element(s)")
        for index, element in enumerate(value):
            yield from self.of.check(element, (*path, index))

    def schema(self) -> dict[str, Any]:
        least = {"minItems": self.min} if self.min else {}
        return {"type": "array", "items": self.of.schema(), **least}


@dataclass(frozen=True)
class Maybe:
    """A field that may be left out. It may not be null: readers would have to tell two kinds of nothing apart."""

    shape: Shape


@dataclass(frozen=True)
class Obj(Shape):
    kind = "object"
    fields: Mapping[str, Shape | Maybe] = field(default_factory=dict)

    def beyond(self, value: dict[str, object], path: Path) -> Iterator[str]:
        for name, asked in self.fields.items():
            if name in value:
                yield from _shape(asked).check(value[name], (*path, name))
            elif isinstance(asked, Shape):
                yield _at((*path, name), "Required")

    def schema(self) -> dict[str, Any]:
        if not self.fields:
            return {"type": "object"}
        properties = {name: _shape(asked).schema() for name, asked in self.fields.items()}
        required = [name for name, asked in self.fields.items() if isinstance(asked, Shape)]
        return {"type": "object", "properties": properties, "required": required}


def _shape(asked: Shape | Maybe) -> Shape:
    return asked.shape if isinstance(asked, Maybe) else asked


SOME_TEXT = Text(min=1)

ENDPOINT = Obj(
    {
        "method": OneOf(("GET", "POST", "PUT", "DELETE", "PATCH")),
        "path": SOME_TEXT,
        "request": Maybe(Obj()),
        "response": Obj(),
        "auth_required": Flag(),
        "description": Text(),
    }
)

SHAPES: Mapping[str, Obj] = {
    "api_contract": Obj(
        {
            "service": SOME_TEXT,
            "version": SOME_TEXT,
            "endpoints": ListOf(ENDPOINT, min=1),
            "base_url": Maybe(Text()),
        }
    ),
    "arch_decision": Obj(
        {
            "title": SOME_TEXT,
            "decision": SOME_TEXT,
            "rationale": SOME_TEXT,
            "alternatives": ListOf(Text()),
            "consequences": ListOf(Text()),
        }
    ),
    "task": Obj({"task_id": SOME_TEXT, "acceptance_criteria": ListOf(Text()), "technical_notes": Text()}),
    "change_request": Obj(
        {
            "requested_by": SOME_TEXT,
            "target_agent": SOME_TEXT,
            "description": SOME_TEXT,
            "urgency": OneOf(("low", "medium", "high")),
            "blocking_task_id": Maybe(Text()),
        }
    ),
    "note": Obj({"text": SOME_TEXT, "references": Maybe(ListOf(Text()))}),
}

CONTEXT_TYPES: tuple[str, ...] = tuple(SHAPES)

EXAMPLES: Mapping[str, dict[str, object]] = {
    "api_contract": {
        "service": "users",
        "version": "1.0",
        "endpoints": [
            {
                "method": "GET",
                "path": "/users/{id}",
                "response": {"id": "string", "email": "string", "role": "admin | member"},
                "auth_required": True,
                "description": "One user.",
            }
        ],
    },
    "arch_decision": {
        "title": "One log per room",
        "decision": "Everything that happens in a room goes into one append-only log.",
        "rationale": "One order for everything; history and replay come for free.",
        "alternatives": ["A table per noun"],
        "consequences": [],
    },
    "task": {"task_id": "T-01", "acceptance_criteria": ["A wrong password answers 401"], "technical_notes": "argon2"},
    "change_request": {
        "requested_by": "frontend",
        "target_agent": "backend",
        "description": "Add the user's time zone to GET /users/{id}.",
        "urgency": "medium",
    },
    "note": {"text": "The staging database is reset every night.", "references": ["T-02"]},
}


def problems(type: str, payload: object) -> list[str]:
    """What is wrong with a payload: the first 20 problems, each as `<dotted.path or (root)>: <message>`.

    The messages are those of zod 3, which clients know (protocol §2.2). Empty means the payload is good.
    """
    if type not in SHAPES:
        return list(OneOf(CONTEXT_TYPES).check(type, ("type",)))
    if too_deep(payload):
        return [_at((), f"nested deeper than {MAX_DEPTH} levels")]
    return list(islice(SHAPES[type].check(payload, ()), MAX_PROBLEMS))


def json_schema(type: str) -> dict[str, Any]:
    """The payload of a type as a JSON Schema without references, for documents and the OpenAPI page."""
    return SHAPES[type].schema()


_KINDS: Mapping[type, str] = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    NoneType: "null",
    list: "array",
    dict: "object",
}


def kind_of(value: object) -> str:
    """A value's JSON kind: string, number, boolean, null, array or object (by exact type: True is no number)."""
    return _KINDS.get(type(value), "unknown")


def too_deep(value: object, levels: int = MAX_DEPTH) -> bool:
    """Whether objects and arrays nest more than `levels` deep. Walks level by level, so no depth can hurt it."""
    layer = [value]
    for _ in range(levels):
        layer = [child for node in layer for child in _children(node)]
        if not layer:
            return False
    return any(isinstance(node, dict | list) for node in layer)


def _children(node: object) -> Collection[object]:
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()


compact_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
"""Any JSON value as its shortest text."""


_sorted_json = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def same_json(one: object, other: object) -> bool:
    """Whether two values of bounded depth are one as JSON, in whatever order their keys: there 1 is not true."""
    return one is other or _sorted_json(one) == _sorted_json(other)


def size_bytes(payload: object) -> int:
    """UTF-8 bytes of the compact JSON form; a lone surrogate, which has no UTF-8 form, counts as three."""
    try:
        return len(compact_json(payload).encode("utf-8", "surrogatepass"))
    except RecursionError:  # the same number for any depth, at several times the cost
        return sum(_own_size(node) for node, _ in _walk(payload))


def _own_size(node: object) -> int:
    """What a node adds to what is in it: for an object brackets, commas and colons."""
    if isinstance(node, dict | list):
        return 2 + max(0, len(node) - 1) + (len(node) if isinstance(node, dict) else 0)
    return size_bytes(node)


_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


def may_be_bad(encoded: str) -> bool:
    """Whether compact JSON could hold text that can not be stored: a quick look before `bad_text` looks closely."""
    return "\\u0000" in encoded or _SURROGATE.search(encoded) is not None


_SURROGATE = re.compile(r"[\ud800-\udfff]")


def bad_text(value: object) -> str | None:
    """Dotted path of the first string, key or value, with a NUL or a lone surrogate; None if all can be stored.

    The path of a bad key is its own, with what can not be stored replaced by U+FFFD; a path is at most 200 characters.
    """
    if isinstance(value, str) and not _UNSTORABLE.search(value):
        return None  # most texts are plain and good
    bad = (trail for node, trail in _walk(value) if isinstance(node, str) and _UNSTORABLE.search(node))
    return next((_dotted(trail) for trail in bad), None)


Trail = tuple["Trail", str | int] | tuple[()]
"""A path as (parent, last part): shared between siblings, so that walking a deep payload stays linear."""


def _walk(value: object) -> Iterator[tuple[object, Trail]]:
    """Every object, array, key and leaf with its trail, in the order of the text, however deep."""
    pending: list[tuple[object, Trail]] = [(value, ())]
    while pending:
        node, trail = pending.pop()
        yield node, trail
        if isinstance(node, dict):
            for key in reversed(node):
                pending += [(node[key], (trail, key)), (key, (trail, key))]
        elif isinstance(node, list):
            pending += [(node[index], (trail, index)) for index in reversed(range(len(node)))]


def _dotted(trail: Trail) -> str:
    parts: list[str] = []
    while trail:
        trail, part = trail
        parts.append(str(part))
    return one_line(".".join(reversed(parts)), SHOWN_CHARS) or "(root)"


def one_line(text: str, limit: int) -> str:
    """Somebody's text inside one of our lines: one line, storable, at most `limit` characters."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in short)


def _at(path: Path, message: str) -> str:
    return f"{'.'.join(map(str, path)) or '(root)'}: {message}"
