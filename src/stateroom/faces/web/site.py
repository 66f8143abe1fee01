"""How pages leave: templates that escape everything, headers that let a page do nothing, files with long lives."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import Response

HERE = Path(__file__).parent
PAGES = ("room", "join", "report", "problem")
TYPES = {".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SEALED = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # the address holds the room's code
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex, nofollow",
    "vary": "accept, authorization",
}
FOR_EVER = "public, max-age=31536000, immutable"
HIDDEN = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
"""Controls, and characters that change in which direction a text is read."""


def visible(value: Any) -> Any:
    """A text with what can not be seen in it made plain; applied to everything a template puts out.

    What is markup already was made by a template, which has done so to its parts.
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return HIDDEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", value)


class Site:
    """Templates and files, read once."""

    def __init__(self, prefix: str) -> None:
        """`prefix` is the path below which clients reach the server; empty for the root."""
        environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=visible,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates = {name: environment.get_template(f"{name}.html.j2") for name in PAGES}
        self._files = {path.name: path.read_bytes() for path in (HERE / "static").iterdir() if path.suffix in TYPES}
        self._prefix = prefix

    def href(self, name: str) -> str:
        """The address of a file; it changes with what is in it."""
        return f"{self._prefix}/static/{name}?v={_version(self._files[name])}"

    def page(self, name: str, page: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
        text = self._templates[name].render(page=page)
        sealed = {**SEALED, **(headers or {})}
        return Response(text.encode("utf-8", "replace"), status, sealed, "text/html; charset=utf-8")

    def json(self, value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
        return Response(msgspec.json.encode(value), status, {**SEALED, **(headers or {})}, "application/json")

    def markdown(self, text: str, file_name: str) -> Response:
        """A file to keep."""
        headers = {**SEALED, "content-disposition": _kept_as(file_name)}
        return Response(text.encode("utf-8", "replace"), 200, headers, "text/markdown; charset=utf-8")

    def file(self, name: str, version: str) -> Response | None:
        """A style sheet or picture; None if there is none of that name."""
        data = self._files.get(name)
        if data is None:
            return None
        kept = FOR_EVER if version == _version(data) else "no-cache"
        headers = {**SEALED, "cache-control": kept, "content-type": TYPES[Path(name).suffix]}
        return Response(data, 200, headers)


def _kept_as(name: str) -> str:
    """RFC 6266, with the name in UTF-8 for whoever reads RFC 8187."""
    plain = re.sub(r'[^\x20-\x7e]|["\\%]', "_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
