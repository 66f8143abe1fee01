"""Reviews (protocol §12.4, 127 to 129, and W-37)."""

from typing import Any

from .harness import Room, gather, promise


async def requested(room: Room, **more: Any) -> dict[str, Any]:
    """A review that ann asked bob for."""
    arguments = {"targetType": "task", "targetId": await room.add(), "requestedBy": "ann", "reviewer": "bob", **more}
    return dict(await room.call("request_review", **arguments))


@promise("127")
async def test_a_review_is_approved_by_its_reviewer(room: Room) -> None:
    """From pending to approved; both steps are told to whom they concern."""
    review = await requested(room, note="please")
    assert (review["status"], review["reviewer"], review["requestedBy"]) == ("pending", "bob", "ann")
    asked = await room.newest()
    assert (asked["type"], asked["from"], asked["to"]) == ("review_requested", "ann", "bob")
    assert asked["payload"] == {"review": review}
    room.clock.advance(1)
    approved = await room.call("approve", reviewId=review["id"], agentId="bob")
    assert (approved["status"], approved["resolvedBy"]) == ("approved", "bob")
    assert approved["resolvedAt"] > approved["createdAt"]
    told = await room.newest()
    assert (told["type"], told["from"], told["to"]) == ("review_approved", "bob", "ann")
    assert told["payload"] == {"review": approved}
    assert (await room.call("get_task", taskId=review["targetId"]))["status"] == "pending"


@promise("128")
async def test_only_the_reviewer_may_resolve(room: Room) -> None:
    """The literal text names the reviewer; the requester is no exception; nothing changes."""
    review = await requested(room)
    before = await room.state()
    for agent in ("cyd", "ann"):
        refused = await room.refusal("approve", reviewId=review["id"], agentId=agent)
        assert refused.text == "Error: Only reviewer bob may resolve this review"
    assert await room.state() == before


@promise("129")
async def test_a_rejection_shows_under_its_status(room: Room) -> None:
    """And is told as `review_rejected`."""
    review = await requested(room)
    other = await requested(room)
    rejected = await room.call("reject", reviewId=review["id"], agentId="bob", note="not yet")
    assert await room.call("list_reviews", status="rejected") == [rejected]
    assert await room.call("list_reviews", status="pending") == [other]
    assert await room.call("list_reviews", status="approved") == []
    assert (await room.newest())["type"] == "review_rejected"


async def test_reviews_are_listed_newest_first(room: Room) -> None:
    """All of them without a filter, none in an unknown room."""
    assert await room.call("list_reviews") == []
    ids = [(await requested(room))["id"] for _ in range(3)]
    assert [review["id"] for review in await room.call("list_reviews")] == ids[::-1]


async def test_what_cannot_be_resolved_is_refused_in_the_order_of_the_catalogue(room: Room) -> None:
    """An unknown review, then one that is resolved, then a stranger."""
    assert (await room.refusal("reject", reviewId="nope", agentId="bob")).text == "Error: Review not found: nope"
    yes, no = (await requested(room))["id"], (await requested(room))["id"]
    await room.call("approve", reviewId=yes, agentId="bob")
    await room.call("reject", reviewId=no, agentId="bob")
    assert (await room.refusal("reject", reviewId=yes, agentId="cyd")).text == "Error: Review already approved"
    assert (await room.refusal("approve", reviewId=no, agentId="cyd")).text == "Error: Review already rejected"


@promise("W-37")
async def test_a_review_keeps_both_notes(room: Room) -> None:
    """`note` is the newest, as ever; the request's and the resolution's are both there."""
    review = await requested(room, note="please")
    assert review["note"] == "please"
    silent = await room.call("approve", reviewId=review["id"], agentId="bob")
    assert (silent["note"], silent["requestNote"]) == ("please", "please")
    review = await requested(room, note="again")
    resolved = await room.call("reject", reviewId=review["id"], agentId="bob", note="no")
    assert (resolved["note"], resolved["requestNote"], resolved["resolutionNote"]) == ("no", "again", "no")


@promise("W-37")
async def test_a_review_has_a_real_target_and_another_member_as_reviewer(room: Room) -> None:
    """Nobody reviews what is not there, and nobody reviews their own request."""
    id = await room.add()
    unknown = {"targetType": "context", "targetId": id, "requestedBy": "ann", "reviewer": "bob"}
    assert (await room.refusal("request_review", **unknown)).code == "unknown_review_target"
    own = {"targetType": "task", "targetId": id, "requestedBy": "ann", "reviewer": " ANN "}
    assert (await room.refusal("request_review", **own)).code == "own_review"


@promise("W-37")
async def test_a_review_is_resolved_once_however_many_try(room: Room) -> None:
    """Of an approval and a rejection at the same moment one counts, and the other is told."""
    review = await requested(room)
    calls = [room.call(tool, reviewId=review["id"], agentId="bob") for tool in ("approve", "reject") * 5]
    answers = await gather(calls)
    (won,) = [answer for answer in answers if isinstance(answer, dict)]
    assert {getattr(answer, "code", "") for answer in answers if answer is not won} == {"review_resolved"}
    assert sum(type.startswith("review_") for type in await room.types()) == 2


@promise("W-37")
async def test_a_plain_team_key_may_resolve_reviews(room: Room) -> None:
    """The documented flow works out of the box: the reviewer is who it says it is (asserted identity)."""
    keyed = room.of_team("a-team")
    review = await requested(keyed)
    assert (await keyed.call("approve", reviewId=review["id"], agentId="bob"))["status"] == "approved"
