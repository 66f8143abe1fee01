"""Who a text calls: `@` and a name (AR §7.2). Code and quotations call nobody.

A name is called only as a whole, so `@Bobby` is not Bob's: a letter or digit after the name goes on with it, also
behind a hyphen. Scripts that put no spaces between words can not be bounded like that, so there a name just ends.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from unicodedata import normalize

from stateroom.core.marks import prose
from stateroom.core.members import fold

MAX_UNKNOWN = 10
MAX_CALLS = 1_000
"""Signs looked at in one text: a bound on the work, far above what anybody means."""
MARGIN_CHARS = 16
"""Looked at beyond the longest name, to see whether it ends there."""
PARTS_PER_CHARACTER = 3
"""A folded character may be written in so many: a Korean syllable as its letters."""


@dataclass(frozen=True, slots=True)
class Mentions:
    named: tuple[str, ...]
    """Known names that are called, as they are known, in the order in which they are first called."""
    unknown: tuple[str, ...]
    """What is called and nobody's name, as written, without the sign; at most 10."""


NOBODY = Mentions((), ())

# Not every `@` calls: an e-mail address, a URL and a scoped package go on before it.
_CALL = re.compile(r"""(?:^|(?<=[\s(\[【{<"'“‘*_>,;:\u2e80-\U0003ffff]))[@＠]""")
_TOKEN = re.compile(r"[^\W_](?:[\w\u0300-\u036f.-]{0,126}(?:[^\W_]|[\u0300-\u036f]))?(?: \(\d{1,3}\))?")
_LETTER = r"[^\W_\u2e80-\U0003ffff]"
_GOES_ON = re.compile(rf"_*{_LETTER}|-{_LETTER}|\.\d|[\u0300-\u036f]| \(\d{{1,3}}\)")
_NUMBERED = re.compile(r"(?P<base>.*\S) \(\d+\)")


def find(text: str, names: Iterable[str]) -> Mentions:
    """Who of `names` a text calls, and what it calls that is nobody.

    Names are compared as `members.fold` does, the longest first. `Claude (2)` answers to `@Claude` as well while
    nobody is named just that.
    """
    if "@" not in text and "＠" not in text:
        return NOBODY
    return _called(prose(text), _answering(names))


def _called(shown: str, answering: dict[str, list[str]]) -> Mentions:
    lengths = sorted({len(name) for name in answering}, reverse=True)
    reach = PARTS_PER_CHARACTER * max(lengths, default=0) + MARGIN_CHARS
    named: dict[str, None] = {}
    unknown: dict[str, str] = {}
    for call in islice(_CALL.finditer(shown), MAX_CALLS):
        said = normalize("NFKC", shown[call.end() : call.end() + reach]).casefold()
        called = next(_candidates(said, lengths, answering), None)
        if called is not None:
            named.update(dict.fromkeys(called))
        elif (token := _TOKEN.match(shown, call.end())) and fold(token[0]) not in answering:
            unknown.setdefault(fold(token[0]), token[0])
    return Mentions(tuple(named), tuple(islice(unknown.values(), MAX_UNKNOWN)))


def _candidates(said: str, lengths: list[int], answering: dict[str, list[str]]) -> Iterator[list[str]]:
    """Who answers to the beginning of what is said, the longest name first."""
    for length in lengths:
        if (called := answering.get(said[:length])) and not _GOES_ON.match(said, length):
            yield called


def _answering(names: Iterable[str]) -> dict[str, list[str]]:
    """Who answers to which folded name; a name somebody has goes before a numbered name's base."""
    exact: dict[str, list[str]] = {}
    for name in names:
        if folded := fold(name):
            exact.setdefault(folded, [name])
    bases: dict[str, list[str]] = {}
    for folded, known in exact.items():
        if numbered := _NUMBERED.fullmatch(folded):
            bases.setdefault(numbered["base"], []).extend(known)
    return {**bases, **exact}
