"""MCP on stdin and stdout, line by line."""

import asyncio

from tests.wire.mcp.piped import INITIALIZE, stdio


async def test_both_eras_share_one_connection(tmp_path):
    """The first message may be of either era; requests of both are answered side by side."""
    async with stdio(tmp_path) as agent:
        discovered = await agent.answer(agent.ask("server/discover", modern=True))
        assert "2026-07-28" in discovered["result"]["supportedVersions"]
        shaken = await agent.answer(agent.ask("initialize", INITIALIZE))
        assert shaken["result"]["protocolVersion"] == "2025-06-18"
        assert "resultType" in (await agent.answer(agent.ask("tools/list", modern=True)))["result"]
        assert "resultType" not in (await agent.answer(agent.ask("tools/list")))["result"]


async def test_any_first_message_is_answered_and_the_server_goes_on(tmp_path):
    """Nonsense gets an error, not silence and not an end (trap 61)."""
    async with stdio(tmp_path) as agent:
        for nonsense, code in (
            (b"hello", -32700),
            (b"{}", -32600),
            (b"[1]", -32600),
            (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
        ):
            agent.send(nonsense)
            assert (await agent.next())["error"]["code"] == code
        assert (await agent.answer(agent.ask("nonsense")))["error"]["code"] == -32601
        assert (await agent.answer(agent.ask("ping")))["result"] == {}


async def test_a_waiting_call_holds_up_nobody_and_can_be_cancelled(tmp_path):
    """Requests run side by side; notifications/cancelled ends a wait, which then never answers."""
    async with stdio(tmp_path) as agent:
        await agent.answer(agent.ask("initialize", INITIALIZE))
        waiting = agent.call("wait_for_events", agentId="ann", timeoutMs=30_000)
        await agent.answer(agent.call("heartbeat", agentId="bob"))
        agent.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting}})
        await agent.answer(agent.call("post_event", type="n", to="all", payload={}, **{"from": "bob"}))
        unread = await agent.answer(agent.call("get_unread_events", agentId="ann"))
        assert len(unread["result"]["structuredContent"]["events"]) == 1
        assert all(message.get("id") != waiting for message in agent.lines)


async def test_a_subscription_hears_of_changes(tmp_path):
    """subscriptions/listen on stdio: acknowledged, then notices, until it is cancelled."""
    async with stdio(tmp_path) as agent:
        await agent.answer(agent.call("read_plan"))
        wanted = {"notifications": {"resourceSubscriptions": ["stateroom://rooms/demo/plan"]}}
        agent.ask("subscriptions/listen", wanted, modern=True)
        assert (await agent.next())["method"] == "notifications/subscriptions/acknowledged"
        agent.call("add_task", title="t", description="")
        while (await agent.next()).get("method") != "notifications/resources/updated":
            pass


async def test_the_end_of_the_input_is_the_end(tmp_path):
    """At EOF running calls are finished and the process ends well."""
    async with stdio(tmp_path, "--room", "demo", "--agent", "ann") as agent:
        id_ = agent.ask("tools/call", {"name": "heartbeat", "arguments": {}})
        agent.process.stdin.close()
        assert (await agent.answer(id_))["result"]["structuredContent"]["agentId"] == "ann"
        assert await asyncio.wait_for(agent.process.wait(), 20) == 0
