"""What shows that a task is done, and what was said about it (agent-room §4.8, §6.4; gaps 64 and 65).

Every submission stays with its task: a rejected one shows what the next has to do better.
"""

from dataclasses import dataclass
from typing import Literal

from stateroom.core.ids import Instant, Name

EVIDENCE_CHARS = 16_000
"""Of one field of a submission."""
SUBMISSIONS_KEPT = 10
SUBMITTED_CHARS_KEPT = 100_000
"""Of all submissions of a task together, because every fact about it carries them; the log has them all. One always
fits: it has five fields."""
ROLE_CHANGES_KEPT = 50
EXIT_CODES = range(-(2**31), 2**32)
"""What a process can end with, on any system."""

Ruling = Literal["done", "rejected"]
Role = Literal["owner", "verifier"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One submission, self-reported: files, an excerpt, and a run with its exit code, or how each point was checked."""

    file_listing: str
    file_excerpt: str
    run_output: str | None
    exit_code: int | None
    checks: str | None
    note: str | None
    by: Name
    at: Instant

    @property
    def failed(self) -> bool:
        """Whether the run it shows ended with an error; accepting that needs a reason."""
        return bool(self.exit_code)

    @property
    def size(self) -> int:
        """In characters."""
        parts = (self.file_listing, self.file_excerpt, self.run_output, self.checks, self.note)
        return sum(len(part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a member other than the owner said to the newest submission."""

    verdict: Ruling
    note: str | None
    by: Name
    at: Instant


@dataclass(frozen=True, slots=True)
class Halt:
    """Who stopped work on a task, when and why."""

    by: Name
    at: Instant
    reason: str


@dataclass(frozen=True, slots=True)
class RoleChange:
    """A task's owner or verifier became another; None is nobody."""

    by: Name
    at: Instant
    field: Role
    was: Name | None
    to: Name | None


def missing(file_listing: str, file_excerpt: str, run_output: str, exit_code: int | None, checks: str) -> list[str]:
    """The parts that a submission lacks, empty when it is complete. Blank is missing, and half a run is none.

    Files and an excerpt are always needed; what was not run must say how it was checked (agent-room §6.4, S3c).
    """
    lacks = [name for name, text in (("file_listing", file_listing), ("file_excerpt", file_excerpt)) if blank(text)]
    ran = not blank(run_output)
    if exit_code is not None and exit_code not in EXIT_CODES:
        lacks.append("an exit_code that a process can have")
    if ran and exit_code is None:
        lacks.append("the exit_code of the run")
    if not ran and exit_code is not None:
        lacks.append("the run_output that goes with the exit_code")
    if not ran and exit_code is None and blank(checks):
        lacks.append("run_output with exit_code, or checks")
    return lacks


def blank(text: str | None) -> bool:
    return not text or not text.strip()


def kept(submissions: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The newest of them, oldest first: at most 10, and 100,000 characters in all."""
    left = SUBMITTED_CHARS_KEPT
    found: list[Evidence] = []
    for one in reversed(submissions[-SUBMISSIONS_KEPT:]):
        left -= one.size
        if left < 0:
            break
        found.append(one)
    return tuple(reversed(found))
