"""Every view of a room, as it is."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from stateroom.core import limits
from stateroom.core.context import ContextEntry, ContextType
from stateroom.core.leases import Lease
from stateroom.core.members import same
from stateroom.core.reviews import Review
from stateroom.core.tasks import Task
from stateroom.core.views.analytics import Analytics, analytics
from stateroom.core.views.board import mine, unblocked
from stateroom.core.views.diff import Diff, diff
from stateroom.core.views.search import Hit
from stateroom.engine import history, searching
from stateroom.engine.inbox import Ask
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.faces.rest.rooms import members_of
from stateroom.wire import shapes
from stateroom.wire.reviews import every_review
from stateroom.wire.room_protocol import Shape, told


class MemberQuery(Struct, forbid_unknown_fields=True):
    member: str = ""


class ContextQuery(Struct, forbid_unknown_fields=True):
    type: ContextType | None = None
    author: str = ""


class AgainstQuery(Struct, forbid_unknown_fields=True):
    against: str = ""


class ReviewsQuery(Struct, forbid_unknown_fields=True):
    status: Literal["pending", "approved", "rejected"] | None = None


class SearchQuery(Struct, forbid_unknown_fields=True):
    q: Annotated[str, Meta(min_length=1, max_length=200)]
    limit: Annotated[int, Meta(ge=1, le=50)] = 20


class DaysQuery(Struct, forbid_unknown_fields=True):
    days: Annotated[int, Meta(ge=1, le=90)] = 7


class Summary(Struct):
    """A member's cold start, without consuming anything."""

    member: str
    tasks: list[Task]
    unread: list[dict[str, Any]]
    more: int
    context: int
    members: list[shapes.Here]


async def plan(given: Given) -> list[Task]:
    return await given.engine.view(await given.room(), lambda room: list(room.board.tasks.values()))


async def task(given: Given) -> Task:
    return await given.engine.view(await given.room(), lambda room: room.board.find(given.path["id"]))


async def unblocked_tasks(given: Given) -> list[Task]:
    return await given.engine.view(await given.room(), lambda room: unblocked(room, given.query.member))


async def context(given: Given) -> list[ContextEntry]:
    query = given.query
    found = await given.engine.view(await given.room(), lambda room: list(room.context.entries.values()))
    return [
        entry
        for entry in found
        if query.type in (None, entry.type) and (not query.author or same(entry.author, query.author))
    ]


async def context_entry(given: Given) -> ContextEntry:
    return await given.engine.view(await given.room(), lambda room: room.context.find(given.path["id"]))


async def context_history(given: Given) -> list[ContextEntry]:
    return await history.versions(given.engine, await given.room(), given.path["id"], 50)


async def context_diff(given: Given) -> Diff:
    now, then = await history.version(given.engine, await given.room(), given.path["id"], given.query.against or None)
    return diff(then.summary, now.summary, then.payload, now.payload, now.type)


async def members(given: Given) -> list[shapes.Here]:
    return await members_of(given, await given.room())


async def leases(given: Given) -> list[Lease]:
    now = given.engine.clock()
    return await given.engine.view(await given.room(), lambda room: room.leases.live(now))


async def variables(given: Given) -> dict[str, str]:
    return await given.engine.view(await given.room(), lambda room: dict(room.variables.values))


async def reviews(given: Given) -> list[Review]:
    status = given.query.status
    found = await given.engine.view(await given.room(), every_review)
    return [review for review in found if status in (None, review.status)]


async def search(given: Given) -> list[Hit]:
    return await searching.search(given.engine, await given.room(), given.query.q, given.query.limit)


async def figures(given: Given) -> Analytics:
    now = given.engine.clock()
    return await given.engine.view(await given.room(), lambda room: analytics(room, given.query.days, now))


async def summary(given: Given) -> Summary:
    card, member = await given.room(), limits.name(given.engine.speaks_as(given.caller, given.query.member))
    batch = await given.engine.inbox.read(card.key, member, Ask(peek=True))
    cursor = await given.engine.inbox.cursor(card.key, member)
    unread: list[Shape] = await given.engine.view(card, lambda room: told(batch.entries, room, card.room_id))
    return Summary(
        member=member,
        tasks=await given.engine.view(card, lambda room: mine(room, member)),
        unread=unread,
        more=batch.more,
        context=await given.engine.view(card, lambda room: room.context.written_since(cursor.context)),
        members=await members_of(given, card),
    )


def _view(path: str, summary: str, answer: Any, run: Any, query: Any = None) -> Endpoint:
    extra = {"query": query} if query else {}
    return Endpoint(method="GET", path=f"/rooms/{{room}}/{path}", summary=summary, answer=answer, run=run, **extra)


ENDPOINTS = [
    _view("plan", "All tasks, in plan order.", list[Task], plan),
    _view("tasks/{id}", "One task.", Task, task),
    _view("unblocked", "Tasks that can be started, most important first.", list[Task], unblocked_tasks, MemberQuery),
    _view("context", "Context entries as they stand.", list[ContextEntry], context, ContextQuery),
    _view("context/{id}", "One context entry.", ContextEntry, context_entry),
    _view("context/{id}/history", "Its earlier versions, newest first.", list[ContextEntry], context_history),
    _view("context/{id}/diff", "What changed since an earlier version.", Diff, context_diff, AgainstQuery),
    _view("members", "Who is known here, and who is online.", list[shapes.Here], members),
    _view("leases", "Leases that hold now.", list[Lease], leases),
    _view("variables", "Shared variables.", dict[str, str], variables),
    _view("reviews", "Reviews, oldest first.", list[Review], reviews, ReviewsQuery),
    _view("search", "Find words in tasks, context and events.", list[Hit], search, SearchQuery),
    _view("analytics", "The room in figures.", Analytics, figures, DaysQuery),
    _view("summary", "A member's cold start, without consuming anything.", Summary, summary, MemberQuery),
]
