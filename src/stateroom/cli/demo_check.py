"""How the demo knows that it went well: the rooms themselves are asked, and nobody is taken at their word alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stateroom.cli.demo_stage import DECISION, Step
from stateroom.client import Client
from stateroom.wire.links import Links

Json = dict[str, Any]
NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Check:
    what: str
    expected: Any
    found: Any
    ok: bool


@dataclass(frozen=True, slots=True)
class Talk:
    """What came of the conversation, as the server has it; empty where there was none."""

    code: str = ""
    page: str = ""
    report: str = ""
    """The address of the exported one."""
    summary: str = ""
    decisions: tuple[str, ...] = ()
    woken_ms: float | None = None
    """From just before the decision was sent until the waiting agent had it."""


async def check(client: Client, room: str, steps: list[Step]) -> list[Check]:
    """What ought to be so after the handoff, and what is. Raises Problem, Unreachable."""
    events = await client.events(room, order="oldest", limit=1000)
    announced = _of(events, "context_available")
    requests, replies = _of(events, "change_request"), _of(events, "change_request_fulfilled")
    asked = [event["id"] for event in requests]
    contracts = await client.context(room, type="api_contract")
    first = (await client.plan(room))[:1]
    return [
        _check("the contract was announced once, to its consumer", ["frontend"], [e["to"] for e in announced]),
        _check("one change request was made", 1, len(requests)),
        _check("the backend's inbox delivered it exactly once", [asked], list(_facts(steps, "delivered"))),
        _check("the contract stands at version 1.1", ["1.1"], [one["version"] for one in contracts]),
        _check("the reply names the request", [True], [e.get("reply_to_id") in asked for e in replies]),
        _check("the task is done, by the backend", [["done", "backend"]], [[t["state"], t["owner"]] for t in first]),
        _check(
            "the frontend built GET /me from version 1.1", [["1.1", True]], list(map(_built, _facts(steps, "built")))
        ),
    ]


async def check_talk(client: Client, steps: list[Step]) -> tuple[list[Check], Talk]:
    """What ought to be so after the conversation, and what is. Raises Problem, Unreachable."""
    code, report_id = (next(_facts(steps, name), "") for name in ("code", "report"))
    here = sorted(member.name for member in await client.members(code)) if code else []
    lines = (await client.lines(code)).lines if code else []
    said = [[line["name"], line["metadata"].get("roleAtSend")] for line in lines]
    kept = await client.frozen(report_id) if report_id else None
    report: Json = (kept and kept.report) or {}
    talk = Talk(
        code,
        Links(client.url).room(code) if code else "",
        kept.url if kept else "",
        report.get("summary", ""),
        tuple(report.get("decisions", ())),
        _woken_ms(steps),
    )
    heard = [line["id"] for line in lines]
    return [
        _check("both joined the room by its code", ["backend", "frontend"], here),
        _check("a status note and a message were said", [["backend", "status"], ["backend", "open"]], said),
        _check("the note woke nobody: it came with the message, once", [[heard]], list(_facts(steps, "heard"))),
        _check("the exported report holds the decision", [f"backend: {DECISION}"], list(talk.decisions)),
    ], talk


async def check_work(client: Client, room: str, steps: list[Step]) -> list[Check]:
    """What ought to be so after the task that another verifies, and what is. Raises Problem, Unreachable."""
    tasks = (await client.plan(room))[1:]
    ruled = [[task["owner"], (task["verdict"] or {}).get("by"), task["state"]] for task in tasks]
    shown = [task["evidence"][-1]["exit_code"] for task in tasks if task["evidence"]]
    return [
        _check("the backend may not rule on its own", ["OwnerCannotVerifyError"], list(_facts(steps, "refused"))),
        _check("the task is done by the other's verdict", [["backend", "frontend", "done"]], ruled),
        _check("what was shown is kept", [0], shown),
    ]


def _woken_ms(steps: list[Step]) -> float | None:
    """One clock for all processes of a machine, so what two of them read can be compared."""
    sent, woken = (next(_facts(steps, name), None) for name in ("sent_ns", "woken_ns"))
    return None if sent is None or woken is None else round((woken - sent) / NS_PER_MS, 1)


def _facts(steps: list[Step], name: str) -> Iterator[Any]:
    """What the agents say about one thing, in order."""
    return (step.facts[name] for step in steps if name in step.facts)


def _of(events: list[Json], type: str) -> list[Json]:
    return [event for event in events if event["type"] == type]


def _built(built: Json) -> list[Any]:
    return [built["version"], "GET /me" in built["functions"]]


def _check(what: str, expected: Any, found: Any) -> Check:
    return Check(what, expected, found, expected == found)
