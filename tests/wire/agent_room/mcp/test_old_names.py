"""The names the tools had before: accepted in every profile, listed in none (agent-room §9.2)."""

from typing import Any

import pytest

from stateroom.faces.mcp.agent_room.legacy import OLD
from tests.wire.agent_room.mcp.harness import Agent
from tests.wire.agent_room.mcp.test_speaking import crowd

PROMISED = {
    *("room_status", "room_list_messages", "room_export", "room_unwatch", "room_reactivate", "room_set_mode"),
    *("room_direct_invoke", "room_skip_current", "room_task_delete"),
    *(
        f"room_task_{action}"
        for action in ("list", "create", "claim", "submit", "verify", "reassign", "cancel", "reopen")
    ),
}


def test_every_old_name_is_known() -> None:
    """All of §9.2 except the webhooks, which come with a later issue."""
    assert set(OLD) == PROMISED


@pytest.mark.parametrize("profile", ["core", "room", "state", "full"])
async def test_old_names_are_never_listed(agent: Agent, profile: str) -> None:
    """They cost no tokens."""
    assert not PROMISED & {tool["name"] for tool in await agent.tools(profile)}


@pytest.mark.parametrize("profile", ["core", "room", "state", "full"])
async def test_old_names_are_called_in_every_profile(agent: Agent, profile: str) -> None:
    """A status, and reading without a cursor."""
    code = (await crowd(agent, "Iris"))["code"]
    there = agent.at(f"profile={profile}")
    said = await there.call("room_status", code=code, name="Iris", text="working")
    assert (said["roleAtSend"], said["extendsTurn"]) == ("status", False)
    read = await there.call("room_list_messages", code=code)
    assert [one["text"] for one in read["messages"]] == ["working"]
    assert (await there.call("room_export", code=code, name="Iris"))["exported"] is True
    assert (await there.call("room_unwatch", code=code))["stopped"] is False


async def test_an_old_name_means_one_thing(agent: Agent) -> None:
    """What it stands for can not be said otherwise."""
    code = (await crowd(agent, "Iris"))["code"]
    said = await agent.call("room_status", code=code, name="Iris", text="working", kind="message")
    assert said["roleAtSend"] == "status"
    read = await agent.call("room_list_messages", code=code, since=1, timeoutMs=45_000)
    assert read["messages"] == []


async def test_the_old_task_tools_work_the_board(agent: Agent) -> None:
    """Eight names, one board; delete is cancel."""
    code = (await crowd(agent, "Iris", "Ada"))["code"]

    async def task(action: str, **more: Any) -> dict[str, Any]:
        return await agent.call(f"room_task_{action}", code=code, **more)

    made = await task("create", name="Nova", title="t", verifier="Iris")
    id = made["task"]["id"]
    await task("claim", name="Ada", id=id)
    evidence = {"fileListing": "a", "fileExcerpt": "b", "runOutput": "c", "exitCode": 0}
    await task("submit", name="Ada", id=id, **evidence)
    assert (await task("verify", name="Iris", id=id, verdict="rejected"))["task"]["state"] == "rejected"
    assert (await task("reopen", name="Iris", id=id))["task"]["state"] == "todo"
    assert (await task("reassign", name="Iris", id=id, owner="Ada"))["task"]["owner"] == "Ada"
    other = (await task("create", name="Nova", title="u"))["task"]["id"]
    assert (await task("delete", name="Nova", id=other))["task"]["state"] == "cancelled"
    assert (await agent.no("room_task_cancel", code=code, name="Nova", id=other))["error"] == "TaskStateError"
    assert len((await task("list"))["board"]["tasks"]) == 2


async def test_the_old_host_tools_run_the_room(agent: Agent) -> None:
    """Mode with a whole modeConfig, invitation with a client kind, skip, reactivate."""
    made = await crowd(agent, "Iris", "Ada")
    host = {"code": made["code"], "name": "Nova", "hostKey": made["hostKey"]}
    config = {"moderatorAgentName": "Iris", "moderatorAgentClient": "cc"}
    changed = await agent.call("room_set_mode", mode="moderator", modeConfig=config, **host)
    assert changed["modeConfig"] == config
    await agent.call("room_send", code=made["code"], name="Nova", text="go")
    invited = await agent.call("room_direct_invoke", targetName="Ada", targetClient="cc", **host)
    assert invited["added"] is True
    assert (await agent.call("room_skip_current", **host))["skipped"]["name"] == "Iris"
    await agent.call("room_end", **host)
    assert (await agent.call("room_reactivate", **host))["reactivated"] is True
