"""Projects over HTTP: made, listed, shown, briefed, and their memory edited; and what is refused."""

import httpx2
import pytest

from stateroom.faces.rest.api import PREFIX

SECRET = "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"


async def made(api, name="Shop", brief="Keep it simple."):
    answer = await api.post("/projects", {"name": name, "brief": brief})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def put(api, path, body):
    return await api.http.put(f"{PREFIX}{path}", json=body)


async def noted(api, id, *texts, category="facts"):
    for text in texts:
        answer = await api.post(f"/projects/{id}/facts", {"text": text, "category": category})
        assert answer.status_code == 201, answer.text
    return answer.json()


async def test_a_project_is_made_listed_and_shown(api):
    """Its key is told once; a list tells how much there is, not all of it."""
    project = await made(api)
    assert (project["id"][:4], project["key"][:4]) == ("prj_", "pak_")
    assert (project["name"], project["brief"], project["brief_version"]) == ("Shop", "Keep it simple.", 1)
    await noted(api, project["id"], "it is fast")
    (listed,) = (await api.get("/projects")).json()
    assert {name: listed[name] for name in ("id", "name", "brief_version", "rooms", "facts")} == {
        "id": project["id"],
        "name": "Shop",
        "brief_version": 1,
        "rooms": 0,
        "facts": 1,
    }
    shown = (await api.get(f"/projects/{project['id']}")).json()
    assert (shown["memory"], shown["left_out"], shown["key"]) == ("### Facts\n- it is fast", 0, "")


async def test_a_brief_is_replaced(api):
    """With its version; a name alone makes none."""
    id = (await made(api))["id"]
    after = (await put(api, f"/projects/{id}/brief", {"brief": "Large.", "name": "Store"})).json()
    assert (after["brief"], after["brief_version"], after["name"]) == ("Large.", 2, "Store")
    again = (await put(api, f"/projects/{id}/brief", {"brief": "Large.", "name": "Shop"})).json()
    assert (again["brief_version"], again["name"]) == (2, "Shop")


async def test_a_fact_is_noted_edited_and_forgotten(api):
    """It keeps its id; the same in other words is the same."""
    id = (await made(api))["id"]
    (fact,) = (await noted(api, id, "No meetings", "no meetings!", category="preferences"))["facts"]
    assert (fact["id"], fact["category"], fact["text"], fact["edited"]) == (
        "M-01",
        "preferences",
        "No meetings",
        False,
    )
    (fact,) = (await put(api, f"/projects/{id}/facts/M-01", {"text": "No meetings on Fridays"})).json()["facts"]
    assert (fact["id"], fact["text"], fact["edited"]) == ("M-01", "No meetings on Fridays", True)
    assert (await api.post(f"/projects/{id}/facts/M-01/forget")).json()["facts"] == []


async def test_as_much_is_told_as_is_asked_for(api):
    """`budget` is in characters; the facts are all there whatever it is."""
    id = (await made(api))["id"]
    await noted(api, id, *[f"number {n}" for n in range(9)])
    shown = (await api.get(f"/projects/{id}", budget=50)).json()
    assert len(shown["memory"]) <= 50
    assert shown["left_out"] == 9 - shown["memory"].count("\n- ")
    assert len(shown["facts"]) == 9
    assert (await api.get(f"/projects/{id}", budget=64_001)).status_code == 400


async def test_secrets_are_taken_out(api):
    """Of a brief, a note and an edit alike."""
    project = await made(api, brief=f"use {SECRET}")
    assert project["brief"] == "use [REDACTED]"
    id = project["id"]
    answers = [
        await put(api, f"/projects/{id}/brief", {"brief": f"take {SECRET}"}),
        await api.post(f"/projects/{id}/facts", {"text": f"it is {SECRET}"}),
        await put(api, f"/projects/{id}/facts/M-01", {"text": f"it was {SECRET}"}),
        await api.get(f"/projects/{id}"),
    ]
    assert all(answer.is_success and SECRET not in answer.text for answer in answers)
    assert "it was [REDACTED]" in answers[-1].text


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": ""}, 400, "bad_name"),
        ({"name": " \t "}, 400, "bad_name"),
        ({"name": "a\u202eb"}, 400, "bad_name"),
        ({"name": "a\x00b"}, 400, "bad_text"),
        ({"name": "x" * 201}, 413, "too_long"),
        ({"name": "Shop", "brief": "x" * 16_001}, 413, "too_long"),
        ({"name": "Shop", "brief": "a\x00b"}, 400, "bad_text"),
        ({"name": "Shop", "key": "pak_mine"}, 400, "bad_request"),
        ({"brief": "Small."}, 400, "bad_request"),
    ],
)
async def test_what_no_project_is_made_of(api, body, status, code):
    """Nothing is left behind."""
    answer = await api.post("/projects", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert (await api.get("/projects")).json() == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/facts", {"text": " . "}, 400, "bad_fact"),
        ("POST", "/facts", {"text": "x y", "category": "gossip"}, 400, "bad_request"),
        ("POST", "/facts", {"text": "x" * 1_001}, 413, "too_long"),
        ("POST", "/facts", {"text": "a\x00b"}, 400, "bad_text"),
        ("PUT", "/facts/M-01", {"text": ""}, 400, "bad_fact"),
        ("PUT", "/facts/M-99", {"text": "x y"}, 404, "unknown_fact"),
        ("POST", "/facts/M-99/forget", {}, 404, "unknown_fact"),
        ("PUT", "/brief", {"brief": "x" * 16_001}, 413, "too_long"),
        ("PUT", "/brief", {"brief": "x", "name": "\u202e"}, 400, "bad_name"),
    ],
)
async def test_what_can_not_be_done_with_a_project(api, method, path, body, status, code):
    """It says what to do, and the project is as it was."""
    id = (await made(api))["id"]
    before = await noted(api, id, "it is fast")
    answer = await api.http.request(method, f"{PREFIX}/projects/{id}{path}", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
    assert answer.json()["error"]["hint"]
    assert (await api.get(f"/projects/{id}")).json() == before


ASKED = [
    ("GET", "", None),
    ("POST", "/key", {}),
    ("PUT", "/brief", {"brief": "mine"}),
    ("POST", "/facts", {"text": "x y"}),
    ("PUT", "/facts/M-01", {"text": "x y"}),
    ("POST", "/facts/M-01/forget", {}),
]


@pytest.mark.parametrize(("method", "path", "body"), ASKED)
async def test_another_teams_project_is_as_unknown_as_none(keyed_server, method, path, body):
    """The same words, for one that is there and one that is not; and it stays as it was."""
    async with httpx2.AsyncClient(base_url=keyed_server.url, timeout=20) as http:
        red, blue = ({"Authorization": f"Bearer {team}-secret"} for team in ("red", "blue"))
        project = (await http.post(f"{PREFIX}/projects", json={"name": "Shop"}, headers=red)).json()
        answers = [
            await http.request(method, f"{PREFIX}/projects/{id}{path}", json=body, headers=blue)
            for id in (project["id"], "prj_nobody")
        ]
        assert {(one.status_code, one.text) for one in answers} == {(403, answers[0].text)}
        assert answers[0].json()["error"]["code"] == "project_key_wrong"
        after = (await http.get(f"{PREFIX}/projects/{project['id']}", headers=red)).json()
        assert after == {**project, "key": ""}
        assert (await http.get(f"{PREFIX}/projects", headers=blue)).json() == []
