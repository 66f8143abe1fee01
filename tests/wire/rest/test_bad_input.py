"""Requests that are wrong below the rules: each gets one clear answer, and the server stays up."""

import pytest


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"null", 400),
        (b"[]", 400),
        (b'{"wish":{"title":"\xff"}}', 400),
        (b'{"wish":{"title":"\\ud800"}}', 400),
        (b"[" * 100_000, 400),
        (b'{"wish":{"title":"t","priority":' + b"9" * 5_000 + b"}}", 400),
        (b'{"wish":{"title":"t"}}{}', 400),
        (b"x" * 5_000_000, 413),
    ],
)
async def test_bad_bodies_get_an_answer_and_the_server_stays_up(api, body, status):
    """Broken JSON, broken text, nesting and five megabytes: a 4xx in our words, never a reset or a 500."""
    answer = await api.http.post("/api/v1/rooms/demo/commands/open-task", content=body)
    assert answer.status_code == status
    assert answer.json()["error"]["code"]
    assert (await api.http.get("/health")).json()["ok"]


@pytest.mark.parametrize("address", ["members/%ff/heartbeat", "inbox/a%c3", "inbox/a%00b", "inbox/a%ed%a0%80"])
async def test_broken_text_in_an_address_is_refused_not_altered(busy, address):
    """Half a character, a NUL or a surrogate never becomes a member by another name (L16)."""
    answer = await busy.post(f"/rooms/demo/{address}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_text")
    assert len((await busy.get("/rooms/demo/members")).json()) == 2
    assert (await busy.http.get("/api/v1/rooms/demo/search?q=%ff")).status_code == 400


@pytest.mark.parametrize("name", ["Room1", "x", "a" * 65, "bad__id", "%00"])
async def test_bad_room_ids_are_refused(api, name):
    """An id of the wrong shape is named as such, for reading and for writing."""
    for answer in (await api.get(f"/rooms/{name}"), await api.wish("open-task", {"title": "t"}, room=name)):
        assert answer.status_code in (400, 404)
        assert answer.json()["error"]["code"] in ("bad_room_id", "reserved_room_id", "bad_text")


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("entries", {"after": "abc"}),
        ("entries", {"after": "1.5"}),
        ("entries", {"after": "9" * 5000}),
        ("entries", {"limit": 0}),
        ("entries", {"limit": 1001}),
        ("entries", {"wait_ms": 60_001}),
        ("entries", {"nope": 1}),
        ("events", {"order": "sideways"}),
        ("context", {"type": "diary"}),
        ("reviews", {"status": "perhaps"}),
        ("search", {"q": ""}),
        ("analytics", {"days": 0}),
    ],
)
async def test_bad_query_parameters_are_named(busy, path, query):
    """Cursors, limits and choices are typed; an unknown parameter is not silently ignored (L32)."""
    answer = await busy.get(f"/rooms/demo/{path}", **query)
    assert answer.status_code == 400
    assert next(iter(query)) in answer.json()["error"]["message"]


@pytest.mark.parametrize("path", ["entries", "entries?wait_ms=20000", "events", "events?order=newest"])
async def test_a_cursor_outside_the_log_says_what_is_valid(busy, path):
    """Before the start or beyond the end: never an endless wait, never a replay from the start."""
    last = (await busy.get("/rooms/demo")).json()["position"]
    for after in (-1, last + 1, 10**18):
        answer = await busy.get(f"/rooms/demo/{path}{'&' if '?' in path else '?'}after={after}")
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (400, "bad_cursor")
        assert (error["facts"]["last"], f"0 to {last}" in error["message"]) == (last, True)


async def test_paths_and_methods_that_are_not_there_say_so(api):
    """404 and 405 in the one shape, with the document that lists what there is."""
    for answer, status in (
        (await api.get("/nothing"), 404),
        (await api.get("/rooms/"), 404),
        (await api.post("/rooms/demo/commands/tick"), 404),
        (await api.post("/rooms/demo/plan"), 405),
    ):
        assert answer.status_code == status
        assert "openapi.json" in answer.json()["error"]["hint"]
