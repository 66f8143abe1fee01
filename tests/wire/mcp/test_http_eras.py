"""The MUSTs of both eras over HTTP, one named test each (mcp-and-clients §2)."""

import base64

import httpx2
import msgspec
import pytest

from tests.wire.mcp.raw import BOTH, LEGACY, META, MODERN, Raw, body
from tests.wire.mcp.sockets import spoken


async def test_discover_says_everything(modern):
    """Versions, capabilities, instructions, identity, and how long that holds."""
    result = (await modern.ask("server/discover"))["result"]
    assert result["supportedVersions"] == [MODERN, *reversed(LEGACY)]
    assert result["resultType"] == "complete"
    assert result["ttlMs"] > 0
    assert result["cacheScope"] == "private"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "stateroom"
    assert len(result["instructions"].encode()) < 2048


@pytest.mark.parametrize("version", [*LEGACY, "2024-10-07"])
async def test_initialize_echoes_a_known_version(legacy, version):
    """An older client gets the revision it asked for (protocol §3.2)."""
    result = (await Raw(legacy.http, legacy.url, None).ask("initialize", {"protocolVersion": version}))["result"]
    assert result["protocolVersion"] == version
    assert "resultType" not in result


async def test_initialize_offers_the_newest_handshake_to_a_stranger(legacy):
    """An unknown version is negotiated, not refused."""
    result = (await Raw(legacy.http, legacy.url, None).ask("initialize", {"protocolVersion": "1999-01-01"}))["result"]
    assert result["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
async def test_lists_carry_cache_hints_in_the_modern_era_only(modern, legacy, method):
    """resultType, ttlMs and cacheScope there; nothing of it here."""
    assert {"resultType", "ttlMs", "cacheScope"} <= set((await modern.ask(method))["result"])
    assert not {"resultType", "ttlMs", "cacheScope"} & set((await legacy.ask(method))["result"])


@pytest.mark.parametrize(
    "headers",
    [
        {"mcp-method": "tools/list"},
        {"mcp-method": ""},
        {"mcp-name": "other"},
        {"mcp-name": ""},
        {"mcp-name": "=?base64?!!!?="},
    ],
)
async def test_headers_that_disagree_with_the_body_are_refused(modern, headers):
    """Mismatch or absence of a routing header: 400 and -32020."""
    answer = await modern.send("tools/call", {"name": "list_rooms"}, **headers)
    assert (answer.status_code, body(answer)["error"]["code"]) == (400, -32020)


def encoded(text):
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


async def test_an_encoded_name_is_decoded(modern):
    """`=?base64?…?=` stands for the name, and is compared after decoding."""
    call = ("tools/call", {"name": "list_rooms"})
    assert (await modern.send(*call, **{"mcp-name": encoded("list_rooms")})).status_code == 200
    assert body(await modern.send(*call, **{"mcp-name": encoded("other")}))["error"]["code"] == -32020


async def test_a_name_that_fits_no_header_comes_encoded(modern):
    """A resource with an umlaut: read as any other, here refused because no room is called so."""
    uri = "stateroom://rooms/zürich/plan"
    answer = await modern.send("resources/read", {"uri": uri}, **{"mcp-name": encoded(uri)})
    assert (answer.status_code, body(answer)["error"]["data"]) == (400, {"code": "bad_room_id", "uri": uri})


@pytest.mark.parametrize("name", ["mcp-name", "mcp-method", "mcp-protocol-version"])
async def test_trailing_blanks_in_a_header_do_not_matter(server, name):
    """The HTTP parser leaves them in; they are no part of the value (stack §1)."""
    message, headers = Raw(None, "", MODERN).request("tools/call", {"name": "list_rooms"})
    lines = [f"{key}:  {value} \t" if key == name else f"{key}: {value}" for key, value in headers.items()]
    status, answer = await spoken(f"{server.url}/mcp", lines, [msgspec.json.encode(message)])
    assert (status, "result" in msgspec.json.decode(answer)) == (200, True)


async def test_header_names_are_read_in_any_case(server):
    """As HTTP has it."""
    message, headers = Raw(None, "", MODERN).request("tools/call", {"name": "list_rooms"})
    lines = [f"{key.upper()}: {value}" for key, value in headers.items()]
    status, answer = await spoken(f"{server.url}/mcp", lines, [msgspec.json.encode(message)])
    assert (status, "result" in msgspec.json.decode(answer)) == (200, True)


@pytest.mark.parametrize("name", ["mcp-protocol-version", "mcp-method", "mcp-name"])
async def test_every_routing_header_must_be_there(server, http, name):
    """Absence is as bad as a mismatch: 400 and -32020; nothing is called."""
    message, headers = Raw(http, "", MODERN).request("tools/call", {"name": "list_rooms"})
    del headers[name]
    answer = await http.post(f"{server.url}/mcp", json=message, headers=headers)
    assert (answer.status_code, body(answer)["error"]["code"]) == (400, -32020)


async def test_a_modern_body_under_a_legacy_header_is_refused(legacy):
    """Header and body must agree on the era."""
    answer = await legacy.send("tools/list", {"_meta": META})
    assert (answer.status_code, body(answer)["error"]["code"]) == (400, -32020)


@pytest.mark.parametrize("version", ["2027-01-01", "nonsense"])
async def test_an_unknown_version_is_told_the_known_ones(modern, version):
    """400 and -32022, with everything that is served."""
    answer = await Raw(modern.http, modern.url, version).send("tools/list")
    assert (answer.status_code, body(answer)["error"]["code"]) == (400, -32022)
    assert body(answer)["error"]["data"]["supported"] == [MODERN, *reversed(LEGACY)]


async def test_meta_is_needed_in_the_modern_era(modern):
    """Without version and capabilities in `_meta` a modern request is malformed."""
    message, headers = modern.request("tools/list")
    del message["params"]["_meta"]
    answer = await modern.http.post(modern.url, json=message, headers=headers)
    assert (answer.status_code, body(answer)["error"]["code"]) == (400, -32602)


async def test_an_unknown_method_is_404_there_and_200_here(modern, legacy):
    """-32601 in both eras, with the status each asks for."""
    for caller, status in ((modern, 404), (legacy, 200)):
        answer = await caller.send("no/such")
        assert (answer.status_code, body(answer)["error"]["code"]) == (status, -32601)


@pytest.mark.parametrize("method", ["ping", "initialize", "logging/setLevel", "resources/subscribe"])
async def test_what_the_modern_era_gave_up_is_unknown_there(modern, method):
    """404 and -32601 for the methods of the handshake's time."""
    answer = await modern.send(method)
    assert (answer.status_code, body(answer)["error"]["code"]) == (404, -32601)


async def test_every_result_of_the_modern_era_says_what_it_is(modern):
    """resultType, and who answers, on each kind of result; on a read how long it holds."""
    await modern.call("read_plan", {"roomId": "demo"})
    asked = {
        "tools/call": {"name": "list_rooms"},
        "resources/read": {"uri": "stateroom://rooms/demo/plan"},
        "prompts/get": {"name": "join_room", "arguments": {"room": "demo", "agent": "ann"}},
        "tools/list": {},
        "server/discover": {},
    }
    for method, params in asked.items():
        result = (await modern.ask(method, params))["result"]
        assert result["resultType"] == "complete"
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "stateroom"
        assert ("ttlMs" in result, "cacheScope" in result) == ((method not in ("tools/call", "prompts/get"),) * 2)


async def test_tools_are_listed_in_one_order(modern, legacy):
    """The same for every connection and in both eras, so that a client's cache holds."""
    orders = [
        [tool["name"] for tool in (await caller.ask("tools/list"))["result"]["tools"]] for caller in (modern, legacy)
    ]
    assert orders[0] == orders[1]


async def test_a_call_needs_no_session_and_no_handshake(server, http):
    """Each request stands alone, on a connection of its own, in every revision."""
    for version in (MODERN, *LEGACY, None):
        async with httpx2.AsyncClient() as fresh:
            assert await Raw(fresh, f"{server.url}/mcp", version).call("list_rooms", {}) == [False, {"rooms": []}]


async def test_an_unknown_tool_is_an_error_there_and_a_result_here(modern, legacy):
    """JSON-RPC error in the modern era; the reference's text in the legacy one (protocol §3.3)."""
    assert (await modern.ask("tools/call", {"name": "nope"}))["error"]["code"] == -32602
    result = (await legacy.ask("tools/call", {"name": "nope"}))["result"]
    assert result["content"][0]["text"] == "MCP error -32602: Tool nope not found"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_other_methods_are_405_with_allow(modern, method):
    """No standing stream, no session to delete (W-46)."""
    answer = await modern.http.request(method, modern.url, headers={"accept": "text/event-stream"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_sessions_are_ignored(modern, legacy):
    """A session id or a last event id changes nothing: there are none."""
    for caller in (modern, legacy):
        answer = await caller.send("tools/list", **{"mcp-session-id": "made-up", "last-event-id": "7"})
        assert answer.status_code == 200
        assert "mcp-session-id" not in answer.headers


async def test_notifications_are_accepted_without_an_answer(legacy):
    """202 and nothing else."""
    message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answer = await legacy.http.post(legacy.url, json=message, headers=BOTH)
    assert (answer.status_code, answer.content) == (202, b"")
