"""What a member has not seen: each told entry once, in order, and nothing lost over an answer that was."""

import asyncio

import pytest

from stateroom.core.context import WriteContext
from stateroom.core.leases import TakeLease
from stateroom.core.messages import PostMessage, WithdrawMessage
from stateroom.core.refusals import BadCursor
from stateroom.engine.inbox import SWAPS, Ask
from stateroom.log.seam import Unavailable
from tests.engine.conftest import settle

HI = PostMessage("hi", "all", {})


async def read(side, name="bob", **ask):
    return await side.engine.inbox.read(side.card.key, name, Ask(**ask))


async def said(bench, count):
    """So many messages; their positions."""
    return [(await bench.do(HI, "ann")).entries[-1].position for _ in range(count)]


def positions(batch):
    return [entry.position for entry in batch.entries]


# -- take


async def test_take_delivers_what_is_unread_oldest_first(bench):
    """From the beginning for a new reader; nothing twice; what comes later, later."""
    first = await said(bench, 3)
    assert positions(await read(bench)) == first
    assert positions(await read(bench)) == []
    second = await said(bench, 2)
    assert positions(await read(bench)) == second


async def test_a_limit_leaves_the_rest_unread(bench):
    """And says how many log entries lie behind."""
    said_at = await said(bench, 5)
    batches = [await read(bench, limit=2) for _ in range(3)]
    assert [positions(batch) for batch in batches] == [said_at[:2], said_at[2:4], said_at[4:]]
    assert [batch.more for batch in batches] == [3, 1, 0]


async def test_readers_do_not_take_from_one_another(bench):
    """Each name has a cursor of its own, and one name in two spellings is one."""
    said_at = await said(bench, 2)
    assert positions(await read(bench, "bob")) == said_at
    assert positions(await read(bench, "cyn")) == said_at
    assert positions(await read(bench, " BOB")) == []


async def test_only_what_the_room_was_told_is_delivered(bench):
    """Arrivals and leases are passed over, as is what was withdrawn, and count as read."""
    (one, two) = await said(bench, 2)
    await bench.do(TakeLease("file", 9), "ann")
    await bench.do(WithdrawMessage(one), "ann")
    batch = await read(bench)
    assert positions(batch) == [two, two + 2], "the other message, and the tombstone"
    assert (batch.more, batch.skipped) == (0, 0)


async def test_a_members_own_entries_are_delivered_too(bench):
    """As the protocol has it (W-10)."""
    assert positions(await read(bench, "ann")) == []
    assert positions(await read(bench, "ann")) == await said(bench, 0)
    said_at = await said(bench, 1)
    assert positions(await read(bench, "ann")) == said_at


async def test_of_many_readers_of_one_name_each_entry_reaches_exactly_one(bench, other):
    """32 at once, at two servers; each sees what it gets in order, and nothing is lost (W-06)."""
    said_at = await said(bench, 100)

    async def reader(side, limit):
        got = []
        while batch := await read(side, "shared", limit=limit):
            if not batch.entries:
                return got
            got += positions(batch)

    readers = [reader(side, limit) for side in (bench, other) for limit in (1, 2, 3, 5) for _ in range(4)]
    got = await asyncio.gather(*readers)
    assert sorted(position for batch in got for position in batch) == said_at
    assert all(batch == sorted(batch) for batch in got)


async def test_a_cursor_never_goes_backwards(bench, other):
    """A slow reader does not undo what a fast one has read meanwhile (W-06)."""
    said_at = await said(bench, 4)
    gate = bench.shelf.hold("swap")
    slow = asyncio.create_task(read(bench, limit=1))
    await gate.reached.wait()
    assert positions(await read(other, limit=3)) == said_at[:3]
    gate.opened.set()
    assert positions(await slow) == said_at[3:]
    assert (await bench.engine.inbox.cursor(bench.card.key, "bob")).read == said_at[-1]


async def test_a_reader_that_cannot_move_its_cursor_gets_nothing(bench):
    """Then nothing has moved, and the next call gets it all."""
    said_at = await said(bench, 2)
    bench.shelf.fails = [Unavailable("no shelf")]
    with pytest.raises(Unavailable):
        await read(bench)
    assert positions(await read(bench)) == said_at


async def test_endless_competition_ends_in_a_sentence(bench, monkeypatch):
    """Whoever always loses is told what to do, and nothing has moved."""
    said_at = await said(bench, 1)

    async def lose(*args):
        bench.shelf.calls["swap"] += 1
        return False

    monkeypatch.setattr(bench.shelf, "swap", lose)
    with pytest.raises(Unavailable, match="a name of your own"):
        await read(bench)
    assert bench.shelf.calls["swap"] == SWAPS
    monkeypatch.undo()
    assert positions(await read(bench)) == said_at


# -- peek


async def test_peek_moves_nothing(bench):
    """Looking twice shows the same twice, and taking after that shows it once more."""
    said_at = await said(bench, 2)
    for _ in range(2):
        assert positions(await read(bench, peek=True)) == said_at
    assert positions(await read(bench)) == said_at
    assert positions(await read(bench, peek=True)) == []


async def test_peek_asks_the_shelf_for_no_change(bench):
    """Also where there is something to see."""
    await said(bench, 2)
    await settle()
    bench.shelf.calls.clear()
    await read(bench, peek=True)
    assert bench.shelf.calls == {"get": 1}


# -- ack


async def test_ack_delivers_again_until_it_is_acknowledged(bench):
    """A lost answer is simply asked for again (W-05)."""
    said_at = await said(bench, 5)
    for _ in range(3):
        assert positions(await read(bench, ack=0, limit=2)) == said_at[:2]
    assert positions(await read(bench, ack=said_at[0], limit=2)) == said_at[1:3]
    assert positions(await read(bench, ack=said_at[2])) == said_at[3:]
    assert positions(await read(bench, ack=said_at[4])) == []


async def test_what_is_acknowledged_stays_so(bench):
    """An old acknowledgement that comes late takes nothing back; take goes on from there."""
    said_at = await said(bench, 4)
    await read(bench, ack=said_at[1])
    assert positions(await read(bench, ack=0)) == said_at[2:]
    assert positions(await read(bench)) == said_at[2:]


async def test_the_very_end_can_be_acknowledged(bench):
    """Whether or not it was ever delivered: whoever says it has it, has it."""
    await said(bench, 2)
    last = await bench.engine.view(bench.card, lambda room: room.position)
    assert positions(await read(bench, ack=last)) == []


@pytest.mark.parametrize("beyond", [-1, 1, 10_000])
async def test_acknowledging_what_is_not_there_is_refused(bench, beyond):
    """A position outside the log moves no cursor, and the valid range is said."""
    said_at = await said(bench, 2)
    last = await bench.engine.view(bench.card, lambda room: room.position)
    with pytest.raises(BadCursor, match=f"0 to {last}"):
        await read(bench, ack=beyond if beyond < 0 else last + beyond)
    assert positions(await read(bench)) == said_at


@pytest.mark.parametrize("busy_here", [False, True])
async def test_what_another_server_delivered_can_be_acknowledged_here(bench, other, busy_here):
    """Although we have not heard of it yet, and although we are writing ourselves."""
    other.engine.rooms._hear = lambda hint: None  # its hints are late
    said_at = await said(bench, 2)
    assert positions(await read(bench)) == said_at
    writing = None
    if busy_here:
        gate = other.log.hold("append")
        writing = other.doing(HI, "cyn")
        await gate.reached.wait()
        asyncio.get_running_loop().call_soon(gate.opened.set)
    await read(other, ack=said_at[-1])
    assert (await other.engine.inbox.cursor(other.card.key, "bob")).read == said_at[-1]
    if writing:
        await writing


# -- what one call wants


async def test_what_does_not_fit_stays_unread(bench):
    """A bounded answer consumes only what it shows."""
    said_at = await said(bench, 7)
    batches = [positions(await read(bench, room_bytes=150, size=lambda entry: 60)) for _ in range(5)]
    assert batches == [said_at[:2], said_at[2:4], said_at[4:6], said_at[6:], []]


async def test_at_least_one_is_always_delivered(bench):
    """Otherwise an entry that is too large would stop its reader for ever."""
    said_at = await said(bench, 2)
    for position in said_at:
        assert positions(await read(bench, room_bytes=1, size=lambda entry: 60)) == [position]


async def test_what_is_not_wanted_counts_as_read_and_is_counted(bench):
    """Skipped entries are named as a number (W-10)."""
    await said(bench, 2)
    (wanted,) = (await bench.do(PostMessage("other", "all", {}), "ann")).entries
    await said(bench, 3)
    batch = await read(bench, wanted=lambda entry: entry.event.type == "other")
    assert (positions(batch), batch.skipped, batch.more) == ([wanted.position], 5, 0)
    assert positions(await read(bench)) == []


async def test_a_long_inbox_is_read_through(bench):
    """Across pages, also where nothing in them is wanted, and however few records the store gives at a time."""
    await said(bench, 250)
    (wanted,) = (await bench.do(PostMessage("other", "all", {}), "ann")).entries
    (await bench.engine.rooms.hold(bench.card.key))._recent.clear()
    bench.log.page = 7
    batch = await read(bench, limit=1, wanted=lambda entry: entry.event.type == "other")
    assert (positions(batch), batch.skipped) == ([wanted.position], 250)


async def test_what_is_withdrawn_only_in_passing_is_not_lost(bench):
    """A withdrawal that is decided while we read, and then fails, hides nothing from us.

    The reader once saw it before it was durable, passed over the message, and never got it.
    """
    await said(bench, 1)
    await read(bench)
    (one, two) = await said(bench, 2)
    (await bench.engine.rooms.hold(bench.card.key))._recent.clear()
    reading = bench.log.hold("read")
    taking = asyncio.create_task(read(bench))
    await reading.reached.wait()
    bench.log.fails = [Unavailable("disk full")]
    writing = bench.log.hold("append")
    withdrawing = bench.doing(WithdrawMessage(one), "ann")
    await writing.reached.wait()
    reading.opened.set()
    batch = await taking
    writing.opened.set()
    with pytest.raises(Unavailable):
        await withdrawing
    assert positions(batch) == [one, two]


# -- another life


async def test_in_another_life_everybody_reads_from_the_beginning(bench, clock):
    """A cursor belongs to one life of the room; what was read in an earlier one says nothing about this one."""
    await said(bench, 5)
    await read(bench)
    await bench.engine.rooms.forget(bench.card.key)
    bench.engine._opened.clear()
    clock.advance(1)
    await bench.engine.enter(bench.caller, "demo")
    said_at = await said(bench, 2)
    assert positions(await read(bench)) == said_at
    assert positions(await read(bench)) == []


async def test_a_cursor_beyond_the_end_is_an_error(bench, store):
    """A log that has lost its end, from an old copy say, is no reason to deliver everything again."""
    await said(bench, 5)
    await read(bench)
    records = await store.log.read(bench.card.key, 0)
    store.log._lives[bench.card.key].records[3:] = []
    bench.engine.rooms._held.clear()
    with pytest.raises(BadCursor, match="0 to 3"):
        await read(bench)
    assert len(records) > 3


# -- what else is kept


async def test_fresh_context_has_a_mark_of_its_own(bench):
    """What was written since the member last asked, whatever events it has read (W-08)."""
    see = bench.engine.inbox.see_context
    await bench.do(WriteContext("note", "s", {"text": "t"}), "ann")
    await bench.do(WriteContext("note", "s", {"text": "t"}, ("bob",)), "ann")
    assert len((await read(bench)).entries) == 1
    assert await see(bench.card.key, "bob") == 2
    assert await see(bench.card.key, "bob") == 0
    assert await see(bench.card.key, "cyn") == 2
    await bench.do(WriteContext("note", "s", {"text": "t"}), "ann")
    assert await see(bench.card.key, "Bob ") == 1


async def test_how_much_is_unread_can_be_asked_without_reading(bench):
    """Told entries after a position."""
    said_at = await said(bench, 3)
    await bench.do(TakeLease("file", 9), "ann")
    assert await bench.engine.inbox.unread_after(bench.card.key, 0) == 3
    assert await bench.engine.inbox.unread_after(bench.card.key, said_at[1]) == 1
