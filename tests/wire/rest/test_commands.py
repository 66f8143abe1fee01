"""Every command over HTTP: what it answers, and how it is refused."""

import asyncio

import pytest

from stateroom.core.room import RULES
from stateroom.faces.rest.commands import OURS, kebab


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


async def test_the_position_of_an_answer_skips_nobody_elses_entries(busy):
    """It is that of the caller's own last entry, also when others wrote meanwhile (L06)."""
    answers = await asyncio.gather(*(busy.wish("open-task", {"title": str(n)}, by=f"w{n}") for n in range(8)))
    for answer in answers:
        assert answer.json()["position"] == answer.json()["entries"][-1]["position"]


async def test_a_request_id_makes_repeating_harmless(api):
    """Same id and wish: the same entries, marked; another wish: 409 (W-73, trap 37)."""
    first = (await api.wish("open-task", {"title": "one"}, request_id="r")).json()
    again = (await api.wish("open-task", {"title": "one"}, request_id="r")).json()
    assert (again["replayed"], again["entries"]) == (True, first["entries"])
    other = await api.wish("open-task", {"title": "other"}, request_id="r")
    assert (other.status_code, other.json()["error"]["code"]) == (409, "request_reused")
    endless = await api.wish("open-task", {"title": "one"}, request_id="r" * 129)
    assert (endless.status_code, endless.json()["error"]["code"]) == (413, "too_long")


async def test_a_refusal_names_its_facts(busy):
    """Programs read who holds a task and for how long from `facts`; what a caller sent comes back bounded (L39)."""
    refused = (await busy.wish("move-task", {"task": "T-01", "to": "held", "owner": "bob"}, by="bob")).json()
    assert refused["error"]["facts"]["holder"] == "ann"
    assert "facts" not in (await busy.get("/nothing")).json()["error"]
    long = await busy.wish("move-task", {"task": "T" * 500_000, "to": "done"})
    assert len(long.content) < 5_000


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
