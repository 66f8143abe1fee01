"""Values as programs write them: JSON, and what Python and JavaScript write instead.

One pass, no evaluation: strings know their escapes, so brackets and quotes in code are only letters. How much has been
looked at is counted and bounded, so that a text that is all beginnings costs no more than its length allows.
"""

import re
from typing import Any, NoReturn

MOST_DEPTH = 32
LOOKS = 12
"""So many times the text's length is looked at, all in all."""

_SPACE = re.compile(r"\s*+")
_TEXTS = tuple(
    (mark, re.compile(rf"{mark}((?:[^\\{mark[0]}]++|\\.{more})*+){mark}", re.DOTALL))
    for mark, more in (('"""', '|"(?!"")'), ("'''", "|'(?!'')"), ('"', ""), ("'", ""), ("`", ""))
)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17}+)(?P<real>(?:\.\d{1,30}+)?+(?:[eE][+-]?\d{1,3}+)?+)(?![\w.])")
_WORD = re.compile(r"[A-Za-z_$][\w$]{0,60}+")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_LITERAL = "\"'`\\/$"
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}


class NotACall(Exception):
    """What was looked at is something else. Nobody outside of this package meets it."""


class Reader:
    """Reads values out of one text. Every method takes a place and says where what it has read ends."""

    __slots__ = ("left", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.left = LOOKS * len(text) + 1_000
        """How many characters may still be looked at."""

    def spend(self, chars: int) -> None:
        """Raises NotACall once the text has been looked at long enough."""
        self.left -= chars + 1
        if self.left < 0:
            raise NotACall

    def search(self, pattern: re.Pattern[str], at: int) -> re.Match[str]:
        """The first match after a place. Raises NotACall."""
        match = pattern.search(self.text, at)
        self.spend((match.end() if match else len(self.text)) - at)
        return match or _no()

    def space(self, at: int) -> int:
        """Where the white space ends that begins there."""
        end = _SPACE.match(self.text, at).end()  # type: ignore[union-attr]  # it matches nothing at all, too
        self.spend(end - at)
        return end

    def value(self, at: int, depth: int = 0) -> tuple[Any, int]:
        """The value that begins there. Raises NotACall."""
        first = self.text[at : at + 1]
        if depth > MOST_DEPTH or not first:
            raise NotACall
        if first == "{":
            return self._object(at, depth)
        if first == "[":
            return self._list(at, depth)
        if first in "\"'`":
            return self._string(at)
        return self._number(at) if first in "-0123456789" else self._word(at)

    def keywords(self, at: int) -> tuple[dict[str, Any], int]:
        """`key="…", other=1)`, from behind the bracket that opened; `key: …` is how people quote a call.

        Raises NotACall."""
        return self._pairs(at, "=", ")", 0)

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        return self._pairs(at + 1, ":", "}", depth)

    def _pairs(self, at: int, between: str, close: str, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self.space(at)
        while not self.text.startswith(close, at):
            key, at = self._key(at, between)
            at = self.space(at)
            if not self.text.startswith(between, at):
                raise NotACall
            found[key], at = self.value(self.space(at + 1), depth + 1)
            at = self._next(at, close)
        return found, at + 1

    def _key(self, at: int, between: str) -> tuple[str, int]:
        if self.text[at : at + 1] in ('"', "'") and between == ":":
            return self._string(at)
        word = _WORD.match(self.text, at) or _no()
        self.spend(word.end() - at)
        return word[0], word.end()

    def _list(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self.space(at + 1)
        while not self.text.startswith("]", at):
            one, at = self.value(at, depth + 1)
            found.append(one)
            at = self._next(at, "]")
        return found, at + 1

    def _next(self, at: int, close: str) -> int:
        """The next part of a list or object, or its end; a comma before the end is forgiven."""
        at = self.space(at)
        if self.text.startswith(",", at):
            return self.space(at + 1)
        if not self.text.startswith(close, at):
            raise NotACall
        return at

    def _string(self, at: int) -> tuple[str, int]:
        mark, pattern = next((mark, pattern) for mark, pattern in _TEXTS if self.text.startswith(mark, at))
        match = pattern.match(self.text, at)
        self.spend((match.end() if match else len(self.text)) - at)
        if match is None or (mark == "`" and "${" in match[1]):
            raise NotACall
        return unescaped(match[1]), match.end()

    def _number(self, at: int) -> tuple[int | float, int]:
        match = _NUMBER.match(self.text, at) or _no()
        self.spend(match.end() - at)
        return (float(match[0]) if match["real"] else int(match[0])), match.end()

    def _word(self, at: int) -> tuple[bool | None, int]:
        match = _WORD.match(self.text, at) or _no()
        self.spend(match.end() - at)
        if match[0] not in _WORDS:
            raise NotACall
        return _WORDS[match[0]], match.end()


def unescaped(text: str) -> str:
    """What the escapes of a string mean; an escape that none of the languages knows stays as it is."""
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_meant, text)
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _meant(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    if code:
        return chr(int(code, 16))
    return _MEANT.get(escape[3], escape[3] if escape[3] in _LITERAL else escape[0])


def _no() -> NoReturn:
    raise NotACall
