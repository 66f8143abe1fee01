"""Waiting over HTTP: keep-alives, hang-ups and subscriptions, with real rooms behind them."""

import asyncio
import json
from contextlib import aclosing

import httpx2
import pytest

from stateroom.faces.mcp import http as http_face
from stateroom.faces.mcp import listen
from stateroom.faces.mcp.application import StateroomApplication
from tests.serving import until
from tests.wire.mcp.raw import LEGACY, MODERN, Raw, body

POST = {"type": "n", "from": "ann", "to": "all", "payload": {}}


async def test_a_waiting_call_streams_keep_alives(legacy, monkeypatch):
    """Comments while it waits, then the answer as the last frame (W-41)."""
    monkeypatch.setattr(http_face, "KEEP_ALIVE_S", 0.01)
    answer = await legacy.send(
        "tools/call", {"name": "wait_for_events", "arguments": {"roomId": "demo", "agentId": "a", "timeoutMs": 100}}
    )
    assert answer.headers["content-type"] == "text/event-stream"
    assert ": keep-alive\n\n" in answer.text
    assert answer.text.rstrip().splitlines()[-1].startswith("data: ")


@pytest.mark.parametrize("version", [MODERN, LEGACY[-1]])
async def test_hanging_up_cancels_a_waiting_call_and_consumes_nothing(server, http, version):
    """The caller goes away: its wait ends, and what comes later is still unread (trap 7)."""
    caller = Raw(http, f"{server.url}/mcp", version)
    wait = {"name": "wait_for_events", "arguments": {"roomId": "demo", "agentId": "ann", "timeoutMs": 30_000}}
    message, headers = caller.request("tools/call", wait)
    async with httpx2.AsyncClient(timeout=30) as other:
        waiting = asyncio.create_task(other.post(caller.url, json=message, headers=headers))
        await until(lambda: server.engine.rooms.bells.waiting() == 1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await until(lambda: server.engine.rooms.bells.waiting() == 0)
    await caller.call("post_event", {"roomId": "demo", **POST})
    unread = (await caller.call("get_unread_events", {"roomId": "demo", "agentId": "ann"}))[1]
    assert [event["type"] for event in unread["events"]] == ["n"]


async def frames(modern, uris, during=None):
    """The frames of one subscription, to its graceful end."""
    message, headers = modern.request("subscriptions/listen", {"notifications": {"resourceSubscriptions": uris}})
    got = []
    async with modern.http.stream("POST", modern.url, json=message, headers=headers) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                got.append(json.loads(line.removeprefix("data: ")))
                if during is not None and len(got) == 1:
                    await during()
    return got


async def test_a_subscription_acknowledges_notifies_and_ends_gracefully(modern, monkeypatch):
    """Acknowledgement first, the subscription's id on every frame, a result before the proxy's minute (trap 62)."""
    monkeypatch.setattr(listen, "STREAM_S", 2.0)
    await modern.call("read_plan", {"roomId": "demo"})
    uri = "stateroom://rooms/demo/plan"

    async def during():
        await modern.call("add_task", {"roomId": "demo", "title": "t", "description": ""})

    got = await frames(modern, [uri], during)
    assert got[0]["method"] == "notifications/subscriptions/acknowledged"
    assert got[0]["params"]["notifications"] == {"resourceSubscriptions": [uri]}
    assert got[1]["method"] == "notifications/resources/updated"
    assert got[1]["params"]["uri"] == uri
    assert got[-1]["result"]["resultType"] == "complete"
    ids = [frame.get("params", frame.get("result"))["_meta"]["io.modelcontextprotocol/subscriptionId"] for frame in got]
    assert set(ids) == {1}


async def test_whoever_was_acknowledged_misses_nothing(server, modern):
    """The room moves right after the acknowledgement, before anybody has begun to wait: it is told all the same.

    Watching used to begin with the first wait, after the acknowledgement was on its way. A client that acted on it at
    once could be faster, and then its change was never told.
    """
    await modern.call("read_plan", {"roomId": "demo"})
    uri = "stateroom://rooms/demo/plan"
    application = StateroomApplication(server.engine)
    moves = await application.moves(application.admit({}, {}), [uri])
    await modern.call("add_task", {"roomId": "demo", "title": "t", "description": ""})
    async with asyncio.timeout(5), aclosing(moves):
        assert await anext(moves) == [uri]


async def test_a_change_in_another_room_is_not_told(modern, monkeypatch):
    """Only what was asked for: the acknowledgement and the end, and no word about a room next door."""
    monkeypatch.setattr(listen, "STREAM_S", 0.3)
    for room in ("demo", "other"):
        await modern.call("read_plan", {"roomId": room})

    async def during():
        await modern.call("add_task", {"roomId": "other", "title": "t", "description": ""})

    got = await frames(modern, ["stateroom://rooms/demo/plan"], during)
    assert [frame.get("method", "end") for frame in got] == ["notifications/subscriptions/acknowledged", "end"]


async def test_a_stranger_hears_nothing_of_another_teams_room(keyed_server, http):
    """Blue listens to red's room: refused at once, in the words for a room that is not there."""
    url = f"{keyed_server.url}/mcp"
    red, blue = {"authorization": "Bearer red-secret"}, {"authorization": "Bearer blue-secret"}
    caller = Raw(http, url, MODERN)
    await caller.send("tools/call", {"name": "read_plan", "arguments": {"roomId": "secret"}}, **red)
    wanted = {"notifications": {"resourceSubscriptions": ["stateroom://rooms/secret/plan"]}}
    refused = await caller.send("subscriptions/listen", wanted, **blue)
    assert (refused.status_code, body(refused)["error"]["code"]) == (400, -32602)
    nowhere = {"notifications": {"resourceSubscriptions": ["stateroom://rooms/nowhere/plan"]}}
    assert body(refused)["error"] == body(await caller.send("subscriptions/listen", nowhere, **blue))["error"]


async def test_hanging_up_ends_a_subscription(server, modern):
    """Closing the stream is how it is cancelled: nobody waits any more."""
    await modern.call("read_plan", {"roomId": "demo"})
    wanted = {"notifications": {"resourceSubscriptions": ["stateroom://rooms/demo/plan"]}}
    message, headers = modern.request("subscriptions/listen", wanted)
    async with modern.http.stream("POST", modern.url, json=message, headers=headers) as answer:
        assert "acknowledged" in await anext(answer.aiter_text())
        await until(lambda: server.engine.rooms.bells.waiting() == 1)
    await until(lambda: server.engine.rooms.bells.waiting() == 0)


@pytest.mark.parametrize(
    "uri", ["stateroom://rooms/nope/plan", "stateroom://rooms/demo/nonsense", "file:///etc/passwd"]
)
async def test_a_subscription_to_what_one_may_not_read_is_refused(modern, uri):
    """A stranger learns nothing, not even when something changes."""
    answer = await modern.send("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}})
    assert (answer.status_code, body(answer)["error"]["code"]) == (400, -32602)
