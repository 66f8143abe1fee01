"""The demo's first part, as both agents play it: a contract, a change request, version 1.1.

What wakes the other is told before it is done, so that whoever watches reads it in order.
"""

from stateroom.cli.demo_actor import Agent, Json

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


async def backend(agent: Agent) -> None:
    """Designs the API, hands it over, and changes it on request. What wakes the other is told before it is done."""
    task = await agent.call("add_task", title="auth API", description="Log users in.")
    agent.tell("add_task(auth API)", task["id"])
    await agent.call("update_task", taskId=task["id"], status="in_progress", owner="backend")
    agent.tell("update_task(auth API, in_progress, owner: backend)")
    payload = {"service": "auth", "version": "1.0", "endpoints": [LOGIN]}
    written = {"type": "api_contract", "author": "backend", "summary": "Auth API", "payload": payload}
    contract = await agent.call("write_context", consuming_agents=["frontend"], **written)
    agent.tell(
        "write_context(type: api_contract, payload: {…}, consuming_agents: frontend)",
        f'{contract["id"]}, version {contract["version"]}; the room posts "context_available" by itself',
    )
    agent.tell("update_task(auth API, done)")
    await agent.call("update_task", taskId=task["id"], status="done")
    request = await _take_request(agent)
    better = {**payload, "version": "1.1", "endpoints": [LOGIN, ME]}
    revised = await agent.call("update_context", id=contract["id"], author="backend", payload=better)
    agent.tell(f"update_context({contract['id']}, payload: {{… + GET /me}})", f"version {revised['version']}")
    await _reply(agent, request, {"contextId": contract["id"], "version": revised["version"]})


async def _take_request(agent: Agent) -> Json:
    """Wakes when it is there, then takes its inbox, and takes it once more to see that nothing comes twice."""
    request = await agent.hear("change_request", lambda event: bool(event["to"] == agent.name))
    taken = [*await _unread(agent), *await _unread(agent)]
    delivered = [event["id"] for event in taken if event["type"] == "change_request"]
    saw = f"change_request {request['id']} from {request['from']}: {request['payload']['description']}"
    agent.tell("get_unread_events()", f"{saw} ({len(delivered)}×)", delivered=delivered)
    return request


async def _unread(agent: Agent) -> list[Json]:
    events: list[Json] = (await agent.call("get_unread_events", agentId=agent.name))["events"]
    return events


async def _reply(agent: Agent, request: Json, payload: Json) -> None:
    agent.tell(f"reply_to_event({request['id']}, type: change_request_fulfilled)")
    said = {"type": "change_request_fulfilled", "from": agent.name, "to": request["from"], "payload": payload}
    await agent.call("reply_to_event", replyToId=request["id"], **said)


async def frontend(agent: Agent) -> None:
    """Wakes when the API is done, catches up in one call, builds, and asks for what is missing."""
    done = await agent.hear("task_updated", lambda event: bool(event["payload"]["task"]["status"] == "done"))
    agent.tell("wait_for_events()", f"woken: {done['from']} says that {done['payload']['task']['title']} is done")
    summary = await agent.call("get_my_summary", agentId="frontend")
    agent.tell("get_my_summary()", _caught_up(summary))
    contract = (await agent.call("list_context", type="api_contract"))[0]
    agent.tell("list_context(type: api_contract)", f"version {contract['version']}: {', '.join(build(contract))}")
    asked = await _ask_for_me(agent, contract)
    reply = await agent.hear("change_request_fulfilled", lambda event: bool(event.get("reply_to_id") == asked["id"]))
    agent.tell("wait_for_events()", f"woken: {reply['from']} replies to {asked['id']}")
    contract = await agent.call("read_context", id=reply["payload"]["contextId"])
    functions = build(contract)
    built = {"version": contract["version"], "functions": functions}
    agent.tell(f"builds its client against {contract['version']}", ", ".join(functions.values()), built=built)


async def _ask_for_me(agent: Agent, contract: Json) -> Json:
    wish = {"description": "need a /me endpoint", "contextId": contract["id"]}
    agent.tell("post_event(type: change_request, to: backend)", wish["description"])
    said = {"type": "change_request", "from": agent.name, "to": "backend", "payload": wish}
    asked: Json = await agent.call("post_event", **said)
    return asked


def _caught_up(summary: Json) -> str:
    unread = [event["type"] for event in summary["unreadEvents"]]
    online = [one["agentId"] for one in summary["presence"] if one["status"] == "online"]
    return (
        f"{len(summary['myTasks'])} tasks of mine; {len(unread)} unread, {unread.count('context_available')} of them "
        f"context_available; {summary['newContextCount']} new context; online: {', '.join(sorted(online))}"
    )


def build(contract: Json) -> dict[str, str]:
    """What a client generator makes of a contract: `GET /me` -> `get_me()`."""
    return {
        f"{one['method']} {one['path']}": f"{one['method'].lower()}{one['path'].replace('/', '_')}()"
        for one in contract["payload"]["endpoints"]
    }
