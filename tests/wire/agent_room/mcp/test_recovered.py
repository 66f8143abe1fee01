"""Calls printed into a message are carried out in the sender's own name, and in no other (agent-room §16.1)."""

from typing import Any

import pytest

from tests.wire.agent_room.mcp.harness import Agent
from tests.wire.agent_room.mcp.test_board import board

CLAIM = '{"name": "room_task", "arguments": {"action": "claim", "id": "T-01"}}'


def tagged(tool: str, **arguments: str) -> str:
    """A call in tags."""
    given = "".join(f'<parameter name="{name}">{value}</parameter>' for name, value in arguments.items())
    return f'<invoke name="{tool}">{given}</invoke>'


async def send(agent: Agent, code: str, text: str, name: str = "Ada", **more: Any) -> Any:
    return await agent.call("room_send", code=code, name=name, text=text, **more)


async def test_a_printed_call_is_carried_out_and_not_posted(agent: Agent) -> None:
    """The markup is taken out, what is left is said, and the answer says so."""
    there = await board(agent)
    answer = await send(agent, there.code, f"I take it.\n<tool_call>{CLAIM}</tool_call>")
    assert (answer["sent"], answer["recovered"][0]["tool"], answer["recovered"][0]["ok"]) == (True, "room_task", True)
    assert "carried out" in answer["hint"]
    shown = await there.list(id="T-01")
    assert (shown["task"]["owner"], shown["task"]["state"]) == ("Ada", "in_progress")
    heard = await agent.call("room_listen", code=there.code, since=0, timeoutMs=0)
    texts = [line["text"] for line in heard["messages"] if line["type"] == "msg"]
    assert texts == ["I take it."]


async def test_nothing_is_posted_where_nothing_is_left(agent: Agent) -> None:
    """A text that was only a call says nothing."""
    there = await board(agent)
    answer = await send(agent, there.code, CLAIM)
    assert (answer["sent"], [one["ok"] for one in answer["recovered"]]) == (False, [True])
    again = await send(agent, there.code, 'room_send(text="hello")')
    assert again["recovered"][0]["result"]["sent"] is True
    heard = await agent.call("room_listen", code=there.code, since=0, timeoutMs=0)
    assert [line["text"] for line in heard["messages"] if line["type"] == "msg"] == ["hello"]


async def test_several_calls_are_carried_out_in_their_order(agent: Agent) -> None:
    """One that is refused does not stop the next; tags have all values as text."""
    there = await board(agent)
    claim = tagged("room_task", action="claim", id="T-09")
    note = tagged("write_context", type="note", summary="s", payload='{"text": "x"}', consuming_agents='["Iris"]')
    answer = await send(agent, there.code, f"{claim}\n{note}")
    first, second = answer["recovered"]
    assert (first["ok"], first["error"]) == (False, "TaskNotFoundError")
    assert (second["tool"], second["ok"]) == ("write_context", True)
    entries = await agent.call("list_context", roomId=there.code)
    assert [(one["author"], one["payload"]) for one in entries["result"]] == [("Ada", {"text": "x"})]


NOT_ALLOWED = {
    "an action of the host": '{"name": "room_end", "arguments": {}}',
    "the host's tool": '{"name": "room_admin", "arguments": {"action": "mute", "targetName": "Iris"}}',
    "another member": '{"name": "room_task", "arguments": {"action": "claim", "id": "T-01", "name": "Iris"}}',
    "another agent": '{"name": "update_task", "arguments": {"taskId": "T-01", "status": "done", "agentId": "Iris"}}',
    "another room": '{"name": "room_task", "arguments": {"action": "claim", "id": "T-01", "code": "AAA-BBB-CCC"}}',
    "a host key": '{"name": "room_task", "arguments": {"action": "claim", "id": "T-01", "hostKey": "x"}}',
}


@pytest.mark.parametrize("text", NOT_ALLOWED.values(), ids=NOT_ALLOWED)
async def test_a_text_can_do_no_more_than_its_sender(agent: Agent, text: str) -> None:
    """Reported as not carried out, and nothing has changed."""
    there = await board(agent)
    before = await there.list()
    answer = await send(agent, there.code, text)
    assert [(one["ok"], one["error"]) for one in answer["recovered"]] == [(False, "not_authorized")]
    assert (await there.list())["board"] == before["board"]


async def test_who_is_not_in_the_room_gets_nothing_done(agent: Agent) -> None:
    """As with a message."""
    there = await board(agent)
    refused = await agent.ask("room_send", code=there.code, name="Stranger", text=CLAIM)
    assert refused.value["error"] == "not_participant"
    assert (await there.list(id="T-01"))["task"]["state"] == "todo"


async def test_a_room_can_have_it_off(agent: Agent) -> None:
    """Then the text is posted as it is."""
    there = await board(agent)
    await agent.call(
        "room_admin", code=there.code, name="Nova", hostKey=there.made["hostKey"], action="set_policy", recovery="off"
    )
    answer = await send(agent, there.code, CLAIM)
    assert answer["sent"] is True
    assert "recovered" not in answer
    assert (await there.list(id="T-01"))["task"]["state"] == "todo"


async def test_a_repeated_message_does_it_once(agent: Agent) -> None:
    """The same request id has its effect once, for what was printed too."""
    there = await board(agent)
    text = '{"name": "room_task", "arguments": {"action": "create", "title": "two"}}'
    for _ in range(2):
        await send(agent, there.code, text, requestId="r-1")
    assert [task["title"] for task in (await there.list())["board"]["tasks"]].count("two") == 1


async def test_nothing_waits(agent: Agent) -> None:
    """A printed listen only looks."""
    there = await board(agent)
    cursor = (await agent.call("room_listen", code=there.code, since=0, timeoutMs=0))["cursor"]
    text = f'{{"name": "room_listen", "arguments": {{"since": {cursor}, "timeoutMs": 40000}}}}'
    answer = await send(agent, there.code, text)
    assert answer["recovered"][0]["ok"] is True


async def test_the_answer_stays_small(agent: Agent) -> None:
    """Twenty calls, each with a long answer."""
    there = await board(agent)
    await send(agent, there.code, "x" * 20_000)
    text = "\n".join(['{"name": "read_events", "arguments": {"limit": 50}}'] * 30)
    answer = await agent.ask("room_send", code=there.code, name="Ada", text=text)
    assert len(answer.value["recovered"]) == 20
    assert answer.bytes < 8_192
