"""Marks turn talk into work products: `[DECISION] [TODO] [STATUS] [RESULT]` and what follows them on their line.

A mark that is quoted or shown as code is talked about, not made (AR §7.1, gap 82). What is code or quotation is
decided line by line, so adding lines to a text never takes a mark from the lines before.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, cast

MAX_MARKS = 50
"""A message holds at most so many; what follows them is plain talk."""
MARK_CHARS = 1_000

MarkKind = Literal["decision", "todo", "status", "result"]


@dataclass(frozen=True, slots=True)
class Mark:
    kind: MarkKind
    text: str
    """What was decided, is to be done, stands or came out: one line, trimmed, 1 to 1,000 characters."""


def find(text: str) -> tuple[Mark, ...]:
    """The marks a text makes, in its order; at most 50.

    A mark's text reaches to the next mark of its line or to the line's end. A mark alone on its line takes the next
    line that is not blank, unless that is code, quoted, or makes a mark itself. A mark without text is none.
    Emphasis around a mark and a colon after it belong to the mark: `**[TODO]:** x` says the same as `[TODO] x`.
    """
    return tuple(islice(_marks(text), MAX_MARKS)) if "[" in text else ()


def has(marks: Iterable[Mark], kind: MarkKind) -> bool:
    """Whether a mark of this kind is among them."""
    return any(mark.kind == kind for mark in marks)


def prose(text: str) -> str:
    """The text without its code and quotations: blank lines and hidden lines left out, code spans overwritten."""
    return "\n".join(line.shown for line in _lines(text) if line.shown)


_MARK = re.compile(
    r"(?P<emphasis>\*{1,3}|_{1,3}|)\[(?P<kind>DECISION|TODO|STATUS|RESULT)\][:：]?(?P<closed>(?P=emphasis)[:：]?)?",
    re.IGNORECASE | re.ASCII,
)
_WORDLESS = re.compile(r"[\W\d_]*")


def _marks(text: str) -> Iterator[Mark]:
    waiting: MarkKind | None = None
    for line in _lines(text):
        found = list(_MARK.finditer(line.shown))
        if waiting and line.shown and not found:
            yield Mark(waiting, _cut(line.text))
        waiting = None
        for at, mark in enumerate(found):
            end = found[at + 1].start() if at + 1 < len(found) else len(line.text)
            if said := _said(line.text, mark, end):
                yield Mark(_kind(mark), said)
        if found and _alone(line.text, found[0]):
            waiting = _kind(found[0])


def _said(line: str, mark: re.Match[str], end: int) -> str:
    """What follows a mark. Emphasis that opened before the mark and closes behind the text is no part of it."""
    said = line[mark.end() : end].strip()
    return _cut(said if mark["closed"] is not None else said.removesuffix(mark["emphasis"]))


def _cut(said: str) -> str:
    return said.strip()[:MARK_CHARS].rstrip()


def _alone(line: str, mark: re.Match[str]) -> bool:
    """Whether the line holds nothing but the mark: before it may stand what makes a list or a heading."""
    head = _WORDLESS.match(line)
    return not line[mark.end() :].strip() and head is not None and head.end() >= mark.start()


def _kind(mark: re.Match[str]) -> MarkKind:
    return cast(MarkKind, mark["kind"].lower())


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    shown: str
    """The same with code spans overwritten, place for place; empty if the whole line is code or quotation."""


_BREAK = re.compile(r"\r\n|[\n\r\u2028\u2029]")
_QUOTE = re.compile(r" {0,3}>")
# Chat is indented at will and lists hold code, so a fence may stand anywhere before the line's first word.
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}(?![^`]*`)|~{3,})")
_BACKTICKS = re.compile(r"`+")


def _lines(text: str) -> Iterator[_Line]:
    """The lines that are not blank. A fence that nobody closes reaches to the end."""
    fence = ""
    for line in filter(str.strip, _BREAK.split(text)):
        opening = None if fence else _FENCE.match(line)
        hidden = fence or opening or _QUOTE.match(line)
        yield _Line(line, "" if hidden else _without_spans(line))
        if opening:
            fence = opening["fence"]
        elif fence and _closes(line.strip(), fence):
            fence = ""


def _closes(line: str, fence: str) -> bool:
    """Whether a line is a fence of the same kind and at least the same length, and nothing else."""
    return line.startswith(fence) and not line.strip(fence[0])


def _without_spans(line: str) -> str:
    """The line with each code span overwritten by backticks."""
    if line.count("`") < 2:
        return line
    shown, done = [], 0
    for start, end in _spans(line):
        shown += [line[done:start], "`" * (end - start)]
        done = end
    return "".join([*shown, line[done:]])


def _spans(line: str) -> Iterator[tuple[int, int]]:
    """Where code spans are: from a run of backticks to the next run of the same length. One pass either way."""
    runs = [run.span() for run in _BACKTICKS.finditer(line)]
    closing: list[int | None] = [None] * len(runs)
    latest: dict[int, int] = {}
    for at in reversed(range(len(runs))):
        length = runs[at][1] - runs[at][0]
        closing[at], latest[length] = latest.get(length), at
    at = 0
    while at < len(runs):
        closed = closing[at]
        if closed is not None:
            yield runs[at][0], runs[closed][1]
        at = (at if closed is None else closed) + 1
