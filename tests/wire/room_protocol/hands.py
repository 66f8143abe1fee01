"""Wishes about the board that the Room Protocol has no tool for, in a room that is used through its tools."""

from dataclasses import dataclass
from typing import Any

from stateroom.core.here import Command
from stateroom.core.proving import SubmitTask
from stateroom.engine.execute import Outcome

from .harness import Room


@dataclass
class Hands:
    """A room whose board is moved by wishes that this protocol has no tool for."""

    room: Room

    async def do(self, by: str, command: Command) -> Outcome:
        """A wish of somebody's."""
        room = self.room
        card = await room.engine.enter(room.caller, room.id)
        return await room.engine.execute(room.caller, card, command, by)

    async def pass_s(self, seconds: float, *present: str) -> None:
        """Time passes, these show up, and the room says what it has ended."""
        self.room.clock.advance(seconds)
        card = await self.room.engine.enter(self.room.caller, self.room.id)
        for name in present:
            self.room.engine.presence.stamp(card.key, name)
        await self.room.engine.tick(card)

    async def newest(self) -> dict[str, Any]:
        """The newest event."""
        return await self.room.newest()


def submission(task: str = "T-01", *, failed: bool = False, **more: Any) -> SubmitTask:
    """What shows that a task is done, or that its run failed."""
    output, exit_code = ("1 failed", 1) if failed else ("1 passed", 0)
    return SubmitTask(task, "a.py", "x = 1", output, exit_code, **more)
