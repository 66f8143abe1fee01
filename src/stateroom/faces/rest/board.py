"""The board in the native API where it is more than commands and views: the next task, and what waits for a member."""

from typing import Annotated

from msgspec import Meta, Struct

from stateroom.core import limits
from stateroom.core.claims import LEASE_SECONDS, LONGEST_LEASE
from stateroom.core.context import ContextEntry
from stateroom.core.ids import Instant
from stateroom.core.picking import NextTask
from stateroom.core.reviews import Review
from stateroom.core.room import Room
from stateroom.core.tasks import Task
from stateroom.core.views.duties import Duties, duties
from stateroom.engine import assignments
from stateroom.engine.conversation import Keys
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.faces.rest.views import MemberQuery


class NextBody(Struct, forbid_unknown_fields=True):
    by: str
    lease_s: Annotated[int, Meta(ge=1, le=LONGEST_LEASE)] = LEASE_SECONDS
    request_id: str = ""
    host_key: str = ""
    seat_key: str = ""


class Assigned(Struct):
    """A task, and what to read before doing it."""

    task: Task | None
    """None if there is nothing this member could take."""
    token: int | None = None
    """Of its lease; needed to finish it."""
    lease_until: Instant | None = None
    resumed: bool = False
    """It was at work on this already."""
    replayed: bool = False
    depends_on: list[Task] = []
    documents: list[ContextEntry] = []
    """The most telling first."""


class Waiting(Struct):
    """What waits for a member, the verdicts it owes first."""

    to_verify: list[Task]
    to_review: list[Review]
    current: list[Task]
    queued: list[Task]


async def next_task(given: Given) -> Assigned:
    """Claim the best task for a member, or go on with the one it has."""
    body, card = given.body, await given.room()
    wish, keys = NextTask(body.lease_s), Keys(body.host_key, body.seat_key)
    found = await assignments.next_task(given.engine, given.caller, card, body.by, wish, keys, body.request_id)
    brief = found.briefing
    if brief is None:
        return Assigned(None)

    def lease(room: Room) -> tuple[int | None, Instant | None]:
        until = room.board.held_until(brief.task)
        return (brief.task.lease.token if brief.task.lease and until else None), until

    held = await given.engine.view(card, lease)
    return Assigned(brief.task, *held, found.resumed, found.replayed, list(brief.depends_on), list(brief.documents))


async def waiting(given: Given) -> Waiting:
    name = limits.name(given.engine.speaks_as(given.caller, given.query.member))
    owed: Duties = await given.engine.view(await given.room(), lambda room: duties(room, name))
    return Waiting(list(owed.to_verify), list(owed.to_review), list(owed.current), list(owed.queued))


ENDPOINTS = [
    Endpoint(
        method="POST",
        path="/rooms/{room}/next-task",
        summary="Claim the best task for a member under a lease, with what to read before doing it.",
        answer=Assigned,
        run=next_task,
        body=NextBody,
    ),
    Endpoint(
        method="GET",
        path="/rooms/{room}/duties",
        summary="What waits for a member, the verdicts it owes first.",
        answer=Waiting,
        run=waiting,
        query=MemberQuery,
    ),
]
