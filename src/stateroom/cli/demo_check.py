"""How the demo knows that it went well: the room's log and state are asked, and nobody is taken at their word alone."""

from dataclasses import dataclass
from typing import Any

from stateroom.cli.demo_stage import Step
from stateroom.client import Client

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Check:
    what: str
    expected: Any
    found: Any
    ok: bool


async def check(client: Client, room: str, steps: list[Step]) -> list[Check]:
    """What ought to be so, and what is. Raises Problem, Unreachable."""
    events = await client.events(room, order="oldest", limit=1000)
    announced = _of(events, "context_available")
    requests, replies = _of(events, "change_request"), _of(events, "change_request_fulfilled")
    asked = [event["id"] for event in requests]
    contracts = await client.context(room, type="api_contract")
    tasks = await client.plan(room)
    delivered = [step.facts["delivered"] for step in steps if "delivered" in step.facts]
    built = [step.facts["built"] for step in steps if "built" in step.facts]
    return [
        _check("the contract was announced once, to its consumer", ["frontend"], [e["to"] for e in announced]),
        _check("one change request was made", 1, len(requests)),
        _check("the backend's inbox delivered it exactly once", [asked], delivered),
        _check("the contract stands at version 1.1", ["1.1"], [one["version"] for one in contracts]),
        _check("the reply names the request", [True], [e.get("reply_to_id") in asked for e in replies]),
        _check("the task is done, by the backend", [["done", "backend"]], [[t["state"], t["owner"]] for t in tasks]),
        _check("the frontend built GET /me from version 1.1", [["1.1", True]], [_built(one) for one in built]),
    ]


def _of(events: list[Json], type: str) -> list[Json]:
    return [event for event in events if event["type"] == type]


def _built(built: Json) -> list[Any]:
    return [built["version"], "GET /me" in built["functions"]]


def _check(what: str, expected: Any, found: Any) -> Check:
    return Check(what, expected, found, expected == found)
