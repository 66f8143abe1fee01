"""A project learns from its rooms when they have ended: at once, and if the server died meanwhile, when somebody next
looks (agent-room §13). A room that was reopened and ended again is read again; what is known stays known."""

from stateroom.core.here import LogEntry
from stateroom.core.ids import LogKey
from stateroom.core.project import Attached, LearnRoom, Project, project_key
from stateroom.core.views.learning import learned, telling
from stateroom.engine.execute import Executor, Wish
from stateroom.engine.rooms import PAGE, Rooms


class Learner:
    def __init__(self, executor: Executor, rooms: Rooms) -> None:
        self._executor, self._rooms = executor, rooms

    async def catch_up(self, id: str) -> Project:
        """The project with everything its ended rooms have said. Raises Unavailable."""
        key = project_key(id)
        for room in await self._rooms.view(key, lambda project: list(project.rooms.values())):
            await self._learn(key, room)
        known: Project = await self._rooms.view(key, lambda project: project)
        return known

    async def _learn(self, key: LogKey, room: Attached) -> None:
        ended, position = await self._rooms.view(
            room.room, lambda found: (found.lifecycle.ended_at is not None, found.position)
        )
        if not ended or position <= room.learned:
            return
        entries = await self._telling(room.room, position)
        said = await self._rooms.view(room.room, lambda found: learned(found, entries))
        await self._executor.execute(key, Wish(LearnRoom(room.room, position, said), via="server"))

    async def _telling(self, key: LogKey, position: int) -> list[LogEntry]:
        """What a project might remember, page by page: a long room is mostly talk, and is never held as a whole."""
        found: list[LogEntry] = []
        read = 0
        while read < position and (page := await self._rooms.entries(key, read, PAGE)):
            read += len(page)
            found += filter(telling, page)
        return found
