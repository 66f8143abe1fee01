"""Who was muted speaks in no face; who was put out does nothing in any, until it joins again (gaps 52, 52b, 52c)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.wire.across.house import RUN, No, Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

Do = Callable[[Room], Awaitable[Any]]
Refused = Callable[[Room], Awaitable[No]]
NOTE = {"type": "note", "summary": "s", "payload": {"text": "t"}}

MUTING: dict[str, Do] = {
    "talk": lambda room: room.hosted("room_admin", action="mute", targetName="ben"),
    "action": lambda room: room.host_action("setMuted", targetName="BEN", muted=True),
    "command": lambda room: room.wish("mute-member", host=True, target="Ben"),
}
GIVING_BACK: dict[str, Do] = {
    "talk": lambda room: room.hosted("room_admin", action="unmute", targetName="Ben"),
    "action": lambda room: room.host_action("setMuted", targetName="Ben", muted=False),
    "command": lambda room: room.wish("mute-member", host=True, target="Ben", muted=False),
}
REMOVING: dict[str, Do] = {
    "talk": lambda room: room.hosted("room_admin", action="kick", targetName="Ben"),
    "action": lambda room: room.host_action("removeParticipant", targetName="Ben"),
    "command": lambda room: room.wish("remove-member", host=True, target="Ben"),
}
SPEAKING: dict[str, tuple[Refused, str]] = {
    "room_send": (lambda room: room.tool_no("room_send", name="Ben", text="hi"), "muted"),
    "room_send, a status": (lambda room: room.tool_no("room_send", name="BEN", text="hi", kind="status"), "muted"),
    "room_send, a pass": (lambda room: room.tool_no("room_send", name="Ben", text="__no_addition__"), "muted"),
    "send": (lambda room: room.action_no("send", message={"name": "Ben", "text": "hi"}), "MutedError"),
    "say": (lambda room: room.wish_no("say", "Ben", text="hi"), "muted"),
    "post_event": (
        lambda room: room.tool_no("post_event", type="t", from_="Ben", to="all", payload={}),
        "muted",
    ),
    "reply_to_event": (
        lambda room: room.tool_no("reply_to_event", replyToId="E-1", type="t", from_="ben", to="all", payload={}),
        "muted",
    ),
    "post-message": (lambda room: room.wish_no("post-message", "Ben", type="t", to="all", payload={}), "muted"),
}
"""Every way to say something, and what a muted member is told."""


@pytest.mark.parametrize("face", MUTING)
async def test_muted_in_one_face_one_has_no_voice_in_any(room: Room, face: str):
    """Neither as a message nor as a status note nor as an event; not after leaving and coming back either."""
    await MUTING[face](room)
    before = await room.entries()
    for what, (speak, error) in SPEAKING.items():
        assert (await speak(room)).name == error, what
    assert await room.entries() == before
    await room.tool("room_leave", name="Ben")
    assert (await room.tool("room_join", name="Ben"))["canSpeak"] is False
    for what, (speak, error) in SPEAKING.items():
        assert (await speak(room)).name == error, what


@pytest.mark.parametrize("face", GIVING_BACK)
async def test_a_voice_given_back_in_one_face_is_heard_in_all(room: Room, face: str):
    """Tools, actions, commands and events."""
    await MUTING["talk"](room)
    await GIVING_BACK[face](room)
    await room.tool("room_send", name="Ben", text="one")
    await room.say("Ben", "two")
    await room.wish("say", "Ben", text="three")
    await room.tool("post_event", type="t", from_="Ben", to="all", payload={})
    assert [one["text"] for one in await room.lines() if one["type"] == "msg"] == ["one", "two", "three"]


async def test_a_muted_member_listens_and_works_all_the_same(room: Room):
    """Only its voice is taken; every face shows that it is."""
    await MUTING["talk"](room)
    await room.say("Ann", "go on")
    assert (await room.tool("room_listen", name="Ben", since=0, timeoutMs=0))["messages"][-1]["text"] == "go on"
    await room.tool("add_task", title="Docs", description="", agentId="Ben")
    await room.tool("room_task", name="Ben", action="claim", id="T-01")
    await room.tool("write_context", **NOTE, author="Ben", consuming_agents=[])
    shown = {one["name"]: one["canSpeak"] for one in (await room.action("get"))["room"]["participants"]}
    assert (shown["Ben"], shown["Nova"]) == (False, True)
    assert (await room.page())["room"]["participants"] == (await room.action("get"))["room"]["participants"]
    floor = await room.native("GET", "/floor", member="Ben")
    assert floor["standing"]["canISpeakNow"] is False


async def last_event(room: Room) -> str:
    return str((await room.tool("read_events", limit=1))[0]["id"])


async def mark_read(room: Room) -> No:
    return await room.tool_no("mark_event_read", agentId="Ben", eventId=await last_event(room))


async def delete(room: Room) -> No:
    return await room.tool_no("delete_event", agentId="Ben", eventId=await last_event(room))


GONE, GONE_ERROR = "not_participant", "NotParticipantError"
ACTING: dict[str, tuple[Refused, str]] = {
    **{what: (speak, GONE_ERROR if error == "MutedError" else GONE) for what, (speak, error) in SPEAKING.items()},
    "room_task": (lambda room: room.tool_no("room_task", name="Ben", action="create", title="t"), GONE),
    "room_task submit": (lambda room: room.tool_no("room_task", name="Ben", action="submit", id="T-01", **RUN), GONE),
    "keepDecision": (lambda room: room.tool_no("room_minutes", name="Ben", keepDecision="1-1"), GONE),
    "createReport": (lambda room: room.action_no("createReport", name="Ben"), GONE_ERROR),
    "reports": (lambda room: room.native_no("POST", "/reports", {"by": "Ben"}), GONE),
    "taskClaim": (lambda room: room.action_no("taskClaim", name="Ben", id="T-01"), GONE_ERROR),
    "taskCreate": (lambda room: room.action_no("taskCreate", requesterName="Ben", title="t"), GONE_ERROR),
    "updatePresence": (lambda room: room.action_no("updatePresence", name="Ben"), GONE_ERROR),
    "presence": (lambda room: room.action_no("presence", name="Ben", until=1), GONE_ERROR),
    "heartbeat": (lambda room: room.tool_no("heartbeat", agentId="Ben"), GONE),
    "get_unread_events": (lambda room: room.tool_no("get_unread_events", agentId="ben"), GONE),
    "get_my_summary": (lambda room: room.tool_no("get_my_summary", agentId="Ben"), GONE),
    "add_task": (lambda room: room.tool_no("add_task", title="t", description="", agentId="Ben"), GONE),
    "update_task": (lambda room: room.tool_no("update_task", taskId="T-01", status="done", owner="Ben"), GONE),
    "write_context": (lambda room: room.tool_no("write_context", **NOTE, author="Ben", consuming_agents=[]), GONE),
    "update_context": (lambda room: room.tool_no("update_context", id="C-01", author="Ben", summary="n"), GONE),
    "acquire_lock": (lambda room: room.tool_no("acquire_lock", agentId="Ben", resource="other"), GONE),
    "set_shared_var": (lambda room: room.tool_no("set_shared_var", agentId="Ben", key="k", value="n"), GONE),
    "request_review": (
        lambda room: room.tool_no(
            "request_review", targetType="task", targetId="T-01", requestedBy="Ben", reviewer="Dee"
        ),
        GONE,
    ),
    "mark_event_read": (mark_read, GONE),
    "delete_event": (delete, GONE),
    "open-task": (lambda room: room.wish_no("open-task", "Ben", title="t"), GONE),
    "join": (lambda room: room.wish_no("join", "Ben"), GONE),
    "take-lease": (lambda room: room.wish_no("take-lease", "Ben", resource="other", seconds=9), GONE),
    "members/heartbeat": (lambda room: room.native_no("POST", "/members/Ben/heartbeat"), GONE),
    "inbox": (lambda room: room.native_no("POST", "/inbox/Ben", {}), GONE),
}
"""Everything that somebody does under its own name."""


@pytest.mark.parametrize("face", REMOVING)
async def test_put_out_in_one_face_one_does_nothing_in_any(room: Room, face: str):
    """Each refuses and leaves no trace; the member is on no list."""
    await room.tool("room_task", name="Nova", action="create", title="Docs")
    await room.tool("write_context", **NOTE, author="Dee", consuming_agents=["Nova"])
    await REMOVING[face](room)
    before = await room.entries()
    for what, (act, error) in ACTING.items():
        assert (await act(room)).name == error, what
    assert await room.entries() == before
    assert "Ben" not in [one["agentId"] for one in await room.tool("get_presence")]
    assert "Ben" not in [one["name"] for one in await room.native("GET", "/members")]
    assert "Ben" not in [one["name"] for one in (await room.page())["room"]["participants"]]


async def test_who_was_put_out_exports_nothing_under_its_name_by_a_tool(room: Room):
    """As by an action and natively."""
    await REMOVING["talk"](room)
    assert (await room.tool_no("room_minutes", name="Ben", export=True)).name == GONE


COMING_BACK: dict[str, Do] = {
    "talk": lambda room: room.tool("room_join", name="Ben"),
    "action": lambda room: room.join("Ben"),
    "api": lambda room: room.native("POST", "/seats", {"name": "Ben"}),
}


@pytest.mark.parametrize("face", COMING_BACK)
async def test_who_joins_again_in_one_face_is_back_in_all(room: Room, face: str):
    """Putting out is no ban: the host can mute or put out again."""
    await REMOVING["talk"](room)
    await COMING_BACK[face](room)
    await room.tool("room_send", name="Ben", text="one")
    await room.tool("heartbeat", agentId="Ben")
    await room.tool("update_task", taskId=await a_task(room), status="in_progress", owner="Ben")
    await room.say("Ben", "two")
    await room.wish("say", "Ben", text="three")
    assert [one["text"] for one in await room.lines() if one["type"] == "msg"] == ["one", "two", "three"]


async def a_task(room: Room) -> str:
    return str((await room.tool("add_task", title="t", description=""))["id"])


LISTENING: dict[str, Callable[[Room, int], Awaitable[Any]]] = {
    "room_listen": lambda room, since: room.tool("room_listen", name="Ben", since=since, timeoutMs=20_000),
    "listen": lambda room, since: room.action("listen", name="Ben", since=since, timeoutMs=20_000),
    "lines": lambda room, since: room.native("GET", "/lines", member="Ben", after=since, wait_ms=20_000),
}


@pytest.mark.parametrize("face", REMOVING)
@pytest.mark.parametrize("listen", LISTENING)
async def test_who_waits_is_told_at_once_that_it_was_put_out(room: Room, listen: str, face: str):
    """Whichever way it listens, and however the host did it."""
    since = len(await room.lines())
    waiting = asyncio.create_task(LISTENING[listen](room, since))
    while await presence(room, "Ben") != "listening":
        pass
    await REMOVING[face](room)
    heard = await waiting
    assert heard.get("terminated") == "kicked"
    assert await presence(room, "Ben") == ""


async def presence(room: Room, name: str) -> str:
    members = await room.native("GET", "/members")
    return next((one["presence"] for one in members if one["name"] == name), "")
