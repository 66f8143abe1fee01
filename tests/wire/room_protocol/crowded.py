"""A room in which a lot has happened: built once, then copied for each test that wants it."""

import asyncio
from dataclasses import dataclass, replace

from stateroom.core.ids import LogKey
from stateroom.engine.access import OPEN_TEAM, Caller
from stateroom.engine.engine import Engine
from stateroom.faces.mcp.application import StateroomApplication
from stateroom.faces.mcp.server import Server
from stateroom.log.seam import Draft, Record, Stamp
from stateroom.stores.memory import MemoryStore
from stateroom.testing.simulated_time import HandClock

from .harness import Room

TASKS, ENTRIES, EVENTS, MEMBERS, REVIEWS, LOCKS, VARIABLES, ROOMS = 500, 200, 2_000, 300, 100, 100, 100, 160
REVISIONS = 60


def agent(number: int) -> str:
    """The name of a member, as long as people really make them."""
    return f"agent-{number:03}-working-on-the-login"


ME = agent(0)
LOGS = (LogKey("lobby"), LogKey("open/demo"))


@dataclass(frozen=True)
class Past:
    """What the store holds, ready to be copied."""

    records: dict[LogKey, list[Record]]

    async def into(self, store: MemoryStore) -> None:
        """Append everything to an empty store, as it was."""
        for key, records in self.records.items():
            for record in records:
                draft, stamp = (
                    Draft(record.body, record.line > 0),
                    Stamp(record.by, record.via, record.cause, record.at),
                )
                await store.log.append(key, record.position - 1, [draft], stamp)


def build() -> Past:
    """Let it happen, in a loop of its own."""
    return asyncio.run(_build())


async def _build() -> Past:
    clock = HandClock()
    store = MemoryStore(clock)
    async with Engine(store, clock).running() as engine:
        room = Room(engine, Server(StateroomApplication(engine)), clock, Caller(OPEN_TEAM, "open"))
        await _people(room)
        await _work(room)
        await _words(room)
    return Past({key: await store.log.read(key, 0, 10_000) for key in LOGS})


async def _people(room: Room) -> None:
    for number in range(MEMBERS):
        await room.call("heartbeat", agentId=agent(number))
    for number in range(ROOMS):
        await replace(room, id=f"a-rather-long-name-for-a-room-that-is-one-of-many-{number:03}").call("read_plan")
    for number in range(LOCKS):
        await room.call("acquire_lock", resource=f"src/module_{number}.py " + "r" * 100, agentId=ME, ttlSeconds=300)
    for number in range(VARIABLES):
        await room.call("set_shared_var", key=f"variable-{number:03}", value="v" * 200, agentId=ME)


async def _work(room: Room) -> None:
    """Each agent owns tasks; this one owns every fifth and a hundred reviews are asked of it."""
    for number in range(TASKS):
        id = await room.add(f"Task {number} needs doing", agentId=agent(number % MEMBERS))
        if number % 5 == 0:
            await room.call("update_task", taskId=id, status="pending", owner=ME)
        elif number % 2:
            await room.call("update_task", taskId=id, status="in_progress", owner=agent(number % MEMBERS))
    for number in range(REVIEWS):
        asked = {"targetType": "task", "targetId": f"T-{number + 1:02}", "requestedBy": agent(1), "reviewer": ME}
        await room.call("request_review", **asked, note="Please look at this. " * 5)


async def _words(room: Room) -> None:
    """Entries, one of them revised sixty times, and posted events."""
    for number in range(ENTRIES):
        text = f"Note {number}: " + "what we found out about the login. " * 5
        await room.note(text, author=agent(number % 7), payload={"text": text})
    for number in range(REVISIONS):
        await room.call("update_context", id="C-01", author=ME, summary=f"Revision {number}. " * 10)
    for number in range(EVENTS):
        said = {"n": number, "text": "login " * 10}
        await room.post("chat", from_=agent(number % MEMBERS), payload=said)
    for number in range(MEMBERS):
        await room.call("mark_event_read", eventId=(await _first(room)), agentId=agent(number))


async def _first(room: Room) -> str:
    """The id of the oldest posted event."""
    (event,) = await room.call("read_events", order="oldest", limit=1)
    return str(event["id"])
