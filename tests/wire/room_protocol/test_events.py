"""Events (protocol §12.4, 95 to 108): the log, what is unread, receipts, replies, withdrawals."""

from .harness import Room, promise


@promise("95", "96")
async def test_read_events_has_the_newest_first_up_to_its_limit(room: Room) -> None:
    """Twenty by default; the cursor is not touched."""
    for number in range(25):
        await room.post(payload={"n": number})
    assert [event["payload"]["n"] for event in await room.call("read_events")] == list(range(24, 4, -1))
    assert [event["payload"]["n"] for event in await room.call("read_events", limit=3)] == [24, 23, 22]
    assert (await room.call("get_unread_events", agentId="bob"))["count"] == 25


@promise("97")
async def test_a_future_since_gives_none(room: Room) -> None:
    """Only what is strictly later counts, to the millisecond."""
    await room.post("one")
    room.clock.advance(0.001)
    second = await room.post("two")
    assert await room.call("read_events", since="2099-01-01T00:00:00Z") == []
    assert await room.call("read_events", since=second["timestamp"]) == []
    assert [event["type"] for event in await room.call("read_events", since="2026-01-01T00:00:00.000Z")] == ["two"]


@promise("98")
async def test_events_are_scoped_to_their_room(room: Room) -> None:
    """Another room of the same team has none of them, and an unknown room has none at all."""
    await room.post()
    other = room.at("other")
    assert await other.call("read_events") == []
    await other.post("elsewhere")
    assert await room.types() == ["ping"]


@promise("99")
async def test_unread_is_everything_once(room: Room) -> None:
    """The first call has all of it, oldest first; the second none."""
    posted = [await room.post(payload={"n": n}) for n in range(3)]
    first = await room.call("get_unread_events", agentId="bob")
    assert first["events"] == posted
    assert first["count"] == 3
    second = await room.call("get_unread_events", agentId="bob")
    assert (second["events"], second["count"], second["cursor"]) == ([], 0, first["cursor"])


@promise("100")
async def test_a_later_event_is_delivered_alone(room: Room) -> None:
    """After everything was read, only what is new comes."""
    await room.post("one")
    await room.call("get_unread_events", agentId="bob")
    room.clock.advance(0.005)
    await room.post("two")
    unread = await room.call("get_unread_events", agentId="bob")
    assert [event["type"] for event in unread["events"]] == ["two"]


@promise("101")
async def test_cursors_are_independent_per_agent(room: Room) -> None:
    """Own events are delivered to their sender too."""
    await room.post(from_="ann")
    for agent in ("ann", "bob", "cyd"):
        assert (await room.call("get_unread_events", agentId=agent))["count"] == 1


@promise("102")
async def test_the_cursor_is_the_time_of_the_last_event(room: Room) -> None:
    """Not the clock; null until something was read."""
    assert (await room.call("get_unread_events", agentId="bob"))["cursor"] is None
    event = await room.post()
    room.clock.advance(60)
    assert (await room.call("get_unread_events", agentId="bob"))["cursor"] == event["timestamp"]


@promise("103", "104")
async def test_limited_calls_drain_a_backlog_in_order(room: Room) -> None:
    """Five events with limit 2 come as 2, 2, 1; with limit 1 none is skipped."""
    for number in range(5):
        await room.post(payload={"n": number})

    async def drained(agent: str, limit: int) -> list[list[int]]:
        batches = []
        while events := (await room.call("get_unread_events", agentId=agent, limit=limit))["events"]:
            batches.append([event["payload"]["n"] for event in events])
        return batches

    assert await drained("bob", 2) == [[0, 1], [2, 3], [4]]
    assert await drained("cyd", 1) == [[0], [1], [2], [3], [4]]


@promise("105", "106")
async def test_a_receipt_lists_its_reader_once(room: Room) -> None:
    """Empty before, one name after, also when it is given twice."""
    id = (await room.post())["id"]
    assert await room.call("get_event_reads", eventId=id) == {"eventId": id, "readBy": []}
    for _ in range(2):
        marked = await room.call("mark_event_read", eventId=id, agentId="bob")
        assert marked == {"eventId": id, "agentId": "bob", "ok": True}
    assert await room.call("get_event_reads", eventId=id) == {"eventId": id, "readBy": ["bob"]}
    assert (await room.call("get_event_reads", eventId="nope"))["readBy"] == []


@promise("107")
async def test_a_reply_names_what_it_answers(room: Room) -> None:
    """In the answer and in the log; the parent need not exist, and then the reply says so."""
    id = (await room.post(from_="bob"))["id"]
    arguments = {"type": "pong", "from_": "ann", "to": "bob", "payload": {"ok": True}}
    reply = await room.call("reply_to_event", replyToId=id, **arguments)
    assert (reply["reply_to_id"], reply["parent_found"]) == (id, True)
    newest = await room.newest()
    assert (newest["reply_to_id"], newest["to"], newest["payload"]) == (id, "bob", {"ok": True})
    orphan = await room.call("reply_to_event", replyToId="nope", **arguments)
    assert (orphan["reply_to_id"], orphan["parent_found"]) == ("nope", False)


@promise("108")
async def test_a_deleted_event_leaves_a_notice(room: Room) -> None:
    """The target is gone from every view; `event_deleted` names it."""
    first, second = await room.post("one"), await room.post("two")
    assert await room.call("delete_event", eventId=first["id"], agentId="bob") == {
        "deleted": True,
        "eventId": first["id"],
    }
    assert await room.types() == ["two", "event_deleted"]
    notice = await room.newest()
    assert (notice["from"], notice["to"], notice["payload"]) == ("bob", "all", {"eventId": first["id"]})
    assert (await room.call("get_unread_events", agentId="bob"))["count"] == 2
    await room.call("delete_event", eventId=second["id"])
    assert (await room.newest())["from"] == "system"


async def test_an_event_that_is_not_there_cannot_be_deleted(room: Room) -> None:
    """Never was, is deleted already, was never told, or is no event id at all."""
    id = (await room.post())["id"]
    await room.call("delete_event", eventId=id)
    before = await room.state()
    for unknown in ("nope", "E-0", "E-1", "E-99", "E--1", "E-²", id):
        assert (await room.refusal("delete_event", eventId=unknown)).text == f"Error: Event not found: {unknown}"
    assert await room.state() == before


async def test_an_event_is_exactly_what_was_posted(room: Room) -> None:
    """Type, sender, addressee and payload, with an id, a time and nobody who has read it yet."""
    payload = {"text": "héllo — 世界", "deep": [{"n": 1.5, "none": None, "yes": True}], "": "empty key"}
    event = await room.post("peer_request", from_="ann", to="bob", payload=payload)
    assert (event["type"], event["from"], event["to"], event["payload"]) == ("peer_request", "ann", "bob", payload)
    assert (event["timestamp"], event["read_by"]) == ("2026-01-01T00:00:00.000Z", [])
    assert "reply_to_id" not in event
    assert await room.newest() == event
