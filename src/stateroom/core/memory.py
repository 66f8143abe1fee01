"""What a project remembers: facts with their sources, and which of them matter most (agent-room §13, gap 93)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from stateroom.core import limits
from stateroom.core.ids import Instant, Position
from stateroom.core.likeness import Words, bucket, near, tokens
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
FACT_CHARS = 1_000
FACTS_KEPT = 200
"""Of one category; the oldest that was said least often goes first."""
SOURCES_KEPT = 5
BUDGET_CHARS = 4_000
CONFIRMED_MS = 7 * 86_400_000
"""Being said once more counts as much as being so much newer, up to SOURCES_KEPT times: nobody talks a fact up."""


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
    title: str = ""
    """The task's title, where the words say more than that."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a room has said, on its way into the memory."""

    category: Category
    text: str
    source: Source | None = None
    about: str = ""
    title: str = ""
    position: Position = Position(0)
    """Where in the room's log it comes from: what was there when the room was last learned is not learned again."""


def fact_text(text: str) -> str:
    """The words of a fact on one line. Raises BadFact, TooLong, BadText."""
    plain = " ".join(limits.text("text", text, FACT_CHARS).split())
    if not tokens(plain):
        raise BadFact
    return plain


class Known:
    """Facts, to be found by what they say. Each is read once, however often somebody looks."""

    def __init__(self, facts: Iterable[MemoryFact] = ()) -> None:
        self.facts: dict[str, MemoryFact] = {}
        self._alike: dict[tuple[Category, Words], dict[str, Words]] = {}
        self._open: dict[str, str] = {}
        for fact in facts:
            self.keep(fact)

    def keep(self, fact: MemoryFact) -> None:
        """Know it from now on, in place of the one with its id."""
        if (before := self.facts.get(fact.id)) is not None:
            self._alike[before.category, bucket(tokens(before.text))].pop(fact.id, None)
        words = tokens(fact.text)
        self.facts[fact.id] = fact
        self._alike.setdefault((fact.category, bucket(words)), {})[fact.id] = words
        if fact.category == "open_questions" and fact.about:
            self._open[fact.about] = fact.id

    def find(self, category: Category, text: str, about: str = "") -> MemoryFact | None:
        """The fact of this category that says the same, or the open question about the same task; None if none is."""
        if category == "open_questions" and about in self._open:
            return self.facts[self._open[about]]
        words = tokens(text)
        alike = self._alike.get((category, bucket(words)), {})
        return next((self.facts[id] for id, said in alike.items() if near(said, words)), None)


def said_again(fact: MemoryFact, candidate: Candidate) -> MemoryFact:
    """The fact with one more source; its words are the newest ones, unless somebody has written them."""
    source = candidate.source
    if source is None or any((one.room, one.line) == (source.room, source.line) for one in fact.sources):
        return fact
    sources = sorted((*fact.sources, source), key=lambda one: one.at)[-SOURCES_KEPT:]
    again = replace(fact, sources=tuple(sources), at=max(fact.at, source.at), said=fact.said + 1)
    if fact.edited or source.at < fact.at:
        return again
    return replace(again, text=candidate.text, about=candidate.about or fact.about, title=candidate.title or fact.title)


def rank(facts: Iterable[MemoryFact], category: Category) -> list[MemoryFact]:
    """The facts of a category, what matters most first: newer, and more often said."""
    mine = [fact for fact in facts if fact.category == category]
    return sorted(mine, key=lambda fact: -(fact.at + CONFIRMED_MS * (min(fact.said, SOURCES_KEPT) - 1)))
