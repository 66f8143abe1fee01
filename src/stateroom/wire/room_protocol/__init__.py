"""The Room Protocol's JSON forms (protocol §2): plans, tasks, context entries, events, reviews, presence, leases.

Field names and values here are other people's contract: nothing listed is renamed or retyped; fields we add are marked.
"""

from stateroom.wire.room_protocol.events import ALL, NAMES, SYSTEM, event_shape, told
from stateroom.wire.room_protocol.shapes import (
    STATE,
    STATUS,
    Shape,
    context_shape,
    event_id,
    lease_shape,
    plan_shape,
    read_event_id,
    review_shape,
    task_shape,
)

__all__ = [
    "ALL",
    "NAMES",
    "STATE",
    "STATUS",
    "SYSTEM",
    "Shape",
    "context_shape",
    "event_id",
    "event_shape",
    "lease_shape",
    "plan_shape",
    "read_event_id",
    "review_shape",
    "task_shape",
    "told",
]
