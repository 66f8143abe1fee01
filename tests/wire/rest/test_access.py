"""Who is let in: keys, names of this machine, and what needs neither."""

import asyncio

import httpx2
import pytest


async def test_health_needs_no_key_and_says_what_it_stands_on(keyed_server):
    """`{ok, ts, version, store}`, on every server."""
    async with httpx2.AsyncClient() as http:
        health = (await http.get(f"{keyed_server.url}/health")).json()
    assert (health["ok"], health["store"]) == (True, "sqlite")


async def test_a_keyed_server_wants_a_key_everywhere_else(keyed_server):
    """No key, a wrong key, half a key: 401 with the literal body; teams do not see each other's rooms."""
    async with httpx2.AsyncClient(base_url=keyed_server.url) as http:
        for path in ("/api/v1/rooms", "/api/v1/openapi.json", "/rooms/demo/stream"):
            for key in (None, "red-secre", "nonsense", ""):
                headers = {"authorization": f"Bearer {key}"} if key else {}
                answer = await http.get(path, headers=headers)
                assert (answer.status_code, answer.json()) == (401, {"error": "Unauthorized"})
        red, blue = ({"authorization": f"Bearer {team}-secret"} for team in ("red", "blue"))
        await http.post("/api/v1/rooms", json={"id": "demo"}, headers=red)
        assert (await http.get("/api/v1/rooms/demo", headers=blue)).status_code == 404
        assert (await http.post("/api/v1/rooms", json={"id": "demo"}, headers=blue)).json()["team"] == "blue"


async def test_a_bound_connection_keeps_to_its_room_and_name(api):
    """`?room=…&agent=…` binds: the name wins over `by`, and other rooms are not there."""
    bound = {"room": "demo", "agent": "ann"}
    body = {"by": "mallory", "wish": {"title": "t"}}
    made = await api.http.post("/api/v1/rooms/demo/commands/open-task", params=bound, json=body)
    assert {entry["by"] for entry in made.json()["entries"]} == {"ann"}
    await api.wish("open-task", {"title": "t"}, room="other")
    assert (await api.http.get("/api/v1/rooms/other/plan", params=bound)).status_code == 404
    assert (await api.http.get("/rooms/other/stream", params=bound)).status_code == 403
    assert [room["id"] for room in (await api.http.get("/api/v1/rooms", params=bound)).json()] == ["demo"]
    own = await api.http.get("/api/v1/rooms/demo/summary", params=bound)
    assert own.json()["member"] == "ann"


async def test_answers_carry_a_request_id(api):
    """The caller's own, or a fresh one, on whatever kind of answer (W-62)."""
    for path in ("/health", "/nothing", "/api/v1/rooms/x"):
        assert (await api.http.get(path, headers={"x-request-id": "mine"})).headers["x-request-id"] == "mine"
        assert len((await api.http.get(path)).headers["x-request-id"]) == 16
    for unfit in ("x" * 129, ""):
        assert len((await api.http.get("/health", headers={"x-request-id": unfit})).headers["x-request-id"]) == 16


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"origin": "https://example.org"}, "foreign_origin"),
        ({"origin": "null"}, "foreign_origin"),
        ({"origin": "http://["}, "foreign_origin"),
        ({"origin": "http://127.0.0.1.example.org"}, "foreign_origin"),
        ({"origin": "http://127.0.0.1@example.org"}, "foreign_origin"),
        ({"origin": ""}, "foreign_origin"),
        ({"host": "example.org"}, "foreign_host"),
        ({"host": "["}, "foreign_host"),
        ({"host": "localhost.example.org"}, "foreign_host"),
    ],
)
async def test_the_open_server_is_not_for_web_pages(api, headers, code):
    """Another origin, or another name for this machine (DNS rebinding), is refused and changes nothing; once a
    malformed one was a fault of ours."""
    refused = await api.http.post("/api/v1/rooms", json={}, headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, code)
    assert (await api.get("/rooms")).json() == []


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
async def test_pages_of_this_machine_may_use_the_open_server(api, name):
    """Under each of loopback's names."""
    here = f"{name}:{api.http.base_url.port}"
    headers = {"origin": f"http://{here}", "host": here}
    assert (await api.http.post("/api/v1/rooms", json={}, headers=headers)).status_code == 201


async def test_a_websocket_is_turned_away(server):
    """An answer before it is opened, and no fault in the log."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    writer.write(f"GET /rooms/demo/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n{upgrade}{key}\r\n".encode())
    assert (await reader.readline()).split()[1] in (b"403", b"404")
    writer.close()


async def test_the_front_page_says_how_to_connect_and_nothing_else(server, keyed_server):
    """Plain, under a strict policy, without a script and without a word about any room or key."""
    async with httpx2.AsyncClient() as http:
        open_, keyed = [await http.get(one.url) for one in (server, keyed_server)]
    assert open_.headers["content-security-policy"].startswith("default-src 'none'")
    assert "claude mcp add --transport http stateroom http://" in open_.text
    assert "$STATEROOM_API_KEY" in keyed.text
    assert "red-secret" not in keyed.text
    assert "<script" not in open_.text
