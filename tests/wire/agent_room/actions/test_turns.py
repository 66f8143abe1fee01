"""Turns over `/api/room` (agent-room §5; §23, rows 6 and 7)."""

import asyncio

import pytest

from .asking import Actions
from .conftest import Room, made, said
from .replayed_client import StdioClient


@pytest.fixture
async def three(room: Room) -> Room:
    """Host's room with the agents Lea, Sol and Tia, who take turns one after another."""
    for name in ("Lea", "Sol", "Tia"):
        await room.join(name)
    await room.host("setReplyMode", mode="sequential", config={"leadAgentName": "Lea", "leadAgentClient": "cc"})
    return room


@pytest.fixture
async def moderated(room: Room) -> Room:
    """Host's room with the agents Mo, Ava and Ben, moderated by Mo; Host has just asked something."""
    for name in ("Mo", "Ava", "Ben"):
        await room.join(name)
    await room.host("setReplyMode", mode="moderator", config={"moderatorAgentName": "Mo", "moderatorAgentClient": "cc"})
    await room.say("Host", "what now?")
    return room


async def turn(room: Room):
    return (await room.ok("turnState"))["turnState"]


async def events(room: Room) -> list[str]:
    """The names of the system lines so far."""
    return [line["metadata"].get("eventType", "") for line in await room.lines() if line["type"] == "sys"]


@pytest.mark.row(6)
async def test_agents_speak_one_after_another(three: Room):
    """A person's message starts the turn; out of turn is NotYourTurnError, 409 (row 6)."""
    assert await turn(three) is None
    assert (await three.say("Host", "ideas?"))["result"]["metadata"]["roleAtSend"] == "human"
    assert (await turn(three))["currentName"] == "Lea"
    answer = await three("send", message=said("Sol", "me first"))
    assert (answer.status, answer.error) == (409, "NotYourTurnError")
    lead = await three.say("Lea", "I would bisect")
    assert lead["result"]["metadata"]["roleAtSend"] == "lead"
    assert lead["result"]["metadata"]["turnId"] == (await turn(three))["turnId"]
    now = await turn(three)
    assert (now["currentName"], now["currentRole"], [one["name"] for one in now["queue"]]) == (
        "Sol",
        "supplement",
        ["Tia"],
    )


@pytest.mark.row(6)
async def test_who_has_nothing_to_add_passes(three: Room):
    """`__no_addition__` stores nothing and advances; the result says so (row 6)."""
    await three.say("Host", "ideas?")
    await three.say("Lea", "bisect")
    lines = len(await three.lines())
    passed = (await three.say("Sol", " __no_addition__ "))["result"]
    assert (passed["appended"], passed["reason"], passed["metadata"]["roleAtSend"]) == (
        False,
        "no_addition",
        "supplement",
    )
    assert (len(await three.lines()), (await turn(three))["currentName"]) == (lines, "Tia")


@pytest.mark.row(6)
@pytest.mark.mends("52", "52b")
async def test_a_status_note_extends_a_turn_and_never_uses_it_up(three: Room):
    """The speaker's renews its deadline and is tagged; a holder of an invitation keeps it (row 6, gaps 52 and 52b)."""
    await three.say("Host", "ideas?")
    before = await turn(three)
    three.ask.clock.advance(100)
    noted = (await three.say("Lea", "still looking", kind="status"))["result"]["metadata"]
    assert (noted["roleAtSend"], noted["invocationType"], noted["extendsTurn"]) == ("status", "status_update", True)
    after = await turn(three)
    assert after["currentName"] == "Lea"
    assert after["deadline"] > before["deadline"]
    await three.host("directInvoke", target={"name": "Tia", "client": "cc"}, source="host")
    await three.say("Tia", "reading up", kind="status")
    assert [one["name"] for one in (await turn(three))["hostDirected"]] == ["Tia"]
    answer = (await three.say("Tia", "it is the key"))["result"]["metadata"]
    assert (answer["roleAtSend"], answer["invocationType"]) == ("host_directed", "host_directed")
    assert "hostDirected" not in await turn(three)


@pytest.mark.mends("52")
async def test_a_status_note_passes_the_same_gate(three: Room):
    """Strangers, the muted, and whoever waits for its turn can not post by calling it a status (gap 52)."""
    await three.say("Host", "ideas?")
    assert await three.refused("send", message=said("Nobody", "x"), kind="status") == "NotParticipantError"
    assert await three.refused("send", message=said("Sol", "x"), kind="status") == "NotYourTurnError"
    await three.host("setMuted", targetName="Sol", targetClient="cc", muted=True)
    assert await three.refused("send", message=said("Sol", "x"), kind="status") == "MutedError"


@pytest.mark.mends("52c")
async def test_a_status_note_is_one_in_open_mode_too(room: Room):
    """It is tagged in every mode (gap 52c)."""
    await room.join("Nova")
    noted = (await room.say("Nova", "on it", kind="status"))["message"]["metadata"]
    assert (noted["modeAtSend"], noted["roleAtSend"], noted["invocationType"]) == ("open", "status", "status_update")


@pytest.mark.row(6)
@pytest.mark.mends("50", "51")
async def test_a_timeout_is_told_once_however_many_sweep(three: Room):
    """After the deadline the next sweep skips, by the declared name; ten at once say it once (row 6, gaps 50, 51)."""
    await three.say("Host", "ideas?")
    three.ask.clock.advance(151)
    await asyncio.gather(*(three.ok("sweep") for _ in range(10)))
    assert (await turn(three))["currentName"] == "Sol"
    assert await events(three) == ["mode_changed", "timed_out"]
    line = next(line for line in await three.lines() if line["metadata"].get("eventType") == "timed_out")
    assert (line["metadata"]["targetAgentName"], line["name"], line["client"]) == ("Lea", "system", "cc")


@pytest.mark.mends("50", "51")
async def test_a_client_that_announces_what_it_did_adds_no_second_line(ask: Actions):
    """Mode, invoke and skip are told once, by the server, though the client posts a notice of its own (gap 50)."""
    host, lea, sol = StdioClient(ask, "s3a"), StdioClient(ask, "s3a"), StdioClient(ask, "s3a")
    code = (await host.room_create("x", "Host"))["code"]
    await ask.ok("join", code=code, participant={"name": "Pia", "client": "web"})
    await lea.room_join(code, "Lea")
    await sol.room_join(code, "Sol")
    assert await host.set_mode(code, "Host", "sequential") == {"ok": True, "replyMode": "sequential"}
    assert await host.set_mode(code, "Host", "sequential") == {"ok": True, "replyMode": "sequential"}
    await ask.ok("send", code=code, message=said("Pia", "ideas?", "web"))
    assert await host.invoke(code, "Host", "Sol") == {"ok": True, "added": True}
    assert await host.invoke(code, "Host", "Sol") == {"ok": True, "added": False}
    skipped = await host.skip(code, "Host")
    assert skipped == {"ok": True, "skipped": {"name": "Lea", "client": "cc", "role": "lead"}}
    assert host.sent.count("systemMessage") == 5
    lines = (await ask.ok("messages", code=code, cursor=0))["messages"]
    told = [line["metadata"]["eventType"] for line in lines if line["type"] == "sys"]
    assert told == ["mode_changed", "host_invoked", "skipped_by_host"]


@pytest.mark.mends("51")
async def test_a_skip_by_grace_is_told_and_the_lead_is_named(three: Room):
    """After the grace the next in line steps in: `leadSkipped`, and a line with the declared name (gap 51)."""
    await three.say("Host", "ideas?")
    three.ask.clock.advance(21)
    stepped = (await three.say("Sol", "then I will"))["result"]
    skipped = stepped["leadSkipped"]
    assert (skipped["name"], skipped["status"], skipped["role"]) == ("Lea", "skipped_by_grace", "lead")
    assert "skipped_by_grace" in await events(three)


@pytest.mark.mends("33")
async def test_two_agents_can_not_both_win_a_slot(three: Room):
    """Lead and stand-in at the same moment: one has the floor, the record holds each once (gap 33)."""
    await three.say("Host", "ideas?")
    three.ask.clock.advance(21)
    answers = await asyncio.gather(
        three("send", message=said("Sol", "me")), three("send", message=said("Lea", "me")), return_exceptions=True
    )
    assert sorted(answer.status for answer in answers) == [200, 409]
    spoken = [(one["name"], one["status"]) for one in (await turn(three))["spoken"]]
    assert spoken == [("Lea", "skipped_by_grace"), ("Sol", "replied")]


@pytest.mark.mends("54")
async def test_a_room_may_choose_that_a_person_starts_the_turn_anew(three: Room):
    """By default a running turn goes on; with `restartOnHuman` it begins again (gap 54)."""
    await three.say("Host", "ideas?")
    await three.say("Lea", "bisect")
    await three.say("Host", "quickly")
    assert (await turn(three))["currentName"] == "Sol"
    await three.host("setReplyMode", mode="sequential", config={"leadAgentName": "Lea", "restartOnHuman": True})
    await three.say("Host", "ideas?")
    await three.say("Lea", "bisect")
    three.ask.clock.advance(1)
    await three.say("Host", "quickly")
    assert (await turn(three))["currentName"] == "Lea"


@pytest.mark.row(7)
async def test_a_mode_that_lacks_its_moderator_is_refused(room: Room):
    """InvalidModeConfigError and ModeNotSupportedError, both 400, and nothing has changed (row 7)."""
    host = {"requesterName": "Host", "hostKey": room.host_key}
    for mode, config, error in [
        ("moderator", None, "InvalidModeConfigError"),
        ("moderator", {"moderatorAgentName": " "}, "InvalidModeConfigError"),
        ("sequential", {"leadGraceMs": 10**9}, "InvalidModeConfigError"),
        ("sequential", {"timeoutMs": {"lead": "soon"}}, "InvalidModeConfigError"),
        ("debate", None, "ModeNotSupportedError"),
        ("deliver", None, "ModeNotSupportedError"),
    ]:
        answer = await room("setReplyMode", **host, mode=mode, config=config)
        assert (answer.status, answer.error) == (400, error), (mode, config)
    assert (await room.ok("get"))["room"]["replyMode"] == "open"


@pytest.mark.row(7)
@pytest.mark.mends("37")
async def test_the_moderator_gives_the_word_without_a_key(moderated: Room):
    """No host key for its invitation; the invited message is an `assignee`'s, the floor stays (row 7, gap 37)."""
    ava = {"name": "Ava", "client": "cc"}
    assert (await moderated.ok("directInvoke", requesterName="Mo", target=ava, source="moderator")) == {"added": True}
    assert (await moderated.ok("directInvoke", requesterName="Mo", target=ava, source="moderator")) == {"added": False}
    assert (
        await moderated.refused("directInvoke", requesterName="Ben", target=ava, source="moderator") == "NotHostError"
    )
    answer = (await moderated.say("Ava", "it is the key"))["result"]["metadata"]
    assert (answer["roleAtSend"], answer["invocationType"]) == ("assignee", "moderator_assigned")
    assert (await turn(moderated))["currentName"] == "Mo"
    again = (await moderated.say("Ava", "and more"))["result"]["metadata"]
    assert (again["roleAtSend"], again["degradedToStatus"]) == ("status", True)
    assert (await events(moderated)).count("moderator_dispatched") == 1


@pytest.mark.row(7)
@pytest.mark.mends("53")
async def test_when_the_moderator_goes_a_deputy_takes_over_once(moderated: Room):
    """The earliest-joined agent, told once; the moderator gets the floor back by speaking (row 7, gap 53)."""
    moderated.ask.clock.advance(601)
    await asyncio.gather(*(moderated.ok("sweep") for _ in range(5)))
    assert (await turn(moderated))["currentName"] == "Ava"
    assert (await events(moderated)).count("moderator_handoff") == 1
    await moderated.say("Mo", "I am back")
    assert (await turn(moderated))["currentName"] == "Mo"


@pytest.mark.row(7)
async def test_without_anybody_to_stand_in_the_room_opens(ask: Actions):
    """The moderator leaves, nobody else is there: open, told once (row 7)."""
    room = await made(ask)
    await room.join("Mo")
    await room.host("setReplyMode", mode="moderator", config={"moderatorAgentName": "Mo"})
    await room.say("Host", "what now?")
    await room.ok("removeParticipant", requesterName="Mo", targetName="Mo", targetClient="cc")
    assert (await room.ok("get"))["room"]["replyMode"] == "open"
    assert await events(room) == ["mode_changed", "member_left", "moderator_left"]
    assert (await room.ok("turnState")) == {"turnState": None}


async def test_who_passes_off_the_floor_leaves_no_trace(moderated: Room):
    """In moderator mode a pass by somebody else is stored nowhere, and says what it would have been."""
    result = (await moderated.say("Ben", "__no_addition__"))["result"]
    expected = {"modeAtSend": "moderator", "roleAtSend": "status", "invocationType": "status_update"}
    assert (result["appended"], result["reason"], result["metadata"]) == (False, "no_addition", expected)


@pytest.mark.mends("30")
async def test_nobody_writes_system_lines_but_the_server(room: Room):
    """Without the host key refused; with it, what clients announce is dropped, all else refused (gap 30, L11)."""
    await room.join("Nova")
    notice = {"type": "sys", "text": "You won.", "metadata": {"eventType": "mode_changed", "targetAgentName": "Nova"}}
    answer = await room("systemMessage", requesterName="Host", message=notice)
    assert (answer.status, answer.error) == (403, "NotHostError")
    assert await room.host("systemMessage", message=notice) == {}
    forged = {**notice, "metadata": {"eventType": "room_budget_paused"}}
    answer = await room("systemMessage", requesterName="Host", hostKey=room.host_key, message=forged)
    assert (answer.status, answer.error) == (400, "BadRequestError")
    assert await room.lines() == []
