"""Claims under a lease by `room_task`: their token, their end, and how they change hands (agent-room §6.9)."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from tests.wire.agent_room.mcp.ahead import Timed, timed
from tests.wire.agent_room.mcp.test_board import CHECKED


@pytest_asyncio.fixture
async def there(tmp_path: Path, http: httpx2.AsyncClient) -> AsyncIterator[Timed]:
    """One task of a board, on a server whose clock can be put ahead."""
    async with timed(tmp_path, http) as board:
        yield board


async def test_a_leased_claim_is_answered_with_its_token_and_its_end(there: Timed) -> None:
    """`token` and `leaseUntil` beside the task, whose `lease` has the form of §4.8."""
    claimed = await there.do("Ada", "claim", leaseSeconds=900)
    lease = claimed["task"]["lease"]
    assert (claimed["token"], lease["token"], lease["id"], lease["status"]) == (1, 1, "1", "active")
    assert (lease["holderName"], lease["holderClient"]) == ("Ada", "cc")
    assert claimed["leaseUntil"] == lease["expiresAt"] == lease["grantedAt"] + 900_000
    assert claimed["hint"] == 'When it is done: update_task(taskId: "T-01", status: "done", token: 1).'
    assert (await there.list(id="T-01", name="ada"))["hint"] == claimed["hint"]
    assert "token" not in (await there.list(id="T-01", name="Nova"))["hint"]
    assert "token" not in await there.do("Nova", "create", "", title="without")
    assert "token" not in await there.do("Nova", "claim", "T-02")


async def test_the_holder_claiming_again_fences_its_older_session_off(there: Timed) -> None:
    """A fresh token; the older one finishes nothing (trap 22)."""
    old = (await there.do("Ada", "claim", leaseSeconds=900))["token"]
    new = (await there.do("Ada", "claim", leaseSeconds=900))["token"]
    assert new > old
    assert await there.no("Ada", "submit", token=old, **CHECKED) == "task_lease_token_stale"
    assert await there.no("Ada", "submit", **CHECKED) == "task_lease_token_needed"
    done = await there.do("Ada", "submit", token=new, **CHECKED)
    assert (done["task"]["state"], done["task"]["lease"]["status"]) == ("awaiting_review", "released")
    assert "token" not in done
    assert "holderName" not in done["task"]["lease"]


async def test_a_lease_is_renewed_by_its_holder(there: Timed) -> None:
    """On purpose, with its token; anything else the holder does renews it too."""
    first = await there.do("Ada", "claim", leaseSeconds=60)
    await there.pass_s(30)
    renewed = await there.do("Ada", "renew", token=first["token"])
    assert renewed["leaseUntil"] >= first["leaseUntil"] + 30_000
    assert renewed["token"] == first["token"]
    assert renewed["task"]["lease"]["renewedAt"] >= first["task"]["lease"]["grantedAt"] + 30_000
    longer = await there.do("Ada", "renew", token=first["token"], leaseSeconds=3_600)
    assert longer["leaseUntil"] >= renewed["leaseUntil"] + 3_500_000
    await there.pass_s(50)
    await there.agent.call("room_send", code=there.code, name="Ada", text="at it", kind="status")
    assert (await there.task())["lease"]["expiresAt"] >= longer["leaseUntil"] + 50_000


@pytest.mark.parametrize(
    ("name", "action", "more", "error"),
    [
        ("Nova", "renew", {"token": 1}, "task_lease_holder_required"),
        ("Nova", "release", {}, "task_lease_holder_required"),
        ("Nova", "grant", {"owner": "Iris"}, "task_lease_holder_required"),
        ("Ada", "renew", {}, "task_lease_token_needed"),
        ("Ada", "renew", {"token": 7}, "task_lease_token_stale"),
        ("Ada", "renew", {"token": 1, "leaseSeconds": 86_401}, "bad_request"),
        ("Ada", "claim", {"leaseSeconds": 86_401}, "bad_request"),
        ("Ada", "handoff", {}, "task_lease_handoff_self"),
        ("ada", "grant", {"owner": "ADA"}, "task_lease_handoff_self"),
        ("Ada", "grant", {}, "task_lease_handoff_missing"),
        ("Ada", "grant", {"owner": "  "}, "task_lease_handoff_missing"),
        ("Ada", "grant", {"owner": "Nobody"}, "not_participant"),
        ("Eve", "handoff", {}, "not_participant"),
        ("Nova", "claim", {"leaseSeconds": 900}, "TaskStateError"),
        ("Ada", "renew", {"id": "T-99", "token": 1}, "TaskNotFoundError"),
    ],
)
async def test_what_a_lease_refuses_has_a_name(
    there: Timed, name: str, action: str, more: dict[str, Any], error: str
) -> None:
    """The names of §6.9 where it has one; the board stays as it was."""
    await there.do("Ada", "claim", leaseSeconds=900)
    assert await there.no(name, action, **{"id": "T-01", **more}) == error


async def test_a_lease_that_is_not_there_is_not_renewed(there: Timed) -> None:
    """Nor is what nobody holds."""
    assert await there.no("Ada", "renew") == "TaskStateError"
    await there.do("Ada", "claim")
    assert await there.no("Ada", "renew") == "task_lease_not_active"


async def test_a_released_task_is_anybodys_again(there: Timed) -> None:
    """It goes back to the board, and the next gets a token of its own."""
    first = await there.do("Ada", "claim", leaseSeconds=900)
    given = await there.do("Ada", "release", token=first["token"])
    assert (given["task"]["state"], "owner" in given["task"]) == ("todo", False)
    assert given["task"]["lease"]["status"] == "released"
    assert given["task"]["lease"]["releasedAt"] >= first["task"]["lease"]["grantedAt"]
    assert (await there.do("Iris", "claim", leaseSeconds=900))["token"] > first["token"]


async def test_a_task_is_asked_for_and_handed_over(there: Timed) -> None:
    """The holder is called; `grant` without a name gives it to who asked, under a fresh token."""
    old = (await there.do("Ada", "claim", leaseSeconds=900))["token"]
    asked = (await there.do("Nova", "handoff"))["task"]
    assert (asked["handoff"]["requestedByName"], asked["handoff"]["requestedByClient"]) == ("Nova", "cc")
    assert asked["lease"]["handoff"] == asked["handoff"]
    (line,) = await there.lines("task_handoff_requested")
    assert (line["text"], line["for"]) == ("Nova asks @Ada for T-01.", "Ada")
    given = await there.do("Ada", "grant", token=old)
    assert (given["task"]["owner"], given["task"]["lease"]["holderName"]) == ("Nova", "Nova")
    assert given["token"] == given["task"]["lease"]["token"] > old
    assert "handoff" not in given["task"]
    assert await there.no("Ada", "submit", token=old, **CHECKED) == "TaskStateError"
    assert (await there.do("Nova", "submit", token=given["token"], **CHECKED))["task"]["state"] == "awaiting_review"


async def test_a_task_is_given_to_a_named_member_unasked(there: Timed) -> None:
    """`owner` says to whom; an unleased task goes without a lease."""
    await there.do("Ada", "claim")
    given = await there.do("Ada", "grant", owner="Iris")
    assert (given["task"]["owner"], given["task"]["state"]) == ("Iris", "in_progress")
    assert "token" not in given


async def test_a_lapsed_lease_frees_the_task_and_says_whose_it_was(there: Timed) -> None:
    """A grace after its end, with the old holder's name and its last sign of life (gap 74)."""
    old = await there.do("Ada", "claim", leaseSeconds=60)
    await there.pass_s(80)
    assert (await there.task())["state"] == "in_progress"  # its holder may still be on the way
    await there.pass_s(15)
    task = await there.task()
    assert (task["state"], "owner" in task, task["lease"]["status"]) == ("todo", False, "expired")
    line = (await there.lines("task_update"))[-1]
    assert line["text"].startswith("📝 T-01 is free again: the lease of Ada has run out, who was last seen at 20")
    assert line["text"].endswith("Z (now todo).")
    assert await there.no("Ada", "submit", token=old["token"], **CHECKED) == "task_lease_not_active"
    new = await there.do("Iris", "claim", leaseSeconds=60)
    assert new["token"] > old["token"]
    assert await there.no("Ada", "submit", token=old["token"], **CHECKED) == "TaskStateError"


async def test_a_holder_that_works_keeps_its_lease(there: Timed) -> None:
    """What it says in the room is a sign of life (trap 19)."""
    await there.do("Ada", "claim", leaseSeconds=60)
    for _ in range(4):
        await there.pass_s(50)
        await there.agent.call("room_send", code=there.code, name="Ada", text="at it", kind="status")
    assert (await there.task())["state"] == "in_progress"


async def test_a_silent_holder_is_asked_once(there: Timed) -> None:
    """`stalled_claim`, to the holder; the board says when it was said last (trap 4)."""
    await there.do("Ada", "claim")
    await there.pass_s(601)
    await there.pass_s(60)
    (line,) = await there.lines("stalled_claim")
    assert line["for"] == "Ada"
    assert line["text"].startswith("@Ada holds T-01 and has done nothing here since 20")
    whole = (await there.list())["board"]
    assert whole["lastStallNudgeAt"] > whole["tasks"][0].get("createdAt", 0)


async def test_work_is_done_under_a_lease_with_its_token_only(there: Timed) -> None:
    """The plan's own way of finishing asks for it too, and says so in the same words."""
    token = (await there.do("Ada", "claim", leaseSeconds=900))["token"]
    finishing = {"roomId": there.code, "agentId": "Ada", "taskId": "T-01", "status": "done"}
    refused = await there.agent.ask("update_task", **finishing)
    assert refused.result["structuredContent"]["error"]["code"] == "token_needed"
    await there.agent.call("update_task", **finishing, token=token)
    assert (await there.task())["state"] == "done"
