"""The board of the native API: the next task, what waits for a member, leases and proof as commands."""

import asyncio

import pytest

RUN = {"file_listing": "a.py", "file_excerpt": "x = 1", "run_output": "1 passed", "exit_code": 0}


async def next_task(api, by="ann", **more):
    return await api.post("/rooms/demo/next-task", {"by": by, **more})


async def test_the_next_task_comes_with_its_token_and_what_to_read(busy):
    """The best one that is ready, under a lease; what it waited for, as it stands; asked again it is the same."""
    await busy.wish("move-task", {"task": "T-01", "to": "done"})
    await busy.wish("open-task", {"title": "for later", "priority": 9})
    await busy.wish("revise-context", {"context": "C-01", "consumers": ["ann", "bob"]})
    first = (await next_task(busy, "bob", lease_s=60)).json()
    assert (first["task"]["id"], first["token"], first["resumed"], first["replayed"]) == ("T-02", 1, False, False)
    assert first["lease_until"] - first["task"]["lease"]["granted_at"] == 60_000
    assert [task["id"] for task in first["depends_on"]] == ["T-01"]
    assert [entry["id"] for entry in first["documents"]] == ["C-01"]
    again = (await next_task(busy, "bob")).json()
    assert (again["task"]["id"], again["token"], again["resumed"]) == ("T-02", 1, True)


async def test_nothing_to_take_is_an_answer(api):
    """No task, no token; the room has to be there."""
    assert (await next_task(api)).json()["error"]["code"] == "unknown_room"
    await api.wish("set-variable", {"key": "k", "value": "v"})
    nothing = (await next_task(api)).json()
    assert (nothing["task"], nothing["token"], nothing["lease_until"], nothing["documents"]) == (None, None, None, [])


async def test_a_repeated_request_for_a_task_takes_one_task(api):
    """Its answer was lost: the same id gives the same task, marked, and no second one."""
    for title in ("one", "two"):
        await api.wish("open-task", {"title": title})
    first = (await next_task(api, request_id="r")).json()
    again = (await next_task(api, request_id="r")).json()
    assert (first["replayed"], again["replayed"], again["token"]) == (False, True, first["token"])
    assert [task["state"] for task in (await api.get("/rooms/demo/plan")).json()] == ["held", "open"]


async def test_many_who_ask_at_once_get_a_task_each(api):
    """Twelve members, twelve tasks, tokens all distinct (traps 19 and 21)."""
    for number in range(12):
        await api.wish("open-task", {"title": str(number)})
    given = await asyncio.gather(*(next_task(api, f"w{number}") for number in range(12)))
    assert len({one.json()["task"]["id"] for one in given}) == 12
    assert {one.json()["token"] for one in given} == set(range(1, 13))


async def test_what_waits_for_a_member_is_listed_verdicts_first(api):
    """To verify, to review, begun and planned; nothing for somebody nobody has heard of."""
    for title, verifier in (("one", "bob"), ("two", None), ("three", None)):
        await api.wish("open-task", {"title": title, "verifier": verifier, "owner": None if verifier else "bob"})
    await api.wish("submit-task", {"task": "T-01", **RUN})
    await api.wish("claim-task", {"task": "T-02"}, by="bob")
    await api.wish("request-review", {"target_type": "task", "target": "T-03", "reviewer": "bob"})
    found = (await api.get("/rooms/demo/duties", member="BOB")).json()
    assert {part: [one["id"] for one in found[part]] for part in found} == {
        "to_verify": ["T-01"],
        "to_review": ["R-01"],
        "current": ["T-02"],
        "queued": ["T-03"],
    }
    assert set(map(len, (await api.get("/rooms/demo/duties", member="zed")).json().values())) == {0}


async def test_reviews_have_their_deadline_submissions_too(api):
    """Of a submission its task knows it; once it is resolved there is none."""
    await api.wish("open-task", {"title": "one"})
    await api.wish("submit-task", {"task": "T-01", **RUN})
    (review,) = (await api.get("/rooms/demo/reviews", status="pending")).json()
    task = (await api.get("/rooms/demo/tasks/T-01")).json()
    assert (review["of_submission"], review["due"]) == (True, task["review_due"])
    await api.wish("resolve-review", {"review": review["id"], "verdict": "approved"}, by="bob")
    (review,) = (await api.get("/rooms/demo/reviews", status="approved")).json()
    assert (review["resolved_by"], review["due"]) == ("bob", None)


async def test_a_worker_goes_from_task_to_verdict_by_commands(api):
    """Submitted with the token of its lease, which a stale one is not."""
    await api.wish("open-task", {"title": "one", "dod": "green"})
    given = (await next_task(api)).json()
    stale = await api.wish("submit-task", {"task": "T-01", "token": given["token"] + 1, **RUN})
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "token_stale")
    sent = await api.wish("submit-task", {"task": "T-01", "token": given["token"], "commit": "abc1234", **RUN})
    assert sent.json()["entries"][-1]["facts"]["task"]["state"] == "submitted"
    own = await api.wish("verify-task", {"task": "T-01", "verdict": "done"}, by="Ann")
    assert (own.status_code, own.json()["error"]["code"]) == (403, "owner_cannot_verify")
    done = await api.wish("verify-task", {"task": "T-01", "verdict": "done"}, by="bob")
    assert [entry["event"] for entry in done.json()["entries"]] == ["MemberJoined", "TaskVerified", "BoardCompleted"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"by": ""}, 400),
        ({"by": "a\nb"}, 400),
        ({"by": "ann", "lease_s": 0}, 400),
        ({"by": "ann", "lease_s": 86_401}, 400),
        ({"by": "ann", "lease_s": "60"}, 400),
        ({"by": "ann", "lease": 60}, 400),
        ({"by": "ann", "request_id": "r" * 129}, 413),
        ([], 400),
    ],
)
async def test_a_request_for_a_task_that_is_none_is_refused(api, body, status):
    """And no task is taken."""
    await api.wish("open-task", {"title": "one"})
    answer = await api.post("/rooms/demo/next-task", body)
    assert (answer.status_code, bool(answer.json()["error"]["hint"])) == (status, True), answer.text
    assert (await api.get("/rooms/demo/tasks/T-01")).json()["state"] == "open"


@pytest.mark.parametrize("query", [{}, {"member": " "}, {"member": "a\u2028b"}, {"member": "a", "more": "1"}])
async def test_duties_need_a_name(api, query):
    """One that a member can have, and nothing besides."""
    await api.wish("open-task", {"title": "one"})
    assert (await api.get("/rooms/demo/duties", **query)).status_code == 400


async def test_the_board_is_described_with_its_bounds(api):
    """What a generated client needs: summaries of the commands, how long a lease may be."""
    described = (await api.get("/openapi.json")).json()
    paths = described["paths"]
    for command in ("claim-task", "renew-task", "release-task", "request-handoff", "grant-handoff", "report-commit"):
        operation = paths[f"/api/v1/rooms/{{room}}/commands/{command}"]["post"]
        assert operation["summary"].endswith("."), command
        assert len(operation["summary"].split()) > 3, command
    body = described["components"]["schemas"]["NextBody"]["properties"]["lease_s"]
    assert (body["minimum"], body["maximum"], body["default"]) == (1, 86_400, 900)
