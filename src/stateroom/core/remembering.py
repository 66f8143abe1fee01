"""A project's rules: what its people do with it, and how it takes in what its rooms have said.

What is near enough to be the same is in `likeness`, what answers a question in `answering`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, get_args

from stateroom.core import limits, memory
from stateroom.core.answering import answered
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Position
from stateroom.core.likeness import Words, bucket, near, tokens
from stateroom.core.memory import FACTS_KEPT, Candidate, Category, Known, MemoryFact
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
    """What was said since the room was last learned; what was known then and is gone was edited, forgotten, answered,
    or had to make room, and does not come back."""
    attached = project.rooms.get(command.room)
    if attached is None or command.position <= attached.learned:
        return []
    known, changed, number = Known(project.facts.values()), dict[str, MemoryFact](), project.last_number
    for candidate in _worth(project, command.said, attached.learned):
        fact = known.find(candidate.category, candidate.text, candidate.about)
        if fact is None:
            number += 1
            after = _fresh(f"M-{number:02d}", candidate, here)
        elif (after := memory.said_again(fact, candidate)) == fact:
            continue
        known.keep(after)
        changed[after.id] = after
    gone = {*answered(known.facts.values()), *_closed(project, attached, command.said)}
    kept = tuple(fact for id, fact in changed.items() if id not in gone)
    return [RoomLearned(command.room, command.position, kept, tuple(id for id in project.facts if id in gone))]


def _worth(project: Project, said: Iterable[Candidate], learned: Position) -> Iterator[Candidate]:
    """What is newer than what was learned, and not forgotten: in these words, or as the question about its task."""
    forgotten: dict[Words, list[Words]] = {}
    for key in project.forgotten:
        words = tuple(key.split(" "))
        forgotten.setdefault(bucket(words), []).append(words)
    for candidate in said:
        words = (candidate.category, *tokens(candidate.text))
        new = candidate.position > learned or not learned
        asked = candidate.category == "open_questions" and _about(candidate.about) in project.forgotten
        if new and not asked and not any(near(words, one) for one in forgotten.get(bucket(words), [])):
            yield candidate


def _closed(project: Project, attached: Attached, said: Iterable[Candidate]) -> set[str]:
    """The questions about tasks of this room that are not open there any more: cancelled, or done."""
    still = {one.about for one in said if one.category == "open_questions"}
    questions = (fact for fact in project.facts.values() if fact.category == "open_questions" and fact.about)
    return {one.id for one in questions if one.about.startswith(f"{attached.code} ") and one.about not in still}


def _fresh(id: str, candidate: Candidate, here: Here) -> MemoryFact:
    source = candidate.source
    at = source.at if source else here.now
    said = (candidate.category, candidate.text, (source,) if source else ())
    return MemoryFact(id, *said, at, candidate.about, title=candidate.title)


def _as_forgotten(category: str, text: str) -> str:
    return " ".join((category, *tokens(text)))


def _about(task: str) -> str:
    return f"about {task}"


def remember(project: Project, command: Remember, here: Here) -> list[Event]:
    if command.category not in get_args(Category):
        raise BadFact
    text = memory.fact_text(command.text)
    if Known(project.facts.values()).find(command.category, text) is not None:
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
    """What somebody writes may be learned again, whoever has forgotten it."""
    project.forgotten.pop(_as_forgotten(event.fact.category, event.fact.text), None)
    _keep(project, event.fact)


def _keep(project: Project, fact: MemoryFact) -> None:
    project.facts[fact.id] = fact
    project.last_number = max(project.last_number, int(fact.id.removeprefix("M-")))
    mine = memory.rank(project.facts.values(), fact.category)
    for one in mine[FACTS_KEPT:]:
        del project.facts[one.id]


def fact_forgotten(project: Project, entry: LogEntry, event: FactForgotten) -> None:
    project.facts.pop(event.fact.id, None)
    project.forgotten[_as_forgotten(event.fact.category, event.fact.text)] = entry.at
    if event.fact.category == "open_questions" and event.fact.about:
        project.forgotten[_about(event.fact.about)] = entry.at
    while len(project.forgotten) > FORGOTTEN_KEPT:
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


def decide(project: Project, command: Command, here: Here) -> list[Event]:
    """The facts that follow from a wish. Raises a Refusal, and then nothing has changed."""
    command, _ = scrubbed(command) if here.redacts else (command, 0)
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
