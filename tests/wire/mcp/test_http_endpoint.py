"""The endpoint: what it is bound to, what it lists, who may use it, and where one may come from."""

import httpx2
import pytest

from stateroom.faces.mcp.profiles import STATE
from tests.wire.mcp.raw import LEGACY, MODERN, Raw


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
    """`core` by default, 44 in `state`, 56 in `full`; every tool is callable from every profile (design §8)."""
    listed = {}
    for profile in ("", "core", "room", "state", "full", "nonsense"):
        caller = Raw(http, f"{server.url}/mcp?profile={profile}", "2025-11-25")
        listed[profile] = len((await caller.ask("tools/list"))["result"]["tools"])
        assert not (await caller.call("list_shared_vars", {"roomId": "demo"}))[0]
    assert listed == {"": 11, "core": 11, "room": 11, "state": 44, "full": 56, "nonsense": 11}


async def test_a_keyed_server_wants_a_key_for_everything(keyed_server):
    """401 with the literal body, before anything else; teams are apart (protocol §7.1)."""
    async with httpx2.AsyncClient() as http:
        for version in (MODERN, "2025-11-25", None):
            caller = Raw(http, f"{keyed_server.url}/mcp", version)
            answer = await caller.send("tools/list")
            assert (answer.status_code, answer.json()) == (401, {"error": "Unauthorized"})
            assert (await caller.send("tools/list", authorization="Bearer red-secret")).status_code == 200


async def test_every_tool_can_be_called_whatever_is_listed(server, http):
    """All 44 by their names under the default profile: each looks at its arguments (design §8)."""
    caller = Raw(http, f"{server.url}/mcp?profile=core", MODERN)
    for name in STATE:
        answer = await caller.ask("tools/call", {"name": name, "arguments": {"timeoutMs": 1}})
        result = answer["result"]
        assert not result["isError"] or f"Invalid arguments for tool {name}" in result["content"][0]["text"]


@pytest.mark.parametrize("version", [MODERN, *LEGACY, None])
@pytest.mark.parametrize("headers", [{"origin": "https://example.org"}, {"host": "example.org:80"}])
async def test_foreign_origins_and_names_are_refused(server, http, version, headers):
    """403 in every revision: a page in somebody's browser must not speak to the open server."""
    assert (await Raw(http, f"{server.url}/mcp", version).send("tools/list", **headers)).status_code == 403


async def test_a_page_of_this_very_server_may_speak(server, http):
    """Its own origin is no foreign one."""
    answer = await Raw(http, f"{server.url}/mcp", MODERN).send("tools/list", origin=server.url)
    assert answer.status_code == 200


async def test_a_keyed_server_may_have_any_name(keyed_server, http):
    """Whoever has a key may come by any host name: rebinding gains nothing without the key."""
    headers = {"host": "rooms.example", "authorization": "Bearer red-secret"}
    assert (await Raw(http, f"{keyed_server.url}/mcp", MODERN).send("tools/list", **headers)).status_code == 200
