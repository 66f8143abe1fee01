"""The native API: each endpoint of the tables behind a route, one decode in, one encode out."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote_to_bytes

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stateroom.core.payloads import bad_text
from stateroom.core.refusals import Refusal
from stateroom.engine.access import Caller, Unauthorized
from stateroom.engine.engine import Engine
from stateroom.faces.asgi import BodyTooLarge, Gone, read_body, while_connected
from stateroom.faces.rest import board, commands, conversation, playbooks, projects, reporting, rooms, views
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.faces.rest.openapi import document
from stateroom.log.seam import Unavailable
from stateroom.wire.links import Links
from stateroom.wire.problems import HttpProblem, of_refusal, of_store

PREFIX = "/api/v1"
ENDPOINTS: list[Endpoint] = [
    *rooms.ENDPOINTS,
    *conversation.ENDPOINTS,
    *reporting.ENDPOINTS,
    *playbooks.ENDPOINTS,
    *views.ENDPOINTS,
    *board.ENDPOINTS,
    *projects.ENDPOINTS,
    *commands.ENDPOINTS,
]
LOOK_IT_UP = f"{PREFIX}/openapi.json lists what there is."
Serve = Callable[[Request], Awaitable[Response]]
_encode = msgspec.json.Encoder().encode


def answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(_encode(value), status, headers, "application/json")


def caller_of(engine: Engine, request: Request) -> Caller:
    """Raises Unauthorized."""
    query = request.query_params
    return engine.access.admit(request.headers.get("authorization", ""), query.get("room", ""), query.get("agent", ""))


def _answering(serve: Serve) -> Serve:
    """Faults that are the request's, or the store's, become answers; anything else is ours and stays a 500."""

    async def handle(request: Request) -> Response:
        try:
            return await serve(request)
        except Unauthorized:
            return answer({"error": "Unauthorized"}, 401)
        except Refusal as refusal:
            problem = of_refusal(refusal)
        except Unavailable as failure:
            problem = of_store(failure)
        except HttpProblem as found:
            problem = found
        return answer(problem.problem, problem.status, problem.headers)

    return handle


def _serving(engine: Engine, links: Links, endpoint: Endpoint) -> Serve:
    """One endpoint of the tables."""
    decoder = msgspec.json.Decoder(endpoint.body) if endpoint.body else None

    async def serve(request: Request) -> Response:
        caller = caller_of(engine, request)
        _readable(request)
        body = _body(decoder, await _read(request)) if decoder else None
        path = {name: _text(name, value) for name, value in request.path_params.items()}
        running = endpoint.run(Given(engine, caller, links, path, _query(endpoint, request), body))
        found = await while_connected(request.receive, running) if endpoint.waits else await running
        return answer(found, endpoint.status)

    return _answering(serve)


def _describing(engine: Engine) -> Serve:
    """The OpenAPI document, encoded once."""
    described = _encode(document(ENDPOINTS, PREFIX))

    async def serve(request: Request) -> Response:
        caller_of(engine, request)
        return Response(described, media_type="application/json")

    return _answering(serve)


async def _read(request: Request) -> bytes:
    """Raises HttpProblem."""
    try:
        return await read_body(request.receive)
    except Gone:
        raise HttpProblem(400, "gone", "The request ended before its body did.") from None
    except BodyTooLarge as large:
        raise HttpProblem(413, "too_large", str(large), "Split it into several requests.") from None


def _body(decoder: "msgspec.json.Decoder[Any]", raw: bytes) -> Any:
    try:
        if b"\\u0000" in raw and (where := bad_text(msgspec.json.decode(raw))) is not None:
            raise HttpProblem(400, "bad_text", f"{where} holds a NUL.", "Send text without NUL characters.")
        return decoder.decode(raw or b"{}")
    except msgspec.ValidationError as wrong:
        raise HttpProblem(
            400, "bad_request", str(wrong), "Correct the named field and send the request again."
        ) from None
    except (msgspec.DecodeError, RecursionError) as broken:
        raise HttpProblem(400, "bad_json", f"The body is no JSON: {broken}.", "Send a JSON object.") from None


def _query(endpoint: Endpoint, request: Request) -> Any:
    """Query parameters, except those that bind the endpoint. Raises HttpProblem."""
    sent = {name: _text(name, value) for name, value in request.query_params.items() if name not in ("room", "agent")}
    try:
        return msgspec.convert(sent, endpoint.query, strict=False)
    except msgspec.ValidationError as wrong:
        raise HttpProblem(400, "bad_request", str(wrong), "Correct the named query parameter.") from None


def _readable(request: Request) -> None:
    """Raises HttpProblem for what is no UTF-8: it would reach us altered (L16)."""
    for raw in (request.scope.get("raw_path") or b"", request.scope["query_string"]):
        if b"%" in raw:
            try:
                unquote_to_bytes(raw).decode()
            except UnicodeDecodeError:
                raise HttpProblem(400, "bad_text", "The address holds broken UTF-8.", "Send valid text.") from None


def _text(name: str, value: str) -> str:
    if bad_text(value) is not None:
        raise HttpProblem(400, "bad_text", f"{name} holds a NUL or broken text.", "Send valid text.")
    return value


async def _http_error(request: Request, error: Exception) -> Response:
    """Unknown paths and wrong methods, and faults of ours, in the one shape."""
    if not isinstance(error, HTTPException):
        hint = "Repeat the request; if it fails again, the server's own log says why."
        return answer(HttpProblem(500, "http_500", "The request could not be served.", hint).problem, 500)
    texts = {404: "There is nothing at this path.", 405: "This path does not take this method."}
    text = texts.get(error.status_code, "The request could not be served.")
    problem = HttpProblem(error.status_code, f"http_{error.status_code}", text, LOOK_IT_UP)
    return answer(problem.problem, error.status_code, dict(error.headers or {}))


def make_api(engine: Engine, links: Links, extra: list[Route]) -> Starlette:
    """The HTTP application of everything that is not MCP and not a stream."""
    routes = [
        Route(PREFIX + endpoint.path, _serving(engine, links, endpoint), methods=[endpoint.method])
        for endpoint in ENDPOINTS
    ]
    routes = [Route(f"{PREFIX}/openapi.json", _describing(engine)), *routes, *extra]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _http_error, Exception: _http_error})
    app.router.redirect_slashes = False  # a path is there or it is not
    return app
