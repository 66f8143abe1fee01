"""A room by its id and by its code, in every face and in any spelling."""

from collections.abc import Callable

import pytest

from tests.wire.across.house import House, Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": lambda code: code,
    "in small letters": str.lower,
    "without dashes": lambda code: code.replace("-", ""),
    "with spaces": lambda code: f" {code.replace('-', ' ')} ",
    "as its page's address": lambda code: f"https://rooms.example/r/{code}",
    "as its invitation": lambda code: f"http://127.0.0.1:7373/j/{code.lower()}?x=1",
}
MAKING = {
    "room_create": lambda house: house.tool("room_create", topic="t", name="Nova"),
    "create": lambda house: house.action("create", topic="t", createdBy="Nova"),
    "POST /rooms with a host": lambda house: house.native("POST", "/rooms", {"host": "Nova", "topic": "t"}),
    "POST /rooms": lambda house: house.native("POST", "/rooms", {"id": "by-name"}),
    "first touch by a tool": lambda house: house.tool("add_task", roomId="by-tool", title="t", description=""),
    "first touch by a command": lambda house: house.native(
        "POST", "/rooms/by-command/commands/open-task", {"by": "Nova", "wish": {"title": "t"}}
    ),
    "a template": lambda house: house.tool("create_room_from_template", templateId="bug-fix", roomId="by-template"),
}
"""Every way in which there comes to be a room."""


@pytest.mark.parametrize("way", MAKING)
async def test_every_room_has_a_code_that_leads_into_it(house: House, way: str):
    """However it was made: over the tools, by actions, natively, as a page and as a stream."""
    before = set((await house.tool("list_rooms"))["rooms"])
    await MAKING[way](house)
    (id,) = set((await house.tool("list_rooms"))["rooms"]) - before
    code = (await house.tool("get_room_info", roomId=id))["code"]
    room = Room(house, code)
    assert (await room.tool("room_join", name="Iris"))["code"] == code
    await room.join("Ann", "web")
    await room.say("Ann", "found it")
    assert (await room.action("get"))["room"]["code"] == code
    by_id = Room(house, id)
    assert (await by_id.events())[-1]["payload"]["text"] == "found it"
    assert await by_id.entries() == await room.entries()
    assert "found it" in await room.html()
    assert (await house.get(f"/j/{code}")).status_code == 200
    assert (await house.stream(code, 1))[0]["position"] > 0
    assert (await room.native("GET", ""))["id"] == id


NOTE = {"type": "note", "summary": "s", "payload": {"text": "one"}}
CALLS: list[tuple[str, dict]] = [
    ("read_plan", {}),
    ("add_task", {"title": "one", "description": ""}),
    ("add_task", {"title": "two", "description": ""}),
    ("update_task", {"taskId": "T-01", "status": "in_progress", "owner": "Dee"}),
    ("get_task", {"taskId": "T-01"}),
    ("get_unblocked_tasks", {}),
    ("get_my_tasks", {"agentId": "Dee"}),
    ("get_my_summary", {"agentId": "Dee"}),
    ("set_task_priority", {"taskId": "T-02", "priority": 1}),
    ("add_dependency", {"taskId": "T-02", "dependsOn": "T-01"}),
    ("delete_task", {"taskId": "T-02"}),
    ("write_context", {**NOTE, "author": "Dee", "consuming_agents": []}),
    ("update_context", {"id": "C-01", "author": "Dee", "summary": "new"}),
    ("read_context", {"id": "C-01"}),
    ("list_context", {}),
    ("get_context_history", {"id": "C-01"}),
    ("diff_context", {"id": "C-01"}),
    ("request_review", {"targetType": "task", "targetId": "T-01", "requestedBy": "Dee", "reviewer": "Eli"}),
    ("approve", {"agentId": "Eli", "reviewId": "R-01"}),
    ("request_review", {"targetType": "task", "targetId": "T-01", "requestedBy": "Dee", "reviewer": "Eli"}),
    ("reject", {"agentId": "Eli", "reviewId": "R-02"}),
    ("list_reviews", {}),
    ("delete_context", {"id": "C-01"}),
    ("get_room_info", {}),
    ("search", {"q": "one"}),
    ("post_event", {"type": "ping", "from": "Dee", "to": "all", "payload": {}}),
    ("wait_for_events", {"agentId": "Eli", "timeoutMs": 1}),
    ("read_events", {}),
    ("get_unread_events", {"agentId": "Eli"}),
    ("reply_to_event", {"replyToId": "E-4", "type": "pong", "from": "Eli", "to": "Dee", "payload": {}}),
    ("mark_event_read", {"agentId": "Eli", "eventId": "E-4"}),
    ("get_event_reads", {"eventId": "E-4"}),
    ("delete_event", {"eventId": "E-4"}),
    ("get_room_analytics", {}),
    ("create_room_from_template", {"templateId": "bug-fix", "append": True}),
    ("heartbeat", {"agentId": "Dee"}),
    ("get_presence", {}),
    ("acquire_lock", {"agentId": "Dee", "resource": "file"}),
    ("list_locks", {}),
    ("release_lock", {"agentId": "Dee", "resource": "file"}),
    ("set_shared_var", {"agentId": "Dee", "key": "k", "value": "v"}),
    ("get_shared_var", {"key": "k"}),
    ("list_shared_vars", {}),
    ("leave_room", {"agentId": "Dee"}),
]
"""Every tool of the Room Protocol that takes a room."""
ROOMLESS = {"list_templates", "list_rooms"}


async def test_the_calls_above_are_all_there_are(house: House):
    """A tool that is added is tried, too."""
    listed = {tool["name"] for tool in await house.tools.tools("state")}
    assert {tool for tool, _ in CALLS} | ROOMLESS == listed


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_a_code_is_a_room_id_for_every_tool(house: House, spelling: str):
    """A room to talk in is used through the whole Room Protocol, and no other room comes to be on the way."""
    room = await house.room()
    rooms = (await house.tool("list_rooms"))["rooms"]
    room_id = SPELLINGS[spelling](room.code)
    for tool, arguments in CALLS:
        answer = await house.tools.ask(tool, roomId=room_id, **arguments)
        assert not answer.failed, (tool, answer.value)
    assert (await house.tool("list_rooms"))["rooms"] == rooms
    entries = [one["event"] for one in await room.entries()]
    assert {"TaskRemoved", "ContextWithdrawn", "ReviewRejected", "MessageWithdrawn", "MemberLeft"} <= set(entries)


TALK: list[tuple[str, dict]] = [
    ("room_join", {"name": "Iris"}),
    ("room_send", {"name": "Iris", "text": "hi"}),
    ("room_listen", {"name": "Iris", "since": 0, "timeoutMs": 0}),
    ("room_minutes", {}),
    ("room_task", {"name": "Iris", "action": "create", "title": "t"}),
    ("room_watch", {"name": "Iris"}),
    ("room_leave", {"name": "Iris"}),
]


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_a_room_by_name_is_talked_in_by_its_code_however_it_is_spelled(house: House, spelling: str):
    """Tools, actions and the native API take any spelling; so does its page, by sending one on."""
    id = f"shop-{list(SPELLINGS).index(spelling)}"
    await house.tool("read_plan", roomId=id)
    spelled = SPELLINGS[spelling]((await house.tool("get_room_info", roomId=id))["code"])
    for tool, arguments in TALK:
        answer = await house.tools.ask(tool, code=spelled, **arguments)
        assert not answer.failed, (tool, answer.value)
    assert (await house.action("get", code=spelled))["room"]["messageCount"] == 3
    assert [one["type"] for one in await Room(house, id).events()] == ["message", "task_added", "agent_left"]
    if "/" not in spelled:
        assert (await house.native("GET", f"/rooms/{spelled}"))["id"] == id
        page = await house.http.get(f"{house.url}/r/{spelled.strip()}", follow_redirects=True)
        assert page.status_code == 200


async def test_a_room_is_also_talked_in_by_its_id(house: House):
    """Where a code is asked for, a room of one's own may be named."""
    await house.tool("read_plan", roomId="by-its-id")
    room = Room(house, "by-its-id")
    await room.tool("room_join", name="Iris")
    await room.join("Ann", "web")
    await room.say("Ann", "hi")
    assert (await room.tool("room_listen", name="Iris", since=0, timeoutMs=0))["messages"][0]["text"] == "hi"


async def test_a_code_that_nobody_has_is_no_room_anywhere(house: House):
    """Each face says so in its own words, and none makes one."""
    nobody = Room(house, "ABC-DEF-GHJ")
    rooms = (await house.tool("list_rooms"))["rooms"]
    assert (await nobody.tool_no("room_join", name="Iris")).name == "room_not_found"
    assert (await nobody.tool_no("room_listen", since=0)).name == "room_not_found"
    assert (await nobody.action_no("get")).name == "RoomNotFoundError"
    assert (await nobody.tool_no("add_task", title="t", description="")).name == "bad_room_id"
    assert (await nobody.wish_no("open-task", title="t")).name == "bad_room_id"
    assert (await house.get("/r/ABC-DEF-GHJ")).status_code == 404
    assert (await house.get("/rooms/ABC-DEF-GHJ/stream")).status_code == 400
    assert (await house.tool("list_rooms"))["rooms"] == rooms
