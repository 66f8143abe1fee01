"""Reviews under the Room Protocol's names."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from stateroom.core.reviews import RequestReview, ResolveReview, ReviewFact, Verdict
from stateroom.faces.mcp.desk import Desk
from stateroom.faces.mcp.room_protocol.arguments import ByAgent, Id, InRoom
from stateroom.faces.mcp.room_protocol.pages import Paged, noted, page, slim_review
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.reviews import every_review
from stateroom.wire.room_protocol import Shape, review_shape


class Request(InRoom, kw_only=True):
    targetType: Literal["task", "context"]
    targetId: Id
    requestedBy: Id
    reviewer: Id
    note: str | UnsetType = UNSET
    requestId: str = ""


class Resolve(ByAgent, kw_only=True):
    reviewId: Id
    note: str | UnsetType = UNSET


class ListReviews(Paged, kw_only=True):
    status: Literal["pending", "approved", "rejected"] | UnsetType = UNSET


async def request_review(desk: Desk, args: Request) -> Shape:
    """Ask another agent for a yes or no on a task or context entry."""
    note = None if isinstance(args.note, UnsetType) else args.note
    command = RequestReview(args.targetType, args.targetId, args.reviewer, note)
    return await _review(desk, args.roomId, command, args.requestedBy, args.requestId)


async def approve(desk: Desk, args: Resolve) -> Shape:
    """Say yes to a review you were asked for. To a task's submission it is the verdict: the task is done."""
    return await _resolve(desk, args, "approved")


async def reject(desk: Desk, args: Resolve) -> Shape:
    """Say no to a review you were asked for; the note says why."""
    return await _resolve(desk, args, "rejected")


async def _resolve(desk: Desk, args: Resolve, verdict: Verdict) -> Shape:
    note = None if isinstance(args.note, UnsetType) else args.note
    return await _review(desk, args.roomId, ResolveReview(args.reviewId, verdict, note), args.agentId)


async def _review(
    desk: Desk, room: str, command: RequestReview | ResolveReview, agent: str, request_id: str = ""
) -> Shape:
    card = await desk.enter(room)
    outcome = await desk.wish(card, command, desk.me(agent), request_id)
    facts = [entry.event.review for entry in outcome.entries if isinstance(entry.event, ReviewFact)]
    if not facts and isinstance(command, ResolveReview):  # the verdict on a submission is a fact about its task
        facts = [await desk.engine.view(card, lambda room: room.reviews.find(command.review))]
    return slim_review(desk, review_shape(facts[-1], card.room_id))


async def list_reviews(desk: Desk, args: ListReviews) -> Any:
    """Reviews, newest first; submitted tasks that wait for a verdict are among them."""
    card = await desk.find(args.roomId)
    if card is None:
        return []
    reviews = await desk.engine.view(card, every_review)
    found = [review_shape(r, card.room_id) for r in reversed(reviews) if args.status in (UNSET, r.status)]
    call = "list_reviews(" if isinstance(args.status, UnsetType) else f'list_reviews(status: "{args.status}", '
    shown = page(desk, found, args, call, slim=lambda review: slim_review(desk, review))
    return noted(shown.items, shown.note)


TOOLS = [
    Tool.of(request_review, Request),
    Tool.of(approve, Resolve),
    Tool.of(reject, Resolve),
    Tool.of(list_reviews, ListReviews, read_only=True),
]
