"""What reading a file comes to, and how much of it is read at most."""

from dataclasses import dataclass, field

MAX_CHARS = 200_000
MAX_PAGES = 200
MAX_SHEETS = 20
MAX_ROWS = 5_000
MAX_COLUMNS = 256


@dataclass(frozen=True, slots=True)
class Extracted:
    text: str = ""
    problem: str = ""
    """Why there is no text, or not all of it, in a few words: `encrypted`, `only the first 200 pages were read`."""


@dataclass(slots=True)
class Reading:
    """Gathers the lines of one file until there are enough."""

    lines: list[str] = field(default_factory=list)
    chars: int = 0
    problem: str = ""
    """The first thing that was in the way."""

    def add(self, line: str) -> bool:
        """Whether there is room for more."""
        self.lines.append(line[: MAX_CHARS + 1])
        self.chars += len(line) + 1
        return self.chars <= MAX_CHARS

    def note(self, problem: str) -> None:
        self.problem = self.problem or problem

    def done(self) -> Extracted:
        return trimmed("\n".join(self.lines), self.problem)


def trimmed(text: str, problem: str = "") -> Extracted:
    """Storable text without NULs, lone surrogates and runs of empty lines, and not too much of it."""
    storable = text.replace("\0", "").encode(errors="replace").decode()
    lines = [line.rstrip() for line in storable.strip().splitlines()]
    return cut("\n".join(line for at, line in enumerate(lines) if line or lines[at - 1]), problem)


def cut(text: str, problem: str = "") -> Extracted:
    """At most MAX_CHARS characters, and a problem that says so if there were more."""
    if len(text) <= MAX_CHARS:
        return Extracted(text, problem)
    return Extracted(text[:MAX_CHARS], problem or f"only the first {MAX_CHARS:,} characters were kept")
