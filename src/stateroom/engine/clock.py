"""The one place that knows what time it is and draws lots."""

import asyncio
import secrets
import time
from collections.abc import Callable

from stateroom.core.ids import Instant

Clock = Callable[[], Instant]
"""Says what time it is now."""


def system_clock() -> Instant:
    """Wall-clock time."""
    return Instant(time.time_ns() // 1_000_000)


def loop_clock() -> Instant:
    """Time as the running event loop counts it: under a simulated loop, simulated time."""
    return Instant(int(asyncio.get_running_loop().time() * 1000))


def fresh_id(size_bytes: int = 12) -> str:
    """An unguessable URL-safe id."""
    return secrets.token_urlsafe(size_bytes)


def fresh_code(letters: str) -> str:
    """A room code `XXX-XXX-XXX` from these letters."""
    drawn = "".join(secrets.choice(letters) for _ in range(9))
    return f"{drawn[:3]}-{drawn[3:6]}-{drawn[6:]}"


def fresh_room_id() -> str:
    """A room id of 12 characters from `0-9a-z` (protocol, POST /admin/rooms)."""
    return "".join(secrets.choice("0123456789abcdefghijklmnopqrstuvwxyz") for _ in range(12))


def fresh_key() -> str:
    """A host or seat key: 128 bits as 32 hexadecimal digits (agent-room §2.5)."""
    return secrets.token_hex(16)
