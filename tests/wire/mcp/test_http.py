"""The MUSTs of both eras over HTTP, one named test each; and bad input, after which the server is still up."""

import asyncio
import base64
import json

import httpx2
import pytest
import pytest_asyncio

from stateroom.faces.mcp import http as http_face
from stateroom.faces.mcp import listen
from tests.wire.mcp.raw import BOTH, LEGACY, META, MODERN, Raw, body

POST = {"type": "n", "from": "ann", "to": "all", "payload": {}}


@pytest_asyncio.fixture
async def http(server):
    async with httpx2.AsyncClient(timeout=20) as client:
        yield client


@pytest_asyncio.fixture
async def modern(server, http):
    return Raw(http, f"{server.url}/mcp", MODERN)


@pytest_asyncio.fixture
async def legacy(server, http):
    return Raw(http, f"{server.url}/mcp", "2025-11-25")


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


async def test_an_encoded_name_is_decoded(modern):
    """`=?base64?…?=` stands for the name. (Trailing blanks: the conformance suite's http-header-validation.)"""
    encoded = f"=?base64?{base64.b64encode(b'list_rooms').decode()}?="
    assert (await modern.send("tools/call", {"name": "list_rooms"}, **{"mcp-name": encoded})).status_code == 200


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


@pytest.mark.parametrize("accept", ["application/json", "*/*", None])
async def test_any_accept_will_do(legacy, accept):
    """A plain JSON client works, also for calls that wait (W-63)."""
    message, headers = legacy.request(
        "tools/call", {"name": "wait_for_events", "arguments": {"roomId": "demo", "agentId": "a", "timeoutMs": 1}}
    )
    headers.pop("accept")
    answer = await legacy.http.post(
        legacy.url, json=message, headers={**headers, **({"accept": accept} if accept else {})}
    )
    assert answer.json()["result"]["structuredContent"]["timedOut"]


@pytest.mark.parametrize(
    ("content", "kind", "status", "says"),
    [
        (b"{", None, 400, "Parse error: Invalid JSON"),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\xff"}}', None, 400, "Invalid JSON"),
        (b'{"hello":1}', None, 400, "Parse error: Invalid JSON-RPC message"),
        (b"null", None, 400, "Invalid JSON-RPC message"),
        (b"[" * 200_000, None, 400, "Invalid JSON"),
        (
            b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]',
            None,
            400,
            "JSON-RPC batch size 2 exceeds MAX_RPC_BATCH (1)",
        ),
        (b"{}", "text/plain", 415, "Content-Type must be application/json"),
        (b"x" * 5_000_000, None, 413, "5000000 of at most"),
    ],
)
async def test_bad_bodies_get_one_clear_answer(legacy, content, kind, status, says):
    """The reference's statuses and texts; afterwards the server is up (protocol §3.1, L15 to L18)."""
    headers = {**BOTH, **({"content-type": kind} if kind else {})}
    answer = await legacy.http.post(legacy.url, content=content, headers=headers)
    assert answer.status_code == status
    assert says in answer.text
    assert "result" in await legacy.ask("ping")


async def test_a_batch_of_one_is_one_request(legacy):
    """Handled as if it stood alone (protocol §3.1)."""
    message, headers = legacy.request("ping")
    answer = await legacy.http.post(legacy.url, json=[message], headers=headers)
    assert body(answer)["result"] == {}


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"roomId": "demo", "title": "a\x00b", "description": ""}, "title"),
        ({"roomId": "demo", "title": 1, "description": ""}, "title"),
        ({"roomId": "demo", "description": ""}, "title"),
        ({"roomId": "demo", "title": "t", "description": "", "depends_on": [1]}, "depends_on"),
        ([], "object"),
    ],
)
async def test_bad_arguments_name_the_field_and_change_nothing(legacy, arguments, path):
    """A tool result that says which argument and why (protocol §3.3)."""
    result = (await legacy.ask("tools/call", {"name": "add_task", "arguments": arguments}))["result"]
    assert result["isError"]
    assert result["content"][0]["text"].startswith(
        "MCP error -32602: Input validation error: Invalid arguments for tool add_task: ["
    )
    assert path in result["content"][0]["text"]
    assert (await legacy.call("get_room_info", {"roomId": "demo"}))[1]["taskCount"] == 0


async def test_lone_surrogates_are_refused(legacy):
    """Broken text is no JSON of ours; nothing is stored."""
    raw = json.dumps(
        legacy.request(
            "tools/call", {"name": "add_task", "arguments": {"roomId": "demo", "title": "\ud800", "description": ""}}
        )[0]
    )
    answer = await legacy.http.post(legacy.url, content=raw.encode(), headers=BOTH)
    assert answer.status_code == 400 or body(answer)["result"]["isError"]
    assert (await legacy.call("get_room_info", {"roomId": "demo"}))[1]["taskCount"] == 0


async def test_characters_split_over_packets_survive(legacy):
    """2,000 euro signs, cut in the middle of one (L15)."""
    message, headers = legacy.request(
        "tools/call", {"name": "add_task", "arguments": {"roomId": "demo", "title": "€" * 900, "description": ""}}
    )
    raw = json.dumps(message, ensure_ascii=False).encode()
    cut = raw.index("€".encode()) + 1

    async def pieces():
        yield raw[:cut]
        await asyncio.sleep(0)  # noqa: TID251 (one turn of the loop)
        yield raw[cut:]

    answer = await legacy.http.post(legacy.url, content=pieces(), headers=headers)
    assert body(answer)["result"]["structuredContent"]["title"] == "€" * 900


async def test_aliases_nulls_and_extras_are_fine(legacy):
    """room_id and agent_id, `arguments: null`, and arguments nobody knows (protocol §3.3, §13.8)."""
    assert (await legacy.call("heartbeat", {"room_id": "demo", "agent_id": "ann", "extra": 1}))[1]["agentId"] == "ann"
    for params in ({"name": "list_rooms"}, {"name": "list_rooms", "arguments": None}):
        assert (await legacy.ask("tools/call", params))["result"]["structuredContent"] == {"rooms": ["demo"]}


async def test_a_bound_endpoint_fixes_room_and_name(server, http):
    """`?room=…&agent=…`: both become optional, another room is denied, another name is overwritten."""
    bound = Raw(http, f"{server.url}/mcp?room=demo&agent=ann", "2025-11-25")
    tools = (await bound.ask("tools/list"))["result"]["tools"]
    assert all(not {"roomId", "agentId"} & set(tool["inputSchema"].get("required", ())) for tool in tools)
    assert (await bound.call("heartbeat", {}))[1]["agentId"] == "ann"
    assert (await bound.call("post_event", {"type": "n", "to": "all", "payload": {}, "from": "bob"}))[1][
        "from"
    ] == "ann"
    denied = await bound.call("heartbeat", {"roomId": "other"})
    assert denied == [True, {"error": {**denied[1]["error"], "message": "Room not found or access denied"}}]


async def test_profiles_choose_what_is_listed_not_what_can_be_called(server, http):
    """`core` by default, 44 in `state`; every tool is callable from every profile (design §8)."""
    listed = {}
    for profile in ("", "core", "room", "state", "full", "nonsense"):
        caller = Raw(http, f"{server.url}/mcp?profile={profile}", "2025-11-25")
        listed[profile] = len((await caller.ask("tools/list"))["result"]["tools"])
        assert not (await caller.call("list_shared_vars", {"roomId": "demo"}))[0]
    assert listed[""] == listed["core"] == listed["nonsense"] < listed["room"] < listed["state"] == listed["full"] == 44


async def test_a_waiting_call_streams_keep_alives(legacy, monkeypatch):
    """Comments while it waits, then the answer as the last frame (W-41)."""
    monkeypatch.setattr(http_face, "KEEP_ALIVE_S", 0.01)
    answer = await legacy.send(
        "tools/call", {"name": "wait_for_events", "arguments": {"roomId": "demo", "agentId": "a", "timeoutMs": 100}}
    )
    assert answer.headers["content-type"] == "text/event-stream"
    assert ": keep-alive\n\n" in answer.text
    assert answer.text.rstrip().splitlines()[-1].startswith("data: ")


async def test_hanging_up_cancels_a_waiting_call_and_consumes_nothing(server, legacy):
    """The caller goes away: its wait ends, and what comes later is still unread (trap 7)."""
    wait = {"name": "wait_for_events", "arguments": {"roomId": "demo", "agentId": "ann", "timeoutMs": 30_000}}
    message, headers = legacy.request("tools/call", wait)
    async with httpx2.AsyncClient(timeout=30) as other:
        waiting = asyncio.create_task(other.post(legacy.url, json=message, headers=headers))
        await eventually(lambda: server.engine.rooms.bells.waiting() == 1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await eventually(lambda: server.engine.rooms.bells.waiting() == 0)
    await legacy.call("post_event", {"roomId": "demo", **POST})
    unread = (await legacy.call("get_unread_events", {"roomId": "demo", "agentId": "ann"}))[1]
    assert [event["type"] for event in unread["events"]] == ["n"]


async def eventually(condition):
    async with asyncio.timeout(15):
        while not condition():  # noqa: ASYNC110 (another task's state has no event)
            await asyncio.sleep(0)  # noqa: TID251 (a turn of the loop)


async def frames(modern, uris, during=None):
    """The frames of one subscription, to its graceful end."""
    message, headers = modern.request("subscriptions/listen", {"notifications": {"resourceSubscriptions": uris}})
    got = []
    async with modern.http.stream("POST", modern.url, json=message, headers=headers) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                got.append(json.loads(line.removeprefix("data: ")))
                if during is not None and len(got) == 1:
                    await during()
    return got


async def test_a_subscription_acknowledges_notifies_and_ends_gracefully(modern, monkeypatch):
    """Acknowledgement first, the subscription's id on every frame, a result before the proxy's minute (trap 62)."""
    monkeypatch.setattr(listen, "STREAM_S", 0.5)
    await modern.call("read_plan", {"roomId": "demo"})
    uri = "stateroom://rooms/demo/plan"

    async def during():
        await modern.call("add_task", {"roomId": "demo", "title": "t", "description": ""})

    got = await frames(modern, [uri], during)
    assert got[0]["method"] == "notifications/subscriptions/acknowledged"
    assert got[0]["params"]["notifications"] == {"resourceSubscriptions": [uri]}
    assert got[1]["method"] == "notifications/resources/updated"
    assert got[1]["params"]["uri"] == uri
    assert got[-1]["result"]["resultType"] == "complete"
    ids = [frame.get("params", frame.get("result"))["_meta"]["io.modelcontextprotocol/subscriptionId"] for frame in got]
    assert set(ids) == {1}


@pytest.mark.parametrize(
    "uri", ["stateroom://rooms/nope/plan", "stateroom://rooms/demo/nonsense", "file:///etc/passwd"]
)
async def test_a_subscription_to_what_one_may_not_read_is_refused(modern, uri):
    """A stranger learns nothing, not even when something changes."""
    answer = await modern.send("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}})
    assert (answer.status_code, body(answer)["error"]["code"]) == (400, -32602)


async def test_a_keyed_server_wants_a_key_for_everything(keyed_server):
    """401 with the literal body, before anything else; teams are apart (protocol §7.1)."""
    async with httpx2.AsyncClient() as http:
        for version in (MODERN, "2025-11-25", None):
            caller = Raw(http, f"{keyed_server.url}/mcp", version)
            answer = await caller.send("tools/list")
            assert (answer.status_code, answer.json()) == (401, {"error": "Unauthorized"})
            assert (await caller.send("tools/list", authorization="Bearer red-secret")).status_code == 200


@pytest.mark.parametrize("headers", [{"origin": "https://example.org"}, {"host": "example.org:80"}])
async def test_foreign_origins_and_names_are_refused(legacy, headers):
    """403: a page in somebody's browser must not speak to the open server."""
    assert (await legacy.send("tools/list", **headers)).status_code == 403
