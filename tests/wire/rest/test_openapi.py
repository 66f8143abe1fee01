"""The OpenAPI document is true: a generated client that takes it at its word meets no surprise."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance

from stateroom.app import StateroomApp, make_app
from stateroom.faces.rest.api import ENDPOINTS, PREFIX, make_api
from stateroom.settings import Settings

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
    """Whatever fits the document: no 5xx, and answers of the described shape."""
    case.call_and_validate(checks=[not_a_server_error, response_schema_conformance])
