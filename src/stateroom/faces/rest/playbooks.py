"""Playbooks of the caller's team in the native API. Rooms start from one with `template` in `POST /rooms`."""

from msgspec import UNSET, Struct, UnsetType, structs

from stateroom.core.playbooks import Playbook
from stateroom.core.refusals import UnknownRoom
from stateroom.engine import playbooks
from stateroom.engine.playbooks import Saved
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.wire.playbooks import GivenPlaybook, PlaybookShape, SavedPlaybook, playbook_shape, read_playbook
from stateroom.wire.problems import HttpProblem


class NewPlaybook(GivenPlaybook, kw_only=True):
    """A whole recipe; or a name and the room that makes one."""

    room: str | UnsetType = UNSET
    """Id or code."""


class Removed(Struct):
    removed: str
    """Its id."""


async def list_playbooks(given: Given) -> list[PlaybookShape]:
    return [playbook_shape(found) for found in await playbooks.listed(given.engine, given.caller)]


async def show(given: Given) -> PlaybookShape:
    return playbook_shape(await _named(given))


async def save(given: Given) -> SavedPlaybook:
    """Under the slug of its name; saving the same again changes nothing."""
    saved = await _saved(given)
    return SavedPlaybook(playbook_shape(saved.playbook), saved.replaced)


async def _saved(given: Given) -> Saved:
    body = given.body
    if isinstance(body.room, UnsetType):
        return await playbooks.save(given.engine, given.caller, read_playbook(body))
    if structs.replace(body, room=UNSET) != NewPlaybook(name=body.name):
        hint = "Leave everything but `name` and `room` out to save a room, or leave `room` out to write the recipe."
        raise HttpProblem(400, "bad_request", "A room makes its own recipe.", hint)
    card = await given.engine.find(given.caller, body.room)
    if card is None:
        raise UnknownRoom
    return await playbooks.save_room(given.engine, given.caller, card, body.name)


async def remove(given: Given) -> Removed:
    """Rooms that started from it stay as they are."""
    found = await _named(given)
    await playbooks.remove(given.engine, given.caller, found.id)
    return Removed(found.id)


async def _named(given: Given) -> Playbook:
    return await playbooks.one(given.engine, given.caller, given.path["playbook"])


ONE = "/playbooks/{playbook}"
ENDPOINTS = [
    Endpoint(
        method="GET",
        path="/playbooks",
        summary="Recipes that rooms can start from: those that come with Stateroom, then your team's.",
        answer=list[PlaybookShape],
        run=list_playbooks,
    ),
    Endpoint(
        method="POST",
        path="/playbooks",
        summary="Save a room's roles and tasks, or a whole recipe; one of the same name is replaced.",
        answer=SavedPlaybook,
        run=save,
        body=NewPlaybook,
        status=201,
    ),
    Endpoint(method="GET", path=ONE, summary="One playbook, by its id.", answer=PlaybookShape, run=show),
    Endpoint(method="DELETE", path=ONE, summary="Remove a playbook of your team.", answer=Removed, run=remove),
]
