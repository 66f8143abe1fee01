"""What a form of agent-room §4 looks like: its fields with their types, which must be there, which may be."""

import json
from collections.abc import Mapping
from typing import Any

from stateroom.core.room import Room
from stateroom.testing.scenes import START, Scene
from stateroom.wire.agent_room.messages import Transcript, message_shape
from stateroom.wire.links import Links
from tests.core.talking import Talk

Types = Mapping[str, type]
CODE = "ABC-DEF-GHJ"
LINKS = Links("https://rooms.example")
TIMES = {"createdAt", "endedAt", "reactivatedAt", "joinedAt", "lastSeenAt", "updatedAt", "uploadedAt", "time", "at"}
"""Fields that hold an instant, in milliseconds."""


def is_form(shape: Any, must: Types, may: Types, ours: Types | None = None) -> None:
    """Exactly these fields, each of its type; what is not there is left out, so nothing is None."""
    allowed = {**must, **may, **(ours or {})}
    assert set(must) <= set(shape), f"missing: {set(must) - set(shape)}"
    assert set(shape) <= set(allowed), f"nobody knows: {set(shape) - set(allowed)}"
    assert {name: type(value) for name, value in shape.items()} == {name: allowed[name] for name in shape}
    assert all(shape[name] >= START for name in TIMES & set(shape)), "an instant is in milliseconds"
    assert json.loads(json.dumps(shape)) == shape


def transcript(scene: Scene) -> Transcript:
    """All that is a line in a scene."""
    lines = [entry for entry in scene.log if entry.line]
    room: Room = scene.room
    return Transcript(
        lines, {entry.position: entry for entry in scene.log}, frozenset(room.messages.withdrawn), room.lines
    )


def messages(scene: Scene) -> list[dict[str, Any]]:
    """The transcript of a scene as clients see it."""
    shown = transcript(scene)
    return [message_shape(entry, shown, CODE, LINKS) for entry in shown.entries]


def said(talk: Talk) -> list[dict[str, Any]]:
    """What members said."""
    return [shape for shape in messages(talk) if shape["type"] == "msg"]
