"""One script of requests that every transport, era and client must answer alike."""

import contextlib
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

Ask = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]
"""(method, params) -> {"result": …} or {"error": {code, message, …}}, as on the wire."""

NOTE = {"type": "note", "summary": "s", "author": "backend"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("read_plan", {}),
    ("add_task", {"title": "auth API", "description": "log in"}),
    ("update_task", {"taskId": "T-01", "status": "in_progress", "owner": "backend"}),
    ("update_task", {"taskId": "T-01", "status": "in_progress", "owner": "frontend"}),
    ("write_context", {**NOTE, "consuming_agents": ["frontend"], "payload": {"text": "t"}}),
    ("write_context", {**NOTE, "consuming_agents": [], "payload": {}}),
    ("get_my_summary", {"agentId": "frontend"}),
    ("list_context", {"type": "note"}),
    ("post_event", {"type": "change_request", "from": "frontend", "to": "backend", "payload": {"wish": "/me"}}),
    ("get_unread_events", {"agentId": "backend"}),
    ("wait_for_events", {"agentId": "backend", "timeoutMs": 1}),
    ("get_task", {"taskId": "nope"}),
    ("get_task", {}),
    ("get_room_info", {}),
    ("list_rooms", {}),
    ("search", {"q": "auth"}),
]
EXTRAS: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "stateroom://rooms/demo/plan"}),
    ("resources/read", {"uri": "stateroom://rooms/demo/feed"}),
    ("resources/read", {"uri": "stateroom://rooms/demo/summary"}),
    ("resources/read", {"uri": "stateroom://rooms/another/plan"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "join_room", "arguments": {"room": "demo", "agent": "ann"}}),
    ("prompts/get", {"name": "no_such_prompt", "arguments": {}}),
]
STEPS = [("tools/call", {"name": tool, "arguments": {"roomId": "demo", **rest}}) for tool, rest in CALLS] + EXTRAS
ERA_FIELDS = ("resultType", "ttlMs", "cacheScope", "_meta")
VOLATILE = (
    "snippet",
    "timestamp",
    "created_at",
    "updated_at",
    "createdAt",
    "cursor",
    "lastSeen",
    "expiresAt",
    "score",
    "via",
)
"""What differs between two runs for good reasons."""
HELD_FOR = re.compile(r"\bfor \d+ s\b")
ROOM_CODE = re.compile(r"[A-Z0-9]{3}-[A-Z0-9]{3}-[A-Z0-9]{3}")


def masked(value: Any) -> Any:
    """The value without what differs between two runs, also where it is JSON inside a text."""
    match value:
        case dict():
            return {key: "…" if key in VOLATILE else masked(part) for key, part in value.items()}
        case list():
            return [masked(part) for part in value]
        case str() if ROOM_CODE.fullmatch(value):
            return "…"
        case str() if value.startswith(("{", "[")):
            with contextlib.suppress(ValueError):
                return {"as JSON": masked(json.loads(value))}
        case str():
            return HELD_FOR.sub("for … s", value)
    return value


def compared(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what differs between runs and between eras."""
    if "error" in answer:
        return {"error": masked(answer["error"])}
    return {"result": {key: masked(part) for key, part in answer["result"].items() if key not in ERA_FIELDS}}


async def play(ask: Ask) -> list[Any]:
    """What is answered to each step, ready to be compared."""
    return [compared(await ask(method, params)) for method, params in STEPS]
