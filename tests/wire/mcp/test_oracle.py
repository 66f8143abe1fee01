"""The official SDK's server as an oracle: the same odd requests get the same status and the same code."""

import logging
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp.server.mcpserver import MCPServer

from tests.wire.mcp.oracle import CASES, OURS
from tests.wire.mcp.raw import body
from tests.wire.mcp.serving import running


def nothing() -> str:
    """What the oracle's tool and resource do."""
    return ""


@asynccontextmanager
async def oracle():
    """The SDK's own server with one tool, one prompt, one resource."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    server = MCPServer("oracle", log_level="CRITICAL")
    server.tool(name="list_rooms")(nothing)
    server.resource("test://a")(nothing)
    app = server.streamable_http_app(stateless_http=True, json_response=True)
    async with running(app, lifespan="on") as url:
        yield f"{url}/mcp"


async def outcome(http, url, request):
    """(HTTP status, JSON-RPC error code if any)."""
    content, headers = request
    answer = await http.post(url, json=content, headers=headers)
    said = body(answer) if answer.content.startswith((b"{", b"event", b":")) else {}
    return answer.status_code, said.get("error", {}).get("code")


async def test_what_the_sdk_refuses_we_refuse_alike(server):
    """Status and code, request by request; what the SDK accepts is accepted."""
    async with oracle() as reference, httpx2.AsyncClient(timeout=20) as http:
        theirs = {name: await outcome(http, reference, request) for name, request in CASES.items()}
        ours = {name: await outcome(http, f"{server.url}/mcp", request) for name, request in CASES.items()}
    assert ours == theirs


@pytest.mark.parametrize("name", OURS)
async def test_where_we_differ_we_mean_to(server, name):
    """The differences are data with a reason; one that is gone fails."""
    request, expected, _why = OURS[name]
    async with oracle() as reference, httpx2.AsyncClient(timeout=20) as http:
        assert await outcome(http, f"{server.url}/mcp", request) == expected
        assert await outcome(http, reference, request) != expected
