"""An ended room: nothing new in any face, everything to be read in all of them, and the way back (design §7, 8)."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio

from tests.wire.across.house import RUN, No, Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOTE = {"type": "note", "summary": "s", "payload": {"text": "t"}}
Refused = Callable[[Room], Awaitable[No]]


@pytest_asyncio.fixture(loop_scope="module")
async def over(room: Room) -> Room:
    """Nova's room with something of everything, which has ended."""
    await room.say("Ann", "[DECISION] ship it")
    await room.tool("room_task", name="Nova", action="create", title="Docs", verifier="Nova")
    await room.tool("room_task", name="Ben", action="claim", id="T-01")
    await room.tool("add_task", title="Site", description="", agentId="Dee")
    await room.tool("write_context", **NOTE, consuming_agents=["Ben"], author="Dee")
    await room.tool("request_review", targetType="task", targetId="T-01", requestedBy="Dee", reviewer="Ben")
    await room.tool("acquire_lock", agentId="Ben", resource="file", ttlSeconds=300)
    await room.tool("set_shared_var", agentId="Ben", key="k", value="v")
    await room.hosted("room_end")
    return room


def tool(name: str, /, **arguments: Any) -> Refused:
    return lambda room: room.tool_no(name, **arguments)


def action(name: str, /, **fields: Any) -> Refused:
    return lambda room: room.action_no(name, **fields)


def command(name: str, by: str = "Ben", /, **wish: Any) -> Refused:
    return lambda room: room.wish_no(name, by, **wish)


def hosting(name: str, /, **fields: Any) -> Refused:
    return lambda room: room.action_no(name, requesterName="Nova", hostKey=room.host_key, **fields)


async def keeping(room: Room) -> No:
    return await room.native_no("POST", f"/decisions/{await decision_of(room)}/context", {"by": "Ben"})


async def decision_of(room: Room) -> str:
    return str((await room.native("GET", "/report"))["report"]["artifacts"][0]["id"])


STATE: dict[str, Refused] = {
    "add_task": tool("add_task", title="t", description="", agentId="Dee"),
    "update_task": tool("update_task", taskId="T-02", status="done", agentId="Dee"),
    "set_task_priority": tool("set_task_priority", taskId="T-02", priority=1),
    "add_dependency": tool("add_dependency", taskId="T-02", dependsOn="T-01"),
    "delete_task": tool("delete_task", taskId="T-02"),
    "write_context": tool("write_context", **NOTE, consuming_agents=[], author="Dee"),
    "update_context": tool("update_context", id="C-01", author="Dee", summary="new"),
    "delete_context": tool("delete_context", id="C-01"),
    "post_event": tool("post_event", type="t", from_="Dee", to="all", payload={}),
    "reply_to_event": tool("reply_to_event", replyToId="E-1", type="t", from_="Dee", to="all", payload={}),
    "acquire_lock": tool("acquire_lock", agentId="Dee", resource="other"),
    "set_shared_var": tool("set_shared_var", agentId="Dee", key="k", value="new"),
    "request_review": tool("request_review", targetType="task", targetId="T-01", requestedBy="Dee", reviewer="Eli"),
    "approve": tool("approve", agentId="Ben", reviewId="R-01"),
    "reject": tool("reject", agentId="Ben", reviewId="R-01"),
    "create_room_from_template": lambda room: room.house.tool_no(
        "create_room_from_template", templateId="bug-fix", roomId=room.code, append=True
    ),
}
TALK: dict[str, Refused] = {
    "room_join": tool("room_join", name="Iris"),
    "room_send": tool("room_send", name="Ben", text="hi"),
    "room_send, a status": tool("room_send", name="Ben", text="hi", kind="status"),
    "room_send, by the host": lambda room: room.tool_no("room_send", name="Nova", hostKey=room.host_key, text="hi"),
    "room_task create": tool("room_task", name="Ben", action="create", title="t"),
    "room_task submit": tool("room_task", name="Ben", action="submit", id="T-01", **RUN),
    "room_task cancel": tool("room_task", name="Ben", action="cancel", id="T-02"),
    "room_admin set_mode": lambda room: room.tool_no(
        "room_admin", name="Nova", hostKey=room.host_key, action="set_mode", mode="sequential"
    ),
    "room_admin mute": lambda room: room.tool_no(
        "room_admin", name="Nova", hostKey=room.host_key, action="mute", targetName="Ben"
    ),
}
ACTIONS: dict[str, Refused] = {
    "join": action("join", participant={"name": "Iris", "client": "cc"}),
    "send": action("send", message={"name": "Ann", "text": "hi"}),
    "taskCreate": action("taskCreate", requesterName="Ben", title="t"),
    "taskClaim": action("taskClaim", name="Ben", id="T-02"),
    "taskSubmit": action("taskSubmit", name="Ben", id="T-01", evidence=RUN),
    "taskVerify": action("taskVerify", name="Nova", id="T-01", verdict="done"),
    "taskReassign": action("taskReassign", requesterName="Ben", id="T-02", owner="Ann"),
    "taskCancel": action("taskCancel", requesterName="Ben", id="T-02"),
    "taskReopen": action("taskReopen", requesterName="Ben", id="T-02"),
    "taskBlock": action("taskBlock", requesterName="Ben", id="T-02", reason="r"),
    "setReplyMode": hosting("setReplyMode", mode="sequential"),
    "directInvoke": hosting("directInvoke", target={"name": "Ben"}, source="host"),
    "skipCurrent": hosting("skipCurrent"),
    "setMuted": hosting("setMuted", targetName="Ben", muted=True),
}
COMMANDS: dict[str, Refused] = {
    "say": command("say", text="hi"),
    "join": command("join", "Eli"),
    "post-message": command("post-message", type="t", to="all", payload={}),
    "withdraw-message": command("withdraw-message", position=1),
    "open-task": command("open-task", title="t"),
    "move-task": command("move-task", task="T-02", to="done"),
    "write-context": command("write-context", **NOTE),
    "take-lease": command("take-lease", resource="file", seconds=60),
    "set-variable": command("set-variable", key="k", value="new"),
    "resolve-review": command("resolve-review", review="R-01", verdict="approved"),
    "apply-template": command("apply-template", template="bug-fix", append=True),
    "POST /seats": lambda room: room.native_no("POST", "/seats", {"name": "Iris"}),
    "POST /decisions": keeping,
}
WRITES = [
    pytest.param(write, status, error, id=f"{face}: {what}")
    for face, table, status, error in (
        ("state", STATE, 200, "room_ended"),
        ("talk", TALK, 200, "room_ended"),
        ("action", ACTIONS, 409, "RoomEndedError"),
        ("native", COMMANDS, 409, "room_ended"),
    )
    for what, write in table.items()
]


@pytest.mark.parametrize(("write", "status", "error"), WRITES)
async def test_nothing_new_is_said_or_done_in_an_ended_room(over: Room, write: Refused, status: int, error: str):
    """Each face refuses in its own words, says what next, and leaves no trace."""
    before = await over.entries()
    no = await write(over)
    assert (no.status, no.name) == (status, error)
    assert no.hint
    assert await over.entries() == before


async def test_an_upload_to_an_ended_room_is_refused(over: Room):
    """A file is something new, too."""
    files = {"file": ("a.txt", b"x", "text/plain")}
    answer = await over.house.http.post(f"{over.house.url}/api/upload", data={"roomCode": over.code}, files=files)
    assert answer.status_code == 409, answer.text


Read = Callable[[Room], Awaitable[Any]]
READS: dict[str, Read] = {
    "read_plan": lambda room: room.tool("read_plan"),
    "get_task": lambda room: room.tool("get_task", taskId="T-01"),
    "read_context": lambda room: room.tool("read_context", id="C-01"),
    "get_my_summary": lambda room: room.tool("get_my_summary", agentId="Dee"),
    "get_unread_events": lambda room: room.tool("get_unread_events", agentId="Dee"),
    "wait_for_events": lambda room: room.tool("wait_for_events", agentId="Dee", timeoutMs=1),
    "mark_event_read": lambda room: room.tool("mark_event_read", agentId="Dee", eventId="E-6"),
    "heartbeat": lambda room: room.tool("heartbeat", agentId="Dee"),
    "list_locks": lambda room: room.tool("list_locks"),
    "release_lock": lambda room: room.tool("release_lock", agentId="Ben", resource="file"),
    "search": lambda room: room.tool("search", q="ship"),
    "room_listen": lambda room: room.tool("room_listen", name="Ben", since=0, timeoutMs=20_000),
    "room_minutes": lambda room: room.tool("room_minutes"),
    "room_minutes, exported": lambda room: room.tool("room_minutes", name="Ben", export=True),
    "room_task list": lambda room: room.tool("room_task", name="Ben", action="list"),
    "room_leave": lambda room: room.tool("room_leave", name="Ben"),
    "get": lambda room: room.action("get"),
    "messages": lambda room: room.action("messages", cursor=0),
    "listen": lambda room: room.action("listen", name="Ann", since=0, timeoutMs=20_000),
    "taskBoard": lambda room: room.action("taskBoard"),
    "health": lambda room: room.action("health"),
    "createReport": lambda room: room.action("createReport"),
    "lines": lambda room: room.native("GET", "/lines"),
    "floor": lambda room: room.native("GET", "/floor"),
    "entries": lambda room: room.native("GET", "/entries"),
    "inbox": lambda room: room.native("POST", "/inbox/Dee", {}),
    "reports": lambda room: room.native("POST", "/reports", {}),
    "the page": lambda room: room.html(),
    "the stream": lambda room: room.house.stream(room.code, 1),
}


@pytest.mark.parametrize("read", READS)
async def test_an_ended_room_can_be_read_and_reported(over: Room, read: str):
    """By everything that only looks, takes what is unread, or tidies up after itself."""
    await READS[read](over)


STRANGERS: dict[str, Read] = {
    "get_unread_events": lambda room: room.tool("get_unread_events", agentId="Zoe"),
    "get_my_summary": lambda room: room.tool("get_my_summary", agentId="Zoe"),
    "wait_for_events": lambda room: room.tool("wait_for_events", agentId="Zoe", timeoutMs=1),
    "inbox": lambda room: room.native("POST", "/inbox/Zoe", {}),
}


@pytest.mark.parametrize("read", STRANGERS)
async def test_who_was_never_here_can_read_an_ended_room(over: Room, read: str):
    """Reading under a name of one's own makes nobody a member where nobody can become one."""
    before = await over.entries()
    unread = await STRANGERS[read](over)
    assert (unread.get("events") or unread["unreadEvents"])[0]["type"] == "message"
    assert await over.entries() == before


async def test_every_face_says_that_it_has_ended(over: Room):
    """And when it is open again, all of them say that."""
    assert await statuses(over) == ["ended", "ended", "ended", "room_ended", "room_ended"]
    await over.hosted("room_admin", action="reactivate")
    assert await statuses(over) == ["active", "active", "active", "room_reactivated", "room_reactivated"]


async def statuses(room: Room) -> list[str]:
    page = await room.page()
    return [
        (await room.native("GET", ""))["status"],
        (await room.action("get"))["room"]["status"],
        page["room"]["status"],
        (await room.events())[-1]["type"],
        page["messages"][-1]["metadata"]["eventType"],
    ]


REOPENING: dict[str, Read] = {
    "talk": lambda room: room.hosted("room_admin", action="reactivate"),
    "action": lambda room: room.host_action("reactivate"),
    "command": lambda room: room.wish("reactivate-room", host=True),
}


@pytest.mark.parametrize("face", REOPENING)
async def test_reopened_in_one_face_it_is_open_in_all(over: Room, face: str):
    """What was held is held again, and everybody goes on where they were."""
    await REOPENING[face](over)
    await over.tool("room_send", name="Ben", text="back")
    await over.say("Ann", "good")
    await over.tool("post_event", type="t", from_="Dee", to="all", payload={})
    await over.wish("say", "Nova", text="go on")
    assert (await over.tool("get_task", taskId="T-01"))["owner"] == "Ben"
    assert [one["text"] for one in await over.lines() if one["type"] == "msg"][-3:] == ["back", "good", "go on"]


async def test_only_the_host_ends_and_reopens(room: Room):
    """In no face does a name do, nor a wrong key; the owner of a seat is not the host."""
    for ending, reopening in (("end", "reactivate"), ("end-room", "reactivate-room")):
        for name in (ending, reopening):
            if "-" in name:
                assert (await room.wish_no(name, "Nova")).name == "not_host"
            else:
                wrong = {"requesterName": "Nova", "hostKey": "wrong", "seatKey": room.keys["Nova"]}
                assert (await room.action_no(name, **wrong)).name == "NotHostError"
    assert (await room.tool_no("room_end", name="Nova", seatKey=room.keys["Nova"])).name == "not_host"
    assert (await room.action("get"))["room"]["status"] == "active"
