"""Peers' words inside our Markdown: shown as they were written, never obeyed.

Whatever stands in a text, it can not end the line, list, quote or fence that it is put into, nor become a heading, a
table, HTML, an image, or a link that hides where it leads. What has lines of its own is put into a quote, or, where
its layout matters, into a fence that is longer than any inside.

A document is a list of its lines; a fence is one of them, whatever it holds.
"""

import json
import re
from collections.abc import Iterable

from stateroom.core.views.artifacts import Artifact
from stateroom.wire.links import Links
from stateroom.wire.times import iso

NOTHING = "_None._"
_HIDDEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
"""Controls, and what turns the direction in which text reads."""
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_SPECIAL = re.compile(r"[\\`*\[\]|~$]|_(?:(?<![^\W_]_)|(?![^\W_]))|#(?<!\S#)")
"""Each alternative begins with a character, so that prose is passed over quickly."""
_FIRST = re.compile(r"^(?P<number>\d{0,9})(?P<sign>[-+=.)])")
"""What would begin a list or underline a heading, at the start of a line."""
_BACKTICKS = re.compile(r"`+")
_LAYOUT = re.compile(r"^(?:[ \t]|\s*```|\s*~~~|\|)", re.MULTILINE)
"""What makes a text more than prose: indentation, fences, tables."""


def visible(text: str) -> str:
    """The text with what would be hidden in it made visible."""
    return _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def inline(text: str) -> str:
    """A text as one line of plain words, wherever in a line of ours it comes to stand."""
    plain = _SPECIAL.sub(r"\\\g<0>", visible(" ".join(text.split())).translate(_ENTITIES))
    return _FIRST.sub(r"\g<number>\\\g<sign>", plain)


def quoted(text: str) -> list[str]:
    """A text as a quote: prose line by line, anything with a layout of its own as it stands."""
    if _LAYOUT.search(text):
        return [f"> {line}" if line else ">" for line in fenced(text).split("\n")]
    lines = [inline(line) for line in text.splitlines()] or [""]
    broken = [f"{line}\\" if line and after else line for line, after in zip(lines, [*lines[1:], ""], strict=True)]
    return [f"> {line}" if line else ">" for line in broken]


def fenced(text: str) -> str:
    """A text as a block of code, between fences that nothing in it can close."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *(visible(line) for line in text.splitlines()), fence])


def joined(lines: Iterable[str]) -> str:
    """The document: of blank lines in a row one, and a line break at its end."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).rstrip("\n") + "\n"


def yaml(text: str) -> str:
    """A text as a YAML string on one line, between double quotes."""
    return json.dumps(visible(" ".join(text.split())), ensure_ascii=False)


def bullets(lines: Iterable[str]) -> list[str]:
    """Finished lines as a list; it says so when there are none."""
    return [f"- {line}" for line in lines] or [NOTHING]


def section(title: str, lines: Iterable[str], level: int = 2) -> list[str]:
    """A heading of ours and what is below it, each with a blank line before."""
    return ["", f"{'#' * level} {title}", "", *lines]


def line_link(line: int, position: int, code: str, links: Links) -> str:
    return f"[line {line}]({links.line(code, position)})"


def marked(one: Artifact, code: str, links: Links) -> str:
    """An artifact with who made it, and where."""
    return f"{inline(one.text)} ({inline(one.author)}, {line_link(one.line, one.source, code, links)})"


def moment(at: int) -> str:
    """`2026-12-01 00:42:48 UTC`."""
    return f"{iso(at)[:19].replace('T', ' ')} UTC"


def day(at: int) -> str:
    """`2026-12-01`, in UTC."""
    return iso(at)[:10]
