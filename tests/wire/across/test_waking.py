"""Who waits in one face is woken by what happens in another."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.wire.across.house import Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOTE = {"type": "note", "summary": "s", "payload": {"text": "t"}}
WAIT_MS = 20_000


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
    "room_listen, for what is addressed": lambda room, line, place: positions(
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
        room.native("POST", "/inbox/Ben", {"wait_ms": WAIT_MS}), "events", "position"
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
IS_NOBODYS_BUSINESS = {"set-policy"}
"""Does not wake who listens only for what is addressed to it."""


PAIRS = [
    pytest.param(what, how, id=f"{what}, waited for by {how}")
    for what in HAPPENING
    for how in WAITING
    if not (what in IS_NOBODYS_BUSINESS and "addressed" in how)
]


@pytest.mark.parametrize(("what", "how"), PAIRS)
async def test_whatever_happens_in_one_face_wakes_who_waits_in_any(room: Room, what: str, how: str):
    """With that very entry first."""
    await room.tool("add_task", title="t", description="", agentId="Dee")
    await room.tool("get_unread_events", agentId="Ben")
    line, place = len(await room.lines()), await room.position()
    waiting = asyncio.create_task(WAITING[how](room, line, place))
    if "listen" in how:
        await listening(room)
    await HAPPENING[what](room)
    assert (await waiting)[0] == place + 1


async def listening(room: Room) -> None:
    """Until Ben is seen to listen."""
    async with asyncio.timeout(WAIT_MS / 1000):
        while await presence(room) != "listening":
            pass


async def presence(room: Room) -> str:
    members = await room.native("GET", "/members")
    return next(one["presence"] for one in members if one["name"] == "Ben")
