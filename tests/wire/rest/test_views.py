"""Rooms and everything that can be looked at in them."""

import pytest

from tests.wire.rest.conftest import AFTER


async def test_a_room_is_made_listed_and_described(api):
    """Opening is idempotent; a room answers under its id and its code."""
    made = await api.post("/rooms", {"id": "demo", "template": "web-app"})
    assert (made.status_code, made.json()["tasks"], made.json()["project"]) == (201, 4, "Web app")
    assert (await api.post("/rooms", {"id": "demo"})).json()["code"] == made.json()["code"]
    assert (await api.get(f"/rooms/{made.json()['code'].lower()}")).json()["id"] == "demo"
    assert [room["id"] for room in (await api.get("/rooms")).json()] == ["demo"]
    assert len((await api.post("/rooms")).json()["id"]) == 12


async def test_making_a_room_twice_is_making_it_once(api):
    """A repeated request finds what the first one made; an unknown template leaves no room behind; a plan is kept."""
    bodies = [{"id": "demo", "template": "web-app"}] * 2
    assert [(await api.post("/rooms", body)).json()["tasks"] for body in bodies] == [4, 4]
    assert (await api.post("/rooms", {"id": "other", "template": "nope"})).status_code == 404
    assert (await api.get("/rooms/other")).status_code == 404
    other = await api.post("/rooms", {"id": "demo", "template": "incident"})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "room_has_tasks")


async def test_every_view_answers(busy):
    """Each view of the table, with what it should say."""
    say = {path: (await busy.get(f"/rooms/demo/{path}")).json() for path in VIEWS}
    assert [task["id"] for task in say["plan"]] == ["T-01", "T-02"]
    assert say["tasks/T-01"]["owner"] == "ann"
    assert say["unblocked"] == []
    assert [entry["version"] for entry in say["context"]] == ["1.1"]
    assert say["context/C-01"]["payload"] == AFTER
    assert [entry["version"] for entry in say["context/C-01/history"]] == ["1.0"]
    assert any("mail" in sentence for sentence in say["context/C-01/diff"]["breaking"])
    assert [(one["name"], one["online"]) for one in say["members"]] == [("ann", True), ("bob", True)]
    assert [lease["holder"] for lease in say["leases"]] == ["ann"]
    assert say["variables"] == {"k": "3000"}
    assert [review["reviewer"] for review in say["reviews"]] == ["bob"]
    assert say["search?q=needle"][0]["kind"] == "event"
    assert say["analytics"]["tasks"]["held"] == 1
    assert say["summary?member=bob"]["unread"]
    assert [review["id"] for review in say["duties?member=bob"]["to_review"]] == ["R-01"]


VIEWS = [
    *("plan", "tasks/T-01", "unblocked", "context", "context/C-01", "context/C-01/history", "context/C-01/diff"),
    *("members", "leases", "variables", "reviews", "search?q=needle", "analytics", "summary?member=bob"),
    "duties?member=bob",
]


@pytest.mark.parametrize("path", [*VIEWS, "entries", "events"])
async def test_an_unknown_room_is_not_found_for_every_verb(api, path):
    """404 with a next step; reading never makes a room (L09, W-48)."""
    answer = await api.get(f"/rooms/nope/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "unknown_room"
    assert (await api.get("/rooms")).json() == []


async def test_pages_join_without_gap_or_overlap(busy):
    """Reading on with `next` gives every entry once, in order."""
    seen, after = [], 0
    while entries := (page := (await busy.get("/rooms/demo/entries", after=after, limit=3)).json())["entries"]:
        seen += [entry["position"] for entry in entries]
        after = page["next"]
    assert seen == list(range(1, page["last"] + 1))


async def test_a_page_of_large_entries_is_cut_and_goes_on(api):
    """No answer grows beyond some megabytes, whatever its limit; reading on still gives everything."""
    big = {"type": "big", "to": "all", "payload": {"text": "x" * 60_000}}
    for _ in range(80):
        await api.wish("post-message", big)
    seen, after, longest = [], 0, 0
    while entries := (answer := await api.get("/rooms/demo/entries", after=after, limit=1000)).json()["entries"]:
        seen += [entry["position"] for entry in entries]
        after, longest = answer.json()["next"], max(longest, len(answer.content))
    assert seen == list(range(1, answer.json()["last"] + 1))
    assert 2_000_000 < longest < 4_500_000


async def test_events_read_in_both_directions(busy):
    """The same events, oldest or newest first, bounded by positions."""
    oldest = (await busy.get("/rooms/demo/events")).json()
    newest = (await busy.get("/rooms/demo/events", order="newest")).json()
    assert oldest == newest[::-1] != []
    middle = oldest[2]["position"]
    assert (await busy.get("/rooms/demo/events", before=middle, order="newest")).json() == oldest[:2][::-1]


async def test_a_summary_is_somebodys_and_consumes_nothing(busy):
    """Asking twice gives the same; without a member there is nobody to sum up for."""
    first = (await busy.get("/rooms/demo/summary", member="ann")).json()
    assert (await busy.get("/rooms/demo/summary", member="ann")).json() == first
    assert [task["id"] for task in first["tasks"]] == ["T-01"]
    nobody = await busy.get("/rooms/demo/summary")
    assert (nobody.status_code, nobody.json()["error"]["code"]) == (400, "bad_name")


async def test_what_can_be_started_is_sorted_by_importance(busy):
    """Priority first, then plan order; what waits for another task or is meant for somebody else is left out (W-20)."""
    for title, priority in (("later", None), ("third", 5), ("second", 2)):
        await busy.wish("open-task", {"title": title, "priority": priority})
    await busy.wish("move-task", {"task": "T-05", "to": "open", "owner": "bob"})
    order = [task["id"] for task in (await busy.get("/rooms/demo/unblocked")).json()]
    assert order == ["T-05", "T-04", "T-03"]
    assert [task["id"] for task in (await busy.get("/rooms/demo/unblocked", member="ann")).json()] == ["T-04", "T-03"]


async def test_members_come_and_go(api):
    """A heartbeat makes known and online; leaving forgets."""
    here = (await api.post("/rooms/demo/members/ann/heartbeat")).json()
    assert [(one["name"], one["online"]) for one in here] == [("ann", True)]
    assert (await api.http.delete("/api/v1/rooms/demo/members/ann")).json() == []
