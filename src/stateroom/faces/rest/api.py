"""The native API: each endpoint of the tables behind a route, one decode in, one encode out."""

from collections.abc import Callable
from typing import Any

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
from stateroom.faces.asgi import BodyTooLarge, Gone, read_body
from stateroom.faces.rest import commands, rooms, views
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.faces.rest.openapi import document
from stateroom.log.seam import Unavailable
from stateroom.wire.problems import HttpProblem, of_refusal, of_store

PREFIX = "/api/v1"
ENDPOINTS: list[Endpoint] = [*rooms.ENDPOINTS, *views.ENDPOINTS, *commands.ENDPOINTS]
_encode = msgspec.json.Encoder().encode


def answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(_encode(value), status, headers, "application/json")


def caller_of(engine: Engine, request: Request) -> Caller:
    """Raises Unauthorized."""
    query = request.query_params
    return engine.access.admit(request.headers.get("authorization", ""), query.get("room", ""), query.get("agent", ""))


def _handler(engine: Engine, endpoint: Endpoint) -> Callable[[Request], Any]:
    """Serve one endpoint. Faults that are the request's become problems; anything else is ours and stays a 500."""
    decoder = msgspec.json.Decoder(endpoint.body) if endpoint.body else None

    async def handle(request: Request) -> Response:
        try:
            caller = caller_of(engine, request)
            body = _body(decoder, await _read(request)) if decoder else None
            path = {name: _text(name, value) for name, value in request.path_params.items()}
            given = Given(engine, caller, path, _query(endpoint, request), body)
            return answer(await endpoint.run(given), endpoint.status)
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


def _text(name: str, value: str) -> str:
    if bad_text(value) is not None:
        raise HttpProblem(400, "bad_text", f"{name} holds a NUL or broken text.", "Send valid text.")
    return value


async def _http_error(request: Request, error: Exception) -> Response:
    """Unknown paths and wrong methods, in the one shape."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    texts = {404: "There is nothing at this path.", 405: "This path does not take this method."}
    text = texts.get(status, "The request could not be served.")
    problem = HttpProblem(status, f"http_{status}", text, f"{PREFIX}/openapi.json lists what there is.")
    return answer(problem.problem, status, headers)


def make_api(engine: Engine, extra: list[Route]) -> Starlette:
    """The HTTP application of everything that is not MCP and not a stream."""
    described = _encode(document(ENDPOINTS, PREFIX))

    async def openapi(request: Request) -> Response:
        return Response(described, media_type="application/json")

    routes = [
        Route(PREFIX + endpoint.path, _handler(engine, endpoint), methods=[endpoint.method]) for endpoint in ENDPOINTS
    ]
    routes = [Route(f"{PREFIX}/openapi.json", openapi), *routes, *extra]
    return Starlette(routes=routes, exception_handlers={HTTPException: _http_error})
