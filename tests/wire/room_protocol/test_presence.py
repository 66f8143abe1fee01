"""Presence (protocol §12.4, 109 to 111, and §13.4): who is here, and by which calls that is known."""

from typing import Any

import pytest

from .harness import Room, promise


async def status(room: Room, agent: str) -> str | None:
    """How an agent is listed, or None if it is not."""
    listed = {presence["agentId"]: presence["status"] for presence in await room.call("get_presence")}
    return listed.get(agent)


@promise("109")
async def test_a_heartbeat_registers_an_agent_online(room: Room) -> None:
    """The answer has everybody, the caller included."""
    answer = await room.call("heartbeat", agentId="ann")
    ann = {"agentId": "ann", "status": "online", "lastSeen": "2026-01-01T00:00:00.000Z"}
    assert answer == {"agentId": "ann", "presence": [ann]}
    assert await room.types() == []


@promise("110", "W-34")
async def test_an_agent_is_offline_two_minutes_after_its_last_sign_of_life(room: Room) -> None:
    """Online at 119 s, offline at 121 s; still listed, and when it was last seen is kept."""
    await room.call("heartbeat", agentId="ann")
    room.clock.advance(119)
    assert await status(room, "ann") == "online"
    room.clock.advance(2)
    (ann,) = await room.call("get_presence")
    assert ann == {"agentId": "ann", "status": "offline", "lastSeen": "2026-01-01T00:00:00.000Z"}


@promise("111")
async def test_presence_covers_every_agent(room: Room) -> None:
    """Each in a row, those who are gone as well as those who are here."""
    await room.call("heartbeat", agentId="ann")
    room.clock.advance(121)
    await room.call("heartbeat", agentId="bob")
    listed = [(presence["agentId"], presence["status"]) for presence in await room.call("get_presence")]
    assert sorted(listed) == [("ann", "offline"), ("bob", "online")]


async def test_nobody_is_in_a_room_that_nobody_entered(room: Room) -> None:
    """An unknown room has no one, and asking does not make it."""
    assert await room.call("get_presence") == []
    assert await room.call("list_rooms") == {"rooms": []}


SIGNS: list[tuple[str, dict[str, Any]]] = [
    ("get_my_tasks", {"agentId": "ann"}),
    ("get_unblocked_tasks", {"agentId": "ann"}),
    ("get_my_summary", {"agentId": "ann"}),
    ("get_unread_events", {"agentId": "ann"}),
    ("wait_for_events", {"agentId": "ann", "timeoutMs": 1}),
    ("set_task_priority", {"agentId": "ann", "taskId": "T-01", "priority": 1}),
    (
        "write_context",
        {"author": "ann", "type": "note", "summary": "", "consuming_agents": [], "payload": {"text": "t"}},
    ),
    ("update_context", {"author": "ann", "id": "C-01", "summary": "as it is"}),
    ("post_event", {"from_": "ann", "to": "all", "type": "ping", "payload": {}}),
    ("mark_event_read", {"agentId": "ann", "eventId": "E-3"}),
    ("acquire_lock", {"agentId": "ann", "resource": "held by bob"}),
    ("release_lock", {"agentId": "ann", "resource": "held by bob"}),
    ("set_shared_var", {"agentId": "ann", "key": "k", "value": "v"}),
]


@pytest.mark.parametrize(("tool", "arguments"), SIGNS, ids=[tool for tool, _ in SIGNS])
async def test_every_call_of_a_known_agent_is_a_sign_of_life(room: Room, tool: str, arguments: dict[str, Any]) -> None:
    """Writing, reading and asking in vain alike (protocol §4.4)."""
    await room.call("heartbeat", agentId="ann")
    await room.add()
    await room.note("as it is", author="bob")
    await room.call("acquire_lock", resource="held by bob", agentId="bob", ttlSeconds=300)
    room.clock.advance(121)
    assert await status(room, "ann") == "offline"
    await room.call(tool, **arguments)
    assert await status(room, "ann") == "online"


@promise("W-33")
async def test_reading_about_an_agent_does_not_mark_it_online(room: Room) -> None:
    """list_context(author), or naming it as owner's expectation, consumer or reviewer, says nothing about it."""
    await room.note(author="ann")
    room.clock.advance(121)
    assert len(await room.call("list_context", author="ann")) == 1
    await room.post(from_="bob", to="ann")
    await room.call("request_review", targetType="context", targetId="C-01", requestedBy="bob", reviewer="ann")
    assert await status(room, "ann") == "offline"


@promise("126")
async def test_leaving_forgets_an_agent_and_is_told(room: Room) -> None:
    """It is gone from presence at once; its tasks, cursor and locks stay."""
    id = await room.add()
    await room.call("update_task", taskId=id, status="in_progress", owner="ann")
    await room.call("acquire_lock", resource="r", agentId="ann")
    await room.call("heartbeat", agentId="bob")
    left = await room.call("leave_room", agentId="ann")
    assert left == {"left": True, "agentId": "ann", "agents": ["bob"]}
    assert [presence["agentId"] for presence in await room.call("get_presence")] == ["bob"]
    event = await room.newest()
    assert (event["type"], event["from"], event["to"]) == ("agent_left", "ann", "all")
    assert event["payload"] == {"agentId": "ann"}
    assert len(await room.call("get_my_tasks", agentId="ann")) == 1
    assert [lock["owner"] for lock in await room.call("list_locks")] == ["ann"]
    assert await status(room, "ann") is None


async def test_an_agent_that_was_never_here_may_leave(room: Room) -> None:
    """Also that is told."""
    assert (await room.call("leave_room", agentId="zoe"))["agents"] == []
    assert await room.types() == ["agent_left"]
