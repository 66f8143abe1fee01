"""wait_for_events (protocol §5.3): waiting for the first event, and taking it."""

import asyncio
from typing import Any

from .harness import Room, promise, until


async def waiting(room: Room, agent: str = "bob", **more: Any) -> "asyncio.Task[Any]":
    """A wait that has begun."""
    hung = room.engine.rooms.bells.waiting()
    task = asyncio.create_task(room.call("wait_for_events", agentId=agent, timeoutMs=30_000, **more))
    await until(lambda: room.engine.rooms.bells.waiting() > hung or task.done())
    return task


@promise("W-42")
async def test_a_waiting_agent_is_woken_by_an_event(room: Room) -> None:
    """At once, without polling; and the event is consumed."""
    task = await waiting(room)
    event = await room.post()
    answer = await task
    assert (answer["events"], answer["timedOut"], answer["cursor"]) == ([event], False, event["timestamp"])
    assert (await room.call("get_unread_events", agentId="bob"))["count"] == 0


async def test_what_is_already_there_is_not_waited_for(room: Room) -> None:
    """Up to twenty by default, or as many as asked for."""
    for _ in range(30):
        await room.post()
    answer = await room.call("wait_for_events", agentId="bob")
    assert (len(answer["events"]), answer["timedOut"], answer["more"]) == (20, False, 10)
    assert len((await room.call("wait_for_events", agentId="bob", limit=3))["events"]) == 3


@promise("W-43")
async def test_a_wait_in_vain_says_so(room: Room) -> None:
    """It has timed out with nothing, and its answer has a count like that of its sibling."""
    answer = await room.call("wait_for_events", agentId="bob", timeoutMs=1)
    assert (answer["events"], answer["cursor"], answer["timedOut"], answer["count"]) == ([], None, True, 0)
    event = await room.post()
    await room.call("get_unread_events", agentId="bob")
    assert (await room.call("wait_for_events", agentId="bob", timeoutMs=1))["cursor"] == event["timestamp"]


async def test_one_event_wakes_every_agent_that_waits(room: Room) -> None:
    """Each has a cursor of its own."""
    tasks = [await waiting(room, agent) for agent in ("ann", "bob", "cyd")]
    await room.post()
    assert [len((await task)["events"]) for task in tasks] == [1, 1, 1]


async def test_an_automatic_event_wakes_too(room: Room) -> None:
    """Whatever the room is told of."""
    task = await waiting(room)
    await room.add()
    assert [event["type"] for event in (await task)["events"]] == ["task_added"]


async def test_what_does_not_match_does_not_wake(room: Room) -> None:
    """A wait for one type goes on through others."""
    task = await waiting(room, types=["pong"])
    await room.post("ping")
    assert not task.done()
    await room.post("pong")
    assert [event["type"] for event in (await task)["events"]] == ["pong"]


@promise("W-05")
async def test_a_wait_that_is_broken_off_takes_nothing(room: Room) -> None:
    """What comes afterwards is still unread."""
    task = await waiting(room)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await room.post()
    assert (await room.call("get_unread_events", agentId="bob"))["count"] == 1
