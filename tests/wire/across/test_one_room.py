"""Two agents through `/mcp`, a person through `/api/room` and an agent of the Room Protocol work in one room (§10)."""

import asyncio
from typing import Any, Literal

import httpx2
import pytest
from mcp.client import Client

from tests.serving import Served
from tests.wire.across.house import RUN, House, Room
from tests.wire.across.official import Official

ENDPOINT = {"method": "POST", "path": "/orders", "auth_required": True, "description": "d"}
KEPT = {"service": "orders", "version": "1", "endpoints": [{**ENDPOINT, "response": {"id": "string", "sum": "int"}}]}
BROKEN = {"service": "orders", "version": "2", "endpoints": [{**ENDPOINT, "response": {"id": "string"}}]}


class Company:
    """Who takes part: Nova and Iris by the official client, Mara as a person, Dee by the Room Protocol."""

    def __init__(self, house: House, nova: Official, iris: Official) -> None:
        self.house, self.nova, self.iris = house, nova, iris
        self.room = Room(house, "")
        self.heard = 0
        """Iris's cursor."""

    async def mara(self, action: str, **fields: Any) -> Any:
        return await self.room.action(action, **fields)

    async def dee(self, tool: str, **arguments: Any) -> Any:
        return await self.room.tool(tool, **arguments)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_four_work_in_one_room_through_three_faces(server: Served, mode: Literal["auto", "legacy"]):
    """Create, join, talk, listen, share, prove, decide, export, end: each step is seen from another face."""
    url = f"{server.url}/mcp"
    async with (
        httpx2.AsyncClient(timeout=40, trust_env=False) as http,
        Client(url, mode=mode) as first,
        Client(url, mode=mode) as second,
    ):
        company = Company(House(server.url, http), Official(first), Official(second))
        for step in (create, join, talk, share, prove, decide, export, end, compare):
            await step(company)


async def create(company: Company) -> None:
    """By a tool; seen by an action, on the page and in the Room Protocol."""
    made = await company.nova("room_create", topic="Checkout API", name="Nova")
    company.room = Room(company.house, made["code"], "Nova", made["hostKey"])
    shown = (await company.mara("get"))["room"]
    assert (shown["topic"], shown["createdBy"], shown["status"]) == ("Checkout API", "Nova", "active")
    assert made["code"] in (await company.house.tool("list_rooms"))["rooms"]
    assert "Checkout API" in await company.room.html()


async def join(company: Company) -> None:
    """By a tool with the pasted address, by an action, by a first act; seen by all others."""
    code = company.room.code
    joined = await company.iris("room_join", code=f"{company.house.url}/j/{code.lower()}", name="Iris", role="skeptic")
    company.heard = joined["cursor"]
    await company.room.join("Mara", "web")
    summary = await company.dee("get_my_summary", agentId="Dee")
    assert [one["agentId"] for one in summary["presence"]] == ["Nova", "Iris", "Mara", "Dee"]
    assert {one["status"] for one in summary["presence"]} == {"online"}
    participants = (await company.mara("get"))["room"]["participants"]
    assert [(one["name"], one["client"]) for one in participants] == [
        ("Nova", "cc"),
        ("Iris", "cc"),
        ("Mara", "web"),
        ("Dee", "cc"),
    ]
    page = await company.room.html()
    assert all(name in page for name in ("Nova", "Iris", "Mara", "Dee"))


async def talk(company: Company) -> None:
    """A person speaks by an action: who listens by a tool, and who waits in the Room Protocol, is woken."""
    listening = company.iris("room_listen", code=company.room.code, name="Iris", since=company.heard, timeoutMs=20_000)
    waiting = company.dee("wait_for_events", agentId="Dee", timeoutMs=20_000)
    heard, told, _ = await asyncio.gather(listening, waiting, company.room.say("Mara", "Who owns retries, @Iris?"))
    assert [(one["name"], one["text"]) for one in heard["messages"]] == [("Mara", "Who owns retries, @Iris?")]
    assert heard["addressedYou"]
    assert [(one["type"], one["from"]) for one in told["events"]] == [("message", "Mara")]
    company.heard = heard["cursor"]
    asked, code = heard["messages"][0]["id"], company.room.code
    await company.iris("room_send", code=code, name="Iris", text="The gateway does.", replyTo=asked)
    line = (await company.mara("messages", cursor=company.heard))["messages"][0]
    assert (line["name"], line["role"], line["text"]) == ("Iris", "skeptic", "The gateway does.")
    assert line["replyTo"] == {"id": asked, "name": "Mara", "text": "Who owns retries, @Iris?"}


async def share(company: Company) -> None:
    """A contract, written and broken in the Room Protocol, reaches its reader in the conversation."""
    for_iris = {"type": "api_contract", "consuming_agents": ["Iris"], "author": "Dee"}
    written = await company.dee("write_context", summary="orders", payload=KEPT, **for_iris)
    await company.dee("update_context", id=written["id"], author="Dee", payload=BROKEN)
    ask = {"code": company.room.code, "name": "Iris", "since": company.heard, "wakeOn": "addressed"}
    heard = await company.iris("room_listen", **ask, timeoutMs=20_000)
    assert [one.get("event") for one in heard["messages"]][-2:] == ["context_update"] * 2
    assert "BREAKING: " in heard["messages"][-1]["text"]
    company.heard = heard["cursor"]
    entry = await company.iris("list_context", roomId=company.room.code)
    assert [(one["id"], one["version"], one["author"]) for one in entry] == [("C-01", "1.1", "Dee")]
    assert "C-01" in await company.room.html()


async def prove(company: Company) -> None:
    """A task opened by a tool is on every board; done it is only by the verdict of another."""
    code = company.room.code
    made = await company.nova("room_task", code=code, name="Nova", action="create", title="Write it", verifier="Nova")
    id = made["task"]["id"]
    refused = await company.room.tool_no("update_task", taskId=id, status="done", owner="Iris")
    assert (refused.name, f'room_task(action: "submit", id: "{id}"' in refused.hint) == ("task_needs_proof", True)
    assert (await company.dee("get_unblocked_tasks"))[0]["id"] == id
    await company.iris("room_task", code=code, name="Iris", action="claim", id=id)
    assert (await company.dee("get_my_tasks", agentId="Iris"))[0]["status"] == "in_progress"
    await company.iris("room_task", code=code, name="Iris", action="submit", id=id, **RUN)
    assert (await company.mara("taskBoard"))["board"]["tasks"][0]["state"] == "awaiting_review"
    assert (await company.iris.no("room_task", code=code, name="Iris", action="verify", id=id, verdict="done"))[
        "ok"
    ] is (False)
    await company.mara("taskVerify", id=id, name="Nova", verdict="done")
    plan = (await company.dee("read_plan"))["tasks"]
    assert [(one["id"], one["status"], one["owner"]) for one in plan] == [(id, "done", "Iris")]


async def decide(company: Company) -> None:
    """A decision said by an action becomes an entry by a tool, and is read in the Room Protocol."""
    said = await company.room.say("Mara", "[DECISION] retries live in the gateway\n[TODO] tell support")
    minutes = await company.nova("room_minutes", code=company.room.code)
    assert [one["text"] for one in minutes["decisions"]] == ["retries live in the gateway"]
    artifact = minutes["decisions"][0]["id"]
    await company.nova("room_minutes", code=company.room.code, name="Nova", keepDecision=artifact)
    kept = await company.dee("read_context", id="C-02")
    assert (kept["type"], kept["author"]) == ("arch_decision", "Nova")
    assert kept["payload"]["source"]["message"] == said["message"]["id"]
    assert kept["payload"]["consequences"] == ["tell support"]


async def export(company: Company) -> None:
    """A report exported by a tool is the newest for an action, and is read by its address."""
    made = await company.iris("room_minutes", code=company.room.code, name="Iris", export=True)
    newest = (await company.mara("getReport"))["report"]
    assert newest["id"] == made["reportId"]
    assert newest["decisions"] == ["Mara: retries live in the gateway"]
    page = await company.house.get(f"/reports/{made['reportId']}", accept="text/html")
    assert (page.status_code, "retries live in the gateway" in page.text) == (200, True)
    native = await company.house.native("GET", f"/reports/{made['reportId']}")
    assert native["report"]["decisions"] == newest["decisions"]


async def end(company: Company) -> None:
    """The host ends it by a tool while another listens; nobody can say anything any more, anywhere."""
    room, code = company.room, company.room.code
    company.heard = (await company.iris("room_listen", code=code, name="Iris", since=company.heard))["cursor"]
    listening = company.iris("room_listen", code=code, name="Iris", since=company.heard, timeoutMs=20_000)
    ending = company.nova("room_end", code=code, name="Nova", hostKey=room.host_key)
    heard, _ = await asyncio.gather(listening, ending)
    assert heard["terminated"] == "room_ended"
    late = {"name": "Mara", "text": "and another thing"}
    assert (await room.action_no("send", message=late)).name == "RoomEndedError"
    posted = {"type": "t", "from_": "Dee", "to": "all", "payload": {}}
    assert (await room.tool_no("post_event", **posted)).name == "room_ended"
    assert (await company.mara("get"))["room"]["status"] == "ended"
    assert "ended" in (await room.html()).lower()


async def compare(company: Company) -> None:
    """What everybody saw is one order of one log."""
    room = company.room
    entries, events, lines = await room.entries(), await room.events(), await room.lines()
    assert [one["position"] for one in entries] == list(range(1, len(entries) + 1))
    assert [one["position"] for one in events] == [one["position"] for one in entries if one["told"]]
    assert [one["id"] for one in lines] == [one["position"] for one in entries if one["line"]]
    assert [one["line"] for one in lines] == list(range(1, len(lines) + 1))
    assert await room.house.stream(room.code, len(events)) == events
    assert (await room.page())["messages"] == lines
