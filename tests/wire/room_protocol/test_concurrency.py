"""Many at once (protocol §1, guarantees 1 and 2; W-06, W-17, W-18): nothing is lost, nothing is done twice."""

from collections import Counter

from .harness import Room, ToolError, gather, promise


@promise("W-17", "§1.1")
async def test_of_sixteen_writers_with_a_hundred_updates_each_none_is_lost(room: Room) -> None:
    """Everybody adds, moves and ranks tasks on one plan; nobody is told to try again."""

    async def worker(number: int) -> None:
        for step in range(25):
            id = await room.add(f"{number}/{step}", agentId=f"agent-{number}")
            await room.call("update_task", taskId=id, status="in_progress", owner=f"agent-{number}")
            await room.call("set_task_priority", taskId=id, priority=step, agentId=f"agent-{number}")
            await room.call("update_task", taskId=id, status="done", note=f"done by {number}")

    assert await gather([worker(number) for number in range(16)]) == [None] * 16
    tasks = (await room.call("read_plan"))["tasks"]
    assert len({task["id"] for task in tasks}) == 16 * 25
    assert {task["title"] for task in tasks} == {f"{number}/{step}" for number in range(16) for step in range(25)}
    for task in tasks:
        number, _, step = task["title"].partition("/")
        assert (task["status"], task["owner"], task["priority"]) == ("done", f"agent-{number}", int(step))
        assert task["description"] == f"done by {number}"
    assert Counter(await room.types()) == {"task_added": 400, "task_updated": 1_200}


@promise("W-17")
async def test_updates_of_one_and_the_same_task_all_count(room: Room) -> None:
    """Sixteen writers, a hundred dependencies: each link is there."""
    target = await room.add("target")
    ids = [await room.add(str(number)) for number in range(100)]
    calls = [room.call("add_dependency", taskId=target, dependsOn=id) for id in ids]
    assert not [answer for answer in await gather(calls) if isinstance(answer, Exception)]
    assert sorted((await room.call("get_task", taskId=target))["depends_on"]) == sorted(ids)


@promise("W-18")
async def test_of_fifty_agents_who_claim_one_task_one_has_it(room: Room) -> None:
    """The other forty-nine are told who."""
    id = await room.add()
    calls = [room.call("update_task", taskId=id, status="in_progress", owner=f"agent-{number}") for number in range(50)]
    answers = await gather(calls)
    (won,) = [answer for answer in answers if isinstance(answer, dict)]
    lost = [answer for answer in answers if isinstance(answer, ToolError)]
    assert len(lost) == 49
    for error in lost:
        assert error.code == "task_held"
        assert f"{won['owner']} has held it" in error.sentence
    assert (await room.call("get_task", taskId=id))["owner"] == won["owner"]
    assert await room.types() == ["task_added", "task_updated"]


@promise("W-06", "§1.2")
async def test_readers_and_writers_of_one_inbox_meet_every_event_once(room: Room) -> None:
    """Thirty-two readers under one name, while others post: every event exactly once."""
    found: list[int] = []

    async def reader() -> None:
        while len(found) < 320:
            answer = await room.call("wait_for_events", agentId="bob", limit=7, timeoutMs=50)
            found.extend(event["payload"]["n"] for event in answer["events"])

    async def writer(number: int) -> None:
        for step in range(40):
            await room.post(from_=f"agent-{number}", payload={"n": 40 * number + step})

    answers = await gather([*(reader() for _ in range(32)), *(writer(number) for number in range(8))])
    assert answers == [None] * 40
    assert sorted(found) == list(range(320))


@promise("W-73")
async def test_a_call_repeated_at_the_same_time_has_its_effect_once(room: Room) -> None:
    """Ten retries with one requestId: one task, and every answer names it."""
    calls = [room.call("add_task", title="once", description="", agentId="ann", requestId="r-1") for _ in range(10)]
    assert {answer["id"] for answer in await gather(calls)} == {"T-01"}
    assert await room.types() == ["task_added"]
