"""Moved to `wire.agent_room.tasks`; this name goes when nobody imports it any more."""

from stateroom.wire.agent_room.tasks import board_shape, task_shape

__all__ = ["board_shape", "task_shape"]
