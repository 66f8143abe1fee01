"""What a room's project tells newcomers, as the conversation's faces show it."""

from typing import Any

from stateroom.engine.projects import Heritage
from stateroom.wire import projects


def heritage_shape(found: Heritage, role_brief: str, brief_chars: int | None = None) -> dict[str, Any]:
    """The fields of agent-room §13; a brief that is longer than `brief_chars` is cut, and says so."""
    brief = found.brief
    if brief_chars is not None and len(brief) > brief_chars:
        brief = f"{brief[:brief_chars]}… (stateroom projects show {found.id} has all of it)"
    about = (found.id, found.name, brief, found.brief_version, found.brief_at, found.memory)
    return projects.heritage_shape(*about, role_brief)
