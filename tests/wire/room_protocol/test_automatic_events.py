"""Automatic events (protocol §2.3, §14.5): which tool tells the room what, from whom, to whom, with which keys."""

import json
from typing import Any

import pytest

from .catalogue import ARGUMENTS, sample
from .harness import Room, promise
from .test_results import SPECIAL, furnish

TASK = {"task", "previousStatus"}
ENTRY = {"contextId", "contextType", "summary"}
Told = tuple[str, str, str, set[str]]
"""Type, from, to, the payload's keys."""

TOLD: list[tuple[str, dict[str, Any], Told]] = [
    ("add_task", {}, ("task_added", "system", "all", {"task"})),
    ("add_task", {"agentId": "cyd"}, ("task_added", "cyd", "all", {"task"})),
    ("update_task", {"status": "done"}, ("task_updated", "ann", "all", TASK)),
    ("update_task", {"taskId": "T-01", "status": "done"}, ("task_updated", "system", "all", TASK)),
    ("update_task", {"status": "done", "owner": "cyd"}, ("task_updated", "cyd", "all", TASK)),
    ("set_task_priority", {"taskId": "T-02"}, ("task_updated", "ann", "all", TASK)),
    ("set_task_priority", {"priority": 9}, ("task_updated", "system", "all", TASK)),
    ("set_task_priority", {"priority": 9, "agentId": "cyd"}, ("task_updated", "cyd", "all", TASK)),
    ("add_dependency", {}, ("task_updated", "ann", "all", TASK)),
    ("add_dependency", {"agentId": "cyd"}, ("task_updated", "cyd", "all", TASK)),
    ("delete_task", {"taskId": "T-02"}, ("task_deleted", "system", "all", {"taskId", "task"})),
    ("delete_task", {"taskId": "T-02", "agentId": "cyd"}, ("task_deleted", "cyd", "all", {"taskId", "task"})),
    (
        "write_context",
        {"consuming_agents": ["bob"]},
        ("context_available", "ann", "bob", ENTRY | {"consuming_agents"}),
    ),
    (
        "write_context",
        {"consuming_agents": ["bob", "cyd"]},
        ("context_available", "ann", "all", ENTRY | {"consuming_agents"}),
    ),
    (
        "update_context",
        {"summary": "new", "author": "cyd"},
        ("context_updated", "cyd", "bob", ENTRY | {"previousVersion", "version"}),
    ),
    (
        "update_context",
        {"consuming_agents": ["dee", "eve"]},
        ("context_updated", "ann", "all", ENTRY | {"previousVersion", "version"}),
    ),
    ("delete_context", {}, ("context_deleted", "ann", "all", ENTRY)),
    ("delete_context", {"agentId": "cyd"}, ("context_deleted", "cyd", "all", ENTRY)),
    ("delete_event", {}, ("event_deleted", "system", "all", {"eventId"})),
    ("delete_event", {"agentId": "cyd"}, ("event_deleted", "cyd", "all", {"eventId"})),
    ("set_shared_var", {"value": "new"}, ("shared_var_set", "ann", "all", {"key", "value"})),
    ("leave_room", {}, ("agent_left", "ann", "all", {"agentId"})),
    ("request_review", {}, ("review_requested", "ann", "bob", {"review"})),
    ("approve", {}, ("review_approved", "bob", "ann", {"review"})),
    ("reject", {}, ("review_rejected", "bob", "ann", {"review"})),
    (
        "create_room_from_template",
        {"roomId": "demo", "append": True},
        ("room_templated", "system", "all", {"templateId", "taskCount"}),
    ),
    ("post_event", {"type": "peer_request", "to": "bob"}, ("peer_request", "ann", "bob", {"text"})),
    ("reply_to_event", {"type": "pong", "to": "bob"}, ("pong", "ann", "bob", {"text"})),
]
QUIET = [tool for tool in ARGUMENTS if tool not in {tool for tool, _, _ in TOLD}]


async def told(room: Room, tool: str, changes: dict[str, Any]) -> list[dict[str, Any]]:
    """What the furnished room is told by one call."""
    await furnish(room)
    before = (await room.newest())["position"]
    await room.raw(tool, json.dumps({**sample(tool), **SPECIAL.get(tool, {}), **changes}))
    return list(await room.call("read_events", after=before, order="oldest", limit=100))


@promise("§2.3", "§14.5")
@pytest.mark.parametrize(("tool", "changes", "expected"), TOLD)
async def test_a_change_is_told_once_with_the_keys_of_the_catalogue(
    room: Room, tool: str, changes: dict[str, Any], expected: Told
) -> None:
    """One event, of that type, from and to those, whose payload has those keys (and perhaps ours)."""
    (event,) = await told(room, tool, changes)
    type, sender, to, keys = expected
    assert (event["type"], event["from"], event["to"]) == (type, sender, to)
    assert keys <= set(event["payload"])


@promise("§2.3")
@pytest.mark.parametrize("tool", QUIET)
async def test_reading_and_being_here_is_not_told(room: Room, tool: str) -> None:
    """Heartbeats, locks, receipts, claims of rooms and reads leave no event."""
    assert await told(room, tool, {}) == []


async def test_a_change_that_did_not_happen_is_not_told(room: Room) -> None:
    """A refused call leaves no event."""
    await furnish(room)
    before = await room.events()
    await room.refusal("update_task", taskId="nope", status="done")
    await room.refusal("approve", reviewId="R-01", agentId="ann")
    await room.refusal("delete_event", eventId="nope")
    assert await room.events() == before


async def test_nobody_can_post_as_the_system_unnoticed(room: Room) -> None:
    """`via` names the credential that vouched for `from`, also where an agent calls itself `system`."""
    await room.post("task_added", from_="system", payload={"task": {}})
    forged = await room.newest()
    await room.add()
    real = await room.newest()
    assert (forged["from"], real["from"]) == ("system", "system")
    assert forged["payload"] != real["payload"]


@promise("§14.3")
async def test_positions_grow_in_the_order_of_the_log(room: Room) -> None:
    """Unique, ascending, the same in every view."""
    await furnish(room)
    events = await room.events()
    positions = [event["position"] for event in events]
    assert positions == sorted(set(positions))
    assert (await room.call("get_unread_events", agentId="zoe", limit=100))["events"] == events
    assert await room.call("read_events", limit=100) == events[::-1]
