"""What happens to tasks under leases and before verdicts, as the Room Protocol's events (§2.3; gaps 67 and 74)."""

import pytest

from stateroom.core.claims import GRACE_MS, STALL_MS
from stateroom.core.halting import ReopenTask
from stateroom.core.handing import GrantHandoff, ReleaseTask, RenewTask, RequestHandoff
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.lifecycle import SetPolicy
from stateroom.core.policy import REVIEW_SECONDS
from stateroom.core.proving import ReportCommit, VerifyTask

from .hands import Hands, submission

BEGAN = "2026-01-01T00:00:00.000Z"


async def test_a_lapsed_lease_names_its_holder_and_last_sign_of_life(hands: Hands) -> None:
    """The task is pending again; nobody did it, so it comes from the system."""
    await hands.do("bob", ClaimTask("T-01", 60))
    await hands.pass_s(60 + GRACE_MS / 1000)
    told = await hands.newest()
    payload = told["payload"]
    assert (told["type"], told["from"], told["to"]) == ("task_updated", "system", "all")
    assert (payload["lapsed"], payload["holder"], payload["lastSeen"]) == (True, "bob", BEGAN)
    assert (payload["task"]["status"], payload["task"]["owner"]) == ("pending", None)
    assert (payload["previousStatus"], "lease" in payload["task"]) == ("in_progress", False)


async def test_a_lease_shows_its_token_and_end_until_it_is_over(hands: Hands) -> None:
    """Whatever its holder does moves the end; renewing it is no event."""
    await hands.do("bob", ClaimTask("T-01", 60))
    assert (await hands.newest())["payload"]["task"]["lease"] == {"token": 1, "until": "2026-01-01T00:01:00.000Z"}
    await hands.pass_s(30)
    await hands.room.post("note", from_="bob")
    task = await hands.room.call("get_task", taskId="T-01")
    assert task["lease"] == {"token": 1, "until": "2026-01-01T00:01:30.000Z"}
    before = await hands.room.types()
    await hands.do("bob", RenewTask("T-01", 1, 600))
    assert await hands.room.types() == before
    await hands.do("bob", ReleaseTask("T-01"))
    told = await hands.newest()
    assert (told["type"], told["payload"]["task"]["status"]) == ("task_updated", "pending")
    assert "lease" not in told["payload"]["task"]


async def test_a_silent_holder_is_asked_once_and_the_room_can_see_it(hands: Hands) -> None:
    """`stalled_claim`, to the holder, with its last sign of life; not again before it has done something."""
    await hands.do("bob", ClaimTask("T-01"))
    for _ in range(2):
        await hands.pass_s(STALL_MS / 1000)
    stalled = [event for event in await hands.room.events() if event["type"] == "stalled_claim"]
    assert [(event["from"], event["to"]) for event in stalled] == [("system", "bob")]
    assert (stalled[0]["payload"]["holder"], stalled[0]["payload"]["lastSeen"]) == ("bob", BEGAN)
    assert stalled[0]["payload"]["task"]["id"] == "T-01"


async def test_a_hand_off_is_asked_of_the_holder_and_then_seen(hands: Hands) -> None:
    """The request goes to the holder alone; the task says who asks until it has changed hands."""
    await hands.do("bob", ClaimTask("T-01", 60))
    await hands.do("cyd", RequestHandoff("T-01"))
    asked = await hands.newest()
    assert (asked["type"], asked["from"], asked["to"]) == ("task_handoff_requested", "cyd", "bob")
    assert (asked["payload"]["requestedBy"], asked["payload"]["task"]["handoffRequestedBy"]) == ("cyd", "cyd")
    await hands.do("bob", GrantHandoff("T-01"))
    given = await hands.newest()
    task = given["payload"]["task"]
    assert (given["type"], given["from"], task["owner"], task["lease"]["token"]) == ("task_updated", "bob", "cyd", 2)
    assert "handoffRequestedBy" not in task


@pytest.mark.parametrize("verifier", [None, "cyd"])
async def test_a_submission_says_that_it_waits_and_for_whom(hands: Hands, verifier: str | None) -> None:
    """Nobody named is any other member; the verdict waits for nobody any more."""
    if verifier:
        await hands.do("ann", ReassignTask("T-01", verifier=verifier))
    await hands.do("bob", submission())
    payload = (await hands.newest())["payload"]
    assert (payload["awaitingReview"], payload["verifier"]) == (True, verifier)
    assert (payload["task"]["status"], payload["task"]["state"]) == ("in_progress", "submitted")
    await hands.do("cyd", VerifyTask("T-01", "rejected", "not yet"))
    assert "awaitingReview" not in (await hands.newest())["payload"]
    await hands.do("cyd", ReopenTask("T-01", "submitted"))
    assert (await hands.newest())["payload"]["awaitingReview"]


async def test_a_newer_commit_is_told_and_warns_of_the_older_evidence(hands: Hands) -> None:
    """With the commit, and with what speaks against what was submitted."""
    await hands.do("bob", submission(commit="abc1234"))
    await hands.do("cyd", ReportCommit("T-01", "def5678"))
    told = await hands.newest()
    assert (told["type"], told["from"], told["payload"]["commit"]) == ("task_updated", "cyd", "def5678")
    assert (told["payload"]["awaitingReview"], told["payload"]["task"]["commit"]) == (True, "def5678")
    assert "abc1234" in told["payload"]["task"]["warning"]
    await hands.do("cyd", VerifyTask("T-01", "done", "only the changelog"))
    assert "warning" not in (await hands.newest())["payload"]["task"]


async def test_an_overdue_verdict_is_asked_of_another_who_is_here(hands: Hands) -> None:
    """The event goes to the new verifier, and says who was asked before."""
    await hands.do("ann", ReassignTask("T-01", verifier="ann"))
    await hands.do("bob", submission())
    await hands.pass_s(REVIEW_SECONDS, "cyd", "bob")
    told = await hands.newest()
    assert (told["type"], told["from"], told["to"]) == ("task_updated", "system", "cyd")
    payload = told["payload"]
    assert (payload["verifier"], payload["previousVerifier"], payload["awaitingReview"]) == ("cyd", "ann", True)
    assert payload["task"]["verifier"] == "cyd"


async def test_an_overdue_verdict_that_nobody_can_give_is_told(hands: Hands) -> None:
    """To its verifier, or to all, with when it was submitted."""
    await hands.do("bob", submission())
    await hands.pass_s(REVIEW_SECONDS, "bob")
    told = await hands.newest()
    assert (told["type"], told["from"], told["to"]) == ("review_overdue", "system", "all")
    assert (told["payload"]["since"], told["payload"]["task"]["id"]) == (BEGAN, "T-01")


async def test_an_overdue_review_is_asked_of_another_or_told(hands: Hands) -> None:
    """A review that was asked for moves to who is here, and to nobody when nobody is."""
    room = hands.room
    await room.call("request_review", targetType="task", targetId="T-01", requestedBy="ann", reviewer="bob")
    await hands.pass_s(REVIEW_SECONDS, "cyd")
    moved = await hands.newest()
    assert (moved["type"], moved["from"], moved["to"]) == ("review_requested", "system", "cyd")
    assert (moved["payload"]["previousReviewer"], moved["payload"]["review"]["reviewer"]) == ("bob", "cyd")
    await hands.pass_s(REVIEW_SECONDS)
    told = await hands.newest()
    assert (told["type"], told["from"], told["to"]) == ("review_overdue", "system", "cyd")
    assert told["payload"]["review"]["id"] == moved["payload"]["review"]["id"]


async def test_a_policy_is_told_whole(hands: Hands) -> None:
    """What proof is asked of tasks, how long verdicts may take, and what becomes of printed calls."""
    await hands.do("ann", SetPolicy(proof="always", review_seconds=60, recovery="off"))
    payload = (await hands.newest())["payload"]
    assert (payload["proof"], payload["reviewSeconds"], payload["recovery"]) == ("always", 60, "off")
    assert payload["exchangeLimit"] == 12
