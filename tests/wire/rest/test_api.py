"""The native API over real HTTP: every endpoint, every kind of no."""

import asyncio

import httpx2
import pytest
import pytest_asyncio

from stateroom.core.room import RULES
from stateroom.faces.rest.commands import OURS, kebab

ENDPOINT = {"method": "GET", "path": "/me", "auth_required": True, "description": "d"}
BEFORE = {"service": "s", "version": "1", "endpoints": [{**ENDPOINT, "response": {"id": "string", "mail": "string"}}]}
AFTER = {"service": "s", "version": "1.1", "endpoints": [{**ENDPOINT, "response": {"id": "string"}}]}


class Api:
    """Short ways to say requests."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http

    async def get(self, path, **query):
        return await self.http.get(f"/api/v1{path}", params=query or None)

    async def post(self, path, body=None):
        return await self.http.post(f"/api/v1{path}", json=body if body is not None else {})

    async def wish(self, command, wish, by="ann", request_id="", room="demo"):
        body = {"by": by, "request_id": request_id, "wish": wish}
        return await self.post(f"/rooms/{room}/commands/{command}", body)


@pytest_asyncio.fixture
async def api(server):
    async with httpx2.AsyncClient(base_url=server.url, timeout=20) as http:
        yield Api(http)


@pytest_asyncio.fixture
async def busy(api):
    """A room with something of everything."""
    await api.wish("open-task", {"title": "one"})
    await api.wish("open-task", {"title": "two", "depends_on": ["T-01"], "priority": 1})
    await api.wish("move-task", {"task": "T-01", "to": "held", "owner": "ann"})
    contract = {"type": "api_contract", "summary": "auth", "payload": BEFORE, "consumers": ["bob"]}
    await api.wish("write-context", contract)
    await api.wish("revise-context", {"context": "C-01", "payload": AFTER})
    await api.wish("take-lease", {"resource": "file", "seconds": 60})
    await api.wish("set-variable", {"key": "k", "value": "3000"})
    await api.wish("request-review", {"target_type": "task", "target": "T-01", "reviewer": "bob"})
    await api.wish("post-message", {"type": "hello", "to": "all", "payload": {"needle": 1}}, by="bob")
    return api


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


VIEWS = [
    *("plan", "tasks/T-01", "unblocked", "context", "context/C-01", "context/C-01/history", "context/C-01/diff"),
    *("members", "leases", "variables", "reviews", "search?q=needle", "analytics", "summary?member=bob"),
]


@pytest.mark.parametrize("path", [*VIEWS, "entries", "events"])
async def test_an_unknown_room_is_not_found_for_every_verb(api, path):
    """404 with a next step; reading never makes a room (L09, W-48)."""
    answer = await api.get(f"/rooms/nope/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "unknown_room"
    assert (await api.get("/rooms")).json() == []


async def test_every_command_is_there(api):
    """Each command a client may wish has its path, and says what its wish lacks."""
    for command in RULES:
        answer = await api.post(f"/rooms/demo/commands/{kebab(command)}", {})
        assert answer.status_code == (404 if command in OURS else 400), command


async def test_a_command_answers_with_its_entries(api):
    """Position, whether it changed anything, and the facts themselves."""
    first = (await api.wish("open-task", {"title": "one"})).json()
    assert [entry["event"] for entry in first["entries"]] == ["MemberJoined", "TaskOpened"]
    assert (first["changed"], first["position"]) == (True, first["entries"][-1]["position"])
    again = (await api.wish("move-task", {"task": "T-01", "to": "open"})).json()
    assert (again["changed"], again["entries"]) == (False, [])


@pytest.mark.parametrize(
    ("command", "wish"),
    [
        ("leave", {}),
        ("mark-read", {"position": 1}),
        ("take-lease", {"resource": "r", "seconds": 9}),
        ("release-lease", {"resource": "file"}),
        ("request-review", {"target_type": "task", "target": "T-01", "reviewer": "bob"}),
        ("resolve-review", {"review": "R-01", "verdict": "approved"}),
    ],
)
async def test_what_needs_somebody_is_refused_to_nobody(busy, command, wish):
    """Two callers without a name would otherwise hold one lease; the rest of the commands may be anonymous."""
    answer = await busy.wish(command, wish, by="")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_name")
    assert (await busy.wish("open-task", {"title": "t"}, by="")).status_code == 200


async def test_the_position_of_an_answer_skips_nobody_elses_entries(busy):
    """It is that of the caller's own last entry, also when others wrote meanwhile (L06)."""
    answers = await asyncio.gather(*(busy.wish("open-task", {"title": str(n)}, by=f"w{n}") for n in range(8)))
    for answer in answers:
        assert answer.json()["position"] == answer.json()["entries"][-1]["position"]


async def test_a_refusal_names_its_facts(busy):
    """Programs read who holds a task and for how long from `facts`; what a caller sent comes back bounded (L39)."""
    refused = (await busy.wish("move-task", {"task": "T-01", "to": "held", "owner": "bob"}, by="bob")).json()
    assert refused["error"]["facts"]["holder"] == "ann"
    assert "facts" not in (await busy.get("/nothing")).json()["error"]
    long = await busy.wish("move-task", {"task": "T" * 500_000, "to": "done"})
    assert len(long.content) < 5_000


async def test_a_request_id_makes_repeating_harmless(api):
    """Same id and wish: the same entries, marked; another wish: 409 (W-73, trap 37)."""
    first = (await api.wish("open-task", {"title": "one"}, request_id="r")).json()
    again = (await api.wish("open-task", {"title": "one"}, request_id="r")).json()
    assert (again["replayed"], again["entries"]) == (True, first["entries"])
    other = await api.wish("open-task", {"title": "other"}, request_id="r")
    assert (other.status_code, other.json()["error"]["code"]) == (409, "request_reused")
    endless = await api.wish("open-task", {"title": "one"}, request_id="r" * 129)
    assert (endless.status_code, endless.json()["error"]["code"]) == (413, "too_long")


@pytest.mark.parametrize(
    ("command", "wish", "status", "says"),
    [
        ("move-task", {"task": "T-99", "to": "done"}, 404, "T-99"),
        ("withdraw-context", {"context": "C-99"}, 404, "C-99"),
        ("mark-read", {"position": 999}, 404, "E-999"),
        ("release-lease", {"resource": "nothing"}, 409, "nothing"),
        ("resolve-review", {"review": "R-99", "verdict": "approved"}, 404, "R-99"),
        ("open-task", {"title": 1}, 400, "$.wish.title"),
        ("open-task", {"title": "t", "colour": "red"}, 400, "colour"),
        ("take-lease", {"resource": "r", "seconds": 0}, 400, "seconds"),
        ("take-lease", {"resource": "r", "seconds": 301}, 400, "seconds"),
        ("take-lease", {"resource": "r", "seconds": 10**18}, 400, "seconds"),
        ("open-task", {}, 400, "title"),
        ("move-task", {"task": "T-01", "to": "nowhere"}, 400, "$.wish.to"),
        ("open-task", {"title": "x" * 1001}, 413, "title"),
        ("open-task", {"title": "a\x00b"}, 400, "NUL"),
        ("set-variable", {"key": "k", "value": "v" * 4097}, 413, "value"),
        ("post-message", {"type": "t", "to": "all", "payload": {"t": "x" * 64_001}}, 413, "payload exceeds 64KB"),
        ("write-context", {"type": "note", "summary": "s", "payload": {"text": ""}}, 400, "text"),
        (
            "write-context",
            {"type": "api_contract", "summary": "s", "payload": {"endpoints": [{}]}},
            400,
            "endpoints.0.method",
        ),
        ("apply-template", {"template": "nope"}, 404, "nope"),
    ],
)
async def test_bad_wishes_get_one_clear_error_and_change_nothing(busy, command, wish, status, says):
    """The problem names the thing or the field, says what to do, and the log stays as it was."""
    before = (await busy.get("/rooms/demo")).json()["position"]
    answer = await busy.wish(command, wish)
    assert answer.status_code == status, answer.text
    assert says in answer.json()["error"]["message"]
    assert answer.json()["error"]["hint"]
    assert (await busy.get("/rooms/demo")).json()["position"] == before


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
    assert any(word in answer.json()["error"]["message"] for word in (next(iter(query)), "cursor"))


@pytest.mark.parametrize("path", ["entries", "entries?wait_ms=20000", "events", "events?order=newest"])
async def test_a_cursor_outside_the_log_says_what_is_valid(busy, path):
    """Before the start or beyond the end: never an endless wait, never a replay from the start."""
    last = (await busy.get("/rooms/demo")).json()["position"]
    for after in (-1, last + 1, 10**18):
        answer = await busy.get(f"/rooms/demo/{path}{'&' if '?' in path else '?'}after={after}")
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (400, "bad_cursor")
        assert (error["facts"]["last"], f"0 to {last}" in error["message"]) == (last, True)


async def test_pages_join_without_gap_or_overlap(busy):
    """Reading on with `next` gives every entry once, in order."""
    seen, after = [], 0
    while entries := (page := (await busy.get("/rooms/demo/entries", after=after, limit=3)).json())["entries"]:
        seen += [entry["position"] for entry in entries]
        after = page["next"]
    assert seen == list(range(1, page["last"] + 1))


async def test_events_read_in_both_directions(busy):
    """The same events, oldest or newest first, bounded by positions."""
    oldest = (await busy.get("/rooms/demo/events")).json()
    newest = (await busy.get("/rooms/demo/events", order="newest")).json()
    assert oldest == newest[::-1] != []
    middle = oldest[2]["position"]
    assert (await busy.get("/rooms/demo/events", before=middle, order="newest")).json() == oldest[:2][::-1]


async def test_a_long_poll_returns_the_moment_something_happens(busy):
    """`wait_ms` waits for the first entry and no longer."""
    last = (await busy.get("/rooms/demo")).json()["position"]
    waiting = asyncio.create_task(busy.get("/rooms/demo/entries", after=last, wait_ms=15_000))
    await busy.wish("post-message", {"type": "now", "to": "all", "payload": {}})
    assert [entry["event"] for entry in (await waiting).json()["entries"]] == ["MessagePosted"]
    assert (await busy.get("/rooms/demo/entries", after=last + 1, wait_ms=1)).json()["entries"] == []


async def test_the_inbox_takes_peeks_and_acknowledges(busy):
    """What is taken is gone, what is peeked at stays, what is not acknowledged comes again."""
    box = "/rooms/demo/inbox/cyn"
    peeked = (await busy.post(box, {"peek": True})).json()
    assert (await busy.post(box, {"peek": True})).json() == peeked
    some = (await busy.post(box, {"ack": 0, "limit": 2})).json()
    assert (await busy.post(box, {"ack": 0, "limit": 2})).json() == some
    rest = (await busy.post(box, {"ack": some["position"]})).json()
    taken = (await busy.post(box)).json()
    assert rest["events"] == taken["events"] == peeked["events"][2:]
    assert (await busy.post(box)).json()["events"] == []
    for outside in (-1, 10_000, 10**30):
        assert (await busy.post(box, {"ack": outside})).json()["error"]["code"] == "bad_cursor"


async def test_members_come_and_go(api):
    """A heartbeat makes known and online; leaving forgets."""
    here = (await api.post("/rooms/demo/members/ann/heartbeat")).json()
    assert [(one["name"], one["online"]) for one in here] == [("ann", True)]
    assert (await api.http.delete("/api/v1/rooms/demo/members/ann")).json() == []


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


async def test_health_needs_no_key_and_says_what_it_stands_on(keyed_server):
    """`{ok, ts, version, store}`, on every server."""
    async with httpx2.AsyncClient() as http:
        health = (await http.get(f"{keyed_server.url}/health")).json()
    assert (health["ok"], health["store"]) == (True, "sqlite")


async def test_a_keyed_server_wants_a_key_everywhere_else(keyed_server):
    """No key, a wrong key, half a key: 401 with the literal body; teams do not see each other's rooms."""
    async with httpx2.AsyncClient(base_url=keyed_server.url) as http:
        for path in ("/api/v1/rooms", "/api/v1/openapi.json", "/rooms/demo/stream"):
            for key in (None, "red-secre", "nonsense", ""):
                headers = {"authorization": f"Bearer {key}"} if key else {}
                answer = await http.get(path, headers=headers)
                assert (answer.status_code, answer.json()) == (401, {"error": "Unauthorized"})
        red, blue = ({"authorization": f"Bearer {team}-secret"} for team in ("red", "blue"))
        await http.post("/api/v1/rooms", json={"id": "demo"}, headers=red)
        assert (await http.get("/api/v1/rooms/demo", headers=blue)).status_code == 404
        assert (await http.post("/api/v1/rooms", json={"id": "demo"}, headers=blue)).json()["team"] == "blue"


async def test_the_front_page_says_how_to_connect_and_nothing_else(server, keyed_server):
    """Plain, under a strict policy, without a script and without a word about any room or key."""
    async with httpx2.AsyncClient() as http:
        open_, keyed = [await http.get(one.url) for one in (server, keyed_server)]
    assert open_.headers["content-security-policy"].startswith("default-src 'none'")
    assert "claude mcp add --transport http stateroom http://" in open_.text
    assert "$STATEROOM_API_KEY" in keyed.text
    assert "red-secret" not in keyed.text
    assert "<script" not in open_.text
