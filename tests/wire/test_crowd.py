"""Many clients at once, over real HTTP: nothing is lost, nothing is done twice, nobody is told to retry."""

import asyncio
from collections import Counter

import httpx2
import pytest

from tests.wire.tools import ToolError, Tools

CLIENTS, OPERATIONS = 16, 500


@pytest.fixture
def limits() -> httpx2.Limits:
    return httpx2.Limits(max_connections=100, max_keepalive_connections=100)


@pytest.mark.timeout(300)
async def test_sixteen_clients_on_one_plan_lose_no_update_and_see_no_error(server, limits):
    """16 × 500 mixed writes on one plan: every acknowledged one is there afterwards (W-17, L01)."""
    async with httpx2.AsyncClient(limits=limits, timeout=60) as http:
        tools = Tools(http, server.url)

        async def client(number: int) -> Counter:
            done: Counter = Counter()
            task = await tools.call("add_task", title=f"{number}-0", description="")
            for step in range(1, OPERATIONS):
                if step % 5 == 0:
                    task = await tools.call("add_task", title=f"{number}-{step}", description="")
                    done["tasks"] += 1
                elif step % 5 in (1, 2):
                    await tools.call("set_task_priority", taskId=task["id"], priority=step)
                    done["updates"] += 1
                else:
                    status = "in_progress" if step % 5 == 3 else "done"
                    await tools.call("update_task", taskId=task["id"], status=status, owner=f"agent-{number}")
                    done["updates"] += 1
            return done

        total = sum(await asyncio.gather(*(client(number) for number in range(CLIENTS))), Counter())
        plan = await tools.call("read_plan")
        info = await tools.call("get_room_info")
    assert len(plan["tasks"]) == total["tasks"] + CLIENTS
    assert len({task["id"] for task in plan["tasks"]}) == len(plan["tasks"])
    assert {task["status"] for task in plan["tasks"]} == {"done"}
    assert info["eventCount"] == total["tasks"] + CLIENTS + total["updates"]


async def test_readers_that_share_a_name_get_every_event_exactly_once(server, limits):
    """32 concurrent readers under one agent id: every event delivered once, to one of them (W-06)."""
    async with httpx2.AsyncClient(limits=limits, timeout=60) as http:
        tools = Tools(http, server.url)
        for number in range(300):
            await tools.call("post_event", type="n", to="all", payload={"n": number}, **{"from": "poster"})

        async def reader() -> list[int]:
            got: list[int] = []
            while events := (await tools.call("get_unread_events", agentId="shared", limit=7))["events"]:
                got += [event["payload"]["n"] for event in events if event["type"] == "n"]
            return got

        batches = await asyncio.gather(*(reader() for _ in range(32)))
    assert sorted(n for batch in batches for n in batch) == list(range(300))
    assert all(batch == sorted(batch) for batch in batches)


async def test_of_fifty_agents_that_want_a_task_one_gets_it_and_the_others_are_told_who(server, limits):
    """One winner, 49 told who holds it (W-18, trap 19)."""
    async with httpx2.AsyncClient(limits=limits, timeout=60) as http:
        tools = Tools(http, server.url)
        task = await tools.call("add_task", title="wanted", description="")

        async def claim(number: int) -> str:
            try:
                won = await tools.call("update_task", taskId=task["id"], status="in_progress", owner=f"agent-{number}")
            except ToolError as refused:
                return str(refused)
            return won["owner"]

        answers = await asyncio.gather(*(claim(number) for number in range(50)))
    winners = [answer for answer in answers if answer.startswith("agent-")]
    assert len(winners) == 1
    assert sum(winners[0] in answer and answer.startswith("Error: ") for answer in answers) == 49
