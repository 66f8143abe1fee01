"""What a project remembers: facts with their sources, ranked and kept within a budget (agent-room §13, gap 93).

Two facts are the same only if nothing that carries meaning differs. Numbers, negations and names always do, so a short
fact is never lost in a longer one: "Uses Redis" and "Never uses Redis" are two.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from stateroom.core import limits
from stateroom.core.ids import Instant
from stateroom.core.refusals import BadFact

Category = Literal["decisions", "preferences", "facts", "deliverables", "open_questions", "lessons"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
"""The most important first."""
LABELS: dict[Category, str] = {
    "decisions": "Decisions",
    "preferences": "User preferences & constraints",
    "facts": "Facts",
    "deliverables": "Deliverables",
    "open_questions": "Open questions / TODO",
    "lessons": "Lessons & pitfalls",
}
SHARES: dict[Category, float] = {
    "decisions": 0.4,
    "preferences": 0.15,
    "facts": 0.2,
    "deliverables": 0.15,
    "open_questions": 0.15,
    "lessons": 0.1,
}
"""What part of a budget a category can be sure of; what others leave it gets besides."""
FACT_CHARS = 1_000
FACTS_KEPT = 200
"""Of one category; the oldest that was said least often goes first."""
SOURCES_KEPT = 5
BUDGET_CHARS = 4_000
CONFIRMED_MS = 7 * 86_400_000
"""Being said once more counts as much as being so much newer."""
STOP = frozenset(
    ("a", "an", "the", "is", "are", "be", "we", "our", "to", "of", "that", "this", "it", "its", "for", "please")
)
"""Words that carry no meaning of their own. What negates, limits or dates a fact is none of them."""
SLIP_CHARS = 8


@dataclass(frozen=True, slots=True)
class Source:
    room: str
    """The room's code."""
    line: int
    """Of its transcript; 0 for what is no line."""
    at: Instant


@dataclass(frozen=True, slots=True)
class MemoryFact:
    id: str
    category: Category
    text: str
    sources: tuple[Source, ...]
    """Where it was said, newest last, at most 5; none for what somebody noted by hand."""
    at: Instant
    about: str = ""
    """`<room> <task>`: what it says of a task, so that an open question goes when the task is done."""
    edited: bool = False
    """Somebody has changed its words."""
    said: int = 1
    """How often it was said."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a room has said, on its way into the memory."""

    category: Category
    text: str
    source: Source | None = None
    about: str = ""


def fact_text(text: str) -> str:
    """The words of a fact on one line. Raises BadFact, TooLong, BadText."""
    plain = " ".join(limits.text("text", text, FACT_CHARS).split())
    if not tokens(plain):
        raise BadFact
    return plain


def tokens(text: str) -> tuple[str, ...]:
    """The words that carry meaning, in their order: folded, without a plural's s. Marks that can change a meaning (`!`
    before a word, `-` before a number) stay with it."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = re.findall(r"[!-]?[^\W_]+(?:[.'’:/-][^\W_]+)*", folded)
    plain = [_singular(word.lstrip("-") if not word[1:2].isdigit() else word) for word in words if word not in STOP]
    return tuple(plain)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def near(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two say the same: the same words in the same order, where in one word of at least eight letters two
    neighbours may have changed places. (Other slips are not forgiven: a contact is no contract.)"""
    if one == other:
        return True
    if len(one) != len(other):
        return False
    differing = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(differing) == 1 and _slip(*differing[0])


def _slip(one: str, other: str) -> bool:
    if len(one) != len(other) or len(one) < SLIP_CHARS or not (one + other).isalpha():
        return False
    places = [at for at in range(len(one)) if one[at] != other[at]]
    if len(places) != 2 or places[1] != places[0] + 1:
        return False
    first, second = places
    return one[first] == other[second] and one[second] == other[first]


def find(facts: Iterable[MemoryFact], category: Category, text: str) -> MemoryFact | None:
    """The fact of this category that says the same; None if none does."""
    words = tokens(text)
    return next((fact for fact in facts if fact.category == category and near(tokens(fact.text), words)), None)


def said_again(fact: MemoryFact, candidate: Candidate, at: Instant) -> MemoryFact:
    """The fact with one more source; its words are the newest ones, unless somebody has written them."""
    source = candidate.source
    if source is None or any((one.room, one.line) == (source.room, source.line) for one in fact.sources):
        return fact
    sources = (*fact.sources, source)[-SOURCES_KEPT:]
    text = fact.text if fact.edited else candidate.text
    return replace(fact, text=text, sources=sources, at=max(fact.at, source.at), said=fact.said + 1)


def answers(fact: MemoryFact, question: MemoryFact) -> bool:
    """Whether something known makes an open question go away: it says the same, or the task that was open is done."""
    if fact.category == "open_questions":
        return False
    same_task = bool(question.about) and fact.category == "deliverables" and fact.about == question.about
    return same_task or near(tokens(fact.text), tokens(question.text))


def rank(facts: Iterable[MemoryFact], category: Category) -> list[MemoryFact]:
    """The facts of a category, what matters most first: newer, and more often said."""
    mine = [fact for fact in facts if fact.category == category]
    return sorted(mine, key=lambda fact: -(fact.at + CONFIRMED_MS * (fact.said - 1)))


@dataclass(frozen=True, slots=True)
class Told:
    """As much of a memory as fits."""

    text: str
    left_out: int
    """How many facts did not fit."""


def told(facts: Iterable[MemoryFact], budget: int = BUDGET_CHARS) -> Told:
    """The memory in `### <label>` sections of `- <text> (<source>)` lines, at most so many characters.

    Each category first gets its share; what is left goes to the most important that still wait."""
    known = list(facts)
    waiting = {category: [_line(fact) for fact in rank(known, category)] for category in CATEGORIES}
    chosen: dict[Category, list[str]] = {category: [] for category in CATEGORIES}
    left = budget
    for shares in (SHARES, dict.fromkeys(CATEGORIES, 1.0)):
        for category in CATEGORIES:
            left = _fill(chosen[category], waiting[category], left, int(budget * shares[category]), LABELS[category])
    sections = [f"### {LABELS[one]}\n" + "\n".join(lines) for one, lines in chosen.items() if lines]
    return Told("\n".join(sections), sum(map(len, waiting.values())))


def _fill(chosen: list[str], waiting: list[str], left: int, share: int, label: str) -> int:
    """Move lines over while there is room in the share and in all; what is left of all afterwards."""
    share -= sum(len(line) + 1 for line in chosen)
    while waiting:
        takes = len(waiting[0]) + 1 + (0 if chosen else len(label) + 5)
        if takes > min(left, share):
            break
        chosen.append(waiting.pop(0))
        left, share = left - takes, share - takes
    return left


def _line(fact: MemoryFact) -> str:
    newest = fact.sources[-1] if fact.sources else None
    where = f" ({newest.room}, line {newest.line})" if newest and newest.line else f" ({newest.room})" if newest else ""
    return f"- {fact.text}{where}"
