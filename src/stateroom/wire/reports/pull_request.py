"""A pull request's description as Markdown (agent-room §15; gap 81): what changed, what shows that it works, who has
said so, and what is left to do.

It is put where `@name` calls people and programs, so in its prose none does.
"""

from collections.abc import Iterable, Iterator

from stateroom.core.evidence import Evidence
from stateroom.core.reviews import Review
from stateroom.core.tasks import Task
from stateroom.core.views.artifacts import Artifact, of_kind
from stateroom.core.views.minutes import Report
from stateroom.wire.agent_room.lines import TASK_STATES
from stateroom.wire.links import Links
from stateroom.wire.reports.markdown import NOTHING, bullets, fenced, inline, marked, section

SHOWN_CHARS = 40_000
"""Of all listings and outputs together: the usual hosts take descriptions of 65,536 characters."""
MOST_CHARS = 4_000
"""Of one of them."""
SILENT = "@&#8203;"
OPEN = ("open", "held", "submitted", "blocked", "rejected")

Shown = tuple[Task, Evidence]


def document(report: Report, links: Links) -> list[str]:
    def told(artifacts: Iterable[Artifact]) -> list[str]:
        return [marked(one, report.code, links) for one in artifacts]

    shown = [(task, task.evidence[-1]) for task in report.tasks if task.evidence and task.state != "rejected"]
    limit = min(MOST_CHARS, SHOWN_CHARS // (2 * len(shown) or 1))
    taken = told(one for one in report.decisions if not one.declined)
    left = [*told(report.action_items), *map(_unfinished, _unfinished_tasks(report))]
    return [
        *section(
            "Summary", _silent([inline(report.topic), "", report.summary, "", *(bullets(taken) if taken else [])])
        ),
        *section("Changes", [*_changes(told(of_kind(report.artifacts, "result")), shown, limit)]),
        *section("Tests", [*_tests(shown, limit)] or [NOTHING]),
        *section("Review", _silent(bullets([*map(_verdict, _ruled(report)), *map(_review, report.reviews)]))),
        *section("Follow-ups", _silent(bullets(f"[ ] {one}" for one in left))),
        *("", f"From room [{report.code}]({links.room(report.code)})."),
    ]


def _silent(lines: Iterable[str]) -> list[str]:
    return [line.replace("@", SILENT) for line in lines]


def _changes(results: list[str], shown: list[Shown], limit: int) -> Iterator[str]:
    if results or not shown:
        yield from _silent(bullets(results))
    for task, evidence in shown:
        yield from _silent(section(_named(task), [f"Files, as listed by {inline(evidence.by)}:", ""], level=3))
        yield fenced(_head(evidence.file_listing, limit))


def _tests(shown: list[Shown], limit: int) -> Iterator[str]:
    for task, evidence in shown:
        yield from _silent(section(_named(task), [_outcome(task, evidence), ""], level=3))
        yield fenced(_tail(evidence.run_output or evidence.checks or "", limit))


def _outcome(task: Task, evidence: Evidence) -> str:
    """How the run ended; one that failed is not to be overlooked (gap 65)."""
    by = inline(evidence.by)
    if evidence.exit_code is None:
        return f"Not run; checked by {by}:"
    if not evidence.failed:
        return f"Exit code 0, run by {by}:"
    note = task.verdict.note if task.verdict else None
    accepted = f" Accepted by {inline(task.verdict.by)}: {inline(note)}" if task.verdict and note else ""
    return f"**FAILED with exit code {evidence.exit_code}**, run by {by}.{accepted}"


def _named(task: Task) -> str:
    return f"{inline(task.id)} {inline(task.title)}"


def _head(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}\n… ({len(text) - limit} more characters)"


def _tail(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"({len(text) - limit} characters before) …\n{text[-limit:]}"


def _ruled(report: Report) -> list[Task]:
    return [task for task in report.tasks if task.verdict is not None]


def _verdict(task: Task) -> str:
    verdict = task.verdict
    assert verdict is not None
    note = f": {inline(verdict.note)}" if verdict.note else ""
    return f"{_named(task)}: {verdict.verdict} by {inline(verdict.by)}{note}"


def _review(review: Review) -> str:
    what = f"{review.target_type} {inline(review.target)} ({review.id})"
    if review.status == "pending":
        return f"{what}: waits for {inline(review.reviewer)}"
    note = f": {inline(review.resolution_note)}" if review.resolution_note else ""
    return f"{what}: {review.status} by {inline(review.resolved_by or review.reviewer)}{note}"


def _unfinished_tasks(report: Report) -> list[Task]:
    return [task for task in report.tasks if task.state in OPEN]


def _unfinished(task: Task) -> str:
    owner = f", {inline(task.owner)}" if task.owner else ""
    return f"{_named(task)} ({TASK_STATES[task.state]}{owner})"
