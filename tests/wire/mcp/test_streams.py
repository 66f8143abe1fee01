"""Answers that take a while: streams, keep-alives, hang-ups and subscriptions, frame by frame."""

import asyncio

import pytest

from stateroom.faces.mcp import http as http_face
from stateroom.faces.mcp import listen
from tests.serving import until
from tests.wire.mcp.inside import exchange, request
from tests.wire.mcp.raw import LEGACY, MODERN
from tests.wire.mcp.toys import SECRET

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
WAIT = {"name": "wait", "arguments": {}}


def waiting(endpoint, version=MODERN, **more):
    body, headers = request(version, "tools/call", WAIT)
    return exchange(endpoint, body, **{**headers, **more})


def listening(endpoint, *uris, id=1, **kinds):
    wanted = {"notifications": {"resourceSubscriptions": list(uris), **kinds}}
    body, headers = request(MODERN, "subscriptions/listen", wanted, id)
    return exchange(endpoint, body, **headers)


@pytest.mark.parametrize("version", [None, *LEGACY, MODERN])
async def test_a_waiting_call_is_a_stream_of_comments_and_one_answer(toys, endpoint, version, monkeypatch):
    """The last event is the answer, and then the stream ends."""
    monkeypatch.setattr(http_face, "KEEP_ALIVE_S", 0.001)
    async with waiting(endpoint, version) as under_way:
        assert await under_way.frame() == ": keep-alive\n\n"
        toys.go.set()
        while isinstance(frame := await under_way.frame(), str):
            pass
        assert frame["result"]["structuredContent"] == {"waited": True}
        assert await under_way.chunk() == b""
    assert (under_way.status, under_way.headers["content-type"]) == (200, "text/event-stream")
    assert under_way.headers["cache-control"] == "no-cache, no-transform"


@pytest.mark.parametrize("accept", ["", "*/*", "application/json"])
async def test_a_client_that_takes_no_stream_gets_a_plain_answer(toys, endpoint, accept):
    """Whatever it says it accepts (W-63)."""
    async with waiting(endpoint, accept=accept) as under_way:
        await until(lambda: toys.waiting == 1)
        toys.go.set()
        assert (await under_way.answer())["result"]["structuredContent"] == {"waited": True}
    assert under_way.headers["content-type"] == "application/json"


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
async def test_hanging_up_cancels_the_tool(toys, endpoint, accept):
    """Closing the response is how HTTP cancels: the tool stops, and nobody is answered (mcp-and-clients §2)."""
    async with waiting(endpoint, accept=accept) as under_way:
        await until(lambda: toys.waiting == 1)
        under_way.hang_up()
        await until(lambda: toys.cancelled == 1)
    assert toys.waiting == 0


async def test_a_call_that_waits_holds_up_nobody(toys, endpoint):
    """Others are answered meanwhile."""
    async with waiting(endpoint) as slow:
        await until(lambda: toys.waiting == 1)
        body, headers = request(MODERN, "tools/call", {"name": "add", "arguments": {"a": 1}})
        async with exchange(endpoint, body, **headers) as quick:
            assert (await quick.answer())["result"]["structuredContent"] == {"sum": 1}
        toys.go.set()
        assert (await slow.frame())["result"]["isError"] is False


async def test_a_subscription_is_acknowledged_told_and_ended(toys, endpoint):
    """Acknowledgement first, the request's id on every frame, pulses as comments; leaving ends it at once."""
    async with listening(endpoint, "toy://ball", id="sub-1") as under_way:
        acknowledged = await under_way.frame()
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        assert acknowledged["params"]["notifications"] == {"resourceSubscriptions": ["toy://ball"]}
        toys.moved.put_nowait([])
        assert await under_way.frame() == ": keep-alive\n\n"
        toys.moved.put_nowait(["toy://ball"])
        told = await under_way.frame()
        assert (told["method"], told["params"]["uri"]) == ("notifications/resources/updated", "toy://ball")
        assert acknowledged["params"]["_meta"] == told["params"]["_meta"] == {SUBSCRIPTION: "sub-1"}
        under_way.hang_up()
        await until(lambda: toys.subscribed == 0)


async def test_only_the_kinds_there_are_are_acknowledged(toys, endpoint):
    """Lists never change here, so nobody is told they would be told."""
    kinds = {"toolsListChanged": True, "promptsListChanged": True, "resourcesListChanged": True}
    async with listening(endpoint, **kinds) as under_way:
        assert (await under_way.frame())["params"]["notifications"] == {}


async def test_a_subscription_ends_itself_before_a_proxy_would(toys, endpoint, monkeypatch):
    """With a result, so that the client knows it was meant (trap 62); nothing goes on behind it."""
    assert listen.STREAM_S < 55
    monkeypatch.setattr(listen, "STREAM_S", 0.001)
    async with listening(endpoint, "toy://ball") as under_way:
        await under_way.frame()
        last = await under_way.frame()
        assert last["result"]["resultType"] == "complete"
        assert last["result"]["_meta"] == {SUBSCRIPTION: 1}
        assert await under_way.chunk() == b""
        await until(lambda: toys.subscribed == 0)


@pytest.mark.parametrize(("uri", "code", "status"), [("toy://no", -32602, 400), ("toy://broken", -32603, 200)])
async def test_who_may_not_read_may_not_listen(toys, endpoint, uri, code, status):
    """One URI that is not the caller's refuses them all, before anything is acknowledged."""
    async with listening(endpoint, "toy://ball", uri) as under_way:
        answer = await under_way.answer()
    assert (under_way.status, answer["error"]["code"], toys.subscribed) == (status, code, 0)


async def test_a_fault_in_the_middle_of_a_subscription_is_its_last_event(toys, endpoint, caplog):
    """The status is out already, so the error comes as an event; its text stays in the log."""
    async with listening(endpoint, "toy://ball") as under_way:
        await under_way.frame()
        toys.moved.put_nowait(None)
        last = await under_way.frame()
        assert (last["id"], last["error"]["code"]) == (1, -32603)
        assert SECRET not in str(last)
        assert await under_way.chunk() == b""
    assert SECRET in caplog.text


async def test_legacy_connections_have_no_subscriptions(endpoint):
    """They would need a channel that a server without sessions does not have; none is offered."""
    for version in LEGACY:
        for method in ("subscriptions/listen", "resources/subscribe"):
            body, headers = request(version, method, {"uri": "toy://ball", "notifications": {}})
            async with exchange(endpoint, body, **headers) as under_way:
                assert (await under_way.answer())["error"]["code"] == -32601
            assert under_way.status == 200


async def test_many_wait_at_once(toys, endpoint):
    """A hundred waiting calls, one event, a hundred answers."""

    async def one():
        async with waiting(endpoint) as under_way:
            return await under_way.frame()

    calls = [asyncio.create_task(one()) for _ in range(100)]
    await until(lambda: toys.waiting == 100)
    toys.go.set()
    assert all(frame["result"]["structuredContent"] == {"waited": True} for frame in await asyncio.gather(*calls))
