"""The whole server over real HTTP on loopback: calls, wake-ups, crowds of listeners, start-up."""

import asyncio
import json
import time
from contextlib import AsyncExitStack, ExitStack

from bench.figures import Figure, median, ms, percentile
from bench.http import Connection, legacy, modern
from bench.loops import Run, load
from bench.serving import Served, first_stdio_answer, sdk_server, stateroom_server

ROUNDS = 3
CALLS = 1_500
ERAS = {"2026": modern, "2025": legacy}
BUDGET = {(8, "2026"): 3.0, (64, "2026"): 5.0}
WAKES = 200
LISTENERS = 5_000
WOKEN = 1_000
MIXED_AGENTS, MIXED_S = 30, 20


async def against_the_sdk() -> list[Figure]:
    """`tools/call` with a durable append, ours and the SDK's high-level server, interleaved in one run."""
    ratios: dict[tuple[int, str], list[float]] = {}
    ours_best: dict[tuple[int, str], Run] = {}
    with ExitStack() as stack:
        ours, theirs = stack.enter_context(stateroom_server()), stack.enter_context(sdk_server())
        for _ in range(ROUNDS):
            for era in ERAS:
                for callers in (1, 8, 64):
                    mine = await calls(ours, callers, era, "from")
                    other = await calls(theirs, callers, era, "sender")
                    ratios.setdefault((callers, era), []).append(mine.per_second / other.per_second)
                    ours_best[(callers, era)] = mine
    figures = []
    for (callers, era), found in ratios.items():
        ratio, budget = median(found), BUDGET.get((callers, era))
        run = ours_best[(callers, era)]
        said = f"{ratio:.1f}x the SDK, {run.per_second:,.0f}/s, p99 {ms(percentile(run.latencies, 99))}"
        kept = None if budget is None else ratio >= budget
        figures.append(
            Figure(f"tools/call, era {era}, {callers} callers", said, f"≥ {budget:g}x" if budget else "", kept)
        )
    return figures


async def calls(served: Served, callers: int, era: str, sender: str) -> Run:
    async with AsyncExitStack() as stack:
        open_ = [await stack.enter_async_context(Connection(served.port)) for _ in range(callers)]
        arguments = {"roomId": "bench", "type": "n", sender: "agent", "to": "all", "payload": {"text": "x" * 300}}
        body, headers = ERAS[era]("post_event", arguments)

        async def call(number: int, step: int) -> None:
            answer = await open_[number].post("/mcp", body, headers)
            assert b'"isError":true' not in answer, answer

        return await load(callers, CALLS if callers > 1 else CALLS // 3, call)


async def wake() -> list[Figure]:
    """From sending an event to a peer that waits for one having it, over MCP."""
    latencies = []
    with stateroom_server() as served:
        async with Connection(served.port) as sender, Connection(served.port) as listener:
            drain, headers = legacy("get_unread_events", {"roomId": "bench", "agentId": "peer"})
            wait, _ = legacy("wait_for_events", {"roomId": "bench", "agentId": "peer", "timeoutMs": 10_000})
            arguments = {"roomId": "bench", "type": "n", "from": "me", "to": "all", "payload": {}}
            post, _ = legacy("post_event", arguments)
            await listener.post("/mcp", drain, headers)
            for _ in range(WAKES):
                await listener.send("/mcp", wait, headers)
                await asyncio.sleep(0.005)
                began = time.perf_counter()
                await sender.send("/mcp", post, headers)
                heard = json.loads(await listener.receive())
                latencies.append(time.perf_counter() - began)
                assert heard["result"]["structuredContent"]["events"]
                await sender.receive()
    p50, p99 = median(latencies), percentile(latencies, 99)
    return [
        Figure("send → a waiting peer has it, p50", ms(p50), "≤ 5 ms", p50 <= 0.005),
        Figure("send → a waiting peer has it, p99", ms(p99), "≤ 25 ms", p99 <= 0.025),
    ]


async def listeners() -> list[Figure]:
    """Thousands of waiting calls on one process: memory, an unrelated read meanwhile, and a wake-up of many."""
    with stateroom_server() as served:
        before = served.rss_mb()
        idle = await unrelated_reads(served)
        async with AsyncExitStack() as stack:
            waiting = [await stack.enter_async_context(Connection(served.port)) for _ in range(LISTENERS)]
            for number, connection in enumerate(waiting):
                room = "woken" if number < WOKEN else f"quiet-{number % 50}"
                arguments = {"roomId": room, "agentId": f"agent-{number}", "timeoutMs": 30_000, "types": ["go"]}
                await connection.send("/mcp", *legacy("wait_for_events", arguments))
                if number % 200 == 199:
                    await asyncio.sleep(0.05)
            await settled_reads(served, median(idle))
            busy = await unrelated_reads(served)
            each = (served.rss_mb() - before) * 1024 / LISTENERS
            times = await _wake(served, waiting[:WOKEN])
    ratio = percentile(busy, 99) / percentile(idle, 99)
    return [
        Figure(
            f"memory per waiting call, {LISTENERS:,} of them",
            f"{each:.1f} KB",
            "≤ 30 KB (10,000 in 300 MB)",
            each <= 30,
        ),
        Figure("unrelated read while they wait, p99", f"{ratio:.2f}x its idle p99", "≤ 3x", ratio <= 3),
        Figure(f"waking {WOKEN:,} of them, p50", ms(median(times))),
        Figure(f"waking {WOKEN:,} of them, p99", ms(percentile(times, 99)), "≤ 40 ms", percentile(times, 99) <= 0.040),
    ]


async def settled_reads(served: Served, idle: float) -> None:
    """Until everybody has arrived and only waits: reads are quick again, or a minute has gone."""
    for _ in range(60):
        if median(await unrelated_reads(served)) < 2 * idle:
            return
        await asyncio.sleep(0.5)


async def unrelated_reads(served: Served) -> list[float]:
    async with Connection(served.port) as reader:
        body, headers = legacy("get_room_info", {"roomId": "bench"})

        async def read(number: int, step: int) -> None:
            await reader.post("/mcp", body, headers)

        return (await load(1, 500, read)).latencies


async def _wake(served: Served, waiting: list[Connection]) -> list[float]:
    """Seconds from sending one event to each of these having it."""
    times: list[float] = []

    async def hear(connection: Connection, began: float) -> None:
        await connection.receive()
        times.append(time.perf_counter() - began)

    async with Connection(served.port) as sender:
        arguments = {"roomId": "woken", "type": "go", "from": "me", "to": "all", "payload": {}}
        began = time.perf_counter()
        hearing = [asyncio.create_task(hear(connection, began)) for connection in waiting]
        await sender.post("/mcp", *legacy("post_event", arguments))
        await asyncio.gather(*hearing)
    return times


async def mixed() -> list[Figure]:
    """Thirty agents that write, read and wait in one room."""
    latencies: list[float] = []
    errors = 0
    with stateroom_server() as served:
        ends = time.perf_counter() + MIXED_S

        async def agent(number: int) -> None:
            nonlocal errors
            me = f"agent-{number}"
            steps = [
                ("add_task", {"title": "t", "description": "d"}),
                ("get_unread_events", {"agentId": me, "limit": 20}),
                ("post_event", {"type": "n", "from": me, "to": "all", "payload": {}}),
                ("get_unblocked_tasks", {"agentId": me}),
                ("set_shared_var", {"key": me, "value": "v", "agentId": me}),
                ("heartbeat", {"agentId": me}),
            ]
            async with Connection(served.port) as connection:
                step = number
                while time.perf_counter() < ends:
                    tool, arguments = steps[step % len(steps)]
                    began = time.perf_counter()
                    answer = await connection.post("/mcp", *legacy(tool, {"roomId": f"room-{number % 3}", **arguments}))
                    latencies.append(time.perf_counter() - began)
                    errors += b'"isError":true' in answer
                    step += 1
                    await asyncio.sleep(0.02)

        await asyncio.gather(*(agent(number) for number in range(MIXED_AGENTS)))
    p99 = percentile(latencies, 99)
    said = f"{len(latencies) / MIXED_S:,.0f} calls/s, {errors} errors, p99 {ms(p99)}"
    return [
        Figure(
            f"{MIXED_AGENTS} agents, {MIXED_S} s mixed load",
            said,
            "no errors, p99 ≤ 250 ms",
            not errors and p99 <= 0.25,
        )
    ]


async def startup() -> list[Figure]:
    """How long until somebody can work."""
    ready = []
    for _ in range(3):
        with stateroom_server() as served:
            ready.append(served.ready_s)
    first = [await first_stdio_answer() for _ in range(5)]
    return [
        Figure("server ready", ms(median(ready)), "≤ 1 s", median(ready) <= 1.0),
        Figure("first answer of `stateroom mcp`", ms(median(first)), "≤ 400 ms", median(first) <= 0.4),
    ]
