"""Rooms as a whole (protocol §12.4, 124, 130 to 135): lists, figures, search, templates."""

import pytest

from stateroom.core.official import OFFICIAL
from stateroom.core.templates import TEMPLATES

from .harness import Room, promise


@promise("124")
async def test_list_rooms_has_the_teams_rooms_in_order(room: Room) -> None:
    """Sorted, and only this team's."""
    for id in ("zeta", "alpha", "mid"):
        await room.at(id).call("read_plan")
    await room.of_team("others").at("secret").call("read_plan")
    assert await room.call("list_rooms") == {"rooms": ["alpha", "mid", "zeta"]}


@promise("130")
async def test_room_info_after_a_claim(room: Room) -> None:
    """Owner, time of creation, echo of the id, and how much is in it."""
    await room.call("read_plan")
    await room.call("heartbeat", agentId="ann")
    await room.add()
    await room.note()
    await room.post(from_="bob")
    info = await room.call("get_room_info")
    assert (info["roomId"], info["ownerTeamId"], info["createdAt"]) == ("demo", "open", "2026-01-01T00:00:00.000Z")
    assert (info["memberCount"], info["taskCount"], info["contextCount"], info["eventCount"]) == (2, 1, 1, 2)


async def test_room_info_of_an_unknown_room_is_empty(room: Room) -> None:
    """Nobody owns it, and asking does not make it."""
    info = await room.call("get_room_info")
    assert (info["roomId"], info["ownerTeamId"], info["createdAt"], info["eventCount"]) == ("demo", None, None, 0)
    assert await room.call("list_rooms") == {"rooms": []}


@promise("131")
async def test_search_finds_tasks_context_and_events(room: Room) -> None:
    """By their words, with a kind, an id, a score and a snippet."""
    task = await room.add("auth for the API")
    entry = await room.note("how auth works")
    event = (await room.post("question", payload={"text": "who does auth?"}))["id"]
    await room.add("something else")
    answer = await room.call("search", q=" auth ")
    assert answer["q"] == "auth"
    assert {(hit["kind"], hit["id"]) for hit in answer["hits"]} >= {
        ("task", task),
        ("context", entry),
        ("event", event),
    }
    assert all(hit["score"] > 0 and "auth" in hit["snippet"] for hit in answer["hits"])


async def test_search_without_words_or_room_finds_nothing(room: Room) -> None:
    """Only spaces, or nothing there."""
    assert await room.call("search", q="auth") == {"q": "auth", "hits": []}
    await room.add("auth")
    assert await room.call("search", q="   ") == {"q": "", "hits": []}


@promise("132")
async def test_semantic_search_is_not_configured(room: Room) -> None:
    """The literal text."""
    refused = await room.refusal("search", q="auth", semantic=True)
    wanted = "Semantic search is not configured. Set UPSTASH_VECTOR_REST_URL and UPSTASH_VECTOR_REST_TOKEN."
    assert refused.text == f"Error: {wanted}"


@promise("W-68")
async def test_search_ranks_by_words_and_reaches_old_events(room: Room) -> None:
    """A title beats a mention, a word beats a part of one, and the 200 newest events are not the end."""
    old = (await room.post("needle", payload={"text": "haystack"}))["id"]
    for number in range(300):
        await room.post(payload={"n": number})
    mention = await room.note("about the plan", payload={"text": "the login comes later"})
    title = await room.add("login")
    await room.add("superlogin")
    assert [hit["id"] for hit in (await room.call("search", q="login"))["hits"]][:2] == [title, mention]
    assert all(hit["kind"] != "task" or hit["id"] == title for hit in (await room.call("search", q="login"))["hits"])
    assert [hit["id"] for hit in (await room.call("search", q="haystack"))["hits"]] == [old]


@promise("133")
async def test_analytics_of_one_done_task(room: Room) -> None:
    """Total 1, done 1, rate 1."""
    await room.call("update_task", taskId=await room.add(), status="done", owner="ann")
    figures = await room.call("get_room_analytics")
    assert figures["tasks"] == {
        "total": 1,
        "pending": 0,
        "inProgress": 0,
        "done": 1,
        "blocked": 0,
        "completionRate": 1.0,
    }
    assert (figures["roomId"], figures["ownerTeamId"]) == ("demo", "open")
    assert figures["agents"] == {"total": 1, "online": 1}
    assert figures["events"] == {"total": 2, "lastDays": 7, "perDay": 0.29}


async def test_analytics_of_an_empty_plan_has_rate_zero(room: Room) -> None:
    """Also in an unknown room; `days` is echoed."""
    figures = await room.call("get_room_analytics", days=3)
    assert (figures["tasks"]["total"], figures["tasks"]["completionRate"]) == (0, 0)
    assert figures["events"] == {"total": 0, "lastDays": 3, "perDay": 0.0}


@promise("W-72")
async def test_analytics_count_every_event_and_every_agent(room: Room) -> None:
    """Not only the newest 500; and each agent's tasks and what it finished."""
    for _ in range(600):
        await room.post()
    for owner, status in (("ann", "done"), ("ann", "in_progress"), ("bob", "done")):
        await room.call("update_task", taskId=await room.add(), status=status, owner=owner)
    figures = await room.call("get_room_analytics", days=1)
    assert figures["events"] == {"total": 606, "lastDays": 1, "perDay": 606.0}
    assert figures["byAgent"] == {"ann": {"owned": 2, "done": 1}, "bob": {"owned": 1, "done": 1}}


@promise("134")
async def test_templates_are_listed_in_order(room: Room) -> None:
    """blank, web-app, incident first, then ours, then playbooks, each with its number of tasks."""
    templates = (await room.call("list_templates"))["templates"]
    assert [(template["id"], template["taskCount"]) for template in templates][:3] == [
        ("blank", 0),
        ("web-app", 4),
        ("incident", 3),
    ]
    assert [template["id"] for template in templates] == [*TEMPLATES, *OFFICIAL]
    assert all(set(template) >= {"id", "name", "description", "taskCount"} for template in templates)


@promise("135")
@pytest.mark.parametrize("template", TEMPLATES)
async def test_a_room_from_a_template_has_as_many_tasks_as_reported(room: Room, template: str) -> None:
    """All pending and unowned, those of the protocol without dependencies; told as one event, and a mode it sets."""
    made = await room.call("create_room_from_template", templateId=template, agentId="ann")
    assert (made["roomId"], made["templateId"]) == ("demo", template)
    plan = await room.call("read_plan")
    assert (len(plan["tasks"]), plan["project"]) == (made["taskCount"], TEMPLATES[template].project)
    assert all((t["status"], t["owner"]) == ("pending", None) for t in plan["tasks"])
    assert template not in ("web-app", "incident") or not any(t["depends_on"] for t in plan["tasks"])
    assert [task["priority"] for task in plan["tasks"]] == list(range(1, made["taskCount"] + 1))
    (event, *mode) = sorted(await room.events(), key=lambda event: event["position"])
    assert [event["type"] for event in mode] == ["mode_changed"] * (TEMPLATES[template].mode != "open")
    assert (event["type"], event["from"], event["to"]) == ("room_templated", "ann", "all")
    assert event["payload"] == {"templateId": template, "taskCount": made["taskCount"]}


async def test_a_template_makes_a_room_with_an_id_of_its_own(room: Room) -> None:
    """Twelve characters when none is given; a given one is trimmed."""
    made = await room.raw("create_room_from_template", '{"templateId": "web-app"}')
    assert len(made.value["roomId"]) == 12
    assert made.value["roomId"].isalnum()
    trimmed = await room.call("create_room_from_template", templateId="blank", roomId=" spaced ")
    assert trimmed["roomId"] == "spaced"
    assert (await room.call("list_rooms"))["rooms"] == sorted([made.value["roomId"], "spaced"])


async def test_an_unknown_template_is_refused_and_makes_no_room(room: Room) -> None:
    """The literal text; nothing is left behind."""
    refused = await room.refusal("create_room_from_template", templateId="nope")
    assert refused.text == "Error: Unknown template: nope"
    assert await room.call("list_rooms") == {"rooms": []}
