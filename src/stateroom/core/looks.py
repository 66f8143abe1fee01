"""How a member appears: colour and initials (agent-room §2.7, §4.1), and which names look alike."""

import unicodedata
from collections.abc import Iterable

PALETTE = ("#5B6AFF", "#EC4899", "#F59E0B", "#8B5CF6", "#10B981", "#F43F5E", "#0EA5E9", "#D946EF")

_TWINS = (
    ("аеоѕрсхуіјԁԛԝһвнкмтѵӏ", "aeospcxyijdqwhbhkmtvl"),  # Cyrillic
    ("αβεζηικμνορτυχ", "abezhikmvoptux"),  # Greek
    ("ɑɡı", "agi"),  # Latin
)
TWINS = str.maketrans({odd: plain for odds, plains in _TWINS for odd, plain in zip(odds, plains, strict=True)})
"""Letters that most fonts draw like Latin ones, as small or as capital letters, after case-folding."""


def skeleton(folded: str) -> str:
    """What the eye sees of a folded name: without accents, blanks and dashes, with letters of one look made one."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return "".join(c for c in plain.translate(TWINS) if c.isalnum())


def color(name: str, wanted: str, used: Iterable[str]) -> str:
    """The wanted colour, or one of the palette by name; another where somebody has it, as long as there is one."""
    taken = {one.upper() for one in used}
    first = wanted or PALETTE[sum(map(ord, name)) % len(PALETTE)]
    if first.upper() not in taken:
        return first
    return next((free for free in PALETTE if free not in taken), first)


def initials(name: str) -> str:
    """The first letters of the first two words, else the first two letters, filled up with `?`."""
    words = [word for word in name.split() if word[0].isalnum()]
    letters = words[0][0] + words[1][0] if len(words) > 1 else "".join(c for c in name if c.isalnum())[:2]
    return letters.upper().ljust(2, "?")
