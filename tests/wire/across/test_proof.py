"""A task that needs proof, on one board that every face works at (design §7, "One board")."""

import re

import pytest

from tests.wire.across.house import RUN, No, Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

CALL = re.compile(r"room_task\((?P<arguments>[^()]*)\)")
ARGUMENT = re.compile(r'(\w+): "([^"]*)"')
BY = {"submit": "Ben", "verify": "Nova", "reopen": "Ben", "claim": "Ben"}


async def proven_task(room: Room, **more: str) -> str:
    """A task that Nova is to verify, opened by a tool and taken by Ben in the Room Protocol."""
    made = await room.tool("room_task", name="Nova", action="create", title="Docs", verifier="Nova", **more)
    id = str(made["task"]["id"])
    await room.tool("update_task", taskId=id, status="in_progress", owner="Ben")
    return id


def next_calls(no: No) -> list[dict[str, str]]:
    """The calls a refusal names, with the arguments it fills in."""
    return [dict(ARGUMENT.findall(call)) for call in CALL.findall(no.hint)]


async def refused_done(room: Room, id: str) -> No:
    """In the Room Protocol, which is refused; and natively, which says the same."""
    no = await room.tool_no("update_task", taskId=id, status="done", owner="Ben")
    native = await room.wish_no("move-task", "Ben", task=id, to="done")
    assert (native.name, native.message, native.hint) == (no.name, no.message, no.hint)
    assert native.status == 409
    return no


async def test_a_task_that_needs_proof_is_not_simply_done_and_the_refusal_leads_to_it(room: Room):
    """Whoever follows the calls that the refusals name gets it done."""
    id = await proven_task(room)
    for state in ("held", "submitted"):
        no = await refused_done(room, id)
        assert no.name == "task_needs_proof", state
        call = next_calls(no)[0]
        assert call["id"] == id
        given = RUN if call["action"] == "submit" else {}
        await room.tool("room_task", name=BY[call["action"]], **{"verdict": "done", **call}, **given)
    assert (await room.tool("get_task", taskId=id))["status"] == "done"


async def test_what_a_tool_opened_an_action_proves_and_a_plan_shows(room: Room):
    """Every face shows each state under its own name for it."""
    id = await proven_task(room)
    assert await states(room) == ("in_progress", "held", "in_progress", "in_progress")
    await room.action("taskSubmit", name="Ben", id=id, evidence={**RUN, "exitCode": 1})
    assert await states(room) == ("in_progress", "submitted", "awaiting_review", "awaiting_review")
    failed = {"name": "Nova", "id": id, "verdict": "done"}
    assert (await room.action_no("taskVerify", **failed)).name == "VerifyNoteRequiredError"
    await room.action("taskVerify", **{**failed, "verdict": "rejected"}, note="red")
    assert await states(room) == ("in_progress", "rejected", "rejected", "rejected")
    shown = await room.tool("get_task", taskId=id)
    assert (shown["state"], shown["verdict"]["note"]) == ("rejected", "red")
    await room.wish("submit-task", "Ben", task=id, file_listing="a", file_excerpt="b", checks="all points")
    await room.action("taskVerify", **failed)
    assert await states(room) == ("done", "done", "done", "done")
    native = await room.native("GET", f"/tasks/{id}")
    assert [one["exit_code"] for one in native["evidence"]] == [1, None]
    again = await room.tool_no("update_task", taskId=id, status="pending", agentId="Ben")
    assert (again.name, again.hint) == ("task_done_immutable", (await reopened(room, id)).hint)


async def reopened(room: Room, id: str) -> No:
    """In the conversation, which is refused."""
    no = await room.tool_no("room_task", name="Ben", action="cancel", id=id)
    assert no.name == "TaskDoneImmutableError"
    return no


async def states(room: Room) -> tuple[str, str, str, str]:
    """Of the only task: in the plan, natively, on the board of an action, on the page."""
    plan, native = await room.tool("read_plan"), await room.native("GET", "/plan")
    board, page = await room.action("taskBoard"), await room.page()
    told = [plan["tasks"][0]["status"], native[0]["state"]]
    told += [board["board"]["tasks"][0]["state"], page["board"]["tasks"][0]["state"]]
    return told[0], told[1], told[2], told[3]


@pytest.mark.parametrize("judge", ["Ben", "Dee"])
async def test_only_its_verifier_rules_on_it_in_any_face(room: Room, judge: str):
    """Not its owner, not another; tools, actions and commands say so alike."""
    id = await proven_task(room)
    await room.tool("room_task", name="Ben", action="submit", id=id, **RUN)
    before = await room.position()
    owner = judge == "Ben"
    tool = await room.tool_no("room_task", name=judge, action="verify", id=id, verdict="done")
    action = await room.action_no("taskVerify", name=judge, id=id, verdict="done")
    command = await room.wish_no("verify-task", judge, task=id, verdict="done")
    assert tool.name == action.name == ("OwnerCannotVerifyError" if owner else "NotVerifierError")
    assert command.name == ("owner_cannot_verify" if owner else "not_the_verifier")
    assert await room.position() == before


async def test_a_definition_of_done_alone_asks_for_proof_too(room: Room):
    """Then any other member rules on it, also one that only knows the Room Protocol's side."""
    await room.action("taskCreate", requesterName="Ann", title="Docs", dod="links work")
    await room.tool("update_task", taskId="T-01", status="in_progress", owner="Ben")
    assert (await refused_done(room, "T-01")).name == "task_needs_proof"
    await room.tool("room_task", name="Ben", action="submit", id="T-01", **RUN)
    await room.wish("verify-task", "Dee", task="T-01", verdict="done")
    assert (await room.tool("read_plan"))["tasks"][0]["status"] == "done"


async def test_a_task_without_proof_is_done_freely_and_every_board_shows_it(room: Room):
    """Opened in the Room Protocol, finished there, seen on the others."""
    await room.tool("add_task", title="Docs", description="", agentId="Dee")
    await room.tool("update_task", taskId="T-01", status="done", agentId="Dee")
    assert await states(room) == ("done", "done", "done", "done")


async def test_what_is_cancelled_is_off_the_plan_and_on_the_board(room: Room):
    """The plan has no word for it; the board of the conversation keeps it, and reopening brings it back."""
    await room.tool("add_task", title="Docs", description="", agentId="Dee")
    await room.action("taskCancel", requesterName="Ann", id="T-01")
    assert (await room.tool("read_plan"))["tasks"] == []
    assert (await room.tool("get_unblocked_tasks")) == []
    assert (await room.action("taskBoard"))["board"]["tasks"][0]["state"] == "cancelled"
    assert (await room.native("GET", ""))["tasks"] == 0
    await room.tool("room_task", name="Ben", action="reopen", id="T-01")
    assert [one["status"] for one in (await room.tool("read_plan"))["tasks"]] == ["pending"]


async def test_a_claim_is_one_claim_whoever_asks_where(room: Room):
    """Held by a tool, it can not be taken by an action, by the plan or by a command; the holder is named."""
    await room.tool("add_task", title="Docs", description="", agentId="Dee")
    await room.tool("room_task", name="Ben", action="claim", id="T-01")
    before = await room.position()
    action = await room.action_no("taskClaim", name="Nova", id="T-01")
    plan = await room.tool_no("update_task", taskId="T-01", status="in_progress", owner="Dee")
    command = await room.wish_no("claim-task", "Dee", task="T-01")
    assert (action.name, plan.name, command.name) == ("TaskStateError", "task_held", "task_held")
    assert all("Ben" in no.message for no in (action, plan, command))
    assert await room.position() == before


async def test_an_id_of_ones_own_choice_is_the_tasks_id_everywhere(room: Room):
    """Given by an action, used in the plan, in a dependency and in a review."""
    await room.action("taskCreate", requesterName="Ann", title="Docs", id="docs.v1")
    await room.tool("add_task", title="Site", description="", depends_on=["docs.v1"])
    assert [one["id"] for one in await room.tool("get_unblocked_tasks")] == ["docs.v1"]
    await room.tool("request_review", targetType="task", targetId="docs.v1", requestedBy="Dee", reviewer="Ben")
    await room.tool("update_task", taskId="docs.v1", status="done", agentId="Dee")
    assert [one["id"] for one in await room.tool("get_unblocked_tasks")] == ["T-01"]
    assert (await room.action_no("taskCreate", requesterName="Ann", title="x", id="docs.v1")).name == "TaskExistsError"
