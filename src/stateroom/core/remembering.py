"""A project's rules: what its people do with it, and how it takes in what its rooms have said.

What is near enough to be the same, and what answers a question, is in `memory`.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, get_args

from stateroom.core import limits, memory
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.memory import FACTS_KEPT, Candidate, Category, MemoryFact
from stateroom.core.project import (
    Attached,
    AttachRoom,
    BriefSet,
    CreateProject,
    EditFact,
    FactForgotten,
    FactRemembered,
    ForgetFact,
    KeyRotated,
    LearnRoom,
    Project,
    ProjectCreated,
    Remember,
    RoomAttached,
    RoomLearned,
    RotateKey,
    SetBrief,
)
from stateroom.core.refusals import BadFact
from stateroom.core.scrubbing import scrubbed

NAME_CHARS = 200
BRIEF_CHARS = 16_000
FORGOTTEN_KEPT = 500


def create(project: Project, command: CreateProject, here: Here) -> list[Event]:
    if project.id:
        return []
    return [ProjectCreated(command.id, command.team, name(command.name), command.digest, brief(command.brief))]


def name(value: str) -> str:
    """A project's name, trimmed. Raises BadName, TooLong."""
    limits.text("name", value, NAME_CHARS)
    return limits.name(value[: limits.NAME_CHARS]) and value.strip()


def brief(value: str) -> str:
    """Raises TooLong, BadText."""
    return limits.text("brief", value, BRIEF_CHARS).strip()


def set_brief(project: Project, command: SetBrief, here: Here) -> list[Event]:
    wished = BriefSet(brief(command.brief), name(command.name) if command.name else project.name)
    return [] if (wished.brief, wished.name) == (project.brief, project.name) else [wished]


def rotate(project: Project, command: RotateKey, here: Here) -> list[Event]:
    return [KeyRotated(command.digest)]


def attach(project: Project, command: AttachRoom, here: Here) -> list[Event]:
    return [] if command.room in project.rooms else [RoomAttached(command.room, command.code)]


def learn(project: Project, command: LearnRoom, here: Here) -> list[Event]:
    known = project.rooms.get(command.room)
    if known is None or command.position <= known.learned:
        return []
    facts, changed, number = dict(project.facts), dict[str, MemoryFact](), project.last_number
    for candidate in command.said:
        if _forgotten_as(candidate.category, candidate.text) in project.forgotten:
            continue
        fact = memory.find(facts.values(), candidate.category, candidate.text)
        if fact is None:
            number += 1
            fact = _fresh(f"M-{number:02d}", candidate, here)
        else:
            fact = memory.said_again(fact, candidate, here.now)
        if facts.get(fact.id) != fact:
            facts[fact.id] = changed[fact.id] = fact
    gone = _answered(facts)
    kept = tuple(fact for id, fact in changed.items() if id not in gone)
    return [RoomLearned(command.room, command.position, kept, tuple(id for id in gone if id in project.facts))]


def _fresh(id: str, candidate: Candidate, here: Here) -> MemoryFact:
    source = candidate.source
    at = source.at if source else here.now
    return MemoryFact(id, candidate.category, candidate.text, (source,) if source else (), at, candidate.about)


def _answered(facts: dict[str, MemoryFact]) -> list[str]:
    """The open questions that something known answers."""
    questions = [fact for fact in facts.values() if fact.category == "open_questions"]
    return [one.id for one in questions if any(memory.answers(fact, one) for fact in facts.values())]


def _forgotten_as(category: str, text: str) -> str:
    return f"{category} {' '.join(memory.tokens(text))}"


def remember(project: Project, command: Remember, here: Here) -> list[Event]:
    if command.category not in get_args(Category):
        raise BadFact
    text = memory.fact_text(command.text)
    if memory.find(project.facts.values(), command.category, text) is not None:
        return []
    return [FactRemembered(_fresh(f"M-{project.last_number + 1:02d}", Candidate(command.category, text), here))]


def edit(project: Project, command: EditFact, here: Here) -> list[Event]:
    fact = project.find(command.fact)
    after = replace(fact, text=memory.fact_text(command.text), edited=True)
    return [] if after.text == fact.text else [FactRemembered(after)]


def forget(project: Project, command: ForgetFact, here: Here) -> list[Event]:
    return [FactForgotten(project.find(command.fact))]


def created(project: Project, entry: LogEntry, event: ProjectCreated) -> None:
    project.id, project.team, project.name, project.digest = event.id, event.team, event.name, event.digest
    project.brief, project.brief_version, project.brief_at = event.brief, int(bool(event.brief)), entry.at
    project.created_at = entry.at


def brief_set(project: Project, entry: LogEntry, event: BriefSet) -> None:
    if event.brief != project.brief:
        project.brief_version, project.brief_at = project.brief_version + 1, entry.at
    project.brief, project.name = event.brief, event.name


def rotated(project: Project, entry: LogEntry, event: KeyRotated) -> None:
    project.digest = event.digest


def attached(project: Project, entry: LogEntry, event: RoomAttached) -> None:
    project.rooms[event.room] = Attached(event.room, event.code, entry.at)


def learned(project: Project, entry: LogEntry, event: RoomLearned) -> None:
    room = project.rooms.get(event.room) or Attached(event.room, "", entry.at)
    project.rooms[event.room] = replace(room, learned=event.position)
    for fact in event.facts:
        _keep(project, fact)
    for id in event.answered:
        project.facts.pop(id, None)


def remembered(project: Project, entry: LogEntry, event: FactRemembered) -> None:
    _keep(project, event.fact)


def _keep(project: Project, fact: MemoryFact) -> None:
    project.facts[fact.id] = fact
    project.last_number = max(project.last_number, int(fact.id.removeprefix("M-")))
    mine = memory.rank(project.facts.values(), fact.category)
    for one in mine[FACTS_KEPT:]:
        del project.facts[one.id]


def fact_forgotten(project: Project, entry: LogEntry, event: FactForgotten) -> None:
    project.facts.pop(event.fact.id, None)
    project.forgotten[_forgotten_as(event.fact.category, event.fact.text)] = entry.at
    if len(project.forgotten) > FORGOTTEN_KEPT:
        del project.forgotten[next(iter(project.forgotten))]


RULES: dict[type[Command], Callable[[Project, Any, Here], list[Event]]] = {
    CreateProject: create,
    SetBrief: set_brief,
    RotateKey: rotate,
    AttachRoom: attach,
    LearnRoom: learn,
    Remember: remember,
    EditFact: edit,
    ForgetFact: forget,
}
FOLDS: dict[type[Event], Callable[[Project, LogEntry, Any], None]] = {
    ProjectCreated: created,
    BriefSet: brief_set,
    KeyRotated: rotated,
    RoomAttached: attached,
    RoomLearned: learned,
    FactRemembered: remembered,
    FactForgotten: fact_forgotten,
}


OURS = (RotateKey, AttachRoom, LearnRoom)
"""What holds no words that anybody has just written; what a room has said is clean already."""


def decide(project: Project, command: Command, here: Here) -> list[Event]:
    """The facts that follow from a wish. Raises a Refusal, and then nothing has changed."""
    command, _ = (
        scrubbed(command) if here.redacts and not isinstance(command, CreateProject | RotateKey) else (command, 0)
    )
    return RULES[type(command)](project, command, here)


def evolve(project: Project, entry: LogEntry) -> None:
    """Fold one entry, in place."""
    project.advance(entry)
    if (fold := FOLDS.get(type(entry.event))) is not None:
        fold(project, entry, entry.event)


def replay(entries: Iterable[LogEntry], project: Project | None = None) -> Project:
    project = project or Project()
    for entry in entries:
        evolve(project, entry)
    return project
