"""HTML and SVG: the words that somebody who looks at the page or the picture would read."""

from html.parser import HTMLParser
from xml.parsers import expat

from stateroom.engine.extraction.reading import Extracted, Reading

UNSEEN = ("script", "style", "template")
INLINE = ("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark")
MORE_INLINE = ("q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr", "label")
SPOKEN = ("text", "title", "desc")


class _Enough(Exception):
    """There is as much text as we keep."""


class _Words(HTMLParser):
    """Lines of visible text; every element that is no part of a sentence begins a new one."""

    def __init__(self) -> None:
        super().__init__()
        self.reading, self._unseen = Reading(), 0
        self._line: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in UNSEEN
        self._turn(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in UNSEEN and self._unseen:
            self._unseen -= 1
        self._turn(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self._line.append(data)

    def _turn(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._line.append(" ")
        elif tag not in INLINE and tag not in MORE_INLINE:
            self.end_line()

    def end_line(self) -> None:
        line, self._line = " ".join("".join(self._line).split()), []
        if line and not self.reading.add(line):
            raise _Enough


def read_html(data: bytes) -> Extracted:
    """Visible text, one line for each block; scripts, styles and templates are left out."""
    words = _Words()
    try:
        words.feed(data.decode("utf-8-sig", "replace"))
        words.close()
        words.end_line()
    except _Enough:
        pass
    return words.reading.done()


class _Labels:
    """The text inside `text`, `title` and `desc` elements, a line for each of the outermost."""

    def __init__(self) -> None:
        self.reading, self._depth = Reading(), 0
        self._line: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += bool(self._depth) or name.rpartition(":")[2] in SPOKEN

    def data(self, text: str) -> None:
        if self._depth:
            self._line.append(text)

    def end(self, name: str) -> None:
        if not self._depth:
            return
        self._depth -= 1
        line = " ".join("".join(self._line).split())
        if not self._depth:
            self._line = []
            if line and not self.reading.add(line):
                raise _Enough


def read_svg(data: bytes) -> Extracted:
    """What a picture says. Its prolog has been checked: it declares no entities."""
    labels = _Labels()
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = labels.start, labels.end
    parser.CharacterDataHandler = labels.data
    try:
        parser.Parse(data, True)
    except _Enough:
        pass
    except expat.ExpatError:
        labels.reading.note("damaged: read up to the first fault")
    return labels.reading.done()
