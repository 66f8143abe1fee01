"""The engine on SQLite: throughput and latency of durable appends, wake-ups, cold loads, cost against log length."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.figures import Figure, median, ms, percentile
from bench.loops import load
from stateroom.core.context import WriteContext
from stateroom.core.here import Command
from stateroom.core.leases import TakeLease
from stateroom.core.lobby import RoomCard
from stateroom.core.messages import MessagePosted, PostMessage
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.core.variables import SetVariable
from stateroom.engine.clock import system_clock
from stateroom.engine.engine import Engine
from stateroom.log import codec
from stateroom.log.seam import Stamp
from stateroom.stores.sqlite import SqliteStore

BODY = {"text": "x" * 400}
OPERATIONS = 4_000
WAKES = 300
LENGTHS = (1_000, 10_000, 100_000)
COLD_MS = 50
FLAT = 1.10


@asynccontextmanager
async def engine_on(path: Path) -> AsyncIterator[Engine]:
    async with Engine(SqliteStore(path, system_clock), system_clock).running() as engine:
        yield engine


def fresh() -> Path:
    return Path(tempfile.mkdtemp(prefix="stateroom-bench-")) / "rooms.db"


async def throughput() -> list[Figure]:
    """Appends by 1, 8 and 64 callers, into one room and spread over a hundred."""
    figures, base = [], 0.0
    async with engine_on(fresh()) as engine:
        caller = engine.access.admit("")
        for rooms in (1, 100):
            cards = [await engine.enter(caller, f"room-{n}") for n in range(rooms)]
            for callers in (1, 8, 64):

                async def post(number: int, step: int, cards: list[RoomCard] = cards) -> None:
                    card = cards[(number + step) % len(cards)]
                    await engine.execute(caller, card, PostMessage("bench", "all", BODY), f"agent-{number}")

                run = await load(callers, OPERATIONS, post)
                base = base or run.per_second
                said = f"{run.per_second:,.0f}/s ({run.per_second / base:.1f}x), p50 {ms(median(run.latencies))}"
                what = f"append, {callers} callers, {rooms} room{'s' if rooms > 1 else ''}"
                figures.append(Figure(what, f"{said}, p99 {ms(percentile(run.latencies, 99))}"))
    return figures


async def wakes() -> list[Figure]:
    """From a command's start to a follower of the same process having its entry."""
    async with engine_on(fresh()) as engine:
        caller = engine.access.admit("")
        card = await engine.enter(caller, "room")
        heard: asyncio.Queue[float] = asyncio.Queue()

        async def listen() -> None:
            async for _ in engine.follower.follow(card.key, 0):
                heard.put_nowait(time.perf_counter())

        task = asyncio.create_task(listen())
        await heard.get()
        latencies = []
        for _ in range(WAKES):
            began = time.perf_counter()
            await engine.execute(caller, card, PostMessage("bench", "all", BODY))
            latencies.append(await heard.get() - began)
        task.cancel()
    said = f"p50 {ms(median(latencies))}, p99 {ms(percentile(latencies, 99))}"
    return [Figure("command → follower, one process", said)]


async def fill(engine: Engine, card: RoomCard, length: int) -> None:
    """Make a log this long, straight through the seam."""
    draft = codec.encode(MessagePosted("filler", "all", BODY))
    after = await engine.view(card, lambda room: room.position)
    stamp = Stamp("filler", "bench", "", system_clock())
    while after < length:
        count = min(1000, length - after)
        await engine.store.log.append(card.key, after, [draft] * count, stamp)
        after += count
    engine.rooms.suspect(card.key)
    await engine.view(card, lambda room: room.position)


COMMANDS: dict[str, Command] = {
    "post-message": PostMessage("bench", "all", BODY),
    "open-task": OpenTask("t", "d"),
    "write-context": WriteContext("note", "s", {"text": "t"}),
    "set-variable": SetVariable("k", "v"),
}


async def against_length() -> list[Figure]:
    """Each command in a warm room, at growing lengths of its log; interleaved, medians."""
    figures = []
    async with engine_on(fresh()) as engine:
        caller = engine.access.admit("")
        cards = [await engine.enter(caller, f"room-{length}") for length in LENGTHS]
        for card, length in zip(cards, LENGTHS, strict=True):
            await fill(engine, card, length)
        wishes = {**COMMANDS, "take-lease": None, "move-task": None}
        for name in wishes:
            medians = await _medians(engine, caller, cards, name)
            ratio = max(medians) / medians[0]
            said = ", ".join(ms(value) for value in medians) + f" at 1k, 10k, 100k ({ratio:.2f}x)"
            figures.append(Figure(f"{name} against log length", said, "flat within 10 %", ratio <= FLAT))
    return figures


async def _medians(engine: Engine, caller, cards: list[RoomCard], name: str) -> list[float]:
    taken: list[list[float]] = [[] for _ in cards]
    for step in range(200):
        for number, card in enumerate(cards):
            wish = COMMANDS.get(name) or _varied(name, step)
            began = time.perf_counter()
            await engine.execute(caller, card, wish, "bench")
            taken[number].append(time.perf_counter() - began)
    return [median(times) for times in taken]


def _varied(name: str, step: int) -> Command:
    """Wishes that would change nothing if they were repeated."""
    if name == "take-lease":
        return TakeLease(f"file-{step}", 300)
    return MoveTask("T-01", "open", note=str(step))


async def cold_load() -> list[Figure]:
    """A room of 100,000 entries, in a process that has never seen it."""
    path = fresh()
    async with engine_on(path) as engine:
        caller = engine.access.admit("")
        card = await engine.enter(caller, "room")
        await fill(engine, card, 100_000)
        for _ in range(600):  # enough for a snapshot to be due
            await engine.execute(caller, card, PostMessage("bench", "all", BODY))
    times = []
    for _ in range(5):
        async with engine_on(path) as engine:
            caller = engine.access.admit("")
            began = time.perf_counter()
            await engine.view(await engine.enter(caller, "room"), lambda room: room.position)
            times.append(time.perf_counter() - began)
    worst = median(times)
    return [Figure("cold load, 100 k entries", ms(worst), f"≤ {COLD_MS} ms", worst * 1000 <= COLD_MS)]
