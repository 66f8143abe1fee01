"""Watching: a resource that tells when it has changed, and notices where a connection takes them (agent-room §9.6)."""

import json
from typing import Any

import pytest

from tests.wire.agent_room.mcp.harness import MODERN, Agent, read
from tests.wire.agent_room.mcp.test_speaking import crowd
from tests.wire.mcp.piped import INITIALIZE, Stdio, stdio
from tests.wire.mcp.raw import Raw


async def call(pipe: Stdio, tool: str, **arguments: Any) -> dict[str, Any]:
    """A tool's answer over the pipe, whatever notices come before it."""
    answer = await pipe.answer(pipe.ask("tools/call", {"name": tool, "arguments": arguments}))
    return read(answer["result"]).value


async def notice(pipe: Stdio) -> dict[str, Any]:
    """The next log notice that nobody has looked at yet."""
    while True:
        for line in pipe.lines:
            if line.get("method") == "notifications/message" and not line.get("seen"):
                line["seen"] = True
                return dict(line["params"])
        await pipe.next()


async def test_over_http_the_resource_is_named(agent: Agent) -> None:
    """And how to subscribe to it; nothing is pushed (§9.3)."""
    code = (await crowd(agent, "Iris"))["code"]
    await agent.call("room_send", code=code, name="Nova", text="hello")
    watched = await agent.call("room_watch", code=code, name="Iris")
    assert (watched["watching"], watched["code"], watched["cursor"], watched["notices"]) == (True, code, 1, False)
    assert "subscriptions/listen" in watched["hint"]
    stopped = await agent.call("room_watch", code=code, name="Iris", enabled=False)
    assert stopped["stopped"] is False
    assert stopped["message"]


async def test_the_resource_is_the_newest_of_the_transcript(agent: Agent) -> None:
    """Fifty lines as messages; listed, and described as a template."""
    code = (await crowd(agent, "Iris"))["code"]
    for number in range(60):
        await agent.call("room_send", code=code, name="Nova", text=str(number), kind="status")
    uri = (await agent.call("room_watch", code=code))["resource"]
    raw = Raw(agent.http, agent.url, MODERN)
    (content,) = (await raw.ask("resources/read", {"uri": uri}))["result"]["contents"]
    shown = json.loads(content["text"])
    assert (shown["code"], shown["cursor"], len(shown["messages"])) == (code, 60, 50)
    assert shown["messages"][-1]["text"] == "59"
    assert uri in [one["uri"] for one in (await raw.ask("resources/list"))["result"]["resources"]]
    templates = (await raw.ask("resources/templates/list"))["result"]["resourceTemplates"]
    assert "stateroom://rooms/{room}/transcript" in [one["uriTemplate"] for one in templates]


async def test_a_guest_watches_by_the_code_and_nothing_else(red: Agent, blue: Agent) -> None:
    """Another team's room: its transcript by the code, never its plan or by its id."""
    code = (await red.room())["code"]
    await blue.call("room_join", code=code, name="Iris")
    uri = (await blue.call("room_watch", code=code, name="Iris"))["resource"]
    assert uri == f"stateroom://rooms/{code}/transcript"
    raw = Raw(blue.http, blue.url, MODERN)
    assert "result" in await raw.ask("resources/read", {"uri": uri}, **blue.headers)
    assert "error" in await raw.ask("resources/read", {"uri": uri.replace("transcript", "plan")}, **blue.headers)


async def test_a_subscription_to_the_transcript_hears_a_message(tmp_path) -> None:
    """On stdio, modern: acknowledged, then told that it moved."""
    async with stdio(tmp_path) as pipe:
        code = (await call(pipe, "room_create", topic="t", name="Nova"))["code"]
        uri = (await call(pipe, "room_watch", code=code))["resource"]
        pipe.ask("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}}, modern=True)
        while (await pipe.next()).get("method") != "notifications/subscriptions/acknowledged":
            pass
        pipe.ask("tools/call", {"name": "room_send", "arguments": {"code": code, "name": "Nova", "text": "hi"}})
        while (told := await pipe.next()).get("method") != "notifications/resources/updated":
            pass
        assert told["params"]["uri"] == uri


async def test_a_legacy_connection_is_sent_new_lines(tmp_path) -> None:
    """Log messages of level info, `room:<CODE>`, data as JSON text; one's own lines are none (§9.6)."""
    async with stdio(tmp_path) as pipe:
        shaken = await pipe.answer(pipe.ask("initialize", INITIALIZE))
        assert shaken["result"]["capabilities"]["logging"] == {}
        code = (await call(pipe, "room_create", topic="t", name="Nova"))["code"]
        await call(pipe, "room_join", code=code, name="Iris")
        assert (await call(pipe, "room_watch", code=code, name="Nova"))["notices"] is True
        await call(pipe, "room_send", code=code, name="Nova", text="mine")
        await call(pipe, "room_send", code=code, name="Iris", text="hello")
        told = await notice(pipe)
        assert (told["level"], told["logger"]) == ("info", f"room:{code}")
        data = json.loads(told["data"])
        assert (data["type"], data["code"], data["cursor"]) == ("new_messages", code, 2)
        assert [(one["name"], one["text"], one["client"]) for one in data["messages"]] == [("Iris", "hello", "cc")]
        assert data["summary"]


async def test_watching_ends_with_the_room_and_when_told_to(tmp_path) -> None:
    """The last notice is the end (gap 14); `enabled: false` stops before it."""
    async with stdio(tmp_path) as pipe:
        await pipe.answer(pipe.ask("initialize", INITIALIZE))
        made = await call(pipe, "room_create", topic="t", name="Nova")
        code = made["code"]
        await call(pipe, "room_watch", code=code, name="Iris")
        assert await call(pipe, "room_watch", code=code, name="Iris", enabled=False) == {"stopped": True, "code": code}
        assert (await call(pipe, "room_unwatch", code=code, name="Iris"))["stopped"] is False
        await call(pipe, "room_send", code=code, name="Nova", text="unseen")
        await call(pipe, "room_watch", code=code, name="Iris")
        await call(pipe, "room_end", code=code, hostKey=made["hostKey"])
        data = json.loads((await notice(pipe))["data"])
        assert [one["text"] for one in data["messages"]] == ["The room was ended by Somebody."]
        await call(pipe, "room_listen", code=code, since=0, timeoutMs=0)
        assert (await call(pipe, "room_watch", code=code, name="Iris", enabled=False))["stopped"] is False
        assert (await call(pipe, "room_watch", code=code, name="Iris"))["notices"] is False


@pytest.mark.parametrize("level", ["warning", "error"])
async def test_a_client_that_wants_no_infos_gets_none(tmp_path, level: str) -> None:
    """`logging/setLevel` is heeded, in both directions."""
    async with stdio(tmp_path) as pipe:
        await pipe.answer(pipe.ask("initialize", INITIALIZE))
        code = (await call(pipe, "room_create", topic="t", name="Nova"))["code"]
        await call(pipe, "room_watch", code=code, name="Iris", since=0)
        await pipe.answer(pipe.ask("logging/setLevel", {"level": level}))
        await call(pipe, "room_send", code=code, name="Nova", text="unheard")
        await call(pipe, "room_listen", code=code, since=0, timeoutMs=1)
        await pipe.answer(pipe.ask("logging/setLevel", {"level": "info"}))
        await call(pipe, "room_send", code=code, name="Nova", text="heard")
        texts = [one["text"] for one in json.loads((await notice(pipe))["data"])["messages"]]
        assert texts == ["heard"]
