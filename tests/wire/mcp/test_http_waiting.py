"""Waiting over HTTP: keep-alives, hang-ups and subscriptions, with real rooms behind them."""

import asyncio
import json

import httpx2
import pytest

from stateroom.faces.mcp import http as http_face
from stateroom.faces.mcp import listen
from tests.serving import until
from tests.wire.mcp.raw import MODERN, Raw, body

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


async def test_hanging_up_cancels_a_waiting_call_and_consumes_nothing(server, legacy):
    """The caller goes away: its wait ends, and what comes later is still unread (trap 7)."""
    wait = {"name": "wait_for_events", "arguments": {"roomId": "demo", "agentId": "ann", "timeoutMs": 30_000}}
    message, headers = legacy.request("tools/call", wait)
    async with httpx2.AsyncClient(timeout=30) as other:
        waiting = asyncio.create_task(other.post(legacy.url, json=message, headers=headers))
        await until(lambda: server.engine.rooms.bells.waiting() == 1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await until(lambda: server.engine.rooms.bells.waiting() == 0)
    await legacy.call("post_event", {"roomId": "demo", **POST})
    unread = (await legacy.call("get_unread_events", {"roomId": "demo", "agentId": "ann"}))[1]
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
    monkeypatch.setattr(listen, "STREAM_S", 0.5)
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


@pytest.mark.parametrize(
    "uri", ["stateroom://rooms/nope/plan", "stateroom://rooms/demo/nonsense", "file:///etc/passwd"]
)
async def test_a_subscription_to_what_one_may_not_read_is_refused(modern, uri):
    """A stranger learns nothing, not even when something changes."""
    answer = await modern.send("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}})
    assert (answer.status_code, body(answer)["error"]["code"]) == (400, -32602)
