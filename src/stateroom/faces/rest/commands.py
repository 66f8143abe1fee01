"""Every command of a room, as it is: `POST /rooms/{room}/commands/open-task` with the wish's own fields."""

import re
from functools import partial
from typing import Any

import msgspec

from stateroom.core.here import Command
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.room import RULES, Tick
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.wire import shapes

OURS = (Tick, OpenRoom)
"""Wished by the engine alone."""


def kebab(command: type[Command]) -> str:
    """`OpenTask` -> `open-task`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", command.__name__).lower()


def body_of(command: type[Command]) -> Any:
    """`{by, request_id, wish: {…}}`: a type, so that bodies are decoded straight into the command."""
    return msgspec.defstruct(
        f"{command.__name__}Body",
        [("wish", command), ("by", str, ""), ("request_id", str, "")],
        forbid_unknown_fields=True,
    )


async def wish(command: type[Command], given: Given) -> shapes.Written:
    """Carry out a wish; the room is made on first touch."""
    engine, body = given.engine, given.body
    card = await engine.enter(given.caller, given.path["room"])
    by = engine.speaks_as(given.caller, body.by)
    outcome = await engine.execute(given.caller, card, body.wish, by, body.request_id)
    position = await engine.view(card, lambda room: room.position)
    entries = [shapes.entry(entry) for entry in outcome.entries]
    return shapes.Written(position, bool(entries), outcome.replayed, entries)


ENDPOINTS = [
    Endpoint(
        method="POST",
        path=f"/rooms/{{room}}/commands/{kebab(command)}",
        summary=" ".join((command.__doc__ or command.__name__).split()),
        answer=shapes.Written,
        run=partial(wish, command),
        body=body_of(command),
    )
    for command in RULES
    if command not in OURS
]
