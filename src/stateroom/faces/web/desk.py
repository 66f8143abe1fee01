"""What every page is made with, and what becomes of a request that goes wrong."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from stateroom.core.lobby import RoomCard
from stateroom.core.refusals import Refusal, UnknownReport, UnknownRoom
from stateroom.engine.access import Unauthorized
from stateroom.engine.engine import Engine
from stateroom.faces.web.contexts import Frame, ProblemPage
from stateroom.faces.web.negotiation import wants_json
from stateroom.faces.web.site import SEALED, Site
from stateroom.log.seam import Unavailable
from stateroom.wire.links import Links
from stateroom.wire.problems import HttpProblem, of_refusal, of_store

Handle = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Desk:
    engine: Engine
    site: Site
    here: Links
    """Addresses for following, relative to wherever the reader has found us."""
    links: Links
    """Whole addresses, for taking along."""

    def frame(self, title: str, **places: str) -> Frame:
        """What is around a page; places that are not named lead nowhere."""
        known = {"json": "", "reload": "", "room": "", "report": "", "join": "", **places}
        return Frame(title, self.site.href("stateroom.css"), self.site.href("icon.svg"), **known)


Serve = Callable[[Desk, Request], Awaitable[Response]]


def answering(desk: Desk, serve: Serve) -> Handle:
    """What goes wrong becomes a page, or data for whoever asked for that."""

    async def handle(request: Request) -> Response:
        try:
            return await serve(desk, request)
        except Unauthorized:
            problem = HttpProblem(401, "unauthorized", "Nobody issued this key.", "Leave it out: the code is enough.")
        except UnknownRoom:
            hint = "Check the code, as in ABC-DEF-GHJ. It may also be that the room is gone."
            problem = HttpProblem(404, "unknown_room", "There is no room with this code.", hint)
        except UnknownReport:
            hint = "Check the address. The newest report of a room is at /r/CODE/report."
            problem = HttpProblem(404, "unknown_report", "There is no report at this address.", hint)
        except Refusal as refusal:
            problem = of_refusal(refusal)
        except Unavailable as failure:
            problem = of_store(failure)
        except HttpProblem as found:
            problem = found
        return _problem(desk, request, problem)

    return handle


def _problem(desk: Desk, request: Request, problem: HttpProblem) -> Response:
    if wants_json(request):
        return desk.site.json(problem.problem, problem.status, problem.headers)
    error = problem.problem.error
    page = ProblemPage(desk.frame(error.message), problem.status, error.message, error.hint)
    return desk.site.page("problem", page, problem.status, problem.headers)


async def find(desk: Desk, request: Request) -> RoomCard:
    """The room in the path. Raises UnknownRoom, Unauthorized, Unavailable."""
    asking = desk.engine.access.admit_guest(request.headers.get("authorization", ""))
    _, card = await desk.engine.find_by_code(asking, request.path_params["code"])
    return card


def code_of(card: RoomCard) -> str:
    """What names a room in addresses: its id, if no code was free when it was made."""
    return card.code or card.room_id


def elsewhere(request: Request, card: RoomCard, path: str) -> Response | None:
    """The way to a page's one address, if the room was spelled in another way. `path` is that address."""
    if request.path_params["code"] == code_of(card):
        return None
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(path + query, 308, SEALED)
