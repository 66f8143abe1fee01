"""Requests that are almost right, drawn from a seed: every tool and method, with something odd somewhere."""

import copy
import json
import random
from typing import Any

from stateroom.faces.mcp.room_protocol.catalogue import TOOLS
from stateroom.faces.mcp.tools import input_schema
from tests.wire.mcp.oracle import Request, legacy, modern

NUMBERS = [0, -1, 1.5, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**40, 1e300]
TEXTS = [
    "",
    " ",
    "a",
    "€" * 500,
    "x" * 20_000,
    "\x00",
    "a\x00b",
    "\ud800",
    "\u202e../../etc/passwd",
    "%00",
    "{}",
    "null",
]
NAMES = ["E-99999999999999999999", "T-01", "demo", "2026-13-45T99:99:99Z", "stateroom://rooms/demo/plan"]
NESTED = [
    [],
    [None],
    [[]],
    ["a"] * 2_000,
    {},
    {"": {}},
    {"$ref": "#"},
    {"a": None},
    {"__proto__": {"x": 1}},
    [{"a": [{}]}],
]
ODD: list[Any] = [None, True, False, *NUMBERS, *TEXTS, *NAMES, *NESTED]
"""Values that are wrong almost anywhere."""
WORDS: dict[str, Any] = {
    "string": "demo", "integer": 1, "number": 1, "boolean": True, "object": {"text": "t"}, "array": [],
}  # fmt: skip
DEEP = b"[" * 5_000 + b"]" * 5_000
METHODS: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("prompts/list", {"cursor": "x"}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "stateroom://rooms/demo/feed"}),
    ("prompts/get", {"name": "join_room", "arguments": {"room": "demo", "agent": "ann"}}),
    ("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["stateroom://rooms/demo/plan"]}}),
    ("server/discover", {}),
    ("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}),
    ("logging/setLevel", {"level": "debug"}),
    ("no/such", {"x": 1}),
]


def fitting(schema: dict[str, Any]) -> Any:
    """Something a property takes, as a rule."""
    return schema["enum"][0] if "enum" in schema else WORDS[schema.get("type", "string")]


def sample(chance: random.Random) -> Request:
    """A request that is right."""
    made = modern if chance.random() < 0.5 else legacy
    if chance.random() < 0.3:
        method, params = chance.choice(METHODS)
        return made(method, **params)
    tool = chance.choice(TOOLS)
    properties = input_schema(tool.arguments)["properties"]
    arguments = {name: fitting(schema) for name, schema in properties.items() if chance.random() < 0.8}
    return made("tools/call", name=tool.name, arguments=arguments)


def mutated(chance: random.Random) -> tuple[bytes, dict[str, str]]:
    """A request with a few things odd: in its data, in its bytes or in its headers."""
    body, headers = copy.deepcopy(sample(chance))
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        body = _change_data(body, chance)
    content = json.dumps(_patient(body)).encode()
    if chance.random() < 0.2:
        content = _change_bytes(content, chance)
    if chance.random() < 0.3:
        _change_headers(headers, chance)
    return content, headers


def _change_data(body: Any, chance: random.Random) -> Any:
    """With one part replaced, removed or doubled."""
    places = [*_places(body)] if chance.random() < 0.15 else [*_places(_inner(body))]
    if not places or chance.random() < 0.02:
        return copy.deepcopy(chance.choice(ODD))
    holder, key = chance.choice(places)
    match chance.randrange(4):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1:
            holder[key] = [holder[key], copy.deepcopy(holder[key])]
        case _:
            holder[key] = copy.deepcopy(chance.choice(ODD))
    return body


def _places(value: Any) -> Any:
    """Every (holder, key) there is in some data."""
    if isinstance(value, dict | list):
        for key, part in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from _places(part)


def _inner(body: Any) -> Any:
    """The part of a request that a tool sees, if there is one."""
    params = body.get("params") if isinstance(body, dict) else None
    return params.get("arguments", params) if isinstance(params, dict) else body


def _patient(body: Any) -> Any:
    """Without a wait that would take long: a fuzzer has no time."""
    for holder, key in list(_places(body)):
        if key == "arguments" and isinstance(holder[key], dict) and isinstance(holder[key].get("timeoutMs", 1), int):
            holder[key]["timeoutMs"] = 1
    return body


def _change_bytes(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    piece = chance.choice((b"", b"\xff", b"\x00", b"{", b'"', b"\\", b"\xe2\x82", b"NaN", DEEP, chance.randbytes(5)))
    return content[:at] + piece + content[at + chance.choice((0, 0, 1, 10, len(content))) :]


def _change_headers(headers: dict[str, str], chance: random.Random) -> None:
    name = chance.choice((*headers, "mcp-session-id", "last-event-id", "authorization", "mcp-param-x", "x-request-id"))
    odd = (
        "",
        "x" * 5_000,
        "=?base64?AAAA?=",
        "=?base64?????=",
        "\xe9\xff",
        "2026-07-28",
        "Bearer x",
        "text/plain",
        "*/*",
    )
    headers[name] = chance.choice(odd)
