"""Bodies over HTTP: what is no request gets one clear answer, and the server is up afterwards."""

import json

import pytest

from tests.wire.mcp.raw import BOTH, LEGACY, MODERN, Raw, body
from tests.wire.mcp.sockets import spoken


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


@pytest.mark.parametrize("kind", ["application/jsonx", "application/json-patch+json", "text/json", "application/ json"])
async def test_a_content_type_is_json_or_it_is_not(legacy, kind):
    """415 for what only begins like it."""
    message, headers = legacy.request("ping")
    answer = await legacy.http.post(legacy.url, json=message, headers={**headers, "content-type": kind})
    assert answer.status_code == 415


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


@pytest.mark.parametrize("version", [MODERN, LEGACY[-1]])
@pytest.mark.parametrize(("text", "status"), [("\ud800", 400), ("a\udc00", 400), ("a\x00b", 200)])
async def test_text_that_cannot_be_stored_is_refused_by_the_arguments_name(server, http, version, text, status):
    """A lone surrogate is no JSON of ours, NUL no text: both answers say where, and nothing is stored (L16)."""
    caller = Raw(http, f"{server.url}/mcp", version)
    arguments = {"roomId": "demo", "title": "fine", "description": text}
    message, headers = caller.request("tools/call", {"name": "add_task", "arguments": arguments})
    answer = await http.post(caller.url, content=json.dumps(message).encode(), headers=headers)
    assert (answer.status_code, "description" in answer.text) == (status, True)
    assert "NUL or lone surrogate in" in answer.text
    assert (await caller.call("get_room_info", {"roomId": "demo"}))[1]["taskCount"] == 0


@pytest.mark.parametrize("version", [MODERN, LEGACY[-1]])
async def test_characters_split_over_packets_survive(server, version):
    """2,000 euro signs over TCP, every packet cut inside one (L15)."""
    text = "€" * 2_000
    arguments = {"roomId": "demo", "type": "n", "from": "ann", "to": "all", "payload": {"text": text}}
    message, headers = Raw(None, "", version).request("tools/call", {"name": "post_event", "arguments": arguments})
    raw = json.dumps(message, ensure_ascii=False).encode()
    start = raw.index("€".encode()) + 1
    pieces = [raw[:start], *(raw[at : at + 1_000] for at in range(start, len(raw), 1_000))]
    lines = [f"{name}: {value}" for name, value in headers.items()]
    status, answer = await spoken(f"{server.url}/mcp", lines, pieces)
    assert (status, json.loads(answer)["result"]["structuredContent"]["payload"]) == (200, {"text": text})


@pytest.mark.parametrize("version", [MODERN, LEGACY[-1], None])
async def test_a_body_that_is_too_large_is_told_so(server, http, version):
    """5 MB of a well-formed call: 413 and JSON, once it has been read, so that the sender hears it."""
    arguments = {"roomId": "demo", "title": "x" * 5_000_000, "description": ""}
    answer = await Raw(http, f"{server.url}/mcp", version).send(
        "tools/call", {"name": "add_task", "arguments": arguments}
    )
    assert answer.status_code == 413
    assert "of at most 1048576 bytes" in answer.json()["error"]


@pytest.mark.parametrize(("levels", "status", "says"), [(100, 200, "payload"), (5_000, 400, "Invalid JSON")])
@pytest.mark.parametrize("version", [MODERN, LEGACY[-1]])
async def test_deep_nesting_is_one_calls_refusal(server, http, version, levels, status, says):
    """The tool refuses what is deep and names the argument, the parser what is abysmal; the server goes on."""
    caller = Raw(http, f"{server.url}/mcp", version)
    arguments = {"roomId": "demo", "type": "n", "from": "ann", "to": "all", "payload": "DEEP"}
    message, headers = caller.request("tools/call", {"name": "post_event", "arguments": arguments})
    content = json.dumps(message).replace('"DEEP"', '{"a":' * levels + "1" + "}" * levels)
    answer = await http.post(caller.url, content=content.encode(), headers=headers)
    assert (answer.status_code, says in answer.text) == (status, True)
    assert "error" in body(answer) or body(answer)["result"]["isError"]
    assert (await caller.call("read_events", {"roomId": "demo"}))[1]["result"] == []


async def test_aliases_nulls_and_extras_are_fine(legacy):
    """room_id and agent_id, `arguments: null`, and arguments nobody knows (protocol §3.3, §13.8)."""
    assert (await legacy.call("heartbeat", {"room_id": "demo", "agent_id": "ann", "extra": 1}))[1]["agentId"] == "ann"
    for params in ({"name": "list_rooms"}, {"name": "list_rooms", "arguments": None}):
        assert (await legacy.ask("tools/call", params))["result"]["structuredContent"] == {"rooms": ["demo"]}
