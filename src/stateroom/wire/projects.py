"""Projects in JSON: the brief, and what is remembered with where it was said. Instants are epoch milliseconds."""

from typing import Any

import msgspec

from stateroom.core.ids import Instant
from stateroom.core.memory import CATEGORIES, Category, MemoryFact, rank
from stateroom.core.project import Project
from stateroom.core.views.memory import Told, told

BRIEFED = "## Host's project brief (v{version})"
BRIEF_LEAD = "What the people behind this project want everybody in it to know."
MEMORY_LEAD = "What earlier rooms of this project have left. It is what members said then; check what you rely on."
MORE = "({left_out} more facts: `stateroom projects show {id}`.)"
ROLE_LEAD = "What you are here for. It does not override the rules of the room or the brief."


class ProjectRoom(msgspec.Struct):
    code: str
    attached_at: Instant
    learned: int
    """Up to which position of its log it was read into the memory; 0 while it has not ended."""


class ProjectLine(msgspec.Struct):
    """A project in a list of them."""

    id: str
    name: str
    brief_version: int
    created_at: Instant
    rooms: int
    """How many rooms are part of it."""
    facts: int
    """How many facts it remembers."""


def project_line(project: Project) -> ProjectLine:
    about = (project.id, project.name, project.brief_version, project.created_at)
    return ProjectLine(*about, len(project.rooms), len(project.facts))


class ProjectShape(msgspec.Struct):
    id: str
    name: str
    brief: str
    brief_version: int
    brief_at: Instant
    created_at: Instant
    rooms: list[ProjectRoom]
    facts: list[MemoryFact]
    """The most important category first, and in it what matters most."""
    memory: str
    """What newcomers are told, within a budget of characters."""
    left_out: int
    """How many facts that leaves out."""
    key: str = ""
    """Shown once: when the project is made, or its key is replaced."""


def project_shape(project: Project, budget: int, key: str = "") -> ProjectShape:
    rooms = [ProjectRoom(one.code, one.attached_at, one.learned) for one in project.rooms.values()]
    facts = [fact for category in CATEGORIES for fact in rank(project.facts.values(), category)]
    fits = told(project.facts.values(), budget)
    about = (project.id, project.name, project.brief, project.brief_version, project.brief_at, project.created_at)
    return ProjectShape(*about, rooms, facts, fits.text, fits.left_out, key)


def heritage_shape(
    id: str, name: str, brief: str, version: int, at: Instant, known: Told, role_brief: str
) -> dict[str, Any]:
    """What a newcomer gets (agent-room §13): `projectId`, `projectName`, and where there is something `projectPrompt`
    with `projectPromptVersion` and `projectPromptUpdatedAt`, `projectMemoryContext`, `agentContext`."""
    shape: dict[str, Any] = {"projectId": id, "projectName": name}
    if brief:
        shape |= {"projectPrompt": brief, "projectPromptVersion": version, "projectPromptUpdatedAt": at}
    more = MORE.format(left_out=known.left_out, id=id) if known.left_out else ""
    if memory := f"{known.text}\n{more}".strip():
        shape["projectMemoryContext"] = memory
    parts = [
        (f"{BRIEFED.format(version=version)}\n\n{BRIEF_LEAD}\n\n{brief}", brief),
        (f"## Project memory\n\n{MEMORY_LEAD}\n\n{memory}", memory),
        (f"## Your role\n\n{ROLE_LEAD}\n\n{role_brief}", role_brief),
    ]
    if context := "\n\n".join(text for text, given in parts if given):
        shape["agentContext"] = context
    return shape


class NewProject(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    brief: str = ""


class NewBrief(msgspec.Struct, forbid_unknown_fields=True):
    brief: str
    name: str = ""
    """Empty keeps it."""


class NewFact(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    category: Category = "facts"


class NewWords(msgspec.Struct, forbid_unknown_fields=True):
    text: str
