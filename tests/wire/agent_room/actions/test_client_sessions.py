"""The unmodified client, generation by generation, against this server (agent-room §23, rows 1 to 5 and 8)."""

import pytest

from .asking import Actions
from .conftest import Room, made
from .replayed_client import ApiError, StdioClient

GENERATIONS = ["s2", "s3a", "s3b"]


class Pauses:
    """What happens between two polls: time passes, and once, at a given moment, something else."""

    def __init__(self, ask: Actions) -> None:
        self.ask, self.happens, self.after, self.polls = ask, None, 0, 0

    def when(self, happens, after: int = 1) -> None:
        self.happens, self.after, self.polls = happens, after, 0

    async def __call__(self, seconds: float) -> None:
        self.ask.clock.advance(seconds)
        self.polls += 1
        if self.happens is not None and self.polls == self.after:
            await self.happens()


@pytest.fixture(params=GENERATIONS)
def client(request, ask: Actions) -> StdioClient:
    return StdioClient(ask, request.param, pause=Pauses(ask))


def another(client: StdioClient) -> StdioClient:
    """A client of the same generation in another process, with a state file of its own."""
    return StdioClient(client.ask, client.generation, pause=Pauses(client.ask))


@pytest.mark.row(1)
async def test_two_clients_talk_in_a_room_until_it_ends(client):
    """Create, join from a second process, send both ways, listen, leave, end (row 1)."""
    ann, bob = client, another(client)
    room = await ann.room_create("Cache bug", "Ann", "Builder")
    joined = await bob.room_join(room["code"], "Bob")
    assert joined["renamed"] is False
    heard = await ann.room_listen(room["code"], room["cursor"], name="Ann")
    assert [m["text"] for m in heard["messages"]] == ["Hi all — Bob here. I'm in the room and listening."]
    ann.pause.when(lambda: bob.room_send(room["code"], "Bob", "found it"))
    heard = await ann.room_listen(room["code"], heard["cursor"], name="Ann")
    assert [(m["name"], m["text"]) for m in heard["messages"]] == [("Bob", "found it")]
    assert ann.pause.polls == 1, "within one poll"
    sent = await ann.room_send(room["code"], "Ann", "[DECISION] ship it")
    assert (sent["sent"], sent["appended"], sent["roleAtSend"]) == (True, True, "open")
    heard = await bob.room_listen(room["code"], bob.state[room["code"]].cursor, name="Bob")
    assert [m["text"] for m in heard["messages"]] == ["[DECISION] ship it"]
    assert await bob.room_leave(room["code"], "Bob") == {"left": True, "code": room["code"]}
    assert await ann.room_end(room["code"], "Ann") == {"ended": True, "code": room["code"]}


@pytest.mark.row(1)
async def test_a_listener_hears_that_the_room_has_ended(client):
    """S3 within one poll, S2 within ten: then it looks at the room, or the line itself has come (row 1)."""
    ann, bob = client, another(client)
    code = (await ann.room_create("Cache bug", "Ann"))["code"]
    joined = await bob.room_join(code, "Bob")
    bob.pause.when(lambda: ann.room_end(code, "Ann"))
    heard = await bob.room_listen(code, joined["cursor"], name="Bob")
    if client.generation == "s2":
        assert [m["metadata"]["eventType"] for m in heard["messages"]] == ["room_ended"]
        heard = await bob.room_listen(code, heard["cursor"], name="Bob")
    assert heard["terminated"] == "room_ended"
    assert bob.pause.polls <= 11


@pytest.mark.row(2)
async def test_a_listener_hears_that_it_was_put_out(client):
    """The host removes it, and its wait ends as `kicked` (row 2)."""
    ann, bob = client, another(client)
    code = (await ann.room_create("Cache bug", "Ann"))["code"]
    joined = await bob.room_join(code, "Bob")

    async def kick() -> None:
        key = ann.state[code].host_key
        await ann.post(
            "removeParticipant", code=code, requesterName="Ann", hostKey=key, targetName="Bob", targetClient="cc"
        )

    bob.pause.when(kick)
    heard = await bob.room_listen(code, joined["cursor"], name="Bob")
    while "terminated" not in heard:
        heard = await bob.room_listen(code, heard["cursor"], name="Bob")
    assert heard["terminated"] == "kicked"


@pytest.mark.row(3)
async def test_a_second_agent_of_the_same_name_gets_a_number(client):
    """From another state folder: `renamed`, ` (2)`; and it comes back to that seat, not to a third (row 3, gap 42)."""
    code = (await client.room_create("Cache bug", "Ann"))["code"]
    one, other = another(client), another(client)
    await one.room_join(code, "Bob")
    joined = await other.room_join(code, "Bob")
    assert (joined["assignedName"], joined["renamed"]) == ("Bob (2)", True)
    assert (await other.room_join(code, "Bob"))["assignedName"] == "Bob (2)"
    assert (await one.room_join(code, "Bob"))["assignedName"] == "Bob"
    names = [one["name"] for one in (await client.post("get", code=code))["room"]["participants"]]
    assert names == ["Ann", "Bob", "Bob (2)"]


@pytest.mark.row(4)
async def test_the_host_is_known_by_its_key(client):
    """Joining under its name without the key, and ending without the key, are refused by their own names (row 4)."""
    code = (await client.room_create("Cache bug", "Ann"))["code"]
    assert await another(client).room_join(code, "ann") == {"error": "host_name_taken"}
    assert await another(client).room_end(code, "Ann") == {"ok": False, "error": "not_host"}
    assert await client.room_end(code, "Ann") == {"ended": True, "code": code}


@pytest.mark.row(4)
@pytest.mark.mends("36")
async def test_a_wrong_host_key_is_never_a_taken_name(room: Room):
    """On end, reactivate, mode, skip and invoke it is NotHostError, which the client catches (row 4, gap 36)."""
    wrong = {"requesterName": "Host", "hostKey": "0" * 32}
    target = {"name": "Host", "client": "web"}
    for action, fields in [
        ("end", {}),
        ("reactivate", {}),
        ("setReplyMode", {"mode": "sequential"}),
        ("skipCurrent", {}),
        ("directInvoke", {"target": target, "source": "host"}),
        ("setMuted", {"targetName": "Host", "muted": True}),
        ("setPolicy", {"exchangeLimit": 3}),
    ]:
        answer = await room(action, **wrong, **fields)
        assert (answer.status, answer.error) == (403, "NotHostError"), action
    assert (await room("join", participant={"name": "Host"}, hostKey="0" * 32)).error == "HostNameTakenError"


@pytest.mark.row(5)
async def test_who_may_not_speak_is_told_why(client):
    """Muted is `muted`; a stranger is `not_participant` for those who know the word (row 5)."""
    code = (await client.room_create("Cache bug", "Ann"))["code"]
    bob = another(client)
    await bob.room_join(code, "Bob")
    await client.post(
        "setMuted",
        code=code,
        requesterName="Ann",
        hostKey=client.state[code].host_key,
        targetName="bob",
        targetClient="cc",
        muted=True,
    )
    assert await bob.room_send(code, "Bob", "let me") == {"sent": False, "error": "muted"}
    if client.generation == "s3b":
        assert (await bob.room_send(code, "Nobody", "x"))["error"] == "not_participant"
    else:
        with pytest.raises(ApiError) as raised:
            await bob.room_send(code, "Nobody", "x")
        assert raised.value.name == "AgentRoomApiError"


@pytest.mark.row(8)
@pytest.mark.mends("5", "41")
@pytest.mark.parametrize("generation", GENERATIONS)
async def test_six_hundred_messages_are_each_seen_once(ask: Actions, generation):
    """Both cursor styles, counted and told: nothing twice, nothing never, nothing trimmed (row 8, gaps 5 and 41)."""
    room = await made(ask)
    reader = StdioClient(ask, generation, pause=Pauses(ask))
    joined = await reader.room_join(room.code, "Reader")
    cursor, seen = joined["cursor"], []
    for number in range(600):
        await room.say("Host", f"n{number}")
        if number % 7 == 0 or number == 599:
            heard = await reader.room_listen(room.code, cursor, name="Reader")
            cursor, seen = heard["cursor"], [*seen, *(m["text"] for m in heard["messages"])]
    assert seen == [f"n{number}" for number in range(600)]
    late = await reader.room_listen(room.code, 0, timeout_ms=0)
    assert len(late["messages"]) == cursor == 601


async def test_the_client_sends_what_the_protocol_page_says(ask: Actions):
    """The replay itself: the actions of each tool in their order (§3.5)."""
    client = StdioClient(ask, "s3a", pause=Pauses(ask))
    code = (await client.room_create("x", "Ann"))["code"]
    assert client.sent == ["create", "join", "messages"]
    bob = another(client)
    await bob.room_join(code, "Bob")
    assert bob.sent == ["get", "join", "send", "messages"]
    bob.sent.clear()
    await bob.room_send(code, "Bob", "hello")
    assert bob.sent == ["get", "send", "messages"]
    bob.sent.clear()
    await bob.room_listen(code, 0, name="Bob")
    assert bob.sent == ["presence", "get", "messages", "taskBoard", "get"]
