"""`stateroom mcp`: the official client over stdio, with this process as the server and with one that runs already."""

import asyncio
import signal
import sys
from contextlib import asynccontextmanager
from typing import get_args

import msgspec
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from stateroom.cli.mcp import Profile
from stateroom.faces.mcp.profiles import PROFILES
from tests.cli.running import DEADLINE_S, ended, line_of, store_url
from tests.serving import free_port

ERAS = ["auto", "legacy"]
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}
HANDSHAKE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@asynccontextmanager
async def official(cli, *arguments, mode="auto", **env):
    """The official client on a process of `stateroom mcp`."""
    command = ["-m", "stateroom", "mcp", *map(str, arguments)]
    parameters = StdioServerParameters(command=sys.executable, args=command, env=cli.env(**env))
    async with Client(stdio_client(parameters), mode=mode) as client:
        yield client


async def called(client, tool, **arguments):
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return msgspec.json.decode(answer.content[0].text)


def call(id, tool, meta=None, **arguments):
    params = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


async def say(process, *messages):
    process.stdin.write(b"".join(msgspec.json.encode(message) + b"\n" for message in messages))
    await process.stdin.drain()


async def heard(process):
    """The next message; anything that is no JSON-RPC on stdout is an error."""
    message = msgspec.json.decode(await line_of(process))
    assert message["jsonrpc"] == "2.0"
    return message


@asynccontextmanager
async def either(cli, store, way, *arguments):
    """`stateroom mcp` on a store, served by itself or by a server that runs on the store."""
    binding = ("mcp", "--store", store_url(store), *arguments)
    if way == "itself":
        async with cli.running(*binding) as process:
            yield process
    else:
        async with cli.up("--store", store_url(store)), cli.running(*binding) as process:
            yield process


WAYS = ["itself", "server"]


@pytest.mark.parametrize("mode", ERAS)
async def test_it_serves_the_store_by_itself(cli, store, mode):
    """No server runs: the process opens the store, and what was written is there for the next one."""
    async with official(cli, "--store", store_url(store), mode=mode) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == set(PROFILES["core"])
        await called(client, "add_task", roomId="demo", title="auth API", description="")
    async with official(cli, "--store", store_url(store), "--room", "demo", mode=mode) as client:
        plan = await called(client, "read_plan")
    assert [task["title"] for task in plan["tasks"]] == ["auth API"]


@pytest.mark.parametrize("mode", ERAS)
async def test_it_talks_to_the_server_on_the_store(cli, store, mode):
    """A server runs on the store: calls are forwarded to it, so both sides see one room at once."""
    async with (
        cli.up("--store", store_url(store)) as up,
        official(cli, "--store", store_url(store), "--profile", "state", mode=mode) as here,
        Client(f"{up.url}/mcp", mode=mode) as there,
    ):
        assert len((await here.list_tools()).tools) == 44
        waiting = asyncio.create_task(called(there, "wait_for_events", roomId="demo", agentId="b", timeoutMs=20_000))
        text = {"text": "a\u2028b"}
        await called(here, "post_event", roomId="demo", type="hi", to="b", payload=text, **{"from": "a"})
        (event,) = (await waiting)["events"]
        assert (event["payload"], event["via"]) == (text, "open")
        heard_back = await called(here, "wait_for_events", roomId="demo", agentId="c", timeoutMs=20_000)
    assert heard_back["events"][0]["payload"] == text


@pytest.mark.parametrize("way", WAYS)
async def test_a_bound_connection_need_not_name_itself(cli, store, way):
    """`--room` and `--agent` are filled into every call, whoever serves it."""
    async with either(cli, store, way, "--room", "demo", "--agent", "ann") as process:
        await say(process, HANDSHAKE)
        await heard(process)
        await say(process, call(1, "heartbeat"))
        answer = (await heard(process))["result"]
    assert answer["structuredContent"]["agentId"] == "ann"


@pytest.mark.parametrize("meta", [None, MODERN])
@pytest.mark.parametrize("way", WAYS)
async def test_a_waiting_call_holds_up_nobody_and_can_be_cancelled(cli, store, way, meta):
    """While one call waits another is answered; a cancelled one is never answered."""
    async with either(cli, store, way) as process:
        if meta is None:
            await say(process, HANDSHAKE)
            await heard(process)
        waiting = call(1, "wait_for_events", meta, roomId="demo", agentId="ann", timeoutMs=30_000)
        await say(process, waiting, call(2, "list_context", meta, roomId="demo"))
        assert (await heard(process))["id"] == 2
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        await say(
            process, cancel, call(3, "post_event", meta, roomId="demo", type="x", to="ann", payload={}, **{"from": "b"})
        )
        assert (await heard(process))["id"] == 3
        await say(process, call(5, "get_unread_events", meta, roomId="demo", agentId="ann"))
        unread = await heard(process)
        process.stdin.close()
        rest = await process.stdout.read()
    assert unread["id"] == 5
    assert unread["result"]["structuredContent"]["count"] == 1
    assert rest == b""


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_no_request_is_answered_and_it_goes_on(cli, store, way):
    """Broken JSON, JSON that is no message, odd ids and params: an error each, and the next call works."""
    async with either(cli, store, way) as process:
        await say(process, HANDSHAKE)
        await heard(process)
        for line in (b"{", b"[1,2]", b'"text"', b"\xff\xfe", b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}'):
            process.stdin.write(line + b"\n")
            assert "error" in await heard(process), line
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {"no": "id"}}}
        odd = {**cancel, "params": [1]}
        unasked = {"jsonrpc": "2.0", "id": 99, "result": {}}
        await say(process, cancel, odd, unasked, {"jsonrpc": "2.0", "id": 8, "method": "ping"})
        assert (await heard(process))["id"] == 8


async def test_a_server_that_goes_away_is_said_for_each_call(cli, store):
    """The server ends: calls get an error that says what to do; it is back: they work again, on the same connection."""
    port = free_port()
    where = ("up", "--port", port, "--store", store_url(store))
    async with cli.running(*where) as server:
        await line_of(server)
        async with official(cli, "--store", store_url(store)) as client:
            await called(client, "read_plan", roomId="demo")
            server.send_signal(signal.SIGTERM)
            assert await ended(server) == 0
            with pytest.raises(Exception, match="Start it with `stateroom up`"):
                await client.call_tool("read_plan", {"roomId": "demo"})
            async with cli.running(*where) as again:
                await line_of(again)
                await called(client, "read_plan", roomId="demo")


async def test_a_server_that_is_cut_down_in_the_middle_of_an_answer_is_said(cli, store):
    """A call waits at the server, and the server dies: the call is answered with an error, not left hanging."""
    async with cli.up("--store", store_url(store)) as up, cli.running("mcp", "--url", up.url) as process:
        await say(process, HANDSHAKE)
        await heard(process)
        await say(process, call(1, "wait_for_events", roomId="demo", agentId="ann", timeoutMs=30_000))
        await say(process, call(2, "list_context", roomId="demo"))
        assert (await heard(process))["id"] == 2
        up.process.kill()
        answer = await heard(process)
    assert (answer["id"], answer["error"]["code"]) == (1, -32000)


async def test_a_missing_key_is_said_for_each_call(cli, store):
    """A server with keys: without one each call is told which variable to set, under its own id; with it, it works."""
    async with cli.up("--store", store_url(store), STATEROOM_API_KEYS="red:red-secret") as up:
        async with cli.running("mcp", "--url", up.url) as process:
            await say(process, HANDSHAKE)
            answer = await heard(process)
            assert answer["id"] == HANDSHAKE["id"]
            assert "STATEROOM_API_KEY" in answer["error"]["message"]
        async with official(cli, STATEROOM_URL=up.url, STATEROOM_API_KEY="red-secret") as client:
            await called(client, "read_plan", roomId="demo")


async def test_a_store_of_teams_wants_to_know_whose_rooms_are_meant(cli, store):
    """Keys are set and no server runs: the process works for the team whose key it is given, and for nobody else."""
    keys = {"STATEROOM_API_KEYS": "red:red-secret,blue:blue-secret"}
    assert "STATEROOM_API_KEY whose rooms" in (await cli("mcp", "--store", store_url(store), **keys)).refused()
    for team, tasks in (("red", 1), ("blue", 0)):
        async with official(cli, "--store", store_url(store), **keys, STATEROOM_API_KEY=f"{team}-secret") as client:
            if team == "red":
                await called(client, "add_task", roomId="demo", title="ours", description="")
            assert len((await called(client, "read_plan", roomId="demo"))["tasks"]) == tasks


async def test_what_it_can_not_start_on_is_one_sentence(cli, tmp_path):
    """A folder, another program's file, no URL: said on stderr, and stdout stays empty."""
    (tmp_path / "text.db").write_text("certainly no database, and long enough to be looked at" * 20)
    for arguments, sentence in (
        (["--store", store_url(tmp_path)], "is a folder"),
        (["--store", store_url(tmp_path / "text.db")], "is not a Stateroom file"),
        (["--url", "over there"], "it should look like http://"),
    ):
        assert sentence in (await cli("mcp", *arguments)).refused()
    assert (await cli("mcp", "--profile", "everything")).status == 2
    assert get_args(Profile) == tuple(PROFILES)


@pytest.mark.parametrize("way", WAYS)
async def test_at_the_end_of_the_input_what_runs_is_finished(cli, store, way):
    """The client closes stdin right after its last call: the call is still answered, and the process ends well."""
    async with either(cli, store, way) as process:
        await say(process, HANDSHAKE, call(1, "add_task", roomId="demo", title="x", description=""))
        async with asyncio.timeout(DEADLINE_S):
            out, err = await process.communicate(b"")
    assert [msgspec.json.decode(line)["id"] for line in out.splitlines()] == [0, 1]
    assert (process.returncode, err) == (0, b"")


@pytest.mark.parametrize(
    ("way", "unused"), [("here", {"httpx2", "uvicorn", "mcp"}), ("forward", {"stateroom.app", "uvicorn", "mcp"})]
)
async def test_neither_way_imports_what_only_others_need(cli, way, unused):
    """The first answer has 400 ms: an HTTP client or a web server that is not used would eat half of them."""
    asked = f"import sys, stateroom.cli.mcp, stateroom.cli.{way}; print(*sys.modules)"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", asked, env=cli.env(), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert not unused & set(out.decode().split())
