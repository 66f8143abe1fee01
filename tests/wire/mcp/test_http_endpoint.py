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
    """`core` by default, 44 in `state`; every tool is callable from every profile (design §8)."""
    listed = {}
    for profile in ("", "core", "room", "state", "full", "nonsense"):
        caller = Raw(http, f"{server.url}/mcp?profile={profile}", "2025-11-25")
        listed[profile] = len((await caller.ask("tools/list"))["result"]["tools"])
        assert not (await caller.call("list_shared_vars", {"roomId": "demo"}))[0]
    assert listed[""] == listed["core"] == listed["nonsense"] < listed["room"] < listed["state"] == listed["full"] == 44


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
