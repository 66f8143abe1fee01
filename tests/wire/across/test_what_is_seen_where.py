"""Every fact of a room, done through each face that can do it, and looked at through all (design §7)."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from stateroom.core.room import FOLDS
from stateroom.wire.times import iso
from tests.wire.across.facts import FACTS, Do, Fact, Seen
from tests.wire.across.house import Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

EVERY_WAY = [pytest.param(fact, do, id=f"{fact.what}, by {face}") for fact in FACTS for face, do in fact.ways.items()]


@pytest.mark.parametrize(("fact", "do"), EVERY_WAY)
async def test_a_fact_is_seen_in_every_face_as_the_design_says(room: Room, fact: Fact, do: Do):
    """One entry of the log: an event here, a line there, a card on the page, or nothing at all."""
    for prepare in fact.before:
        await prepare(room)
    before, lines = await room.position(), len(await room.lines())
    await do(room)
    entries = await room.entries(before)
    assert [one["event"] for one in entries] == [seen.fact for seen in fact.seen]
    told = [(one["position"], seen) for one, seen in zip(entries, fact.seen, strict=True) if seen.event]
    shown = [(one["position"], seen) for one, seen in zip(entries, fact.seen, strict=True) if seen.line]
    await check_events(room, before, told)
    await check_origin(room, before, entries)
    await check_lines(room, lines, shown)
    assert [one["line"] for one in entries if one["line"]] == list(range(lines + 1, lines + 1 + len(shown)))
    assert [one["told"] for one in entries] == [bool(seen.event) for seen in fact.seen]


async def check_events(room: Room, after: int, expected: list[tuple[int, Seen]]) -> None:
    """The Room Protocol's events: type, sender, addressee, payload; and the same by every way to read them."""
    events = await room.events(after)
    assert [one["position"] for one in events] == [position for position, _ in expected]
    for event, (position, seen) in zip(events, expected, strict=True):
        assert (event["id"], event["type"]) == (f"E-{position}", seen.event)
        assert (event["from"], event["to"]) == (seen.sender, seen.to)
        assert seen.payload.items() <= event["payload"].items()
    assert await room.native("GET", "/events", after=after) == events
    assert await room.house.stream(room.code, len(events), after) == events


async def check_origin(room: Room, after: int, entries: list[dict[str, Any]]) -> None:
    """Who vouched for it, and when it was: the same in every face."""
    by_position = {one["position"]: one for one in entries}
    for event in await room.events(after):
        entry = by_position[event["position"]]
        assert (event["via"], event["timestamp"]) == (entry["via"], iso(entry["at"]))
    for line in await room.lines():
        if (entry := by_position.get(line["id"])) is not None:
            assert (line["time"], line["line"]) == (entry["at"], entry["line"])


async def check_lines(room: Room, since: int, expected: list[tuple[int, Seen]]) -> None:
    """The transcript's lines: kind and text; and the same by every way to read them, the page included."""
    lines = await room.lines(since)
    assert [one["id"] for one in lines] == [position for position, _ in expected]
    for line, (_, seen) in zip(lines, expected, strict=True):
        kind = line["type"] if line["type"] == "msg" else line["metadata"]["eventType"]
        assert kind == seen.line
        assert line["name"] == (seen.sender if seen.line == "msg" else "system")
        assert seen.says in line["text"]
    assert (await room.native("GET", "/lines", after=since))["lines"] == lines
    assert (await room.page())["messages"][since:] == lines
    assert (await room.shown_lines())[since:] == [position for position, _ in expected]
    heard = await room.tool("room_listen", since=since, timeoutMs=0)
    assert [(one["id"], one["text"]) for one in heard["messages"]] == [(one["id"], one["text"]) for one in lines]


@pytest.mark.parametrize(("fact", "do"), [one for one in EVERY_WAY if one.values[0].what == "a secret"])
async def test_what_is_redacted_is_in_no_face(room: Room, fact: Fact, do: Do):
    """Not in the log, not in an event, not on the page, and not in a report."""
    await do(room)
    everything = [
        json.dumps(await room.entries()),
        json.dumps(await room.events()),
        json.dumps(await room.lines()),
        await room.html(),
        json.dumps(await room.native("GET", "/report")),
    ]
    assert all("hunter2" not in text for text in everything)


BEFORE_ANYTHING = {"RoomOpened"}
"""What happens once, before anybody looks."""


async def test_every_kind_of_fact_is_in_the_table():
    """A kind that is added is looked at through every face."""
    assert {seen.fact for fact in FACTS for seen in fact.seen} | BEFORE_ANYTHING == {kind.__name__ for kind in FOLDS}


ANSWERS: dict[str, Callable[[Room, int], Awaitable[Any]]] = {
    "talk": lambda room, id: room.tool("room_send", name="Ben", text="yes", replyTo=id),
    "action": lambda room, id: room.action("send", message={"name": "Ben", "text": "yes", "replyTo": {"id": id}}),
    "command": lambda room, id: room.wish("say", "Ben", text="yes", reply_to=id),
}


@pytest.mark.parametrize("face", ANSWERS)
async def test_an_answer_names_what_it_answers_in_every_face(room: Room, face: str):
    """As a quotation in the transcript, by id in the Room Protocol, by position natively."""
    asked = (await room.say("Ann", "Ready?"))["message"]["id"]
    await ANSWERS[face](room, asked)
    assert (await room.lines())[-1]["replyTo"] == {"id": asked, "name": "Ann", "text": "Ready?"}
    assert (await room.events())[-1]["reply_to_id"] == f"E-{asked}"
    assert (await room.entries())[-1]["facts"]["reply_to"] == asked
    assert f'href="#line-{asked}"' in await room.html()
    assert "reply_to_id" not in (await room.events())[0]
