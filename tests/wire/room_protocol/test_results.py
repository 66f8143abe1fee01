"""Results (protocol §2, §3.2, §14.2): every tool answers with the fields of the catalogue, of the types it says."""

import json
from typing import Any

import pytest

from .catalogue import ARGUMENTS, sample
from .harness import Answer, Room, promise
from .shapes import RESULTS, faults

EMPTY_READS = [tool for tool in RESULTS if tool.startswith(("list_", "read_events", "get_presence", "get_room"))]
SPECIAL: dict[str, dict[str, Any]] = {
    "add_dependency": {"taskId": "T-02"},
    "update_task": {"taskId": "T-02"},
    "mark_event_read": {"eventId": "E-7"},
    "delete_event": {"eventId": "E-7"},
    "approve": {"agentId": "bob"},
    "reject": {"agentId": "bob"},
    "create_room_from_template": {"roomId": "fresh", "templateId": "web-app"},
}
"""Where the plain samples would be refused in the furnished room."""


async def furnish(room: Room) -> None:
    """One of everything: tasks with and without priority, a revised entry, events, a lock, a variable, a review."""
    first, second = await room.add(), await room.add()
    await room.call("set_task_priority", taskId=first, priority=1, agentId="ann")
    await room.call("update_task", taskId=second, status="pending", owner="ann", note="n")
    id = await room.note("s", consuming_agents=["bob"])
    await room.call("update_context", id=id, author="ann", summary="s2")
    await room.post()
    await room.call("reply_to_event", replyToId="E-9", type="pong", from_="bob", to="ann", payload={})
    await room.call("acquire_lock", resource="r", agentId="bob")
    await room.call("set_shared_var", key="k", value="v", agentId="ann")
    asked = {"targetType": "task", "targetId": first, "requestedBy": "ann", "reviewer": "bob"}
    await room.call("request_review", **asked, note="please")
    room.clock.advance(1)


async def answered(room: Room, tool: str) -> Answer:
    """A tool's answer to good arguments in a furnished room."""
    await furnish(room)
    return await room.raw(tool, json.dumps({**sample(tool), **SPECIAL.get(tool, {})}))


def test_every_tool_has_a_result_shape() -> None:
    """The two tables are about the same 44 tools."""
    assert list(RESULTS) == list(ARGUMENTS)


@promise("§14.2")
@pytest.mark.parametrize("tool", RESULTS)
async def test_a_result_has_the_fields_of_the_catalogue(room: Room, tool: str) -> None:
    """Each listed field, of the listed type; nothing listed is renamed, removed or retyped."""
    answer = await answered(room, tool)
    assert faults(answer.value, RESULTS[tool]) == []


@pytest.mark.parametrize("tool", RESULTS)
async def test_a_model_gets_the_same_fields(room: Room, tool: str) -> None:
    """A caller that names a revision of MCP may get less of them, never other ones."""
    answer = await answered(room.named(), tool)
    assert faults(answer.value, RESULTS[tool]) == []


@promise("§3.2")
@pytest.mark.parametrize("tool", RESULTS)
async def test_a_result_is_not_enveloped(room: Room, tool: str) -> None:
    """The text is the value itself, a bare array where the catalogue has one; the structured half wraps only those."""
    answer = await answered(room, tool)
    assert len(answer.result["content"]) == 1
    assert answer.result["content"][0]["type"] == "text"
    assert isinstance(answer.value, list if isinstance(RESULTS[tool], list) else dict)
    assert answer.result["isError"] is False


@pytest.mark.parametrize("tool", EMPTY_READS)
async def test_a_read_of_an_unknown_room_has_the_same_fields(room: Room, tool: str) -> None:
    """Empty, and nothing is made by looking (decision 5)."""
    answer = await room.raw(tool, json.dumps(sample(tool)))
    assert faults(answer.value, RESULTS[tool]) == []
    assert await room.call("list_rooms") == {"rooms": []}


def test_a_shape_tells_what_does_not_fit() -> None:
    """The measure itself: absent fields, other types, other words, arrays for objects."""
    plan = {"project": 1, "created_at": "now", "tasks": [{"status": "todo", "depends_on": "x"}]}
    found = faults(plan, RESULTS["read_plan"])
    for fault in (
        "$.project: 1",
        "$.updated_at: absent",
        "$.tasks[0].status: 'todo'",
        "$.tasks[0].depends_on: no array",
    ):
        assert fault in found
    assert faults({"events": True, "count": True, "cursor": 1}, RESULTS["get_unread_events"]) == [
        "$.events: no array",
        "$.cursor: 1",
        "$.count: True",
    ]
