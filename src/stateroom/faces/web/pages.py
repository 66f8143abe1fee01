"""The routes of the pages (agent-room §3.4): `/r/CODE`, `/j/CODE`, `/r/CODE/report`, `/reports/ID`, `/static/NAME`.

A room's code, or a report's id, is all a reader needs; nothing on these pages changes anything.
"""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stateroom.core.lobby import RoomCard
from stateroom.core.members import fold
from stateroom.engine import transcript
from stateroom.engine.engine import Engine
from stateroom.engine.presence import Presence
from stateroom.faces.web.desk import Desk, answering, code_of, elsewhere, find
from stateroom.faces.web.joining import join_page, join_shape
from stateroom.faces.web.lines import stretch
from stateroom.faces.web.negotiation import AskedLines, asked_lines, wants_json
from stateroom.faces.web.report_routes import newest, one
from stateroom.faces.web.rooms import room_page, topic
from stateroom.faces.web.site import Site
from stateroom.faces.web.snapshot import room_snapshot
from stateroom.faces.web.windows import Window
from stateroom.wire.agent_room.messages import shapes
from stateroom.wire.links import Links
from stateroom.wire.problems import HttpProblem


def routes(engine: Engine, base_url: str) -> list[Route]:
    """`base_url` is the address under which clients reach this server."""
    base = base_url.rstrip("/")
    prefix = urlsplit(base).path
    desk = Desk(engine, Site(prefix), Links(prefix), Links(base))
    served = {
        "/r/{code}": room,
        "/j/{code}": join,
        "/r/{code}/report": newest,
        "/reports/{id}": one,
        "/static/{name}": static,
    }
    return [Route(path, answering(desk, serve), methods=["GET"]) for path, serve in served.items()]


async def room(desk: Desk, request: Request) -> Response:
    """Who is here, what there is to do, what was said; `?before`, `?after` and `?at` show other lines."""
    card = await find(desk, request)
    engine, code = desk.engine, code_of(card)
    path = desk.here.room(code)
    if (moved := elsewhere(request, card, path)) is not None:
        return moved
    window = await _window(engine, card, asked_lines(request))
    lines = await transcript.after(engine, card, window.after, window.count)
    seen = await _seen(engine, card)
    if wants_json(request):
        said = shapes(lines, code, desk.links)
        return desk.site.json(
            await engine.view(card, lambda room: room_snapshot(room, code, said, seen, window, desk.links))
        )
    shown = stretch(shapes(lines, code, desk.here), window, path)
    places = {"report": f"{path}/report", "join": desk.here.join(code), "reload": path, "json": f"{path}?format=json"}
    page = await engine.view(
        card, lambda room: room_page(room, code, desk.frame(topic(room), **places), shown, seen, engine.clock())
    )
    return desk.site.page("room", page)


async def _window(engine: Engine, card: RoomCard, asked: AskedLines) -> Window:
    entry = await engine.entry(card, asked.at) if asked.at else None
    total = await engine.view(card, lambda room: room.lines)
    return asked.window(total, entry.line if entry else 0)


async def _seen(engine: Engine, card: RoomCard) -> dict[str, Presence]:
    """Presence by folded name."""
    names = await engine.view(card, lambda room: room.members.names())
    return {fold(one.name): one for one in await engine.presence.of(card.key, names)}


async def join(desk: Desk, request: Request) -> Response:
    """How to come in."""
    card = await find(desk, request)
    code = code_of(card)
    path = desk.here.join(code)
    if (moved := elsewhere(request, card, path)) is not None:
        return moved
    data = f"{path}?format=json"
    headers = {"link": f'<{data}>; rel="alternate"; type="application/json"'}
    if wants_json(request):
        shape = await desk.engine.view(card, lambda room: join_shape(room, code, desk.links))
        return desk.site.json(shape, 200, headers)
    places = {"room": desk.here.room(code), "report": f"{desk.here.room(code)}/report", "json": data}
    page = await desk.engine.view(
        card, lambda room: join_page(room, code, desk.frame(f"Join {topic(room)}", **places), desk.links)
    )
    return desk.site.page("join", page, 200, headers)


async def static(desk: Desk, request: Request) -> Response:
    """A style sheet or picture, for ever where its address says what is in it."""
    found = desk.site.file(request.path_params["name"], request.query_params.get("v", ""))
    if found is None:
        raise HttpProblem(404, "not_found", "There is nothing at this address.")
    return found
