"""Evidence is of a commit, and of no other; what is doubtful is accepted only with a reason (trap 72)."""

from dataclasses import replace

import pytest

from stateroom.core.evidence import doubts, stale
from stateroom.core.members import Join
from stateroom.core.proving import (
    ReportCommit,
    TaskCommitReported,
    TaskRejected,
    TaskSubmitted,
    TaskVerified,
    VerifyTask,
)
from stateroom.core.refusals import (
    BadCommit,
    BadLink,
    BadName,
    EvidenceIncomplete,
    TaskDoneImmutable,
    TaskStateWrong,
    TooLong,
    UnknownTask,
    VerdictNeedsNote,
)
from stateroom.core.tasks import OpenTask
from stateroom.testing.scenes import START, Scene
from tests.core.proven import GOOD, ONE, STATES, the

OLD, NEW = "abcdef0123", "1234567890"
HELD = STATES["held"]
SHOWN = [*HELD, ("ann", replace(GOOD, commit=OLD))]


def newest(scene):
    return the(scene).evidence[-1]


def test_a_newer_commit_makes_what_was_shown_stale():
    """Accepting it then needs a note; rejecting it never does."""
    scene = Scene(*SHOWN, ("bob", ReportCommit(ONE, NEW), 5))
    report = the(scene).commit
    assert (report.commit, report.by, report.at) == (NEW, "bob", START + 5)
    assert stale(newest(scene), report)
    said = f"it is about commit {OLD}, and {NEW} has been reported since"
    scene.when("vic", VerifyTask(ONE, "done")).then(VerdictNeedsNote, objections=said)
    scene.when("vic", VerifyTask(ONE, "done", " ")).then(VerdictNeedsNote)
    scene.when("vic", VerifyTask(ONE, "done", "only a comment changed")).then(TaskVerified)
    Scene(*SHOWN, ("bob", ReportCommit(ONE, NEW))).when("vic", VerifyTask(ONE, "rejected")).then(TaskRejected)


def test_what_names_no_commit_is_stale_as_soon_as_there_is_one():
    """Nobody can say that it is about that one."""
    scene = Scene(*STATES["submitted"])
    assert not stale(newest(scene), the(scene).commit)
    scene.do("bob", ReportCommit(ONE, NEW))
    said = f"it names no commit, and {NEW} has been reported since"
    scene.when("vic", VerifyTask(ONE, "done")).then(VerdictNeedsNote, objections=said)


def test_what_names_none_is_about_the_last_one_reported():
    """Who submits without a commit shows what the task has come to."""
    scene = Scene(*HELD, ("bob", ReportCommit(ONE, OLD)), ("ann", GOOD))
    assert (newest(scene).commit, stale(newest(scene), the(scene).commit)) == (OLD, False)
    scene.when("vic", VerifyTask(ONE, "done")).then(TaskVerified)


def test_a_submission_reports_its_own_commit():
    """It is the newest one from then on; a submission about another makes it fresh again."""
    scene = Scene(*SHOWN)
    assert the(scene).commit.commit == OLD
    scene.do("bob", ReportCommit(ONE, NEW))
    scene.when("ann", replace(GOOD, commit=NEW)).then(TaskSubmitted)
    assert [one.commit for one in the(scene).evidence] == [OLD, NEW]
    scene.when("vic", VerifyTask(ONE, "done")).then(TaskVerified)


@pytest.mark.parametrize("again", [OLD, OLD.upper(), OLD[:7], f" {OLD} ", OLD + "4567"])
def test_short_and_long_ids_are_of_one_commit(again):
    """In any case of letters; to report what is known is to report nothing."""
    scene = Scene(*SHOWN)
    scene.when("bob", ReportCommit(ONE, again)).then()
    assert not stale(newest(scene), the(scene).commit)


@pytest.mark.parametrize("commit", ["abcdef", "g" * 7, "a" * 65, "main", "abc def0", "ａｂｃｄｅｆ０", "--upload-pack"])
def test_what_is_no_commit_id_is_refused(commit):
    """Seven to sixty-four hexadecimal digits, wherever it is given."""
    Scene(*HELD).when("ann", ReportCommit(ONE, commit)).then(BadCommit)
    Scene(*HELD).when("ann", replace(GOOD, commit=commit)).then(BadCommit)


@pytest.mark.parametrize("commit", ["a" * 7, "0" * 64])
def test_the_shortest_and_the_longest_id_are_taken(commit):
    """At the limits."""
    Scene(*HELD).when("ann", ReportCommit(ONE, commit)).then(TaskCommitReported)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        *((state, TaskCommitReported) for state in ("open", "held", "blocked", "rejected", "submitted")),
        ("done", TaskDoneImmutable),
        ("cancelled", TaskStateWrong),
    ],
)
def test_where_a_commit_can_be_reported(state, expected):
    """By anybody, as long as there is something to do; the state stays."""
    scene = Scene(*STATES[state])
    scene.when("hal", ReportCommit(ONE, NEW)).then(expected)
    assert the(scene).state == state


def test_a_report_has_a_name_a_task_and_a_commit():
    """Each of them is missed."""
    scene = Scene(*HELD)
    scene.when("", ReportCommit(ONE, NEW)).then(BadName)
    scene.when("ann", ReportCommit("T-09", NEW)).then(UnknownTask)
    scene.when("ann", ReportCommit(ONE, " ")).then(BadCommit)


def test_every_objection_is_named_at_once():
    """A failed run of an old commit needs one note that answers both."""
    scene = Scene(*HELD, ("ann", replace(GOOD, commit=OLD, exit_code=2)), ("bob", ReportCommit(ONE, NEW)))
    answer = scene.when("vic", VerifyTask(ONE, "done"))
    answer.then(VerdictNeedsNote)
    assert "exit code 2" in answer["objections"]
    assert NEW in answer["objections"]


# -- links, and points of a definition of done


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (("https://ci.example/1", "HTTP://ci.example/2"), TaskSubmitted),
        (tuple(f"https://x.example/{n}" for n in range(10)), TaskSubmitted),
        (tuple(f"https://x.example/{n}" for n in range(11)), TooLong),
        (("https://x.example/" + "y" * 2_000,), TooLong),
        (("ftp://x.example",), BadLink),
        (("javascript:alert(1)",), BadLink),
        (("https://x.example/a b",), BadLink),
        (('https://x.example/"onclick',), BadLink),
        (("https://",), BadLink),
        (("",), BadLink),
    ],
)
def test_links_are_addresses_of_pages(links, expected):
    """At most ten, http or https, without anything that could break out of where they are shown."""
    Scene(*HELD).when("ann", replace(GOOD, links=links)).then(expected)


def test_links_are_kept_once_each():
    """In their order."""
    scene = Scene(*HELD, ("ann", replace(GOOD, links=("https://b.example", " https://a.example", "https://b.example"))))
    assert newest(scene).links == ("https://b.example", "https://a.example")


DOD = "Done when:\n- it runs\n- [ ] it is fast\n2) it is documented"


@pytest.mark.parametrize(
    ("dod", "checks", "enough"),
    [
        (DOD, "1. ran it\n2. measured\n3. wrote it", True),
        (DOD, "ran it\n\nmeasured\nwrote it", True),
        (DOD, "Checked:\n- ran it\n- measured\n- wrote it", True),
        (DOD, "all good", False),
        (DOD, "1. ran it\n2. measured", False),
        (DOD, "intro\nanother line\nthird\n- only one point", False),
        ("tests are green", "read it", True),
        ("", "read it", True),
    ],
)
def test_each_point_of_a_list_is_checked(dod, checks, enough):
    """Where nothing was run, a definition of done that is a list needs a line for each of its points."""
    scene = Scene(("ann", OpenTask("t", dod=dod)))
    wish = replace(GOOD, run_output="", exit_code=None, checks=checks)
    scene.when("ann", wish).then(TaskSubmitted if enough else EvidenceIncomplete)


def test_a_run_answers_for_all_points():
    """Then no line has to be written for each."""
    Scene(("ann", OpenTask("t", dod=DOD))).when("ann", replace(GOOD, checks="see the run")).then(TaskSubmitted)


@pytest.mark.parametrize(
    ("output", "code", "doubtful"),
    [
        ("3 failed, 2 passed", 0, True),
        ("FAILED tests/a.py", 0, True),
        ("ok\nTraceback (most recent call last):", 0, True),
        ("fatal: not a git repository", 0, True),
        ("0 failed, 5 passed", 0, False),
        ("5 passed", 0, False),
        ("the word failed alone", 0, False),
        ("3 failed", 1, False),
    ],
)
def test_a_run_that_contradicts_its_exit_code_is_doubted(output, code, doubtful):
    """Shown to the verifier, and no obstacle: it proves nothing."""
    scene = Scene(*HELD, ("vic", Join()), ("ann", replace(GOOD, run_output=output, exit_code=code)))
    assert bool(doubts(newest(scene))) == doubtful
    scene.when("vic", VerifyTask(ONE, "done", "fine")).then(TaskVerified)
