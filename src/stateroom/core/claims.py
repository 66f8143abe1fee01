"""How a task is held: under a lease or without one, and who asks for it (agent-room §6.9; gap 74, traps 19 to 24).

    active -> released      by its holder, by handing the task over, or because the work came to something
    active -> expired       by the clock: a grace after its end the task is free, whoever asks

A lease's token grows with every grant in a room, so that a holder that was away can be told from the one that holds
now. What its holder does in the room is a sign of life and renews it.
"""

from dataclasses import dataclass
from typing import Literal

from stateroom.core.ids import Instant, Name

LEASE_SECONDS = 900
LONGEST_LEASE = 86_400
GRACE_MS = 30_000
"""After its end a lease can still be renewed for so long, and by nobody else be taken."""
LEFT_MS = 60_000
"""A verifier that has left is waited for so much longer."""
STALL_MS = 600_000
"""A holder that has done nothing for so long is asked about it, once for each silence (trap 4)."""


@dataclass(frozen=True, slots=True)
class TaskLease:
    token: int
    """Grows with every grant in this room."""
    seconds: int
    """How long it lasts after the holder's last sign of life."""
    granted_at: Instant
    renewed_at: Instant
    """When it was last renewed on purpose; other signs of life are the board's to know."""
    status: Literal["active", "released", "expired"] = "active"
    ended_at: Instant | None = None

    @property
    def active(self) -> bool:
        return self.status == "active"

    def until(self, seen: Instant) -> Instant:
        """When it ends, for a holder that was last seen at `seen`."""
        return Instant(max(self.renewed_at, seen) + self.seconds * 1000)


@dataclass(frozen=True, slots=True)
class Handoff:
    """Somebody asks a task's holder for it."""

    by: Name
    at: Instant
