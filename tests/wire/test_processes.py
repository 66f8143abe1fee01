"""Several processes on one store file: they wake each other, and a killed one loses nothing it acknowledged."""

import asyncio
import signal
import sys
from contextlib import asynccontextmanager

import httpx2
import msgspec
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.serving import environment, server_process
from tests.wire.tools import Tools

POSTS = 2_000


@asynccontextmanager
async def stdio_agent(store, *arguments):
    """The official client on a `stateroom mcp` process that opens the store itself."""
    command = ["-m", "stateroom", "mcp", "--store", f"sqlite:///{store}", *arguments]
    parameters = StdioServerParameters(command=sys.executable, args=command, env=environment())
    async with Client(stdio_client(parameters)) as client:
        yield client


async def called(client, tool, **arguments):
    answer = await client.call_tool(tool, {"roomId": "demo", **arguments})
    assert not answer.is_error, answer.content
    return msgspec.json.decode(answer.content[0].text)


async def test_a_write_in_one_process_wakes_a_waiter_in_another(tmp_path):
    """Two servers and a stdio process on one file: each hears at once what the others write."""
    store = tmp_path / "shared.db"
    async with server_process(store) as one, stdio_agent(store) as agent, server_process(store) as two:  # noqa: SIM117
        async with httpx2.AsyncClient(timeout=30) as http:
            here, there = Tools(http, one.url), Tools(http, two.url)
            await here.call("read_plan")
            waiters = [
                asyncio.create_task(there.call("wait_for_events", agentId="there", timeoutMs=15_000)),
                asyncio.create_task(called(agent, "wait_for_events", agentId="stdio", timeoutMs=15_000)),
            ]
            await everybody_here(here, {"there", "stdio"})
            await here.call("post_event", type="hello", to="all", payload={}, **{"from": "here"})
            for heard in await asyncio.gather(*waiters):
                assert [event["type"] for event in heard["events"]] == ["hello"]
            waiter = asyncio.create_task(here.call("wait_for_events", agentId="here", timeoutMs=15_000, types=["back"]))
            await everybody_here(there, {"here"})
            await called(agent, "post_event", type="back", to="all", payload={}, **{"from": "stdio"})
            assert [event["type"] for event in (await waiter)["events"]] == ["back"]


async def everybody_here(tools, names):
    """Wait until these agents have shown themselves."""
    async with asyncio.timeout(15):
        while not names <= {one["agentId"] for one in await tools.call("get_presence")}:
            pass


async def test_what_two_servers_write_at_once_is_all_there(tmp_path):
    """Two servers race on one room: no update lost, no error shown, positions gapless."""
    store = tmp_path / "shared.db"
    async with server_process(store) as one, server_process(store) as two, httpx2.AsyncClient(timeout=60) as http:

        async def writer(url, number):
            tools = Tools(http, url)
            for step in range(25):
                await tools.call("add_task", title=f"{number}-{step}", description="")

        await asyncio.gather(*(writer(url, f"{url[-2:]}-{n}") for url in (one.url, two.url) for n in range(4)))
        plan = await Tools(http, one.url).call("read_plan")
        page = (await http.get(f"{two.url}/api/v1/rooms/demo/entries?limit=1000")).json()
    assert len({task["title"] for task in plan["tasks"]}) == len({task["id"] for task in plan["tasks"]}) == 200
    assert [entry["position"] for entry in page["entries"]] == list(range(1, page["last"] + 1))


async def test_kill_minus_nine_loses_nothing_that_was_acknowledged(tmp_path):
    """A server is killed in the middle of thousands of acknowledged appends; after a restart all of them are there."""
    store = tmp_path / "crash.db"
    acknowledged: list[int] = []
    async with server_process(store) as served, httpx2.AsyncClient(timeout=30) as http:
        tools = Tools(http, served.url)

        async def poster(first):
            for number in range(first, POSTS, 8):
                await tools.call("post_event", type="n", to="all", payload={"n": number}, **{"from": "poster"})
                acknowledged.append(number)
                if len(acknowledged) == 1_000:
                    served.process.send_signal(signal.SIGKILL)

        ends = await asyncio.gather(*(poster(first) for first in range(8)), return_exceptions=True)
        assert 1_000 <= len(acknowledged) < POSTS, ends
        await served.process.wait()
    async with server_process(store) as again, httpx2.AsyncClient(timeout=30) as http:
        entries = await whole_log(http, again.url)
    assert [entry["position"] for entry in entries] == list(range(1, len(entries) + 1))
    stored = [entry["facts"]["payload"]["n"] for entry in entries if entry["event"] == "MessagePosted"]
    assert set(acknowledged) <= set(stored)
    assert len(stored) == len(set(stored))


async def whole_log(http, url):
    entries, after = [], 0
    while page := (await http.get(f"{url}/api/v1/rooms/demo/entries?limit=1000&after={after}")).json()["entries"]:
        entries += page
        after = page[-1]["position"]
    return entries


async def test_a_stdio_process_talks_to_the_server_that_already_runs(tmp_path):
    """`stateroom mcp` finds the server on its store's file and passes messages on instead of writing beside it."""
    store = tmp_path / "shared.db"
    async with server_process(store) as served, stdio_agent(store, "--room", "demo", "--agent", "bound") as agent:
        posted = await called(agent, "post_event", type="hi", to="all", payload={}, **{"from": "someone"})
        async with httpx2.AsyncClient() as http:
            page = (await http.get(f"{served.url}/api/v1/rooms/demo/entries")).json()
    (entry,) = [entry for entry in page["entries"] if entry["position"] == posted["position"]]
    assert (entry["by"], entry["via"]) == ("bound", "open"), "it went through the server, under the bound name"
