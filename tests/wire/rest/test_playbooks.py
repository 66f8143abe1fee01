"""Playbooks over HTTP: listed, saved from a room or as written, shown, removed; and rooms that start from them."""

import json
import re
from pathlib import Path

import httpx2
import pytest

from stateroom.core.official import OFFICIAL
from stateroom.faces.rest.api import PREFIX

RECIPE = {
    "name": "Ship it",
    "topic": "Ship: {what}",
    "replyMode": "sequential",
    "modeConfig": {"leadAgentName": "Builder", "leadAgentClient": "cc", "timeoutMs": {"lead": 5_000}},
    "roles": [{"name": "Builder", "role": "builder", "brief": "Build."}, {"name": "QA"}],
    "tasks": [
        {"title": "build", "dod": "works", "owner": "Builder", "verifier": "QA"},
        {"title": "ship", "description": "to all", "priority": 2, "depends_on": [0]},
    ],
    "opening": "What for?",
}
KEPT = {**RECIPE, "modeConfig": {**RECIPE["modeConfig"], "leadAgentClient": "cc"}}
OURS = {"id": "ship-it", "ownerId": "open"}


async def delete(api, id):
    return await api.http.delete(f"{PREFIX}/playbooks/{id}")


async def room_with_a_plan(api, room="demo"):
    """`demo`, with a builder, a reviewer, and a plan of two tasks for them."""
    await api.post("/rooms", {"id": room})
    for name, role in (("claude-1", "builder"), ("codex-2", "QA Reviewer")):
        assert (await api.post(f"/rooms/{room}/seats", {"name": name, "role": role})).status_code == 201
    await api.wish("open-task", {"title": "build", "owner": "claude-1", "verifier": "codex-2", "dod": "works"})
    await api.wish("open-task", {"title": "ship", "depends_on": ["T-01"]})


async def test_the_official_playbooks_are_there_from_the_start(api):
    """In the shape of §4.12, marked as official, of no team."""
    listed = (await api.get("/playbooks")).json()
    assert [one["id"] for one in listed] == list(OFFICIAL)
    assert all(one["official"] is True and "ownerId" not in one and one["opening"] for one in listed)
    crew = (await api.get("/playbooks/code-review-crew")).json()
    assert crew == listed[0]
    assert crew["replyMode"] == "sequential"
    assert [role["name"] for role in crew["roles"]] == ["Builder", "Reviewer", "QA"]
    assert crew["tasks"][1]["depends_on"] == [0]
    assert (crew["createdAt"], crew["updatedAt"]) == (0, 0)


async def test_a_recipe_is_saved_as_it_is_written(api):
    """Under the slug of its name, with the time in milliseconds; and shown so by id and by name."""
    answer = await api.post("/playbooks", RECIPE)
    assert answer.status_code == 201
    saved = answer.json()
    assert saved["replaced"] is False
    times = {name: saved["playbook"].pop(name) for name in ("createdAt", "updatedAt")}
    assert times["createdAt"] == times["updatedAt"] > 1_700_000_000_000
    assert saved["playbook"] == {**KEPT, **OURS}
    for id in ("ship-it", "SHIP%20it", "Ship it"):
        assert (await api.get(f"/playbooks/{id}")).json() == {**KEPT, **OURS, **times}
    assert [one["id"] for one in (await api.get("/playbooks")).json()] == [*OFFICIAL, "ship-it"]


async def test_a_name_in_chinese_is_an_id(api):
    """It is found by it, escaped in the address."""
    assert (await api.post("/playbooks", {**RECIPE, "name": "评审 小组"})).json()["playbook"]["id"] == "评审-小组"
    assert (await api.get("/playbooks/评审-小组")).json()["name"] == "评审 小组"
    assert (await delete(api, "评审-小组")).json() == {"removed": "评审-小组"}


async def test_a_room_is_saved_with_its_roles_and_its_plan(api):
    """Owners and verifiers by their roles; nothing of what has come of it."""
    await room_with_a_plan(api)
    code = (await api.get("/rooms/demo")).json()["code"]
    for room in ("demo", code):
        saved = (await api.post("/playbooks", {"name": "From the room", "room": room})).json()["playbook"]
        assert (saved["id"], saved["sourceRoomCode"], saved["ownerId"]) == ("from-the-room", code, "open")
        assert [(role["name"], bool(role["brief"])) for role in saved["roles"]] == [
            ("Builder", True),
            ("QA Reviewer", True),
        ]
        assert saved["tasks"] == [
            {"title": "build", "dod": "works", "owner": "Builder", "verifier": "QA Reviewer"},
            {"title": "ship", "depends_on": [0]},
        ]


async def test_saving_again_replaces_and_says_so(api):
    """The same again is no change; another recipe under the same slug is one."""
    first = (await api.post("/playbooks", RECIPE)).json()
    assert (await api.post("/playbooks", RECIPE)).json() == first
    second = (await api.post("/playbooks", {**RECIPE, "name": "SHIP it!", "topic": "Other"})).json()
    assert second["replaced"] is True
    assert second["playbook"]["createdAt"] == first["playbook"]["createdAt"]
    assert (await api.get("/playbooks/ship-it")).json()["topic"] == "Other"


async def test_a_removed_playbook_is_gone_and_its_rooms_stay(api):
    """The second removal finds none."""
    await api.post("/playbooks", RECIPE)
    await api.post("/rooms", {"id": "begun", "template": "ship-it"})
    assert (await delete(api, "ship-it")).json() == {"removed": "ship-it"}
    for answer in (await delete(api, "ship-it"), await api.get("/playbooks/ship-it")):
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_playbook")
    assert len((await api.get("/rooms/begun/plan")).json()) == 2


@pytest.mark.parametrize("template", ["ship-it", "Ship it", "decision-debate"])
async def test_a_named_room_starts_from_a_playbook_once(api, template):
    """Repeating the call changes nothing."""
    await api.post("/playbooks", RECIPE)
    first = await api.post("/rooms", {"id": "begun", "template": template})
    assert (first.status_code, first.json()["tasks"]) == (201, 1 if template == "decision-debate" else 2)
    assert (await api.post("/rooms", {"id": "begun", "template": template})).json() == first.json()


async def test_a_playbook_that_was_replaced_does_not_add_to_a_plan(api):
    """The room has tasks: whoever starts it again from what is another playbook now is told so (W-23)."""
    await api.post("/playbooks", RECIPE)
    await api.post("/rooms", {"id": "begun", "template": "ship-it"})
    await api.post("/playbooks", {**RECIPE, "topic": "Other"})
    again = await api.post("/rooms", {"id": "begun", "template": "ship-it"})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "room_has_tasks")


async def test_a_hosted_room_starts_from_a_playbook_with_its_mode_and_topic(api):
    """The topic of the playbook where none is given, the way to take turns, and the roles that are wanted."""
    await api.post("/playbooks", RECIPE)
    made = (await api.post("/rooms", {"host": "Nova", "template": "ship-it"})).json()
    assert (made["topic"], made["mode"], made["tasks"]) == ("Ship: {what}", "sequential", 2)
    named = (await api.post("/rooms", {"host": "Nova", "topic": "Mine", "template": "ship-it"})).json()
    assert (named["topic"], named["project"]) == ("Mine", "Mine")
    floor = (await api.get(f"/rooms/{made['code']}/floor")).json()
    assert floor["room"]["roles"] == [{"name": "Builder"}, {"name": "QA"}]
    assert floor["room"]["modeConfig"]["leadAgentName"] == "Builder"
    await api.post(f"/rooms/{made['code']}/seats", {"name": "one", "role": "builder"})
    floor = (await api.get(f"/rooms/{made['code']}/floor")).json()
    assert floor["room"]["roles"] == [{"name": "Builder", "takenBy": "one"}, {"name": "QA"}]
    assert floor["room"]["modeConfig"]["leadAgentName"] == "one"


async def test_an_unknown_playbook_makes_no_room(api):
    """Looked up before anything is made, with and without a host."""
    for room in ({"id": "nope"}, {"host": "Nova"}):
        answer = await api.post("/rooms", {**room, "template": "ship-it"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_template")
    assert (await api.get("/rooms")).json() == []


BAD = {
    "no name": ({"name": " "}, 400, "bad_playbook"),
    "no letter": ({"name": "🚀"}, 400, "bad_playbook"),
    "name missing": ({"name": None}, 400, "bad_request"),
    "official": ({"name": "Docs sprint"}, 409, "playbook_reserved"),
    "a template's": ({"name": "incident"}, 409, "playbook_reserved"),
    "9 roles": ({"roles": [{"name": f"r{n}"} for n in range(9)]}, 413, "too_long"),
    "21 tasks": ({"tasks": [{"title": "t"}] * 21}, 413, "too_long"),
    "nothing": ({"roles": [], "tasks": []}, 400, "bad_playbook"),
    "no title": ({"tasks": [{"title": ""}]}, 400, "bad_playbook"),
    "index too large": ({"tasks": [{"title": "t", "depends_on": [1]}]}, 400, "bad_playbook"),
    "index negative": ({"tasks": [{"title": "t", "depends_on": [-1]}]}, 400, "bad_playbook"),
    "index huge": ({"tasks": [{"title": "t", "depends_on": [10**4_000]}]}, 400, "bad_request"),
    "priority huge": ({"tasks": [{"title": "t", "priority": 10**4_000}]}, 400, "bad_request"),
    "index of another kind": ({"tasks": [{"title": "t", "depends_on": ["T-01"]}]}, 400, "bad_request"),
    "a circle": (
        {"tasks": [{"title": "a", "depends_on": [1]}, {"title": "b", "depends_on": [0]}]},
        400,
        "bad_playbook",
    ),
    "verifies its own": ({"tasks": [{"title": "t", "owner": "QA", "verifier": "ｑａ "}]}, 409, "owner_is_verifier"),
    "twice the same role": ({"roles": [{"name": "QA"}, {"name": " qa"}]}, 400, "bad_playbook"),
    "another mode": ({"replyMode": "deliver"}, 400, "bad_request"),
    "nobody moderates": ({"replyMode": "moderator", "modeConfig": {}}, 400, "invalid_mode_config"),
    "odd deadline": ({"modeConfig": {"timeoutMs": {"lead": "soon"}}}, 400, "invalid_mode_config"),
    "a field nobody knows": ({"evidence": []}, 400, "bad_request"),
    "a task's field nobody knows": ({"tasks": [{"title": "t", "state": "done"}]}, 400, "bad_request"),
    "a room besides": ({"room": "demo"}, 400, "bad_request"),
    "too much": ({"tasks": [{"title": "t", "dod": "x" * 16_000}] * 5}, 413, "too_long"),
    "a NUL": ({"topic": "a\0"}, 400, "bad_text"),
}


@pytest.mark.parametrize("what", BAD)
async def test_what_is_no_recipe_is_refused(api, what):
    """With its code and status and what to do next; nothing is kept."""
    change, status, code = BAD[what]
    answer = await api.post(
        "/playbooks", {name: value for name, value in {**RECIPE, **change}.items() if value is not None}
    )
    problem = answer.json()["error"]
    assert (answer.status_code, problem["code"]) == (status, code), problem
    assert problem["hint"]
    assert len((await api.get("/playbooks")).json()) == len(OFFICIAL)


async def test_a_room_that_is_not_there_is_not_saved(api):
    """Nor made by asking; one without tasks and roles has nothing to save."""
    assert (await api.post("/playbooks", {"name": "x", "room": "demo"})).json()["error"]["code"] == "unknown_room"
    assert (await api.get("/rooms")).json() == []
    await api.wish("join", {})
    refused = await api.post("/playbooks", {"name": "x", "room": "demo"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "nothing_to_keep")
    assert (await api.post("/playbooks", {"name": "x", "room": ""})).json()["error"]["code"] == "bad_room_id"


async def test_official_playbooks_can_not_be_removed(api):
    """They come with Stateroom."""
    answer = await delete(api, "docs-sprint")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "playbook_reserved")


async def test_fifty_one_playbooks_are_one_too_many(api):
    """The fifty-first is refused, and says how many there are."""
    for number in range(50):
        assert (await api.post("/playbooks", {**RECIPE, "name": f"p{number}"})).status_code == 201
    refused = await api.post("/playbooks", RECIPE)
    assert (refused.status_code, refused.json()["error"]["facts"]) == (409, {"count": 50, "limit": 50})


async def test_a_playbook_can_not_be_put_into_a_room_as_a_command(api):
    """The recipe is looked up by the server: nobody sends one that was never checked."""
    answer = await api.wish("apply-playbook", {"playbook": {"id": "x", "name": "x"}})
    assert answer.status_code == 404


async def test_teams_have_playbooks_of_their_own(keyed_server):
    """Another team neither sees them, nor starts from them, nor removes them; who has no key is not let in."""
    async with httpx2.AsyncClient(base_url=f"{keyed_server.url}{PREFIX}", timeout=20) as http:
        red, blue = ({"authorization": f"Bearer {team}-secret"} for team in ("red", "blue"))
        saved = await http.post("/playbooks", json=RECIPE, headers=red)
        assert saved.json()["playbook"]["ownerId"] == "red"
        assert "ship-it" not in (await http.get("/playbooks", headers=blue)).text
        assert (await http.get("/playbooks/ship-it", headers=blue)).status_code == 404
        assert (await http.delete("/playbooks/ship-it", headers=blue)).status_code == 404
        refused = await http.post("/rooms", json={"host": "Nova", "template": "ship-it"}, headers=blue)
        assert refused.json()["error"]["code"] == "unknown_template"
        assert (await http.get("/playbooks/ship-it", headers=red)).status_code == 200
        for method in ("GET", "POST"):
            assert (await http.request(method, "/playbooks", json=RECIPE)).status_code == 401


async def test_who_is_bound_to_a_room_is_told_of_no_other(api):
    """A code opens its room, so it is not shown there; and another room can not be saved from it."""
    await room_with_a_plan(api)
    await api.post("/playbooks", {"name": "Crew", "room": "demo"})
    bound = f"{PREFIX}/playbooks"
    shown = (await api.http.get(f"{bound}/crew", params={"room": "other"})).json()
    assert "sourceRoomCode" not in shown
    assert all("sourceRoomCode" not in one for one in (await api.http.get(bound, params={"room": "other"})).json())
    refused = await api.http.post(bound, params={"room": "other"}, json={"name": "x", "room": "demo"})
    assert refused.json()["error"]["code"] == "unknown_room"


async def test_the_example_of_the_documentation_is_a_recipe(api):
    """What docs/playbooks.md shows can be saved as it stands, and a room starts from it."""
    page = (Path(__file__).parents[3] / "docs" / "playbooks.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert (await api.post("/playbooks", json.loads(example))).json()["playbook"]["id"] == "release-crew"
    assert (await api.post("/rooms", {"host": "Nova", "template": "release-crew"})).json()["tasks"] == 2
    assert all(f"| `{id}` | {playbook.mode} |" in page for id, playbook in OFFICIAL.items())
