"""Evidence and verdicts by `room_task`: what is shown, what goes stale, who may say done (agent-room §6.4, §6.5)."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from stateroom.core.evidence import EVIDENCE_CHARS
from tests.wire.agent_room.mcp.ahead import Timed, timed
from tests.wire.agent_room.mcp.test_board import CHECKED, RUN
from tests.wire.agent_room.mcp.test_files import file, send

OLD, NEW = "1111111aaaa", "2222222bbbb"


@pytest_asyncio.fixture
async def there(tmp_path: Path, http: httpx2.AsyncClient) -> AsyncIterator[Timed]:
    """One task of a board, on a server whose clock can be put ahead."""
    async with timed(tmp_path, http) as board:
        yield board


# -- what is shown


async def test_a_submission_may_name_a_commit_files_and_pages(there: Timed) -> None:
    """`commit`, `attachments` and `links` lie before the verifier with the rest."""
    await send(there.agent, there.code, file("log.txt"))
    id = (await there.agent.call("room_attachment_read", code=there.code, name="log.txt"))["attachment"]["id"]
    more = {"commit": OLD.upper(), "attachments": [id, id], "links": ["https://ci.example/1"]}
    shown = (await there.do("Ada", "submit", **RUN, **more))["task"]
    assert shown["evidence"]["commit"] == shown["commit"]["commit"] == OLD
    assert (shown["commit"]["by"], shown["commit"]["byClient"]) == ("Ada", "cc")
    assert (shown["evidence"]["attachments"], shown["evidence"]["links"]) == ([id], ["https://ci.example/1"])
    assert {"warning", "stale"}.isdisjoint({*shown, *shown["evidence"]})


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"fileListing": ""}, "EvidenceIncompleteError"),
        ({"fileExcerpt": " \n\t "}, "EvidenceIncompleteError"),
        ({"runOutput": ""}, "EvidenceIncompleteError"),
        ({"exitCode": None}, "EvidenceIncompleteError"),
        ({"exitCode": 2**40}, "EvidenceIncompleteError"),
        ({"runOutput": "x" * (EVIDENCE_CHARS + 1)}, "too_long"),
        ({"fileListing": "x" * 1_000_000}, "too_long"),
        ({"commit": "no commit"}, "bad_request"),
        ({"commit": "abc"}, "bad_request"),
        ({"links": ["javascript:alert(1)"]}, "bad_request"),
        ({"links": ["https://x.example/a b"]}, "bad_request"),
        ({"links": [f"https://x.example/{n}" for n in range(11)]}, "too_long"),
        ({"attachments": ["00000000-0000-4000-8000-000000000000"]}, "attachment_not_found"),
        ({"attachments": ["x"] * 11}, "too_long"),
        ({"token": 3}, "task_lease_token_stale"),
    ],
)
async def test_evidence_that_shows_nothing_is_refused(there: Timed, more: dict[str, Any], error: str) -> None:
    """Missing, blank, oversized or invented parts; the task stays open."""
    assert await there.no("Ada", "submit", **{**RUN, **more}) == error


async def test_each_point_of_a_definition_of_done_is_checked(there: Timed) -> None:
    """What was not run says how every point was checked (trap 72)."""
    await there.do("Nova", "create", "LIST", title="docs", dod="- one\n- two\n- three")
    failed = await there.agent.no(
        "room_task", code=there.code, name="Ada", action="submit", id="LIST", **{**CHECKED, "checks": "all fine"}
    )
    assert failed["error"] == "EvidenceIncompleteError"
    assert "3 points" in failed["message"]
    done = await there.do("Ada", "submit", "LIST", **{**CHECKED, "checks": "- a\n- b\n- c"})
    assert done["task"]["state"] == "awaiting_review"


async def test_a_run_that_failed_is_said_loudly(there: Timed) -> None:
    """On the task, on the board and in the room; done needs the verifier's note (gap 65)."""
    shown = await there.do("Ada", "submit", **{**RUN, "exitCode": 2})
    assert shown["task"]["warning"].startswith("WARNING: its run ended with exit code 2.")
    assert shown["board"]["tasks"][0]["warning"] == shown["task"]["warning"]
    assert "WARNING: its run ended with exit code 2." in (await there.lines("task_update"))[-1]["text"]
    assert await there.no("Iris", "verify", verdict="done") == "VerifyNoteRequiredError"
    assert await there.no("Iris", "verify", verdict="done", note="   ") == "VerifyNoteRequiredError"
    done = await there.do("Iris", "verify", verdict="done", note="known failure, see T-09")
    assert (done["task"]["state"], "warning" in done["task"]) == ("done", False)


async def test_a_run_that_contradicts_itself_is_pointed_out(there: Timed) -> None:
    """exitCode 0 beside an output that failed proves nothing, so it is shown and nothing more (trap 72)."""
    shown = await there.do("Ada", "submit", **{**RUN, "runOutput": "== 3 failed, 9 passed =="})
    assert shown["task"]["warning"].startswith("WARNING: exitCode is 0, but its output says '3 failed'.")
    assert (await there.do("Iris", "verify", verdict="done"))["task"]["state"] == "done"


async def test_a_newer_commit_makes_what_was_shown_stale(there: Timed) -> None:
    """`stale`, said loudly on the line of the report too; accepting it needs a note (trap 72)."""
    await there.do("Ada", "submit", commit=OLD, **RUN)
    shown = (await there.do("Nova", "commit", commit=NEW))["task"]
    assert (shown["evidence"]["stale"], shown["commit"]["commit"], shown["commit"]["by"]) == (True, NEW, "Nova")
    assert f"it is about commit {OLD}, and {NEW} has been reported since" in shown["warning"]
    assert (await there.lines("task_update"))[-1]["text"].endswith(shown["warning"])
    assert await there.no("Iris", "verify", verdict="done") == "VerifyNoteRequiredError"
    again = (await there.do("Ada", "submit", commit=NEW, **RUN))["task"]
    assert {"warning", "stale"}.isdisjoint({*again, *again["evidence"]})


async def test_a_report_needs_a_commit(there: Timed) -> None:
    """And a task that is not over."""
    assert await there.no("Ada", "commit") == "bad_request"
    assert await there.no("Ada", "commit", commit="HEAD") == "bad_request"
    await there.do("Nova", "cancel")
    assert await there.no("Ada", "commit", commit=NEW) == "TaskStateError"


async def test_what_was_submitted_before_is_kept(there: Timed) -> None:
    """`submissionHistory` in a full look at one task; not beside every change."""
    await there.do("Ada", "submit", **{**RUN, "exitCode": 1}, commit=OLD)
    await there.do("Iris", "verify", verdict="rejected", note="red")
    again = await there.do("Ada", "submit", **RUN, note="mended")
    assert (again["task"]["submissions"], "submissionHistory" in again) == (2, False)
    whole = await there.list(id="T-01", full=True)
    (first,) = whole["submissionHistory"]
    assert first.pop("at") <= whole["task"]["evidence"]["at"]
    assert first == {"by": "Ada", "exitCode": 1, "commit": OLD}


# -- who may say done


@pytest.mark.parametrize("spelling", ["Ada", "ADA", "  ada ", "\uff21\uff44\uff41"])
async def test_nobody_rules_on_its_own_work(there: Timed, spelling: str) -> None:
    """Under no spelling: trimmed, case-folded, NFKC (gap 63)."""
    await there.do("Ada", "submit", **RUN)
    assert await there.no(spelling, "verify", verdict="done", note="mine") == "OwnerCannotVerifyError"
    assert await there.no(spelling, "verify", verdict="rejected") == "OwnerCannotVerifyError"


async def test_handing_a_task_on_does_not_let_its_submitter_judge(there: Timed) -> None:
    """Whoever submitted it does not rule on it, whoever owns it by now (gap 62)."""
    await there.do("Ada", "submit", **RUN)
    await there.do("Nova", "reassign", owner="Nova")
    assert await there.no("Ada", "verify", verdict="done") == "OwnerCannotVerifyError"
    assert await there.no("Nova", "reassign", verifier="Ada") == "TaskStateError"
    assert (await there.do("Iris", "verify", verdict="done"))["task"]["state"] == "done"


async def test_where_names_are_keyed_a_verdict_needs_a_seat_of_its_own(there: Timed) -> None:
    """A second name for the same session rules on nothing (trap 72)."""
    keys = {name: (await there.agent.call("room_join", code=there.code, name=name))["seatKey"] for name in ("Bo", "Cy")}
    await there.admin(identity="keyed")
    await there.do("Bo", "submit", seatKey=keys["Bo"], **RUN)
    assert await there.no("Bo II", "verify", verdict="done", seatKey=keys["Bo"]) == "not_participant"
    assert await there.no("Cy", "verify", verdict="done") == "seat_key_needed"
    assert await there.no("Cy", "verify", verdict="done", seatKey=keys["Bo"]) == "seat_key_needed"
    assert await there.no("bo", "verify", verdict="done", seatKey=keys["Bo"]) == "OwnerCannotVerifyError"
    assert (await there.do("Cy", "verify", verdict="done", seatKey=keys["Cy"]))["task"]["state"] == "done"


async def test_a_policy_asks_every_task_for_proof(there: Timed) -> None:
    """`proof: always`: the plan's way of finishing names the next call."""
    await there.admin(proof="always")
    await there.do("Ada", "claim")
    moved = {"roomId": there.code, "agentId": "Ada", "taskId": "T-01", "status": "done"}
    refused = (await there.agent.ask("update_task", **moved)).result["structuredContent"]["error"]
    assert refused["code"] == "task_needs_proof"
    assert 'room_task(action: "submit", id: "T-01"' in refused["hint"]


async def test_a_verifier_who_left_is_replaced(there: Timed) -> None:
    """After a minute another present member is asked, and the room hears from whom to whom (gap 67)."""
    await there.do("Nova", "create", "V", title="with a verifier", verifier="Iris")
    await there.do("Ada", "submit", "V", **RUN)
    waiting = await there.task("V")
    assert waiting["reviewDueAt"] == waiting["reviewRequestedAt"] + 1_800_000
    await there.agent.call("room_leave", code=there.code, name="Iris")
    await there.pass_s(61)
    task = await there.task("V")
    assert (task["verifier"], task["state"]) == ("Nova", "awaiting_review")
    changed = task["roleHistory"][-1]
    assert (changed["field"], changed["from"], changed["to"]) == ("verifier", "Iris", "Nova")
    line = (await there.lines("task_update"))[-1]
    assert line["text"] == "The verdict on V is overdue: @Nova is asked for it instead of Iris (now awaiting_review)."
    assert line["for"] == "Nova"
    assert (await there.list(name="Nova"))["yourTasks"]["toVerify"][0]["id"] == "V"


async def test_a_verdict_that_nobody_can_give_is_missed_aloud(there: Timed) -> None:
    """`review_overdue` says since when it waits, ever more rarely."""
    await there.admin(reviewSeconds=30)
    await there.do("Ada", "submit", **RUN)
    for name in ("Iris", "Nova"):
        await there.agent.call("room_leave", code=there.code, name=name)
    await there.pass_s(3_600)
    (line,) = await there.lines("review_overdue")
    assert line["text"].startswith("T-01 has waited for a verdict since 20")
    assert line["text"].endswith("Z, and nobody is here who could give it.")
    await there.pass_s(60)
    assert len(await there.lines("review_overdue")) == 1


# -- stopping, coming back, and the end


async def test_what_is_cancelled_is_not_worked_on(there: Timed) -> None:
    """No claim, submission, verdict, hand-over or next on it, until it is reopened."""
    await there.do("Nova", "cancel")
    for action, more in (
        ("claim", {"leaseSeconds": 900}),
        ("submit", RUN),
        ("grant", {"owner": "Nova"}),
        ("handoff", {}),
        ("block", {"reason": "r"}),
    ):
        assert await there.no("Ada", action, **more) == "TaskStateError"
    assert await there.no("Ada", "verify", verdict="done") == "TaskDoneImmutableError"
    assert (await there.do("Ada", "next", ""))["task"] is None


@pytest.mark.parametrize("state", ["", "todo", "in_progress", "awaiting_review", "blocked"])
async def test_a_task_is_reopened_to_where_it_is_wanted(there: Timed, state: str) -> None:
    """`state`, by default todo (§6.8)."""
    await there.do("Ada", "submit", **RUN)
    await there.do("Iris", "verify", verdict="rejected", note="no")
    back = await there.do("Nova", "reopen", **({"state": state} if state else {}))
    assert back["task"]["state"] == (state or "todo")


async def test_a_task_is_not_reopened_to_a_verdict(there: Timed) -> None:
    """Done and rejected are no states to bring it to; without evidence nothing waits for a verdict."""
    await there.do("Nova", "cancel")
    assert await there.no("Nova", "reopen", state="done") == "bad_request"
    assert await there.no("Nova", "reopen", state="awaiting_review") == "EvidenceIncompleteError"


async def test_the_end_of_the_board_is_told_once(there: Timed) -> None:
    """`board_completed`, and when, until something is to do again."""
    await there.do("Nova", "create", "X", title="not wanted")
    await there.do("Nova", "cancel", "X")
    await there.do("Ada", "submit", **RUN)
    assert await there.lines("board_completed") == []
    await there.do("Iris", "verify", verdict="done")
    (line,) = await there.lines("board_completed")
    assert line["text"] == "Nothing is left to do on the board: 1 done, 1 cancelled."
    assert (await there.list())["board"]["completionAnnouncedAt"] > 0
    await there.do("Nova", "create", "Y", title="one more")
    assert "completionAnnouncedAt" not in (await there.list())["board"]
    assert len(await there.lines("board_completed")) == 1
