"""Calls as models print them, and talk about calls, written for the tests: one JSON value a line, see each name."""

import json
from pathlib import Path
from typing import Any


def _lines(name: str) -> list[Any]:
    text = (Path(__file__).parent / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


FORMS: list[tuple[str, str, list[tuple[str, dict[str, Any]]], str]] = [
    (one["form"], one["text"], [(tool, arguments) for tool, arguments in one["calls"]], one["left"])
    for one in _lines("forms")
]
"""How the form is called, the text, what it calls, and what is left to be said."""
TALK: list[str] = _lines("talk")
"""Messages of a room whose members build on tools."""
SHOWN: list[str] = _lines("shown")
"""Messages with whole calls in them that nobody makes."""
BEFORE: list[str] = _lines("before")
"""Lines after which a call is shown."""
AFTER: list[str] = _lines("after")
"""Lines before which a call was shown."""
