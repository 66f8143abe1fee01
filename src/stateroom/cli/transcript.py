"""Messages of the transcript as lines for people: who said what when, and nothing in it that steers the terminal."""

import unicodedata
from collections.abc import Iterator
from typing import Any

from rich.text import Text

from stateroom.cli.output import out
from stateroom.wire.times import iso

Message = dict[str, Any]
STEERS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of characters that move the cursor, turn the direction of reading, or show as nothing."""
JOINERS = "\u200c\u200d"
"""Harmless, and words and pictures are written with them."""
TAB = 4


def legible(text: str) -> str:
    """Other people's text on one line: what would steer the terminal, or hide, is shown as an escape instead."""
    return "".join(one if _harmless(one) else one.encode("unicode_escape").decode() for one in text)


def _harmless(one: str) -> bool:
    return one in JOINERS or unicodedata.category(one) not in STEERS


def paragraphs(text: str) -> list[str]:
    """The lines of a text that has some, each of them legible."""
    return [legible(line.expandtabs(TAB)) for line in text.replace("\r\n", "\n").split("\n")]


def show(message: Message) -> None:
    """Print a message. Whatever line breaks its text has, every line but the first is indented, so that no text can
    pass for another message."""
    head = Text(f"{message['line']:>4}  {iso(message['time'])[11:19]}  ", style="dim")
    first, *rest = _wrapped(_content(message), len(head))
    out.print(head + first)
    for line in rest:
        out.print(Text(" " * len(head)) + line)


def _content(message: Message) -> Iterator[Text]:
    """What there is to read, paragraph by paragraph."""
    if message["type"] != "msg":
        yield from (Text(one, style="dim") for one in paragraphs(message["text"]))
        return
    first, *rest = paragraphs(message["text"])
    yield Text.assemble((legible(message["name"]), "bold"), (_label(message), "dim"), ": ", first)
    yield from map(Text, rest)
    if answered := message.get("replyTo"):
        yield Text(legible(f"(in reply to {answered['name']}: {answered['text']})"), style="dim")
    for one in message.get("attachments", ()):
        yield Text(legible(f"[{one['name']}, {one['mime']}, {one['size']} bytes: {one['url']}]"), style="dim")


def _label(message: Message) -> str:
    """`(skeptic, person, status)`: what is to be known about the speaker and the message."""
    person = "person" if message["client"] == "web" else ""
    status = "status" if message["metadata"].get("roleAtSend") == "status" else ""
    known = ", ".join(filter(None, (legible(message["role"]), person, status)))
    return f" ({known})" if known else ""


def _wrapped(content: Iterator[Text], indent: int) -> Iterator[Text]:
    """As wide as the terminal, if it is one: what is read by programs stays whole."""
    for one in content:
        if out.is_terminal and len(one):
            yield from one.wrap(out, max(out.width - indent, 20))
        else:
            yield one
