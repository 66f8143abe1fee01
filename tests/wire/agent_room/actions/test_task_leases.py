"""Leases on tasks over `/api/room`: what they grant, and what a stale holder is told (agent-room §6.9; gap 74)."""

from typing import Any

import pytest

from stateroom.core.claims import GRACE_MS

from .conftest import Room
from .test_tasks import EVIDENCE

GRACE_S = GRACE_MS / 1000


@pytest.fixture
async def board(room: Room) -> Room:
    """Host's room with Nova, Iris and Otto, and task T-01, which is nobody's yet."""
    for name in ("Nova", "Iris", "Otto"):
        await room.join(name)
    await room.ok("taskCreate", requesterName="Host", title="Fix key")
    return room


async def test_a_claim_under_a_lease_answers_with_token_and_end(board: Room):
    """Beside the board and the task, whose lease says the same (§4.8); a claim without one has neither."""
    claimed = await board.ok("taskClaim", id="T-01", name="Nova", leaseSeconds=60)
    now = board.ask.clock()
    assert (claimed["token"], claimed["leaseUntil"]) == (1, now + 60_000)
    lease = claimed["task"]["lease"]
    assert (lease["status"], lease["token"], lease["expiresAt"]) == ("active", 1, now + 60_000)
    assert (lease["holderName"], lease["holderClient"]) == ("Nova", "cc")
    await board.ok("taskRelease", id="T-01", name="Nova", token=1)
    assert "token" not in await board.ok("taskClaim", id="T-01", name="Nova")


async def test_renewing_keeps_the_token_and_moves_the_end(board: Room):
    """To so many seconds from now, or as many as before."""
    await board.ok("taskClaim", id="T-01", name="Nova", leaseSeconds=60)
    board.ask.clock.advance(50)
    renewed = await board.ok("taskRenew", id="T-01", name="Nova", token=1, leaseSeconds=120)
    assert (renewed["token"], renewed["leaseUntil"]) == (1, board.ask.clock() + 120_000)
    board.ask.clock.advance(100)
    assert (await board.ok("taskRenew", id="T-01", name="Nova", token=1))["leaseUntil"] == board.ask.clock() + 120_000


async def test_a_lapsed_task_is_claimable_and_its_holder_is_fenced_off(board: Room):
    """After lease and grace another takes it under a greater token; who held it before finishes nothing."""
    await board.ok("taskClaim", id="T-01", name="Nova", leaseSeconds=60)
    board.ask.clock.advance(60 + GRACE_S - 1)
    assert await board.refused("taskClaim", id="T-01", name="Otto") == "TaskStateError"
    board.ask.clock.advance(1)
    taken = await board.ok("taskClaim", id="T-01", name="Otto", leaseSeconds=60)
    assert (taken["task"]["owner"], taken["token"]) == ("Otto", 2)
    stale = await board("taskSubmit", id="T-01", name="Nova", evidence=EVIDENCE, token=1)
    assert (stale.status, stale.error) == (409, "TaskStateError")
    assert (await board.ok("taskSubmit", id="T-01", name="Otto", evidence=EVIDENCE, token=2))["task"]["evidence"]


async def test_a_second_claim_of_its_holder_fences_off_its_first_session(board: Room):
    """The same name asking again gets a fresh token; the old one is worth nothing."""
    await board.ok("taskClaim", id="T-01", name="Nova", leaseSeconds=60)
    assert (await board.ok("taskClaim", id="T-01", name="Nova"))["token"] == 2
    assert await board.refused("taskSubmit", id="T-01", name="Nova", evidence=EVIDENCE, token=1) == STALE
    await board.ok("taskSubmit", id="T-01", name="Nova", evidence=EVIDENCE, token=2)


async def test_a_task_is_handed_over_on_request(board: Room):
    """Who asks is seen on the task; the new holder's lease is a fresh one."""
    await board.ok("taskClaim", id="T-01", name="Nova", leaseSeconds=60)
    asked = (await board.ok("taskHandoff", id="T-01", name="Otto"))["task"]["handoff"]
    assert (asked["requestedByName"], asked["requestedByClient"]) == ("Otto", "cc")
    given = await board.ok("taskGrant", id="T-01", name="Nova", token=1)
    assert (given["task"]["owner"], given["token"], "handoff" in given["task"]) == ("Otto", 2, False)
    back = await board.ok("taskGrant", id="T-01", name="Otto", to="nova")
    assert (back["task"]["owner"], back["token"]) == ("Nova", 3)


STALE, NEEDED, NOT_ACTIVE = "TaskLeaseTokenStaleError", "TaskLeaseTokenNeededError", "TaskLeaseNotActiveError"
HOLDER, BAD, STATE = "TaskLeaseHolderRequiredError", "BadRequestError", "TaskStateError"


@pytest.mark.parametrize(
    ("action", "fields", "status", "error"),
    [
        ("taskSubmit", {"name": "Nova", "evidence": EVIDENCE}, 400, NEEDED),
        ("taskSubmit", {"name": "Nova", "evidence": EVIDENCE, "token": 2}, 409, STALE),
        ("taskSubmit", {"name": "Nova", "evidence": EVIDENCE, "token": 2**63}, 409, STALE),
        ("taskSubmit", {"name": "Nova", "evidence": EVIDENCE, "token": "1"}, 400, BAD),
        ("taskRenew", {"name": "Nova"}, 400, NEEDED),
        ("taskRenew", {"name": "Nova", "token": 7}, 409, STALE),
        ("taskRenew", {"name": "Otto", "token": 1}, 403, HOLDER),
        ("taskRenew", {"name": "Nova", "token": 1, "leaseSeconds": -1}, 400, BAD),
        ("taskRenew", {"name": "Nova", "token": 1, "leaseSeconds": 86_401}, 400, BAD),
        ("taskClaim", {"name": "Nova", "leaseSeconds": 86_401}, 400, BAD),
        ("taskClaim", {"name": "Nova", "leaseSeconds": 1.5}, 400, BAD),
        ("taskRelease", {"name": "Otto"}, 403, HOLDER),
        ("taskRelease", {"name": "Nova", "token": 3}, 409, STALE),
        ("taskHandoff", {"name": "NOVA"}, 400, "TaskLeaseHandoffSelfError"),
        ("taskGrant", {"name": "Nova"}, 400, "TaskLeaseHandoffMissingError"),
        ("taskGrant", {"name": "Nova", "to": "nova "}, 400, "TaskLeaseHandoffSelfError"),
        ("taskGrant", {"name": "Nova", "to": "Nobody"}, 403, "NotParticipantError"),
        ("taskGrant", {"name": "Otto", "to": "Iris"}, 403, HOLDER),
        ("taskCommit", {"name": "Nova", "commit": "not a hash"}, 400, BAD),
        ("taskCommit", {"name": "Nova", "commit": " "}, 400, BAD),
        ("taskRenew", {"name": "Nobody", "token": 1}, 403, "NotParticipantError"),
        ("taskNext", {"name": "Nobody"}, 403, "NotParticipantError"),
        ("taskNext", {"name": "Iris", "leaseSeconds": 86_401}, 400, BAD),
        ("taskCommit", {"name": "Nobody", "commit": "abc1234"}, 403, "NotParticipantError"),
    ],
)
async def test_every_no_of_a_lease_has_its_name(
    board: Room, action: str, fields: dict[str, Any], status: int, error: str
):
    """With a hint, and nothing has changed."""
    await board.ok("taskClaim", id="T-01", name="Nova", leaseSeconds=600)
    before = await board.ok("taskBoard")
    answer = await board(action, id="T-01", **fields)
    assert (answer.status, answer.error) == (status, error), answer.raw
    assert answer.body["hint"]
    assert await board.ok("taskBoard") == before


async def test_what_is_held_without_a_lease_has_none_to_renew(board: Room):
    """And after a lapse whoever held it claims it again before it submits."""
    await board.ok("taskClaim", id="T-01", name="Nova")
    assert await board.refused("taskRenew", id="T-01", name="Nova") == NOT_ACTIVE
    await board.ok("taskRelease", id="T-01", name="Nova")
    assert await board.refused("taskRelease", id="T-01", name="Nova") == STATE
    await board.ok("taskClaim", id="T-01", name="Nova", leaseSeconds=60)
    board.ask.clock.advance(60 + GRACE_S)
    assert await board.refused("taskSubmit", id="T-01", name="Nova", evidence=EVIDENCE, token=1) == NOT_ACTIVE
