"""The official client, in both eras, does a piece of work with either half of every answer alone."""

import json
from typing import Any, Literal

import pytest
from mcp.client import Client

from tests.wire.agent_room.mcp.harness import Agent
from tests.wire.agent_room.mcp.test_board import RUN


class Official:
    """Tools through the SDK's client, with one half of what they answer."""

    def __init__(self, client: Client, half: str) -> None:
        self._client, self._half = client, half

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What that half says."""
        result = await self._client.call_tool(tool, arguments)
        if self._half == "structured":
            assert result.structured_content is not None
            return dict(result.structured_content)
        return dict(json.loads(result.content[0].text))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("half", ["text", "structured"])
async def test_two_agents_work_together_with_either_half_alone(
    server, mode: Literal["auto", "legacy"], half: str
) -> None:
    """Make, join, talk, hand over a task, verify it, keep the minutes, end (trap 54)."""
    url = f"{server.url}/mcp"
    async with Client(url, mode=mode) as first, Client(url, mode=mode) as second:
        nova, iris = Official(first, half), Official(second, half)
        made = await nova.call("room_create", topic="Cache bug", name="Nova")
        code = made["code"]
        joined = await iris.call("room_join", code=code, name="Iris")
        await nova.call("room_send", code=code, name="Nova", text="[DECISION] fix it, @Iris")
        heard = await iris.call("room_listen", **joined["nextAction"]["arguments"])
        assert heard["messages"][0]["text"] == "[DECISION] fix it, @Iris"
        task = (await nova.call("room_task", code=code, name="Nova", action="create", title="t", verifier="Nova"))[
            "task"
        ]
        await iris.call("room_task", code=code, name="Iris", action="claim", id=task["id"])
        await iris.call("room_task", code=code, name="Iris", action="submit", id=task["id"], **RUN)
        early = await iris.call("room_task", code=code, name="Iris", action="verify", id=task["id"], verdict="done")
        assert (early["ok"], early["error"]) == (False, "OwnerCannotVerifyError")
        done = await nova.call("room_task", code=code, name="Nova", action="verify", id=task["id"], verdict="done")
        assert done["task"]["state"] == "done"
        minutes = await iris.call("room_minutes", code=code)
        assert [one["text"] for one in minutes["decisions"]] == ["fix it, @Iris"]
        assert (await nova.call("room_end", code=code, hostKey=made["hostKey"]))["ended"]
        last = await iris.call("room_listen", code=code, name="Iris", since=heard["cursor"])
        assert last["terminated"] == "room_ended"


@pytest.mark.parametrize("version", [None, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
async def test_every_revision_says_the_same(server, http, version: str | None) -> None:
    """A success and a failure, in each."""
    agent = Agent(http, f"{server.url}/mcp", version)
    code = (await agent.room())["code"]
    assert (await agent.call("room_send", code=code, name="Nova", text="hi"))["cursor"] == 1
    assert (await agent.no("room_send", code=code, name="Eve", text="hi"))["error"] == "not_participant"


async def test_the_conversation_and_the_shared_state_are_one_room(agent: Agent) -> None:
    """Said in one, seen in the other: a task, an entry, a message (design §7 "What is seen where")."""
    code = (await agent.room())["code"]
    await agent.call("room_task", code=code, name="Nova", action="create", title="shared")
    plan = await agent.ask("read_plan", roomId=code)
    assert [task["title"] for task in plan.value["tasks"]] == ["shared"]
    note = {"type": "note", "summary": "s", "payload": {"text": "t"}, "consuming_agents": ["Nova"], "author": "Iris"}
    await agent.ask("write_context", roomId=code, **note)
    heard = await agent.call("room_listen", code=code, name="Nova", since=1, timeoutMs=0)
    assert heard["messages"][0]["event"] == "context_update"
    assert heard["addressedYou"] is True
    await agent.call("room_send", code=code, name="Nova", text="said")
    events = (await agent.ask("get_unread_events", roomId=code, agentId="Iris")).result["structuredContent"]["events"]
    assert any(event["payload"].get("text") == "said" for event in events)
