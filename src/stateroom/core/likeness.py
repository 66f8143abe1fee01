"""Which texts say the same (agent-room §13, gap 93).

Two do only if nothing that may carry meaning differs; a fact that is kept twice costs a line, one that is lost in
another is gone. These differences are forgiven:

- case, width, spaces, emphasis and punctuation: "**Uses Redis**" is "uses  redis.";
- the words of STOP, wherever they stand: "The API is versioned" is "API versioned";
- a final s of a word of at least six letters: "sessions" is "session", but HTTPS is not HTTP;
- two neighbours that changed places in one word of at least eight letters: "automaitc" is "automatic".

Everything else counts: numbers and their signs, negations, word order, symbols (`>` and `<`, `C++` and `C#`, `$` and
`€`, a tick and a cross), and every other letter, with what stands above or below it.
"""

import re
import unicodedata

STOP = frozenset(
    ("a", "an", "the", "is", "are", "be", "we", "our", "to", "of", "that", "this", "it", "its", "for", "please")
)
"""Words that carry no meaning of their own. What negates, limits or dates a fact is none of them."""
PLURAL_CHARS = 6
"""Shorter words that end in s are too often something else than a plural."""
SLIP_CHARS = 8

Words = tuple[str, ...]


class _Kept(dict[int, str]):
    """What stays of a character: itself, or a space where it only separates. Filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        separates = unicodedata.category(char)[0] in "PZC" or char == "`"
        self[code] = " " if separates and char not in ".':/-,!#%‰" else char
        return self[code]


_KEPT = _Kept({ord("’"): "'", ord("–"): "-", ord("−"): "-"})
_LETTER = r"[^\s.':/,!#%‰-]"
_WORD = re.compile(
    rf"!?(?:-(?=\.?\d))?(?:\.(?=\d))?{_LETTER}+"  # !done, -5, .5
    rf"(?:[.':/-]{_LETTER}+|,(?<=\d,)(?=\d){_LETTER}+)*"  # 3.11, don't, and/or, 1,000
    r"[#%‰]*"  # C#, 5%
)


def tokens(text: str) -> Words:
    """The words that carry meaning, in their order; none for what says nothing."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_KEPT)
    return tuple(_singular(word) for word in _WORD.findall(folded) if word not in STOP)


def _singular(word: str) -> str:
    plural = len(word) >= PLURAL_CHARS and word.isalpha() and word.endswith("s")
    return word[:-1] if plural and not word.endswith(("ss", "us", "is")) else word


def near(one: Words, other: Words) -> bool:
    """Whether two say the same: the same words in the same order, with at most one slip in all of them."""
    if one == other:
        return True
    if len(one) != len(other):
        return False
    differing = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(differing) == 1 and _slip(*differing[0])


def _slip(one: str, other: str) -> bool:
    if len(one) != len(other) or not (_slips(one) and _slips(other)):
        return False
    places = [at for at in range(len(one)) if one[at] != other[at]]
    if len(places) != 2 or places[1] != places[0] + 1:
        return False
    first, second = places
    return one[first] == other[second] and one[second] == other[first]


def _slips(word: str) -> bool:
    return len(word) >= SLIP_CHARS and word.isalpha()


def bucket(words: Words) -> Words:
    """The same for all that are near each other, and seldom for others: so that only those need be compared."""
    return tuple("".join(sorted(word)) if _slips(word) else word for word in words)
