"""Every command of a room, as it is: `POST /rooms/{room}/commands/open-task` with the wish's own fields."""

import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import partial
from typing import Any, get_type_hints

import msgspec

from stateroom.core.attachments import StoreAttachment
from stateroom.core.here import Command
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.reports import KeepReport
from stateroom.core.room import RULES, ApplyPlaybook, Tick
from stateroom.core.seats import TakeSeat
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.wire import shapes

OURS = (Tick, OpenRoom, TakeSeat, StoreAttachment, KeepReport, ApplyPlaybook)
"""Wished by the engine alone, which has what they need: keys, ids, hashes, recipes."""


def kebab(command: type[Command]) -> str:
    """`OpenTask` -> `open-task`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", command.__name__).lower()


def wish_of(command: type[Command]) -> type[msgspec.Struct]:
    """The command's own fields as a type that refuses fields it does not know, by name; a command can not."""
    hints = get_type_hints(command)
    own: list[Any] = [
        (part.name, hints[part.name], *(() if part.default is MISSING else (part.default,))) for part in fields(command)
    ]
    doc = {"__doc__": described(command)}
    return msgspec.defstruct(command.__name__, own, forbid_unknown_fields=True, namespace=doc)


def body_of(command: type[Command]) -> Any:
    """`{by, request_id, host_key, seat_key, wish: {…}}`: a type, so that a body is checked while it is decoded."""
    texts = [(name, str, "") for name in ("by", "request_id", "host_key", "seat_key")]
    return msgspec.defstruct(
        f"{command.__name__}Body",
        [("wish", wish_of(command)), *texts],
        forbid_unknown_fields=True,
    )


def described(command: type[Command]) -> str:
    """Its docstring; where it has none, and `dataclass` wrote its signature there, its name in words."""
    text = " ".join((command.__doc__ or "").split())
    named = kebab(command).replace("-", " ").capitalize()
    return text if text and not text.startswith(f"{command.__name__}(") else f"{named}."


async def wish(command: Callable[..., Command], given: Given) -> shapes.Written:
    """Carry out a wish; the room is made on first touch."""
    engine, body = given.engine, given.body
    card = await engine.enter(given.caller, given.path["room"])
    by = engine.speaks_as(given.caller, body.by)
    wished = command(*msgspec.structs.astuple(body.wish))
    proof = given.caller.proof(body.host_key, body.seat_key)
    outcome = await engine.execute(given.caller, card, wished, by, body.request_id, proof)
    entries = [shapes.entry(entry) for entry in outcome.entries]
    position = entries[-1].position if entries else await engine.view(card, lambda room: room.position)
    return shapes.Written(position, bool(entries), outcome.replayed, entries)


ENDPOINTS = [
    Endpoint(
        method="POST",
        path=f"/rooms/{{room}}/commands/{kebab(command)}",
        summary=described(command),
        answer=shapes.Written,
        run=partial(wish, command),
        body=body_of(command),
    )
    for command in RULES
    if command not in OURS
]
