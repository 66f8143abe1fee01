"""One thing, whichever way it is come by: a repeated request, a kept decision, a file, a member, a report."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.wire.across.house import Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

Do = Callable[[Room], Awaitable[Any]]


def wished(command: str, **wish: Any) -> Do:
    """A command of Ben's under the request id `r`."""
    body = {"by": "Ben", "request_id": "r", "wish": wish}
    return lambda room: room.native("POST", f"/commands/{command}", body)


REPEATED: dict[str, list[Do]] = {
    "a message": [
        lambda room: room.tool("room_send", name="Ben", text="hi", requestId="r"),
        lambda room: room.say("Ben", "hi", requestId="r"),
        wished("say", text="hi"),
    ],
    "a task": [
        lambda room: room.tool("add_task", title="t", description="", agentId="Ben", requestId="r"),
        lambda room: room.tool("room_task", name="Ben", action="create", title="t", requestId="r"),
        wished("open-task", title="t"),
    ],
    "an event": [
        lambda room: room.tool("post_event", type="t", from_="Ben", to="all", payload={"n": 1}, requestId="r"),
        wished("post-message", type="t", to="all", payload={"n": 1}),
    ],
}


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("what", REPEATED)
async def test_a_request_repeated_through_another_face_happens_once(room: Room, what: str, first: int):
    """Whoever lost an answer may ask again in whichever way; another wish under the same id is refused."""
    ways = REPEATED[what]
    ways = ways[first % len(ways) :] + ways[: first % len(ways)]
    await ways[0](room)
    entries = await room.entries()
    for way in ways[1:]:
        await way(room)
    assert await room.entries() == entries
    other = {"name": "Ben", "text": "something else"}
    assert (await room.action_no("send", message=other, requestId="r")).status == 409
    assert await room.entries() == entries


async def test_a_decision_is_kept_once_by_whichever_face(room: Room):
    """The entry there is, is what everybody gets who keeps it again."""
    await room.say("Ann", "[DECISION] ship it")
    id = (await room.tool("room_minutes"))["decisions"][0]["id"]
    by_action = (await room.action("decisionToContext", artifactId=id, name="Ann"))["context"]
    entries = await room.entries()
    by_tool = await room.tool("room_minutes", name="Ben", keepDecision=id)
    by_api = await room.native("POST", f"/decisions/{id}/context", {"by": "Nova"})
    assert by_action["id"] == by_api["id"] == "C-01"
    assert "C-01" in str(by_tool)
    assert await room.tool("read_context", id="C-01") == by_action
    assert await room.entries() == entries


EXPORTING: dict[str, Callable[[Room], Awaitable[str]]] = {
    "talk": lambda room: part(room.tool("room_minutes", name="Ben", export=True), "reportId"),
    "action": lambda room: part(room.action("createReport", name="Ben"), "report", "id"),
    "api": lambda room: part(room.native("POST", "/reports", {"by": "Ben"}), "id"),
}


async def part(answering: Awaitable[Any], *names: str) -> str:
    found = await answering
    for name in names:
        found = found[name]
    return str(found)


@pytest.mark.parametrize("face", EXPORTING)
async def test_a_report_exported_in_one_face_is_read_in_all(room: Room, face: str):
    """The same report, under one id, as it was frozen."""
    await room.say("Ann", "[DECISION] ship it")
    id = await EXPORTING[face](room)
    await room.say("Ann", "[DECISION] do not")
    frozen = (await room.house.native("GET", f"/reports/{id}"))["report"]
    assert (frozen["id"], frozen["decisions"]) == (id, ["Ann: ship it"])
    assert (await room.action("getReport"))["report"] == frozen
    page = await room.house.get(f"/reports/{id}?format=json")
    assert page.json()["decisions"] == ["Ann: ship it"]
    by_tool = await room.tool("room_minutes", report=id)
    assert [one["text"] for one in by_tool["decisions"]] == ["ship it"]


async def test_a_file_goes_the_same_way_with_its_message(room: Room):
    """Uploaded, sent by an action, listed by tools, events, lines and the page, read by a tool and by its address."""
    form = {"data": {"roomCode": room.code}, "files": {"file": ("notes.md", b"# Notes", "text/markdown")}}
    uploaded = (await room.house.http.post(f"{room.house.url}/api/upload", **form)).json()
    await room.action("send", message={"name": "Ann", "text": "look", "attachments": [uploaded]})
    line = (await room.lines())[-1]
    heard = await room.tool("room_listen", name="Ben", since=0, timeoutMs=0)
    event = (await room.events())[-1]
    entry = (await room.entries())[-1]
    for shown in (line, heard["messages"][-1], event["payload"], entry["facts"]):
        assert [(one["id"], one["name"]) for one in shown["attachments"]] == [(uploaded["id"], "notes.md")]
    assert (await room.tool("room_attachment_read", id=uploaded["id"]))["text"] == "# Notes"
    path = uploaded["url"][uploaded["url"].index("/blobs/") :]
    assert path in await room.html()
    assert (await room.house.get(path)).text == "# Notes"


async def test_a_name_is_one_name_however_it_is_spelled(room: Room):
    """Trimmed, folded and normalised: nobody becomes somebody else by writing it differently."""
    for act in (
        lambda: room.tool("room_send", name="  BEN ", text="one"),
        lambda: room.say("ben", "two"),
        lambda: room.wish("say", "Ｂｅｎ", text="three"),
        lambda: room.tool("post_event", type="t", from_="bEN", to="all", payload={}),
        lambda: room.tool("update_task", taskId="T-01", status="in_progress", owner="ben"),
        lambda: room.tool("set_shared_var", agentId="BEN", key="k", value="v"),
        lambda: room.tool("heartbeat", agentId=" ben"),
    ):
        if not (await room.tool("read_plan"))["tasks"]:
            await room.tool("add_task", title="t", description="")
        await act()
    assert {one["by"] for one in await room.entries() if one["event"] in ("MessageSaid", "MessagePosted")} == {"Ben"}
    assert {one["from"] for one in await room.events() if one["type"] != "task_added"} == {"Ben"}
    assert [one["owner"] for one in await room.tool("get_my_tasks", agentId="BEN")] == ["Ben"]
    names = [one["name"] for one in (await room.action("get"))["room"]["participants"]]
    assert names == ["Nova", "Ben", "Ann", "Dee"]


HERE: dict[str, Do] = {
    "heartbeat": lambda room: room.tool("heartbeat", agentId="Eve"),
    "room_join": lambda room: room.tool("room_join", name="Eve"),
    "join": lambda room: room.join("Eve"),
    "seats": lambda room: room.native("POST", "/seats", {"name": "Eve"}),
    "a command": lambda room: room.wish("join", "Eve"),
}
GOING: dict[str, Do] = {
    "leave_room": lambda room: room.tool("leave_room", agentId="Eve"),
    "room_leave": lambda room: room.tool("room_leave", name="Eve"),
    "removeParticipant": lambda room: room.action("removeParticipant", requesterName="Eve", targetName="Eve"),
    "DELETE": lambda room: room.native("DELETE", "/members/Eve"),
    "a command": lambda room: room.wish("leave", "Eve"),
}


@pytest.mark.parametrize("going", GOING)
@pytest.mark.parametrize("coming", HERE)
async def test_who_comes_in_one_face_is_here_in_all_and_who_goes_is_gone_from_all(room: Room, coming: str, going: str):
    """Presence is one, under the words of each face."""
    await HERE[coming](room)
    assert await seen(room) == ["online", "online", "online", "online"]
    await GOING[going](room)
    assert await seen(room) == ["", "", "", ""]


async def seen(room: Room) -> list[str]:
    """Of Eve: in the Room Protocol, natively, by an action, on the page."""
    state = {one["agentId"]: one["status"] for one in await room.tool("get_presence")}
    native = {one["name"]: one["presence"] for one in await room.native("GET", "/members")}
    action = {one["name"]: one["presence"] for one in (await room.action("get"))["room"]["participants"]}
    page = {one["name"]: one["presence"] for one in (await room.page())["room"]["participants"]}
    return [one.get("Eve", "") for one in (state, native, action, page)]
