"""Submitted tasks through the Room Protocol's tools: reviews, whose yes or no is the verdict (W-37, gap 61)."""

import json
from typing import Any

import pytest

from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.lifecycle import SetPolicy
from stateroom.core.policy import REVIEW_SECONDS
from stateroom.core.proving import VerifyTask
from stateroom.core.tasks import OpenTask

from .hands import Hands, submission
from .harness import Room


async def test_a_submission_is_listed_as_a_review_with_its_deadline(hands: Hands) -> None:
    """Newest first, under its status; who submitted it requests it, and any other member may resolve it."""
    room = hands.room
    asked = await room.call("request_review", targetType="task", targetId="T-01", requestedBy="ann", reviewer="bob")
    await hands.do("bob", submission(note="please"))
    newest, older = await room.call("list_reviews")
    assert (newest["id"], newest["targetId"], newest["requestedBy"], newest["reviewer"]) == (
        "R-T-01.1",
        "T-01",
        "bob",
        "",
    )
    assert (newest["ofSubmission"], newest["requestNote"]) == (True, "please")
    due = f"2026-01-01T00:{REVIEW_SECONDS // 60}:00.000Z"
    assert (newest["dueAt"], older["dueAt"]) == (due, due)
    assert older["id"] == asked["id"]
    assert await room.call("list_reviews", status="approved") == []


async def test_approving_a_submission_is_the_verdict(hands: Hands) -> None:
    """The task is done, the review approved, and its notes are two."""
    await hands.do("bob", submission(note="please"))
    room = hands.room
    review = await room.call("approve", reviewId="R-T-01.1", agentId="cyd", note="ran it")
    assert (review["status"], review["resolvedBy"]) == ("approved", "cyd")
    assert (review["requestNote"], review["resolutionNote"], review["note"]) == ("please", "ran it", "ran it")
    assert "dueAt" not in review
    task = await room.call("get_task", taskId="T-01")
    assert (task["status"], task["verdict"]["by"], task["verdict"]["note"]) == ("done", "cyd", "ran it")
    assert (await hands.newest())["type"] == "task_updated"
    assert await room.call("list_reviews", status="approved") == [review]


async def test_rejecting_a_submission_gives_it_back(hands: Hands) -> None:
    """The next submission is another review; the first keeps its verdict."""
    await hands.do("bob", submission())
    room = hands.room
    await room.call("reject", reviewId="R-T-01.1", agentId="cyd", note="no test")
    task = await room.call("get_task", taskId="T-01")
    assert (task["status"], task["state"], task["verdict"]["note"]) == ("in_progress", "rejected", "no test")
    await hands.do("bob", submission(note="with a test"))
    listed = [(review["id"], review["status"]) for review in await room.call("list_reviews")]
    assert listed == [("R-T-01.2", "pending"), ("R-T-01.1", "rejected")]


@pytest.mark.parametrize("name", ["bob", "BOB", " bob "])
async def test_nobody_resolves_the_review_of_its_own_submission(hands: Hands, name: str) -> None:
    """In no spelling; nothing changes."""
    await hands.do("bob", submission())
    before = await hands.room.state()
    refused = await hands.room.refusal("approve", reviewId="R-T-01.1", agentId=name)
    assert refused.code == "owner_cannot_verify"
    assert await hands.room.state() == before


async def test_only_the_named_verifier_resolves_it(hands: Hands) -> None:
    """It is the reviewer; a run that failed needs its note, here too."""
    await hands.do("ann", ReassignTask("T-01", verifier="cyd"))
    await hands.do("bob", submission())
    room = hands.room
    assert (await room.call("list_reviews"))[0]["reviewer"] == "cyd"
    assert (await room.refusal("approve", reviewId="R-T-01.1", agentId="ann")).code == "not_the_verifier"
    await hands.do("bob", submission(failed=True))
    assert (await room.refusal("approve", reviewId="R-T-01.1", agentId="cyd")).code == "verdict_needs_note"
    assert (await room.refusal("approve", reviewId="R-T-01.1", agentId="cyd", note=" ")).code == "verdict_needs_note"
    await room.call("approve", reviewId="R-T-01.1", agentId="cyd", note="known failure")
    again = await room.refusal("approve", reviewId="R-T-01.1", agentId="cyd", note="known failure")
    assert again.text == "Error: Review already approved"


async def test_a_task_that_needs_proof_is_not_finished_by_an_update(hands: Hands) -> None:
    """The refusal names the exact next call; the room's policy asks it of every task."""
    room = hands.room
    await hands.do("ann", OpenTask("proven", dod="green"))
    refused = await room.refusal("update_task", taskId="T-02", status="done", agentId="bob")
    assert refused.code == "task_needs_proof"
    assert 'room_task(action: "' in refused.result["content"][1]["text"]
    await hands.do("ann", SetPolicy(proof="always"))
    assert (await room.refusal("update_task", taskId="T-01", status="done", agentId="bob")).code == "task_needs_proof"


async def test_finishing_a_leased_task_takes_its_token(hands: Hands) -> None:
    """Without it, or with that of an earlier holder, nothing changes; with it the task is done."""
    room = hands.room
    await hands.do("bob", ClaimTask("T-01", 60))
    before = await room.state()
    wrong: list[tuple[dict[str, Any], str]] = [({}, "token_needed"), ({"token": 9}, "token_stale")]
    for more, code in wrong:
        refused = await room.refusal("update_task", taskId="T-01", status="done", agentId="bob", **more)
        assert refused.code == code
    assert await room.state() == before
    bad = await room.refusal("update_task", taskId="T-01", status="done", agentId="bob", token="1")
    assert [issue["path"] for issue in bad.issues] == [["token"]]
    assert (await room.call("update_task", taskId="T-01", status="done", agentId="bob", token=1))["status"] == "done"


async def test_a_summary_names_the_verdicts_an_agent_owes_first(hands: Hands) -> None:
    """Also three hundred events later, and for a model inside its 8 KB."""
    await hands.do("ann", ReassignTask("T-01", verifier="cyd"))
    await hands.do("bob", submission())
    room = hands.room
    for number in range(300):
        await room.post("noise", payload={"n": number, "text": "x" * 200})
    for seat in (room.named(), room):
        answer = await seat.ask("get_my_summary", agentId="cyd")
        yours = answer.value["yourTasks"]
        assert [task["id"] for task in yours["toVerify"]] == ["T-01"]
        assert 'room_task(action: "verify", id: "T-01"' in yours["hint"]
    assert "yourTasks" not in await room.call("get_my_summary", agentId="dan")


async def test_a_summary_full_of_duties_still_fits(room: Room) -> None:
    """Forty tasks to verify, forty to do, long titles, and events: under 8 KB, counted, with events in it."""
    hands = Hands(room)
    for number in range(40):
        judged, own = (f"{kind}-{'y' * 50}-{number}" for kind in "vo")
        await hands.do("bob", OpenTask(f"“{number}” " + "é" * 150, id=judged, verifier="cyd"))
        await hands.do("bob", submission(judged))
        await hands.do("ann", OpenTask("“" + "z" * 150, id=own, owner="cyd"))
        if number % 2:
            await hands.do("cyd", ClaimTask(own))
    answer = await room.named().ask("get_my_summary", agentId="cyd")
    assert max(answer.halves()) <= 8192
    yours = answer.value["yourTasks"]
    assert yours["toVerify"][0]["id"].endswith("-0")
    assert len(yours["toVerify"]) + len(yours["toDo"]) + yours["more"] == 80
    assert len(json.dumps(yours, ensure_ascii=False).encode()) <= 2048
    assert len(answer.value["unreadEvents"]) > 1
    assert answer.cut


async def test_a_task_with_a_long_definition_of_done_still_fits(hands: Hands) -> None:
    """A model gets the beginning of it, of its verdict's note too, and is told where the rest is."""
    await hands.do("ann", OpenTask("proven", dod="é" * 4_000, id="long"))
    await hands.do("bob", submission("long"))
    await hands.do("cyd", VerifyTask("long", "rejected", "ü" * 3_900))
    model = hands.room.named()
    for tool, arguments in (
        ("get_my_tasks", {"agentId": "bob"}),
        ("get_my_summary", {"agentId": "bob"}),
        ("read_plan", {}),
    ):
        answer = await model.ask(tool, **arguments)
        assert max(answer.halves()) <= 8192, tool
        assert "left_out" in str(answer.value), tool
    whole = await hands.room.call("get_task", taskId="long")
    assert (len(whole["dod"]), len(whole["verdict"]["note"])) == (4_000, 3_900)
