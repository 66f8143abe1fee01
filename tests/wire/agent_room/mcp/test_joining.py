"""Rooms are made, joined, left and ended (agent-room §9.1, §9.3, §2)."""

import pytest

from stateroom.core.lobby import CODE_LETTERS
from tests.wire.agent_room.mcp.harness import Agent, gather

CREATED = {"code", "topic", "cursor", "joinUrl", "roleBrief", "autoWatchStarted", "clientKind", "hint"} | {
    "hostKey",
    "seatKey",
    "nextAction",
}
JOINED = {"code", "topic", "assignedName", "renamed", "canSpeak", "replyMode", "myRoleInTurn", "canISpeakNow"} | {
    *("participants", "cursor", "recentMessages", "roleBrief", "autoWatchStarted", "clientKind", "hint"),
    *("seatKey", "joinUrl", "nextAction"),
}
BAD_NAMES = ["", "   ", "x" * 10_000, "a\u200bb", "tab\there", "\u202eevil"]


async def test_a_room_is_made_with_its_host_in_it(agent: Agent, server) -> None:
    """All fields of §9.3 and §9.4; the code is nine characters of the alphabet, links are the server's own (gap 24)."""
    made = await agent.room(role="builder")
    assert set(made) >= CREATED
    assert made["code"].count("-") == 2
    assert set(made["code"].replace("-", "")) <= set(CODE_LETTERS)
    assert made["joinUrl"].endswith(f"/j/{made['code']}")
    assert made["joinUrl"].startswith("http")
    assert len(made["hostKey"]) == len(made["seatKey"]) == 32
    assert made["roleBrief"].startswith("Turn ideas into steps")
    joined = await agent.call("room_join", code=made["code"], name="Iris")
    assert [one["name"] for one in joined["participants"]] == ["Nova", "Iris"]


async def test_whoever_joins_finds_the_room_as_it_is(agent: Agent) -> None:
    """Who is here, what was said last, where to listen from (§9.3)."""
    made = await agent.room()
    for number in range(25):
        await agent.call("room_send", code=made["code"], name="Nova", text=f"word {number}", kind="status")
    joined = await agent.call("room_join", code=made["code"], name="Iris", role="qa-reviewer")
    assert set(joined) >= JOINED
    assert [one["text"] for one in joined["recentMessages"]] == [f"word {number}" for number in range(5, 25)]
    assert (joined["cursor"], joined["olderCount"]) == (25, 5)
    assert joined["nextAction"] == {
        "tool": "room_listen",
        "arguments": {"code": made["code"], "since": 25, "name": "Iris"},
    }
    assert {"name", "role", "client", "canSpeak"} <= set(joined["participants"][0])


@pytest.mark.parametrize("spelling", ["{}", " {} ", "lower", "undashed", "https://example.org/j/{}?x=1#y", "/r/{}"])
async def test_a_code_is_read_in_any_spelling(agent: Agent, spelling: str) -> None:
    """Case, dashes, pasted links (§2.1)."""
    code = (await agent.room())["code"]
    spelled = {"lower": code.lower(), "undashed": code.replace("-", "")}.get(spelling, spelling.format(code))
    assert (await agent.call("room_join", code=spelled, name="Iris"))["code"] == code


@pytest.mark.parametrize("code", ["ZZZ-ZZZ-ZZZ", "nonsense", "x" * 10_000, "__", "../..", "🚪", " "])
@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("room_join", {}),
        ("room_send", {"text": "hi"}),
        ("room_listen", {"since": 0}),
        ("room_minutes", {}),
        ("room_task", {"action": "list"}),
        ("room_admin", {"action": "skip"}),
        ("room_watch", {}),
        ("room_attachment_read", {}),
        ("room_end", {}),
    ],
)
async def test_an_unknown_room_is_said_at_once(agent: Agent, code: str, tool: str, more: dict) -> None:
    """By every tool, room_listen too, and at no length (L08, L09, L39)."""
    answer = await agent.ask(tool, code=code, name="Nova", **more)
    assert answer.failed
    assert answer.value["error"] == "room_not_found"
    assert answer.bytes < 1_000


async def test_a_second_join_under_a_name_gets_a_number(agent: Agent) -> None:
    """Unless it shows the seat's key: then it is back (§2.6, §2.7; check 3)."""
    code = (await agent.room())["code"]
    first = await agent.call("room_join", code=code, name="Iris")
    second = await agent.call("room_join", code=code, name="iris")
    back = await agent.call("room_join", code=code, name="Iris", seatKey=first["seatKey"])
    assert (second["assignedName"], second["renamed"]) == ("Iris (2)", True)
    assert (back["assignedName"], back["renamed"], back["seatKey"]) == ("Iris", False, first["seatKey"])
    assert len(back["participants"]) == 3


@pytest.mark.parametrize("name", ["Nova", " nova ", "NOVA", "Ｎｏｖａ", "Nоva"])
async def test_the_hosts_name_is_its_own(agent: Agent, name: str) -> None:
    """Also in another case, in wide letters, with a Cyrillic o (L21; check 4); the host comes back with its key."""
    made = await agent.room()
    assert (await agent.no("room_join", code=made["code"], name=name))["error"] == "host_name_taken"
    forged = await agent.no("room_join", code=made["code"], name=name, hostKey="0" * 32, seatKey="f" * 32)
    assert forged["error"] == "host_name_taken"
    back = await agent.call("room_join", code=made["code"], name="nova", hostKey=made["hostKey"])
    assert back["assignedName"] == "Nova"


@pytest.mark.parametrize("name", BAD_NAMES)
async def test_a_name_that_can_not_be_used_is_refused(agent: Agent, name: str) -> None:
    """On making a room, on joining one, on speaking in one; and it is not repeated at length (L21, L39)."""
    code = (await agent.room())["code"]
    for tool, more in (("room_create", {"topic": "t"}), ("room_join", {"code": code})):
        answer = await agent.ask(tool, name=name, **more)
        assert answer.value["error"] == "bad_request"
        assert answer.bytes < 2_000
    spoken = await agent.ask("room_send", code=code, name=name, text="hi")
    assert spoken.value["error"] in ("bad_request", "not_participant")
    assert spoken.value["sent"] is False
    assert spoken.bytes < 2_000


@pytest.mark.parametrize("name", ["Іris", "Ｉｒｉｓ", "IRIS"])
async def test_who_looks_like_a_member_gets_a_number(agent: Agent, name: str) -> None:
    """Cyrillic, wide letters, capitals: nobody passes for Iris (L21)."""
    code = (await agent.room())["code"]
    await agent.call("room_join", code=code, name="Iris")
    joined = await agent.call("room_join", code=code, name=name)
    assert joined["renamed"] is True
    assert joined["assignedName"].endswith(" (2)")


async def test_a_template_sets_the_room_up(agent: Agent) -> None:
    """Its tasks are on the board, its opening in the transcript; an unknown one makes no room."""
    made = await agent.call("room_create", topic="", name="Nova", template="bug-fix")
    board = await agent.call("room_task", code=made["code"], action="list")
    assert len(board["board"]["tasks"]) == 3
    assert made["topic"].startswith("Bug:")
    assert (await agent.no("room_create", topic="t", name="Nova", template="nope"))["error"] == "unknown_template"


async def test_a_first_listen_may_come_with_the_join(agent: Agent) -> None:
    """`listenAfterJoin`: the same call waits for what is said (§9.3)."""
    code = (await agent.room())["code"]

    async def speak_when_joined() -> None:
        while len((await agent.call("room_join", code=code, name="Eve"))["participants"]) < 3:
            pass
        await agent.call("room_send", code=code, name="Nova", text="welcome")

    joined, _ = await gather(
        agent.call("room_join", code=code, name="Iris", listenAfterJoin=True, listenTimeoutMs=20_000),
        speak_when_joined(),
    )
    assert [one["text"] for one in joined["messages"]] == ["welcome"]
    assert joined["initialListenMs"] >= 0
    assert joined["nextAction"]["arguments"]["since"] == joined["cursor"] == 1
    quiet = await agent.call("room_create", topic="t", name="Nova", listenAfterJoin=True, listenTimeoutMs=1)
    assert quiet["messages"] == []


async def test_who_comes_back_is_given_what_was_said_meanwhile(agent: Agent) -> None:
    """Killed, three lines, restarted: three arrive, however many; a newcomer begins behind the last (trap 10)."""
    code = (await agent.room())["code"]
    seat = (await agent.call("room_join", code=code, name="Iris"))["seatKey"]
    await agent.call("room_send", code=code, name="Iris", text="first")
    for number in range(60):
        await agent.call("room_send", code=code, name="Nova", text=f"word {number}", kind="status")
    back = await agent.call("room_join", code=code, name="Iris", seatKey=seat)
    assert (back["cursor"], back["unread"]) == (1, 60)
    heard = await agent.call("room_listen", code=code, name="Iris", since=back["cursor"])
    assert heard["messages"][0]["text"] == "word 0"
    assert (await agent.call("room_join", code=code, name="Ada"))["cursor"] == 61


async def test_who_comes_back_to_a_room_that_was_empty_misses_nothing(agent: Agent) -> None:
    """It had heard no line yet; that is no reason to take it for a newcomer (trap 10)."""
    code = (await agent.room())["code"]
    seat = (await agent.call("room_join", code=code, name="Iris"))["seatKey"]
    for number in range(30):
        await agent.call("room_send", code=code, name="Nova", text=f"word {number}", kind="status")
    back = await agent.call("room_join", code=code, name="Iris", seatKey=seat)
    assert (back["cursor"], back["unread"]) == (0, 30)


async def test_leaving_never_fails(agent: Agent) -> None:
    """Twice, as nobody, from a room there is not (§9.3)."""
    code = (await agent.room())["code"]
    await agent.call("room_join", code=code, name="Iris")
    assert (await agent.call("room_leave", code=code, name="Iris")) | {"hint": ""} == {
        "left": True,
        "code": code,
        "wasHere": True,
        "hint": "",
    }
    for room, name in ((code, "Iris"), (code, "Stranger"), ("ZZZ-ZZZ-ZZZ", "Iris"), ("?", "")):
        gone = await agent.call("room_leave", code=room, name=name)
        assert (gone["left"], gone["wasHere"]) == (True, False)


async def test_only_the_host_ends_a_room(agent: Agent) -> None:
    """With its key, or not at all; then nothing new is said, and the room can still be read (L23, gaps 36, 39)."""
    made = await agent.room()
    code = made["code"]
    await agent.call("room_send", code=code, name="Nova", text="last words")
    for key in ("", "0" * 32, made["seatKey"]):
        assert (await agent.no("room_end", code=code, name="Nova", hostKey=key))["error"] == "not_host"
    assert await agent.call("room_end", code=code, name="Nova", hostKey=made["hostKey"]) == {
        "ended": True,
        "code": code,
    }
    said = await agent.no("room_send", code=code, name="Nova", text="hello?")
    assert (said["sent"], said["error"]) == (False, "room_ended")
    assert (await agent.no("room_join", code=code, name="Late"))["error"] == "room_ended"
    assert await agent.texts(code) == ["last words"]
    assert "last words" in (await agent.call("room_minutes", code=code))["transcript"]


async def test_a_host_that_joins_again_can_still_end_its_room(agent: Agent) -> None:
    """The key stays what it was (L07, gap 3)."""
    made = await agent.room()
    again = await agent.call("room_join", code=made["code"], name="Nova", hostKey=made["hostKey"])
    assert again["assignedName"] == "Nova"
    assert (await agent.call("room_end", code=made["code"], hostKey=made["hostKey"]))["ended"]


async def test_on_a_keyed_server_the_maker_is_the_host_by_its_credential(red: Agent, blue: Agent) -> None:
    """Without the key; a member of another team joins by the code and is no host (design §7 "Identity")."""
    code = (await red.room())["code"]
    joined = await blue.call("room_join", code=code, name="Iris")
    key = joined["seatKey"]
    assert (await blue.no("room_end", code=code, name="Iris", seatKey=key))["error"] == "not_host"
    stolen = await blue.no("room_send", code=code, name="Iris", text="hi")
    assert stolen["error"] == "seat_key_needed"
    assert (await blue.no("room_listen", code=code, name="Iris", since=0))["error"] == "seat_key_needed"
    said = await blue.call("room_send", code=code, name="Iris", text="hi", seatKey=key)
    assert said["sent"]
    assert (await red.call("room_end", code=code, name="Nova"))["ended"]


async def test_a_bound_endpoint_needs_neither_code_nor_name(agent: Agent) -> None:
    """`?room=…&agent=…` fixes both, whatever is said (design §7)."""
    code = (await agent.room())["code"]
    other = (await agent.room(name="Zoe"))["code"]
    bound = agent.at(f"room={code}&agent=Iris")
    assert (await bound.call("room_join"))["assignedName"] == "Iris"
    assert (await bound.call("room_send", text="hi", name="Nova"))["sent"]
    assert (await bound.call("room_task", action="create", title="t"))["task"]["createdBy"] == "Iris"
    heard = await bound.call("room_listen", since=0, timeoutMs=0)
    assert [one["name"] for one in heard["messages"] if one["type"] == "msg"] == ["Iris"]
    assert (await bound.no("room_listen", code=other, since=0))["error"] == "room_not_found"


async def test_a_room_goes_by_the_other_tool_sets_words_too(agent: Agent) -> None:
    """`roomId`, `room_id`, `agentId`; and a room of the Room Protocol is joined by its id."""
    await agent.ask("read_plan", roomId="demo")
    await agent.ask("add_task", roomId="demo", title="t", description="")
    joined = await agent.call("room_join", room_id="demo", agent_id="Iris")
    assert joined["assignedName"] == "Iris"
    assert (await agent.call("room_send", roomId="demo", agentId="Iris", text="hi"))["sent"]
    assert (await agent.ask("read_plan", code=joined["code"])).value["tasks"]
