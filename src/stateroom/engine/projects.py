"""Projects: made, found, told to newcomers. A key is drawn here, shown once, and goes on as a digest only.

The team that owns a project may do everything with it, if its credential is not bound to one room. Whoever shows its
key may have rooms in it, and no more: what newcomers read as the brief is the team's word. A wrong key, one that was
replaced, and an unknown project are refused alike.
"""

from dataclasses import dataclass

from stateroom.core import remembering
from stateroom.core.here import Command
from stateroom.core.ids import Instant
from stateroom.core.lobby import LOBBY, RegisterProject, RoomCard
from stateroom.core.memory import BUDGET_CHARS
from stateroom.core.project import AttachRoom, CreateProject, Project, RotateKey, project_key
from stateroom.core.refusals import ProjectKeyWrong
from stateroom.core.views.memory import Told, told
from stateroom.engine.access import Caller, key_digest
from stateroom.engine.clock import fresh_id, fresh_key
from stateroom.engine.engine import Engine
from stateroom.engine.execute import Outcome, Wish

ID_PREFIX, KEY_PREFIX = "prj_", "pak_"
NOTE_CHARS = 100
"""Of the budget, what stays free to say how much is left out."""


@dataclass(frozen=True, slots=True)
class ProjectPass:
    """What somebody shows to have a room in a project."""

    id: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Keyed:
    project: Project
    key: str
    """Told this once."""


@dataclass(frozen=True, slots=True)
class Heritage:
    """What a room of a project tells newcomers."""

    id: str
    name: str
    brief: str
    brief_version: int
    brief_at: Instant
    memory: Told


async def create(engine: Engine, caller: Caller, name: str, brief: str = "") -> Keyed:
    """Raises BadName, TooLong, BadText, ProjectKeyWrong (a guest has no projects), Unavailable."""
    if not _for_its_team(caller):
        raise ProjectKeyWrong
    remembering.name(name), remembering.brief(brief)  # what can be refused, before anything is made
    id, key = ID_PREFIX + fresh_id(9).lower().replace("_", "0").replace("-", "1"), KEY_PREFIX + fresh_key()
    await engine.executor.execute(LOBBY, Wish(RegisterProject(id, caller.team), via=caller.via))
    making = CreateProject(id, caller.team, name, key_digest(key), brief)
    await engine.executor.execute(project_key(id), Wish(making, via=caller.via))
    return Keyed(await _state(engine, id), key)


async def mine(engine: Engine, caller: Caller) -> list[Project]:
    """The projects of the caller's team, by name."""
    if not _for_its_team(caller):
        return []
    engine.rooms.suspect(LOBBY)  # another server may have just registered one, and the hint is still on its way
    cards = await engine.rooms.view(LOBBY, lambda lobby: list(lobby.projects.values()))
    found = [await _state(engine, card.id) for card in cards if card.team == caller.team]
    return sorted((one for one in found if one.id), key=lambda one: (one.name.casefold(), one.id))


async def open_(engine: Engine, caller: Caller, shown: ProjectPass) -> Project:
    """A project of the caller's team, with what its ended rooms have said. Raises ProjectKeyWrong, Unavailable."""
    if not _owns(caller, await admitted(engine, caller, shown)):
        raise ProjectKeyWrong
    return await engine.learner.catch_up(shown.id)


async def admitted(engine: Engine, caller: Caller, shown: ProjectPass) -> Project:
    """A project the caller may have rooms in, as it stands: by its key, or without one as its team. A key that is shown
    has to be right, whoever shows it. Raises ProjectKeyWrong, Unavailable."""
    found = await _state(engine, shown.id)
    if not (found.proven_by(key_digest(shown.key)) if shown.key else _owns(caller, found)):
        raise ProjectKeyWrong
    return found


def _owns(caller: Caller, project: Project) -> bool:
    return bool(project.id) and _for_its_team(caller) and caller.team == project.team


def _for_its_team(caller: Caller) -> bool:
    """Whether it may act for its team; a guest has none, and who is bound to one room acts only there."""
    return not caller.guest and not caller.room


async def _state(engine: Engine, id: str) -> Project:
    """An empty one if there is none: asking for it makes nothing."""
    known = await engine.rooms.view(LOBBY, lambda lobby: id in lobby.projects)
    if not known:  # another server may have just registered it
        engine.rooms.suspect(LOBBY)
        known = await engine.rooms.view(LOBBY, lambda lobby: id in lobby.projects)
    if not known:
        return Project()
    engine.rooms.suspect(project_key(id))  # so that a key that another server has replaced opens nothing here
    found: Project = await engine.rooms.view(project_key(id), lambda project: project)
    return found


async def wish(engine: Engine, caller: Caller, shown: ProjectPass, command: Command) -> Outcome:
    """Change a project of the caller's team. Raises ProjectKeyWrong and what the command refuses, Unavailable."""
    found = await open_(engine, caller, shown)  # first it learns, so that what is changed is what one sees
    return await engine.executor.execute(project_key(found.id), Wish(command, via=caller.via))


async def rotate_key(engine: Engine, caller: Caller, shown: ProjectPass) -> Keyed:
    """Another key for it; the old one opens nothing any more. Raises ProjectKeyWrong, Unavailable."""
    key = KEY_PREFIX + fresh_key()
    await wish(engine, caller, shown, RotateKey(key_digest(key)))
    return Keyed(await _state(engine, shown.id), key)


async def attach(engine: Engine, caller: Caller, project: Project, card: RoomCard) -> None:
    """From now on what the room leaves goes to a project whose caller was `admitted`. Raises Unavailable."""
    await engine.executor.execute(project_key(project.id), Wish(AttachRoom(card.key, card.code), via=caller.via))


async def heritage(engine: Engine, card: RoomCard, budget: int = BUDGET_CHARS) -> Heritage | None:
    """What newcomers of a room are told of its project; None for a room that has none. Raises Unavailable."""
    id = await engine.view(card, lambda room: room.lifecycle.project_id)
    if not id:
        return None
    found = await engine.learner.catch_up(id)
    about = (id, found.name, found.brief, found.brief_version, found.brief_at)
    return Heritage(*about, told(found.facts.values(), budget, NOTE_CHARS))
