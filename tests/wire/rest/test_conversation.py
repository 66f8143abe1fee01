"""The conversation in the native API: a hosted room, seats, lines, the floor, and speaking."""

import asyncio
import hashlib

import httpx2
import pytest
import pytest_asyncio

from tests.wire.rest.conftest import Api


class Talk:
    """A hosted room, and short ways to use it."""

    def __init__(self, api: Api, made: dict) -> None:
        self.api, self.room, self.host_key = api, made["code"], made["host_key"]
        self.keys: dict[str, str] = {}

    async def get(self, path="", **query):
        return await self.api.get(f"/rooms/{self.room}{path}", **query)

    async def post(self, path, body):
        return await self.api.post(f"/rooms/{self.room}{path}", body)

    async def sit(self, name, **more):
        answer = await self.post("/seats", {"name": name, **more})
        assert answer.status_code == 201, answer.text
        self.keys[answer.json()["name"]] = answer.json()["seat_key"]
        return answer.json()

    async def wish(self, command, by, wish, **keys):
        return await self.post(f"/commands/{command}", {"by": by, "wish": wish, **keys})

    async def say(self, by, text, **more):
        answer = await self.wish("say", by, {"text": text, **more})
        assert answer.status_code == 200, answer.text
        return answer.json()["entries"][0]

    async def host(self, command, **wish):
        answer = await self.wish(command, "mara", wish, host_key=self.host_key)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def position(self):
        return (await self.get()).json()["position"]


async def hosted(api: Api, **more):
    answer = await api.post("/rooms", {"host": "mara", "topic": "Slow checkout", **more})
    assert answer.status_code == 201, answer.text
    return Talk(api, answer.json())


@pytest_asyncio.fixture
async def talk(api):
    """mara's room; mara, a person, and nova and atlas, agents, have their seats."""
    talk = await hosted(api)
    await talk.sit("mara", kind="human", host_key=talk.host_key)
    await talk.sit("nova", role="Builder")
    await talk.sit("atlas")
    return talk


async def test_a_room_with_a_host_goes_by_its_code(api):
    """The answer has the code and, this once, the host's key; each call makes another room."""
    first, second = await hosted(api), await hosted(api, template="bug-fix")
    shown = (await first.get()).json()
    assert (shown["id"], shown["code"], shown["host"]) == (first.room, first.room, "mara")
    assert (shown["topic"], shown["host_key"]) == ("Slow checkout", "")
    assert first.room != second.room
    assert first.host_key != second.host_key
    assert (await second.get()).json()["tasks"] == 3


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"host": "mara", "id": "named"}, 400, "bad_request"),
        ({"host": " "}, 400, "bad_name"),
        ({"host": "m" * 129}, 400, "bad_name"),
        ({"host": "mara", "topic": "t" * 501}, 413, "too_long"),
        ({"host": "mara", "template": "nope"}, 404, "unknown_template"),
        ({"host": 1}, 400, "bad_request"),
    ],
)
async def test_a_room_that_can_not_be_hosted_is_not_made(api, body, status, code):
    """Everything is checked before there is a room."""
    answer = await api.post("/rooms", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert (await api.get("/rooms")).json() == []


async def test_a_seat_comes_with_a_key_and_a_line_to_listen_from(talk):
    """A newcomer begins behind the last line; whoever comes back with its key keeps name, key and place."""
    assert (await talk.sit("nova", returning=True))["renamed"] is False
    await talk.say("nova", "one")
    late = await talk.sit("iris")
    assert (late["name"], late["renamed"], late["line"]) == ("iris", False, 1)
    await talk.say("nova", "two")
    back = await talk.sit("Iris", seat_key=late["seat_key"])
    assert back == late
    heard = (await talk.get("/lines", after=back["line"], member="iris")).json()
    assert [one["text"] for one in heard["lines"]] == ["two"]
    assert (await talk.sit("iris", seat_key=late["seat_key"]))["line"] == 2


async def test_who_was_given_nothing_yet_comes_back_to_the_beginning(talk):
    """It sat down before the first line: coming back must not pass over what was said meanwhile."""
    await talk.say("nova", "one")
    assert (await talk.sit("atlas", seat_key=talk.keys["atlas"]))["line"] == 0


async def test_a_taken_name_gets_a_number_and_a_key_of_its_own(talk):
    """The seat's own key does not go to who only knows the name."""
    other = await talk.sit("nova")
    assert (other["name"], other["renamed"]) == ("nova (2)", True)
    wrong = await talk.sit("nova", seat_key="wrong")
    assert wrong["name"] == "nova (3)"
    assert len({talk.keys[name] for name in ("nova", "nova (2)", "nova (3)")}) == 3
    word = await talk.sit("nova", returning=True)  # the credential vouches for it, so it gets the seat; not the key
    assert (word["name"], word["seat_key"]) == ("nova", "")


@pytest.mark.parametrize("keys", [{}, {"host_key": "wrong"}, {"seat_key": "wrong"}])
async def test_the_hosts_name_is_not_given_away(talk, keys):
    """Nor one that looks like it, whatever key is guessed."""
    before = await talk.position()
    for name in ("mara", "MARA", "mаra"):  # the last with a Cyrillic а
        answer = await talk.post("/seats", {"name": name, **keys})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "host_name_taken")
    assert await talk.position() == before


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({}, 400, "name"),
        ({"name": ""}, 400, "empty"),
        ({"name": "a\u200bb"}, 400, "can not be used"),
        ({"name": "x", "kind": "robot"}, 400, "$.kind"),
        ({"name": "x", "role": "r" * 201}, 413, "role"),
        ({"name": "x", "key": "k"}, 400, "key"),
    ],
)
async def test_a_seat_that_can_not_be_is_refused_and_leaves_nothing(talk, body, status, says):
    """The problem names the field; nobody is known afterwards who was not before."""
    before = await talk.position()
    answer = await talk.post("/seats", body)
    assert answer.status_code == status, answer.text
    assert says in answer.json()["error"]["message"]
    assert await talk.position() == before


async def test_lines_are_pages_of_the_transcript(talk):
    """Counted from one, with the next cursor and the end; beyond the end is refused with the valid range."""
    for number in range(1, 6):
        await talk.say("nova", f"line {number}")
    first = (await talk.get("/lines", limit=3)).json()
    assert ([one["line"] for one in first["lines"]], first["next"], first["last"]) == ([1, 2, 3], 3, 5)
    rest = (await talk.get("/lines", after=3)).json()
    assert ([one["text"] for one in rest["lines"]], rest["next"], rest["last"]) == (["line 4", "line 5"], 5, 5)
    nothing = {"lines": [], "next": 5, "last": 5, "terminated": "", "timed_out": False}
    assert (await talk.get("/lines", after=5)).json() == nothing
    beyond = await talk.get("/lines", after=6)
    assert (beyond.status_code, beyond.json()["error"]["code"]) == (400, "bad_cursor")


@pytest.mark.parametrize("query", [{"after": -1}, {"limit": 0}, {"wait_ms": 60_001}, {"wake_on": "never"}, {"x": 1}])
async def test_lines_are_asked_for_properly_or_not_at_all(talk, query):
    """One clear 400, for each parameter."""
    answer = await talk.get("/lines", **query)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


async def test_waiting_ends_with_the_first_line_of_somebody_else(talk):
    """One's own lines do not end it, but come along; the listener is seen to listen."""
    waiting = asyncio.create_task(talk.get("/lines", after=0, wait_ms=20_000, member="nova"))
    while await presence_of(talk, "nova") != "listening":
        pass
    await talk.say("nova", "mine")
    await talk.say("atlas", "yours")
    heard = (await waiting).json()
    assert [one["text"] for one in heard["lines"]] == ["mine", "yours"]
    assert await presence_of(talk, "nova") == "online"


async def presence_of(talk, name):
    members = (await talk.get("/members")).json()
    return next(one["presence"] for one in members if one["name"] == name)


async def test_waiting_for_what_is_addressed_holds_the_rest(talk):
    """What concerns others is held, and comes with what does concern the listener."""
    await talk.say("atlas", "to myself")
    quiet = (await talk.get("/lines", after=0, wait_ms=1, member="nova", wake_on="addressed")).json()
    assert [one["text"] for one in quiet["lines"]] == ["to myself"]  # when the time is over
    waiting = asyncio.create_task(talk.get("/lines", after=0, wait_ms=20_000, member="nova", wake_on="addressed"))
    await talk.say("atlas", "look, @nova")
    assert [one["text"] for one in (await waiting).json()["lines"]] == ["to myself", "look, @nova"]


async def test_a_wait_ends_when_the_room_does(talk):
    """And says so; afterwards nobody waits, and the lines can still be read."""
    waiting = asyncio.create_task(talk.get("/lines", wait_ms=20_000))
    await talk.host("end-room")
    heard = (await waiting).json()
    assert (heard["terminated"], [one["metadata"]["eventType"] for one in heard["lines"]]) == (
        "room_ended",
        ["room_ended"],
    )
    again = (await talk.get("/lines", after=1, wait_ms=20_000)).json()
    assert (again["terminated"], again["lines"]) == ("room_ended", [])


async def test_a_wait_ends_when_its_member_is_put_out(talk):
    """Whoever listens under that name is told; who is merely unknown is refused."""
    waiting = asyncio.create_task(talk.get("/lines", wait_ms=20_000, member="nova"))
    while await presence_of(talk, "nova") != "listening":
        pass
    await talk.host("remove-member", target="nova")
    assert (await waiting).json()["terminated"] == "kicked"
    assert (await talk.get("/lines", member="nova")).json()["terminated"] == "kicked"
    unknown = await talk.get("/lines", member="novice")
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (403, "not_participant")


async def test_nobody_listens_in_the_place_of_another(talk):
    """In a keyed room, and through an endpoint that is bound to a name."""
    await talk.say("atlas", "one")
    assert (await talk.get("/lines", member="nova", room=talk.room, agent="atlas")).status_code == 200
    await talk.host("set-policy", identity="keyed")
    refused = await talk.get("/lines", member="nova")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "seat_key_needed")
    assert (await talk.get("/lines")).status_code == 200
    assert (await talk.sit("nova", seat_key=talk.keys["nova"]))["line"] == 0  # nothing was delivered to nova


async def test_the_floor_says_who_may_speak(talk):
    """Mode, turn and what a member is to it, as the turn goes on."""
    open_floor = (await talk.get("/floor", member="nova")).json()
    assert (open_floor["turn"], open_floor["standing"]["canISpeakNow"]) == (None, True)
    await talk.host("set-mode", mode="sequential", config={"lead": "nova"})
    await talk.say("mara", "What changed?")
    floor = (await talk.get("/floor", member="atlas")).json()
    assert (floor["room"]["replyMode"], floor["turn"]["currentName"]) == ("sequential", "nova")
    assert (floor["standing"]["myRoleInTurn"], floor["standing"]["canISpeakNow"]) == ("queued", False)
    refused = await talk.wish("say", "atlas", {"text": "I know"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_your_turn")
    await talk.say("nova", "Retries.")
    floor = (await talk.get("/floor", member="atlas")).json()
    assert (floor["turn"]["currentName"], floor["standing"]["canISpeakNow"]) == ("atlas", True)
    assert (await talk.get("/floor")).json()["standing"]["myRoleInTurn"] == "observer"


async def test_speaking_is_a_command_with_its_keys_beside_the_wish(talk):
    """Where the room asks everybody for keys: none, a wrong one and another's are refused; the right one speaks."""
    await talk.host("set-policy", identity="keyed")
    for key in ("", "wrong", talk.keys["atlas"]):
        refused = await talk.wish("say", "nova", {"text": "hi"}, seat_key=key)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "seat_key_needed")
    said = await talk.wish("say", "nova", {"text": "hi"}, seat_key=talk.keys["nova"])
    facts = said.json()["entries"][0]["facts"]
    assert (facts["text"], facts["speaker"]["verified"]) == ("hi", True)


@pytest.mark.parametrize(
    ("command", "wish"),
    [
        ("set-mode", {"mode": "sequential"}),
        ("mute-member", {"target": "nova"}),
        ("remove-member", {"target": "nova"}),
        ("invite", {"target": "nova"}),
        ("skip-speaker", {}),
        ("set-policy", {"exchange_limit": 1}),
        ("end-room", {}),
        ("reactivate-room", {}),
    ],
)
@pytest.mark.parametrize("key", ["", "wrong", "seat"])
async def test_what_only_the_host_does_needs_the_hosts_key(talk, command, wish, key):
    """On an open server there is no credential that stands for the host: neither its name nor its seat does."""
    before = await talk.position()
    shown = talk.keys["mara"] if key == "seat" else key
    refused = await talk.wish(command, "mara", wish, host_key=shown, seat_key=shown)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_host")
    assert await talk.position() == before


async def test_the_credential_that_made_a_room_is_its_host(keyed_server):
    """A team's key needs no host key in the rooms it made; another team's does not even find them."""
    async with httpx2.AsyncClient(base_url=keyed_server.url) as http:
        http.headers["authorization"] = "Bearer red-secret"
        talk = await hosted(Api(http))
        ended = await talk.wish("end-room", "mara", {})
        assert ended.status_code == 200
        http.headers["authorization"] = "Bearer blue-secret"
        assert (await talk.get("/lines")).status_code == 400  # to them it is not even the name of a room


async def test_no_answer_holds_a_digest_of_a_key(talk):
    """Of neither the host's nor any seat's, nor the keys themselves: everybody who may look reads the log (gap 46)."""
    await talk.sit("nova", seat_key=talk.keys["nova"], role="Lead")
    await talk.say("nova", "[DECISION] roll back")
    await talk.host("mute-member", target="atlas")
    await talk.host("set-mode", mode="sequential", config={"lead": "nova"})
    await talk.post("/reports", {"by": "nova", "seat_key": talk.keys["nova"]})
    views = ["", "/entries", "/events", "/lines", "/floor", "/report", "/members", "/plan", "/context", "/summary"]
    answers = [await talk.get(view, **({"member": "nova"} if view == "/summary" else {})) for view in views]
    answers.append(await talk.api.get("/rooms"))
    secrets = [talk.host_key, *talk.keys.values()]
    hidden = [*secrets, *(hashlib.sha256(secret.encode()).hexdigest() for secret in secrets)]
    assert {answer.status_code for answer in answers} == {200}
    assert [secret for secret in hidden for answer in answers if secret in answer.text] == []
