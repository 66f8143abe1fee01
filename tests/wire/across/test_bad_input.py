"""What one face refuses has left nothing in any other: no entry, no room, no unread event, no file."""

import json
from typing import Any

import pytest

from tests.wire.across.house import House, Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOTE = {"type": "note", "summary": "s", "author": "Ben", "consuming_agents": []}
LONG_NAME, LONG_TEXT = "n" * 129, "t" * 40_000
DEEP: Any = {}
for _ in range(80):
    DEEP = {"d": DEEP}
BAD_NAMES = ["", "  ", LONG_NAME, "a\u200bb", "a\u202eb", "tab\there", "nul\x00"]

TOOLS: list[tuple[str, dict[str, Any]]] = [
    *[("room_send", {"name": name, "text": "hi"}) for name in BAD_NAMES],
    *[("room_join", {"name": name}) for name in BAD_NAMES],
    *[("heartbeat", {"agentId": name}) for name in BAD_NAMES],
    *[("post_event", {"type": "t", "from": name, "to": "all", "payload": {}}) for name in BAD_NAMES],
    ("room_join", {"name": "Nova"}),
    ("room_join", {"name": "nоva"}),  # a Cyrillic о
    ("room_join", {"name": "Iris", "role": LONG_TEXT}),
    ("room_send", {"name": "Ben", "text": ""}),
    ("room_send", {"name": "Ben", "text": "  \n "}),
    ("room_send", {"name": "Ben", "text": LONG_TEXT}),
    ("room_send", {"name": "Ben", "text": "a\x00b"}),
    ("room_send", {"name": "Ben", "text": 5}),
    ("room_send", {"name": "Ben", "text": "hi", "kind": "shout"}),
    ("room_send", {"name": "Ben", "text": "hi", "requestId": "r" * 129}),
    ("room_send", {"name": "Ben", "text": "hi", "attachments": [{"name": "a.exe", "mime": "x/y"}]}),
    ("room_send", {"name": "Bem", "text": "hi"}),
    ("room_listen", {"name": "Ben", "since": 99}),
    ("room_listen", {"name": "Ben", "since": -1}),
    ("room_listen", {"name": "Bem", "since": 0}),
    ("room_task", {"name": "Ben", "action": "create"}),
    ("room_task", {"name": "Ben", "action": "explode", "id": "T-01"}),
    ("room_task", {"name": "Bem", "action": "create", "title": "t"}),
    ("room_task", {"name": "Ben", "action": "create", "title": "t", "owner": "Ben", "verifier": "ben"}),
    ("room_task", {"name": "Ben", "action": "create", "title": "t", "id": "../../etc"}),
    ("room_task", {"name": "Ben", "action": "claim", "id": "T-99"}),
    ("room_task", {"name": "Ben", "action": "submit", "id": "T-01", "fileListing": "a"}),
    ("room_task", {"name": "Ben", "action": "verify", "id": "T-01", "verdict": "done"}),
    ("room_admin", {"name": "Nova", "action": "set_mode", "mode": "sequential"}),
    ("room_admin", {"name": "Nova", "action": "mute"}),
    ("room_admin", {"name": "Nova", "action": "set_policy", "hostKey": "wrong", "exchangeLimit": 1}),
    ("room_end", {"name": "Nova", "hostKey": "wrong"}),
    ("room_minutes", {"name": "Ben", "keepDecision": "1-1"}),
    ("room_minutes", {"name": "Ben", "report": "nothing"}),
    ("room_attachment_read", {"id": "nothing"}),
    ("update_task", {"taskId": "T-99", "status": "done", "owner": "Eve"}),
    ("update_task", {"taskId": "T-01", "status": "doing", "owner": "Eve"}),
    ("update_task", {"taskId": "T-01", "status": "done", "owner": "Eve", "expectedStatus": "blocked"}),
    ("add_task", {"title": "t" * 1001, "description": ""}),
    ("add_task", {"title": "t", "description": "", "depends_on": ["T-02"]}),
    ("add_dependency", {"taskId": "T-01", "dependsOn": "T-01", "agentId": "Eve"}),
    ("set_task_priority", {"taskId": "T-01", "priority": "high"}),
    ("write_context", {**NOTE, "payload": {}}),
    ("write_context", {**NOTE, "payload": {"text": "t" * 70_000}}),
    ("write_context", {**NOTE, "payload": DEEP}),
    ("write_context", {**NOTE, "payload": {"text": "t"}, "type": "poem"}),
    ("update_context", {"id": "C-99", "author": "Eve", "summary": "s"}),
    ("update_context", {"id": "C-01", "author": "Eve", "summary": "s", "expectedVersion": "9.9"}),
    ("delete_context", {"id": "C-99", "agentId": "Eve"}),
    ("post_event", {"type": "t", "from": "Ben", "to": "all", "payload": "text"}),
    ("post_event", {"type": "t", "from": "Ben", "to": "all", "payload": {"t": "x" * 70_000}}),
    ("mark_event_read", {"agentId": "Eve", "eventId": "E-999"}),
    ("delete_event", {"agentId": "Eve", "eventId": "nothing"}),
    ("get_unread_events", {"agentId": "Ben", "ack": 999}),
    ("acquire_lock", {"agentId": "Eve", "resource": "r", "ttlSeconds": 301}),
    ("set_shared_var", {"agentId": "Eve", "key": "k", "value": "v" * 4097}),
    ("set_shared_var", {"agentId": "Eve", "key": "k", "value": 5}),
    ("request_review", {"targetType": "task", "targetId": "T-99", "requestedBy": "Eve", "reviewer": "Ben"}),
    ("request_review", {"targetType": "task", "targetId": "T-01", "requestedBy": "Eve", "reviewer": "eve"}),
    ("approve", {"agentId": "Eve", "reviewId": "R-99"}),
]
ACTIONS: list[dict[str, Any]] = [
    *[{"action": "join", "participant": {"name": name}} for name in BAD_NAMES],
    *[{"action": "send", "message": {"name": name, "text": "hi"}} for name in BAD_NAMES],
    {"action": "join", "participant": {"name": "Nova", "client": "web"}},
    {"action": "join", "participant": {"name": "Iris", "client": "robot"}},
    {"action": "join", "participant": "Iris"},
    {"action": "send", "message": {"name": "Ben", "text": LONG_TEXT}},
    {"action": "send", "message": {"name": "Ben", "text": ["hi"]}},
    {"action": "send", "message": {"name": "Ben", "text": "hi", "attachments": [{"id": "nothing"}]}},
    {"action": "send", "message": {"name": "Bem", "text": "hi"}},
    {"action": "send"},
    {"action": "listen", "since": 99},
    {"action": "messages", "cursor": -1},
    {"action": "setReplyMode", "requesterName": "Nova", "mode": "sequential"},
    {"action": "setMuted", "requesterName": "Nova", "hostKey": "wrong", "targetName": "Ben", "muted": True},
    {"action": "end", "requesterName": "Nova"},
    {"action": "removeParticipant", "requesterName": "Ann", "targetName": "Ben"},
    {"action": "taskCreate", "requesterName": "Ben", "title": ""},
    {"action": "taskCreate", "requesterName": "Bem", "title": "t"},
    {"action": "taskClaim", "name": "Ben", "id": "T-99"},
    {"action": "taskSubmit", "name": "Ben", "id": "T-01", "evidence": {}},
    {"action": "taskVerify", "name": "Ben", "id": "T-01", "verdict": "maybe"},
    {"action": "taskReopen", "requesterName": "Ben", "id": "T-01"},
    {"action": "decisionToContext", "name": "Ben", "artifactId": "1-1"},
    {"action": "createReport", "name": "Bem"},
    {"action": "systemMessage", "requesterName": "Ann", "message": {"metadata": {"eventType": "mode_changed"}}},
    {"action": "explode"},
    {"action": 5},
]
NATIVE: list[tuple[str, str, Any]] = [
    *[("POST", "/seats", {"name": name}) for name in BAD_NAMES],
    *[("POST", "/commands/say", {"by": name, "wish": {"text": "hi"}}) for name in BAD_NAMES],
    ("POST", "/commands/say", {"by": "Ben", "wish": {"text": LONG_TEXT}}),
    ("POST", "/commands/say", {"by": "Ben", "wish": {"text": "hi", "kind": "shout"}}),
    ("POST", "/commands/say", {"by": "Ben", "wish": {"text": "hi", "by": "Nova"}}),
    ("POST", "/commands/open-task", {"by": "Eve", "wish": {"title": 5}}),
    ("POST", "/commands/move-task", {"by": "Eve", "wish": {"task": "T-99", "to": "done"}}),
    ("POST", "/commands/end-room", {"by": "Nova", "wish": {}, "host_key": "wrong"}),
    ("POST", "/commands/set-mode", {"by": "Nova", "wish": {"mode": "chaos"}}),
    ("POST", "/commands/write-context", {"by": "Eve", "wish": {"type": "note", "summary": "s", "payload": {}}}),
    ("POST", "/commands/take-seat", {"by": "Eve", "wish": {}}),
    ("POST", "/commands/keep-report", {"by": "Eve", "wish": {"id": "x", "digest": "y", "position": 1}}),
    ("POST", "/commands/apply-template", {"by": "Eve", "wish": {"template": "nope"}}),
    ("POST", "/reports", {"by": "Bem"}),
    ("POST", "/reports", {"who": "Ben"}),
    ("POST", "/decisions/1-1/context", {"by": "Ben"}),
    ("POST", "/inbox/Ben", {"ack": 999}),
    ("POST", "/inbox/Ben", {"limit": 0}),
    ("GET", "/lines?after=99", None),
    ("GET", "/lines?member=Bem", None),
    ("GET", "/entries?after=999", None),
    ("DELETE", "/nothing", None),
]


async def everything(house: House, room: Room) -> dict[str, Any]:
    """What the faces show of a room, and which rooms there are."""
    page = await room.page()
    for member in page["room"]["participants"]:
        del member["lastSeenAt"]
    return {
        "rooms": (await house.tool("list_rooms"))["rooms"],
        "entries": await room.entries(),
        "events": await room.events(),
        "lines": await room.lines(),
        "page": page,
        "plan": await room.tool("read_plan"),
        "context": await room.tool("list_context"),
        "unread": (await room.tool("get_unread_events", agentId="Dee", peek=True))["events"],
        "taken": (await room.tool("get_unread_events", agentId="Ben", peek=True))["position"],
        "report": (await room.action("getReport"))["report"],
    }


async def furnished(room: Room) -> None:
    """T-01 and C-01."""
    await room.tool("add_task", title="Docs", description="", agentId="Dee")
    await room.tool("write_context", **{**NOTE, "author": "Dee"}, payload={"text": "t"})


async def test_what_a_tool_refuses_leaves_no_trace(house: House, room: Room):
    """A call of a tool either works or changes nothing at all."""
    await furnished(room)
    before = await everything(house, room)
    for tool, arguments in TOOLS:
        no = await room.tool_no(tool, **arguments)
        assert no.message, (tool, arguments)
        assert await room.entries() == before["entries"], (tool, json.dumps(arguments)[:200])
    assert await everything(house, room) == before


async def test_what_an_action_refuses_leaves_no_trace(house: House, room: Room):
    """Nor does a body that is no action."""
    await furnished(room)
    before = await everything(house, room)
    for body in ACTIONS:
        answer = await house.http.post(f"{house.url}/api/room", json={"code": room.code, **body})
        assert 400 <= answer.status_code < 500, (body, answer.text)
        assert answer.json()["message"]
        assert await room.entries() == before["entries"], json.dumps(body)[:200]
    for raw in (b"", b"{", b"[]", b'{"action":"get"}', b"\xff", b'{"action":"send","code":' + b"[" * 10_000):
        answer = await house.http.post(f"{house.url}/api/room", content=raw)
        assert answer.status_code == 400, raw[:40]
    assert await everything(house, room) == before


async def test_what_the_native_api_refuses_leaves_no_trace(house: House, room: Room):
    """Whatever the endpoint."""
    await furnished(room)
    before = await everything(house, room)
    for method, path, body in NATIVE:
        no = await room.native_no(method, path, body)
        assert 400 <= no.status < 500, (method, path, body)
        assert no.message, (method, path, body)
        assert await room.entries() == before["entries"], (path, json.dumps(body)[:200])
    assert await everything(house, room) == before


UPLOADS = [
    ({"roomCode": "nothing"}, ("a.txt", b"x", "text/plain")),
    ({}, ("a.txt", b"x", "text/plain")),
    (None, ("a.txt", b"", "text/plain")),
    (None, ("a.exe", b"MZ", "application/x-msdownload")),
    (None, ("a.png", b"no picture", "image/png")),
]


async def test_what_an_upload_refuses_leaves_no_trace(house: House, room: Room):
    """No entry, and so no attachment that anybody could send."""
    await furnished(room)
    before = await everything(house, room)
    for form, file in UPLOADS:
        data = {"roomCode": room.code} if form is None else form
        answer = await house.http.post(f"{house.url}/api/upload", data=data, files={"file": file})
        assert 400 <= answer.status_code < 500, (form, file, answer.text)
    assert await everything(house, room) == before


MAKING_NONE: list[tuple[str, dict[str, Any]]] = [
    ("room_create", {"topic": "t", "name": ""}),
    ("room_create", {"topic": "t" * 501, "name": "Nova"}),
    ("room_create", {"topic": "t", "name": "Nova", "template": "nope"}),
    ("room_create", {"topic": "t"}),
    ("add_task", {"roomId": "Not A Room", "title": "t", "description": ""}),
    ("add_task", {"roomId": "two__underscores", "title": "t", "description": ""}),
    ("create_room_from_template", {"templateId": "nope", "roomId": "from-nothing"}),
    ("room_join", {"code": "AAA-BBB-CCC", "name": "Iris"}),
    ("room_join", {"code": "not a code", "name": "Iris"}),
]


async def test_a_refused_making_makes_no_room(house: House):
    """By a tool, by an action, natively; nor does looking for one that is not there."""
    before = (await house.tool("list_rooms"))["rooms"]
    for tool, arguments in MAKING_NONE:
        await house.tool_no(tool, **arguments)
    for body in (
        {"topic": "t", "createdBy": ""},
        {"topic": "t"},
        {"topic": "t", "createdBy": "Nova", "template": "nope"},
        {"topic": "t", "createdBy": "Nova", "policy": {"identity": "none"}},
        {"topic": "t", "createdBy": "Nova", "policy": {"exchangeLimit": -1}},
    ):
        assert (await house.action_no("create", **body)).status in (400, 404), body
    for path in ("/rooms/nowhere", "/rooms/nowhere/lines", "/rooms/nowhere/report", "/rooms/nowhere/entries"):
        assert (await house.native_no("GET", path)).status == 404, path
    assert (await house.native_no("POST", "/rooms/nowhere/seats", {"name": "Nova"})).status == 404
    assert (await house.get("/r/nowhere")).status_code == 404
    assert (await house.tool("list_rooms"))["rooms"] == before
