"""One script of calls that every transport, era and client must answer alike."""

from typing import Any

STEPS: list[tuple[str, dict[str, Any]]] = [
    ("read_plan", {}),
    ("add_task", {"title": "auth API", "description": "log in"}),
    ("update_task", {"taskId": "T-01", "status": "in_progress", "owner": "backend"}),
    ("update_task", {"taskId": "T-01", "status": "in_progress", "owner": "frontend"}),
    (
        "write_context",
        {
            "type": "note",
            "summary": "s",
            "consuming_agents": ["frontend"],
            "payload": {"text": "t"},
            "author": "backend",
        },
    ),
    ("write_context", {"type": "note", "summary": "s", "consuming_agents": [], "payload": {}, "author": "backend"}),
    ("get_my_summary", {"agentId": "frontend"}),
    ("list_context", {"type": "note"}),
    ("post_event", {"type": "change_request", "from": "frontend", "to": "backend", "payload": {"wish": "/me"}}),
    ("get_unread_events", {"agentId": "backend"}),
    ("wait_for_events", {"agentId": "backend", "timeoutMs": 1}),
    ("get_task", {"taskId": "nope"}),
    ("get_task", {}),
    ("list_rooms", {}),
    ("search", {"q": "auth"}),
]
VOLATILE = (
    "snippet",
    "timestamp",
    "created_at",
    "updated_at",
    "createdAt",
    "cursor",
    "lastSeen",
    "expiresAt",
    "code",
    "score",
    "via",
)
"""What differs between two runs for good reasons."""


def masked(value: Any) -> Any:
    """The value without what differs between two runs."""
    if isinstance(value, dict):
        return {key: "…" if key in VOLATILE else masked(part) for key, part in value.items()}
    return [masked(part) for part in value] if isinstance(value, list) else value


async def play(call) -> list[Any]:
    """What `call(tool, arguments)` answers to each step: (is_error, structured value)."""
    return [masked(await call(tool, {"roomId": "demo", **arguments})) for tool, arguments in STEPS]
