"""Whether a file is what it is declared to be, and whether it is meant to do harm. Looks at bytes, runs nothing."""

from collections.abc import Callable

import msgspec

from stateroom.core.attachments import DOCX, XLS, XLSX
from stateroom.core.refusals import AttachmentDangerous, AttachmentTypeMismatch
from stateroom.engine.extraction import archives
from stateroom.engine.extraction.prologs import Prolog, read_prolog

BOM = b"\xef\xbb\xbf"
PDF_WITHIN = 1024
"""Readers of PDF look for its mark in the first kilobyte, and so do we."""
SVG_WITHIN = 256 * 1024
"""Where the root of an SVG has to come: what is before it is parsed in one go, and that takes its time."""
SPELLED = (b"%PDF-", b"GIF87a", b"GIF89a")
"""Marks of other types that could be the beginning of a text."""
Look = Callable[[bytes], str]
"""What is wrong with some bytes, as the second half of a sentence; empty if nothing is."""


def check_content(name: str, mime: str, data: bytes) -> None:
    """Raises AttachmentTypeMismatch, AttachmentDangerous. `mime` is one of `core.attachments.SUFFIXES`."""
    if found := LOOKS[mime](data):
        raise AttachmentTypeMismatch(name=name, mime=mime, found=found)
    if reason := DANGERS.get(mime, _harmless)(data):
        raise AttachmentDangerous(name=name, reason=reason)


def _harmless(data: bytes) -> str:
    return ""


def _begins(what: str, *marks: bytes) -> Look:
    return lambda data: "" if data.startswith(marks) else f"it does not begin like {what}"


def _webp(data: bytes) -> str:
    return "" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else "it does not begin like a WebP image"


def _prolog(data: bytes) -> Prolog:
    return read_prolog([data[:SVG_WITHIN]], SVG_WITHIN)


def _svg(data: bytes) -> str:
    prolog = _prolog(data)
    return "" if prolog.root == "svg" or prolog.entities else "it is no XML with an svg element at its root"


def _pdf(data: bytes) -> str:
    return "" if b"%PDF-" in data[:PDF_WITHIN] else "it does not begin like a PDF"


def _text(data: bytes) -> str:
    if data.startswith(SPELLED):
        return "it begins like a PDF or a GIF image"
    if b"\0" in data:
        return "it holds NUL bytes, which no text does"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "it is not text in UTF-8"
    return ""


def _json(data: bytes) -> str:
    if wrong := _text(data):
        return wrong
    try:
        msgspec.json.decode(data.removeprefix(BOM), type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return "it can not be read as JSON"
    return ""


def _zip(data: bytes) -> str:
    return "" if archives.has_too_many(data) or archives.members(data) is not None else "it is no ZIP archive"


def _office(folder: str, what: str) -> Look:
    def look(data: bytes) -> str:
        if archives.is_encrypted_office(data) or archives.has_too_many(data):
            return ""
        names = [member.filename for member in archives.members(data) or []]
        fits = "[Content_Types].xml" in names and any(name.startswith(folder) for name in names)
        return "" if fits else f"it holds no {what}"

    return look


def _bomb(data: bytes) -> str:
    if archives.has_too_many(data):
        return f"it holds more than {archives.MAX_MEMBERS:,} files"
    if archives.is_bomb(data, archives.members(data) or []):
        return f"it would unpack to more than {archives.MAX_RATIO} times its size"
    return ""


def _document(data: bytes) -> str:
    if archives.is_encrypted_office(data):
        return ""
    return _bomb(data) or ("a part of it declares an XML document type" if archives.has_doctype(data) else "")


def _entities(data: bytes) -> str:
    return "it declares XML entities" if _prolog(data).entities else ""


_jpeg = _begins("a JPEG image", b"\xff\xd8\xff")
LOOKS: dict[str, Look] = {
    "image/png": _begins("a PNG image", b"\x89PNG\r\n\x1a\n"),
    "image/jpeg": _jpeg,
    "image/jpg": _jpeg,
    "image/webp": _webp,
    "image/gif": _begins("a GIF image", b"GIF87a", b"GIF89a"),
    "image/svg+xml": _svg,
    "application/pdf": _pdf,
    "text/plain": _text,
    "text/markdown": _text,
    "text/csv": _text,
    "text/html": _text,
    "application/json": _json,
    "application/zip": _zip,
    XLS: _begins("an Excel file", archives.COMPOUND_FILE),
    DOCX: _office("word/", "Word document"),
    XLSX: _office("xl/", "Excel workbook"),
}
DANGERS: dict[str, Look] = {
    "image/svg+xml": _entities,
    "application/zip": _bomb,
    DOCX: _document,
    XLSX: _document,
}
