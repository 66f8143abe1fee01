"""The plan's weaknesses (protocol §13.2), and what is better here."""

from .harness import Room, promise


@promise("W-12")
async def test_a_client_lock_named_plan_never_blocks_the_plan(room: Room) -> None:
    """The paper's own handoff took that lock and then could not update its task."""
    id = await room.add()
    assert (await room.call("acquire_lock", resource="plan", agentId="ann"))["acquired"]
    assert (await room.call("update_task", taskId=id, status="in_progress", owner="bob"))["owner"] == "bob"
    assert [lock["owner"] for lock in await room.call("list_locks")] == ["ann"]


@promise("W-18")
async def test_a_task_in_progress_cannot_be_stolen_by_accident(room: Room) -> None:
    """The second claim is refused and told who holds the task; nothing changes."""
    id = await room.add()
    await room.call("update_task", taskId=id, status="in_progress", owner="ann")
    room.clock.advance(60)
    before = await room.state()
    stolen = await room.refusal("update_task", taskId=id, status="in_progress", owner="bob")
    assert (stolen.code, stolen.sentence) == ("task_held", f"Task {id} is in progress: ann has held it for 60 s.")
    assert "takeover: true" in stolen.result["content"][1]["text"]
    assert await room.state() == before


@promise("W-18")
async def test_a_takeover_says_that_it_is_one(room: Room) -> None:
    """With takeover the second agent gets the task; its holder may update it freely all the time."""
    id = await room.add()
    for _ in range(2):
        await room.call("update_task", taskId=id, status="in_progress", owner="Ann")
    await room.call("update_task", taskId=id, status="in_progress", owner="ann", note="still at it")
    taken = await room.call("update_task", taskId=id, status="in_progress", owner="bob", takeover=True)
    assert taken["owner"] == "bob"


@promise("W-18")
async def test_an_update_can_insist_on_what_the_caller_last_saw(room: Room) -> None:
    """expectedStatus and expectedOwner refuse a change of something that has moved on."""
    id = await room.add()
    await room.call("update_task", taskId=id, status="pending", expectedStatus="pending", expectedOwner=None)
    await room.call("update_task", taskId=id, status="in_progress", owner="ann", expectedStatus="pending")
    for expected in ({"expectedStatus": "pending"}, {"expectedOwner": "bob"}, {"expectedOwner": None}):
        assert (await room.refusal("update_task", taskId=id, status="done", **expected)).code == "task_moved"
    assert (await room.call("update_task", taskId=id, status="done", expectedOwner="ann"))["status"] == "done"


@promise("W-19")
async def test_a_note_replaces_the_description_and_is_kept_as_history(room: Room) -> None:
    """The wire's effect stays; what was written before is not lost."""
    id = await room.add()
    await room.call("update_task", taskId=id, status="in_progress", owner="ann", note="began")
    task = await room.call("update_task", taskId=id, status="blocked", note="waiting for bob")
    assert task["description"] == "waiting for bob"
    assert [(note["by"], note["text"]) for note in task["notes"]] == [("ann", "began"), ("", "waiting for bob")]


@promise("W-19")
async def test_an_owner_can_be_cleared(room: Room) -> None:
    """`owner: null` gives a task back; an owner with an empty name does not come to be."""
    id = await room.add()
    await room.call("update_task", taskId=id, status="in_progress", owner="ann")
    assert (await room.call("update_task", taskId=id, status="pending", owner=None))["owner"] is None
    assert (await room.call("update_task", taskId=id, status="pending", owner=""))["owner"] is None


@promise("W-20")
async def test_the_most_important_task_is_offered_first(room: Room) -> None:
    """By priority, lower first; tasks without one last; ties in plan order."""
    ids = [await room.add() for _ in range(4)]
    for id, priority in ((ids[1], 5), (ids[2], -1), (ids[3], 5)):
        await room.call("set_task_priority", taskId=id, priority=priority)
    offered = [task["id"] for task in await room.call("get_unblocked_tasks")]
    assert offered == [ids[2], ids[1], ids[3], ids[0]]


@promise("W-21")
async def test_a_circle_of_dependencies_is_refused(room: Room) -> None:
    """However long the way round, and the refusal shows it."""
    ids = [await room.add() for _ in range(3)]
    await room.call("add_dependency", taskId=ids[0], dependsOn=ids[1])
    await room.call("add_dependency", taskId=ids[1], dependsOn=ids[2])
    circle = await room.refusal("add_dependency", taskId=ids[2], dependsOn=ids[0])
    assert circle.code == "dependency_cycle"
    assert " → ".join((ids[2], ids[0], ids[1], ids[2])) in circle.sentence


@promise("W-21")
async def test_dangling_dependencies_are_named(room: Room) -> None:
    """By the deletion that leaves them, by the task that has them, and to the room."""
    first = await room.add()
    second = await room.add(depends_on=[first, "elsewhere"])
    assert (await room.call("get_task", taskId=second))["missing_dependencies"] == ["elsewhere"]
    assert (await room.call("delete_task", taskId=first))["dependents"] == [second]
    assert (await room.newest())["payload"]["dependents"] == [second]
    assert (await room.call("get_task", taskId=second))["missing_dependencies"] == [first, "elsewhere"]


@promise("W-22")
async def test_titles_descriptions_and_notes_are_bounded(room: Room) -> None:
    """At the bound all is well; one character more is refused and stores nothing."""
    id = str((await room.call("add_task", title="t" * 1_000, description="d" * 16_000))["id"])
    before = await room.state()
    for refused in (
        await room.refusal("add_task", title="t" * 1_001, description=""),
        await room.refusal("add_task", title="", description="d" * 16_001),
        await room.refusal("add_task", title="", description="", depends_on=[f"T-{n}" for n in range(101)]),
        await room.refusal("update_task", taskId=id, status="done", note="n" * 16_001),
    ):
        assert (refused.code, "is too long" in refused.text) == ("too_long", True)
    assert await room.state() == before


@promise("W-23")
async def test_a_template_never_overwrites_a_plan(room: Room) -> None:
    """It is refused while there are tasks, and adds its own only when told to."""
    id = await room.add("mine")
    refused = await room.refusal("create_room_from_template", templateId="web-app")
    assert refused.code == "room_has_tasks"
    assert [task["id"] for task in (await room.call("read_plan"))["tasks"]] == [id]
    await room.call("create_room_from_template", templateId="web-app", append=True)
    assert len((await room.call("read_plan"))["tasks"]) == 5


@promise("W-24")
async def test_an_update_that_changes_nothing_tells_nothing(room: Room) -> None:
    """Neither the time nor the log moves; the caller gets the task as it stands."""
    first, second = await room.add(), await room.add()
    changes = (
        ("update_task", {"taskId": second, "status": "in_progress", "owner": "ann"}),
        ("set_task_priority", {"taskId": second, "priority": 1, "agentId": "ann"}),
        ("add_dependency", {"taskId": second, "dependsOn": first, "agentId": "ann"}),
    )
    for tool, arguments in changes:
        changed = await room.call(tool, **arguments)
        before = await room.state()
        room.clock.advance(1)
        assert await room.call(tool, **arguments) == changed
        assert await room.state() == before
