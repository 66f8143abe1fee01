"""What a submission must show, how much of it is kept, and what a failed run needs (agent-room §6.4)."""

from dataclasses import replace

import pytest

from stateroom.core.evidence import SUBMISSIONS_KEPT, SUBMITTED_CHARS_KEPT
from stateroom.core.proving import SubmitTask, TaskRejected, TaskSubmitted, TaskVerified, VerifyTask
from stateroom.core.refusals import BadText, EvidenceIncomplete, TooLong, VerdictNeedsNote
from stateroom.testing.scenes import START, Scene
from tests.core.proven import GOOD, ONE, STATES, SUBMITTED, the

VIC_DONE = ("vic", VerifyTask(ONE, "done"))

COMPLETE = {"file_listing": "a.py", "file_excerpt": "…", "run_output": "ok", "exit_code": 0}


@pytest.mark.parametrize(
    ("parts", "lacks"),
    [
        (COMPLETE, ""),
        ({**COMPLETE, "exit_code": 1}, ""),
        ({**COMPLETE, "checks": "read it"}, ""),
        ({**COMPLETE, "run_output": "", "exit_code": None, "checks": "1. read it"}, ""),
        ({}, "file_listing; file_excerpt; run_output with exit_code, or checks"),
        ({**COMPLETE, "file_listing": " \n"}, "file_listing"),
        ({**COMPLETE, "file_excerpt": "\t"}, "file_excerpt"),
        ({**COMPLETE, "exit_code": None}, "the exit_code of the run"),
        ({**COMPLETE, "run_output": " "}, "the run_output that goes with the exit_code"),
        ({**COMPLETE, "run_output": " ", "exit_code": None, "checks": " "}, "run_output with exit_code, or checks"),
        ({**COMPLETE, "exit_code": None, "checks": "read it"}, "the exit_code of the run"),
        ({**COMPLETE, "run_output": "", "checks": "read it"}, "the run_output that goes with the exit_code"),
        ({**COMPLETE, "exit_code": 2**32}, "an exit_code that a process can have"),
        ({"checks": "read it"}, "file_listing; file_excerpt"),
    ],
)
def test_the_minimum_of_evidence(parts, lacks):
    """Files and an excerpt, and a whole run or checks (gap 64); every missing part is named at once."""
    scene = Scene(*STATES["held"])
    if lacks:
        scene.when("ann", SubmitTask(ONE, **parts)).then(EvidenceIncomplete, missing=lacks)
        assert the(scene).evidence == ()
    else:
        scene.when("ann", SubmitTask(ONE, **parts)).then(TaskSubmitted)


@pytest.mark.parametrize("field", ["file_listing", "file_excerpt", "run_output", "checks", "note"])
def test_evidence_is_bounded(field):
    """Exactly 16,000 characters of each part are fine; one more, or a NUL, is named."""
    scene = Scene(*STATES["held"])
    scene.when("ann", replace(GOOD, **{field: "x" * 16_001})).then(TooLong, field=field, limit=16_000)
    scene.when("ann", replace(GOOD, **{field: "x\x00"})).then(BadText, field=field)
    scene.when("ann", replace(GOOD, **{field: "x" * 16_000})).then(TaskSubmitted)


def test_a_run_that_failed_is_accepted_only_with_a_reason():
    """A verdict `done` over a non-zero exit code needs a note; a rejection speaks for itself (gap 65)."""
    failed = [*STATES["held"], ("ann", replace(GOOD, exit_code=-3))]
    scene = Scene(*failed)
    scene.when("vic", VerifyTask(ONE, "done")).then(VerdictNeedsNote, objections="its run ended with exit code -3")
    scene.when("vic", VerifyTask(ONE, "done", "  ")).then(VerdictNeedsNote)
    assert the(scene).state == "submitted"
    scene.when("vic", VerifyTask(ONE, "done", "known flake")).then(TaskVerified, note="known flake")
    Scene(*failed).when("vic", VerifyTask(ONE, "rejected")).then(TaskRejected, note=None)


def test_only_the_newest_run_counts():
    """What failed before and passes now is accepted without a note."""
    scene = Scene(*STATES["held"], ("ann", replace(GOOD, exit_code=1)), SUBMITTED)
    scene.when(*VIC_DONE).then(TaskVerified)


def test_every_submission_is_kept_with_its_maker_and_time():
    """Newest last; a rejection stays in the notes, and the verdict goes when the next submission comes."""
    scene = Scene(*STATES["rejected"])
    verdict = the(scene).verdict
    assert (verdict.verdict, verdict.note, verdict.by, verdict.at) == ("rejected", "not yet", "vic", START)
    scene.do("ann", replace(GOOD, note="now it works"), at_ms=7)
    task = the(scene)
    assert [(one.note, one.by, one.at) for one in task.evidence] == [
        (None, "ann", START),
        ("now it works", "ann", START + 7),
    ]
    assert (task.verdict, task.state, task.held_since) == (None, "submitted", None)
    assert [note.text for note in scene.room.board.notes[ONE]] == ["not yet", "now it works"]


def test_what_is_kept_of_many_submissions_is_bounded():
    """The newest ten, and no more than 100,000 characters, because every fact carries them."""
    scene = Scene(*STATES["held"])
    for n in range(SUBMISSIONS_KEPT + 2):
        scene.do("ann", replace(GOOD, note=f"{n}"))
    assert [one.note for one in the(scene).evidence] == [f"{n}" for n in range(2, SUBMISSIONS_KEPT + 2)]
    big = SubmitTask(ONE, "x" * 16_000, "y" * 16_000, "z" * 16_000, 0)
    for n in range(3):
        scene.do("ann", replace(big, note=f"big {n}"))
    kept = the(scene).evidence
    assert [one.note for one in kept][-2:] == ["big 1", "big 2"]
    assert sum(one.size for one in kept) <= SUBMITTED_CHARS_KEPT


def test_a_submission_alone_is_kept_however_big():
    """All five fields at their limit fit."""
    everything = SubmitTask(ONE, *["x" * 16_000] * 3, 0, *["x" * 16_000] * 2)
    scene = Scene(*STATES["submitted"], ("ann", everything), ("ann", replace(everything, exit_code=1)))
    assert [one.exit_code for one in the(scene).evidence] == [1]
