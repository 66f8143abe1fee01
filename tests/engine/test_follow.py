"""Waiting: subscribe, then read, then wait; whatever moves is heard, and nothing stays behind when a wait ends."""

import asyncio

import pytest

from stateroom.core.messages import PostMessage
from stateroom.core.refusals import BadCursor
from stateroom.engine.bells import Bells
from stateroom.engine.clock import loop_clock
from stateroom.engine.follow import heard
from stateroom.log.seam import Unavailable
from tests.engine.conftest import let_pass, running, simulated, simulated_store

HI = PostMessage("hi", "all", {})


async def listen(side, after, got):
    """Follow for ever, and note what comes."""
    async for entries in side.engine.follower.follow(side.card.key, after):
        got.append([entry.position for entry in entries])


@simulated
async def test_a_follower_reads_what_is_there_and_then_what_comes():
    """In order, each entry once, whoever wrote it, on whichever server."""
    store = simulated_store()
    async with running(store, loop_clock) as here, running(store, loop_clock) as there:
        await here.do(HI, "ann")
        got = []
        listening = asyncio.create_task(listen(there, 0, got))
        await let_pass(1)
        assert got == [[1, 2, 3]]
        for side in (here, there, here):
            await side.do(HI, "ann")
            await let_pass(1)
        assert got == [[1, 2, 3], [4], [5], [6]]
        listening.cancel()


@simulated
async def test_nothing_falls_between_reading_and_waiting():
    """What is written while the follower reads, or right before it waits, is heard: it has subscribed before.

    The store answers the read only after the next entry was written and hinted at; from then on nothing moves.
    """
    async with running(simulated_store(), loop_clock) as bench:
        for _ in range(3):
            await bench.do(HI, "ann")
        (await bench.engine.rooms.hold(bench.card.key))._recent.clear()  # so that it has to ask the store
        gate, got = bench.log.hold("read"), []
        listening = asyncio.create_task(listen(bench, 0, got))
        await gate.reached.wait()
        await bench.do(HI, "ann")
        await let_pass(1)
        gate.opened.set()
        await let_pass(1)
        assert [position for batch in got for position in batch] == [1, 2, 3, 4, 5, 6]
        listening.cancel()


@simulated
async def test_a_follower_waits_without_asking():
    """However long it is quiet, the store is asked for nothing."""
    async with running(simulated_store(), loop_clock) as bench:
        listening = asyncio.create_task(listen(bench, 0, []))
        await let_pass(1)
        bench.log.calls.clear()
        await let_pass(86_400)
        assert bench.log.calls == {}
        listening.cancel()


@simulated
async def test_a_quiet_log_pulses():
    """With a pulse, silence is an empty batch after so long, and again after so long."""
    async with running(simulated_store(), loop_clock) as bench:
        began, batches = loop_clock(), bench.engine.follower.follow(bench.card.key, 1, pulse_s=15)
        for beat in (1, 2, 3):
            assert await anext(batches) == []
            assert loop_clock() - began == beat * 15_000
        await bench.do(HI, "ann")
        assert [entry.position for entry in await anext(batches)] == [2, 3]
        assert await anext(batches) == []
        assert loop_clock() - began == 60_000
        await batches.aclose()
        assert bench.engine.rooms.bells.waiting() == 0


@simulated
async def test_a_follower_beyond_the_end_is_told_so():
    """At once, with the valid range."""
    async with running(simulated_store(), loop_clock) as bench:
        with pytest.raises(BadCursor, match="0 to 1"):
            await anext(bench.engine.follower.follow(bench.card.key, 2))
        assert bench.engine.rooms.bells.waiting() == 0


@simulated
async def test_a_follower_of_a_failing_store_is_told_so():
    """It goes on from where it was, when it asks again."""
    async with running(simulated_store(), loop_clock) as bench:
        await bench.do(HI, "ann")
        bench.engine.rooms._held.clear()

        async def fail(*args):
            raise Unavailable("gone")

        bench.log.read, read = fail, bench.log.read
        with pytest.raises(Unavailable):
            await anext(bench.engine.follower.follow(bench.card.key, 1))
        bench.log.read = read
        assert len(await anext(bench.engine.follower.follow(bench.card.key, 1))) == 2


# -- until


async def asked(bench, answers):
    """A question with these answers, one after another; and how often it was asked."""
    count = 0

    async def look():
        nonlocal count
        count += 1
        return answers[min(count, len(answers)) - 1]

    return look, lambda: count


@simulated
async def test_what_is_there_already_is_found_at_once():
    """Without waiting."""
    async with running(simulated_store(), loop_clock) as bench:
        look, count = await asked(bench, ["found"])
        began = loop_clock()
        assert await bench.engine.follower.until(bench.card.key, look, 60) == "found"
        assert (count(), loop_clock() - began) == (1, 0)


@simulated
async def test_whoever_waits_looks_again_when_the_log_moves():
    """And only then."""
    async with running(simulated_store(), loop_clock) as bench:
        look, count = await asked(bench, [None, None, "found"])
        waiting = asyncio.create_task(bench.engine.follower.until(bench.card.key, look, 60))
        await let_pass(10)
        assert count() == 1
        await bench.do(HI, "ann")
        await let_pass(10)
        assert count() == 2
        await bench.do(HI, "ann")
        assert (await waiting, count()) == ("found", 3)


@simulated
async def test_a_wait_ends_in_time_with_a_last_look():
    """Nothing was found, so nothing is the answer; what came in the last moment is not missed."""
    async with running(simulated_store(), loop_clock) as bench:
        for last, expected in [(None, None), ("found", "found")]:
            look, count = await asked(bench, [None, last])
            began = loop_clock()
            assert await bench.engine.follower.until(bench.card.key, look, 25) == expected
            assert (count(), loop_clock() - began) == (2, 25_000)
        look, count = await asked(bench, [None])
        assert await bench.engine.follower.until(bench.card.key, look, 0) is None
        assert count() == 1


@simulated
async def test_waiting_leaves_nothing_behind():
    """A wait that ends, by time, by cancellation or by an error, takes its bell with it."""
    async with running(simulated_store(), loop_clock) as bench:
        look, _ = await asked(bench, [None])

        async def fail():
            raise Unavailable("gone")

        bells, until = bench.engine.rooms.bells, bench.engine.follower.until
        await until(bench.card.key, look, 1)
        with pytest.raises(Unavailable):
            await until(bench.card.key, fail, 1)
        waiting = [asyncio.create_task(until(bench.card.key, look, 60)) for _ in range(10)]
        await let_pass(1)
        assert bells.waiting() == 10
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert (bells.waiting(), bells._by_key) == (0, {})


# -- several logs


@simulated
async def test_which_of_several_logs_moved():
    """Never how; and an empty list when it was quiet for so long."""
    async with running(simulated_store(), loop_clock) as bench:
        other = await bench.engine.enter(bench.caller, "other")
        moves = bench.engine.follower.moves([bench.card.key, other.key], 15)
        began = loop_clock()
        assert await anext(moves) == []
        assert loop_clock() - began == 15_000
        waiting = asyncio.ensure_future(anext(moves))
        await let_pass(1)
        await bench.engine.execute(bench.caller, other, HI, "ann")
        assert await waiting == [other.key]
        await bench.do(HI, "ann")
        await bench.engine.execute(bench.caller, other, HI, "ann")
        assert await anext(moves) == [bench.card.key, other.key]
        await moves.aclose()
        assert bench.engine.rooms.bells.waiting() == 0


@simulated
async def test_of_no_logs_nothing_moves():
    """It is simply quiet."""
    async with running(simulated_store(), loop_clock) as bench:
        moves = bench.engine.follower.moves([], 15)
        assert await anext(moves) == []
        await moves.aclose()


# -- bells


@simulated
async def test_a_bell_rings_for_its_log_only():
    """All bells of that log, and of every log when something may have been missed."""
    bells = Bells()
    with bells.hang("a") as one, bells.hang("a") as two, bells.hang("b") as three:
        bells.ring("a")
        assert (one.is_set(), two.is_set(), three.is_set()) == (True, True, False)
        bells.ring("c")
        bells.ring_all()
        assert three.is_set()
    assert bells.waiting() == 0


@simulated
async def test_a_bell_is_waited_for_so_long():
    """And no longer; None waits for ever."""
    bell, began = asyncio.Event(), loop_clock()
    assert not await heard(bell, 2)
    assert loop_clock() - began == 2_000
    asyncio.get_running_loop().call_later(3600, bell.set)
    assert await heard(bell, None)
