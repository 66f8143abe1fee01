"""From a text to the calls in it, and to what is left to be said."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stateroom.core.leaks.calls import Call, Tools
from stateroom.core.leaks.forms import Forms, Printed
from stateroom.core.leaks.showing import made_after, made_before
from stateroom.core.leaks.values import NotACall

MOST_CALLS = 20
MOST_CHARS = 32_000
"""A longer text is not looked at; no room takes it (agent-room §9.3)."""

_WRAPPER = re.compile(
    r"</?(?:(?![/<>])[^<>\n]){0,40}?(?:function_calls?|tool_calls?|tool_use|toolcall)(?:[^<>\n\w]{0,20}|_[a-z]{1,20}[|｜]?)>"
    r"|<[|｜][^<>\n]{1,60}[|｜]>|\[/?TOOL_CALLS\]",
    re.IGNORECASE,
)
"""What stands around calls, and is nothing by itself."""
_BEGINNING = re.compile(
    rf"<[^<>\n]{{0,60}}?invoke\s|<function\s*=|<use_mcp_tool>|\bfunctools\[|{_WRAPPER.pattern}"
    r"|(?:<\|start\|>)?(?:assistant)?(?:<\|channel\|>)?(?:commentary|analysis)?\s{0,3}\bto=\w",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:\s++|[,;](?=\s))*+")
_SHOWN_LINE = re.compile(r"(?: {4}| {0,3}\t|[ \t]*(?:[-*+][ \t]+)?>)")
"""A line of code by its indent, or of a quotation."""
_LIST = re.compile(r"[ \t]{0,3}(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?")
_FENCE = re.compile(r"[ \t]{0,3}(?P<fence>`{3,}+|~{3,}+)[ \t]*(?P<label>[^\n`]{0,40}?)[ \t\r]*(?:\n|\Z)")
_LABELS = ("tool_code", "tool_call", "tool_calls", "tool_use", "tool", "function_call", "functions", "action")
"""What a fence that is itself a call is called."""
_CODE = (
    *("", "json", "json5", "jsonc", "xml", "html", "text", "txt"),
    *("python", "py", "js", "javascript", "ts", "typescript"),
)
"""What a fence around one may be called."""
_REST = re.compile(r"[ \t;]*+(?=\r?\n|\Z)")


@dataclass(frozen=True, slots=True)
class Leaks:
    calls: tuple[Call, ...]
    """In the order of the text."""
    text: str
    """What is left without them; the very same text if there were none."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Calls that follow each other with nothing between them but what belongs to them."""

    start: int
    end: int
    calls: tuple[Call, ...]
    marked: bool
    cut: bool = False
    """Whether more calls follow than a text may hold; they stay text."""


def find(text: str, tools: Tools) -> Leaks:
    """The calls in a text. Never raises; what it costs grows with the text's length."""
    return _Search(text, tools).leaks() if len(text) <= MOST_CHARS else Leaks((), text)


class _Search:
    __slots__ = ("calls", "forms", "text", "tools")

    def __init__(self, text: str, tools: Tools) -> None:
        self.text, self.tools, self.forms = text, tools, Forms(text, tools)
        self.calls: list[Call] = []

    def leaks(self) -> Leaks:
        blocks = list(self._blocks())
        if not blocks:
            return Leaks((), self.text)
        return Leaks(tuple(self.calls), _without(self.text, blocks))

    def _blocks(self) -> Iterator[_Block]:
        at = 0
        while at < len(self.text) and len(self.calls) < MOST_CALLS and self.forms.reader.left > 0:
            block, at = self._look(at)
            if block is not None and self._made(block):
                self.calls += block.calls
                yield block

    def _made(self, block: _Block) -> bool:
        before, after = self.text[max(0, block.start - 800) : block.start], self.text[block.end : block.end + 800]
        return made_after(before, marked=block.marked) and (block.cut or made_before(after))

    def _look(self, at: int) -> tuple[_Block | None, int]:
        """The calls that come first on this line, if any do, and where to go on."""
        end = self.text.find("\n", at) + 1 or len(self.text)
        if at and self.text[at - 1] != "\n":
            return self._within(at, end)
        if (fence := _FENCE.match(self.text, at)) is not None:
            return self._fenced(fence)
        if _SHOWN_LINE.match(self.text, at) or self.text[at:end].isspace():
            return None, end
        first = _LIST.match(self.text, at).end()  # type: ignore[union-attr]  # it matches nothing at all, too
        block, reached = self._block(first, plain=True, start=at)
        if block is not None:
            return block, block.end
        if reached >= end:  # there was nothing on this line but wrappers
            return None, max(end, self.text.rfind("\n", 0, reached) + 1)
        return self._within(at, end)

    def _within(self, at: int, end: int) -> tuple[_Block | None, int]:
        """Marked calls in the middle of a line, outside of code spans."""
        looked, ticks = self.text.rfind("\n", 0, at) + 1, 0
        while (match := _BEGINNING.search(self.text, at, end)) is not None:
            ticks += self.text.count("`", looked, match.start())
            looked, at = match.start(), match.end()
            if ticks % 2 == 0:
                block, reached = self._block(looked, plain=False, start=looked)
                if block is not None:
                    return block, block.end
                at = max(reached, at)
        return None, end

    def _fenced(self, fence: re.Match[str]) -> tuple[_Block | None, int]:
        """A fence that holds nothing but calls; whatever else is in a fence is shown."""
        close = re.compile(rf"^[ \t]{{0,3}}{fence['fence']}[`~]*[ \t\r]*$", re.MULTILINE).search(self.text, fence.end())
        stop, end = (close.start(), close.end()) if close else (len(self.text), len(self.text))
        label = fence["label"].lower()
        block = self._block(fence.end(), plain=True, start=fence.start())[0] if label in _LABELS + _CODE else None
        if block is None or self.text[block.end : stop].strip(" \t\r\n;"):
            return None, min(end + 1, len(self.text))
        return _Block(fence.start(), end, block.calls, label in _LABELS), end

    def _block(self, at: int, *, plain: bool, start: int) -> tuple[_Block | None, int]:
        """As many calls as follow each other from there on, and how far it was looked."""
        calls: list[Call] = []
        end, marked, cut = at, True, False
        while (printed := self._printed(self._skip(end), plain=plain)) is not None:
            if cut := len(self.calls) + len(calls) + len(printed.calls) > MOST_CALLS:
                break
            calls += printed.calls
            end, marked = printed.end, marked and printed.marked
        if not calls:
            return None, self._skip(at)
        return _Block(start, self._closed(end), tuple(calls), marked, cut), end

    def _printed(self, at: int, *, plain: bool) -> Printed | None:
        """The call that begins there; a plain one has its lines for itself."""
        try:
            return self.forms.marked(at)
        except NotACall:
            pass
        begins = self.text.rfind("\n", 0, at) + 1
        if not plain or _LIST.match(self.text, begins).end() != at:  # type: ignore[union-attr]
            return None
        try:
            printed = self.forms.plain(at)
        except NotACall:
            return None
        rest = _REST.match(self.text, printed.end)
        return Printed(printed.calls, rest.end(), marked=False) if rest else None

    def _skip(self, at: int) -> int:
        """Past white space and wrappers, and past the mark of a list where a line begins."""
        while True:
            self.forms.reader.left -= 1
            past = _BETWEEN.match(self.text, at).end()  # type: ignore[union-attr]
            self.forms.reader.left -= past - at
            if past and self.text[past - 1 : past] == "\n" and (item := _LIST.match(self.text, past)) is not None:
                past = item.end()
            wrapper = _WRAPPER.match(self.text, past)
            if wrapper is None or self._begins(past):
                return past
            at = wrapper.end()

    def _begins(self, at: int) -> bool:
        """Whether what looks like a wrapper is the beginning of a call."""
        try:
            self.forms.marked(at)
        except NotACall:
            return False
        return True

    def _closed(self, at: int) -> int:
        """Past the wrappers that follow."""
        while (wrapper := _WRAPPER.match(self.text, _BETWEEN.match(self.text, at).end())) is not None:  # type: ignore[union-attr]
            at = wrapper.end()
        return at


def _without(text: str, blocks: list[_Block]) -> str:
    """The text without the calls: what was said before and behind them meets as it would have without them."""
    parts, at = [], 0
    for block in blocks:
        parts.append(text[at : block.start])
        at = block.end
    left = ""
    for part in (*parts, text[at:]):
        left = _joined(left, part)
    return left.strip()


def _joined(before: str, after: str) -> str:
    head, tail = before.rstrip(), after.lstrip()
    if not head or not tail:
        return head + (_tail(after) if not head else "")
    breaks = before.count("\n", len(head)) + after.count("\n", 0, len(after) - len(tail))
    return head + (min(breaks, 2) * "\n" or " ") + (_tail(after) if breaks else tail)


def _tail(after: str) -> str:
    """Without the blank lines it begins with; its first line keeps its indent."""
    return re.sub(r"\A(?:[ \t\r]*\n)+", "", after)
