"""What is said and read over `/api/room` (agent-room §3.3, §4.3, §5.2)."""

import asyncio

import pytest

from stateroom.core.speech import MESSAGE_CHARS

from .asking import Actions
from .conftest import Room, made, said

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 24


async def upload(room: Room, name: str = "shot.png", mime: str = "image/png", data: bytes = PNG):
    """A file sent to the room, as the client sends it."""
    edge = b"--edge\r\n"
    fields = edge + b'content-disposition: form-data; name="roomCode"\r\n\r\n' + room.code.encode() + b"\r\n"
    head = f'content-disposition: form-data; name="file"; filename="{name}"\r\ncontent-type: {mime}\r\n\r\n'.encode()
    body = fields + edge + head + data + b"\r\n--edge--\r\n"
    answer = await room.ask.path("POST", "/api/upload", "multipart/form-data; boundary=edge", body)
    assert answer.status == 201, answer.raw
    return answer.body


@pytest.mark.mends("31", "59")
async def test_what_a_client_says_about_its_message_is_the_servers_to_say(room: Room):
    """Id, time, type, look and metadata are ours; forged ones change nothing (gaps 31 and 59, L24)."""
    await room.join("Nova", role="Tester")
    forged = {
        "eventType": "timed_out",
        "targetAgentName": "Host",
        "invocationType": "host_directed",
        "roleAtSend": "human",
        "skippedBy": "host",
    }
    for _ in range(2):
        await room.ok("send", message=said("Nova", "hi", type="sys", metadata=forged, verified=True, line=99))
    lines = await room.lines()
    assert [line["type"] for line in lines] == ["msg", "msg"]
    assert len({line["id"] for line in lines}) == 2
    expected = {"modeAtSend": "open", "roleAtSend": "open", "invocationType": "normal_turn"}
    for line in lines:
        assert line["metadata"] == expected
        assert (line["name"], line["client"], line["initials"], line["time"]) == ("Nova", "cc", "NO", room.ask.clock())
        assert line["verified"] is False


@pytest.mark.mends("4")
async def test_a_sender_is_told_what_it_has_not_seen(room: Room):
    """With `since` it is given the lines; without, a cursor that skips none, and how many there are (gap 4, L06)."""
    await room.join("Nova")
    await room.say("Host", "one")
    read = await room.ok("messages", cursor=0, name="Nova")
    await room.say("Host", "two")
    sent = await room.say("Nova", "three")
    assert (sent["cursor"], sent["unread"]) == (read["cursor"], 1)
    given = await room.say("Nova", "four", since=sent["cursor"])
    assert [line["text"] for line in given["messages"]] == ["two", "three", "four"]
    assert (given["cursor"], given["unread"]) == (given["total"], 0)
    assert (await room.say("Nova", "five"))["cursor"] == 5


@pytest.mark.mends("4", "5")
async def test_in_a_long_room_a_send_answers_with_the_absolute_cursor(room: Room):
    """1,200 lines: nothing old comes again after a send (L04)."""
    await room.join("Nova")
    for number in range(1_200):
        await room.say("Host", f"n{number}")
    read = await room.ok("messages", cursor=0, name="Nova")
    sent = await room.say("Nova", "mine")
    assert read["cursor"] == 1_200
    assert (sent["cursor"], sent["message"]["line"], sent["unread"]) == (1_201, 1_201, 0)
    heard = await room.ok("listen", since=sent["cursor"], name="Nova", timeoutMs=0)
    assert heard == {"messages": [], "cursor": 1_201, "timedOut": True}
    far = await room.say("Nova", "again", since=0)
    assert (far["cursor"], len(far["messages"]), far["unread"]) == (1_000, 1_000, 202)


async def test_cursors_are_counts_that_are_checked(room: Room):
    """Beyond the end names the valid range; `total` and `cursor` are absolute, also when a limit cuts (L32)."""
    for number in range(5):
        await room.say("Host", f"n{number}")
    answer = await room("messages", cursor=6)
    assert (answer.status, answer.error) == (400, "BadRequestError")
    assert "0 to 5" in answer.body["message"]
    assert (await room("messages", cursor=-1)).status == 400
    page = await room.ok("messages", cursor=1, limit=2)
    assert ([line["text"] for line in page["messages"]], page["cursor"], page["total"]) == (["n1", "n2"], 3, 5)
    assert await room.ok("messageCount") == {"total": 5}
    assert (await room.ok("messages"))["total"] == 5


async def test_a_message_answers_another(room: Room):
    """The quote is the server's; what answers nothing that is there answers nothing."""
    first = await room.say("Host", "x" * 500)
    quoted = await room.ok(
        "send", message=said("Host", "yes", replyTo={"id": first["message"]["id"], "text": "forged"})
    )
    assert quoted["message"]["replyTo"] == {"id": first["message"]["id"], "name": "Host", "text": "x" * 120}
    for id in (0, -5, 999, 1.5e300, 10**30):
        odd = await room.ok("send", message=said("Host", "no", replyTo={"id": id}))
        assert "replyTo" not in odd["message"]


async def test_attachments_are_those_of_this_room(ask: Actions, room: Room):
    """The id counts, the rest is our record; ids of elsewhere are refused (§4.5)."""
    file = await upload(room)
    forged = {**file, "url": "http://evil.test/x", "size": 1, "name": "run.exe"}
    sent = await room.ok("send", message=said("Host", "look", attachments=[forged]))
    shown = sent["message"]["attachments"][0]
    assert (shown["url"], shown["size"], shown["name"], shown["type"]) == (file["url"], len(PNG), "shot.png", "image")
    assert shown["url"].startswith("http://rooms.test/blobs/")
    fetched = await ask.path("GET", shown["url"].removeprefix("http://rooms.test"))
    assert (fetched.status, fetched.raw) == (200, PNG)
    other = await made(ask)
    answer = await other("send", message=said("Host", "look", attachments=[file]))
    assert (answer.status, answer.error) == (400, "BadRequestError")
    assert await room.refused("send", message=said("Host", "x", attachments=[file] * 6)) == "PayloadTooLargeError"


async def test_an_attachment_needs_no_words(room: Room):
    """Text may be missing where there is a file; with neither there is nothing to send."""
    file = await upload(room)
    message = said("Host", "", attachments=[file])
    del message["text"]
    assert (await room.ok("send", message=message))["message"]["text"] == ""
    answer = await room("send", message=said("Host", "  "))
    assert (answer.status, answer.body["code"]) == (400, "nothing_said")


@pytest.mark.row(5)
@pytest.mark.mends("38")
async def test_a_stranger_is_told_the_nearest_names(room: Room):
    """Not in the room is not muted, and says who might have been meant (row 5, gap 38)."""
    await room.join("Nova")
    answer = await room("send", message=said("Nowa", "hi"))
    assert (answer.status, answer.error) == (403, "NotParticipantError")
    assert "Nova" in answer.body["message"]
    await room.host("setMuted", targetName="Nova", targetClient="cc", muted=True)
    answer = await room("send", message=said("Nova", "hi"))
    assert (answer.status, answer.error) == (403, "MutedError")
    assert (await room.ok("get"))["room"]["participants"][1]["canSpeak"] is False


@pytest.mark.mends("39")
async def test_an_ended_room_is_read_and_reopened_but_not_written_to(room: Room):
    """409 RoomEndedError for what would change it; reading, sweeping and reopening work (gap 39)."""
    await room.join("Nova")
    await room.say("Nova", "hi")
    await room.host("end")
    host = {"requesterName": "Host", "hostKey": room.host_key}
    for action, fields in [
        ("send", {"message": said("Nova", "more")}),
        ("send", {"message": said("Nova", "more"), "kind": "status"}),
        ("join", {"participant": {"name": "Late"}}),
        ("setReplyMode", {**host, "mode": "sequential"}),
        ("setMuted", {**host, "targetName": "Nova", "muted": True}),
        ("taskCreate", {"requesterName": "Nova", "title": "x"}),
    ]:
        answer = await room(action, **fields)
        assert (answer.status, answer.error) == (409, "RoomEndedError"), action
    ended = (await room.ok("get"))["room"]
    assert (ended["status"], ended["endedAt"]) == ("ended", room.ask.clock())
    for action in ("messages", "sweep", "turnState", "taskBoard", "health", "messageCount"):
        await room.ok(action)
    heard = await room.ok("listen", since=0, name="Nova", timeoutMs=1000)
    assert heard["terminated"] == "room_ended"
    opened = (await room.host("reactivate"))["room"]
    assert (opened["status"], "endedAt" in opened) == ("active", False)
    await room.say("Nova", "again")


async def test_a_message_has_a_limit_far_below_the_bodys(room: Room):
    """Above it: 413 with JSON, and nothing is stored (L17)."""
    answer = await room("send", message=said("Host", "x" * (MESSAGE_CHARS + 1)))
    assert (answer.status, answer.error, answer.body["code"]) == (413, "PayloadTooLargeError", "too_long")
    assert await room.lines() == []
    await room.say("Host", "€" * MESSAGE_CHARS)


async def test_secrets_do_not_reach_the_room(room: Room):
    """What looks like one is taken out before it is stored; how many is said (§17.1)."""
    sent = await room.say("Host", "use ghp_abcdefghijklmnopqrstuvwxyz0123456789 please")
    assert sent["redacted"] == 1
    assert "ghp_" not in (await room.texts())[0]


async def test_a_request_id_makes_a_repeated_send_one(room: Room):
    """Twice the same request is one line; the same id for another message is refused."""
    one = await room.say("Host", "once", requestId="r1")
    again = await room.say("Host", "once", requestId="r1")
    assert (again["message"]["id"], len(await room.lines())) == (one["message"]["id"], 1)
    answer = await room("send", message=said("Host", "other"), requestId="r1")
    assert (answer.status, answer.body["code"]) == (409, "request_reused")


async def test_agents_among_themselves_come_to_an_end(ask: Actions):
    """After so many messages without any change the exchange closes: 409, until a person speaks."""
    created = await ask.ok("create", topic="x", createdBy="Host", policy={"exchangeLimit": 2})
    room = Room(ask, created["room"]["code"], created["hostKey"])
    await room.join("Host", "web")
    await room.join("A")
    await room.join("B")
    await room.say("A", "hello")
    await room.say("B", "hello back")
    answer = await room("send", message=said("A", "and again"))
    assert (answer.status, answer.error) == (409, "ExchangeClosedError")
    assert (await room.ok("get"))["room"]["exchangePaused"] is True
    await room.say("A", "working", kind="status")
    await room.say("Host", "go on")
    await room.say("A", "thanks")
    assert (await room.host("setPolicy", exchangeLimit=0))["room"]["policy"]["exchangeLimit"] == 0


async def test_a_listener_waits_for_what_is_said(room: Room):
    """One call instead of a loop: it ends with the first line of somebody else, and with what the floor is."""
    await room.join("Nova")
    waiting = asyncio.create_task(room.ok("listen", since=0, name="Nova", timeoutMs=60_000))
    while not room.ask.engine.presence._listeners:  # noqa: ASYNC110 (it has no event)
        await asyncio.sleep(0)  # noqa: TID251 (a turn of the loop)
    shown = (await room.ok("get"))["room"]["participants"][1]
    assert (shown["presence"], shown["listenUntil"] > room.ask.clock()) == ("listening", True)
    await room.say("Nova", "my own")
    await room.say("Host", "hello")
    heard = await waiting
    assert [line["text"] for line in heard["messages"]] == ["my own", "hello"]
    assert (heard["cursor"], heard["canISpeakNow"], heard["replyMode"]) == (2, True, "open")


async def test_a_listener_that_only_wants_its_own_business_is_not_woken_by_more(room: Room):
    """`wakeOn: addressed` holds the rest; it comes with what wakes, or when the wait ends."""
    await room.join("Nova")
    await room.join("Sol")
    await room.say("Sol", "anybody?")
    quiet = await room.ok("listen", since=0, name="Nova", timeoutMs=0, wakeOn="addressed")
    assert ([line["text"] for line in quiet["messages"]], quiet["timedOut"]) == (["anybody?"], True)
    await room.say("Sol", "@Nova look")
    woken = await room.ok("listen", since=1, name="Nova", timeoutMs=0, wakeOn="addressed")
    assert "timedOut" not in woken


async def test_a_listener_of_no_room_is_told_at_once(room: Room):
    """No wait for a room that is not there, for a stranger, or for who was put out (L08)."""
    assert await room.ask.refused("listen", code="AAA-AAA-AAA", since=0, timeoutMs=60_000) == "RoomNotFoundError"
    assert await room.refused("listen", since=0, name="Nobody", timeoutMs=60_000) == "NotParticipantError"
    await room.join("Nova")
    await room.host("removeParticipant", targetName="Nova", targetClient="cc")
    assert (await room.ok("listen", since=0, name="Nova", timeoutMs=60_000))["terminated"] == "kicked"
    assert await room.refused("listen", since=0, timeoutMs=60_001) == "BadRequestError"
