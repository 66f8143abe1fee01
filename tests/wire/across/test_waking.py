"""Who waits in one face is woken by what happens in another."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.serving import until
from tests.wire.across.house import House, Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOTE = {"type": "note", "summary": "s", "payload": {"text": "t"}}
WAIT_MS = 20_000
ADDRESSED = "room_listen, for what is addressed"


async def positions(waiting: Awaitable[Any], field: str, name: str) -> list[int]:
    return [int(one[name]) for one in (await waiting)[field]]


async def streamed(room: Room, after: int) -> list[int]:
    return [one["position"] for one in await room.house.stream(room.code, 1, after)]


Wait = Callable[[Room, int, int], Awaitable[list[int]]]
"""From a room, a line and a position to the positions of what ended the wait."""
WAITING: dict[str, Wait] = {
    "room_listen": lambda room, line, place: positions(
        room.tool("room_listen", name="Ben", since=line, timeoutMs=WAIT_MS), "messages", "id"
    ),
    ADDRESSED: lambda room, line, place: positions(
        room.tool("room_listen", name="Ben", since=line, timeoutMs=WAIT_MS, wakeOn="addressed"), "messages", "id"
    ),
    "listen": lambda room, line, place: positions(
        room.action("listen", name="Ben", since=line, timeoutMs=WAIT_MS), "messages", "id"
    ),
    "lines": lambda room, line, place: positions(
        room.native("GET", "/lines", after=line, wait_ms=WAIT_MS), "lines", "id"
    ),
    "entries": lambda room, line, place: positions(
        room.native("GET", "/entries", after=place, wait_ms=WAIT_MS), "entries", "position"
    ),
    "wait_for_events": lambda room, line, place: positions(
        room.tool("wait_for_events", agentId="Ben", timeoutMs=WAIT_MS), "events", "position"
    ),
    "inbox": lambda room, line, place: positions(
        room.native("POST", "/inbox/Dee", {"wait_ms": WAIT_MS}), "events", "position"
    ),
    "stream": lambda room, line, place: streamed(room, place),
}
HAPPENING: dict[str, Callable[[Room], Awaitable[Any]]] = {
    "room_send": lambda room: room.tool("room_send", name="Nova", text="look, @Ben"),
    "send": lambda room: room.say("Ann", "look, @Ben"),
    "say": lambda room: room.wish("say", "Nova", text="look, @Ben"),
    "post_event": lambda room: room.tool("post_event", type="t", from_="Dee", to="Ben", payload={}),
    "write_context": lambda room: room.tool("write_context", **NOTE, author="Dee", consuming_agents=["Ben"]),
    "update_task": lambda room: room.tool("update_task", taskId="T-01", status="pending", owner="Ben", agentId="Dee"),
    "room_task": lambda room: room.tool("room_task", name="Nova", action="create", title="t", owner="Ben"),
    "taskReassign": lambda room: room.action("taskReassign", requesterName="Ann", id="T-01", owner="Ben"),
    "request_review": lambda room: room.tool(
        "request_review", targetType="task", targetId="T-01", requestedBy="Dee", reviewer="Ben"
    ),
    "set-policy": lambda room: room.wish("set-policy", host=True, exchange_limit=3),
    "room_end": lambda room: room.hosted("room_end"),
}
HELD = {("set-policy", ADDRESSED)}
"""What happens, and who is not woken by it."""


@pytest.mark.parametrize("what", HAPPENING)
async def test_whatever_happens_in_one_face_wakes_who_waits_in_any(house: House, room: Room, what: str):
    """All of them at once, with that very entry; none of them had to look for it."""
    await room.tool("add_task", title="t", description="", agentId="Dee")
    await room.tool("get_unread_events", agentId="Ben")
    await room.tool("get_unread_events", agentId="Dee")
    line, place = len(await room.lines()), await room.position()
    waiters = {name: wait for name, wait in WAITING.items() if (what, name) not in HELD}
    await until(lambda: house.waiting() == 0)
    waiting = [asyncio.create_task(wait(room, line, place)) for wait in waiters.values()]
    await until(lambda: house.waiting() == len(waiting))
    assert not any(one.done() for one in waiting)
    async with asyncio.timeout(WAIT_MS / 2000):  # by half of their time: at its end they would look in any case
        await HAPPENING[what](room)
        woken = dict(zip(waiters, await asyncio.gather(*waiting), strict=True))
    assert woken == {name: [place + 1] for name in waiters}


async def test_what_concerns_nobody_in_particular_is_held_from_who_waits_for_what_does(house: House, room: Room):
    """It comes along with the next thing that is addressed to the listener, from whichever face."""
    await until(lambda: house.waiting() == 0)
    waiting = asyncio.create_task(WAITING[ADDRESSED](room, 0, 0))
    await until(lambda: house.waiting() == 1)
    await HAPPENING["set-policy"](room)
    await room.tool("post_event", type="t", from_="Dee", to="Nova", payload={})
    await room.tool("room_send", name="Nova", text="to myself")
    assert not waiting.done()
    await HAPPENING["post_event"](room)
    assert await waiting == [one["id"] for one in await room.lines()]
