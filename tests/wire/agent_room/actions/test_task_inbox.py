"""What waits for a member over `/api/room`: the next task, `yourTasks`, proof and the room's policy (§6.10, gap 68)."""

from typing import Any

import pytest

from stateroom.core.context import WriteContext
from stateroom.core.policy import REVIEW_SECONDS

from .conftest import Room, made
from .test_tasks import EVIDENCE


@pytest.fixture
async def board(room: Room) -> Room:
    """Host's room with Nova, Iris and Otto."""
    for name in ("Nova", "Iris", "Otto"):
        await room.join(name)
    return room


async def test_the_next_task_is_the_best_one_with_what_it_builds_on(board: Room):
    """Claimed under a lease of 900 seconds; asked again it is the same; one that is to verify it gets nothing."""
    await board.ok("taskCreate", requesterName="Host", title="later", priority=5)
    card = await board.ask.engine.find(board.ask.engine.access.admit(""), board.code)
    assert card is not None
    contract = WriteContext("note", "Auth contract", {"text": "POST /login"})
    await board.ask.engine.execute(board.ask.engine.access.admit(""), card, contract, "Iris")
    await board.ok("taskCreate", requesterName="Host", title="Build C-01", priority=1, verifier="Iris")
    first = await board.ok("taskNext", name="Nova")
    assert (first["task"]["id"], first["token"], first["resumed"]) == ("T-02", 1, False)
    assert first["leaseUntil"] == board.ask.clock() + 900_000
    assert [entry["id"] for entry in first["context"]] == ["C-01"]
    assert [task["id"] for task in first["yourTasks"]["current"]] == ["T-02"]
    again = await board.ok("taskNext", name="Nova", leaseSeconds=60)
    assert (again["task"]["id"], again["token"], again["resumed"]) == ("T-02", 1, True)
    assert (await board.ok("taskNext", name="Iris", leaseSeconds=60))["task"]["id"] == "T-01"
    nothing = await board.ok("taskNext", name="Otto")
    assert (nothing["task"], "token" in nothing, len(nothing["board"]["tasks"])) == (None, False, 2)


async def test_who_comes_back_is_told_first_what_it_owes(board: Room):
    """On join and on listen, three hundred lines later; a quiet listen says no more than the ids."""
    await board.ok("taskCreate", requesterName="Host", title="Fix key", verifier="Iris")
    await board.ok("taskSubmit", id="T-01", name="Nova", evidence=EVIDENCE)
    for number in range(300):
        await board.say("Otto", f"line {number}")
    back = await board.join("Iris", priorIdentity={"name": "Iris", "client": "cc"})
    assert [task["id"] for task in back["yourTasks"]["toVerify"]] == ["T-01"]
    assert 'room_task(action: "verify", id: "T-01"' in back["yourTasks"]["hint"]
    heard = await board.ok("listen", since=0, name="Iris", timeoutMs=0)
    assert heard["yourTasks"] == back["yourTasks"]
    quiet = await board.ok("listen", since=heard["cursor"], name="Iris", timeoutMs=0)
    assert quiet["yourTasks"] == {"toVerify": [{"id": "T-01"}]}
    other = await board.ok("listen", since=heard["cursor"], name="Otto", timeoutMs=0)
    assert "yourTasks" not in other
    assert "yourTasks" not in await board.ok("listen", since=0, timeoutMs=0)


async def test_a_submission_carries_commit_files_and_links(board: Room):
    """And is stale, with a warning, once another commit is reported; accepting it then needs a note."""
    await board.ok("taskCreate", requesterName="Host", title="Fix key", dod="green")
    shown = {**EVIDENCE, "commit": "ABC1234", "links": ["https://ci.test/1"]}
    sent = (await board.ok("taskSubmit", id="T-01", name="Nova", evidence=shown))["task"]
    assert (sent["evidence"]["commit"], sent["evidence"]["links"]) == ("abc1234", ["https://ci.test/1"])
    told = (await board.ok("taskCommit", id="T-01", name="Nova", commit="def5678"))["task"]
    assert (told["evidence"]["stale"], told["commit"]["commit"]) == (True, "def5678")
    assert told["warning"].startswith("WARNING: ")
    refused = await board.refused("taskVerify", id="T-01", name="Iris", verdict="done")
    assert refused == "VerifyNoteRequiredError"
    await board.ok("taskVerify", id="T-01", name="Iris", verdict="done", note="a changelog line")


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"commit": "xyz"}, "BadRequestError"),
        ({"commit": "a" * 65}, "BadRequestError"),
        ({"links": ["javascript:alert(1)"]}, "BadRequestError"),
        ({"links": ["https://a.test"] * 11}, "PayloadTooLargeError"),
        ({"attachments": ["nope"]}, "BadRequestError"),
        ({"attachments": "nope"}, "BadRequestError"),
        ({"exitCode": 2**40}, "EvidenceIncompleteError"),
        ({"fileExcerpt": " \n"}, "EvidenceIncompleteError"),
        ({"runOutput": "x" * 1_000_000}, "PayloadTooLargeError"),
    ],
)
async def test_evidence_with_wrong_parts_is_refused_whole(board: Room, wrong: dict[str, Any], error: str):
    """The task stays as it was."""
    await board.ok("taskCreate", requesterName="Host", title="Fix key")
    before = await board.ok("taskBoard")
    assert await board.refused("taskSubmit", id="T-01", name="Nova", evidence={**EVIDENCE, **wrong}) == error
    assert await board.ok("taskBoard") == before


async def test_a_rejected_task_goes_back_before_its_verifier(board: Room):
    """`taskReopen` with a state; without evidence there is nothing to look at again."""
    await board.ok("taskCreate", requesterName="Host", title="Fix key", verifier="Iris")
    await board.ok("taskSubmit", id="T-01", name="Nova", evidence=EVIDENCE)
    await board.ok("taskVerify", id="T-01", name="Iris", verdict="rejected", note="no")
    who = {"id": "T-01", "requesterName": "Nova"}
    assert (await board.ok("taskReopen", **who, state="awaiting_review"))["task"]["state"] == "awaiting_review"
    await board.ok("taskCreate", requesterName="Host", title="bare")
    who["id"] = "T-02"
    await board.ok("taskCancel", **who)
    assert await board.refused("taskReopen", **who, state="awaiting_review") == "EvidenceIncompleteError"


async def test_the_policy_says_what_is_proven_and_how_long_a_verdict_may_take(ask):
    """At creation and later; what is left out stays, what is out of bounds is refused."""
    room = await made(ask)
    first = (await room.ok("get"))["room"]["policy"]
    assert (first["proof"], first["reviewSeconds"], first["recovery"]) == ("asked", REVIEW_SECONDS, "calls")
    set_to = (await room.host("setPolicy", proof="always", reviewSeconds=60, recovery="off"))["room"]["policy"]
    assert (set_to["proof"], set_to["reviewSeconds"], set_to["recovery"]) == ("always", 60, "off")
    kept = (await room.host("setPolicy", reviewSeconds=0))["room"]["policy"]
    assert (kept["proof"], kept["reviewSeconds"], kept["recovery"]) == ("always", 0, "off")
    asked: list[dict[str, Any]] = [{"proof": "never"}, {"reviewSeconds": 29}, {"reviewSeconds": 1e9}, {"recovery": 1}]
    for wrong in asked:
        key = {"requesterName": "Host", "hostKey": room.host_key}
        assert await room.refused("setPolicy", **key, **wrong) == "BadRequestError", wrong
        made_so = await ask("create", topic="x", createdBy="Host", policy=wrong)
        assert (made_so.status, made_so.error) == (400, "BadRequestError"), wrong
    created = await ask.ok("create", topic="x", createdBy="Host", policy={"proof": "always", "reviewSeconds": 60})
    policy = created["room"]["policy"]
    assert (policy["proof"], policy["reviewSeconds"], policy["recovery"]) == ("always", 60, "calls")
