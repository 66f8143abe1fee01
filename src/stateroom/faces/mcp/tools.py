"""What a tool is, and which tools there are. A tool is an argument struct, a function, and what it may do."""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

Schema = dict[str, Any]
Run = Callable[[Any, Any], Awaitable[Any]]
COMPOSED = ("$ref", "$defs", "anyOf", "oneOf", "allOf")
"""Keywords that some clients refuse, or drop a tool for (traps 51 to 53)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. `run(desk, arguments)` answers with JSON data: an object, an array, a `results.Cut`, or `Content`."""

    name: str
    description: str
    arguments: type[msgspec.Struct]
    run: Run
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    waits: bool = False
    """May take seconds: answered as a stream with keep-alives where the client takes one."""
    decoder: "msgspec.json.Decoder[Any]" = field(repr=False, compare=False)

    @classmethod
    def of(cls, run: Run, arguments: type[msgspec.Struct], **traits: bool) -> "Tool":
        """A tool named and described by its function."""
        name = run.__name__
        described = " ".join(inspect.getdoc(run).split())  # type: ignore[union-attr]
        decoder = msgspec.json.Decoder(arguments)
        return cls(name=name, description=described, arguments=arguments, run=run, decoder=decoder, **traits)

    def listing(self, given: Iterable[str] = ()) -> Schema:
        """The tool as `tools/list` shows it. Arguments that the endpoint itself gives are not required."""
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": input_schema(self.arguments, given),
            "annotations": self._annotations(),
        }

    def _annotations(self) -> dict[str, bool]:
        if self.read_only:
            return {"readOnlyHint": True, "openWorldHint": False}
        return {
            "readOnlyHint": False,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": False,
        }


def input_schema(arguments: type[msgspec.Struct], given: Iterable[str] = ()) -> Schema:
    """A flat schema of an argument struct: no references, no composition; optional means absent."""
    whole = msgspec.json.schema(arguments)
    parts = whole["$defs"]
    root = parts[whole["$ref"].rpartition("/")[2]]
    properties = {name: _flat(schema, parts) for name, schema in root["properties"].items()}
    required = [name for name in root.get("required", ()) if name not in given]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _flat(schema: Schema, parts: Schema) -> Schema:
    """One property: in place what it refers to, the branch that is not null, without defaults that mean "left out"."""
    branches = [branch for branch in schema.get("anyOf", ()) if branch.get("type") != "null"]
    plain = {**schema, **branches[0]} if branches else dict(schema)
    plain.pop("anyOf", None)
    if "$ref" in plain:
        plain = {**parts[plain.pop("$ref").rpartition("/")[2]], **plain}
        for word in ("title", "description"):
            plain.pop(word, None)
    if "properties" in plain:
        plain["properties"] = {name: _flat(part, parts) for name, part in plain["properties"].items()}
    if "enum" in plain:
        plain.setdefault("type", "string")  # without it some clients refuse the words
    if not plain.get("required", True):
        plain.pop("required")
    if plain.get("default", 0) in (None, "", 0, False, [], ()):
        plain.pop("default", None)
    if "items" in plain:
        plain["items"] = _flat(plain["items"], parts)
    return plain


def schema_faults(schema: Schema, path: str = "$") -> list[str]:
    """Everything in a schema that some client is known to stumble over; used by the tests' lint."""
    faults = [f"{path}: {word}" for word in COMPOSED if word in schema]
    if isinstance(schema.get("type"), list):
        faults.append(f"{path}: an array of types")
    for name, part in schema.get("properties", {}).items():
        faults += schema_faults(part, f"{path}.{name}")
    if isinstance(schema.get("items"), dict):
        faults += schema_faults(schema["items"], f"{path}[]")
    return faults


class Registry:
    """The tools of a server, the other names they go by, and the profiles that list them."""

    def __init__(
        self,
        tools: Iterable[Tool],
        profiles: Mapping[str, Iterable[str]],
        default: str,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._aliases = dict(aliases or {})
        self._names = frozenset((*self._tools, *self._aliases))
        self._profiles = {name: tuple(listed) for name, listed in profiles.items()}
        self._default = default
        self._listings: dict[tuple[str, tuple[str, ...]], bytes] = {}

    @property
    def names(self) -> frozenset[str]:
        """Every name that a tool can be called by."""
        return self._names

    def find(self, name: str) -> Tool | None:
        """A tool by its name or another name it goes by, whatever is listed."""
        return self._tools.get(self._aliases.get(name, name))

    def listing(self, profile: str, given: tuple[str, ...] = ()) -> bytes:
        """The encoded array of a profile's tools; an unknown profile lists the default one. Encoded once."""
        place = (profile if profile in self._profiles else self._default, given)
        if place not in self._listings:
            tools = [self._tools[name].listing(given) for name in self._profiles[place[0]]]
            self._listings[place] = msgspec.json.encode(tools)
        return self._listings[place]
