"""Tool results: both halves complete, each by itself (mcp-and-clients §3).

The text half is the value itself as compact JSON, un-enveloped, as clients of the Room Protocol expect; the
structured half is the same value, wrapped as `{"result": …}` when it is no object. Encoded once, spliced as bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from stateroom.core.refusals import Refusal
from stateroom.faces.mcp.arguments import BadArguments
from stateroom.log.seam import Unavailable

ERROR_BYTES = 4_000
ISSUES = 20
RETRY = "Repeat the call, with the same requestId if you gave one: then it has its effect once."

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Cut:
    """A value that was shortened to fit, and a note that says what is missing and which call has it."""

    value: Any
    note: str


@dataclass(frozen=True, slots=True)
class Content:
    """Blocks that are no data: pictures, sounds, embedded resources. They are all there is; nothing is structured."""

    blocks: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A value, and blocks that are no data beside it: the picture of which the value tells."""

    value: Any
    blocks: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Failed:
    """A "no" in a form of the tool's own: an object that clients know, marked as an error."""

    value: dict[str, Any]


def success(value: Any) -> bytes:
    """The members of a tool's result, without the braces around it; a failure where the tool answers with one."""
    if isinstance(value, Content):
        return b'"content":' + _encode(value.blocks) + b',"isError":false'
    if isinstance(value, Failed):
        return _both(_encode(value.value), "", b"", b"true")
    if isinstance(value, Shown):
        more = b"".join(b"," + _encode(block) for block in value.blocks)
        return _both(_encode(value.value), "", more, b"false")
    note = ""
    if isinstance(value, Cut):
        value, note = value.value, value.note
    return _both(_encode(value), note, b"", b"false")


def _both(body: bytes, note: str, more: bytes, is_error: bytes) -> bytes:
    """Both halves of a value in JSON; `more` are further blocks, each after a comma."""
    content = b'{"type":"text","text":' + _encode(body.decode()) + b"}"
    structured = body if body.startswith(b"{") else b'{"result":' + body + b"}"
    if note:
        content += b',{"type":"text","text":' + _encode(note) + b"}"
        structured = _noted(structured, note)
    return b'"content":[' + content + more + b'],"structuredContent":' + structured + b',"isError":' + is_error


def _noted(structured: bytes, note: str) -> bytes:
    comma = b"" if structured == b"{}" else b","
    return structured[:-1] + comma + b'"truncated":true,"note":' + _encode(note) + b"}"


def refused(refusal: Refusal, texts: Mapping[str, str]) -> bytes:
    """A rule said no: the literal text where clients match on one, and what to do next."""
    wording = texts.get(refusal.code)
    sentence = wording.format_map(refusal.facts) if wording else str(refusal)
    return _failure(sentence, refusal.code, refusal.next_step())


def unavailable(failure: Unavailable) -> bytes:
    """The store did not answer (W-52): nobody's arguments or keys are to blame."""
    return _failure(str(failure), "store_unavailable", RETRY)


def bad_arguments(problem: BadArguments) -> bytes:
    """Arguments that do not fit, in the wording clients know (protocol §3.3): without the prefix `Error: `."""
    text = _short(str(problem))
    return _failed(text, [], {"code": "bad_arguments", "message": text, "issues": problem.issues[:ISSUES]})


def unknown_tool(name: str) -> bytes:
    return _failed(
        f"MCP error -32602: Tool {name[:100]} not found", [], {"code": "unknown_tool", "message": name[:100]}
    )


def _failure(sentence: str, code: str, hint: str) -> bytes:
    more = [f"Next: {hint}"] if hint else []
    return _failed(f"Error: {sentence}", more, {"code": code, "message": _short(sentence), "hint": _short(hint)})


def _short(text: str) -> str:
    """What a refusal repeats of what it was given, it does not repeat at length."""
    return text.encode()[:ERROR_BYTES].decode(errors="ignore")


def _failed(text: str, more: list[str], error: dict[str, Any]) -> bytes:
    content = [{"type": "text", "text": _short(part)} for part in (text, *more)]
    return b'"content":' + _encode(content) + b',"structuredContent":' + _encode({"error": error}) + b',"isError":true'
