"""MCP on stdin and stdout, line by line."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

from tests.serving import environment
from tests.wire.mcp.raw import META

INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


class Stdio:
    """One `stateroom mcp` process, and everything it has written."""

    def __init__(self, process) -> None:
        self.process, self.lines, self._ids = process, [], iter(range(1, 1000))

    def send(self, message) -> None:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")

    def ask(self, method, params=None, *, modern=False) -> int:
        id_ = next(self._ids)
        params = {**(params or {}), **({"_meta": META} if modern else {})}
        self.send({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})
        return id_

    def call(self, tool, **arguments) -> int:
        return self.ask("tools/call", {"name": tool, "arguments": {"roomId": "demo", **arguments}})

    async def next(self) -> dict:
        """The next line; every line is JSON-RPC (L41)."""
        line = await asyncio.wait_for(self.process.stdout.readline(), 20)
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        self.lines.append(message)
        return message

    async def answer(self, id_) -> dict:
        while True:
            for message in self.lines:
                if message.get("id") == id_:
                    return message
            await self.next()


@asynccontextmanager
async def stdio(tmp_path, *arguments):
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "stateroom", "mcp", "--store", f"sqlite:///{tmp_path / 'rooms.db'}", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment(),
    )
    try:
        yield Stdio(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


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
