"""The weaknesses of events and cursors (protocol §13.1), and what is better here."""

import pytest

from .harness import Room, gather, promise


async def drain(room: Room, agent: str, **more: object) -> list[int]:
    """The numbers of everything that is unread, taken in as many calls as it needs."""
    numbers: list[int] = []
    while events := (await room.call("get_unread_events", agentId=agent, **more))["events"]:
        numbers += [event["payload"]["n"] for event in events]
    return numbers


async def count(room: Room, how_many: int) -> list[str]:
    """Numbered events, all in one millisecond; their ids."""
    return [(await room.post(payload={"n": number}))["id"] for number in range(how_many)]


@promise("W-01")
async def test_a_batch_may_end_inside_a_millisecond(room: Room) -> None:
    """Also what is posted in the cursor's own millisecond afterwards is delivered."""
    await count(room, 3)
    assert (await room.call("get_unread_events", agentId="bob", limit=2))["count"] == 2
    await room.post(payload={"n": 3})
    assert await drain(room, "bob") == [2, 3]


@promise("W-02")
async def test_an_event_stamped_by_a_late_clock_is_not_lost(room: Room) -> None:
    """Place and time are given by the log: what is appended later is never earlier."""
    await room.post(payload={"n": 0})
    await drain(room, "bob")
    room.clock.advance(-60)
    late = await room.post(payload={"n": 1})
    assert late["timestamp"] == "2026-01-01T00:00:00.000Z"
    assert await drain(room, "bob") == [1]


@promise("W-03")
async def test_every_event_can_be_reached(room: Room) -> None:
    """`since` is applied before `limit`, and positions page through all of the log, either way."""
    await count(room, 250)
    room.clock.advance(1)
    await room.post(payload={"n": 250})
    assert [e["payload"]["n"] for e in await room.call("read_events", since="2026-01-01T00:00:00.999Z")] == [250]
    first = await room.call("read_events", since="2025-12-31T00:00:00Z", order="oldest", limit=1)
    assert first[0]["payload"]["n"] == 0
    assert [event["payload"]["n"] for event in await room.events()] == list(range(251))
    back: list[int] = []
    page = await room.call("read_events", limit=100)
    while page:
        back += [event["payload"]["n"] for event in page]
        page = await room.call("read_events", limit=100, before=page[-1]["position"])
    assert back == list(range(250, -1, -1))


@promise("W-04")
async def test_an_agent_far_behind_skips_nothing(room: Room) -> None:
    """There is no window of 500: everything since its cursor comes, and it is told how much is left."""
    await count(room, 600)
    batch = await room.call("get_unread_events", agentId="bob", limit=100)
    assert (batch["count"], batch["more"], batch["events"][0]["payload"]["n"]) == (100, 500, 0)
    assert await drain(room, "bob") == list(range(100, 600))


@promise("W-05")
async def test_what_is_not_acknowledged_is_delivered_again(room: Room) -> None:
    """With `ack` a lost answer loses nothing; what was acknowledged does not come back."""
    await count(room, 3)
    first = await room.call("get_unread_events", agentId="bob", ack=0, limit=2)
    again = await room.call("get_unread_events", agentId="bob", ack=0, limit=2)
    assert first["events"] == again["events"]
    following = await room.call("get_unread_events", agentId="bob", ack=first["events"][-1]["position"])
    assert [event["payload"]["n"] for event in following["events"]] == [2]
    assert [event["payload"]["n"] for event in (await room.call("get_unread_events", agentId="bob"))["events"]] == [2]


@promise("W-05")
async def test_an_acknowledgement_beyond_the_log_is_refused(room: Room) -> None:
    """With the range that is valid; nothing moves."""
    await count(room, 1)
    refused = await room.refusal("get_unread_events", agentId="bob", ack=1_000)
    assert (refused.code, "valid positions are 0 to" in refused.text) == ("bad_cursor", True)
    assert await drain(room, "bob") == [0]


@promise("W-05")
async def test_peeking_takes_nothing(room: Room) -> None:
    """The same events come again until somebody takes them."""
    await count(room, 2)
    for _ in range(2):
        assert (await room.call("get_unread_events", agentId="bob", peek=True))["count"] == 2
    assert await drain(room, "bob") == [0, 1]


@promise("W-06")
async def test_readers_under_one_name_share_what_there_is(room: Room) -> None:
    """Thirty-two at once: every event is delivered exactly once."""
    await count(room, 100)
    calls = [room.call("get_unread_events", agentId="bob", limit=5) for _ in range(32)]
    batches = [[event["payload"]["n"] for event in answer["events"]] for answer in await gather(calls)]
    assert sorted(number for batch in batches for number in batch) == list(range(100))
    assert all(batch == sorted(batch) for batch in batches)
    assert await drain(room, "bob") == []


@promise("W-06")
async def test_an_old_acknowledgement_does_not_turn_the_cursor_back(room: Room) -> None:
    """A slow caller that acknowledges less than is read changes nothing."""
    await count(room, 3)
    batch = await room.call("get_unread_events", agentId="bob", limit=2)
    await room.call("get_unread_events", agentId="bob", ack=batch["events"][0]["position"])
    assert await drain(room, "bob") == [2]


@promise("W-07")
async def test_events_of_one_millisecond_keep_their_order(room: Room) -> None:
    """Oldest first when unread, newest first when read, by their place in the log."""
    await count(room, 5)
    assert await drain(room, "bob") == [0, 1, 2, 3, 4]
    assert [event["payload"]["n"] for event in await room.call("read_events")] == [4, 3, 2, 1, 0]


@promise("W-09")
async def test_read_by_says_who_has_left_a_receipt(room: Room) -> None:
    """Wherever the event is shown."""
    (id,) = await count(room, 1)
    await room.call("mark_event_read", eventId=id, agentId="bob")
    await room.call("mark_event_read", eventId=id, agentId="cyd")
    assert (await room.newest())["read_by"] == ["bob", "cyd"]
    assert (await room.call("get_unread_events", agentId="bob"))["events"][0]["read_by"] == ["bob", "cyd"]


@promise("W-09")
async def test_a_receipt_for_an_unknown_event_is_refused(room: Room) -> None:
    """Never was, or is withdrawn."""
    (id,) = await count(room, 1)
    await room.call("delete_event", eventId=id)
    for unknown in ("nope", "E-99", id):
        refused = await room.refusal("mark_event_read", eventId=unknown, agentId="bob")
        assert refused.text == f"Error: Event not found: {unknown}"


@promise("W-10")
@pytest.mark.parametrize(
    ("filters", "types"),
    [
        ({}, ["to_all", "to_bob", "to_cyd", "own"]),
        ({"forMe": True}, ["to_all", "to_bob", "own"]),
        ({"excludeSelf": True}, ["to_all", "to_bob", "to_cyd"]),
        ({"types": ["to_cyd", "own"]}, ["to_cyd", "own"]),
        ({"forMe": True, "excludeSelf": True, "types": ["to_all", "to_cyd"]}, ["to_all"]),
    ],
)
async def test_an_agent_may_ask_for_less_than_everything(
    room: Room, filters: dict[str, object], types: list[str]
) -> None:
    """By addressee, sender and type; what was left out counts as read and is counted."""
    for type, sender, to in (("to_all", "ann", "all"), ("to_bob", "ann", "Bob"), ("to_cyd", "ann", "cyd")):
        await room.post(type, from_=sender, to=to)
    await room.post("own", from_="bob")
    batch = await room.call("get_unread_events", agentId="bob", **filters)
    assert [event["type"] for event in batch["events"]] == types
    assert batch.get("skipped", 0) == 4 - len(types)
    assert (await room.call("get_unread_events", agentId="bob"))["count"] == 0


@promise("W-11")
async def test_deleting_loses_nothing_that_is_posted_meanwhile(room: Room) -> None:
    """A deletion is a tombstone; what others append at the same time stays."""
    ids = await count(room, 20)
    deletions = [room.call("delete_event", eventId=id) for id in ids[:10]]
    posts = [room.post(payload={"n": number}) for number in range(20, 40)]
    assert not [answer for answer in await gather([*deletions, *posts]) if isinstance(answer, Exception)]
    events = await room.events()
    kept = sorted(event["payload"]["n"] for event in events if event["type"] == "ping")
    assert kept == list(range(10, 40))
    assert sum(event["type"] == "event_deleted" for event in events) == 10
