"""The conversation on the command line: rooms are made, things are said; what all of its commands refuse alike."""

import pytest

from stateroom.client import Client
from tests.cli.running import line_of, store_url
from tests.cli.talking import end, room_of, texts
from tests.serving import free_port


async def test_a_room_is_created_with_all_it_takes_to_begin(cli, server):
    """Code, page, the line for an agent, and the key that proves the host: each printed once, and each true."""
    ran = await cli("create-room", "Checkout [red]API", "--host", "Ann", "--url", server.url)
    assert (ran.status, ran.err) == (0, "")
    async with Client(server.url) as client:
        (room,) = await client.rooms()
        assert (room.topic, room.host, room.members) == ("Checkout [red]API", "Ann", 0)
        said = ran.out.splitlines()
        assert said[0] == f"Room {room.code} is open: Checkout [red]API"
        assert f"  page      {server.url}/r/{room.code}" in said
        assert any(line.startswith(f"  agents    Join room {room.code} with room_join") for line in said)
        (key,) = (line.split()[-1] for line in said if line.startswith("  host key"))
        assert ran.out.count(key) == 1
        assert "proves that you are Ann, the host" in said[-1]
        await client.command(room.code, "end-room", {}, by="Ann", host_key=key)
        assert (await client.room(room.code)).status == "ended"


async def test_a_created_room_is_data_too(cli, server):
    """`--json`: one document with the room, its host key, both addresses and the line to paste."""
    ran = await cli("create-room", "Two", "--host", "Ann", "--template", "bug-fix", "--json", "--url", server.url + "/")
    made = ran.json
    assert (made["host"], made["tasks"], made["served"], bool(made["host_key"])) == ("Ann", 3, True, True)
    assert (made["page"], made["join"]) == (f"{server.url}/r/{made['code']}", f"{server.url}/j/{made['code']}")
    assert made["code"] in made["paste"]


async def test_whoever_names_no_host_is_the_host_by_login_name(cli, server):
    """The login name stands in for --host."""
    ran = await cli("create-room", "Two", "--json", "--url", server.url, LOGNAME="alice")
    assert ran.json["host"] == "alice"


async def test_a_page_is_where_people_reach_the_server(cli, store):
    """The server's public address is shown, unless another one was asked."""
    public, port = {"STATEROOM_PUBLIC_URL": "https://rooms.example.org/"}, free_port()
    url, where = f"http://127.0.0.1:{port}", ("--store", store_url(store))
    async with cli.running("up", "--port", port, *where) as process:
        await line_of(process)
        create = ("create-room", "x", "--json")
        assert (await cli(*create, *where, **public)).json["page"].startswith("https://rooms.example.org/r/")
        assert (await cli(*create, "--url", url, **public)).json["page"].startswith(f"{url}/r/")
        assert (await cli(*create, *where)).json["page"].startswith(f"{url}/r/")


async def test_a_room_created_without_a_server_says_so(cli, filled):
    """The store is there and nobody serves it: the room is made, and the next step is to start a server."""
    ran = await cli("create-room", "Two", "--host", "Ann", "--store", store_url(filled))
    assert ran.out.splitlines()[-1].startswith("No server runs on this store yet: start one with `stateroom up`")
    listed = (await cli("rooms", "--store", store_url(filled), "--json")).json
    assert "Two" in [room["topic"] for room in listed]


async def test_somebody_who_has_no_seat_is_told_to_join(cli, server):
    """Not a member: refused, with --join for the next step; nothing is said, and nobody has become a member."""
    async with Client(server.url) as client:
        made = await room_of(client)
        said = (await cli("send", made.code, "hello", "--name", "Cy", "--url", server.url)).refused()
        assert "Cy is not in this room" in said
        assert "Add --join to take a seat first" in said
        assert await texts(client, made.code) == []
        assert [one.name for one in await client.members(made.code)] == ["Ann", "Ben"]


async def test_joining_takes_a_seat_once_and_comes_back_to_it(cli, server):
    """`--join` seats the speaker with kind and role and gives the seat's key; the second time it is the same seat."""
    async with Client(server.url) as client:
        made = await room_of(client)
        send = ("send", made.code, "hello", "--name", "Cy", "--join", "--human", "--role", "owner", "--url", server.url)
        first, second = (await cli(*send, "--json")).json, (await cli(*send, "--json")).json
        assert [(one["name"], one["line"], one["joined"], one["renamed"]) for one in (first, second)] == [
            ("Cy", 1, True, False),
            ("Cy", 2, True, False),
        ]
        assert (bool(first["seat_key"]), second["seat_key"]) == (True, "")
        (line, _) = (await client.lines(made.code)).lines
        assert (line["name"], line["client"], line["role"]) == ("Cy", "web", "owner")


async def test_a_name_that_is_taken_is_said_to_be(cli, server):
    """A person can not take an agent's seat: it gets a number, and is told which name to go on with."""
    async with Client(server.url) as client:
        made = await room_of(client)
        ran = await cli("send", made.code, "hello", "--name", "Ben", "--join", "--human", "--url", server.url)
        assert "go on with --name 'Ben (2)'" in ran.out
        assert [line["name"] for line in (await client.lines(made.code)).lines] == ["Ben (2)"]


async def test_a_message_and_a_status_note_are_told_apart(cli, server):
    """What was said has its line's number; a note is called one; what was taken out is counted."""
    async with Client(server.url) as client:
        made = await room_of(client)
        where = ("--name", "Ben", "--url", server.url)
        assert (await cli("send", made.code, "on it", "--status", *where)).out == "Noted as Ben: line 1.\n"
        ran = await cli("send", made.code, "api_key: sk-abcdefghijklmnopqrstuvwx1234", *where)
        assert ran.out.splitlines() == ["Said as Ben: line 2.", "Secrets taken out of it: 1."]
        roles = [line["metadata"]["roleAtSend"] for line in (await client.lines(made.code)).lines]
        assert roles == ["status", "open"]


async def test_a_text_may_begin_with_a_dash(cli, server):
    """A bullet is a text, not an option."""
    async with Client(server.url) as client:
        made = await room_of(client)
        assert (await cli("send", made.code, "- one\n- two", "--name", "Ben", "--url", server.url)).status == 0
        assert await texts(client, made.code) == ["- one\n- two"]


async def test_a_text_is_read_from_standard_input(cli, server):
    """`-`: all of it but the last line break, in UTF-8; what is none is refused."""
    async with Client(server.url) as client:
        made = await room_of(client)
        send = ("send", made.code, "-", "--name", "Ben", "--url", server.url)
        ran = await cli.process(*send, stdin="zwei\n\nZeilen \u00fc\n".encode())
        assert (ran.status, ran.out) == (0, "Said as Ben: line 1.\n")
        assert await texts(client, made.code) == ["zwei\n\nZeilen \u00fc"]
        assert "no UTF-8" in (await cli.process(*send, stdin=b"\xff\xfe")).refused()
        assert "nothing to say" in (await cli.process(*send, stdin=b"\n")).refused()


async def test_a_seat_is_proven_where_the_room_asks_for_it(cli, server):
    """A room in which names are keyed: refused without the key and with a wrong one; taken as option and variable."""
    async with Client(server.url) as client:
        made = await client.create_room(host="Ann", topic="Keyed")
        seat = await client.take_seat(made.code, "Ben")
        wish = {"identity": "keyed"}
        await client.command(made.code, "set-policy", wish, by="Ann", host_key=made.host_key)
        send = ("send", made.code, "hello", "--name", "Ben", "--url", server.url)
        assert "--seat-key or STATEROOM_SEAT_KEY" in (await cli(*send)).refused()
        assert "--seat-key or STATEROOM_SEAT_KEY" in (await cli(*send, "--seat-key", "wrong")).refused()
        assert (await cli(*send, "--seat-key", seat.seat_key)).status == 0
        assert (await cli(*send, STATEROOM_SEAT_KEY=seat.seat_key)).status == 0
        joining = await cli(*send, "--join", STATEROOM_SEAT_KEY=seat.seat_key)
        assert joining.out == "Said as Ben: line 4.\n"  # the change of policy is a line too


async def test_the_host_joins_with_its_key(cli, server):
    """The host's name is nobody else's: refused without the host key, and taken with it."""
    async with Client(server.url) as client:
        made = await client.create_room(host="Ann", topic="Hosted")
        send = ("send", made.code, "hello", "--name", "Ann", "--join", "--human", "--url", server.url)
        assert "--host-key or STATEROOM_HOST_KEY" in (await cli(*send)).refused()
        assert (await cli(*send, STATEROOM_HOST_KEY=made.host_key)).out.startswith("Said as Ann: line 1.")


async def test_who_may_not_speak_now_is_told_what_to_do_instead(cli, server):
    """Another has the floor, and the room has ended: one sentence each, with what is possible."""
    async with Client(server.url) as client:
        made = await room_of(client)
        await client.take_seat(made.code, "Cy")
        wish = {"mode": "sequential", "config": {"lead": "Ben"}}
        await client.command(made.code, "set-mode", wish, by="Ann", host_key=made.host_key)
        await client.say(made.code, "Who calls whom?", "Ann")
        send = ("send", made.code, "me!", "--name", "Cy", "--url", server.url)
        assert "`stateroom listen` until you have the floor" in (await cli(*send)).refused()
        passed = await cli("send", made.code, "__no_addition__", "--name", "Ben", "--url", server.url)
        assert passed.out == "Ben has passed: no line.\n"
        await end(client, made)
        assert "can be read with `stateroom listen`" in (await cli(*send)).refused()


COMMANDS = [["create-room", "x"], ["send", "demo", "x", "--name", "Ben"], ["listen", "demo"], ["report", "demo"]]


@pytest.mark.parametrize("command", COMMANDS)
async def test_that_no_server_runs_is_one_sentence(cli, store, command):
    """Nobody at the URL, and no store either: said with the command that starts a server, and nothing is made."""
    nobody = f"http://127.0.0.1:{free_port()}"
    assert "Start one with `stateroom up`" in (await cli(*command, "--url", nobody)).refused()
    assert "Start one with `stateroom up`" in (await cli(*command, "--store", store_url(store))).refused()
    assert "should look like" in (await cli(*command, "--url", "nowhere")).refused()
    assert not store.exists()


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_server_with_keys_asks_for_one_and_takes_it(cli, keyed_server, command):
    """Without a key the sentence names the variable; with it the rooms of that team are there, and no others."""
    async with Client(keyed_server.url, "red-secret") as client:
        await client.create_room("demo")
        await client.take_seat("demo", "Ben")
    env = {"STATEROOM_URL": keyed_server.url}
    assert "STATEROOM_API_KEY" in (await cli(*command, **env)).refused()
    once = ["--once"] if command[0] == "listen" else []
    await client_says("red-secret", keyed_server.url)
    assert (await cli(*command, *once, **env, STATEROOM_API_KEY="red-secret")).status == 0
    if command[0] != "create-room":
        assert "not found" in (await cli(*command, **env, STATEROOM_API_KEY="blue-secret")).refused()


async def client_says(key, url):
    async with Client(url, key) as client:
        await client.say("demo", "hello", "Ben")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["create-room", "x", "--host", "a\x1bb"], "can not be used"),
        (["create-room", "x", "--host", "n" * 129], "name"),
        (["create-room", "x" * 10_000, "--host", "Ann"], "topic is too long"),
        (["create-room", "x", "--template", "nope"], "Unknown template: nope"),
        (["send", "nowhere", "x", "--name", "Ben"], "`stateroom rooms` lists"),
        (["send", "nowhere", "x", "--name", "Ben", "--join"], "`stateroom rooms` lists"),
        (["send", "demo", " \n", "--name", "Ben", "--join"], "nothing to say"),
        (["send", "demo", "x" * 40_000, "--name", "Ben"], "text is too long"),
        (["send", "demo", "x", "--name", "Ben", "--human"], "add --join"),
        (["send", "demo", "x", "--name", "Ben", "--role", "r"], "add --join"),
        (["listen", "nowhere"], "`stateroom rooms` lists"),
        (["listen", "demo", "--after", "99"], "The cursor 99"),
        (["listen", "demo", "--addressed"], "add --name"),
        (["listen", "demo", "--name", "Zed"], "Leave --name out to look on"),
        (["report", "nowhere"], "`stateroom rooms` lists"),
        (["report", "nowhere", "--export"], "`stateroom rooms` lists"),
    ],
)
async def test_what_can_not_be_done_is_one_sentence(cli, server, command, sentence):
    """Bad input of every kind: status 1, one sentence that says what to do, and nothing has changed."""
    async with Client(server.url) as client:
        await client.create_room("demo")
        await client.take_seat("demo", "Ben")
        before = await client.rooms()
        assert sentence in (await cli(*command, "--url", server.url)).refused()
        assert await client.rooms() == before


@pytest.mark.parametrize(
    "command",
    [
        ["create-room"],
        ["send", "demo", "x"],
        ["send", "demo", "--name", "Ben"],
        ["listen"],
        ["listen", "demo", "--after", "-1"],
        ["listen", "demo", "--after", "x"],
        ["report", "demo", "--format", "pdf"],
    ],
)
async def test_a_command_line_that_can_not_be_understood_is_status_2(cli, command):
    """Missing and impossible arguments: status 2, stdout untouched."""
    ran = await cli(*command)
    assert (ran.status, ran.out) == (2, "")
