"""Minutes and reports in the native API: as data or as Markdown, now or frozen; a decision made into context."""

from typing import Any, Literal

from msgspec import Struct

from stateroom.core import seats
from stateroom.core.context import ContextEntry
from stateroom.core.here import Here
from stateroom.core.lobby import RoomCard
from stateroom.core.room import Room
from stateroom.core.views.minutes import Report
from stateroom.engine import reports
from stateroom.engine.conversation import Keys
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.wire.reports.rendering import file_name, render
from stateroom.wire.reports.shapes import report_shape


class FormatQuery(Struct, forbid_unknown_fields=True):
    format: Literal["json", "minutes", "adr", "pr"] = "json"


class ByBody(Struct, forbid_unknown_fields=True):
    by: str = ""
    """Who does it; somebody who is in the room, or nobody in particular."""
    host_key: str = ""
    seat_key: str = ""


class Document(Struct):
    """A report, as data (`report`) or as Markdown (`markdown`)."""

    id: str
    """Of a frozen report; empty for the room as it stands."""
    position: int
    """It shows the room as it stood here."""
    url: str = ""
    """Its page, if it is a frozen report."""
    file_name: str = ""
    markdown: str = ""
    report: dict[str, Any] | None = None


def _document(given: Given, report: Report, wanted: Literal["json", "minutes", "adr", "pr"]) -> Document:
    url = given.links.report(report.id) if report.id else ""
    if wanted == "json":
        return Document(report.id, report.position, url, report=report_shape(report, given.links))
    return Document(report.id, report.position, url, file_name(report), render(report, wanted, given.links))


async def now(given: Given) -> Document:
    return _document(given, await reports.current(given.engine, await given.room()), given.query.format)


async def export(given: Given) -> Document:
    body, card = given.body, await given.room()
    keys = Keys(body.host_key, body.seat_key)
    if body.by:
        await _member(given, card, body.by, keys)  # before there is a report that nobody was to make
    _, report = await reports.export(given.engine, given.caller, card, body.by, keys)
    return _document(given, report, "json")


async def _member(given: Given, card: RoomCard, name: str, keys: Keys) -> None:
    """Raises NotParticipant, SeatKeyNeeded for who can not act under this name."""
    by, proof = given.engine.speaks_as(given.caller, name), given.caller.proof(keys.host, keys.seat)
    here = Here(by, given.engine.clock(), given.caller.via, proof)

    def check(room: Room) -> None:
        seats.participant(room.members, by)
        seats.check_key(room.lifecycle, room.members, here)

    await given.engine.view(card, check)


async def frozen(given: Given) -> Document:
    return _document(given, await reports.kept(given.engine, given.path["id"]), given.query.format)


async def keep(given: Given) -> ContextEntry:
    body, card = given.body, await given.room()
    keys = Keys(body.host_key, body.seat_key)
    return await reports.keep_decision(given.engine, given.caller, card, given.path["artifact"], body.by, keys)


ROOM = "/rooms/{room}"
ENDPOINTS = [
    Endpoint(
        method="GET",
        path=f"{ROOM}/report",
        summary="The room as it stands: minutes, decision record or pull request text, or all of it as data.",
        answer=Document,
        run=now,
        query=FormatQuery,
    ),
    Endpoint(
        method="POST",
        path=f"{ROOM}/reports",
        summary="Freeze a report of the room as it stands, under an id of its own.",
        answer=Document,
        run=export,
        body=ByBody,
        status=201,
    ),
    Endpoint(
        method="GET",
        path="/reports/{id}",
        summary="A frozen report.",
        answer=Document,
        run=frozen,
        query=FormatQuery,
    ),
    Endpoint(
        method="POST",
        path=f"{ROOM}/decisions/{{artifact}}/context",
        summary="Make a decision a context entry that links back to its line; repeating it returns the same entry.",
        answer=ContextEntry,
        run=keep,
        body=ByBody,
        status=201,
    ),
]
