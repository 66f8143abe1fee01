"""The OpenAPI document is true: a generated client that takes it at its word meets no surprise."""

import httpx2
import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from stateroom.app import StateroomApp, make_app
from stateroom.faces.rest.api import ENDPOINTS, PREFIX, make_api
from stateroom.settings import Settings

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
app: StateroomApp = make_app(Settings(store="memory://"))
api = make_api(app.engine, [])
schema = schemathesis.openapi.from_asgi(f"{PREFIX}/openapi.json", api)


def test_every_endpoint_is_described():
    """Served and described are the same list."""
    described = {(method.upper(), path) for path, item in schema.raw_schema["paths"].items() for method in item}
    assert described == {(endpoint.method, PREFIX + endpoint.path) for endpoint in ENDPOINTS}


@pytest.mark.timeout(300)
@schema.parametrize()
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_meets_a_fault_or_an_undescribed_answer(case):
    """Whatever fits the document, or just does not: no 5xx, and answers of a described status, kind and shape."""
    case.call_and_validate(checks=CHECKS)


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
