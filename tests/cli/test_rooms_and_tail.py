"""`stateroom rooms` and `stateroom tail`, through a server and without one."""

import pytest

from stateroom.client import Client
from tests.cli.running import fill, line_of, store_url
from tests.serving import free_port


async def test_rooms_are_listed_from_a_store_without_a_server(cli, filled):
    """No server runs: the store is opened, and the table says what a person wants to know."""
    table = (await cli("rooms", "--store", store_url(filled))).out
    (listed,) = (await cli("rooms", "--store", store_url(filled), "--json")).json
    assert (listed["id"], listed["tasks"], listed["tasks_done"]) == ("demo", 1, 1)
    for shown in ("demo", listed["code"], "1/1", "backend, frontend"):
        assert shown in table


async def test_rooms_are_listed_through_the_server_on_the_store(cli, store):
    """A server runs on the store: it is found by its card and asked, also when its URL is named."""
    async with cli.up("--store", store_url(store)) as up, Client(up.url) as client:
        await fill(client, "demo")
        by_card = await cli("rooms", "--store", store_url(store), "--json")
        by_url = await cli("rooms", "--url", up.url, "--json")
        by_env = await cli("rooms", "--json", STATEROOM_URL=up.url)
    assert [room["online"] for room in by_card.json] == [["backend", "frontend"]]
    assert by_card.json == by_url.json == by_env.json


async def test_no_rooms_is_an_answer(cli, store):
    """An empty store: an empty list for programs, a sentence for people."""
    async with cli.up("--store", store_url(store)):
        assert (await cli("rooms", "--store", store_url(store), "--json")).json == []
        assert "No rooms yet" in (await cli("rooms", "--store", store_url(store))).out


@pytest.mark.parametrize("command", [["rooms"], ["tail", "demo"], ["export", "demo"]])
async def test_what_can_not_be_reached_is_one_sentence(cli, tmp_path, command):
    """No server at the URL, no URL at all, no store, a folder, a file of another kind: said, and nothing is made."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.db").write_text("certainly no database, and long enough to be looked at" * 20)
    nobody = f"http://127.0.0.1:{free_port()}"
    for arguments, sentence in (
        (["--url", nobody], f"No Stateroom server answers at {nobody}"),
        (["--url", "over there"], "it should look like http://"),
        (["--store", "mysql://x"], "is none we know"),
        (["--store", store_url(tmp_path / "none.db")], "There is no store at"),
        (["--store", store_url(tmp_path / "folder")], "is a folder"),
        (["--store", store_url(tmp_path / "text.db")], "is not a Stateroom file"),
    ):
        assert sentence in (await cli(*command, *arguments)).refused()
    assert not (tmp_path / "none.db").exists()


async def test_an_unknown_room_is_one_sentence(cli, filled):
    """A room that is not there, with and without a server."""
    for command in ("tail", "export"):
        assert (await cli(command, "nowhere", "--store", store_url(filled))).refused()
    async with cli.up("--store", store_url(filled)) as up:
        for command in ("tail", "export"):
            assert (await cli(command, "nowhere", "--url", up.url)).refused()


async def test_a_key_is_asked_for_and_taken(cli, store):
    """A server with keys: without one the command says which variable to set; with it, it works."""
    async with cli.up("--store", store_url(store), STATEROOM_API_KEYS="red:red-secret") as up:
        async with Client(up.url, "red-secret") as client:
            await fill(client, "demo")
        assert "STATEROOM_API_KEY" in (await cli("rooms", "--url", up.url)).refused()
        listed = await cli("rooms", "--url", up.url, "--json", STATEROOM_API_KEY="red-secret")
    assert [room["team"] for room in listed.json] == ["red"]


async def test_the_last_events_are_shown_oldest_first(cli, filled):
    """`-n` chooses how many of the newest; lines for people, one document for programs; the code works too."""
    lines = (await cli("tail", "demo", "-n", 2, "--store", store_url(filled))).out.splitlines()
    assert [line.partition("note  ")[2] for line in lines] == ['{"number":1}', '{"number":2}']
    assert all("backend → frontend" in line for line in lines)
    (room,) = (await cli("rooms", "--store", store_url(filled), "--json")).json
    told = (await cli("tail", room["code"], "--store", store_url(filled), "--json")).json
    assert [event["type"] for event in told] == ["task_added", "task_updated", "note", "note", "note"]
    assert (await cli("tail", "demo", "-n", 0, "--store", store_url(filled), "--json")).json == []


async def test_what_others_wrote_can_not_steer_the_terminal(cli, store):
    """Escape sequences and line breaks in an event's type or payload are shown, not carried out."""
    async with cli.up("--store", store_url(store)) as up, Client(up.url) as client:
        await client.create_room("demo")
        wish = {"type": "x\x1b[2J\r\n[red]", "to": "all", "payload": {"text": "\x9b31m\u202e"}}
        await client.command("demo", "post-message", wish, by="backend")
        (line,) = (await cli("tail", "demo", "--url", up.url)).out.splitlines()
    assert line.isprintable()
    assert "x\\x1b[2J\\r\\n[red]" in line


async def test_following_shows_what_happens_next(cli, store):
    """`tail -f` shows the last events and then each new one at once, however odd the text in it."""
    async with cli.up("--store", store_url(store)) as up, Client(up.url) as client:
        await fill(client, "demo", messages=1)
        async with cli.running("tail", "demo", "-f", "-n", "1", "--json", "--url", up.url) as tail:
            assert b'"number":0' in await line_of(tail)
            for text in ("plain", "two\u2028lines", "next\u0085line"):
                wish = {"type": "note", "to": "all", "payload": {"text": text}}
                await client.command("demo", "post-message", wish, by="backend")
                assert text in (await line_of(tail)).decode()


async def test_following_goes_on_across_a_restart_of_the_server(cli, store):
    """The server is killed and started again: the reader misses nothing and sees nothing twice."""
    port = free_port()
    where = ("--store", store_url(store), "--port", port)
    async with cli.up(*where[:2]) as first, Client(first.url) as client:
        await fill(client, "demo", messages=1)
    url = f"http://127.0.0.1:{port}"
    note = {"type": "note", "to": "all", "payload": {"number": 1}}
    async with cli.running("up", *where) as server:
        await line_of(server)
        async with cli.running("tail", "demo", "-f", "-n", "1", "--json", "--url", url) as tail:
            assert b'"number":0' in await line_of(tail)
            server.kill()
            await server.wait()
            async with cli.running("up", *where) as again:
                await line_of(again)
                async with Client(url) as client:
                    await client.command("demo", "post-message", note, by="backend")
                assert b'"number":1' in await line_of(tail)


async def test_following_works_on_a_store_without_a_server(cli, filled):
    """Another process writes to the file, and the follower hears of it though no server runs."""
    async with cli.running("tail", "demo", "-f", "-n", "1", "--json", "--store", store_url(filled)) as tail:
        assert b'"number":2' in await line_of(tail)
        async with cli.up("--store", store_url(filled)) as up, Client(up.url) as client:
            wish = {"type": "note", "to": "all", "payload": {"number": 3}}
            await client.command("demo", "post-message", wish, by="backend")
            assert b'"number":3' in await line_of(tail)


async def test_a_reader_that_has_seen_enough_is_no_failure(cli, filled):
    """`stateroom tail … | head -1`: the closed pipe ends it quietly."""
    async with cli.running("tail", "demo", "-f", "--json", "--store", store_url(filled)) as tail:
        await line_of(tail)
        tail._transport.get_pipe_transport(1).close()
        async with cli.up("--store", store_url(filled)) as up, Client(up.url) as client:
            wish = {"type": "note", "to": "all", "payload": {}}
            await client.command("demo", "post-message", wish, by="backend")
            await tail.wait()
        assert (tail.returncode, await tail.stderr.read()) == (0, b"")
