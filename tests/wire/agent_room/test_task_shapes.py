"""Tasks and the board, field by field (agent-room §4.8, §4.9, third generation)."""

import pytest

from stateroom.core.halting import BlockTask, CancelTask
from stateroom.core.handing import GrantHandoff, RenewTask, RequestHandoff
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.policy import Policy
from stateroom.core.proving import ReportCommit, SubmitTask, VerifyTask
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.testing.scenes import START
from stateroom.wire.agent_room.tasks import board_shape, submission_history, task_shape
from tests.core.talking import Talk
from tests.wire.agent_room.forms import CODE, is_form

TASK = {**dict.fromkeys(("id", "title", "state", "createdBy"), str), **dict.fromkeys(("createdAt", "updatedAt"), int)}
ROLES = dict.fromkeys(("owner", "ownerClient", "verifier", "verifierClient", "dod"), str)
PARTS = {**dict.fromkeys(("evidence", "verdict", "cancellation", "blocked", "lease"), dict), "roleHistory": list}
ASKED = {"reviewRequestedAt": int}
OURS = {
    "description": str,
    "dependsOn": list,
    "priority": int,
    "submissions": int,
    "warning": str,
    "handoff": dict,
    "commit": dict,
    "reviewDueAt": int,
}
LEASE = {"id": str, "token": int, "status": str, "grantedAt": int, "expiresAt": int}
HOLDER = {"holderName": str, "holderClient": str}
EVIDENCE = dict.fromkeys(("fileListing", "fileExcerpt", "submittedBy", "submittedClient"), str) | {"at": int}
SHOWN = {"runOutput": str, "exitCode": int, "checks": str}
OUR_SHOWN = {"note": str, "commit": str, "attachments": list, "links": list, "stale": bool}
RUN = {"file_listing": "a.py", "file_excerpt": "x", "run_output": "1 passed", "exit_code": 0}
OLD, NEW = "1111111aaaa", "2222222bbbb"


def board(**task) -> Talk:
    """A task that Ann can do and Ben can rule on; the host is a person."""
    talk = Talk("Ann", "Ben")
    talk.do("host", OpenTask("Fix it", **task))
    return talk


def shown(talk: Talk) -> dict:
    """The one task, in its form."""
    shape = task_shape(talk.room.board.find("T-01"), talk.room)
    is_form(shape, TASK, {**ROLES, **PARTS, **ASKED}, OURS)
    return shape


def test_a_task_that_is_open_has_little_to_say():
    """What is not there is left out."""
    shape = shown(board())
    assert set(shape) == set(TASK)
    assert (shape["state"], shape["createdBy"], shape["createdAt"]) == ("todo", "host", START)


def test_a_lease_has_the_listed_fields():
    """Its holder and its end, as both stand; `renewedAt` only if it was, on purpose."""
    talk = board()
    talk.do("Ann", ClaimTask("T-01", 900))
    lease = shown(talk)["lease"]
    is_form(lease, {**LEASE, **HOLDER}, {}, {})
    assert lease == {
        "id": "1",
        "token": 1,
        "status": "active",
        "holderName": "Ann",
        "holderClient": "cc",
        "grantedAt": START,
        "expiresAt": START + 900_000,
    }
    talk.pass_s(60).do("Ann", RenewTask("T-01", 1))
    again = shown(talk)["lease"]
    assert (again["renewedAt"], again["expiresAt"]) == (START + 60_000, START + 960_000)


def test_a_lease_lasts_from_its_holders_last_sign_of_life():
    """`expiresAt` is the room's knowledge, not the lease's alone."""
    talk = board()
    talk.do("Ann", ClaimTask("T-01", 900))
    talk.pass_s(300).say("Ann")
    assert shown(talk)["lease"]["expiresAt"] == START + 1_200_000


@pytest.mark.parametrize(("seconds", "status"), [(931, "expired"), (None, "released")])
def test_a_lease_that_is_over_says_how(seconds, status):
    """By the clock, or by work that came to something; nobody holds it then."""
    talk = board()
    talk.do("Ann", ClaimTask("T-01", 900))
    if seconds:
        talk.tick(seconds)
    else:
        talk.do("Ann", SubmitTask("T-01", **RUN, token=1))
    lease = shown(talk)["lease"]
    is_form(lease, {**LEASE, "releasedAt": int}, {}, {})
    assert lease["status"] == status


def test_who_asks_for_a_task_is_on_it_until_it_changes_hands():
    """`handoff`, on the task and on its lease."""
    talk = board()
    talk.do("Ann", ClaimTask("T-01", 900))
    talk.do("host", RequestHandoff("T-01"))
    asked = {"requestedByName": "host", "requestedByClient": "web", "requestedAt": START}
    shape = shown(talk)
    assert shape["handoff"] == shape["lease"]["handoff"] == asked
    talk.do("Ann", GrantHandoff("T-01", token=1))
    after = shown(talk)
    assert "handoff" not in {*after, *after["lease"]}
    assert (after["owner"], after["lease"]["token"]) == ("host", 2)


def test_what_is_submitted_has_the_listed_fields():
    """§4.8's, and ours: note, commit, attachments, links."""
    talk = board()
    talk.do("Ann", SubmitTask("T-01", **RUN, note="n", commit=OLD, links=("https://x.example",)))
    shape = shown(talk)
    is_form(shape["evidence"], EVIDENCE, SHOWN, OUR_SHOWN)
    assert (shape["evidence"]["commit"], shape["evidence"]["links"]) == (OLD, ["https://x.example"])
    assert shape["commit"] == {"commit": OLD, "by": "Ann", "byClient": "cc", "at": START}
    assert (shape["state"], shape["submissions"]) == ("awaiting_review", 1)


def test_a_task_that_waits_for_a_verdict_says_since_when_and_how_long():
    """`reviewRequestedAt` and `reviewDueAt`, only then."""
    talk = board()
    talk.pass_s(5).do("Ann", SubmitTask("T-01", **RUN))
    shape = shown(talk)
    assert (shape["reviewRequestedAt"], shape["reviewDueAt"]) == (START + 5_000, START + 1_805_000)
    talk.do("Ben", VerifyTask("T-01", "done"))
    assert {"reviewRequestedAt", "reviewDueAt"}.isdisjoint(shown(talk))


def test_a_verdict_that_may_take_for_ever_is_never_due():
    """Where the policy says so."""
    talk = Talk("Ann", policy=Policy(review_seconds=0))
    talk.do("host", OpenTask("Fix it"))
    talk.do("Ann", SubmitTask("T-01", **RUN))
    assert "reviewDueAt" not in shown(talk)


@pytest.mark.parametrize(
    ("submitted", "reported", "warning"),
    [
        ({**RUN, "exit_code": 1}, "", "WARNING: its run ended with exit code 1. Accepting it needs a note"),
        (RUN, NEW, f"WARNING: it names no commit, and {NEW} has been reported since. Accepting it needs a note"),
        ({**RUN, "run_output": "Traceback (most recent call last)"}, "", "WARNING: exitCode is 0, but its output says"),
        ({**RUN, "commit": NEW}, NEW[:8], None),
        (RUN, "", None),
    ],
)
def test_what_speaks_against_a_submission_is_said_in_one_sentence(submitted, reported, warning):
    """Loudly, on the task; nothing where nothing does (gap 65, trap 72)."""
    talk = board()
    talk.do("Ann", SubmitTask("T-01", **submitted))
    if reported:
        talk.do("host", ReportCommit("T-01", reported))
    shape = shown(talk)
    assert shape.get("warning", "").startswith(warning) if warning else "warning" not in shape
    assert shape["evidence"].get("stale", False) is ("names no commit" in (warning or ""))
    talk.do("Ben", VerifyTask("T-01", "done", "seen"))
    assert "warning" not in shown(talk)


def test_what_was_submitted_before_is_told_in_short():
    """Oldest first, without the newest."""
    talk = board()
    for code in (2, 1):
        talk.do("Ann", SubmitTask("T-01", **{**RUN, "exit_code": code}, commit=OLD))
        talk.pass_s(1).do("Ben", VerifyTask("T-01", "rejected", "no"))
    talk.do("Ann", SubmitTask("T-01", **RUN))
    first, second = submission_history(talk.room.board.find("T-01"))
    assert first == {"by": "Ann", "at": START, "exitCode": 2, "commit": OLD}
    assert (second["at"], second["exitCode"]) == (START + 1_000, 1)


def test_a_task_says_who_stopped_it_and_how_it_changed_hands():
    """`blocked`, `cancellation`, `roleHistory`, each with who did it."""
    talk = board(owner="Ann")
    talk.do("host", ReassignTask("T-01", owner="Ben"))
    talk.do("Ben", BlockTask("T-01", "no key"))
    shape = shown(talk)
    assert shape["blocked"] == {"by": "Ben", "byClient": "cc", "at": START, "reason": "no key"}
    (change,) = shape["roleHistory"]
    assert change == {"by": "host", "byClient": "web", "at": START, "field": "owner", "from": "Ann", "to": "Ben"}
    talk.do("host", CancelTask("T-01", "not now"))
    assert shown(talk)["cancellation"]["reason"] == "not now"


def test_a_board_has_the_listed_fields():
    """§4.9; what has not been said yet is left out."""
    is_form(board_shape(Talk().room, CODE), {"code": str, "tasks": list, "version": int}, {}, {})
    talk = board()
    talk.do("Ann", ClaimTask("T-01"))
    talk.tick(601)
    told = board_shape(talk.room, CODE)
    is_form(told, {"code": str, "tasks": list, "version": int}, {"lastProgressAt": int, "lastStallNudgeAt": int}, {})
    assert (told["lastProgressAt"], told["lastStallNudgeAt"]) == (START, START + 601_000)


def test_a_board_says_when_its_end_was_told():
    """`completionAnnouncedAt`, until something is to do again."""
    talk = board()
    talk.pass_s(9).do("host", MoveTask("T-01", "done"))
    assert board_shape(talk.room, CODE)["completionAnnouncedAt"] == START + 9_000
    talk.do("host", OpenTask("more"))
    assert "completionAnnouncedAt" not in board_shape(talk.room, CODE)
