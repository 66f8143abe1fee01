"""What counts as a message, and what is said to all the rest. In process: every chunk is under control."""

import msgspec
import pytest

from tests.wire.mcp.inside import ask, exchange, request
from tests.wire.mcp.raw import LEGACY, META, MODERN

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


async def post(endpoint, *chunks, query="", **headers):
    """(status, decoded body) of one POST."""
    async with exchange(endpoint, *chunks, query=query, **headers) as under_way:
        body = await under_way.body()
        return under_way.status, msgspec.json.decode(body) if body else None


@pytest.mark.parametrize(
    "message",
    [
        b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":true,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":7}',
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        b'{"id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0"}',
        b"[]",
        b"[7]",
        b'"text"',
    ],
)
async def test_json_that_is_no_message_is_refused(endpoint, message):
    """400 with the reference's text (protocol §3.1); an id of null names no request."""
    status, answer = await post(endpoint, message)
    assert (status, answer["id"], answer["error"]["code"]) == (400, None, -32700)
    assert answer["error"]["message"] == "Parse error: Invalid JSON-RPC message"


async def test_the_modern_era_calls_it_an_invalid_request(endpoint):
    """The newest revision has a code of its own for JSON that is no request."""
    status, answer = await post(endpoint, b'{"hello":1}', **{"mcp-protocol-version": MODERN})
    assert (status, answer["error"]["code"]) == (400, -32600)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"{",
        b"\xff",
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"ignored":"\xff"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","ignored":"\xc3"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
async def test_what_is_no_json_in_utf8_is_refused_wherever_it_is(endpoint, message):
    """Also in a part that nobody would read (L16)."""
    status, answer = await post(endpoint, message)
    assert (status, answer["error"]) == (400, {"code": -32700, "message": "Parse error: Invalid JSON"})


@pytest.mark.parametrize("id", [0, 1, -5, 2**53, 10**30, "", "a", "é€", 'q"\\'])
async def test_an_id_comes_back_as_it_was(endpoint, id):
    """Numbers and texts of any kind."""
    body, headers = request(LEGACY[-1], "ping", id=id)
    assert (await post(endpoint, body, **headers))[1] == {"jsonrpc": "2.0", "id": id, "result": {}}


@pytest.mark.parametrize("version", [None, *LEGACY])
async def test_every_legacy_revision_pings(endpoint, version):
    """And the newest one, which has no ping, says that it has none."""
    assert await ask(endpoint, version, "ping") == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})
    assert (await ask(endpoint, MODERN, "ping"))[0] == 404


@pytest.mark.parametrize(
    "message",
    [
        {"method": "notifications/initialized"},
        {"method": "notifications/cancelled", "params": {"requestId": 1}},
        {"method": "notifications/cancelled", "params": [1]},
        {"method": "made/up", "params": "odd"},
        {"id": 7, "result": {}},
        {"id": None, "error": {"code": 1, "message": "m"}},
    ],
)
@pytest.mark.parametrize("version", [None, LEGACY[-1], MODERN])
async def test_what_asks_nothing_is_accepted_in_silence(endpoint, version, message):
    """Notices and answers: 202 without a body, whatever they say."""
    headers = {"mcp-protocol-version": version} if version else {}
    body = msgspec.json.encode({"jsonrpc": "2.0", **message})
    assert await post(endpoint, body, **headers) == (202, None)


async def test_bytes_are_joined_before_they_are_read(endpoint):
    """A body cut into single bytes, through the middle of every character (L15)."""
    body, headers = request(MODERN, "tools/call", {"name": "echo", "arguments": {"text": "€" * 50}})
    status, answer = await post(endpoint, *(bytes([byte]) for byte in body), **headers)
    assert (status, answer["result"]["structuredContent"]) == (200, {"text": "€" * 50})


async def test_a_client_that_leaves_before_it_has_said_everything_is_no_fault(toys, endpoint):
    """Half a body and a hang-up: nothing is called, and nothing is raised."""
    body, headers = request(MODERN, "tools/call", {"name": "wait", "arguments": {}})
    async with exchange(endpoint, body[:20], whole=False, **headers) as under_way:
        under_way.hang_up()
        assert await under_way.body() == b""
    assert toys.waiting == 0


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
async def test_json_is_json_however_it_is_spelled(endpoint, kind):
    """Parameters and case of the content type do not matter."""
    assert (await post(endpoint, PING, **{"content-type": kind}))[0] == 200


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_what_a_form_in_a_browser_could_send_is_refused(endpoint, kind):
    """415: a page needs no permission to send these anywhere."""
    assert (await post(endpoint, PING, **{"content-type": kind}))[0] == 415


async def test_a_routing_header_may_be_there_once(endpoint):
    """Two copies would let two readers disagree."""
    body, headers = request(MODERN, "tools/list")
    async with exchange(endpoint, body, **headers) as under_way:
        under_way.scope["headers"].append((b"mcp-method", b"tools/list"))
        assert (await under_way.answer())["error"]["code"] == -32020
    assert under_way.status == 400


@pytest.mark.parametrize(
    ("meta", "code"),
    [
        ({}, -32602),
        ("odd", -32602),
        ({key: part for key, part in META.items() if "Version" in key}, -32602),
        ({**META, "io.modelcontextprotocol/protocolVersion": 7}, -32020),
        ({**META, "io.modelcontextprotocol/protocolVersion": "2025-11-25"}, -32020),
        ({**META, "io.modelcontextprotocol/clientInfo": "odd"}, None),
        ({key: part for key, part in META.items() if "Info" not in key}, None),
    ],
)
async def test_the_modern_envelope_must_be_whole(endpoint, meta, code):
    """Version and capabilities are needed and have to agree with the header; who the client is may be left out."""
    _, headers = request(MODERN, "tools/list")
    body = msgspec.json.encode({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}})
    status, answer = await post(endpoint, body, **headers)
    assert (status, answer.get("error", {}).get("code")) == (200 if code is None else 400, code)


async def test_without_a_credential_nothing_is_read(endpoint):
    """401 before the method, the content type and the body are looked at (protocol §4.1)."""
    for method, kind in (("POST", "application/json"), ("POST", "text/plain"), ("GET", "")):
        headers = {"authorization": "Bearer wrong", "content-type": kind}
        async with exchange(endpoint, b"{", method=method, **headers) as under_way:
            assert await under_way.answer() == {"error": "Unauthorized"}
        assert under_way.status == 401


@pytest.mark.parametrize("method", ["GET", "DELETE", "OPTIONS", "PUT", "HEAD"])
async def test_other_methods_are_told_which_one_there_is(endpoint, method):
    """405 with Allow, and no word that would let another origin in (W-46)."""
    async with exchange(endpoint, method=method, origin="https://example.org") as under_way:
        assert (await under_way.answer())["error"]["message"] == "Method not allowed."
    assert (under_way.status, under_way.headers["allow"]) == (405, "POST")
    assert not [name for name in under_way.headers if name.startswith("access-control")]


async def test_the_query_chooses_profile_and_binding(endpoint):
    """What the endpoint gives need not be sent, and is not asked for in the listing."""
    _, few = await ask(endpoint, MODERN, "tools/list")
    _, everything = await ask(endpoint, MODERN, "tools/list", query="profile=all&agent=ann")
    assert [tool["name"] for tool in few["result"]["tools"]] == ["echo", "add"]
    assert len(everything["result"]["tools"]) > 10
    assert "required" not in everything["result"]["tools"][0]["inputSchema"]
    _, said = await ask(endpoint, MODERN, "tools/call", {"name": "echo", "arguments": {}}, query="agent=ann")
    assert said["result"]["structuredContent"] == {"text": "ann"}
