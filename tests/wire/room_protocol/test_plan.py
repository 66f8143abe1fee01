"""The plan (protocol §12.2): reading it, adding to it, moving its tasks on."""

from .harness import Room, promise


@promise("51")
async def test_a_missing_room_reads_as_an_empty_plan(room: Room) -> None:
    """A room nobody has touched has a plan named after it, with no tasks."""
    plan = await room.call("read_plan")
    assert (plan["project"], plan["tasks"]) == ("demo", [])
    assert plan["created_at"] == plan["updated_at"] == "2026-01-01T00:00:00.000Z"


@promise("52")
async def test_an_added_task_is_pending_and_unowned(room: Room) -> None:
    """What add_task answers is what read_plan shows."""
    added = await room.call("add_task", title="Log in", description="with a password")
    (task,) = (await room.call("read_plan"))["tasks"]
    assert task == added
    assert (task["title"], task["status"], task["owner"], task["depends_on"]) == ("Log in", "pending", None, [])
    assert task["created_at"] == task["updated_at"]
    assert "priority" not in task


@promise("53")
async def test_adding_a_task_is_told_once_to_everybody(room: Room) -> None:
    """Exactly one event, `task_added`, to `all`, from the system when nobody is named."""
    task = await room.call("add_task", title="Log in", description="")
    (event,) = await room.events()
    assert (event["type"], event["from"], event["to"]) == ("task_added", "system", "all")
    assert event["payload"] == {"task": task}


@promise("54")
async def test_tasks_stand_in_the_order_in_which_they_were_added(room: Room) -> None:
    """Whatever their priority or status, the plan keeps the order of insertion."""
    ids = [await room.add(title) for title in ("one", "two", "three")]
    await room.call("set_task_priority", taskId=ids[2], priority=-5)
    await room.call("update_task", taskId=ids[0], status="done")
    assert [task["title"] for task in (await room.call("read_plan"))["tasks"]] == ["one", "two", "three"]


@promise("55")
async def test_updating_a_task_tells_its_new_owner_and_its_earlier_status(room: Room) -> None:
    """`task_updated` comes from the owner argument and carries `previousStatus`."""
    id = await room.add()
    room.clock.advance(1)
    task = await room.call("update_task", taskId=id, status="in_progress", owner="ann")
    assert (task["status"], task["owner"]) == ("in_progress", "ann")
    assert task["updated_at"] > task["created_at"]
    event = await room.newest()
    assert (event["type"], event["from"], event["to"]) == ("task_updated", "ann", "all")
    assert event["payload"] == {"task": task, "previousStatus": "pending"}


@promise("55")
async def test_a_change_without_a_named_agent_comes_from_the_owner_or_the_system(room: Room) -> None:
    """Without an owner argument `from` is the task's owner after the update, else `system`."""
    id = await room.add()
    await room.call("update_task", taskId=id, status="blocked")
    assert (await room.newest())["from"] == "system"
    await room.call("update_task", taskId=id, status="in_progress", owner="ann")
    await room.call("update_task", taskId=id, status="done")
    assert (await room.newest())["from"] == "ann"


@promise("56")
async def test_the_owner_stays_when_none_is_given(room: Room) -> None:
    """A status change without an owner argument keeps whoever owns the task."""
    id = await room.add()
    await room.call("update_task", taskId=id, status="in_progress", owner="ann")
    assert (await room.call("update_task", taskId=id, status="done"))["owner"] == "ann"


@promise("57")
async def test_an_unknown_task_is_refused_by_name(room: Room) -> None:
    """The literal text that clients match on, with the prefix that they strip."""
    assert (await room.refusal("update_task", taskId="nope", status="done")).text == "Error: Task not found: nope"


@promise("58", "W-12")
async def test_a_failed_plan_write_leaves_no_lock_behind(room: Room) -> None:
    """After a refused update nothing is locked, and the next write goes through."""
    await room.refusal("update_task", taskId="nope", status="done")
    assert await room.call("list_locks") == []
    assert await room.add() == "T-01"


@promise("59")
async def test_get_task_reads_one_task(room: Room) -> None:
    """The same task that add_task answered with."""
    added = await room.call("add_task", title="Log in", description="with a password")
    assert await room.call("get_task", taskId=added["id"]) == added


@promise("60")
async def test_get_task_refuses_an_unknown_id(room: Room) -> None:
    """With the literal text, also in a room that does not exist."""
    assert (await room.refusal("get_task", taskId="missing")).text == "Error: Task not found: missing"


@promise("61")
async def test_a_pending_task_without_dependencies_is_unblocked(room: Room) -> None:
    """It may be started at once."""
    id = await room.add()
    assert [task["id"] for task in await room.call("get_unblocked_tasks")] == [id]


@promise("62")
async def test_an_unfinished_dependency_hides_a_task_until_it_is_done(room: Room) -> None:
    """Then the task shows, and the finished one does not."""
    first = await room.add("first")
    second = await room.add("second", depends_on=[first])
    assert [task["id"] for task in await room.call("get_unblocked_tasks")] == [first]
    await room.call("update_task", taskId=first, status="done")
    assert [task["id"] for task in await room.call("get_unblocked_tasks")] == [second]


@promise("63")
async def test_a_dependency_that_is_on_no_plan_counts_as_unmet(room: Room) -> None:
    """Guarantee 5 of the paper."""
    await room.add(depends_on=["T-99"])
    assert await room.call("get_unblocked_tasks") == []


@promise("64")
async def test_only_pending_tasks_are_unblocked(room: Room) -> None:
    """What is in progress, blocked or done is not offered."""
    for status in ("in_progress", "blocked", "done"):
        await room.call("update_task", taskId=await room.add(), status=status)
    assert await room.call("get_unblocked_tasks") == []


@promise("65")
async def test_another_agents_pending_tasks_are_not_offered(room: Room) -> None:
    """With agentId, own and unowned tasks stay."""
    mine, other, free = [await room.add() for _ in range(3)]
    await room.call("update_task", taskId=mine, status="pending", owner="ann")
    await room.call("update_task", taskId=other, status="pending", owner="bob")
    offered = [task["id"] for task in await room.call("get_unblocked_tasks", agentId="ann")]
    assert offered == [mine, free]
    assert len(await room.call("get_unblocked_tasks")) == 3


@promise("66")
async def test_my_tasks_are_mine_in_plan_order_whatever_their_status(room: Room) -> None:
    """Done ones too; other agents' and free ones not."""
    ids = [await room.add() for _ in range(4)]
    for id, owner, status in zip(ids, ("ann", "bob", "ann", None), ("done", "pending", "pending", "done"), strict=True):
        await room.call("update_task", taskId=id, status=status, **({"owner": owner} if owner else {}))
    assert [task["id"] for task in await room.call("get_my_tasks", agentId="ann")] == [ids[0], ids[2]]


@promise("70")
async def test_deleting_a_task_empties_the_plan_and_is_told(room: Room) -> None:
    """`task_deleted` carries the removed task; the answer names it."""
    task = await room.call("add_task", title="Log in", description="")
    assert await room.call("delete_task", taskId=task["id"], agentId="ann") == {"deleted": True, "taskId": task["id"]}
    assert (await room.call("read_plan"))["tasks"] == []
    event = await room.newest()
    assert (event["type"], event["from"], event["to"]) == ("task_deleted", "ann", "all")
    assert event["payload"] == {"taskId": task["id"], "task": task}


@promise("71")
async def test_priority_and_dependencies_show_in_the_task(room: Room) -> None:
    """Each is told as `task_updated` with the status unchanged."""
    first, second = await room.add(), await room.add()
    await room.call("set_task_priority", taskId=second, priority=1, agentId="ann")
    await room.call("add_dependency", taskId=second, dependsOn=first)
    task = await room.call("get_task", taskId=second)
    assert (task["priority"], task["depends_on"]) == (1, [first])
    linked, prioritized = await room.call("read_events", limit=2)
    assert (prioritized["type"], prioritized["from"]) == ("task_updated", "ann")
    assert (linked["type"], linked["from"]) == ("task_updated", "system")
    assert linked["payload"] == {"task": task, "previousStatus": "pending"}


async def test_dependencies_are_refused_in_the_order_of_the_catalogue(room: Room) -> None:
    """First what it would depend on, then the task, then itself."""
    id = await room.add()
    assert (await room.refusal("add_dependency", taskId="x", dependsOn="y")).sentence == "Dependency task not found: y"
    assert (await room.refusal("add_dependency", taskId="x", dependsOn=id)).sentence == "Task not found: x"
    itself = await room.refusal("add_dependency", taskId=id, dependsOn=id)
    assert itself.sentence.startswith("A task cannot depend on itself")


async def test_a_plan_is_as_old_as_its_newest_change(room: Room) -> None:
    """`updated_at` is that of the task changed last, or the time of a deletion."""
    first, second = await room.add(), await room.add()
    room.clock.advance(10)
    changed = await room.call("update_task", taskId=first, status="done")
    assert (await room.call("read_plan"))["updated_at"] == changed["updated_at"]
    room.clock.advance(10)
    await room.call("delete_task", taskId=second)
    assert (await room.call("read_plan"))["updated_at"] == "2026-01-01T00:00:20.000Z"
