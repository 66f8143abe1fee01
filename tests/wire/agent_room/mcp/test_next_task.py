"""`next_task`: the best task, claimed, with what it takes to do it, in at most 8 KB (traps 19, 21, 25)."""

import re
from typing import Any

import pytest

from tests.wire.agent_room.mcp.harness import LINE_BYTES, Agent, gather
from tests.wire.agent_room.mcp.test_board import CHECKED, RUN, Board
from tests.wire.agent_room.mcp.test_speaking import crowd

HOSTILE = "\x01\U0001f600"
"""Few characters, many bytes."""
ENDPOINT = {"method": "GET", "path": "/orders", "response": {}, "auth_required": False, "description": "all orders"}
CONTRACT = {"service": "orders", "version": "1", "endpoints": [ENDPOINT]}


async def a_board(agent: Agent, *names: str) -> Board:
    """An empty board of Nova's."""
    return Board(agent, await crowd(agent, *(names or ("Iris", "Ada"))))


async def after(there: Board, name: str, **more: Any) -> dict[str, Any]:
    """What a member is given next."""
    return await there.agent.call("next_task", code=there.code, name=name, **more)


async def make(there: Board, title: str, **more: Any) -> str:
    """A new task's id."""
    return str((await there.do("Nova", "create", "", title=title, **more))["task"]["id"])


async def write(there: Board, summary: str, text: str, *consumers: str, type: str = "note") -> dict[str, Any]:
    """A document of Iris's."""
    contract = CONTRACT if type == "api_contract" else {}
    said = {"roomId": there.code, "author": "Iris", "type": type, "summary": summary}
    said |= {"payload": {**contract, "text": text}}
    return await there.agent.call("write_context", **said, consuming_agents=list(consumers))


async def test_the_best_task_is_given_under_a_lease(agent: Agent) -> None:
    """The most important whose dependencies are done; nobody needs to name it."""
    there = await a_board(agent)
    await make(there, "later", priority=5)
    first = await make(there, "first", priority=1)
    await make(there, "waits", priority=0, dependsOn=[first])
    given = await after(there, "Ada")
    assert (given["task"]["id"], given["task"]["owner"], given["task"]["state"]) == (first, "Ada", "in_progress")
    assert (given["resumed"], given["token"], given["code"]) == (False, 1, there.code)
    assert given["leaseUntil"] == given["task"]["lease"]["grantedAt"] + 900_000
    assert (await after(there, "Iris"))["task"]["title"] == "later"


async def test_whoever_is_at_work_goes_on_with_that(agent: Agent) -> None:
    """One at a time; what was rejected comes before anything new (trap 25)."""
    there = await a_board(agent)
    await make(there, "one", dod="tests pass")
    await make(there, "two")
    given = await after(there, "Ada")
    again = await after(there, "Ada")
    assert (again["task"]["id"], again["token"], again["resumed"]) == ("T-01", given["token"], True)
    await there.do("Ada", "submit", token=given["token"], **RUN)
    await there.do("Iris", "verify", verdict="rejected", note="no")
    back = await after(there, "Ada")
    assert (back["task"]["id"], back["task"]["state"], back["resumed"]) == ("T-01", "rejected", True)
    assert "token" not in back
    assert back["finish"].startswith('room_task(action: "submit", id: "T-01", fileListing')


async def test_it_comes_with_what_it_builds_on(agent: Agent) -> None:
    """The tasks it waited for, slim, and the documents they left, contracts first and whole."""
    there = await a_board(agent)
    note = await write(there, "a note", "read me")
    written = await write(there, "Orders", "all of it", type="api_contract")
    before = await make(there, "the contract")
    await make(there, f"the client of {note['id']} and {written['id']}", dependsOn=[before])
    for name, value in (("Iris", "in_progress"), ("Iris", "done")):
        await agent.call("update_task", roomId=there.code, agentId=name, taskId=before, status=value)
    given = await after(there, "Ada")
    assert [(one["id"], one["state"]) for one in given["dependsOn"]] == [(before, "done")]
    assert [document["id"] for document in given["context"]] == [written["id"], note["id"]]
    assert given["context"][0]["payload"]["text"] == "all of it"


@pytest.mark.parametrize(("more", "proof"), [({"dod": "tests pass"}, "asked"), ({}, "always"), ({}, "asked")])
async def test_the_way_to_finish_is_a_call_that_works(agent: Agent, more: dict[str, Any], proof: str) -> None:
    """`submit` where another's verdict is needed, by the task or by the room's policy; else the plan's own."""
    there = await a_board(agent)
    keys = {"code": there.code, "name": "Nova", "hostKey": there.made["hostKey"]}
    await agent.call("room_admin", **keys, action="set_policy", proof=proof)
    await make(there, "one", **more)
    finish = (await after(there, "Ada"))["finish"]
    token = int(re.findall(r"token: (\d+)", finish)[0])
    if more or proof == "always":
        assert finish.startswith('room_task(action: "submit", id: "T-01", token: ')
        assert (await there.do("Ada", "submit", token=token, **CHECKED))["task"]["state"] == "awaiting_review"
    else:
        assert finish.startswith('update_task(taskId: "T-01", status: "done", token: ')
        await agent.call("update_task", roomId=there.code, agentId="Ada", taskId="T-01", status="done", token=token)
        assert (await there.list())["board"]["tasks"][0]["state"] == "done"


async def test_nothing_to_take_is_an_answer_with_its_reasons(agent: Agent) -> None:
    """In figures: it is no failure, and says whose turn it is."""
    there = await a_board(agent)
    assert (await after(there, "Ada"))["why"] == "The board is empty."
    first = await make(there, "one", owner="Iris")
    await make(there, "two", dependsOn=[first])
    await make(there, "three", verifier="Ada")
    nothing = await after(there, "Ada")
    assert nothing["task"] is None
    assert nothing["why"] == (
        "No task is ready for you: 1 waiting for other tasks, 1 meant for others, 1 yours to rule on."
    )
    assert nothing["hint"]
    for id in (first, "T-02", "T-03"):
        await there.do("Nova", "cancel", id)
    assert (await after(there, "Ada"))["why"] == "All tasks are over: 3 cancelled."


async def test_a_board_whose_work_waits_for_verdicts_says_so(agent: Agent) -> None:
    """And to whom: who owes one is told which."""
    there = await a_board(agent)
    await make(there, "one", verifier="Iris")
    await there.do("Ada", "submit", **RUN)
    nothing = await after(there, "Iris")
    assert nothing["why"] == "No task is ready for you: 1 awaiting a verdict."
    assert nothing["yourTasks"]["toVerify"] == [{"id": "T-01", "title": "one", "state": "awaiting_review"}]


async def test_members_who_ask_at_once_get_different_tasks(agent: Agent) -> None:
    """None twice, none skipped (traps 19, 21)."""
    names = [f"agent-{number}" for number in range(8)]
    there = await a_board(agent, *names)
    for number in range(6):
        await make(there, f"task {number}")
    answers = await gather(*(after(there, name) for name in names))
    given = [answer["task"]["id"] for answer in answers if answer["task"]]
    assert sorted(given) == [f"T-0{number}" for number in range(1, 7)]


async def test_the_answer_stays_small_whatever_is_on_the_board(agent: Agent, program: Agent) -> None:
    """At most 8 KB for a program too; what was left out is named with the calls that have it."""
    there = await a_board(agent)
    long, many = HOSTILE * 4_000, [f"GONE-{number:060}" for number in range(80)]
    done = [await make(there, HOSTILE * 400, description=long) for _ in range(12)]
    for id in done:
        await agent.call("update_task", roomId=there.code, agentId="Iris", taskId=id, status="done")
    for _ in range(12):
        await write(there, HOSTILE * 1_000, "x" * 5_000, "Ada")
    await make(there, HOSTILE * 400, description=long, dod=HOSTILE * 4_000, dependsOn=done, owner="Ada")
    for _ in range(6):
        await make(there, HOSTILE * 400, verifier="Ada", dependsOn=many)
        await make(there, HOSTILE * 400, owner="Ada", dependsOn=many)
    for caller in (agent, program):
        given = await caller.ask("next_task", code=there.code, name="Ada")
        assert not given.failed
        assert given.bytes <= LINE_BYTES
        assert given.value["task"]["id"] == "T-13"
        assert given.value["context"]
        assert len(given.value["yourTasks"]["queued"]) == 2
        assert all("cut" in entry for entry in given.value["context"])
        assert f'room_task(code: "{there.code}", action: "list", id: "T-13", full: true)' in given.note
        assert f'read_context(roomId: "{there.code}", id)' in given.note
    whole = await agent.call("room_task", code=there.code, action="list", id="T-13", full=True)
    assert whole["task"]["description"] == long


async def test_the_whole_of_small_documents_is_shown(agent: Agent) -> None:
    """Large ones in a line each, and neither at the cost of the others."""
    there = await a_board(agent)
    for size in (6_500, 100, 200):
        await write(there, f"of {size}", "x" * size, "Ada")
    await make(there, "one")
    shown = (await after(there, "Ada"))["context"]
    assert [(entry["summary"], "cut" in entry) for entry in shown] == [
        ("of 6500", True),
        ("of 100", False),
        ("of 200", False),
    ]


async def test_a_large_document_leaves_room_to_name_the_others(agent: Agent) -> None:
    """All eight are there, though the first alone would fit whole."""
    there = await a_board(agent)
    for number, size in enumerate((5_000, *(2_000,) * 7)):
        await write(there, f"{number} {'s' * 190}", "x" * size, "Ada")
    await make(there, "one")
    shown = (await after(there, "Ada"))["context"]
    assert [entry["summary"][0] for entry in shown] == list("01234567")


async def test_room_task_next_answers_the_same(agent: Agent) -> None:
    """Where `next_task` is not listed, the board's own tool does it."""
    there = await a_board(agent)
    await make(there, "one")
    given = await there.do("Ada", "next", "", leaseSeconds=60)
    assert (given["task"]["id"], given["leaseUntil"]) == ("T-01", given["task"]["lease"]["grantedAt"] + 60_000)
    same = await after(there, "Ada")
    assert (same["task"]["id"], same["token"], same["finish"]) == ("T-01", given["token"], given["finish"])
    assert set(same) == set(given)


async def test_either_name_of_a_room_and_a_member_is_taken(agent: Agent) -> None:
    """As with every tool of the two sets."""
    there = await a_board(agent)
    await make(there, "one")
    given = await agent.call("next_task", roomId=there.code, agentId="Ada")
    assert given["task"]["owner"] == "Ada"


async def test_it_is_listed_in_full_and_callable_everywhere(agent: Agent) -> None:
    """The eleven and the forty-four stay what they are."""
    there = await a_board(agent)
    for profile in ("core", "room", "state"):
        assert "next_task" not in [tool["name"] for tool in await agent.tools(profile)]
        at = agent.at(f"profile={profile}")
        assert (await at.call("next_task", code=there.code, name="Ada"))["task"] is None
    (listed,) = [tool for tool in await agent.tools("full") if tool["name"] == "next_task"]
    assert set(listed["inputSchema"]["properties"]) == {
        *("code", "name", "leaseSeconds", "hostKey", "seatKey", "requestId"),
    }


async def test_a_repeated_request_gives_the_same_task(agent: Agent) -> None:
    """The same requestId, the same claim (W-73)."""
    there = await a_board(agent)
    await make(there, "one")
    await make(there, "two")
    first = await after(there, "Ada", requestId="r-1")
    again = await after(there, "Ada", requestId="r-1")
    assert (again["task"]["id"], again["token"], again["replayed"]) == (first["task"]["id"], first["token"], True)


@pytest.mark.parametrize(
    ("name", "more", "error"),
    [
        ("Eve", {}, "not_participant"),
        ("  ", {}, "bad_request"),
        ("Ada", {"leaseSeconds": 86_401}, "bad_request"),
        ("Ada", {"code": "ZZZ-ZZZ-ZZZ"}, "room_not_found"),
    ],
)
async def test_what_it_refuses_has_a_name(agent: Agent, name: str, more: dict[str, Any], error: str) -> None:
    """And takes nothing."""
    there = await a_board(agent)
    await make(there, "one")
    failed = await agent.no("next_task", **{"code": there.code, "name": name, **more})
    assert (failed["ok"], failed["error"]) == (False, error)
    assert (await there.list())["board"]["tasks"][0]["state"] == "todo"
