"""The task board over `/api/room`: shapes, names of errors, and who may act (agent-room §3.3, §6; §23, row 9)."""

import asyncio

import pytest

from .conftest import Room

EVIDENCE = {"fileListing": "a.py", "fileExcerpt": "+fix", "runOutput": "3 passed", "exitCode": 0}


@pytest.fixture
async def board(room: Room) -> Room:
    """Host's room with Nova, Iris and Otto, and task T-01 of Nova's, which Iris is to verify."""
    for name in ("Nova", "Iris", "Otto"):
        await room.join(name)
    await room.ok("taskCreate", requesterName="Nova", title="Fix key", owner="Nova", verifier="Iris", dod="test green")
    return room


async def test_a_board_is_there_from_the_beginning(room: Room):
    """An object with an array, never null (floor 8)."""
    board = (await room.ok("taskBoard"))["board"]
    assert (board["code"], board["tasks"]) == (room.code, [])
    assert isinstance(board["version"], int)


async def test_a_task_goes_from_todo_to_done(board: Room):
    """Each step answers with the task and the board, in S3's shapes (§22)."""
    claimed = await board.ok("taskClaim", id="T-01", name="Nova", client="cc")
    assert (claimed["task"]["state"], claimed["task"]["owner"], claimed["task"]["ownerClient"]) == (
        "in_progress",
        "Nova",
        "cc",
    )
    submitted = await board.ok("taskSubmit", id="T-01", name="Nova", client="cc", evidence=EVIDENCE)
    assert submitted["task"]["state"] == "awaiting_review"
    assert {key: submitted["task"]["evidence"][key] for key in EVIDENCE} == EVIDENCE
    done = await board.ok("taskVerify", id="T-01", name="Iris", client="cc", verdict="done", note="ran it")
    assert (done["task"]["state"], done["task"]["verdict"]["by"]) == ("done", "Iris")
    assert done["board"]["tasks"] == [done["task"]]
    told = [line["text"] for line in await board.lines() if line["metadata"].get("eventType") == "task_update"]
    assert [text[text.index("(now ") :] for text in told] == [
        "(now todo).",
        "(now in_progress).",
        "(now awaiting_review).",
        "(now done).",
    ]


@pytest.mark.row(9)
async def test_every_no_has_its_own_name(board: Room):
    """The names clients tell causes apart by, with the statuses the protocol page suggests (§3.2)."""
    nova, iris = {"name": "Nova", "client": "cc"}, {"name": "Iris", "client": "cc"}

    async def no(action: str, status: int, error: str, **fields):
        answer = await board(action, **fields)
        assert (answer.status, answer.error) == (status, error), (action, answer.raw)
        assert answer.body["hint"]

    await no("taskClaim", 404, "TaskNotFoundError", id="T-99", **nova)
    await no("taskCreate", 409, "TaskExistsError", requesterName="Nova", title="x", id="T-01")
    await no("taskCreate", 409, "TaskStateError", requesterName="Nova", title="x", owner="A", verifier="a ")
    await no("taskClaim", 403, "VerifierCannotClaimError", id="T-01", **iris)
    await no("taskVerify", 409, "TaskStateError", id="T-01", verdict="done", **iris)
    await board.ok("taskClaim", id="T-01", **nova)
    await no("taskClaim", 409, "TaskStateError", id="T-01", name="Otto")
    await no("taskSubmit", 400, "EvidenceIncompleteError", id="T-01", evidence={"fileListing": "a"}, **nova)
    await no("taskSubmit", 409, "TaskStateError", id="T-01", evidence=EVIDENCE, name="Otto")
    await board.ok("taskSubmit", id="T-01", evidence={**EVIDENCE, "exitCode": 1}, **nova)
    await no("taskVerify", 403, "OwnerCannotVerifyError", id="T-01", verdict="done", name="NOVA")
    await no("taskVerify", 403, "NotVerifierError", id="T-01", verdict="done", name="Otto")
    await no("taskVerify", 400, "VerifyNoteRequiredError", id="T-01", verdict="done", **iris)
    await no("taskCancel", 409, "TaskStateError", id="T-01", requesterName="Nova")
    await no("taskReassign", 400, "BadRequestError", id="T-01", requesterName="Nova")
    await board.ok("taskVerify", id="T-01", verdict="done", note="the failure is known", **iris)
    await no("taskSubmit", 409, "TaskDoneImmutableError", id="T-01", evidence=EVIDENCE, **nova)
    await no("taskReassign", 409, "TaskDoneImmutableError", id="T-01", requesterName="Nova", owner="Otto")
    await no("taskCreate", 400, "BadRequestError", requesterName="Nova")
    await no("taskCreate", 400, "BadRequestError", requesterName="Nova", title="")


async def test_who_is_not_here_does_nothing_on_the_board(board: Room):
    """Neither a stranger, nor a stranger that says the verifier's name once that one has left (L13)."""
    acts = [
        ("taskCreate", {"requesterName": "Nobody", "title": "x"}),
        ("taskClaim", {"id": "T-01", "name": "Nobody"}),
        ("taskSubmit", {"id": "T-01", "name": "Nobody", "evidence": EVIDENCE}),
        ("taskVerify", {"id": "T-01", "name": "Nobody", "verdict": "done"}),
        ("taskReassign", {"id": "T-01", "requesterName": "Nobody", "owner": "Otto"}),
        ("taskCancel", {"id": "T-01", "requesterName": "Nobody"}),
        ("taskReopen", {"id": "T-01", "requesterName": "Nobody"}),
        ("taskBlock", {"id": "T-01", "requesterName": "Nobody", "reason": "x"}),
    ]
    before = await board.ok("taskBoard")
    for action, fields in acts:
        answer = await board(action, **fields)
        assert (answer.status, answer.error) == (403, "NotParticipantError"), action
    assert await board.ok("taskBoard") == before
    assert "Nobody" not in [one["name"] for one in (await board.ok("get"))["room"]["participants"]]


async def test_the_host_acts_on_the_board_before_it_has_joined(ask):
    """With its key, under its own name; not under another."""
    created = await ask.ok("create", topic="x", createdBy="Host")
    room = Room(ask, created["room"]["code"], created["hostKey"])
    assert (await room.host("taskCreate", title="first"))["task"]["id"] == "T-01"
    other = {"requesterName": "Nobody", "hostKey": room.host_key, "title": "x"}
    assert await room.refused("taskCreate", **other) == "NotParticipantError"


async def test_roles_change_hands_and_halts_come_and_go(board: Room):
    """Reassign, block, cancel and reopen, with their traces on the task."""
    who = {"id": "T-01", "requesterName": "Otto", "requesterClient": "cc"}
    given = (await board.ok("taskReassign", **who, owner="Otto", ownerClient="cc"))["task"]
    assert (given["owner"], given["roleHistory"][0]["from"], given["roleHistory"][0]["to"]) == ("Otto", "Nova", "Otto")
    assert (await board.ok("taskBlock", **who, reason="no access"))["task"]["blocked"]["reason"] == "no access"
    cancelled = (await board.ok("taskCancel", **who, reason="not needed"))["task"]
    assert (cancelled["state"], cancelled["cancellation"]["by"]) == ("cancelled", "Otto")
    assert (await board.ok("taskReopen", **who))["task"]["state"] == "todo"
    await board.ok("taskCancel", **who)
    assert (await board.ok("taskReopen", **who, state="in_progress"))["task"]["state"] == "in_progress"
    assert await board.refused("taskReopen", **who, state="done") == "BadRequestError"


async def test_what_could_not_be_run_says_how_it_was_checked(board: Room):
    """`checks` instead of a run (§6.4)."""
    shown = {"fileListing": "a.md", "fileExcerpt": "text", "checks": "each link opens"}
    task = (await board.ok("taskSubmit", id="T-01", name="Nova", evidence=shown))["task"]
    assert (task["evidence"]["checks"], "runOutput" in task["evidence"]) == ("each link opens", False)


async def test_of_sixteen_that_claim_a_task_one_gets_it(board: Room):
    """Thirty-two tasks, sixteen claims each at once: exactly one success each (L02), ids all distinct (L03)."""
    for number in range(16):
        await board.join(f"a{number}")
    await board.ok("taskCreate", requesterName="Nova", title="x", id="T-05")
    made = await asyncio.gather(
        *(board.ok("taskCreate", requesterName="Nova", title=f"t{number}") for number in range(32))
    )
    ids = [one["task"]["id"] for one in made]
    assert len({*ids, "T-01", "T-05"}) == 34
    for id in ids:
        claims = await asyncio.gather(*(board("taskClaim", id=id, name=f"a{number}") for number in range(16)))
        assert sorted(answer.status for answer in claims) == [200] + [409] * 15
