"""`stateroom listen`: the transcript, followed; and how a message is shown."""

import signal

import msgspec
from rich.console import Console

from stateroom.cli import transcript
from stateroom.cli.transcript import legible, show
from stateroom.client import Client
from tests.cli.running import line_of, store_url
from tests.cli.talking import end, room_of, until_listening
from tests.serving import free_port


async def test_the_transcript_is_shown_and_followed_until_the_room_ends(cli, server):
    """What is there, then what comes, each line once; the end of the room ends it with status 0."""
    async with Client(server.url) as client:
        made = await room_of(client)
        await client.say(made.code, "one\ntwo", "Ben")
        async with cli.running("listen", made.code, "--url", server.url) as listening:
            first, second = [(await line_of(listening)).decode() for _ in range(2)]
            assert first.startswith("   1  ")
            assert first.endswith("Ben (skeptic): one\n")
            assert second == " " * 16 + "two\n"
            await client.say(made.code, "three", "Ann", status=True)
            assert (await line_of(listening)).decode().endswith("Ann (person, status): three\n")
            await end(client, made)
            out, err = await listening.communicate()
        assert (listening.returncode, err) == (0, b"")
        assert out.decode().count("\n") == 1
        assert "ended" in out.decode()


async def test_being_interrupted_is_status_130(cli, server):
    """Ctrl-C: status 130, and nothing is said about it."""
    async with Client(server.url) as client:
        made = await room_of(client)
        await client.say(made.code, "hello", "Ben")
    async with cli.running("listen", made.code, "--url", server.url) as listening:
        await line_of(listening)
        listening.send_signal(signal.SIGINT)
        out, err = await listening.communicate()
    assert (listening.returncode, out, err) == (130, b"", b"")


async def test_listening_goes_on_across_a_restart_of_the_server(cli, store):
    """The server is killed and started again: nothing is missed, and nothing comes twice."""
    where = ("--store", store_url(store), "--port", free_port())
    url = f"http://127.0.0.1:{where[-1]}"
    async with cli.running("up", *where) as first, Client(url) as client:
        await line_of(first)
        made = await room_of(client)
        await client.say(made.code, "before", "Ben")
        async with cli.running("listen", made.code, "--json", "--url", url) as listening:
            assert b"before" in await line_of(listening)
            first.kill()
            await first.wait()
            async with cli.running("up", *where) as again, Client(url) as anew:
                await line_of(again)
                await anew.say(made.code, "after", "Ben")
                assert b"after" in await line_of(listening)


async def test_one_listen_waits_for_the_next_line(cli, server):
    """`--once --after`: ends with status 0 after the first lines that come, in JSON one a line."""
    async with Client(server.url) as client:
        made = await room_of(client)
        await client.say(made.code, "one", "Ann")
        async with cli.running(
            "listen", made.code, "--after", 1, "--once", "--name", "Ben", "--json", "--url", server.url
        ) as listening:
            await until_listening(client, made.code, "Ben")
            await client.say(made.code, "my own", "Ben")
            await client.say(made.code, "two", "Ann")
            out, err = await listening.communicate()
    assert (listening.returncode, err) == (0, b"")
    assert [msgspec.json.decode(line)["text"] for line in out.splitlines()] == ["my own", "two"]


async def test_only_what_is_addressed_wakes_a_listener_that_asks_for_it(cli, server):
    """`--addressed`: what is not its business wakes nobody, a mention does, and all of it comes together."""
    async with Client(server.url) as client:
        made = await room_of(client)
        await client.take_seat(made.code, "Cy")
        await client.say(made.code, "earlier", "Cy")
        listen = ("listen", made.code, "--name", "Ben", "--addressed", "--once", "--json", "--url", server.url)
        async with cli.running(*listen) as listening:
            await until_listening(client, made.code, "Ben")
            await client.say(made.code, "at work", "Cy")
            await client.say(made.code, "@Ben?", "Cy")
            out, _ = await listening.communicate()
    assert [msgspec.json.decode(line)["text"] for line in out.splitlines()] == ["earlier", "at work", "@Ben?"]


async def test_own_lines_are_shown_when_they_are_there(cli, server, monkeypatch):
    """A member that listens sees its own earlier lines too, before any waiting begins."""

    async def nothing_comes(*room, **how):
        for page in ():
            yield page

    monkeypatch.setattr(Client, "listen", nothing_comes)
    async with Client(server.url) as client:
        made = await room_of(client)
        await client.say(made.code, "mine", "Ben")
        ran = await cli("listen", made.code, "--name", "Ben", "--url", server.url)
    assert ran.out.endswith("Ben (skeptic): mine\n")


async def test_who_is_put_out_of_the_room_stops_listening(cli, server):
    """The host removes the listener: one sentence, status 1."""
    async with Client(server.url) as client:
        made = await room_of(client)
        async with cli.running("listen", made.code, "--name", "Ben", "--url", server.url) as listening:
            await until_listening(client, made.code, "Ben")
            await client.command(made.code, "remove-member", {"target": "Ben"}, by="Ann", host_key=made.host_key)
            _, err = await listening.communicate()
    assert listening.returncode == 1
    assert "Ben was removed from the room" in err.decode()


async def test_an_ended_room_is_read_to_its_end(cli, server):
    """More lines than one page, all of them, and status 0."""
    async with Client(server.url) as client:
        made = await room_of(client)
        for number in range(120):
            await client.say(made.code, f"line {number}", "Ann")
        await end(client, made)
        ran = await cli("listen", made.code, "--after", 5, "--json", "--url", server.url)
    lines = [msgspec.json.decode(line)["line"] for line in ran.out.splitlines()]
    assert (ran.status, lines) == (0, list(range(6, 122)))


async def test_what_peers_say_can_not_steer_the_terminal_or_pass_for_another(cli, server):
    """Escape sequences are shown; a text that looks like a line of somebody else's is indented."""
    async with Client(server.url) as client:
        made = await room_of(client)
        forged = "hi\n   2  00:00:00  Ann (person): [bold]yes\x1b[2J\r\n\u202eevil\u2028\x9b1m\tend"
        await client.say(made.code, forged, "Ben")
        await end(client, made)
        ran = await cli("listen", made.code, "--url", server.url)
    lines = ran.out.split("\n")[:-1]
    assert [line[:16].strip() == "" for line in lines] == [False, True, True, False]
    assert lines[1].endswith("Ann (person): [bold]yes\\x1b[2J")
    assert lines[2] == " " * 16 + "\\u202eevil\\u2028\\x9b1m   end"
    assert ran.out.replace("\n", "").isprintable()


def test_a_text_keeps_what_is_only_writing():
    """Joined emoji, wide spaces and accents stay; what moves the cursor or hides does not."""
    assert (
        legible("e\u0301 \U0001f469\u200d\U0001f4bb \u3000\u00a0x")
        == "e\u0301 \U0001f469\u200d\U0001f4bb \u3000\u00a0x"
    )
    assert legible("\x07\ue000\u2066\ud800") == "\\x07\\ue000\\u2066\\ud800"


def test_long_texts_are_wrapped_on_a_terminal(monkeypatch, capsys):
    """On a terminal each piece is as wide as it, and begins below the first."""
    monkeypatch.setattr(transcript, "out", Console(width=46, force_terminal=True, color_system=None, soft_wrap=True))
    about = {"line": 7, "time": 0, "type": "msg", "name": "Ben", "role": "", "client": "cc", "metadata": {}}
    show({**about, "text": "a word and another word and one more word"})
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(line.strip() for line in lines) == "7  00:00:00  Ben: a word and another word and one more word"
    assert all(len(line) <= 46 for line in lines)
    assert [len(line) - len(line.lstrip()) for line in lines] == [3, 16]


def test_answers_and_files_are_shown_below_the_text(capsys):
    """What is answered and what is attached: a line each, indented."""
    message = {"line": 7, "time": 0, "type": "msg", "name": "Ben", "role": "", "client": "cc", "metadata": {}}
    answered = {"id": 1, "name": "Ann", "text": "why?"}
    file = {"name": "a.md", "mime": "text/markdown", "size": 3, "url": "http://x/blobs/a.md"}
    show({**message, "text": "because", "replyTo": answered, "attachments": [file]})
    assert capsys.readouterr().out.splitlines() == [
        "   7  00:00:00  Ben: because",
        " " * 16 + "(in reply to Ann: why?)",
        " " * 16 + "[a.md, text/markdown, 3 bytes: http://x/blobs/a.md]",
    ]
