"""Writes the reference pages from the code. `make docs`; a test keeps them fresh."""

import dataclasses
import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

import msgspec

from stateroom.core import refusals
from stateroom.core.refusals import Refusal
from stateroom.core.speech import MessageSaid
from stateroom.faces.mcp.agent_room.legacy import OLD
from stateroom.faces.mcp.agent_room.texts import ERRORS as TOOL_ERRORS
from stateroom.faces.mcp.profiles import BUDGETS, DEFAULT, PROFILES, TOOLS
from stateroom.faces.rest.agent_room import rooms
from stateroom.faces.rest.agent_room.actions import ACTIONS, CREATE
from stateroom.faces.rest.agent_room.errors import NAMES as ACTION_ERRORS
from stateroom.faces.rest.api import ENDPOINTS, PREFIX
from stateroom.log import codec
from stateroom.settings import Settings
from stateroom.wire.agent_room.lines import LINES
from stateroom.wire.room_protocol import NAMES

FOLDER = Path(__file__).parent
NOTICE = "<!-- Written by `make docs` from the code. Do not edit. -->\n\n"


def pages() -> dict[str, str]:
    """File name -> content."""
    return {
        "tools.md": tools(),
        "events.md": events(),
        "refusals.md": refusal_page(),
        "actions.md": actions(),
        "rest.md": rest(),
        "settings.md": settings(),
    }


def tools() -> str:
    lines = [
        "# Tools",
        "",
        "Every tool can be called by name whatever is listed. Profiles choose what `tools/list` shows:",
        "",
    ]
    lines += ["| profile | lists | token budget |", "|---|---|---|"]
    for name, listed in PROFILES.items():
        few = len(listed) < 15
        shown = ", ".join(f"`{tool}`" for tool in listed) if few else f"{len(listed)} tools"
        lines.append(f"| `{name}`{' (default)' if name == DEFAULT else ''} | {shown} | {BUDGETS[name]:,} |")
    for tool in TOOLS:
        described = tool.listing()
        schema = described["inputSchema"]
        lines += ["", f"## `{tool.name}`", "", tool.description, ""]
        lines += [f"- `{name}` {_kind(part)}{_need(name, schema)}" for name, part in schema["properties"].items()]
        lines += ["", f"*{_traits(described['annotations'])}*"]
    lines += ["", "## Names that tools had before", "", "They work in every profile and are never listed.", ""]
    lines += ["| name | is |", "|---|---|"]
    for name, (tool, preset) in OLD.items():
        shown = ", ".join(f"{key}: {json.dumps(value)}" for key, value in preset.items())
        lines.append(f"| `{name}` | `{tool}({shown})` |")
    return "\n".join(lines)


def actions() -> str:
    """The actions of `/api/room` with their fields, read from the structs that decode them."""
    lines = ["# Actions", "", "What `POST /api/room` takes as `action`, each with its own fields beside `code`.", ""]
    lines += ["| action | fields |", "|---|---|", f"| `{CREATE}` | {_fields(rooms.Create)} |"]
    lines += [f"| `{name}` | {_fields(action.fields)} |" for name, action in ACTIONS.items()]
    lines += ["", "## Errors", "", 'Answered as `{"error": name, "message": sentence}` with this status.', ""]
    lines += ["| error | status | refusal |", "|---|---|---|"]
    lines += [f"| `{name}` | {status} | `{code}` |" for code, (name, status) in sorted(ACTION_ERRORS.items())]
    return "\n".join(lines)


def _fields(kind: type[msgspec.Struct]) -> str:
    shown = [field for field in msgspec.structs.fields(kind) if field.name != "code"]
    return ", ".join(f"`{field.encode_name}`{' (required)' if field.required else ''}" for field in shown) or "–"


def _kind(schema: dict[str, Any]) -> str:
    words = [str(schema.get("type", "string" if "enum" in schema else "any"))]
    if "enum" in schema:
        words.append("one of " + ", ".join(f"`{value}`" for value in schema["enum"]))
    names = {"minLength": "at least", "maxLength": "at most", "minimum": "≥", "maximum": "≤", "default": "default"}
    words += [f"{text} {schema[key]}" for key, text in names.items() if key in schema]
    return ", ".join(words)


def _need(name: str, schema: dict[str, Any]) -> str:
    return ", required" if name in schema.get("required", ()) else ""


def _traits(annotations: dict[str, bool]) -> str:
    if annotations["readOnlyHint"]:
        return "Changes nothing."
    words = ["Removes something." if annotations["destructiveHint"] else "Adds or changes something."]
    return " ".join([*words, "Repeating it changes nothing more."] if annotations["idempotentHint"] else words)


def events() -> str:
    """Facts as they are stored, and how the two kinds of clients see them."""
    lines = [
        "# Events",
        "",
        "What a log holds. Facts that the room is *told* of appear as events under these names:",
        "",
    ]
    lines += ["| fact | facts | event of the Room Protocol | line of the transcript |", "|---|---|---|---|"]
    for name, kind in codec.KINDS.items():
        facts = ", ".join(f"`{field.name}`" for field in dataclasses.fields(kind))
        lines.append(f"| `{name}` | {facts} | {_told_as(kind)} | {_line_as(kind)} |")
    return "\n".join(lines)


def _told_as(kind: type) -> str:
    """Read from the naming table's own function."""
    name = next((names for noun, names in NAMES.items() if issubclass(kind, noun)), None)
    if name is None:
        return "not told"
    literal = re.search(r'return f?"([^"]+)"', inspect.getsource(name))
    return f"`{literal[1]}`" if literal else "its own type"


def _line_as(kind: type) -> str:
    if issubclass(kind, MessageSaid):
        return "message"
    return "system line" if any(issubclass(kind, noun) for noun in LINES) else "–"


def refusal_page() -> str:
    lines = ["# Refusals", "", "Everything the rules say no to. `code` is stable; the status is a hint for HTTP.", ""]
    lines += ["| code | status | sentence | what to do | tool error | action error |", "|---|---|---|---|---|---|"]
    kinds = [kind for _, kind in inspect.getmembers(refusals, inspect.isclass) if issubclass(kind, Refusal)]
    for kind in sorted((kind for kind in kinds if kind is not Refusal), key=lambda kind: kind.code):
        tool, action = TOOL_ERRORS.get(kind.code, ""), ACTION_ERRORS.get(kind.code, ("",))[0]
        named = " | ".join(f"`{name}`" if name else "–" for name in (tool, action))
        lines.append(f"| `{kind.code}` | {kind.status} | {inspect.getdoc(kind)} | {kind.hint} | {named} |")
    return "\n".join(lines)


def rest() -> str:
    lines = [
        "# REST",
        "",
        f"Everything under `{PREFIX}`, described in full by `{PREFIX}/openapi.json`. On a keyed server send",
        '`Authorization: Bearer <key>`. What goes wrong answers `{"error": {"code", "message", "hint"}}`.',
        "Instants are milliseconds since 1970-01-01T00:00:00Z. A room is named by its id or its code.",
        "",
        "| request | does |",
        "|---|---|",
    ]
    lines += [f"| `{endpoint.method} {endpoint.path}` | {endpoint.summary} |" for endpoint in ENDPOINTS]
    lines += [
        "",
        'A command\'s body is `{"by": name, "request_id": id, "wish": {…}}`, with `host_key` and `seat_key` where they',
        "are asked for; with a request id, repeating it has its effect once and answers `replayed: true`.",
        "",
        "## The event stream",
        "",
        "`GET /rooms/{id}/stream` sends a room's events as they happen: `id: <position>`, `event: message` and",
        "`data: <event>`. Reconnect with `Last-Event-ID`, or ask with `?after=<position>` or `?since=<UTC time>`.",
        "Comments keep it alive; after `: timeout` it ends, and you connect again.",
    ]
    return "\n".join(lines)


def settings() -> str:
    source = inspect.getsource(sys.modules[Settings.__module__])
    names = dict.fromkeys(re.findall(r'"((?:STATEROOM_)?[A-Z]+_[A-Z_]+)"', source))
    docs = _field_docs(source)
    lines = ["# Settings", "", "Environment variables. Options of `stateroom up` win over them.", ""]
    lines += ["| variable | default | meaning |", "|---|---|---|"]
    for name in names:
        field = name.removeprefix("STATEROOM_").lower()
        lines.append(f"| `{name}` | {_default(field)} | {docs.get(field, '')} |")
    return "\n".join(lines)


def _field_docs(source: str) -> dict[str, str]:
    """Field -> the string below it."""
    found = re.findall(r'^    (\w+): [^\n]+\n    """(.*?)"""', source, re.MULTILINE | re.DOTALL)
    return {name: " ".join(text.split()) for name, text in found}


def _default(field: str) -> str:
    if field == "store":
        return "a file in the platform's data folder"
    default = getattr(Settings(), field, "")
    return f"`{default}`" if default else "–"


def main() -> None:
    for name, content in pages().items():
        (FOLDER / name).write_text(NOTICE + content + "\n", encoding="utf-8")
        print(f"docs/{name}")


if __name__ == "__main__":
    main()
