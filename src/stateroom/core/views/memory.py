"""A memory as newcomers are told it: ranked into a budget of characters (agent-room §13)."""

from collections.abc import Iterable
from dataclasses import dataclass

from stateroom.core.memory import BUDGET_CHARS, CATEGORIES, LABELS, Category, MemoryFact, rank

SHARES: dict[Category, float] = {
    "decisions": 0.35,
    "preferences": 0.15,
    "facts": 0.2,
    "deliverables": 0.1,
    "open_questions": 0.1,
    "lessons": 0.1,
}
"""What part of a budget a category can be sure of, all of it together; what others leave it gets besides."""


@dataclass(frozen=True, slots=True)
class Told:
    """As much of a memory as fits."""

    text: str
    left_out: int
    """How many facts did not fit."""


def told(facts: Iterable[MemoryFact], budget: int = BUDGET_CHARS, spare: int = 0) -> Told:
    """The memory in `### <label>` sections of `- <text> (<source>)` lines, at most so many characters. Where something
    is left out, `spare` of them stay free, to say so.

    Each category first gets its share; what is left goes to the most important that still wait. A fact is told whole or
    not at all: one that is too long for what is left lets shorter ones pass.
    """
    known = list(facts)
    all_of_it = _within(known, budget)
    return _within(known, max(budget - spare, 0)) if all_of_it.left_out and spare else all_of_it


def _within(known: list[MemoryFact], budget: int) -> Told:
    waiting = {category: list(enumerate(map(_line, rank(known, category)))) for category in CATEGORIES}
    chosen: dict[Category, list[tuple[int, str]]] = {category: [] for category in CATEGORIES}
    left = budget
    for shares in (SHARES, dict.fromkeys(CATEGORIES, 1.0)):
        for category in CATEGORIES:
            left = _fill(chosen[category], waiting[category], left, int(budget * shares[category]), LABELS[category])
    sections = [
        f"### {LABELS[one]}\n" + "\n".join(line for _, line in sorted(lines)) for one, lines in chosen.items() if lines
    ]
    return Told("\n".join(sections), sum(map(len, waiting.values())))


def _fill(chosen: list[tuple[int, str]], waiting: list[tuple[int, str]], left: int, share: int, label: str) -> int:
    """Move lines over while there is room in the share and in all; what is left of all afterwards."""
    share -= sum(len(line) + 1 for _, line in chosen)
    for ranked in list(waiting):
        takes = len(ranked[1]) + 1 + (0 if chosen else len(label) + 5)
        if takes <= min(left, share):
            chosen.append(ranked)
            waiting.remove(ranked)
            left, share = left - takes, share - takes
    return left


def _line(fact: MemoryFact) -> str:
    newest = fact.sources[-1] if fact.sources else None
    where = f" ({newest.room}, line {newest.line})" if newest and newest.line else f" ({newest.room})" if newest else ""
    return f"- {fact.text}{where}"
