"""From what a client sent as arguments to the struct a tool takes, or to one clear list of what is wrong.

Extra arguments are ignored, omitted `arguments` mean `{}`, and `room_id` / `agent_id` are read as the names they
stand for (protocol §3.3, §13.8). The two tool sets call a room and a name differently; either takes the other's word.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from stateroom.core.payloads import bad_text, one_line
from stateroom.faces.mcp.tools import Tool

ALIASES = {"room_id": "roomId", "agent_id": "agentId"}
TWINS = {"code": "roomId", "roomId": "code", "name": "agentId", "agentId": "name"}
"""What one tool set calls `code` and `name`, the other calls `roomId` and `agentId`."""
NAME_ARGUMENTS = ("agentId", "author", "from", "requestedBy", "name")
"""Arguments that say who acts; a bound caller need not give them (protocol §7.5)."""
SLOW_SIGNS = (b'"room_id"', b'"agent_id"', b"\\u0000")
"""What the fast way does not look into."""
SAID_CHARS = 300
"""How much of a decoder's sentence is passed on: it may repeat the value that is wrong."""
WHERE = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>.*)`)?$", re.DOTALL)
MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")


class BadArguments(Exception):
    """The arguments do not fit. `issues` is a list of {code, path, message}."""

    def __init__(self, tool: str, issues: list[dict[str, Any]]) -> None:
        super().__init__(tool)
        self.tool = tool
        self.issues = issues

    def __str__(self) -> str:
        listed = msgspec.json.encode(self.issues).decode()
        return f"MCP error -32602: Input validation error: Invalid arguments for tool {self.tool}: {listed}"


def decode(tool: Tool, raw: bytes, given: Mapping[str, str]) -> Any:
    """The tool's argument struct. `given` are arguments the endpoint is bound to. Raises BadArguments."""
    raw = b"{}" if raw in (b"", b"null") else raw
    if not any(sign in raw for sign in SLOW_SIGNS):
        try:
            return tool.decoder.decode(raw)
        except (msgspec.DecodeError, RecursionError):
            pass  # the slow way fills in what the endpoint gives, or says what is wrong
    return _carefully(tool, raw, given)


def _carefully(tool: Tool, raw: bytes, given: Mapping[str, str]) -> Any:
    try:
        sent = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError) as broken:
        raise BadArguments(tool.name, [issue("invalid_json", [], str(broken))]) from None
    if not isinstance(sent, dict):
        raise BadArguments(tool.name, [issue("invalid_type", [], f"Expected object, received {_kind(sent)}")])
    if (where := bad_text(sent)) is not None:
        raise BadArguments(tool.name, [issue("invalid_string", where.split("."), "NUL or lone surrogate in text")])
    fields: set[str] = {str(field.encode_name) for field in msgspec.structs.fields(tool.arguments)}
    filled: dict[Any, Any] = {name: value for name, value in given.items() if name in fields}
    other = {ALIASES.get(name, name): value for name, value in sent.items() if name not in fields}
    twins = {TWINS[name]: other[name] for name in TWINS.keys() & other.keys() if name not in fields}
    filled.update({name: value for name, value in twins.items() if isinstance(value, str)})
    filled.update(other)
    filled.update({name: value for name, value in sent.items() if name in fields})
    return _convert(tool, filled)


def _convert(tool: Tool, arguments: dict[str, Any]) -> Any:
    missing = [
        issue("invalid_type", [field.encode_name], "Required")
        for field in msgspec.structs.fields(tool.arguments)
        if field.required and field.encode_name not in arguments
    ]
    if missing:
        raise BadArguments(tool.name, missing)
    try:
        return msgspec.convert(arguments, tool.arguments)
    except msgspec.ValidationError as wrong:
        raise BadArguments(tool.name, [_reworded(str(wrong))]) from None


def _reworded(message: str) -> dict[str, Any]:
    """An issue from the decoder's sentence, which names the first thing wrong and where it is."""
    match = WHERE.match(message)
    what, path = (match["what"], match["path"] or "$") if match else (message, "$")
    steps = [step for step in re.split(r"[.\[\]$]+", path) if step]
    if "matching regex" in what:  # the one pattern there is: a UTC time (protocol, read_events)
        return issue("invalid_string", steps, "Invalid datetime")
    if (absent := MISSING.match(what)) is not None:
        return issue("invalid_type", [*steps, absent["name"]], "Required")
    return issue("invalid_type", steps, one_line(what.replace("`", ""), SAID_CHARS))


def issue(code: str, path: list[str], message: str) -> dict[str, Any]:
    return {"code": code, "path": path, "message": message}


def _kind(value: object) -> str:
    return {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string", list: "array"}.get(
        type(value), "object"
    )
