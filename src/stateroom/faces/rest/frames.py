"""Events as frames of a stream, encoded once for all the streams that show them."""

import msgspec

from stateroom.core.here import LogEntry
from stateroom.core.ids import LogKey
from stateroom.core.lobby import RoomCard
from stateroom.wire.room_protocol import event_shape

KEPT = 256


class Frames:
    """The newest frames made. A wake-up of a thousand streams is a thousand writes and one encoding."""

    def __init__(self) -> None:
        self._made: dict[tuple[LogKey, int], tuple[LogEntry, bytes]] = {}

    def of(self, card: RoomCard, entry: LogEntry) -> bytes:
        """The frame of an entry that the room is told of."""
        place = (card.key, entry.position)
        made = self._made.get(place)
        if made is None or made[0] is not entry:  # in another life of the room, a place holds another entry
            made = self._made[place] = (entry, _frame(entry, card.room_id))
            if len(self._made) > KEPT:
                del self._made[next(iter(self._made))]
        return made[1]


def _frame(entry: LogEntry, room_id: str) -> bytes:
    """`id`, `event` and one line of `data` (protocol §5.4; the id is ours, W-44)."""
    data = msgspec.json.encode(event_shape(entry, room_id))
    return b"id: %d\nevent: message\ndata: %b\n\n" % (entry.position, data)
