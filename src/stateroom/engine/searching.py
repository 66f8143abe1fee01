"""Word search over what a room holds now: tasks, context entries, and its newest events."""

from collections.abc import Iterator

from stateroom.core.here import LogEntry
from stateroom.core.lobby import RoomCard
from stateroom.core.room import Room
from stateroom.core.views.search import Document, Hit, plain
from stateroom.core.views.search import search as rank
from stateroom.engine.engine import Engine
from stateroom.engine.reading import newest
from stateroom.wire.room_protocol import event_shape

EVENTS_SEARCHED = 2_000


async def search(engine: Engine, card: RoomCard, q: str, limit: int) -> list[Hit]:
    """The best `limit` hits, best first. Raises Unavailable."""
    messages = await engine.view(card, lambda room: room.messages)
    entries = await newest(engine, card, EVENTS_SEARCHED, messages.visible)
    state = await engine.view(card, lambda room: list(_state(room)))
    return rank(q, [*state, *(_event(entry) for entry in entries)], limit)


def _state(room: Room) -> Iterator[Document]:
    for order, task in enumerate(room.board.tasks.values()):
        yield Document("task", task.id, task.title, task.description, order)
    for order, entry in enumerate(reversed(room.context.entries.values())):
        yield Document("context", entry.id, entry.summary, f"{entry.type} {plain(entry.payload)}", order)


def _event(entry: LogEntry) -> Document:
    shape = event_shape(entry, "")
    return Document("event", shape["id"], shape["type"], f"{shape['from']} {plain(shape['payload'])}", -entry.position)
