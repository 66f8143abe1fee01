"""Loading, following and reading: rooms from snapshots, waiting without polling, inboxes that lose nothing."""

import asyncio

import pytest

from stateroom.core.leases import TakeLease
from stateroom.core.lobby import LOBBY
from stateroom.core.messages import PostMessage
from stateroom.core.refusals import BadCursor
from stateroom.core.room import Room, replay
from stateroom.engine.inbox import Ask
from stateroom.engine.rooms import SNAPSHOT_EVERY, snapshot_key
from stateroom.log import codec
from tests.engine.conftest import running

HI = PostMessage("hi", "all", {"text": "x" * 50})


async def settle():
    """Let everything that can run now, run."""
    for _ in range(50):
        await asyncio.sleep(0)  # noqa: TID251 (turns of the loop)


async def test_a_cold_load_reads_a_snapshot_and_a_tail(bench, store, clock):
    """After a snapshot, a fresh process reads only what came after it, and ends at the same state."""
    for _ in range(SNAPSHOT_EVERY + 20):
        await bench.do(HI, "ann")
    await settle()
    assert await store.shelf.get([snapshot_key(bench.card.key)])
    async with running(store, clock) as fresh:
        state = await fresh.engine.view(fresh.card, codec.encode_state)
        assert fresh.log.calls["read"] < 10
    records = await store.log.read(bench.card.key, 0, 10**6)
    assert state == codec.encode_state(replay(codec.decode_all(records), Room()))


@pytest.mark.parametrize("spoil", [lambda s: b"0" * 16 + s[16:], lambda s: s[:-9], lambda s: b"garbage"])
async def test_a_useless_snapshot_costs_time_and_nothing_else(bench, store, clock, spoil):
    """A snapshot of other rules, or a broken one, is ignored."""
    for _ in range(SNAPSHOT_EVERY + 20):
        await bench.do(HI, "ann")
    await settle()
    name = snapshot_key(bench.card.key)
    await store.shelf.put({name: spoil((await store.shelf.get([name]))[name])}, 60)
    async with running(store, clock) as fresh:
        assert await fresh.engine.view(fresh.card, lambda room: room.messages.told) == SNAPSHOT_EVERY + 20


async def test_a_snapshot_of_an_earlier_life_is_ignored(bench, store, clock):
    """The room was dropped and begun again: a snapshot that ends beyond the new log is not believed."""
    for _ in range(SNAPSHOT_EVERY + 20):
        await bench.do(HI, "ann")
    await settle()
    await store.log.drop(bench.card.key)
    clock.advance(1)
    async with running(store, clock) as fresh:
        await fresh.do(HI, "ann")
        assert await fresh.engine.view(fresh.card, lambda room: room.messages.told) == 1


async def test_a_follower_hears_what_another_server_writes(bench, other):
    """Subscribe, then read, then wait: entries arrive in order, whoever wrote them."""
    got = []

    async def follow():
        async for entries in other.engine.follower.follow(other.card.key, 0):
            got.extend(entry.position for entry in entries)

    task = asyncio.create_task(follow())
    for _ in range(20):
        await bench.do(HI, "ann")
        await settle()
    task.cancel()
    last = await bench.engine.view(bench.card, lambda room: room.position)
    assert got == list(range(1, last + 1))


async def test_a_quiet_follower_pulses(bench):
    """With a pulse, silence is an empty batch now and then."""
    last = await bench.engine.view(bench.card, lambda room: room.position)
    batches = bench.engine.follower.follow(bench.card.key, last, pulse_s=0.001)
    assert await anext(batches) == []
    await batches.aclose()
    assert bench.engine.rooms.bells.waiting() == 0


async def test_waiting_leaves_nothing_behind(bench):
    """A wait that ends, by time or by cancellation, takes its bell with it."""

    async def nothing():
        return None

    assert await bench.engine.follower.until(bench.card.key, nothing, 0.001) is None
    task = asyncio.create_task(bench.engine.follower.until(bench.card.key, nothing, 60))
    await settle()
    assert bench.engine.rooms.bells.waiting() == 1
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert bench.engine.rooms.bells.waiting() == 0


@pytest.mark.parametrize("after", [-1, 10_000])
async def test_a_cursor_outside_the_log_is_an_error_with_the_valid_range(bench, after):
    """Never a silent replay, never a silent wait (design §6)."""
    with pytest.raises(BadCursor, match="valid positions are 0 to"):
        await bench.engine.rooms.entries(bench.card.key, after)


async def test_a_cursor_another_server_gave_out_is_valid_here(bench, other):
    """A position this server has not heard of yet is looked up before it is refused."""
    position = (await bench.do(HI, "ann")).entries[-1].position
    other.engine.rooms._held[other.card.key].stale = False
    assert await other.engine.rooms.entries(other.card.key, position) == []


async def read(side, name, **ask):
    return await side.engine.inbox.read(side.card.key, name, Ask(**ask))


async def test_take_delivers_once_also_through_two_servers(bench, other):
    """32 readers of one name at two servers: every entry to exactly one of them (W-06)."""
    for _ in range(100):
        await bench.do(HI, "ann")

    async def reader(side):
        got = []
        while batch := (await read(side, "shared", limit=3)).entries:
            got += [entry.position for entry in batch]
        return got

    batches = await asyncio.gather(*(reader(side) for side in (bench, other) for _ in range(16)))
    positions = [position for batch in batches for position in batch]
    assert len(positions) == len(set(positions)) == 100
    assert all(batch == sorted(batch) for batch in batches)


async def test_peek_moves_nothing(bench):
    """Looking twice shows the same twice."""
    await bench.do(HI, "ann")
    assert (await read(bench, "bob", peek=True)).entries == (await read(bench, "bob", peek=True)).entries != []


async def test_ack_delivers_until_it_is_acknowledged(bench):
    """A lost answer is simply asked for again; acknowledging moves on and never back (W-05)."""
    for _ in range(5):
        await bench.do(HI, "ann")
    first = await read(bench, "bob", ack=0, limit=2)
    assert (await read(bench, "bob", ack=0, limit=2)).entries == first.entries
    second = await read(bench, "bob", ack=first.entries[-1].position, limit=2)
    assert second.entries[0].position > first.entries[-1].position
    back = await read(bench, "bob", ack=0, limit=2)
    assert back.entries == second.entries


@pytest.mark.parametrize("ack", [-1, 10_000])
async def test_acknowledging_what_is_not_there_is_refused(bench, ack):
    """A position outside the log moves no cursor."""
    await bench.do(HI, "ann")
    with pytest.raises(BadCursor):
        await read(bench, "bob", ack=ack)
    assert (await read(bench, "bob")).entries


async def test_what_does_not_fit_stays_unread(bench):
    """A bounded answer consumes only what it shows, and always shows at least one."""
    for _ in range(10):
        await bench.do(HI, "ann")
    seen = []
    while batch := (await read(bench, "bob", room_bytes=150, size=lambda entry: 60)).entries:
        assert len(batch) <= 2
        seen += batch
    assert len(seen) == 10
    await bench.do(HI, "ann")
    assert len((await read(bench, "bob", room_bytes=1, size=lambda entry: 60)).entries) == 1


async def test_filtered_entries_count_as_read_and_are_counted(bench):
    """What a caller does not want is skipped and named as a number (W-10)."""
    await bench.do(HI, "ann")
    await bench.do(PostMessage("other", "all", {}), "ann")
    batch = await read(bench, "bob", wanted=lambda entry: entry.event.type == "other")
    assert (len(batch.entries), batch.skipped) == (1, 1)
    assert (await read(bench, "bob")).entries == []


async def test_context_is_counted_by_its_own_watermark(bench):
    """New context is what was written since the member last asked (W-08)."""
    from_none = await bench.engine.inbox.see_context(bench.card.key, "bob")
    assert from_none == 0


async def test_presence_lasts_two_minutes_and_is_remembered(bench, other, clock):
    """Online for 120 s after a sign of life, seen by other servers; the last time is kept when offline (W-34)."""
    await bench.engine.arrive(bench.caller, bench.card, "ann")
    await settle()
    (seen,) = await other.engine.presence.of(other.card.key, ["ann"])
    assert seen.online
    clock.advance(119.9)
    assert (await other.engine.presence.of(other.card.key, ["ann"]))[0].online
    clock.advance(0.1)
    (gone,) = await bench.engine.presence.of(bench.card.key, ["Ann"])
    assert (gone.online, gone.last_seen) == (False, clock.at - 120_000)
    await bench.engine.arrive(bench.caller, bench.card, "ann")
    await bench.engine.leave(bench.caller, bench.card, "ANN")
    assert not (await bench.engine.presence.of(bench.card.key, ["ann"]))[0].online, "leaving beats a heartbeat"


async def test_a_lapsed_lease_is_said_once_by_however_many_servers(bench, other, clock):
    """Deadlines are data: each server ticks, one append wins, the others find nothing due."""
    await bench.do(TakeLease("file", 1), "ann")
    due = await bench.engine.view(bench.card, lambda room: room.next_due())
    clock.advance(2)
    for side in (bench, other):
        side.engine.timers.expect(side.card.key, due)
    for _ in range(20):
        await settle()
    entries = await bench.engine.rooms.entries(bench.card.key, 0)
    assert [type(entry.event).__name__ for entry in entries].count("LeaseLapsed") == 1


async def test_the_lobby_is_a_log_like_any_other(bench, other):
    """A room made at one server is found at another, by id and by any spelling of its code."""
    found = await other.engine.find(other.caller, bench.card.code.lower().replace("-", ""))
    assert found == bench.card
    assert await bench.engine.rooms.view(LOBBY, lambda lobby: len(lobby.rooms)) == 1
