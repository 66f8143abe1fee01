"""The page of a room for programs."""

import pytest


@pytest.mark.parametrize(
    ("accept", "query", "kind"),
    [
        ("*/*", "", "text/html"),
        ("", "", "text/html"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "", "text/html"),
        ("application/json", "", "application/json"),
        ("application/json, text/html;q=0.9", "", "application/json"),
        ("application/json;q=0.5, text/html", "", "text/html"),
        ("application/json;q=nonsense", "", "text/html"),
        ("application/*", "", "application/json"),
        ("text/html", "?format=json", "application/json"),
    ],
)
async def test_the_page_comes_as_it_is_asked_for(busy, accept, query, kind):
    """By `Accept` or by `?format=json`; who takes either gets the page."""
    answer = await busy.web.get(f"/r/{busy.code}{query}", accept=accept)
    assert answer.headers["content-type"].partition(";")[0] == kind
    assert "accept" in answer.headers["vary"]


async def test_as_data_the_page_has_the_known_shapes(busy):
    """Room, messages, board and turn as clients of Agent Room know them; context without the payloads."""
    data = await busy.web.data(f"/r/{busy.code}")
    assert data["room"]["topic"] == "Why is checkout slow?"
    assert {one["name"]: one["presence"] for one in data["room"]["participants"]}["nova"] == "online"
    assert data["messages"][0]["text"] == "What changed on Thursday?"
    assert data["total"] == len(data["messages"])
    assert [task["state"] for task in data["board"]["tasks"]] == ["awaiting_review", "todo"]
    assert [(one["id"], one["summary"]) for one in data["context"]] == [("C-01", "Retries live in the gateway")]
    assert (data["turnState"], data["older"]) == (None, None)
    assert "digest" not in str(data).lower()


async def test_data_come_in_pages_too(long):
    """`older` leads to the lines before, until there are none."""
    data = await long.web.data(f"/r/{long.code}")
    seen = [one["line"] for one in data["messages"]]
    while data["older"]:
        data = await long.web.data(data["older"].partition("7373")[2])
        seen = [one["line"] for one in data["messages"]] + seen
    assert seen == list(range(1, 451))
