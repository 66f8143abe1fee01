"""The catalogue (protocol §4.2) as data: every tool, every argument with its bounds, every result with its fields.

Written from the protocol's page, not from our code. `Arg` says what is taken; a shape says what must be answered.
"""

from dataclasses import dataclass
from typing import Any

STATUS = ("pending", "in_progress", "done", "blocked")
KINDS = ("api_contract", "arch_decision", "task", "change_request", "note")


@dataclass(frozen=True)
class Arg:
    """One argument. `low` and `high` bound a string's characters, an integer, or an array's elements."""

    type: str
    low: int | None = None
    high: int | None = None
    required: bool = True
    default: int | None = None
    one_of: tuple[str, ...] = ()


def text(low: int | None = None, high: int | None = None) -> Arg:
    """A string that must be given."""
    return Arg("string", low, high)


def maybe(low: int | None = None, high: int | None = None) -> Arg:
    """A string that may be left out."""
    return Arg("string", low, high, required=False)


def whole(low: int | None, high: int | None, default: int | None = None) -> Arg:
    """An integer that may be left out."""
    return Arg("integer", low, high, required=False, default=default)


def choice(*values: str, required: bool = True) -> Arg:
    """One of these words."""
    return Arg("string", required=required, one_of=values)


ID = text(1)
ROOM = {"roomId": ID}
AGENT = {**ROOM, "agentId": ID}
ASKED = {**ROOM, "agentId": maybe(1)}
PAYLOAD = Arg("object")
RESOLVE = {**AGENT, "reviewId": ID, "note": maybe()}

ARGUMENTS: dict[str, dict[str, Arg]] = {
    "read_plan": ROOM,
    "update_task": {**ROOM, "taskId": text(), "status": choice(*STATUS), "owner": maybe(), "note": maybe()},
    "add_task": {
        **ROOM,
        "title": text(),
        "description": text(),
        "depends_on": Arg("array", required=False),
    },
    "get_task": {**ROOM, "taskId": ID},
    "get_unblocked_tasks": ASKED,
    "get_my_tasks": AGENT,
    "get_my_summary": AGENT,
    "delete_task": {**ASKED, "taskId": ID},
    "set_task_priority": {**ASKED, "taskId": ID, "priority": Arg("integer")},
    "add_dependency": {**ASKED, "taskId": ID, "dependsOn": ID},
    "write_context": {
        **ROOM,
        "type": choice(*KINDS),
        "summary": text(0, 4000),
        "consuming_agents": Arg("array", 0, 50),
        "payload": PAYLOAD,
        "author": text(1, 128),
    },
    "read_context": {**ROOM, "id": text()},
    "list_context": {**ROOM, "type": choice(*KINDS, required=False), "author": maybe(1)},
    "update_context": {
        **ROOM,
        "id": ID,
        "author": ID,
        "summary": maybe(),
        "consuming_agents": Arg("array", required=False),
        "payload": Arg("object", required=False),
    },
    "delete_context": {**ASKED, "id": ID},
    "get_context_history": {**ROOM, "id": ID},
    "get_room_info": ROOM,
    "search": {**ROOM, "q": text(1, 200), "limit": whole(1, 50, 20), "semantic": Arg("boolean", required=False)},
    "wait_for_events": {**AGENT, "timeoutMs": whole(1, 30_000, 5_000), "limit": whole(1, 100, 20)},
    "diff_context": {**ROOM, "id": ID, "againstVersion": maybe()},
    "get_room_analytics": {**ROOM, "days": whole(1, 90, 7)},
    "list_templates": {},
    "create_room_from_template": {"templateId": ID, "roomId": maybe(), "agentId": maybe()},
    "post_event": {**ROOM, "type": text(1, 128), "from": text(1, 128), "to": text(1, 128), "payload": PAYLOAD},
    "read_events": {**ROOM, "since": maybe(), "limit": whole(1, 100, 20)},
    "get_unread_events": {**AGENT, "limit": whole(1, 100, 50)},
    "mark_event_read": {**AGENT, "eventId": ID},
    "get_event_reads": {**ROOM, "eventId": ID},
    "reply_to_event": {**ROOM, "replyToId": ID, "type": ID, "from": ID, "to": ID, "payload": PAYLOAD},
    "delete_event": {**ASKED, "eventId": ID},
    "heartbeat": AGENT,
    "get_presence": ROOM,
    "acquire_lock": {**AGENT, "resource": ID, "ttlSeconds": whole(1, 300, 30)},
    "release_lock": {**AGENT, "resource": ID},
    "list_locks": ROOM,
    "set_shared_var": {**AGENT, "key": text(1, 128), "value": text(0, 4096)},
    "get_shared_var": {**ROOM, "key": ID},
    "list_shared_vars": ROOM,
    "list_rooms": {},
    "leave_room": AGENT,
    "request_review": {
        **ROOM,
        "targetType": choice("task", "context"),
        "targetId": ID,
        "requestedBy": ID,
        "reviewer": ID,
        "note": maybe(),
    },
    "approve": RESOLVE,
    "reject": RESOLVE,
    "list_reviews": {**ROOM, "status": choice("pending", "approved", "rejected", required=False)},
}
"""In the order of the catalogue. A bound of None means that the protocol sets none."""

SAMPLES: dict[str, Any] = {
    "roomId": "demo",
    "agentId": "ann",
    "taskId": "T-01",
    "title": "t",
    "description": "d",
    "depends_on": [],
    "priority": 1,
    "dependsOn": "T-01",
    "summary": "s",
    "consuming_agents": [],
    "payload": {"text": "t"},
    "author": "ann",
    "id": "C-01",
    "q": "q",
    "templateId": "blank",
    "from": "ann",
    "to": "all",
    "since": "2026-01-01T00:00:00.000Z",
    "eventId": "E-1",
    "replyToId": "E-1",
    "resource": "r",
    "key": "k",
    "value": "v",
    "targetId": "T-01",
    "requestedBy": "ann",
    "reviewer": "bob",
    "reviewId": "R-01",
    "owner": "ann",
    "againstVersion": "1.0",
    "semantic": False,
    "limit": 1,
    "timeoutMs": 1,
    "days": 1,
    "ttlSeconds": 1,
    "status": "done",
    "targetType": "task",
    "note": "n",
}
"""A good value for each argument, whichever tool takes it; `type` depends on the tool."""


def sample(tool: str, *, complete: bool = False) -> dict[str, Any]:
    """Good arguments for a tool: the required ones, or all of the catalogue's."""
    values = {**SAMPLES, "type": "note" if "context" in tool else "ping"}
    if tool == "list_reviews":
        values["status"] = "pending"
    return {name: values[name] for name, arg in ARGUMENTS[tool].items() if arg.required or complete}
