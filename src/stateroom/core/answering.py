"""Which open questions of a project something known has answered (agent-room §13).

A question goes when a decision, a result or a task that is done, no older than the question,

- says the same;
- is the very task that the question was about; or
- names one task, and that is what the question is about. Task ids count within their room: a fact of another room must
  name that room's code too. What is answered so stays readable: the fact says what became of it.
"""

import re
from collections.abc import Iterable, Iterator

from stateroom.core.ids import Instant
from stateroom.core.likeness import Words, bucket, near, tokens
from stateroom.core.memory import MemoryFact

ANSWERS = ("decisions", "facts", "deliverables")
_TASK = re.compile(r"\bT-\d{2,9}\b", re.IGNORECASE)
_CODE = re.compile(r"\b[A-Z2-9]{3}-[A-Z2-9]{3}-[A-Z2-9]{3}\b")


def answered(facts: Iterable[MemoryFact]) -> list[str]:
    """The ids of the questions that are open no more. Every text is read once, however many there are."""
    known = list(facts)
    says, names = _Said(), dict[str, Instant]()
    for fact in known:
        if fact.category in ANSWERS:
            says.take(fact)
            for subject in _subjects(fact):
                names[subject] = max(fact.at, names.get(subject, fact.at))
    questions = [fact for fact in known if fact.category == "open_questions"]
    return [one.id for one in questions if names.get(_subject(one), -1) >= one.at or says.answers(one)]


class _Said:
    """What answers have said, and when last."""

    def __init__(self) -> None:
        self._alike: dict[Words, dict[Words, Instant]] = {}

    def take(self, fact: MemoryFact) -> None:
        for words in _wordings(fact):
            alike = self._alike.setdefault(bucket(words), {})
            alike[words] = max(fact.at, alike.get(words, fact.at))

    def answers(self, question: MemoryFact) -> bool:
        return any(
            at >= question.at and near(said, words)
            for words in _wordings(question)
            for said, at in self._alike.get(bucket(words), {}).items()
        )


def _wordings(fact: MemoryFact) -> set[Words]:
    return {words for words in (tokens(fact.text), tokens(fact.title)) if words}


def _subject(question: MemoryFact) -> str:
    """The one task a question is about, as `<room> <task>`; empty if there is no such one."""
    if question.about:
        return question.about
    found = set(_subjects(question))
    return found.pop() if len(found) == 1 else ""


def _subjects(fact: MemoryFact) -> Iterator[str]:
    """The task that a fact is about, and the only one that it names, in each room it may mean."""
    if fact.about:
        yield fact.about
    named = {task.upper() for task in _TASK.findall(fact.text)}
    if len(named) == 1:
        rooms = set(_CODE.findall(fact.text)) or {source.room for source in fact.sources}
        yield from (f"{room} {task}" for room in rooms for task in named)
