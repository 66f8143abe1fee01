"""Deadlines are data in the room; somebody ticks when one has passed, and the room says so once."""

import asyncio
from contextlib import AsyncExitStack

from stateroom.core.leases import LeaseLapsed, ReleaseLease, TakeLease
from stateroom.core.messages import PostMessage
from stateroom.engine.clock import loop_clock
from stateroom.engine.timers import RETRY_MS, SYSTEM
from stateroom.log.seam import Unavailable
from stateroom.testing.simulated_time import START_S
from tests.engine.conftest import let_pass, running, simulated, simulated_store

START_MS = int(START_S * 1000)


async def lapses(bench):
    """Which leases have been said to be over, and when."""
    entries = [entry for entry in await bench.stored() if isinstance(entry.event, LeaseLapsed)]
    return [(entry.event.resource, (entry.at - START_MS) / 1000) for entry in entries]


@simulated
async def test_a_lapsed_lease_is_announced_when_it_lapses():
    """Not before, and by nobody in particular."""
    async with running(simulated_store(), loop_clock) as bench:
        await bench.do(TakeLease("file", 30), "ann")
        await let_pass(29.9)
        assert await lapses(bench) == []
        await let_pass(0.2)
        assert await lapses(bench) == [("file", 30)]
        entry = (await bench.stored())[-1]
        assert (entry.by, entry.via) == ("", SYSTEM)


@simulated
async def test_a_lapsed_lease_is_announced_once_by_however_many_servers():
    """Each of them ticks; one append wins, the others find nothing due."""
    store = simulated_store()
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(running(store, loop_clock)) for _ in range(4)]
        for n, server in enumerate(servers):
            await server.do(TakeLease(f"file-{n}", 30), "ann")
            await let_pass(0.1)
        due = await servers[0].engine.view(servers[0].card, lambda room: room.next_due())
        for server in servers:
            server.engine.timers.expect(server.card.key, due)
        await let_pass(3600)
        names = [name for name, _ in await lapses(servers[0])]
        assert names == [f"file-{n}" for n in range(4)]


@simulated
async def test_every_deadline_is_met_one_after_another():
    """When one has been said, the next is expected; it was once forgotten until somebody wrote again."""
    async with running(simulated_store(), loop_clock) as bench:
        for seconds in (60, 10, 30, 10):
            await bench.do(TakeLease(f"{seconds}", seconds), "ann")
        await let_pass(3600)
        assert await lapses(bench) == [("10", 10), ("30", 30), ("60", 60)]


@simulated
async def test_a_deadline_is_met_although_the_room_was_forgotten_meanwhile():
    """Or voided by a conflict: who does not know what is due next, looks."""
    async with running(simulated_store(), loop_clock) as bench:
        gate = bench.log.hold("append")
        doing = bench.doing(TakeLease("file", 10), "ann")
        await gate.reached.wait()
        asyncio.get_running_loop().call_soon(bench.engine.rooms._held.clear)
        gate.opened.set()
        await doing
        await let_pass(60)
        assert await lapses(bench) == [("file", 10)]


@simulated
async def test_a_deadline_that_moved_is_met_where_it_is_now():
    """A renewal puts it off, a release takes it away, and neither is announced at the old time."""
    async with running(simulated_store(), loop_clock) as bench:
        await bench.do(TakeLease("renewed", 10), "ann")
        await bench.do(TakeLease("released", 10), "ann")
        await let_pass(5)
        await bench.do(TakeLease("renewed", 100), "ann")
        await bench.do(ReleaseLease("released"), "ann")
        await let_pass(3600)
        assert await lapses(bench) == [("renewed", 105)]


@simulated
async def test_a_tick_that_fails_is_tried_again():
    """A little later, until the store is there again."""
    async with running(simulated_store(), loop_clock) as bench:
        await bench.do(TakeLease("file", 10), "ann")
        bench.log.fails = [Unavailable("gone")] * 3
        await let_pass(60)
        assert await lapses(bench) == [("file", 10 + 3 * RETRY_MS / 1000)]


@simulated
async def test_a_room_that_nobody_waits_for_costs_nothing():
    """Timers sleep until something is due."""
    async with running(simulated_store(), loop_clock) as bench:
        await bench.do(PostMessage("hi", "all", {}), "ann")
        await let_pass(1)
        bench.log.calls.clear()
        turns = 0

        def turn():
            nonlocal turns
            turns += 1

        bench.engine.timers._fallen_due, fallen_due = lambda: turn() or fallen_due(), bench.engine.timers._fallen_due
        await let_pass(86_400)
        assert (turns, bench.log.calls) == (0, {})


@simulated
async def test_many_rooms_are_ticked_each_at_its_time():
    """One heap for all of them."""
    async with running(simulated_store(), loop_clock) as bench:
        cards = [await bench.engine.enter(bench.caller, f"room-{n}") for n in range(20)]
        for n, card in enumerate(cards):
            await bench.engine.execute(bench.caller, card, TakeLease("file", 200 - n), "ann")
        await let_pass(3600)
        for n, bench.card in enumerate(cards):
            assert await lapses(bench) == [("file", 200 - n)]


@simulated
async def test_a_stopped_engine_ticks_no_more():
    """Its timers end with it."""
    store = simulated_store()
    async with running(store, loop_clock) as bench:
        await bench.do(TakeLease("file", 10), "ann")
    await let_pass(60)
    assert await lapses(bench) == []
    assert not [task for task in asyncio.all_tasks() if "Timers" in str(task.get_coro())]
