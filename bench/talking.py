"""The conversation over real HTTP: how soon who listens has what was said, and what thousands of listeners cost."""

import asyncio
import json
import time
from contextlib import AsyncExitStack

from bench.figures import Figure, median, ms, percentile
from bench.http import Connection, legacy
from bench.served import settled_reads, unrelated_reads
from bench.serving import Served, stateroom_server

WAKES = 300
LISTENERS, WOKEN, QUIET_ROOMS = 5_000, 1_000, 50
LISTEN_MS = 45_000


async def act(connection: Connection, action: str, **fields: object) -> dict:
    """One action of `/api/room`."""
    return json.loads(await connection.post("/api/room", json.dumps({"action": action, **fields}).encode()))


def participant(name: str) -> dict:
    looks = {"role": "", "color": "#5B6AFF", "initials": "AA", "client": "cc"}
    return {"name": name, **looks, "joinedAt": 0, "lastSeenAt": 0}


async def room_of(connection: Connection, names: list[str]) -> str:
    """A room's code, with these members in it, where agents may talk for ever."""
    made = await act(connection, "create", topic="bench", createdBy="host", policy={"exchangeLimit": 0})
    code = made["room"]["code"]
    for name in names:
        await act(connection, "join", code=code, participant=participant(name))
    return code


async def latency() -> list[Figure]:
    """`room_send` → a `room_listen` that waits has it, over MCP. Servers of this kind poll every two seconds."""
    latencies = []
    with stateroom_server() as served:
        async with Connection(served.port) as speaker, Connection(served.port) as listener:
            code, since = await room_of(speaker, ["ann", "bob"]), 0
            for step in range(WAKES):
                wait = {"code": code, "since": since, "name": "bob", "timeoutMs": LISTEN_MS}
                await listener.send("/mcp", *legacy("room_listen", wait))
                await asyncio.sleep(0.005)
                began = time.perf_counter()
                send = {"code": code, "name": "ann", "text": f"number {step}"}
                await speaker.send("/mcp", *legacy("room_send", send))
                heard = json.loads(await listener.receive())["result"]["structuredContent"]
                latencies.append(time.perf_counter() - began)
                await speaker.receive()
                assert heard["messages"], heard
                since = heard["cursor"]
    p50, p99 = median(latencies), percentile(latencies, 99)
    return [
        Figure("room_send → a listener has it, p50", ms(p50), "≤ 5 ms", p50 <= 0.005),
        Figure("room_send → a listener has it, p99", ms(p99), "≤ 25 ms", p99 <= 0.025),
    ]


async def listeners() -> list[Figure]:
    """Five thousand `room_listen` calls on one process; one message wakes a thousand of them."""
    with stateroom_server() as served:
        idle = await unrelated_reads(served)
        async with Connection(served.port) as host:
            woken = await room_of(host, [f"agent-{number}" for number in range(WOKEN)])
            each = (LISTENERS - WOKEN) // QUIET_ROOMS
            quiet = [await room_of(host, [f"agent-{n}" for n in range(each)]) for _ in range(QUIET_ROOMS)]
        before = served.rss_mb()
        async with AsyncExitStack() as stack:
            waiting = [await stack.enter_async_context(Connection(served.port)) for _ in range(LISTENERS)]
            for number, connection in enumerate(waiting):
                room = (
                    (woken, number) if number < WOKEN else (quiet[number % QUIET_ROOMS], number // QUIET_ROOMS % each)
                )
                await connection.send("/mcp", *legacy("room_listen", _listening(*room)))
                if number % 200 == 199:
                    await asyncio.sleep(0.05)
            await settled_reads(served, median(idle))
            busy = await unrelated_reads(served)
            memory_kb = (served.rss_mb() - before) * 1024 / LISTENERS
            times = await _wake(served, woken, waiting[:WOKEN])
    ratio = percentile(busy, 99) / percentile(idle, 99)
    return [
        Figure(f"memory per listener, {LISTENERS:,} of them", f"{memory_kb:.1f} KB", "≤ 30 KB", memory_kb <= 30),
        Figure("unrelated read while they listen, p99", f"{ratio:.2f}x its idle p99", "≤ 3x", ratio <= 3),
        Figure(f"one message wakes {WOKEN:,} listeners, p50", ms(median(times))),
        Figure(
            f"one message wakes {WOKEN:,} listeners, p99",
            ms(percentile(times, 99)),
            "≤ 40 ms",
            percentile(times, 99) <= 0.040,
        ),
    ]


def _listening(code: str, number: int) -> dict:
    return {"code": code, "since": 0, "name": f"agent-{number}", "timeoutMs": LISTEN_MS}


async def _wake(served: Served, code: str, waiting: list[Connection]) -> list[float]:
    """Seconds from sending one message to each of these having it."""
    times: list[float] = []

    async def hear(connection: Connection, began: float) -> None:
        answer = await connection.receive()
        times.append(time.perf_counter() - began)
        assert b"wake up" in answer

    async with Connection(served.port) as speaker:
        await act(speaker, "join", code=code, participant=participant("speaker"))
        began = time.perf_counter()
        hearing = [asyncio.create_task(hear(connection, began)) for connection in waiting]
        await speaker.post("/mcp", *legacy("room_send", {"code": code, "name": "speaker", "text": "wake up"}))
        await asyncio.gather(*hearing)
    return times
