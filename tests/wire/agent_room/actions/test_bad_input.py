"""Whatever is sent to `/api/room`, the answer is JSON that says what is wrong, and never a 5xx (L15 to L18)."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stateroom.faces.asgi import MAX_BODY_BYTES
from stateroom.faces.rest.agent_room.actions import ACTIONS, NOT_YET
from tests.wire.rest.outage import Outage

from .asking import Actions, encoded
from .conftest import Room, made, said

BROKEN = {
    "null": b"null",
    "array": b"[]",
    "text": b'"get"',
    "number": b"1",
    "empty": b"",
    "no-json": b"{action: get}",
    "cut": b'{"action": "get", "code": "AAA',
    "more": b'{"action": "get", "code": "AAA-BBB-CCC"} {}',
    "nothing": b"{}",
    "no-name": b'{"code": "AAA-BBB-CCC"}',
    "null-name": b'{"action": null}',
    "unknown": b'{"action": "sudo"}',
    "other-case": b'{"action": "GET", "code": "AAA-BBB-CCC"}',
    "no-code": b'{"action": "get"}',
    "null-code": b'{"action": "get", "code": null}',
    "odd-code": b'{"action": "get", "code": 5}',
    "deep": b'{"action": "get", "code": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "not-a-number": b'{"action": "messages", "code": "x", "cursor": NaN}',
    "too-great": b'{"action": "messages", "code": "x", "cursor": 1e999}',
    "latin-1": '{"action": "get", "code": "é"}'.encode("latin-1"),
    "latin-1-where-nobody-reads": '{"action": "get", "code": "x", "more": "é"}'.encode("latin-1"),
    "half-a-pair": b'{"action": "get", "code": "\\ud800"}',
    "nul": b'{"action": "get", "code": "x", "more": ["a\\u0000b"]}',
    "mark": b'\xef\xbb\xbf{"action": "get", "code": "x"}',
}


def is_failure(answer, *statuses: int) -> None:
    """JSON, bounded, with a name, a sentence, a code and a hint, and not to be kept."""
    assert answer.status in statuses, answer.raw
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert set(answer.body) == {"error", "message", "code", "hint"}
    assert all(isinstance(value, str) and value for value in answer.body.values()), answer.raw
    assert len(answer.raw) < 20_000


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
async def test_a_broken_body_is_a_bad_request(ask: Actions, body):
    """400 BadRequestError, in our own words (L16, L18)."""
    answer = await ask.raw(body)
    is_failure(answer, 400)
    assert answer.error == "BadRequestError"


async def test_fields_of_another_type_are_named(room: Room):
    """The message says which field, and what it should be (L18)."""
    key = {"requesterName": "Host", "hostKey": room.host_key}
    for action, fields, where in [
        ("messages", {"cursor": "abc"}, "cursor"),
        ("messages", {"cursor": 1.5}, "cursor"),
        ("messages", {"cursor": True}, "cursor"),
        ("messages", {"limit": 0}, "limit"),
        ("send", {}, "message"),
        ("send", {"message": "hello"}, "message"),
        ("send", {"message": {"text": "hello"}}, "name"),
        ("send", {"message": {"name": 5}}, "name"),
        ("send", {"message": said("Host", "x"), "kind": "shout"}, "kind"),
        ("send", {"message": said("Host", "x", attachments=[{"url": "x"}])}, "id"),
        ("send", {"message": said("Host", "x", attachments="x")}, "attachments"),
        ("join", {}, "participant"),
        ("join", {"participant": {}}, "name"),
        ("join", {"participant": {"name": "Nova", "client": "robot"}}, "client"),
        ("presence", {"name": "Host"}, "until"),
        ("presence", {"name": "Host", "until": "soon"}, "until"),
        ("end", {"hostKey": "x"}, "requesterName"),
        ("setMuted", {**key, "targetName": "Host", "muted": "yes"}, "muted"),
        ("setReplyMode", {**key, "mode": ["open"]}, "mode"),
        ("setReplyMode", {**key, "mode": "sequential", "config": "x"}, "config"),
        ("directInvoke", {**key, "target": "Host", "source": "host"}, "target"),
        ("directInvoke", {**key, "target": {"name": "Host"}, "source": "god"}, "source"),
        ("systemMessage", {**key, "message": {"type": "sys"}}, "metadata"),
        ("taskVerify", {"id": "T-01", "name": "Host", "verdict": "maybe"}, "verdict"),
        ("taskSubmit", {"id": "T-01", "name": "Host", "evidence": {"exitCode": "0"}}, "exitCode"),
        ("setPolicy", {**key, "exchangeLimit": -1}, "exchangeLimit"),
        ("setPolicy", {**key, "identity": "maybe"}, "identity"),
        ("listen", {"since": "x"}, "since"),
        ("listen", {"since": 0, "wakeOn": "never"}, "wakeOn"),
    ]:
        answer = await room(action, **fields)
        is_failure(answer, 400)
        assert where in answer.body["message"], (action, answer.body)
    for fields in ({}, {"topic": "x"}, {"createdBy": "x"}, {"topic": 1, "createdBy": "x"}):
        is_failure(await room.ask("create", **fields), 400)


@pytest.mark.parametrize("action", NOT_YET)
async def test_what_is_not_served_here_says_so(room: Room, action):
    """400 with a message of its own, not the list of what there is."""
    answer = await room(action)
    is_failure(answer, 400)
    assert (answer.body["code"], action in answer.body["message"]) == ("action_not_served", True)


async def test_an_unknown_action_is_told_what_there_is(room: Room):
    """The hint names them all."""
    hint = (await room("sudo")).body["hint"]
    assert all(action in hint for action in ("create", *ACTIONS))


async def test_only_post_is_taken(ask: Actions):
    """Any other method is 405 with JSON."""
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "HEAD"):
        answer = await ask.raw(b'{"action":"get"}', method=method)
        assert (answer.status, answer.headers["allow"]) == (405, "POST")


async def test_a_character_may_be_cut_in_two(room: Room):
    """2,000 euro signs in pieces of one byte arrive as 2,000 euro signs (L15)."""
    text = "€" * 2_000
    message = said("Host", text)
    body = json.dumps({"action": "send", "code": room.code, "message": message}, ensure_ascii=False).encode()
    answer = await room.ask.raw(*(body[at : at + 1] for at in range(len(body))))
    assert answer.body["message"]["text"] == text
    assert await room.texts() == [text]


@pytest.mark.mends("49")
async def test_a_body_above_the_limit_is_413(room: Room):
    """With JSON, read to its end; nothing is stored (gap 49, L17)."""
    body = encoded("send", {"code": room.code, "message": said("Host", "x" * 5_000_000)})
    assert len(body) > MAX_BODY_BYTES
    answer = await room.ask.raw(*(body[at : at + 65_536] for at in range(0, len(body), 65_536)))
    is_failure(answer, 413)
    assert await room.lines() == []


async def test_what_was_sent_comes_back_in_part_at_most(room: Room):
    """Long names and codes do not make long errors (L39)."""
    for answer in (
        await room("send", message=said("x" * 100_000, "hi")),
        await room(f"{'x' * 100_000}"),
        await room("setReplyMode", requesterName="Host", hostKey=room.host_key, mode="x" * 100_000),
        await room("taskClaim", id="x" * 100_000, name="Host"),
    ):
        assert answer.status in (400, 403, 404, 413)
        assert len(answer.raw) < 10_000


async def test_a_store_that_does_not_answer_is_503(ask: Actions):
    """StoreUnavailable, with JSON and when to try again; never a word about keys or rooms."""
    room = await made(ask)
    outage = Outage(ask.engine.store)
    ask.engine.executor._log = outage.log
    outage.down = True
    answer = await room("send", message=said("Host", "x"))
    is_failure(answer, 503)
    assert (answer.error, answer.headers["retry-after"]) == ("StoreUnavailable", "1")


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def fields_of(action: str) -> list[str]:
    return list(ACTIONS[action].fields.__struct_fields__)


@st.composite
def requests(draw, code: str, host_key: str):
    """An action with some of its fields, right or wrong."""
    action = draw(st.sampled_from(sorted(ACTIONS)))
    likely = st.sampled_from(
        ["Host", "Nova", "T-01", host_key, 0, 1, -1, 2**63, 2**70, 1.5, "sequential", "done", [], {}]
    )
    nested = st.fixed_dictionaries(
        {},
        optional={
            "name": likely | VALUES,
            "text": VALUES,
            "client": st.sampled_from(["cc", "web"]) | VALUES,
            "id": VALUES | likely,
            "attachments": VALUES,
            "replyTo": st.fixed_dictionaries({"id": likely | VALUES}) | VALUES,
            "metadata": st.fixed_dictionaries({"eventType": VALUES}),
            "exitCode": st.integers() | VALUES,
            "fileListing": VALUES,
            "timeoutMs": st.dictionaries(st.sampled_from(["lead", "wrap"]), VALUES | likely),
            "leadGraceMs": VALUES | likely,
            "leadAgentName": VALUES | likely,
        },
    )
    names = draw(st.lists(st.sampled_from(fields_of(action)), unique=True))
    body = {name: draw(likely | nested | VALUES) for name in names}
    if action == "listen":  # never the 25 s it would wait by default
        body["timeoutMs"] = draw(st.sampled_from([0, -1, 10**9, "x"]))
    return {**body, "action": action, "code": draw(st.sampled_from([code, code, code, "x", 5]))}


@pytest.mark.timeout(120)
async def test_a_thousand_malformed_requests_never_break_the_server(ask: Actions):
    """Each is answered, none by a 5xx, and the room still works afterwards (L18)."""
    room = await made(ask)
    await room.join("Nova")
    tried: list[int] = []

    @settings(max_examples=1_000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(requests(room.code, room.host_key))
    def drawn(body):
        sent.append(json.dumps(body).encode())

    sent: list[bytes] = []
    drawn()
    for body in sent:
        answer = await ask.raw(body)
        tried.append(answer.status)
        assert answer.status < 500, (body, answer.raw)
        if not answer.ok:
            is_failure(answer, answer.status)
    assert len(tried) >= 1_000
    assert tried.count(200) > 20, "some of them are requests"
    await ask.ok("reactivate", code=room.code, requesterName="Host", hostKey=room.host_key)
    assert (await ask("get", code=room.code)).ok


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(body=st.binary(max_size=200))
async def test_bytes_that_are_no_request_are_refused(ask: Actions, body):
    """Anything at all, and the answer is a failure in JSON."""
    is_failure(await ask.raw(body), 400)
