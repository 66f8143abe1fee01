"""`stateroom up`: it says where it is, tidies up after itself, and says in one sentence why it could not start."""

import asyncio
import signal
import socket
import sys

import httpx2
import msgspec
import pytest

from stateroom.cli import COMMANDS
from stateroom.client import Client
from tests.cli.running import DEADLINE_S, ended, fill, line_of, store_url
from tests.serving import answering, free_port


async def healthy(url):
    async with httpx2.AsyncClient() as http:
        return (await http.get(f"{url}/health")).json()


async def test_it_says_how_to_connect_once_it_can_be_reached(cli, store):
    """The page's address, the store, one line for each client, and how to stop: printed when requests are answered."""
    port = free_port()
    async with cli.running("up", "--port", port, "--store", store_url(store)) as process:
        said = [(await line_of(process)).decode().strip() for _ in range(9)]
        url = f"http://127.0.0.1:{port}"
        assert (await healthy(url))["ok"]
    assert said[0] == f"Stateroom is running at {url}"
    assert f"claude mcp add --transport http stateroom {url}/mcp" in said
    assert f"codex mcp add stateroom --url {url}/mcp" in said
    assert any(store_url(store) in line for line in said)
    assert f"people look at {url}/r/CODE" in said[-2]
    assert said[-1] == "Stop with Ctrl-C."


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_stopping_it_is_no_failure_and_leaves_nothing_behind(cli, store, how):
    """Told to end in either way, it ends with status 0 and takes its card away."""
    card = store.with_name("rooms.db.server")
    async with cli.up("--store", store_url(store)) as up:
        written = msgspec.json.decode(card.read_bytes())
        assert (written["url"], written["pid"]) == (up.url, up.process.pid)
        up.process.send_signal(how)
        assert await ended(up.process) == 0
    assert not card.exists()


@pytest.mark.parametrize("workers", [1, 2])
async def test_it_stops_while_somebody_listens(cli, store, workers):
    """An open stream does not keep the server from ending, and is nothing to report."""
    async with cli.up("--store", store_url(store), "--workers", workers) as up, Client(up.url) as client:
        await fill(client, "demo")
        following = client.follow("demo", patience_s=0)
        await anext(following)
        up.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(DEADLINE_S):
            out, err = await up.process.communicate()
        assert (up.process.returncode, out, err) == (0, b"", b"")
        await following.aclose()


async def test_a_second_server_on_the_port_is_told_about_the_first(cli, store):
    """A port in use by Stateroom: the sentence names the server that is already there."""
    async with cli.up("--store", store_url(store)) as up:
        port = up.url.rpartition(":")[2]
        said = (await cli("up", "--port", port, "--store", "memory://")).refused()
        assert f"already runs at {up.url}" in said
        assert store.with_name("rooms.db.server").exists()


async def test_a_port_in_use_by_another_program_is_said(cli):
    """A port in use by somebody else: the sentence names another port to try."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = (await cli("up", "--port", port, "--store", "memory://")).refused()
    assert f"Port {port} is in use by another program" in said
    assert f"stateroom up --port {port + 1}" in said


async def test_keys_are_never_printed(cli, store):
    """With team keys, the lines that connect clients name the variable that holds the key, not the key."""
    keys = {"STATEROOM_API_KEYS": "red:hush-hush"}
    async with cli.up("--store", store_url(store), **keys) as up:
        lines = up.said["connect"]
        assert '"Authorization: Bearer $STATEROOM_API_KEY"' in lines["claude"]
        assert "--bearer-token-env-var STATEROOM_API_KEY" in lines["codex"]
        assert "hush" not in str(up.said)
        async with httpx2.AsyncClient() as http:
            assert (await http.get(f"{up.url}/api/v1/rooms")).status_code == 401


@pytest.mark.parametrize(
    ("arguments", "env", "sentence"),
    [
        (["--host", "0.0.0.0"], {}, "can be reached from other machines"),
        (["--host", "0.0.0.0"], {"STATEROOM_API_KEYS": "no-team"}, "holds no complete key"),
        (["--host", "192.0.2.1"], {"STATEROOM_API_KEYS": "red:x"}, "Can not listen on 192.0.2.1"),
        (["--store", "mysql://x"], {}, "is none we know"),
        (["--store", "memory://", "--workers", "2"], {}, "need a store they can share"),
        (["--port", "70000"], {}, "use a number from 1 to 65535"),
        ([], {"STATEROOM_PORT": "seven"}, "STATEROOM_PORT is 'seven'"),
    ],
)
async def test_settings_that_can_not_be_used_are_one_sentence(cli, arguments, env, sentence):
    """Whatever is wrong with a setting, nothing is started and the sentence says what to change."""
    assert sentence in (await cli("up", *arguments, **env)).refused()


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_store_that_can_not_be_opened_is_one_sentence(cli, tmp_path, workers):
    """A folder, another program's file and a damaged one: said before anything listens, by one process or several."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.db").write_text("certainly no database, and long enough to be looked at" * 20)
    for name, sentence in (("folder", "is a folder"), ("text.db", "is not a Stateroom file")):
        ran = await cli("up", "--port", 0, "--workers", workers, "--store", store_url(tmp_path / name))
        assert sentence in ran.refused()


async def test_workers_share_the_store_and_one_port(cli, store):
    """Several processes answer at one address, and what one has written the others know."""
    async with cli.up("--store", store_url(store), "--workers", 2) as up, Client(up.url) as client:
        await fill(client, "demo")
        for _ in range(20):  # over as many connections, so that both get some
            async with Client(up.url) as other:
                assert (await other.room("demo")).tasks_done == 1
        up.process.send_signal(signal.SIGTERM)
        assert await ended(up.process) == 0
    assert not store.with_name("rooms.db.server").exists()


async def test_it_is_killed_and_nobody_believes_its_card(cli, store):
    """A server that ended hard leaves its card; commands ask, hear nothing, and open the store themselves (trap 34)."""
    async with cli.up("--store", store_url(store)) as up, Client(up.url) as client:
        await fill(client, "demo")
        up.process.kill()
        await up.process.wait()
    assert store.with_name("rooms.db.server").exists()
    listed = await cli("rooms", "--store", store_url(store), "--json")
    assert [room["id"] for room in listed.json] == ["demo"]


async def test_the_environment_says_what_the_command_line_does_not(cli, store):
    """Host, port and store come from STATEROOM_… where no option names them."""
    port = free_port()
    env = {"STATEROOM_PORT": str(port), "STATEROOM_STORE": store_url(store)}
    async with cli.running("up", **env):
        await answering(f"http://127.0.0.1:{port}")
    assert store.exists()


@pytest.mark.parametrize(
    "arguments", [["--no-such-option"], ["no-such-command"], ["tail"], ["up", "--workers", "0"], ["rooms", "extra"]]
)
async def test_wrong_usage_ends_with_status_2(cli, arguments):
    """A command line that can not be understood: status 2, stdout untouched, and no traceback."""
    ran = await cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "Traceback" not in ran.err


async def test_version_and_help_are_there(cli):
    """`--version` names the program; every command has a help text, and each of its options is explained."""
    assert (await cli("--version")).out.startswith("stateroom ")
    overview = (await cli("--help")).out
    for command, help in COMMANDS.items():
        summary, *_ = help.split("\n\n")
        assert f"{command:<10}" in overview
        assert summary in overview
        text = await cli(command, "--help")
        assert summary in text.out
        options = [line for line in text.out.splitlines() if line.lstrip("│ ").startswith("-")]
        assert options
        assert all(len(line.strip("│ ").split("  ")) > 1 for line in options), text.out


async def test_it_runs_as_a_module_and_as_a_script(cli):
    """`python -m stateroom` and the installed `stateroom` are the same thing."""
    script = sys.executable.rpartition("/")[0] + "/stateroom"
    process = await asyncio.create_subprocess_exec(script, "--version", env=cli.env(), stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert out.decode() == (await cli("--version")).out
