"""The next task for somebody, with what it needs to know to do it: claimed in one step, so that no two get the same."""

from dataclasses import dataclass

from stateroom.core import picking
from stateroom.core.lobby import RoomCard
from stateroom.core.room import Room
from stateroom.core.tasks import TaskClaimed
from stateroom.core.views.briefing import Briefing, briefing
from stateroom.engine.access import Caller
from stateroom.engine.conversation import NO_KEYS, Keys
from stateroom.engine.engine import Engine


@dataclass(frozen=True, slots=True)
class Assignment:
    briefing: Briefing | None
    """None if there is nothing that this member could take."""
    resumed: bool
    """It was at work on this already."""
    replayed: bool = False


async def next_task(
    engine: Engine,
    caller: Caller,
    card: RoomCard,
    name: str,
    wish: picking.NextTask,
    keys: Keys = NO_KEYS,
    request_id: str = "",
) -> Assignment:
    """Claim the best task for `name`, or go on with the one it has. Raises BadName, BadDuration, SeatKeyNeeded,
    RoomHasEnded, Unavailable."""
    by = engine.speaks_as(caller, name)
    proof = caller.proof(keys.host, keys.seat)
    outcome = await engine.execute(caller, card, wish, by, request_id, proof)
    claimed = next((entry.event.task for entry in outcome.entries if isinstance(entry.event, TaskClaimed)), None)

    def look(room: Room) -> Briefing | None:
        me = room.members.spelling(by)
        task = room.board.tasks.get(claimed.id) if claimed else picking.at_work(room.board, me)
        return briefing(room, task, me) if task else None

    return Assignment(await engine.view(card, look), claimed is None, outcome.replayed)
