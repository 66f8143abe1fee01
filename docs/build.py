"""Writes the reference pages from the code. `make docs`; a test keeps them fresh."""

import dataclasses
import inspect
import re
import sys
from pathlib import Path
from typing import Any

from stateroom.core import refusals
from stateroom.core.refusals import Refusal
from stateroom.faces.mcp.profiles import BUDGETS, DEFAULT, PROFILES
from stateroom.faces.mcp.room_protocol.catalogue import TOOLS
from stateroom.faces.rest.api import ENDPOINTS, PREFIX
from stateroom.log import codec
from stateroom.settings import Settings
from stateroom.wire.room_protocol import NAMES

FOLDER = Path(__file__).parent
NOTICE = "<!-- Written by `make docs` from the code. Do not edit. -->\n\n"


def pages() -> dict[str, str]:
    """File name -> content."""
    return {
        "tools.md": tools(),
        "events.md": events(),
        "refusals.md": refusal_page(),
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
        shown = ", ".join(f"`{tool}`" for tool in listed) if len(listed) < len(TOOLS) else f"all {len(TOOLS)}"
        lines.append(f"| `{name}`{' (default)' if name == DEFAULT else ''} | {shown} | {BUDGETS[name]:,} |")
    for tool in TOOLS:
        described = tool.listing()
        schema = described["inputSchema"]
        lines += ["", f"## `{tool.name}`", "", tool.description, ""]
        lines += [f"- `{name}` {_kind(part)}{_need(name, schema)}" for name, part in schema["properties"].items()]
        lines += ["", f"*{_traits(described['annotations'])}*"]
    return "\n".join(lines)


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
    """Facts as they are stored, and the names under which the Room Protocol's clients see them."""
    lines = [
        "# Events",
        "",
        "What a log holds. Facts that the room is *told* of appear as events under these names:",
        "",
    ]
    lines += ["| fact | facts | seen by Room Protocol clients as |", "|---|---|---|"]
    for name, kind in codec.KINDS.items():
        facts = ", ".join(f"`{field.name}`" for field in dataclasses.fields(kind))
        lines.append(f"| `{name}` | {facts} | {_told_as(kind)} |")
    return "\n".join(lines)


def _told_as(kind: type) -> str:
    """Read from the naming table's own function."""
    name = next((names for noun, names in NAMES.items() if issubclass(kind, noun)), None)
    if name is None:
        return "not told"
    literal = re.search(r'return f?"([^"]+)"', inspect.getsource(name))
    return f"`{literal[1]}`" if literal else "its own type"


def refusal_page() -> str:
    lines = ["# Refusals", "", "Everything the rules say no to. `code` is stable; the status is a hint for HTTP.", ""]
    lines += ["| code | status | sentence | what to do |", "|---|---|---|---|"]
    kinds = [kind for _, kind in inspect.getmembers(refusals, inspect.isclass) if issubclass(kind, Refusal)]
    for kind in sorted((kind for kind in kinds if kind is not Refusal), key=lambda kind: kind.code):
        lines.append(f"| `{kind.code}` | {kind.status} | {inspect.getdoc(kind)} | {kind.hint} |")
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
        'A command\'s body is `{"by": name, "request_id": id, "wish": {…}}`; with a request id, repeating it has its',
        "effect once and answers `replayed: true`.",
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
