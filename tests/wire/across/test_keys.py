"""Keys given in one face prove in the others; and no face shows a key again, or its digest (design §7, "Identity")."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest

from tests.serving import Served
from tests.wire.across.house import House, No, Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

Give = Callable[[Room], Awaitable[str]]


async def joined_by_tool(room: Room) -> str:
    return str((await room.tool("room_join", name="Iris"))["seatKey"])


async def joined_by_action(room: Room) -> str:
    await room.join("Iris")
    return room.keys["Iris"]


async def joined_by_api(room: Room) -> str:
    return str((await room.native("POST", "/seats", {"name": "Iris"}))["seat_key"])


SEATS: dict[str, Give] = {"talk": joined_by_tool, "action": joined_by_action, "api": joined_by_api}


def spoken(key: str) -> dict[str, Any]:
    return {"by": "Iris", "seat_key": key, "wish": {"text": "hi"}}


async def say(room: Room, key: str) -> Any:
    return await room.native("POST", "/commands/say", spoken(key))


async def say_no(room: Room, key: str) -> No:
    return await room.native_no("POST", "/commands/say", spoken(key))


SPEAKING: dict[str, tuple[Callable[[Room, str], Awaitable[Any]], Callable[[Room, str], Awaitable[No]], str]] = {
    "talk": (
        lambda room, key: room.tool("room_send", name="Iris", seatKey=key, text="hi"),
        lambda room, key: room.tool_no("room_send", name="Iris", seatKey=key, text="hi"),
        "seat_key_needed",
    ),
    "action": (
        lambda room, key: room.action("send", message={"name": "Iris", "text": "hi"}, seatKey=key),
        lambda room, key: room.action_no("send", message={"name": "Iris", "text": "hi"}, seatKey=key),
        "MemberAuthError",
    ),
    "command": (
        say,
        say_no,
        "seat_key_needed",
    ),
}


@pytest.mark.parametrize("given", SEATS)
async def test_a_seats_key_from_one_face_speaks_in_every_face(room: Room, given: str):
    """In a room that asks everybody for keys; another's key, a wrong one and none do in no face."""
    await room.host_action("setPolicy", identity="keyed", exchangeLimit=0)
    key = await SEATS[given](room)
    for face, (speak, refused, error) in SPEAKING.items():
        before = await room.position()
        for wrong in ("", "wrong", room.keys["Nova"], room.host_key):
            assert (await refused(room, wrong)).name == error, face
        assert await room.position() == before
        await speak(room, key)
    lines = [one for one in await room.lines() if one["type"] == "msg"]
    assert [(one["name"], one["verified"]) for one in lines] == [("Iris", True)] * 3


async def test_the_room_protocol_has_no_keys_so_it_does_not_act_for_a_keyed_seat(room: Room):
    """Its tools refuse a name whose seat has a key, where the room asks for it; names without a seat go on."""
    await joined_by_action(room)
    await room.host_action("setPolicy", identity="keyed")
    before = await room.entries()
    for tool, arguments in (
        ("post_event", {"type": "t", "from_": "Iris", "to": "all", "payload": {}}),
        ("add_task", {"title": "t", "description": "", "agentId": "Iris"}),
        ("write_context", {"type": "note", "summary": "s", "payload": {"text": "t"}, "author": "Iris"}),
        ("set_shared_var", {"agentId": "Iris", "key": "k", "value": "v"}),
        ("leave_room", {"agentId": "Iris"}),
    ):
        more = {"consuming_agents": []} if tool == "write_context" else {}
        assert (await room.tool_no(tool, **arguments, **more)).name == "seat_key_needed", tool
    assert await room.entries() == before
    await room.tool("post_event", type="t", from_="Dee", to="all", payload={})


CREATING: dict[str, Callable[[House], Awaitable[tuple[str, str]]]] = {
    "talk": lambda house: created(house.tool("room_create", topic="t", name="Nova"), "code", "hostKey"),
    "action": lambda house: created(house.action("create", topic="t", createdBy="Nova"), "room", "hostKey"),
    "api": lambda house: created(house.native("POST", "/rooms", {"host": "Nova", "topic": "t"}), "code", "host_key"),
}


async def created(making: Awaitable[Any], code: str, key: str) -> tuple[str, str]:
    made = await making
    return made["room"]["code"] if code == "room" else made[code], made[key]


@pytest.mark.parametrize("face", CREATING)
async def test_a_host_key_from_one_face_hosts_in_every_face(house: House, face: str):
    """And a wrong one in none."""
    code, key = await CREATING[face](house)
    room, other = Room(house, code, "Nova", key), Room(house, code, "Nova", "wrong")
    await room.action("join", participant={"name": "Nova", "client": "web"}, hostKey=key)
    mode = {"action": "set_mode", "mode": "sequential"}
    assert (await house.tool_no("room_admin", code=code, name="Nova", hostKey="wrong", **mode)).name == "not_host"
    asked = {"requesterName": "Nova", "hostKey": "wrong", "mode": "sequential"}
    assert (await room.action_no("setReplyMode", **asked)).name == "NotHostError"
    assert (await other.wish_no("set-mode", host=True, mode="sequential")).name == "not_host"
    await room.hosted("room_admin", **mode)
    await room.host_action("setReplyMode", mode="open")
    await room.wish("set-mode", host=True, mode="sequential")
    assert [one["event"] for one in await room.entries() if one["event"] == "ModeChanged"] == ["ModeChanged"] * 3


async def test_no_face_shows_a_key_or_its_digest(room: Room):
    """Neither the log, nor events, lines, pages, reports, nor the answers about rooms and members."""
    keys = [room.host_key, await joined_by_tool(room), *room.keys.values()]
    await room.say("Ann", "[DECISION] ship it")
    await room.hosted("room_admin", action="mute", targetName="Iris")
    report = await room.tool("room_minutes", name="Ben", export=True, format="json")
    frozen = f"/reports/{report['reportId']}"
    shown = [
        *[await room.native("GET", path) for path in ("", "/entries", "/events", "/lines", "/floor", "/members")],
        *[await room.native("GET", path) for path in ("/report", "/plan", "/context", "/analytics")],
        await room.house.native("GET", "/rooms"),
        *[await room.action(name) for name in ("get", "turnState", "taskBoard", "health", "getReport")],
        await room.lines(),
        await room.events(),
        await room.house.stream(room.code, 1),
        await room.page(),
        await room.html(),
        *[(await room.house.get(path)).text for path in (frozen, f"{frozen}?format=json", f"/j/{room.code}")],
        report,
        *[await room.tool(name) for name in ("room_minutes", "get_room_info", "get_presence", "get_room_analytics")],
        await room.tool("room_listen", name="Ben", since=0, timeoutMs=0),
        await room.tool("room_join", name="Ben"),
        await room.tool("get_my_summary", agentId="Dee"),
    ]
    hidden = [*keys, *(hashlib.sha256(key.encode()).hexdigest() for key in keys)]
    texts = [json.dumps(one) for one in shown]
    assert [secret for secret in hidden for text in texts if secret in text] == []


@pytest.mark.asyncio(loop_scope="function")
async def test_a_guest_has_the_conversation_and_nothing_else(keyed_server: Served):
    """On a server with keys: the code lets into `/api/room` and the page; not into tools, the API or the stream."""
    async with httpx2.AsyncClient(timeout=20, trust_env=False) as http:
        http.headers["authorization"] = "Bearer red-secret"
        red = await House(keyed_server.url, http).room()
        del http.headers["authorization"]
        await red.join("Gus", "web")
        await red.say("Gus", "hello")
        assert "hello" in await red.html()
        assert (await red.action_no("send", message={"name": "Gus", "text": "hi"})).name == "MemberAuthError"
        assert (await http.get(f"{keyed_server.url}/api/v1/rooms/{red.code}/lines")).status_code == 401
        assert (await http.get(f"{keyed_server.url}/rooms/{red.code}/stream")).status_code == 401
        assert (await http.post(f"{keyed_server.url}/mcp", json={})).status_code == 401
        http.headers["authorization"] = "Bearer red-secret"
        assert [one["payload"]["text"] for one in await red.events()] == ["hello"]


@pytest.mark.asyncio(loop_scope="function")
async def test_another_team_comes_by_the_code_as_a_guest(keyed_server: Served):
    """Its tools talk in the room; the Room Protocol and the API know rooms of one's own team only."""
    async with (
        httpx2.AsyncClient(timeout=20, trust_env=False) as red_http,
        httpx2.AsyncClient(timeout=20, trust_env=False) as blue_http,
    ):
        red_http.headers["authorization"] = "Bearer red-secret"
        blue_http.headers["authorization"] = "Bearer blue-secret"
        red = await House(keyed_server.url, red_http).room()
        blue = Room(House(keyed_server.url, blue_http), red.code)
        assert (await blue.tool_no("add_task", title="t", description="")).name == "bad_room_id"
        assert (await blue.native_no("GET", "/lines")).status in (400, 404)
        joined = await blue.tool("room_join", name="Bea")
        await blue.tool("room_send", name="Bea", seatKey=joined["seatKey"], text="hello")
        assert (await blue.tool_no("room_send", name="Nova", text="I am the host")).name == "seat_key_needed"
        assert (await blue.tool_no("room_end", name="Bea", seatKey=joined["seatKey"])).name == "not_host"
        assert [one["payload"]["text"] for one in await red.events()] == ["hello"]
        assert (await red.entries())[-1]["via"] == "guest"
        assert (await blue.house.tool("list_rooms"))["rooms"] == []
