"""Reports, found by their own ids or by a room's code, in the form that is asked for."""

from starlette.requests import Request
from starlette.responses import Response

from stateroom.core.views.minutes import Report
from stateroom.engine import reports as kept_reports
from stateroom.faces.web.desk import Desk, code_of, elsewhere, find
from stateroom.faces.web.negotiation import asked_lines, wants_json
from stateroom.faces.web.reports import line_of, report_page
from stateroom.wire.problems import HttpProblem
from stateroom.wire.reports import FORMATS, file_name, render, report_shape

FORMS = ("", "json", *FORMATS)


async def newest(desk: Desk, request: Request) -> Response:
    """The newest report that was exported; where there is none, what one would say now."""
    card = await find(desk, request)
    path = f"{desk.here.room(code_of(card))}/report"
    if (moved := elsewhere(request, card, path)) is not None:
        return moved
    found = await kept_reports.newest(desk.engine, card)
    report = found[1] if found else await kept_reports.current(desk.engine, card)
    return _shown(desk, request, report, path, found[0] if found else "")


async def one(desk: Desk, request: Request) -> Response:
    """One frozen report. Its id is all that is asked for."""
    id = request.path_params["id"]
    return _shown(desk, request, await kept_reports.kept(desk.engine, id), desk.here.report(id), id)


def _shown(desk: Desk, request: Request, report: Report, path: str, id: str) -> Response:
    """`path` is the page's own address; `id` is empty for a draft."""
    form = request.query_params.get("format", "")
    if form not in FORMS:
        raise HttpProblem(400, "bad_request", "There is no such format.", "Use minutes, adr, pr or json.")
    for markdown in FORMATS:
        if form == markdown:
            return desk.site.markdown(render(report, markdown, desk.links), file_name(report))
    return (
        desk.site.json(report_shape(report, desk.links))
        if wants_json(request)
        else _page(desk, request, report, path, id)
    )


def _page(desk: Desk, request: Request, report: Report, path: str, id: str) -> Response:
    shape = report_shape(report, desk.here)
    asked = asked_lines(request)
    lines = asked.window(len(shape["transcript"]), line_of(shape, asked.at) if asked.at else 0)
    frame = desk.frame(
        f"Report: {report.topic}",
        room=desk.here.room(report.code),
        json=f"{path}?format=json",
        reload="" if id else path,
    )
    return desk.site.page("report", report_page(shape, frame, path, desk.links.report(id) if id else "", lines))
