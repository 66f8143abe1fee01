"""The names things go by. Plain strings and integers with distinct types."""

from typing import NewType

LogKey = NewType("LogKey", str)
"""Which log: `lobby`, or a room as `team/room-id`. Unique in a store; never shown to clients."""

RoomId = NewType("RoomId", str)
"""A room's id inside its team, as clients write it."""

Name = NewType("Name", str)
"""A member's handle as first spelled. Compare with `members.fold`, never with `==`."""

TaskId = NewType("TaskId", str)
ContextId = NewType("ContextId", str)
ReviewId = NewType("ReviewId", str)

Position = NewType("Position", int)
"""A place in a log: 1 for the first entry, gapless; 0 means before the first."""

Instant = NewType("Instant", int)
"""Milliseconds since 1970-01-01T00:00:00Z."""
