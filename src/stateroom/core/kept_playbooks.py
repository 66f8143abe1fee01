"""The playbooks of teams, as the lobby keeps them: saved under the slug of their name, replaced, removed."""

from dataclasses import dataclass, replace

from stateroom.core import redaction
from stateroom.core.here import Command, Event, Here
from stateroom.core.official import OFFICIAL
from stateroom.core.playbooks import Playbook, checked, rewritten, slug
from stateroom.core.refusals import PlaybookReserved, PlaybooksFull, UnknownPlaybook
from stateroom.core.templates import TEMPLATES

KEPT = 50
"""Of one team."""

Shelves = dict[str, dict[str, Playbook]]
"""Team -> id -> playbook."""


@dataclass(frozen=True, slots=True)
class SavePlaybook(Command):
    """Keep a playbook for its team; one of the same slug is replaced."""

    playbook: Playbook


@dataclass(frozen=True, slots=True)
class RemovePlaybook(Command):
    team: str
    id: str


@dataclass(frozen=True, slots=True)
class PlaybookSaved(Event):
    playbook: Playbook
    replaced: bool = False
    """There was one of this slug before."""


@dataclass(frozen=True, slots=True)
class PlaybookRemoved(Event):
    team: str
    id: str


def known(shelves: Shelves, team: str) -> list[Playbook]:
    """What a team can start rooms from: what comes with Stateroom, then its own by id."""
    return [*OFFICIAL.values(), *(one for _, one in sorted(shelves.get(team, {}).items()))]


def find(shelves: Shelves, team: str, name: str) -> Playbook | None:
    """A playbook by its id, or by its name in any spelling that has that slug."""
    id = slug(name)
    return OFFICIAL.get(id) or shelves.get(team, {}).get(id)


def save(shelves: Shelves, command: SavePlaybook, here: Here) -> list[Event]:
    """Nothing happens where it is kept already, just so.

    Raises PlaybookReserved, PlaybooksFull, and what `playbooks.checked` refuses.
    """
    wished = checked(cleaned(command.playbook, redacts=here.redacts))
    refuse_reserved(wished.id)
    mine = shelves.get(wished.team, {})
    before = mine.get(wished.id)
    if before is None and len(mine) >= KEPT:
        raise PlaybooksFull(count=len(mine), limit=KEPT)
    kept = replace(wished, created_at=before.created_at if before else here.now, updated_at=here.now)
    if before is not None and replace(kept, updated_at=before.updated_at) == before:
        return []
    return [PlaybookSaved(kept, replaced=before is not None)]


def cleaned(playbook: Playbook, *, redacts: bool) -> Playbook:
    """The playbook without what is a secret by its shape, where secrets are taken out."""
    return rewritten(playbook, lambda text: redaction.tokens(text)[0]) if redacts else playbook


def refuse_reserved(id: str) -> None:
    """Raises PlaybookReserved: where a room starts from an id, it means the one that comes with Stateroom."""
    if id in OFFICIAL or id in TEMPLATES:
        raise PlaybookReserved(playbook=id)


def remove(shelves: Shelves, command: RemovePlaybook, here: Here) -> list[Event]:
    """Rooms that started from it stay as they are. Raises PlaybookReserved, UnknownPlaybook."""
    id = slug(command.id)
    refuse_reserved(id)
    if id not in shelves.get(command.team, {}):
        raise UnknownPlaybook(playbook=command.id[:100])
    return [PlaybookRemoved(command.team, id)]


def saved(shelves: Shelves, event: PlaybookSaved) -> None:
    shelves.setdefault(event.playbook.team, {})[event.playbook.id] = event.playbook


def removed(shelves: Shelves, event: PlaybookRemoved) -> None:
    shelves.get(event.team, {}).pop(event.id, None)
