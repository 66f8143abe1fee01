"""Toys for the tests of the dispatcher itself."""

import pytest

from stateroom.faces.mcp.http import HttpEndpoint
from tests.wire.mcp.toys import Toys


@pytest.fixture
def toys() -> Toys:
    """The application behind `endpoint`."""
    return Toys()


@pytest.fixture
def endpoint(toys: Toys) -> HttpEndpoint:
    """The ASGI application of `/mcp`, around toys."""
    return toys.endpoint()
