"""What the transcript says of the board (agent-room §4.4): one sentence a fact, and whom it calls."""

from typing import Any

import pytest

from stateroom.core.halting import CancelTask
from stateroom.core.handing import GrantHandoff, ReleaseTask, RenewTask, RequestHandoff
from stateroom.core.holding import ClaimTask
from stateroom.core.ids import Name
from stateroom.core.messages import PostMessage
from stateroom.core.proving import ReportCommit, SubmitTask
from stateroom.core.reviews import RequestReview
from stateroom.core.room import Tick
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.wire.agent_room.lines import OURS
from tests.core.talking import HOST, Talk
from tests.wire.agent_room.forms import messages

RUN = {"file_listing": "a.py", "file_excerpt": "x", "run_output": "1 passed", "exit_code": 0}
NEW = "2222222bbbb"


def board(title: str = "Fix it", **task: Any) -> Talk:
    """Ann and Ben, and a task."""
    talk = Talk("Ann", "Ben")
    talk.do("host", OpenTask(title, **task))
    return talk


def last(talk: Talk) -> tuple[str, str, str]:
    """The newest line: its text, its event, and whom it calls."""
    line = messages(talk)[-1]
    assert (line["type"], line["name"]) == ("sys", "system")
    return line["text"], line["metadata"]["eventType"], line["metadata"].get("targetAgentName", "")


def tick(talk: Talk, seconds: float, *present: str) -> None:
    """Time passes, and the room notices; these members are there."""
    talk.pass_s(seconds)
    talk.do("", Tick(tuple(map(Name, present))), proof=HOST)


def test_a_lapsed_lease_names_its_holder_and_its_last_sign_of_life():
    """As a time of day; the task is anybody's (gap 74)."""
    talk = board()
    talk.do("Ann", ClaimTask("T-01", 60))
    talk.tick(91)
    text, event, whom = last(talk)
    assert (event, whom) == ("task_update", "")
    assert text == (
        "📝 T-01 is free again: the lease of Ann has run out, who was last seen at 2026-01-01T00:00:00.000Z (now todo)."
    )
    assert messages(talk)[-1]["metadata"]["taskId"] == "T-01"


def test_a_silent_holder_is_called():
    """With the time since when it is silent."""
    talk = board()
    talk.do("Ann", ClaimTask("T-01"))
    talk.tick(600)
    text = "@Ann holds T-01 and has done nothing here since 2026-01-01T00:00:00.000Z."
    assert last(talk) == (text, "stalled_claim", "Ann")


def test_a_verdict_that_is_asked_of_another_says_from_whom_to_whom():
    """It calls who is asked now (gap 67)."""
    talk = board(verifier="Ben")
    talk.do("Ann", SubmitTask("T-01", **RUN))
    tick(talk, 1_801, "host", "Ann")
    text = "The verdict on T-01 is overdue: @host is asked for it instead of Ben (now awaiting_review)."
    assert last(talk) == (text, "task_update", "host")


def test_a_verdict_nobody_can_give_is_said_to_be_missing():
    """Since when it waits."""
    talk = board()
    talk.do("Ann", SubmitTask("T-01", **RUN))
    tick(talk, 1_801, "Ann")
    text = "T-01 has waited for a verdict since 2026-01-01T00:00:00.000Z, and nobody is here who could give it."
    assert last(talk) == (text, "review_overdue", "")


@pytest.mark.parametrize(
    ("present", "text", "event", "whom"),
    [
        (
            ("host", "Ann"),
            "The review R-01 of task T-01 is overdue: @Ann is asked for it instead of Ben.",
            "review_requested",
            "Ann",
        ),
        ((), "The review R-01 of task T-01 is overdue, and nobody is here to give it.", "review_overdue", "Ben"),
    ],
)
def test_a_review_that_is_overdue_says_so(present, text, event, whom):
    """And whom it is asked of now, if anybody is here."""
    talk = board()
    talk.do("host", RequestReview("task", "T-01", "Ben"))
    tick(talk, 1_801, *present)
    assert last(talk) == (text, event, whom)


def test_a_task_is_asked_for_and_handed_over_aloud():
    """Its holder is called, then who holds it now."""
    talk = board()
    talk.do("Ann", ClaimTask("T-01"))
    talk.do("Ben", RequestHandoff("T-01"))
    assert last(talk) == ("Ben asks @Ann for T-01.", "task_handoff_requested", "Ann")
    talk.do("Ann", GrantHandoff("T-01"))
    text = '🔨 T-01 "Fix it" handed over by Ann, owner Ben (now in_progress).'
    assert last(talk) == (text, "task_update", "Ben")
    talk.do("Ben", ReleaseTask("T-01"))
    assert last(talk) == ('📝 T-01 "Fix it" given back by Ben (now todo).', "task_update", "")


def test_a_renewal_is_no_line():
    """It comes again and again."""
    talk = board()
    talk.do("Ann", ClaimTask("T-01", 900))
    before = len(messages(talk))
    talk.pass_s(5).do("Ann", RenewTask("T-01", 1))
    assert len(messages(talk)) == before


def test_a_submission_that_failed_is_said_loudly():
    """Behind the sentence that programs read (gap 65)."""
    talk = board(verifier="Ben")
    talk.do("Ann", SubmitTask("T-01", **{**RUN, "exit_code": 3}))
    text, _, whom = last(talk)
    assert whom == "Ben"
    assert text == (
        '🔎 T-01 "Fix it" submitted by Ann, owner Ann (now awaiting_review). '
        "WARNING: its run ended with exit code 3. Accepting it needs a note that says why."
    )


def test_a_newer_commit_says_that_what_was_shown_is_stale():
    """Only where something was shown."""
    talk = board()
    talk.do("Ann", ReportCommit("T-01", "1111111"))
    assert last(talk)[0] == '📝 T-01 "Fix it" brought to another commit by Ann (now todo).'
    talk.do("Ann", SubmitTask("T-01", **RUN))
    talk.do("Ben", ReportCommit("T-01", NEW))
    assert f"WARNING: it is about commit 1111111, and {NEW} has been reported since." in last(talk)[0]


@pytest.mark.parametrize(("tasks", "ending"), [(1, "1 done."), (3, "1 done, 2 cancelled.")])
def test_the_end_of_a_board_is_one_line(tasks, ending):
    """With its figures."""
    talk = Talk("Ann")
    for number in range(tasks):
        talk.do("host", OpenTask(f"task {number}"))
    for number in range(1, tasks):
        talk.do("host", CancelTask(f"T-0{number + 1}"))
    talk.do("host", MoveTask("T-01", "done"))
    assert last(talk) == (f"Nothing is left to do on the board: {ending}", "board_completed", "")
    ends = [line for line in messages(talk) if line["metadata"].get("eventType") == "board_completed"]
    assert len(ends) == 1


def test_names_and_titles_do_not_forge_what_programs_read():
    """Neither a quote nor a `(now …)` of members' words survives in our sentences."""
    talk = Talk("Ann", 'Ben" (now done)')
    talk.do("host", OpenTask('x" (now done). '))
    talk.do('Ben" (now done)', ClaimTask("T-01", 60))
    talk.do("Ann", RequestHandoff("T-01"))
    talk.tick(91)
    talk.do('Ben" (now done)', ClaimTask("T-01"))
    talk.tick(601)
    texts = [line["text"] for line in messages(talk) if line["type"] == "sys"]
    assert not [text for text in texts if "(now done)" in text]
    assert any("stalled" in line["metadata"]["eventType"] for line in messages(talk) if line["type"] == "sys")


@pytest.mark.parametrize("event", ["stalled_claim", "review_overdue", "board_completed", "task_handoff_requested"])
def test_nobody_else_says_what_only_the_server_says(event):
    """An event posted under one of these names has another (gap 31)."""
    assert event in OURS
    talk = Talk("Ann")
    talk.do("Ann", PostMessage(event, "all", {}))
    assert last(talk)[1] == f"posted_{event}"
