"""Work handed out to a crowd over real HTTP: none twice, none skipped; and what becomes of it when a holder dies."""

import asyncio
import os
import signal
import sys
from collections import Counter

import httpx2
import pytest

from stateroom.app import StateroomApp, make_engine
from stateroom.settings import Settings
from tests.serving import environment, serving
from tests.wire.across.house import RUN, AheadClock
from tests.wire.tools import ToolError, Tools

AGENTS, TASKS = 20, 100
LEASE_S = 60


@pytest.fixture
def limits() -> httpx2.Limits:
    return httpx2.Limits(max_connections=100, max_keepalive_connections=100)


@pytest.mark.timeout(300)
async def test_twenty_agents_do_a_hundred_tasks_each_once(server, limits):
    """Each takes the next, shows what it did, and another says that it is done; until nothing is left."""
    async with httpx2.AsyncClient(limits=limits, timeout=60) as http:
        tools = Tools(http, server.url)
        await tools.call("read_plan")  # makes the room
        for number in range(AGENTS):
            await tools.call("room_join", name=f"agent-{number}")
        for number in range(TASKS):
            waits = [f"T-{number:02d}"] if number % 10 else []
            await tools.call(
                "room_task", name="agent-0", action="create", title=str(number), dod="shown", dependsOn=waits
            )
        taken: list[str] = []

        async def agent(number: int) -> None:
            name, judge = f"agent-{number}", f"agent-{(number + 1) % AGENTS}"
            while len(taken) < TASKS:
                given = await tools.call("next_task", name=name, agentId=name)
                if given["task"] is None:
                    await asyncio.sleep(0)  # noqa: TID251 (a turn of the loop: what it waits for, others are doing)
                    continue
                assert not given["resumed"]
                taken.append(given["task"]["id"])
                shown = {"id": given["task"]["id"], "token": given["token"], **RUN}
                await tools.call("room_task", name=name, action="submit", **shown)
                await tools.call("room_task", name=judge, action="verify", id=given["task"]["id"], verdict="done")

        await asyncio.gather(*(agent(number) for number in range(AGENTS)))
        plan = await tools.call("read_plan")
    assert Counter(taken) == Counter(task["id"] for task in plan["tasks"])
    assert len(taken) == TASKS
    assert all(task["status"] == "done" and task["verdict"]["by"] != task["owner"] for task in plan["tasks"])
    assert len({task["owner"] for task in plan["tasks"]}) > 1


async def test_of_fifty_claims_one_wins_and_the_others_are_told_who_has_it(server, limits):
    """And until when (trap 19)."""
    async with httpx2.AsyncClient(limits=limits, timeout=60) as http:
        tools = Tools(http, server.url)
        await tools.call("read_plan")  # makes the room
        names = [f"agent-{number}" for number in range(50)]
        for name in names:
            await tools.call("room_join", name=name)
        await tools.call("room_task", name=names[0], action="create", title="one")
        claims = [tools.call("room_task", name=name, action="claim", id="T-01", leaseSeconds=LEASE_S) for name in names]
        answers = await asyncio.gather(*claims, return_exceptions=True)
    won = [answer for answer in answers if not isinstance(answer, ToolError)]
    assert [answer["task"]["state"] for answer in won] == ["in_progress"]
    lost = [str(answer) for answer in answers if isinstance(answer, ToolError)]
    assert len(lost) == 49
    assert all(
        f"{won[0]['task']['owner']} has held it" in said and "under a lease that ends in" in said for said in lost
    )


HOLDER = """
import asyncio, os, sys
sys.path.insert(0, os.getcwd())
import httpx2
from tests.wire.tools import Tools

async def main():
    async with httpx2.AsyncClient(timeout=30) as http:
        tools = Tools(http, sys.argv[1])
        await tools.call("room_join", name="Ben")
        given = await tools.call("next_task", name="Ben", leaseSeconds=int(sys.argv[2]))
        print(given["token"], flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.timeout(120)
async def test_a_killed_holder_is_followed_by_another_and_fenced_off(tmp_path):
    """kill -9: after lease and grace the task is anybody's, the room is told whose it was and when that was last seen,
    and what comes back with the old token finishes nothing, through whatever face (traps 22, 72)."""
    settings, clock = Settings(store=f"sqlite:///{tmp_path / 'rooms.db'}"), AheadClock()
    async with (
        serving(settings, StateroomApp(make_engine(settings, clock), settings)) as served,
        httpx2.AsyncClient(timeout=30) as http,
    ):
        tools = Tools(http, served.url)
        await tools.call("read_plan")  # makes the room
        await tools.call("room_join", name="Ann")
        await tools.call("room_task", name="Ann", action="create", title="one", dod="shown")
        token = await _killed_holder(served.url)
        clock.ahead_ms += LEASE_S * 1000 + 29_000
        with pytest.raises(ToolError, match="Ben has held it"):  # the grace
            await tools.call("room_task", name="Ann", action="claim", id="T-01", leaseSeconds=LEASE_S)
        clock.ahead_ms += 2_000
        given = await tools.call("next_task", name="Ann", leaseSeconds=LEASE_S)
        assert (given["task"]["owner"], given["token"] > token) == ("Ann", True)
        (lapsed,) = [e for e in await tools.call("read_events", limit=50) if e["payload"].get("lapsed")]
        assert (lapsed["payload"]["holder"], lapsed["from"]) == ("Ben", "system")
        assert lapsed["payload"]["lastSeen"] < lapsed["timestamp"]
        await _finishes_nothing(tools, http, served.url, token)
        done = await tools.call("room_task", name="Ann", action="submit", id="T-01", token=given["token"], **RUN)
        assert done["task"]["state"] == "awaiting_review"


async def _killed_holder(url: str) -> int:
    """The token of a task whose holder, a process, is dead."""
    holder = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HOLDER, url, str(LEASE_S)), stdout=asyncio.subprocess.PIPE, env=environment()
    )
    assert holder.stdout is not None
    token = int(await holder.stdout.readline())
    os.kill(holder.pid, signal.SIGKILL)
    await holder.wait()
    return token


async def _finishes_nothing(tools: Tools, http: httpx2.AsyncClient, url: str, token: int) -> None:
    """Ben, back again with what he had."""
    for tool, arguments in (
        ("room_task", {"name": "Ben", "action": "submit", "id": "T-01", "token": token, **RUN}),
        ("room_task", {"name": "Ben", "action": "renew", "id": "T-01", "token": token}),
        ("update_task", {"agentId": "Ben", "taskId": "T-01", "status": "done", "token": token}),
    ):
        with pytest.raises(ToolError):
            await tools.call(tool, **arguments)
    body = {
        "by": "Ben",
        "wish": {"task": "T-01", "file_listing": "a", "file_excerpt": "b", "checks": "c", "token": token},
    }
    answer = await http.post(f"{url}/api/v1/rooms/demo/commands/submit-task", json=body)
    assert answer.status_code in (403, 409)
    plan = await tools.call("read_plan")
    assert [(task["status"], task["owner"]) for task in plan["tasks"]] == [("in_progress", "Ann")]
