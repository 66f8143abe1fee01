"""`stateroom demo`: the founding essay's handoff and a conversation, for real, and a demo that would notice if it went
wrong."""

import re

import pytest

from stateroom.cli import demo as demo_module
from stateroom.cli.demo_check import Talk, check_talk
from stateroom.cli.demo_handoff import LOGIN, ME, build
from stateroom.cli.demo_stage import DECISION, Step
from stateroom.client import Client
from tests.cli.running import store_url
from tests.serving import free_port

TRACE = [
    ("backend", "add_task"),
    ("backend", "update_task(auth API, in_progress, owner: backend)"),
    ("backend", "write_context(type: api_contract"),
    ("backend", "update_task(auth API, done)"),
    ("frontend", "wait_for_events()"),
    ("frontend", "get_my_summary()"),
    ("frontend", "list_context(type: api_contract)"),
    ("frontend", "post_event(type: change_request, to: backend)"),
    ("backend", "get_unread_events()"),
    ("backend", "update_context(C-01"),
    ("backend", "reply_to_event("),
    ("frontend", "wait_for_events()"),
    ("frontend", "builds its client against 1.1"),
    ("frontend", "room_create(topic: Auth API"),
    ("frontend", "post_event(type: invitation, to: backend)"),
    ("backend", "room_join("),
    ("backend", "room_send(looking up who keeps tokens, kind: status)"),
    ("backend", "room_send([DECISION] … @frontend)"),
    ("frontend", "room_listen(wakeOn: addressed)"),
    ("frontend", "room_minutes(export: true)"),
    ("frontend", "room_task(create, verifier: frontend)"),
    ("backend", "next_task()"),
    ("backend", "room_task(submit, T-02)"),
    ("backend", "room_task(verify, T-02, done)"),
    ("frontend", "room_task(verify, T-02, done)"),
]
CHECKS = 14


async def test_the_handoff_happens_and_is_told_in_order(cli):
    """Two processes, nobody in between: each step with who did it, what the rooms' logs say of it, and the report."""
    ran = await cli.process("demo")
    assert (ran.status, ran.err) == (0, "")
    steps = [line for line in ran.out.splitlines() if " → " in line]
    assert len(steps) == len(TRACE)
    for line, (agent, did) in zip(steps[:-2], TRACE[:-2], strict=True):
        assert line.lstrip().startswith(f"{agent} → {did}"), ran.out
    assert {line.split()[0] for line in steps[-2:]} == {"backend", "frontend"}  # whose word is told first, is open
    assert ran.out.count("✔") == CHECKS + 1
    assert "✘" not in ran.out
    assert f"decision: backend: {DECISION}" in ran.out
    assert re.search(r"report +http://\S+/reports/\w+\n +the room +http://\S+/r/\w{3}-\w{3}-\w{3}\n", ran.out)
    assert "The demo's own server has served both" in ran.out
    assert re.search(r"woke the waiting frontend \d+\.\d ms after", ran.out)
    assert ran.out.splitlines()[-1] == "✔ The frontend built against contract 1.1, and no human relayed a word."


async def test_the_trace_is_data_too_on_a_server_of_ones_own(cli, store):
    """`--json --url`: one document; the room is really there afterwards, and its log agrees with the trace."""
    keys = {"STATEROOM_API_KEYS": "red:red-secret"}
    async with cli.up("--store", store_url(store), **keys) as up:
        ran = await cli.process("demo", "--json", "--url", up.url, STATEROOM_API_KEY="red-secret")
        async with Client(up.url, "red-secret") as client:
            events = await client.events(ran.json["room"])
            talk = ran.json["talk"]
            said = (await client.lines(talk["code"])).lines
            report = (await client.frozen(talk["report"].rpartition("/")[2])).report
    assert (ran.status, ran.json["ok"]) == (0, True)
    trace = [(step["agent"], step["did"]) for step in ran.json["steps"]]
    assert sorted(trace[-2:]) == sorted(TRACE[-2:])  # the other may be told of first
    begun = [(agent, did[: len(wanted[1])]) for (agent, did), wanted in zip(trace[:-2], TRACE[:-2], strict=True)]
    assert begun == TRACE[:-2]
    assert all(check["ok"] and check["expected"] == check["found"] for check in ran.json["checks"])
    types = [event["type"] for event in events]
    assert types.count("context_available") == types.count("change_request") == 1
    assert types[-8:-4] == ["change_request", "context_updated", "change_request_fulfilled", "invitation"]
    assert types[-4:] == ["task_added", "task_updated", "task_updated", "task_updated"]
    (request,) = (event for event in events if event["type"] == "change_request")
    assert events[-6]["reply_to_id"] == request["id"]
    assert [line["metadata"]["roleAtSend"] for line in said] == ["status", "open"]
    assert report["decisions"] == talk["decisions"] == [f"backend: {DECISION}"]
    assert talk["page"] == f"{up.url}/r/{talk['code']}"
    assert talk["woken_ms"] > 0
    (built,) = (step["facts"]["built"] for step in ran.json["steps"] if "built" in step["facts"])
    assert built == {"version": "1.1", "functions": build(contract(LOGIN, ME))}


@pytest.mark.parametrize("stays", [True, False])
def test_addresses_that_end_with_the_demo_are_said_to(stays, capsys):
    """On a server of one's own they stay, and nothing is said about it; no time is shown that was not measured."""
    demo_module._show_talk(Talk("K7M-QRA-2ZX", "http://x/r/K7M-QRA-2ZX", "http://x/reports/1"), stays=stays)
    out = capsys.readouterr().out
    assert ("The demo's own server has served both" in out) is not stays
    assert "woke" not in out


def contract(*endpoints):
    return {"payload": {"endpoints": endpoints}}


def test_a_client_is_generated_from_the_contract():
    """One function for each endpoint, named for its method and path."""
    assert build(contract(LOGIN, ME)) == {"POST /login": "post_login()", "GET /me": "get_me()"}


async def test_a_handoff_that_did_not_happen_is_not_called_one(cli, store, monkeypatch):
    """Agents that do nothing: ✘ with what was expected and what was found, and status 1."""

    async def nothing_happens(url, room, saw):
        pass

    monkeypatch.setattr(demo_module, "play", nothing_happens)
    async with cli.up("--store", store_url(store)) as up:
        ran = await cli("demo", "--url", up.url)
        as_json = await cli("demo", "--url", up.url, "--json")
    assert ran.status == as_json.status == 1
    assert ran.out.count("✘") == CHECKS
    assert "expected ['1.1'], found []" in ran.out
    assert as_json.json["ok"] is False
    assert "the checks say what differs" in ran.err


@pytest.mark.parametrize(
    ("heard", "wrong"),
    [([[0, 1]], ""), ([[0], [1]], "woke nobody"), ([[1]], "woke nobody"), ([[0, 1, 1]], "woke nobody")],
)
async def test_an_agent_that_heard_something_else_is_noticed(server, heard, wrong):
    """What the listener says it heard is held against the transcript: a note that woke it, a line lost or doubled."""
    async with Client(server.url) as client:
        made = await client.create_room(host="frontend", topic="Demo")
        await client.take_seat(made.code, "frontend", host_key=made.host_key)
        await client.take_seat(made.code, "backend")
        await client.say(made.code, "a note", "backend", status=True)
        await client.say(made.code, f"[DECISION] {DECISION}", "backend")
        ids = [line["id"] for line in (await client.lines(made.code)).lines]
        kept = await client.export(made.code)
        facts = {"code": made.code, "report": kept.id, "heard": [[ids[one] for one in part] for part in heard]}
        checks, talk = await check_talk(client, [Step("frontend", "says so", facts=facts)])
    assert [one.what for one in checks if not one.ok] == ([checks[2].what] if wrong else [])
    assert wrong in checks[2].what
    assert (talk.report, talk.woken_ms) == (kept.url, None)


async def test_without_the_official_client_it_says_how_to_get_it(cli, monkeypatch):
    """The extra is not installed: one sentence with the command that installs it, and `make demo`."""
    monkeypatch.setattr(demo_module, "find_spec", lambda name: None)
    said = (await cli("demo")).refused()
    assert "pip install 'stateroom[demo]'" in said
    assert "`make demo`" in said


async def test_a_server_that_is_not_there_or_wants_a_key_is_one_sentence(cli, store):
    """Nothing is played before the server has said yes."""
    assert "stateroom up" in (await cli("demo", "--url", f"http://127.0.0.1:{free_port()}")).refused()
    async with cli.up("--store", store_url(store), STATEROOM_API_KEYS="red:red-secret") as up:
        assert (
            "STATEROOM_API_KEY"
            in (await cli("demo", "--url", up.url)).out + (await cli("demo", "--url", up.url, "--json")).refused()
        )


async def test_an_agent_that_fails_is_a_failure(cli, store, monkeypatch):
    """One agent can not go on: the other is ended too, and the status is 1."""
    monkeypatch.setattr("stateroom.cli.demo_stage.AGENTS", {"backend": "cyan", "nobody": "red"})
    async with cli.up("--store", store_url(store)) as up:
        ran = await cli("demo", "--url", up.url)
    assert ran.status == 1
    assert "The nobody agent failed" in ran.err


@pytest.mark.parametrize("keep", [True, False])
async def test_the_store_is_kept_only_on_request(cli, tmp_path, keep, monkeypatch):
    """`--keep` says where the room is; without it nothing is left behind."""

    async def nothing_happens(url, room, saw):
        pass

    monkeypatch.setattr(demo_module, "play", nothing_happens)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ran = await cli("demo", "--json", *(["--keep"] if keep else []))
    (kept,) = tmp_path.glob("stateroom-demo-*") if keep else (None,)
    assert list(tmp_path.glob("stateroom-demo-*")) == ([kept] if keep else [])
    if kept:
        store = store_url(kept / "demo.db")
        assert store in ran.err
        assert [room["id"] for room in (await cli("rooms", "--store", store, "--json")).json] == [ran.json["room"]]
