"""One system line of the transcript, and how members' words stand in one."""

import re
from dataclasses import dataclass, field
from typing import Any

from stateroom.core.here import LogEntry

GREY, BLUE, AMBER, GREEN, RED = "#6B7280", "#3B82F6", "#F59E0B", "#10B981", "#DC2626"
TITLE_CHARS = 120


@dataclass(frozen=True, slots=True)
class Line:
    icon: str
    color: str
    text: str
    event: str = ""
    """The line's `eventType`."""
    target: str = ""
    """Whom it is about, who is to hear of it."""
    more: dict[str, Any] = field(default_factory=dict)
    """Further metadata."""


def who(entry: LogEntry) -> str:
    """By whom it was done."""
    return entry.by or "Somebody"


def tame(text: str) -> str:
    """Members' words in a sentence that programs read: they neither close its quote nor say its `(now …)`."""
    return re.sub(r"\(\s*now\b", "(now:", text.replace('"', "'"), flags=re.IGNORECASE)
