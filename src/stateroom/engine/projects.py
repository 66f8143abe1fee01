"""Projects: made, found, told to newcomers. A key is drawn here, shown once, and goes on as a digest only.

The team that owns a project may do everything with it, and so may whoever shows its key. A wrong key, one that was
replaced, and an unknown project are refused alike.
"""

from dataclasses import dataclass

from stateroom.core import memory, remembering
from stateroom.core.here import Command
from stateroom.core.ids import Instant
from stateroom.core.lobby import LOBBY, RegisterProject, RoomCard
from stateroom.core.memory import BUDGET_CHARS, Told
from stateroom.core.project import AttachRoom, CreateProject, Project, RotateKey, project_key
from stateroom.core.refusals import ProjectKeyWrong
from stateroom.engine.access import Caller, key_digest
from stateroom.engine.clock import fresh_id, fresh_key
from stateroom.engine.engine import Engine
from stateroom.engine.execute import Outcome, Wish

ID_PREFIX, KEY_PREFIX = "prj_", "pak_"


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
    if caller.guest:
        raise ProjectKeyWrong
    remembering.name(name), remembering.brief(brief)  # what can be refused, before anything is made
    id, key = ID_PREFIX + fresh_id(9).lower().replace("_", "0").replace("-", "1"), KEY_PREFIX + fresh_key()
    await engine.executor.execute(LOBBY, Wish(RegisterProject(id, caller.team), via=caller.via))
    making = CreateProject(id, caller.team, name, key_digest(key), brief)
    await engine.executor.execute(project_key(id), Wish(making, via=caller.via))
    return Keyed(await _state(engine, id), key)


async def mine(engine: Engine, caller: Caller) -> list[Project]:
    """The projects of the caller's team, by name."""
    if caller.guest:
        return []
    cards = await engine.rooms.view(LOBBY, lambda lobby: list(lobby.projects.values()))
    found = [await _state(engine, card.id) for card in cards if card.team == caller.team]
    return sorted((one for one in found if one.id), key=lambda one: (one.name.casefold(), one.id))


async def open_(engine: Engine, caller: Caller, shown: ProjectPass) -> Project:
    """A project the caller may use, with everything its ended rooms have said. Raises ProjectKeyWrong, Unavailable."""
    found = await _state(engine, shown.id)
    if shown.key:
        proven = found.proven_by(key_digest(shown.key))
    else:
        proven = bool(found.id) and not caller.guest and caller.team == found.team
    if not proven:
        raise ProjectKeyWrong
    return await engine.learner.catch_up(shown.id)


async def _state(engine: Engine, id: str) -> Project:
    """An empty one if there is none: asking for it makes nothing."""
    known = await engine.rooms.view(LOBBY, lambda lobby: id in lobby.projects)
    if not known:  # another server may have just registered it
        engine.rooms.suspect(LOBBY)
        known = await engine.rooms.view(LOBBY, lambda lobby: id in lobby.projects)
    return await engine.rooms.view(project_key(id), lambda found: found) if known else Project()


async def wish(engine: Engine, caller: Caller, shown: ProjectPass, command: Command, by: str = "") -> Outcome:
    """Change a project. Raises ProjectKeyWrong and what the command refuses, Unavailable."""
    found = await open_(engine, caller, shown)
    return await engine.executor.execute(project_key(found.id), Wish(command, by, caller.via))


async def rotate_key(engine: Engine, caller: Caller, shown: ProjectPass) -> Keyed:
    """Another key for it; the old one opens nothing any more. Raises ProjectKeyWrong, Unavailable."""
    key = KEY_PREFIX + fresh_key()
    await wish(engine, caller, shown, RotateKey(key_digest(key)))
    return Keyed(await _state(engine, shown.id), key)


async def attach(engine: Engine, caller: Caller, shown: ProjectPass, card: RoomCard) -> None:
    """From now on what the room leaves goes to the project. Raises ProjectKeyWrong, Unavailable."""
    await wish(engine, caller, shown, AttachRoom(card.key, card.code))


async def heritage(engine: Engine, card: RoomCard, budget: int = BUDGET_CHARS) -> Heritage | None:
    """What newcomers of a room are told of its project; None for a room that has none. Raises Unavailable."""
    id = await engine.view(card, lambda room: room.lifecycle.project_id)
    if not id:
        return None
    found = await engine.learner.catch_up(id)
    told = memory.told(found.facts.values(), budget)
    return Heritage(id, found.name, found.brief, found.brief_version, found.brief_at, told)
