"""What shows that a task is done, and what was said about it (agent-room §4.8, §6.4; gaps 64 and 65).

Every submission stays with its task: a rejected one shows what the next has to do better.
"""

import re
from dataclasses import dataclass
from typing import Literal

from stateroom.core import limits
from stateroom.core.ids import Instant, Name
from stateroom.core.refusals import BadCommit, BadLink, TooLong

EVIDENCE_CHARS = 16_000
"""Of one field of a submission."""
SUBMISSIONS_KEPT = 10
SUBMITTED_CHARS_KEPT = 100_000
"""Of all submissions of a task together, because every fact about it carries them; the log has them all. One always
fits: it has five fields."""
ROLE_CHANGES_KEPT = 50
EXIT_CODES = range(-(2**31), 2**32)
"""What a process can end with, on any system."""

LINKS, LINK_CHARS = 10, 2_000
ATTACHMENTS = 10
COMMIT = re.compile(r"[0-9a-fA-F]{7,64}")
LINK = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
LISTED = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)]|\[[ xX]?\])\s+\S")
"""A point of a list, as people write one."""
LOOKS_FAILED = re.compile(
    r"^(?:FAILED|FAIL|ERROR|fatal|panic)\b|^Traceback \(most recent|\b[1-9]\d* (?:failed|failures|errors)\b",
    re.MULTILINE,
)
"""What a run that ended well does not print."""

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
    commit: str | None = None
    """What it is about: the commit it names, or else the last one reported on the task before it."""
    attachments: tuple[str, ...] = ()
    """Ids of files uploaded to the room."""
    links: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the run it shows ended with an error; accepting that needs a reason."""
        return bool(self.exit_code)

    @property
    def size(self) -> int:
        """In characters."""
        parts = (self.file_listing, self.file_excerpt, self.run_output, self.checks, self.note, *self.links)
        return sum(len(part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class CommitReport:
    """The newest commit that somebody has reported on a task. What was shown of another one is stale."""

    commit: str
    by: Name
    at: Instant


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


def missing(
    file_listing: str, file_excerpt: str, run_output: str, exit_code: int | None, checks: str, dod: str = ""
) -> list[str]:
    """The parts that a submission lacks, empty when it is complete. Blank is missing, and half a run is none.

    Files and an excerpt are always needed; what was not run must say how it was checked (agent-room §6.4, S3c), for
    each point of a definition of done that is a list (trap 72).
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
    asked, given = len(points(dod)), len(points(checks))
    if not ran and exit_code is None and 0 < given < asked:
        lacks.append(f"a line in checks for each of the {asked} points of the definition of done ({given} given)")
    return lacks


def points(text: str) -> list[str]:
    """The points of a list, one a line; where nothing is marked as a list, every line that is not blank."""
    lines = [line for line in text.splitlines() if line.strip()]
    return [line for line in lines if LISTED.match(line)] or lines


def commit(value: str) -> str | None:
    """A commit id in small letters, or None for a blank one. Raises BadCommit."""
    if blank(value):
        return None
    if not COMMIT.fullmatch(value.strip()):
        raise BadCommit(commit=ascii(value.strip()[:64]))
    return value.strip().lower()


def same_commit(one: str, other: str) -> bool:
    """Whether both ids can be of the same commit; one may be short."""
    return one.startswith(other) or other.startswith(one)


def links(values: tuple[str, ...]) -> tuple[str, ...]:
    """Addresses where more is to be seen, each once. Raises BadLink, TooLong, BadText."""
    if len(values) > LINKS:
        raise TooLong(field="links", size=len(values), limit=LINKS, unit="addresses")
    for value in values:
        if not LINK.fullmatch(limits.text("links", value, LINK_CHARS).strip()):
            raise BadLink(link=ascii(value[:80]))
    return tuple(dict.fromkeys(value.strip() for value in values))


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


def objections(newest: Evidence, reported: CommitReport | None) -> list[str]:
    """What speaks against accepting a submission as it is, each as half a sentence; accepting it then needs a note."""
    found = []
    if newest.failed:
        found.append(f"its run ended with exit code {newest.exit_code}")
    if stale(newest, reported):
        about = f"is about commit {newest.commit}" if newest.commit else "names no commit"
        found.append(f"it {about}, and {reported.commit if reported else ''} has been reported since")
    return found


def stale(newest: Evidence, reported: CommitReport | None) -> bool:
    """Whether another commit was reported on the task after this was submitted (trap 72)."""
    return reported is not None and not (newest.commit and same_commit(newest.commit, reported.commit))


def doubts(newest: Evidence) -> list[str]:
    """What looks wrong about a submission without proving anything, for the verifier to look at."""
    claims_well = newest.exit_code == 0 and newest.run_output is not None
    if claims_well and (said := LOOKS_FAILED.search(newest.run_output or "")):
        return [f"exitCode is 0, but its output says {said[0].strip()[:60]!r}"]
    return []
