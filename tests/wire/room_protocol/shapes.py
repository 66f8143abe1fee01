"""The result shapes (protocol §2) as data, and the one function that holds an answer against a shape.

A shape is a type, a set of words, `[element]`, `{field: shape}`, or a function that judges. A field whose name ends
in `?` may be absent. Fields beyond those listed are allowed (§14.2): they are ours.
"""

import re
from collections.abc import Callable
from typing import Any

ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def iso(value: object) -> bool:
    """A time as the protocol writes it: UTC, milliseconds, `Z`."""
    return isinstance(value, str) and ISO.fullmatch(value) is not None


def iso_or_null(value: object) -> bool:
    """The same, or null."""
    return value is None or iso(value)


def text_or_null(value: object) -> bool:
    """A string, or null."""
    return value is None or isinstance(value, str)


def number(value: object) -> bool:
    """An integer or a fraction, no boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def strings(value: object) -> bool:
    """An object whose values are all strings."""
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())


def empty(value: object) -> bool:
    """An empty list."""
    return value == []


def true(value: object) -> bool:
    """Nothing but true."""
    return value is True


TASK: dict[str, Any] = {
    "id": str,
    "title": str,
    "description": str,
    "status": {"pending", "in_progress", "done", "blocked"},
    "owner": text_or_null,
    "created_at": iso,
    "updated_at": iso,
    "depends_on": [str],
    "priority?": int,
}
PLAN = {"project": str, "created_at": iso, "updated_at": iso, "tasks": [TASK]}
ENTRY = {
    "id": str,
    "type": {"api_contract", "arch_decision", "task", "change_request", "note"},
    "author": str,
    "timestamp": iso,
    "summary": str,
    "consuming_agents": [str],
    "payload": dict,
    "version": re.compile(r"\d+\.\d+").fullmatch,
}
EVENT = {
    "id": str,
    "type": str,
    "from": str,
    "to": str,
    "payload": dict,
    "timestamp": iso,
    "read_by": [str],
    "reply_to_id?": str,
}
PRESENCE = {"agentId": str, "status": {"online", "offline"}, "lastSeen": iso_or_null}
LOCK = {"resource": str, "owner": str}
REVIEW = {
    "id": str,
    "roomId": str,
    "targetType": {"task", "context"},
    "targetId": str,
    "requestedBy": str,
    "reviewer": str,
    "status": {"pending", "approved", "rejected"},
    "note?": str,
    "createdAt": iso,
    "resolvedAt?": iso,
    "resolvedBy?": str,
}
SUMMARY = {
    "agentId": str,
    "roomId": str,
    "myTasks": [TASK],
    "unreadEvents": [EVENT],
    "newContextCount": int,
    "presence": [PRESENCE],
    "cursor": iso_or_null,
}
HIT = {"kind": {"task", "context", "event"}, "id": str, "score": number, "snippet": str}
INFO = {
    "roomId": str,
    "ownerTeamId": text_or_null,
    "createdAt": iso_or_null,
    "memberCount": int,
    "taskCount": int,
    "contextCount": int,
    "eventCount": int,
}
ANALYTICS = {
    "roomId": str,
    "ownerTeamId": text_or_null,
    "createdAt": iso_or_null,
    "tasks": {"total": int, "done": int, "pending": int, "inProgress": int, "blocked": int, "completionRate": number},
    "agents": {"total": int, "online": int},
    "contextCount": int,
    "events": {"total": int, "lastDays": int, "perDay": number},
}
DIFF = {
    "summaryChanged": bool,
    "fromSummary": str,
    "toSummary": str,
    "payload": {"added": [str], "removed": [str], "changed": [str]},
    "fromVersion": str,
    "toVersion": str,
}
UNREAD = {"events": [EVENT], "cursor": iso_or_null, "count": int}
TEMPLATE = {"id": str, "name": str, "description": str, "taskCount": int}

RESULTS: dict[str, Any] = {
    "read_plan": PLAN,
    "update_task": TASK,
    "add_task": TASK,
    "get_task": TASK,
    "get_unblocked_tasks": [TASK],
    "get_my_tasks": [TASK],
    "get_my_summary": SUMMARY,
    "delete_task": {"deleted": true, "taskId": str},
    "set_task_priority": {**TASK, "priority": int},
    "add_dependency": TASK,
    "write_context": ENTRY,
    "read_context": ENTRY,
    "list_context": [ENTRY],
    "update_context": ENTRY,
    "delete_context": {"deleted": true, "id": str},
    "get_context_history": {"id": str, "current": ENTRY, "history": [ENTRY]},
    "get_room_info": INFO,
    "search": {"q": str, "hits": [HIT]},
    "wait_for_events": {"events": [EVENT], "cursor": iso_or_null, "timedOut": bool},
    "diff_context": {"id": str, "current": ENTRY, "previous": ENTRY, "diff": DIFF},
    "get_room_analytics": ANALYTICS,
    "list_templates": {"templates": [TEMPLATE]},
    "create_room_from_template": {"roomId": str, "templateId": str, "taskCount": int},
    "post_event": EVENT,
    "read_events": [EVENT],
    "get_unread_events": UNREAD,
    "mark_event_read": {"eventId": str, "agentId": str, "ok": true},
    "get_event_reads": {"eventId": str, "readBy": [str]},
    "reply_to_event": {**EVENT, "reply_to_id": str},
    "delete_event": {"deleted": true, "eventId": str},
    "heartbeat": {"agentId": str, "presence": [PRESENCE]},
    "get_presence": [PRESENCE],
    "acquire_lock": {"acquired": bool, "resource": str, "holder": str, "ttlSeconds": int},
    "release_lock": {"released": bool, "resource": str},
    "list_locks": [LOCK],
    "set_shared_var": {"key": str, "value": str},
    "get_shared_var": {"key": str, "value": text_or_null, "found": bool},
    "list_shared_vars": {"vars": strings, "count": int},
    "list_rooms": {"rooms": [str]},
    "leave_room": {"left": true, "agentId": str, "agents": [str]},
    "request_review": REVIEW,
    "approve": {**REVIEW, "resolvedAt": iso, "resolvedBy": str},
    "reject": {**REVIEW, "resolvedAt": iso, "resolvedBy": str},
    "list_reviews": [REVIEW],
}


def faults(value: Any, shape: Any, at: str = "$") -> list[str]:
    """Everything in which a value is not what its shape says; empty if it is."""
    if isinstance(shape, dict):
        return _object_faults(value, shape, at)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{at}: no array"]
        return [fault for index, each in enumerate(value) for fault in faults(each, shape[0], f"{at}[{index}]")]
    return [] if _fits(value, shape) else [f"{at}: {value!r}"]


def _object_faults(value: Any, shape: dict[str, Any], at: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{at}: no object"]
    found = []
    for field, inner in shape.items():
        name = field.removesuffix("?")
        if name in value:
            found += faults(value[name], inner, f"{at}.{name}")
        elif not field.endswith("?"):
            found.append(f"{at}.{name}: absent")
    return found


def _fits(value: Any, shape: type | set[str] | Callable[[Any], object]) -> bool:
    if isinstance(shape, type):
        return isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
    return value in shape if isinstance(shape, set) else bool(shape(value))
