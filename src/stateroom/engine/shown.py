"""Lines that were just read for somebody, for the next one who asks for the same: one message wakes a thousand
listeners, and all of them are told the same.
"""

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")
Question = tuple[str, int, int]
"""Which log, after which line, how many lines."""
Stand = tuple[int, ...]
"""The state of the log for which an answer holds."""
KEPT = 64
LINES = 200
"""Of one answer; what is longer is nobody else's."""


class Shown(Generic[T]):
    """The latest answers, each good as long as its log stands where it stood."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Question, tuple[Stand, T]] = OrderedDict()

    def find(self, question: Question, stand: Stand) -> T | None:
        known = self._answers.get(question)
        return known[1] if known is not None and known[0] == stand else None

    def keep(self, question: Question, stand: Stand, answer: T) -> None:
        if question[2] > LINES:
            return
        self._answers[question] = (stand, answer)
        self._answers.move_to_end(question)
        if len(self._answers) > KEPT:
            self._answers.popitem(last=False)
