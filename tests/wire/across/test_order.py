"""One order in all faces, and cursors of one that reading in another leaves alone."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.wire.across.house import Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROUNDS = 8
WRITERS: dict[str, Callable[[Room, int], Awaitable[Any]]] = {
    "room_send": lambda room, n: room.tool("room_send", name="Ben", text=f"tool {n}"),
    "room_task": lambda room, n: room.tool("room_task", name="Ben", action="create", title=f"task {n}"),
    "post_event": lambda room, n: room.tool("post_event", type="ping", from_="Dee", to="all", payload={"n": n}),
    "write_context": lambda room, n: room.tool(
        "write_context", type="note", summary=f"s {n}", payload={"text": "t"}, consuming_agents=["Ben"], author="Dee"
    ),
    "set_shared_var": lambda room, n: room.tool("set_shared_var", agentId="Dee", key="k", value=str(n)),
    "send": lambda room, n: room.say("Ann", f"action {n}"),
    "say": lambda room, n: room.wish("say", "Nova", text=f"command {n}"),
    "open-task": lambda room, n: room.wish("open-task", "Nova", title=f"wish {n}"),
}


async def write(room: Room) -> None:
    """Through every face at once."""
    await asyncio.gather(*(writes(write, room) for write in WRITERS.values()))


async def writes(write: Callable[[Room, int], Awaitable[Any]], room: Room) -> None:
    for number in range(ROUNDS):
        await write(room, number)


async def test_everybody_sees_one_order_whatever_is_written_at_once(room: Room):
    """Positions and lines are gapless; each face shows the same entries in the same order."""
    await room.host_action("setPolicy", exchangeLimit=0)
    await write(room)
    entries, events, lines = await room.entries(), await room.events(), await room.lines()
    assert [one["position"] for one in entries] == list(range(1, len(entries) + 1))
    assert [one["line"] for one in lines] == list(range(1, len(lines) + 1))
    told = [(one["position"], one["by"]) for one in entries if one["told"]]
    assert [(one["position"], one["from"]) for one in events] == told
    assert [(one["id"], one["line"]) for one in lines] == [(e["position"], e["line"]) for e in entries if e["line"]]
    assert await room.native("GET", "/events", limit=1000) == events
    assert (await room.native("GET", "/lines", limit=1000))["lines"] == lines
    assert (await room.page())["messages"] == lines
    assert await room.shown_lines() == [one["id"] for one in lines]
    assert await room.house.stream(room.code, len(events)) == events
    times = [one["at"] for one in entries]
    assert times == sorted(times)


async def listened(room: Room, last: Callable[[], bool]) -> list[int]:
    """Lines, by `room_listen`."""
    seen: list[int] = []
    cursor = len(await room.lines())
    while not last() or cursor < len(await room.lines()):
        heard = await room.tool("room_listen", since=cursor, timeoutMs=50)
        seen += [one["id"] for one in heard["messages"]]
        cursor = heard["cursor"]
    return seen


async def polled(room: Room, last: Callable[[], bool]) -> list[int]:
    """Lines, by `messages`, as older clients read: the next cursor is the total they were told."""
    seen: list[int] = []
    cursor = len(await room.lines())
    while not last() or cursor < len(await room.lines()):
        found = await room.action("messages", cursor=cursor)
        seen += [one["id"] for one in found["messages"]]
        cursor = found["total"]
    return seen


async def taken(room: Room, last: Callable[[], bool]) -> list[int]:
    """Events, by `get_unread_events` and the native inbox in turns: they share the member's cursor."""
    seen: list[int] = []
    while True:
        over = last()
        events = (await room.tool("get_unread_events", agentId="Dee"))["events"]
        events += (await room.native("POST", "/inbox/Dee", {}))["events"]
        seen += [one["position"] for one in events]
        if over and not events:
            return seen


async def test_readers_of_every_face_see_each_thing_once_while_it_is_written(room: Room):
    """No line and no event is lost, doubled or turned round, however one reads."""
    await room.host_action("setPolicy", exchangeLimit=0)
    await room.tool("get_unread_events", agentId="Dee")
    before, written = await room.position(), asyncio.Event()
    reading = asyncio.gather(*(read(room, written.is_set) for read in (listened, polled, taken)))
    await write(room)
    written.set()
    heard, found, unread = await reading
    entries = await room.entries(before)
    assert heard == found == [one["position"] for one in entries if one["line"]]
    assert unread == [one["position"] for one in entries if one["told"]]


LOOKS: dict[str, Callable[[Room], Awaitable[Any]]] = {
    "read_events": lambda room: room.events(),
    "a peek": lambda room: room.tool("get_unread_events", agentId="Ben", peek=True),
    "a peek in the native inbox": lambda room: room.native("POST", "/inbox/Ben", {"peek": True}),
    "another's inbox": lambda room: room.tool("get_unread_events", agentId="Dee"),
    "entries": lambda room: room.entries(),
    "events": lambda room: room.native("GET", "/events"),
    "lines": lambda room: room.native("GET", "/lines"),
    "the summary": lambda room: room.native("GET", "/summary", member="Ben"),
    "messages": lambda room: room.lines(),
    "a listen by nobody": lambda room: room.tool("room_listen", since=0, timeoutMs=0),
    "another's listen": lambda room: room.tool("room_listen", name="Nova", since=0, timeoutMs=0),
    "minutes": lambda room: room.tool("room_minutes"),
    "a snapshot": lambda room: room.tool("room_minutes", snapshot=True),
    "the page": lambda room: room.html(),
    "the stream": lambda room: room.house.stream(room.code, 2),
    "search": lambda room: room.tool("search", q="one"),
}
"""What moves nobody's cursor, or not Ben's."""


async def unread_events(room: Room) -> list[str]:
    """Ben's, in the Room Protocol."""
    found = (await room.tool("get_unread_events", agentId="Ben"))["events"]
    return [one["payload"]["text"] for one in found]


async def unread_lines(room: Room) -> int:
    """How many Ben has not been given, in the conversation."""
    sent = await room.tool("room_send", name="Ben", text="hm", kind="status")
    return int(sent["unread"]) + len(sent["messages"])


@pytest.mark.parametrize("look", LOOKS)
async def test_looking_moves_no_cursor(room: Room, look: str):
    """Afterwards everything is as unread as before, in both counts."""
    for text in ("one", "two"):
        await room.say("Ann", text)
    await LOOKS[look](room)
    assert await unread_events(room) == ["one", "two"]
    assert await unread_lines(room) == 2


async def test_events_and_lines_are_read_apart(room: Room):
    """Who has taken its events has not been given the lines, and the other way round (docs/protocol.md)."""
    await room.say("Ann", "one")
    await unread_events(room)
    assert await unread_lines(room) == 1
    await room.say("Ann", "two")
    cursor = (await room.tool("room_listen", name="Ben", since=0, timeoutMs=0))["cursor"]
    assert cursor == len(await room.lines())
    assert await unread_events(room) == ["hm", "two"]


READS: dict[str, Callable[[Room], Awaitable[Any]]] = {
    "room_listen": lambda room: room.tool("room_listen", name="Ben", since=0, timeoutMs=0),
    "listen": lambda room: room.action("listen", name="Ben", since=0, timeoutMs=0),
    "messages": lambda room: room.action("messages", name="Ben", cursor=0),
    "lines": lambda room: room.native("GET", "/lines", member="Ben"),
    "lines, waited for": lambda room: room.native("GET", "/lines", member="Ben", wait_ms=1),
}


@pytest.mark.parametrize("read", READS)
async def test_lines_delivered_in_one_face_are_not_missed_in_another(room: Room, read: str):
    """What a member was given counts as heard, whichever way it listened under its name."""
    await room.say("Ann", "one")
    await READS[read](room)
    assert await unread_lines(room) == 0


async def test_events_taken_in_one_face_are_taken_in_the_other(room: Room):
    """The native inbox, the tools and the summary read on with one cursor."""
    for text, take in (
        ("one", lambda: room.tool("get_unread_events", agentId="Ben")),
        ("two", lambda: room.native("POST", "/inbox/Ben", {})),
        ("three", lambda: room.tool("get_my_summary", agentId="Ben")),
        ("four", lambda: room.tool("wait_for_events", agentId="Ben")),
    ):
        await room.say("Ann", text)
        taken = await take()
        events = taken.get("events") or taken["unreadEvents"]
        assert [one["payload"]["text"] for one in events] == [text]
    assert await unread_events(room) == []


async def test_what_was_withdrawn_is_gone_from_every_view(room: Room):
    """The line stays as an empty place, so that cursors hold; its words are nowhere but in the log."""
    said = await room.say("Ann", "[DECISION] xyzzy")
    await room.tool("room_send", name="Ben", text="ok", replyTo=said["message"]["id"])
    await room.tool("delete_event", agentId="Ann", eventId=f"E-{said['message']['id']}")
    assert [one["text"] for one in await room.lines()][:2] == ["(withdrawn)", "ok"]
    assert [one["type"] for one in await room.events()] == ["message", "event_deleted"]
    assert (await room.tool("room_minutes"))["decisions"] == []
    assert (await room.tool("search", q="xyzzy"))["hits"] == []
    views = [await room.lines(), await room.events(), await room.page(), await room.native("GET", "/report")]
    assert [view for view in views if "xyzzy" in str(view)] == []
    assert "xyzzy" not in await room.html()
