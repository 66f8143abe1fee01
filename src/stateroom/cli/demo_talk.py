"""The demo's second part, as both agents play it: a room to talk in, joined by its code; a status note, a decision.

The frontend opens the room and waits for what concerns it. A status note does not wake it; a message that names it
does, and both come together.
"""

import time

from stateroom.cli.demo_actor import Agent, Json
from stateroom.cli.demo_stage import DECISION
from stateroom.cli.errors import CliError

WAITS = 3
"""Of 25 s each, which is what a call waits by itself."""
INVITATION = "invitation"
TOPIC = "Auth API: how long does a token live?"
NOTE = "looking up who keeps tokens"


async def frontend(agent: Agent) -> None:
    """Opens the room, hands its code to the other through the room of the handoff, and listens until it is named."""
    made = await agent.ask("room_create", topic=TOPIC, name=agent.name, role="client")
    code = made["code"]
    agent.tell(f"room_create(topic: {TOPIC})", f"code {code}", code=code)
    agent.tell(f"post_event(type: {INVITATION}, to: backend)", code)
    payload = {"code": code, "topic": made["topic"]}
    await agent.call("post_event", **{"type": INVITATION, "from": agent.name, "to": "backend", "payload": payload})
    heard = await _until_addressed(agent, code, made["cursor"])
    woken_ns, last = time.monotonic_ns(), heard[-1]
    ids = [[one["id"] for one in together] for together in heard]
    saw = f"woken by {last[-1]['name']}: {len(last)} lines, {last[-1]['text'].splitlines()[-1]}"
    agent.tell("room_listen(wakeOn: addressed)", saw, woken_ns=woken_ns, heard=ids)
    report = await agent.ask("room_minutes", code=code, name=agent.name, export=True)
    agent.tell("room_minutes(export: true)", report["reportUrl"], report=report["reportId"])


async def _until_addressed(agent: Agent, code: str, cursor: int) -> list[list[Json]]:
    """What was said up to the first line that is this agent's business, by what came together. Raises CliError."""
    heard: list[list[Json]] = []
    for _ in range(WAITS):
        answer = await agent.ask("room_listen", code=code, name=agent.name, since=cursor, wakeOn="addressed")
        heard, cursor = heard + [answer["messages"]] * bool(answer["messages"]), answer["cursor"]
        if answer.get("addressedYou"):
            return heard
    raise CliError("I waited in vain for somebody to say something to me.")


async def backend(agent: Agent) -> None:
    """Joins by the code it is sent, says that it is at work, and then what is decided."""
    invited = await agent.hear(INVITATION, lambda event: bool(event["to"] == agent.name))
    code = invited["payload"]["code"]
    joined = await agent.ask("room_join", code=code, name=agent.name, role="server")
    here = ", ".join(sorted(one["name"] for one in joined["participants"]))
    agent.tell(f"room_join({code})", f"{joined['topic']} Here: {here}")
    said = {"code": code, "name": agent.name}
    agent.tell(f"room_send({NOTE}, kind: status)", "it wakes nobody and takes no turn")
    await agent.ask("room_send", text=NOTE, kind="status", **said)
    agent.tell("room_send([DECISION] … @frontend)", DECISION, sent_ns=time.monotonic_ns())
    await agent.ask("room_send", text=f"[DECISION] {DECISION}\n@frontend, build on that.", **said)
