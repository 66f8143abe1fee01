"""The OpenAPI document is true: a generated client that takes it at its word meets no surprise."""

import asyncio

import httpx2
import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from stateroom.app import StateroomApp, make_app
from stateroom.core.context import WriteContext
from stateroom.core.project import Remember
from stateroom.core.tasks import OpenTask
from stateroom.core.variables import SetVariable
from stateroom.engine import projects
from stateroom.engine.projects import ProjectPass
from stateroom.faces.rest.api import ENDPOINTS, PREFIX, make_api
from stateroom.settings import Settings
from stateroom.wire.links import Links
from tests.wire.rest.test_views import VIEWS

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
app: StateroomApp = make_app(Settings(store="memory://"))
patient = app.engine.follower.until
app.engine.follower.until = lambda key, look, timeout_s: patient(key, look, 0)  # nobody else is there to wait for
api = make_api(app.engine, Links("http://rooms.example"), [])
PLACES = {"room": "fuzzed"}
"""What paths name, so that there is something at their ends."""
schema = schemathesis.openapi.from_asgi(f"{PREFIX}/openapi.json", api)


@pytest.fixture(scope="module", autouse=True)
def fuzzed():
    """A room with something in it, for requests that would otherwise only ever meet unknown rooms."""

    async def fill() -> None:
        caller = app.engine.access.admit("")
        card = await app.engine.enter(caller, "fuzzed")
        for command in (OpenTask("t"), WriteContext("note", "s", {"text": "t"}), SetVariable("k", "v")):
            await app.engine.execute(caller, card, command, "ann")
        made = await projects.create(app.engine, caller, "Fuzzed")
        PLACES["project"] = made.project.id
        await projects.wish(app.engine, caller, ProjectPass(made.project.id), Remember("facts", "it is fast"))

    asyncio.run(fill())


def test_every_endpoint_is_described():
    """Served and described are the same list."""
    described = {(method.upper(), path) for path, item in schema.raw_schema["paths"].items() for method in item}
    assert described == {(endpoint.method, PREFIX + endpoint.path) for endpoint in ENDPOINTS}


OPERATIONS = [found.ok() for found in schema.get_all_operations()]
"""By hand, because the library's own parametrization gives all of them one id, and of those xdist runs one."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_no_request_meets_a_fault_or_an_undescribed_answer(operation):
    """Whatever fits the document, or just does not: no 5xx, and answers of a described status, kind and shape."""
    places = {**PLACES, "member": "ann", "artifact": "2-1", "playbook": "docs-sprint", "fact": "M-01"}
    places["id"] = "C-01" if "context" in operation.path else "T-01"

    @given(case=operation.as_strategy())
    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    def ask(case):
        case.call_and_validate(checks=CHECKS)
        case.path_parameters = {name: places[name] for name in case.path_parameters or {}}
        case.call_and_validate(checks=CHECKS)

    ask()


def test_every_endpoint_is_asked():
    """One test each, with an id of its own."""
    assert len({operation.label for operation in OPERATIONS}) == len(ENDPOINTS)


async def test_every_answer_has_the_described_shape(busy):
    """Each way of looking at a room that has something of everything, and of changing it."""
    for path in [*VIEWS, "entries", "events"]:
        view = path.partition("?")[0].replace("T-01", "{id}").replace("C-01", "{id}")
        answer = await busy.get(f"/rooms/demo/{path}")
        assert answer.json() not in ({}, None), path
        assert is_described(answer, "get", f"/rooms/{{room}}/{view}")
    assert is_described(await busy.get("/rooms"), "get", "/rooms")
    assert is_described(await busy.get("/rooms/demo"), "get", "/rooms/{room}")
    assert is_described(await busy.post("/rooms", {"id": "demo"}), "post", "/rooms")
    assert is_described(await busy.wish("join", {}), "post", "/rooms/{room}/commands/join")
    assert is_described(await busy.post("/rooms/demo/inbox/cyn"), "post", "/rooms/{room}/inbox/{member}")
    beat, member = "/rooms/{room}/members/{member}/heartbeat", "/rooms/{room}/members/{member}"
    assert is_described(await busy.post("/rooms/demo/members/ann/heartbeat"), "post", beat)
    assert is_described(await busy.http.delete(f"{PREFIX}/rooms/demo/members/ann"), "delete", member)


def is_described(answer, method, path):
    """Whether the document has this status for the operation, and its schema fits the answer's body."""
    responses = schema.raw_schema["paths"][PREFIX + path][method]["responses"]
    found = responses[str(answer.status_code)]["content"]["application/json"]["schema"]
    jsonschema.validate(answer.json(), {**found, "components": schema.raw_schema["components"]})
    return True


async def test_what_goes_wrong_is_described_too(busy, keyed_server):
    """Each kind of no has its status and its shape in the document."""
    task, plan = "/rooms/{room}/commands/open-task", "/rooms/{room}/plan"
    for wish, status in (({"title": 1}, 400), ({"title": "x" * 1_001}, 413)):
        refused = await busy.wish("open-task", wish)
        assert refused.status_code == status
        assert is_described(refused, "post", task)
    held = await busy.wish("move-task", {"task": "T-01", "to": "held", "owner": "bob"}, by="bob")
    assert held.status_code == 409
    assert is_described(held, "post", "/rooms/{room}/commands/move-task")
    assert is_described(await busy.get("/rooms/nope/plan"), "get", plan)
    async with httpx2.AsyncClient(base_url=keyed_server.url) as http:
        unknown = await http.get(f"{PREFIX}/rooms/demo/plan")
    assert unknown.status_code == 401
    assert is_described(unknown, "get", plan)


async def test_the_document_says_how_to_authenticate_and_is_served_as_it_is(busy):
    """A bearer key; and what is served is what is tested here."""
    assert schema.raw_schema["components"]["securitySchemes"]["key"] == {"type": "http", "scheme": "bearer"}
    assert (await busy.get("/openapi.json")).json() == schema.raw_schema
