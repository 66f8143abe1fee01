"""Which lines of a transcript a page shows: at most 200, and at most so much text that a page is made at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

PAGE_LINES = 200
PAGE_CHARS = 400_000
MARGIN_LINES = 100
"""How many lines follow the one that was asked for."""


@dataclass(frozen=True, slots=True)
class Window:
    total: int
    """How many lines there are."""
    after: int
    """The line before the first one shown."""
    before: int
    """The line after the last one shown."""
    keep: int
    """The line that was asked for: it is shown, whatever has to go."""

    @classmethod
    def ending(cls, total: int, before: int | None) -> "Window":
        """Lines before `before`, or the newest."""
        end = total + 1 if before is None else max(1, min(before, total + 1))
        return cls(total, max(0, end - 1 - PAGE_LINES), end, end - 1)

    @classmethod
    def starting(cls, total: int, after: int) -> "Window":
        """Lines after `after`."""
        start = min(after, total)
        return cls(total, start, min(total, start + PAGE_LINES) + 1, start + 1)

    @classmethod
    def around(cls, total: int, line: int) -> "Window":
        """A line with some before it and some after."""
        return replace(cls.ending(total, line + MARGIN_LINES), keep=line)

    @property
    def count(self) -> int:
        return self.before - 1 - self.after

    def trimmed(self, chars: Sequence[int]) -> "Window":
        """Less of it, if it is too much text; what is far from the line that was asked for goes first.

        `chars` is the length of each line's text.
        """
        first, last, left = self.after + 1, self.before - 1, sum(chars)
        while left > PAGE_CHARS and first < last:
            if self.keep - first >= last - self.keep:
                left, first = left - chars[first - self.after - 1], first + 1
            else:
                left, last = left - chars[last - self.after - 1], last - 1
        return replace(self, after=first - 1, before=last + 1)

    def older(self, path: str) -> str:
        """The address of the lines before; empty if there are none."""
        return f"{path}?before={self.after + 1}" if self.after else ""

    def newer(self, path: str) -> str:
        """The address of the lines after; empty if there are none."""
        return f"{path}?after={self.before - 1}" if self.before <= self.total else ""
