"""One of the demo's two agents: a process of its own that reaches the room through the official MCP client.

It is a script, not a model, so that the demo ends the same way each time; what it does is what the tools tell a model
to do. It learns what the other one does from the room alone.
"""

import asyncio
import os
import sys
from typing import Any

import httpx2
import msgspec
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

LOGIN = {
    "method": "POST",
    "path": "/login",
    "request": {"email": "string", "password": "string"},
    "response": {"token": "string"},
    "auth_required": False,
    "description": "Exchange credentials for a token.",
}
ME = {
    "method": "GET",
    "path": "/me",
    "response": {"id": "string", "email": "string"},
    "auth_required": True,
    "description": "Who the token belongs to.",
}
PATIENCE = 20
"""How many waits of up to two seconds an agent spends on one thing."""


class Agent:
    """A name, a room, and a connection."""

    def __init__(self, name: str, room: str, client: Client) -> None:
        self.name, self._room, self._client = name, room, client
        self._pending: list[dict[str, Any]] = []

    async def call(self, tool: str, **arguments: Any) -> Any:
        """A tool's answer as data. Raises RuntimeError with the tool's own words."""
        answer = await self._client.call_tool(tool, {"roomId": self._room, **arguments})
        text = answer.content[0].text  # type: ignore[union-attr]
        if answer.is_error:
            raise RuntimeError(f"{tool}: {text}")
        return msgspec.json.decode(text)

    def tell(self, did: str, saw: str = "", **facts: Any) -> None:
        """One step for whoever watches."""
        line = msgspec.json.encode({"agent": self.name, "did": did, "saw": saw, **facts})
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()

    def remember(self, events: list[dict[str, Any]]) -> None:
        self._pending += events

    async def wait_for(self, type_: str) -> dict[str, Any]:
        """The next unread event of a type; others are kept for later."""
        for _ in range(PATIENCE):
            for event in self._pending:
                if event["type"] == type_:
                    self._pending.remove(event)
                    return event
            answer = await self.call("wait_for_events", agentId=self.name, timeoutMs=2000)
            self.remember(answer["events"])
        raise RuntimeError(f"{self.name} waited in vain for {type_}")


async def backend(agent: Agent) -> None:
    """Designs the API, hands it over, and changes it on request."""
    task = await agent.call("add_task", title="auth API", description="Log users in.")
    await agent.call("update_task", taskId=task["id"], status="in_progress", owner="backend")
    agent.tell("update_task(auth API, in_progress, owner: backend)")
    payload = {"service": "auth", "version": "1.0", "endpoints": [LOGIN]}
    entry = await agent.call(
        "write_context",
        type="api_contract",
        author="backend",
        summary="Auth API",
        consuming_agents=["frontend"],
        payload=payload,
    )
    agent.tell(
        f"write_context(api_contract, for: frontend) = {entry['id']} {entry['version']}",
        "the room posts context_available",
    )
    await agent.call("update_task", taskId=task["id"], status="done")
    agent.tell("update_task(auth API, done)")
    request = await agent.wait_for("change_request")
    again = await agent.call("get_unread_events", agentId="backend")
    twice = any(event["id"] == request["id"] for event in again["events"])
    agent.remember(again["events"])
    saw = f"change_request from {request['from']}: {request['payload']['description']}"
    agent.tell("get_unread_events()", saw + (" AGAIN" if twice else ", exactly once"), delivered="change_request")
    revised = await agent.call(
        "update_context",
        id=entry["id"],
        author="backend",
        payload={**payload, "version": "1.1", "endpoints": [LOGIN, ME]},
    )
    agent.tell(f"update_context({entry['id']}) = {revised['version']}", "the room posts context_updated")
    answer = {"contextId": entry["id"], "version": revised["version"]}
    await agent.call(
        "reply_to_event",
        replyToId=request["id"],
        type="change_request_fulfilled",
        **{"from": "backend"},
        to="frontend",
        payload=answer,
    )
    agent.tell(f"reply_to_event({request['id']}, change_request_fulfilled)")


async def frontend(agent: Agent) -> None:
    """Starts cold, builds against the contract, and asks for what is missing."""
    await _until_announced(agent)
    contracts = await agent.call("list_context", type="api_contract")
    missing = "GET /me" not in build(contracts[0])
    agent.tell("list_context(api_contract)", f"contract {contracts[0]['version']}: {', '.join(build(contracts[0]))}")
    if missing:
        wish = {"description": "need a /me endpoint", "contextId": contracts[0]["id"]}
        await agent.call("post_event", type="change_request", **{"from": "frontend"}, to="backend", payload=wish)
        agent.tell("post_event(change_request, to: backend)", wish["description"])
    reply = await agent.wait_for("change_request_fulfilled")
    contract = await agent.call("read_context", id=reply["payload"]["contextId"])
    table = build(contract)
    agent.tell(
        f"builds its client against contract {contract['version']}",
        ", ".join(table),
        built=contract["version"] if "GET /me" in table else "",
    )


async def _until_announced(agent: Agent) -> None:
    """One cold-start call; if it came before the contract, the announcement is worth waiting for."""
    summary = await agent.call("get_my_summary", agentId="frontend")
    agent.remember(summary["unreadEvents"])
    event = await agent.wait_for("context_available")
    agent.tell("get_my_summary()", f"{event['type']} from {event['from']}: {event['payload']['summary']}")


def build(contract: dict[str, Any]) -> dict[str, str]:
    """A client's function table from a contract: `GET /me` -> `get_me`."""
    return {
        f"{one['method']} {one['path']}": f"{one['method'].lower()}_{one['path'].strip('/').replace('/', '_')}"
        for one in contract["payload"]["endpoints"]
    }


PARTS = {"backend": backend, "frontend": frontend}


async def main(name: str, url: str, room: str) -> None:
    """Play one part to its end."""
    key = os.environ.get("STATEROOM_API_KEY", "")
    http = httpx2.AsyncClient(headers={"authorization": f"Bearer {key}"} if key else {}, timeout=60.0)
    async with http, Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client:
        await PARTS[name](Agent(name, room, client))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
