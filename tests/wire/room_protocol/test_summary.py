"""get_my_summary (protocol §12.2, 67 to 69): the cold start, and what it consumes."""

from .harness import Room, promise


@promise("67")
async def test_a_summary_delivers_each_event_once(room: Room) -> None:
    """The first summary has the one event, the next has none; the cursor stays."""
    posted = await room.post("ping", from_="bob")
    first = await room.call("get_my_summary", agentId="ann")
    assert [event["id"] for event in first["unreadEvents"]] == [posted["id"]]
    second = await room.call("get_my_summary", agentId="ann")
    assert second["unreadEvents"] == []
    assert first["cursor"] == second["cursor"] == posted["timestamp"]


@promise("68")
async def test_summary_cursors_are_per_agent(room: Room) -> None:
    """What one agent has read, another has not."""
    await room.post()
    for agent in ("ann", "bob"):
        assert len((await room.call("get_my_summary", agentId=agent))["unreadEvents"]) == 1


@promise("69")
async def test_a_summary_has_own_tasks_and_echoes_the_agent(room: Room) -> None:
    """Others' tasks are not in it; the caller is online."""
    mine, other = await room.add(), await room.add()
    await room.call("update_task", taskId=mine, status="in_progress", owner="ann")
    await room.call("update_task", taskId=other, status="in_progress", owner="bob")
    summary = await room.call("get_my_summary", agentId="ann")
    assert (summary["agentId"], summary["roomId"]) == ("ann", "demo")
    assert [task["id"] for task in summary["myTasks"]] == [mine]
    assert {"agentId": "ann", "status": "online", "lastSeen": "2026-01-01T00:00:00.000Z"} in summary["presence"]


async def test_a_first_summary_of_a_new_room_is_empty(room: Room) -> None:
    """It opens the room; there is nothing yet, and no cursor."""
    summary = await room.call("get_my_summary", agentId="ann")
    assert (summary["myTasks"], summary["unreadEvents"], summary["newContextCount"]) == ([], [], 0)
    assert summary["cursor"] is None
    assert await room.call("list_rooms") == {"rooms": ["demo"]}


async def test_the_summary_and_the_inbox_share_one_cursor(room: Room) -> None:
    """Calling two of the consuming tools in a turn leaves the second empty."""
    await room.post()
    await room.call("get_my_summary", agentId="ann")
    assert (await room.call("get_unread_events", agentId="ann"))["events"] == []
    assert (await room.call("wait_for_events", agentId="ann", timeoutMs=1))["timedOut"]


async def test_a_summary_takes_at_most_fifty_events_and_says_how_many_are_left(room: Room) -> None:
    """Oldest first; the rest stays unread and is counted."""
    for number in range(60):
        await room.post(payload={"n": number})
    summary = await room.call("get_my_summary", agentId="ann")
    assert [event["payload"]["n"] for event in summary["unreadEvents"]] == list(range(50))
    assert summary["moreEvents"] == 10
    assert (await room.call("get_unread_events", agentId="ann"))["count"] == 10


@promise("W-08")
async def test_new_context_is_counted_by_what_the_agent_was_told_of(room: Room) -> None:
    """Entries without consumers count once, also when an event was read meanwhile; revised ones count again."""
    id = await room.note("quiet")
    assert (await room.call("get_my_summary", agentId="bob"))["newContextCount"] == 1
    await room.note("quiet too")
    await room.post()
    await room.call("get_unread_events", agentId="bob")
    assert (await room.call("get_my_summary", agentId="bob"))["newContextCount"] == 1
    assert (await room.call("get_my_summary", agentId="bob"))["newContextCount"] == 0
    await room.call("update_context", id=id, author="ann", summary="revised")
    assert (await room.call("get_my_summary", agentId="bob"))["newContextCount"] == 1
