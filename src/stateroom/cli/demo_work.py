"""The demo's third part, as both agents play it: a task that is done when the other says so.

The frontend opens one and names itself as its verifier. The backend takes whatever is next for it, shows what it did,
and may not rule on that itself.
"""

from stateroom.cli.demo_actor import Agent

TITLE = "Answer 503 with Retry-After when the store is away"
DOD = "a test shows the header"
RAN = "1 passed"
EVIDENCE = {
    "fileListing": "api/errors.py\ntests/test_errors.py",
    "fileExcerpt": 'headers = {"retry-after": "2"}',
    "runOutput": RAN,
    "exitCode": 0,
}


async def frontend(agent: Agent) -> None:
    """Opens the task, hears that something is shown, and says whether it is done."""
    made = await agent.call("room_task", name=agent.name, action="create", title=TITLE, dod=DOD, verifier=agent.name)
    id = made["task"]["id"]
    agent.tell("room_task(create, verifier: frontend)", f"{id} {TITLE}")
    await agent.hear("task_updated", lambda event: bool(event["payload"].get("awaitingReview")))
    shown = (await agent.call("room_task", name=agent.name, action="list", id=id))["task"]["evidence"]
    said = f"exit code {shown['exitCode']}: {shown['runOutput']}"
    ruled = await agent.call("room_task", name=agent.name, action="verify", id=id, verdict="done", note="Seen it run.")
    agent.tell(f"room_task(verify, {id}, done)", said, state=ruled["task"]["state"])


async def backend(agent: Agent) -> None:
    """Takes the next task under a lease, shows what it did, and finds that its own word is not enough."""
    await agent.hear("task_added", lambda event: event["payload"]["task"].get("verifier") == "frontend")
    given = await agent.call("next_task", agentId=agent.name)
    id, token = given["task"]["id"], given["token"]
    agent.tell("next_task()", f"{id} under a lease, token {token}", lease=token)
    mine = {"name": agent.name, "id": id}
    await agent.call("room_task", action="submit", token=token, **EVIDENCE, **mine)
    agent.tell(f"room_task(submit, {id})", RAN)
    refused = await agent.refused("room_task", action="verify", verdict="done", **mine)
    agent.tell(f"room_task(verify, {id}, done)", f"refused: {refused}", refused=refused)
