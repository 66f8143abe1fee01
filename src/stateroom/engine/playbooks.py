"""Playbooks of the caller's team through the engine: found, saved from a room or as written, and rooms begun from them.

The rules are the core's. A caller that has only a room's code has no team, and so none of a team's playbooks.
"""

from dataclasses import dataclass, replace

from stateroom.core import templates
from stateroom.core.here import Command
from stateroom.core.kept_playbooks import PlaybookSaved, RemovePlaybook, SavePlaybook, cleaned, find, known
from stateroom.core.lobby import LOBBY, Lobby, RoomCard
from stateroom.core.playbooks import Playbook
from stateroom.core.refusals import UnknownPlaybook, UnknownTemplate
from stateroom.core.room import ApplyPlaybook, ApplyTemplate
from stateroom.core.views.recipes import recipe
from stateroom.engine.access import Caller, Unauthorized
from stateroom.engine.engine import Engine
from stateroom.engine.execute import Wish

NAME_CHARS = 100
"""Of a name that nobody knows, in what is said about it."""


@dataclass(frozen=True, slots=True)
class Saved:
    playbook: Playbook
    replaced: bool
    """There was another of this id before."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a room begins with: a template that is built in, or a playbook."""

    id: str
    topic: str
    """For a room that is given none."""
    tasks: int
    playbook: Playbook | None = None

    @property
    def request(self) -> str:
        """The same for the same beginning: a playbook that was replaced since is another one."""
        return f"{self.id}/{self.playbook.updated_at}" if self.playbook is not None else self.id

    def applied(self, *, append: bool = False) -> Command:
        """The wish that sets the room up."""
        if self.playbook is not None:
            return ApplyPlaybook(self.playbook, append)
        return ApplyTemplate(self.id, append)


async def listed(engine: Engine, caller: Caller) -> list[Playbook]:
    """What comes with Stateroom, then the team's own by id. Raises Unavailable."""
    engine.rooms.suspect(LOBBY)  # another server may have just saved one, and the hint is still on its way
    found = await engine.rooms.view(LOBBY, lambda lobby: known(lobby.playbooks, caller.team))
    return [_shown(one, caller) for one in found]


async def one(engine: Engine, caller: Caller, name: str) -> Playbook:
    """A playbook by its id or name. Raises UnknownPlaybook, Unavailable."""
    found = await _find(engine, caller, name)
    if found is None:
        raise UnknownPlaybook(playbook=name[:NAME_CHARS])
    return _shown(found, caller)


async def _find(engine: Engine, caller: Caller, name: str) -> Playbook | None:
    def look(lobby: Lobby) -> Playbook | None:
        return find(lobby.playbooks, caller.team, name)

    found: Playbook | None = await engine.rooms.view(LOBBY, look)
    if found is None:  # another server may have just saved it, and the hint is still on its way
        engine.rooms.suspect(LOBBY)
        found = await engine.rooms.view(LOBBY, look)
    return found


def _shown(playbook: Playbook, caller: Caller) -> Playbook:
    """As its reader may see it: a code opens its room, and who is bound to one room is told of no other."""
    return replace(playbook, source_room="") if caller.room else playbook


async def save(engine: Engine, caller: Caller, playbook: Playbook) -> Saved:
    """Keep a playbook for the caller's team. Raises what `kept_playbooks.save` refuses, Unauthorized, Unavailable."""
    wish = SavePlaybook(replace(playbook, team=_team(caller)))
    outcome = await engine.executor.execute(LOBBY, Wish(wish, via=caller.via))
    saved = next((entry.event for entry in outcome.entries if isinstance(entry.event, PlaybookSaved)), None)
    if saved is None:  # it is kept already, just so
        return Saved(await one(engine, caller, cleaned(playbook, redacts=engine.redacts).name), replaced=False)
    return Saved(_shown(saved.playbook, caller), saved.replaced)


async def save_room(engine: Engine, caller: Caller, card: RoomCard, name: str) -> Saved:
    """Keep a room's roles and tasks as a playbook of this name. Raises NothingToKeep besides what `save` does."""
    return await save(engine, caller, await engine.view(card, lambda room: recipe(room, name)))


async def remove(engine: Engine, caller: Caller, name: str) -> None:
    """Raises UnknownPlaybook, PlaybookReserved, Unauthorized, Unavailable."""
    await engine.executor.execute(LOBBY, Wish(RemovePlaybook(_team(caller), name), via=caller.via))


def _team(caller: Caller) -> str:
    """Raises Unauthorized for a guest."""
    if caller.guest:
        raise Unauthorized
    return caller.team


async def start(engine: Engine, caller: Caller, name: str) -> Start:
    """What a room can begin with, by the id of a template or playbook. Raises UnknownTemplate, Unavailable."""
    if name in templates.TEMPLATES:
        template = templates.find(name)
        return Start(template.id, template.topic, len(template.tasks))
    found = await _find(engine, caller, name)
    if found is None:
        raise UnknownTemplate(template=name[:NAME_CHARS])
    return Start(found.id, found.topic, len(found.tasks), found)
