"""Who says it, and who may see it (protocol §13.4 W-35, W-36; §1.7; decisions 5 and 8; W-48, W-49, W-73)."""

from dataclasses import replace
from typing import Any

import pytest

from stateroom.core.ids import Name
from stateroom.engine.access import Caller
from stateroom.faces.mcp.application import StateroomApplication

from .harness import Room, promise

REPEATABLE: list[tuple[str, dict[str, Any]]] = [
    ("add_task", {"title": "t", "description": "", "agentId": "ann"}),
    ("update_task", {"taskId": "T-01", "status": "in_progress", "owner": "ann"}),
    ("write_context", {"type": "note", "summary": "", "consuming_agents": ["bob"], "author": "ann"}),
    ("update_context", {"id": "C-01", "author": "ann", "summary": "new"}),
    ("post_event", {"type": "t", "from_": "ann", "to": "all"}),
    ("reply_to_event", {"type": "t", "from_": "ann", "to": "all", "replyToId": "E-3"}),
    ("request_review", {"targetType": "task", "targetId": "T-01", "requestedBy": "ann", "reviewer": "bob"}),
]


@promise("W-35")
async def test_every_event_names_the_credential_that_vouched_for_it(room: Room) -> None:
    """`from` is what the caller says; `via` is what the server knows."""
    keyed = room.of_team("a-team")
    await keyed.post(from_="ann")
    await keyed.add()
    assert [event["via"] for event in await keyed.events()] == ["key:a-team", "key:a-team"]
    assert (await room.post())["via"] == "open"


def bound(room: Room, member: str) -> Room:
    """A seat whose endpoint `?room=demo&agent=…` speaks under one name."""
    return replace(room, caller=Caller("open", "open", room="demo", member=Name(member)), without_room=True)


@promise("W-35", "W-36")
async def test_a_bound_endpoint_speaks_under_its_chosen_name(room: Room) -> None:
    """Whatever it says, or if it says nothing: own tasks, events and presence are found under that name."""
    seat = bound(room, "guest")
    id = (await seat.call("add_task", title="t", description="", agentId="mallory"))["id"]
    await seat.call("update_task", taskId=id, status="in_progress", owner="guest")
    await seat.call("post_event", type="t", from_="mallory", to="all", payload={})
    assert (await seat.call("heartbeat"))["agentId"] == "guest"
    assert [task["id"] for task in await seat.call("get_my_tasks")] == [id]
    assert {event["from"] for event in await room.events()} == {"guest"}
    assert [presence["agentId"] for presence in await room.call("get_presence")] == ["guest"]


@promise("W-14")
async def test_a_bound_seat_cannot_release_by_naming_the_holder(room: Room) -> None:
    """list_locks shows who holds what; that alone opens nothing."""
    await room.call("acquire_lock", resource="db", agentId="ann")
    seat = bound(room, "mallory")
    assert not (await seat.call("release_lock", resource="db", agentId="ann"))["released"]
    assert [lock["owner"] for lock in await room.call("list_locks")] == ["ann"]


@promise("47")
async def test_a_bound_reviewer_resolves_under_its_own_name(room: Room) -> None:
    """`agentId: carol` from a seat bound to bob is bob."""
    asked = {"targetType": "task", "targetId": await room.add(), "requestedBy": "ann", "reviewer": "bob"}
    review = await room.call("request_review", **asked)
    resolved = await bound(room, "bob").call("approve", reviewId=review["id"], agentId="carol")
    assert (resolved["status"], resolved["resolvedBy"]) == ("approved", "bob")


@promise("W-36")
async def test_two_guests_have_cursors_of_their_own(room: Room) -> None:
    """Each bound seat reads everything once."""
    await room.post()
    for member in ("guest-1", "guest-2"):
        assert (await bound(room, member).call("get_unread_events"))["count"] == 1


async def test_a_bound_seat_may_name_no_other_room(room: Room) -> None:
    """The denial is the same whether the other room exists or not."""
    await room.at("other").call("read_plan")
    await room.call("read_plan")
    seat = bound(room, "guest")
    for other in ("other", "nowhere"):
        assert (await seat.refusal("read_plan", roomId=other)).text == "Error: Room not found or access denied"
    assert await seat.call("list_rooms") == {"rooms": ["demo"]}


@promise("W-48", "W-49", "§1.7")
async def test_teams_have_rooms_of_their_own_under_any_name(room: Room) -> None:
    """The same id in two teams is two rooms: nothing can be squatted, and nothing can be probed."""
    one, two = room.of_team("one"), room.of_team("two")
    await one.add("secret")
    assert (await two.call("read_plan"))["tasks"] == []
    assert await two.call("search", q="secret") == {"q": "secret", "hits": []}
    assert await two.call("get_presence") == []
    assert (await one.call("get_room_info"))["ownerTeamId"] == "one"


@promise("W-48")
async def test_looking_does_not_make_a_room(room: Room) -> None:
    """Only read_plan, writes, and showing oneself do (decision 5)."""
    for tool in ("get_presence", "list_context", "read_events", "list_reviews", "list_locks", "get_unblocked_tasks"):
        assert await room.call(tool) == []
    await room.call("get_my_tasks", agentId="ann")
    assert await room.call("list_rooms") == {"rooms": []}
    for number, (tool, arguments) in enumerate(
        [("read_plan", {}), ("heartbeat", {"agentId": "a"}), ("get_my_summary", {"agentId": "a"})]
    ):
        await room.at(f"room-{number}").call(tool, **arguments)
    assert len((await room.call("list_rooms"))["rooms"]) == 3


async def test_names_are_compared_without_regard_to_case_and_form(room: Room) -> None:
    """`Ann`, ` ann ` and a full-width spelling are one agent, shown as it was first spelled (decision 8)."""
    await room.call("heartbeat", agentId="Ann")
    for spelling in (" ann ", "ANN", "\uff21nn"):
        await room.call("heartbeat", agentId=spelling)
        await room.post(from_=spelling)
        assert (await room.newest())["from"] == "Ann"
    assert [presence["agentId"] for presence in await room.call("get_presence")] == ["Ann"]
    await room.call("get_unread_events", agentId="ann")
    assert (await room.call("get_unread_events", agentId="ANN"))["count"] == 0


@promise("W-73")
@pytest.mark.parametrize(("tool", "arguments"), REPEATABLE, ids=[tool for tool, _ in REPEATABLE])
async def test_a_repeated_request_has_its_effect_once(room: Room, tool: str, arguments: dict[str, Any]) -> None:
    """The same requestId gets the same answer; another wish under it is refused."""
    await room.add()
    await room.note()
    arguments = {"payload": {"text": "t"}, **arguments, "requestId": "r-1"}
    first = await room.call(tool, **arguments)
    before = await room.state()
    room.clock.advance(60)
    assert await room.call(tool, **arguments) == first
    assert await room.state() == before
    changed = {
        key: "other" for key in ("title", "note", "summary", "type") if key in arguments and tool != "write_context"
    }
    other = {**arguments, **(changed or {"summary": "other"}), "note": "other"}
    assert (await room.refusal(tool, **other)).code == "request_reused"


async def test_the_application_reads_names_that_an_endpoint_is_bound_to(room: Room) -> None:
    """`?room=…&agent=…` are what a bound seat need not say."""
    app = StateroomApplication(room.engine)
    caller = app.admit({}, {"room": "demo", "agent": "guest"})
    assert (caller.room, caller.member) == ("demo", "guest")
    assert dict(app.given(caller))["roomId"] == "demo"
