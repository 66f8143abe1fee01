"""One playbook through all faces: saved from a room, started in each way, and its roles taken in each way."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio

from stateroom.core.roles import ROLES
from tests.wire.across.house import RUN, House, Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

Start = Callable[[House], Awaitable[str]]
Take = Callable[[Room, str, str], Awaitable[Any]]


async def by_tool(house: House) -> str:
    return str((await house.tool("room_create", topic="t", name="Nova", template="crew"))["code"])


async def by_state(house: House) -> str:
    made = await house.tool("create_room_from_template", templateId="crew")
    return str((await house.native("GET", f"/rooms/{made['roomId']}"))["code"])


async def by_action(house: House) -> str:
    made = await house.action("create", topic="t", createdBy="Nova", template="crew")
    return str(made["room"]["code"])


async def by_api(house: House) -> str:
    return str((await house.native("POST", "/rooms", {"host": "Nova", "template": "crew"}))["code"])


async def by_name(house: House) -> str:
    return str((await house.native("POST", "/rooms", {"template": "crew"}))["code"])


STARTS: dict[str, Start] = {
    "talk": by_tool,
    "state": by_state,
    "action": by_action,
    "api": by_api,
    "api by id": by_name,
}


async def seated_by_tool(room: Room, name: str, role: str) -> Any:
    return await room.tool("room_join", name=name, role=role)


async def seated_by_action(room: Room, name: str, role: str) -> Any:
    return await room.action("join", participant={"name": name, "client": "cc", "role": role})


async def seated_by_api(room: Room, name: str, role: str) -> Any:
    return await room.native("POST", "/seats", {"name": name, "role": role})


TAKES: dict[str, Take] = {"talk": seated_by_tool, "action": seated_by_action, "api": seated_by_api}


@pytest_asyncio.fixture(loop_scope="module")
async def crew(house: House, room: Room) -> AsyncIterator[dict[str, Any]]:
    """The playbook `crew`, saved from a room whose work is done."""
    await room.tool("room_join", name="w-1", role="builder")
    await room.tool("room_task", name="Ann", action="create", title="build", owner="w-1", verifier="Ben", dod="works")
    await room.tool("room_task", name="w-1", action="claim", id="T-01")
    await room.tool("room_task", name="w-1", action="submit", id="T-01", **RUN)
    await room.tool("room_task", name="Ben", action="verify", id="T-01", verdict="done", note="seen")
    await room.tool("add_task", title="tell", description="everybody", agentId="Dee")
    yield (await house.native("POST", "/playbooks", {"name": "Crew", "room": room.code}))["playbook"]
    await house.http.delete(f"{house.url}/api/v1/playbooks/crew")


async def test_a_room_whose_work_is_done_makes_a_plan_for_the_next(crew: dict[str, Any], room: Room):
    """Roles and tasks as they were planned; nobody's name that had a role, no evidence, no verdict, no key."""
    assert [role["name"] for role in crew["roles"]] == ["Skeptic", "Builder"]
    assert crew["tasks"] == [
        {"title": "build", "dod": "works", "owner": "Builder", "verifier": "Skeptic"},
        {"title": "tell", "description": "everybody"},
    ]
    kept = str(crew)
    assert not any(word in kept for word in ("w-1", "Ben", "1 passed", "seen", "a.py", room.host_key))


@pytest.mark.parametrize("start", STARTS)
async def test_a_playbook_starts_a_room_in_every_face(crew: dict[str, Any], house: House, start: str):
    """The same plan and the same roles, told once; and each face shows who is wanted."""
    room = Room(house, await STARTS[start](house))
    plan = await room.native("GET", "/plan")
    assert [(task["title"], task["owner"], task["verifier"], task["state"]) for task in plan] == [
        ("build", "Builder", "Skeptic", "open"),
        ("tell", None, None, "open"),
    ]
    assert [event["type"] for event in await room.events()] == ["room_templated"]
    shown = (await room.action("get"))["room"]["roles"]
    assert shown == [{"name": "Skeptic"}, {"name": "Builder"}]
    assert (await room.native("GET", "/floor"))["room"]["roles"] == shown
    assert (await room.page())["room"]["roles"] == shown


@pytest.mark.parametrize("take", TAKES)
async def test_a_role_is_taken_in_every_face_and_played_in_all(crew: dict[str, Any], house: House, take: str):
    """The new room's people have other names; what was planned for their roles is theirs everywhere."""
    room = Room(house, await by_tool(house))
    builder = await TAKES[take](room, "x-7", "Builder")
    await TAKES[take](room, "y-8", "skeptic")
    if take != "api":
        assert builder["roleBrief"] == ROLES["builder"].brief
    board = (await room.action("taskBoard"))["board"]["tasks"]
    assert (board[0]["owner"], board[0]["verifier"]) == ("x-7", "y-8")
    changes = [(one["field"], one["from"], one["to"], one["by"]) for one in board[0]["roleHistory"]]
    assert changes == [("owner", "Builder", "x-7", "x-7"), ("verifier", "Skeptic", "y-8", "y-8")]
    assert [one["id"] for one in (await room.native("GET", "/duties", member="x-7"))["queued"]] == ["T-01"]
    await room.tool("room_task", name="x-7", action="claim", id="T-01")
    await room.wish("submit-task", "x-7", task="T-01", file_listing="a", file_excerpt="b", checks="1. works: ran it")
    refused = await room.action_no("taskVerify", name="Nova", id="T-01", verdict="done", note="ok")
    assert refused.name == "NotVerifierError"
    await room.action("taskVerify", name="y-8", id="T-01", verdict="done", note="ok")
    assert (await room.native("GET", "/plan"))[0]["state"] == "done"


async def test_a_removed_playbook_starts_nothing_in_any_face(house: House):
    """Each says that there is no such thing, in its own words, and makes no room."""
    before = await house.native("GET", "/rooms")
    assert (await house.tool_no("room_create", topic="t", name="Nova", template="gone")).name == "unknown_template"
    assert (await house.tool_no("create_room_from_template", templateId="gone")).name == "unknown_template"
    assert (await house.action_no("create", topic="t", createdBy="Nova", template="gone")).status == 400
    for body in ({"host": "Nova", "template": "gone"}, {"id": "some-room", "template": "gone"}):
        assert (await house.native_no("POST", "/rooms", body)).name == "unknown_template"
    assert await house.native("GET", "/rooms") == before
