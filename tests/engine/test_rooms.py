"""Logs as this process knows them: loaded cold, kept warm, forgotten, and never taken from another life."""

import asyncio

import pytest

from stateroom.core.lobby import LOBBY
from stateroom.core.messages import PostMessage
from stateroom.core.refusals import BadCursor
from stateroom.core.room import Room, replay
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.engine import held, rooms
from stateroom.engine.rooms import snapshot_key
from stateroom.log import codec
from stateroom.log.seam import Unavailable
from tests.engine.conftest import running, settle

HI = PostMessage("hi", "all", {})


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """A snapshot every ten entries, so that a short log has some."""
    monkeypatch.setattr(rooms, "SNAPSHOT_EVERY", 10)


async def busy(bench, count=24):
    """Some history; afterwards the last snapshot is a little behind the log's end."""
    await bench.do(OpenTask("t"), "ann")
    for n in range(count):
        await bench.do(MoveTask("T-01", "open", note=f"note {n}"), "ann")
    await settle()


async def truth(bench):
    return codec.encode_state(replay(await bench.stored(), Room()))


# -- cold


async def test_a_cold_load_reads_a_snapshot_and_a_tail(bench, store, clock):
    """And ends exactly where a full replay does, to the last byte."""
    await busy(bench)
    async with running(store, clock) as fresh:
        assert await fresh.encoded() == await truth(bench)
        state = await fresh.engine.rooms.hold(fresh.card.key)
        assert state.recent(20, 1) is not None, "the tail was read"
        assert state.recent(19, 1) is None, "what came before was not"


async def test_a_room_goes_on_from_a_snapshot(bench, store, clock):
    """New facts follow on what was loaded."""
    await busy(bench)
    async with running(store, clock) as fresh:
        assert (await fresh.do(OpenTask("next"), "ann")).entries[-1].event.task.id == "T-02"
        assert await fresh.encoded() == await truth(bench)


@pytest.mark.parametrize(
    "spoil",
    [lambda s: b"0" * 16 + s[16:], lambda s: s[:-9], lambda s: b"garbage", lambda s: b"", lambda s: s[:17] + b"{}"],
    ids=["another shape", "cut off", "garbage", "empty", "hollow"],
)
async def test_a_useless_snapshot_costs_time_and_nothing_else(bench, store, clock, spoil):
    """Of other rules, broken, or of nothing: the whole log is read instead."""
    await busy(bench)
    name = snapshot_key(bench.card.key)
    await store.shelf.put({name: spoil((await store.shelf.get([name]))[name])}, 60)
    async with running(store, clock) as fresh:
        assert await fresh.encoded() == await truth(bench)


@pytest.mark.parametrize("longer", [False, True])
async def test_a_snapshot_of_an_earlier_life_is_not_believed(bench, store, clock, longer):
    """The room was dropped and begun again, and the old snapshot lies there still, whichever life is longer."""
    await busy(bench)
    old = await store.shelf.get([snapshot_key(bench.card.key)])
    await store.log.drop(bench.card.key)
    clock.advance(1)
    async with running(store, clock) as fresh:
        for _ in range(30 if longer else 1):
            await fresh.do(HI, "bob")
        await settle()
    await store.shelf.put(old, 60)
    async with running(store, clock) as again:
        assert await again.encoded() == await truth(again)
        assert await again.engine.view(again.card, lambda room: len(room.board.tasks)) == 0


async def test_a_load_that_fails_is_tried_again(bench, store, clock):
    """The store does not answer: whoever asks is told, and the next one loads."""
    await busy(bench)
    bench.engine.rooms._held.clear()
    bench.log._part, log = None, bench.log._part  # nothing can be read any more
    with pytest.raises(AttributeError):
        await bench.encoded()
    bench.log._part = log
    assert await bench.encoded() == await truth(bench)


async def test_a_crowd_loads_a_cold_room_once(bench):
    """Everybody waits for the same load."""
    await busy(bench)
    bench.engine.rooms._held.clear()
    bench.shelf.calls.clear()
    await asyncio.gather(*(bench.encoded() for _ in range(50)))
    assert bench.shelf.calls["get"] == 1


async def test_small_pages_are_read_to_the_end(bench, store, clock):
    """A store may give fewer records than it is asked for; then it is asked again."""
    await busy(bench)
    bench.engine.rooms._held.clear()
    bench.log.page = 1
    assert await bench.encoded() == await truth(bench)
    assert await bench.engine.rooms.entries(bench.card.key, 0) == await bench.stored()
    assert [entry.position for entry in await bench.engine.rooms.entries(bench.card.key, 3, 4)] == [4, 5, 6, 7]


# -- warm


async def test_a_snapshot_is_taken_now_and_then(bench, store):
    """Every so many entries, and never of what is not durable yet."""
    await busy(bench, 5)
    assert await store.shelf.get([snapshot_key(bench.card.key)]) == {}
    await busy(bench, 5)
    (snapshot,) = (await store.shelf.get([snapshot_key(bench.card.key)])).values()
    assert codec.decode_state(snapshot, Room).position == 10


async def test_a_snapshot_that_cannot_be_taken_is_no_trouble(bench):
    """It costs time later, never a fact now."""
    bench.shelf.fails = [Unavailable("no shelf")] * 5
    await busy(bench)
    assert await bench.encoded() == await truth(bench)


async def test_rooms_that_nobody_asks_for_are_forgotten(bench, monkeypatch):
    """The least recently used first, the lobby never; they come back when they are asked for."""
    monkeypatch.setattr(rooms, "HELD_ROOMS", 3)
    cards = [await bench.engine.enter(bench.caller, f"room-{n}") for n in range(5)]
    kept = bench.engine.rooms._held
    assert set(kept) == {LOBBY, cards[3].key, cards[4].key}
    await bench.encoded()
    assert set(kept) == {LOBBY, cards[4].key, bench.card.key}
    for n, card in enumerate(cards):
        assert await bench.engine.view(card, lambda room: room.lifecycle.room_id) == f"room-{n}"
    assert set(kept) == {LOBBY, cards[3].key, cards[4].key}


async def test_a_room_with_something_on_its_way_is_not_forgotten(bench, monkeypatch):
    """Its callers wait for it."""
    monkeypatch.setattr(rooms, "HELD_ROOMS", 2)
    gate = bench.log.hold("append")
    doing = bench.doing(OpenTask("t"), "ann")
    await gate.reached.wait()
    bench.log.gates.clear()
    for n in range(4):
        await bench.engine.enter(bench.caller, f"room-{n}")
    assert bench.card.key in bench.engine.rooms._held
    gate.opened.set()
    assert (await doing).entries
    assert await bench.encoded() == await truth(bench)


async def test_a_room_that_is_being_loaded_is_not_forgotten(bench, monkeypatch):
    """Otherwise it would soon be there twice, each of the two unaware of what the other decides."""
    monkeypatch.setattr(rooms, "HELD_ROOMS", 1)
    bench.engine.rooms._held.clear()
    gate = bench.log.hold("read")
    doing = bench.doing(OpenTask("t"), "ann")
    await gate.reached.wait()
    bench.log.gates.clear()
    for n in range(4):
        await bench.engine.enter(bench.caller, f"room-{n}")
    loading = bench.engine.rooms._held[bench.card.key]
    gate.opened.set()
    await doing
    assert bench.engine.rooms._held[bench.card.key] is loading


async def test_what_another_server_writes_is_heard(bench, other):
    """A hint that says more than we know makes us look; one that does not, costs nothing."""
    await bench.do(HI, "ann")
    await settle()
    assert await other.encoded() == await truth(bench)
    other.log.calls.clear()
    bench.log.calls.clear()
    for side in (bench, other):
        await side.encoded()
    assert bench.log.calls == other.log.calls == {}


async def test_after_a_gap_in_the_hints_everything_is_looked_at_again(bench, other):
    """`None` means that something may have been missed."""
    other.engine.rooms._hear = lambda hint: None  # deaf
    await bench.do(HI, "ann")
    await settle()
    assert await other.encoded() != await truth(bench)
    del other.engine.rooms._hear
    other.engine.rooms._hear(None)
    assert await other.encoded() == await truth(bench)


async def test_a_room_made_at_one_server_is_found_at_another(bench, other):
    """By its id and by any spelling of its code, also when the hint is still on its way."""
    other.engine.rooms._hear = lambda hint: None
    card = await bench.engine.enter(bench.caller, "new-room")
    for name in ("new-room", card.code, card.code.lower().replace("-", "")):
        assert await other.engine.find(other.caller, name) == card
    assert await other.engine.enter(other.caller, "new-room") == card
    assert await bench.engine.rooms.view(LOBBY, lambda lobby: len(lobby.rooms)) == 2


async def test_a_room_entered_at_two_servers_at_once_is_one_room(bench, other):
    """Made once, opened once, with one code."""
    sides = [side for _ in range(5) for side in (bench, other)]
    cards = await asyncio.gather(*(side.engine.enter(side.caller, "new-room") for side in sides))
    assert len(set(cards)) == 1
    records = codec.decode_all(await bench.store.log.read(cards[0].key, 0))
    assert [type(entry.event).__name__ for entry in records] == ["RoomOpened"]


# -- another life


async def test_a_dropped_room_is_heard_of(bench, other, clock):
    """Nobody goes on showing what is no more."""
    await busy(bench)
    clock.advance(1)
    await other.engine.rooms.forget(other.card.key)
    await settle()
    for side in (bench, other):
        assert await side.engine.view(side.card, lambda room: room.position) == 0


async def test_a_dropped_room_is_noticed_although_the_hint_was_lost(bench, other, clock):
    """After the gap we look, and what we knew is not there any more.

    The old life was once shown for ever, since nothing came after its end.
    """
    await busy(bench)
    await other.encoded()
    other.engine.rooms._hear = lambda hint: None  # deaf
    await bench.engine.rooms.forget(bench.card.key)
    clock.advance(1)
    await bench.do(HI, "bob")
    await settle()
    del other.engine.rooms._hear
    other.engine.rooms._hear(None)
    assert await other.encoded() == await truth(bench)


async def test_forgetting_a_room_forgets_its_snapshot(bench, store):
    """Nothing of it is left."""
    await busy(bench)
    await bench.engine.rooms.forget(bench.card.key)
    assert await store.shelf.get([snapshot_key(bench.card.key)]) == {}
    assert await bench.stored() == []


async def test_who_waits_in_a_dropped_room_is_let_go(bench, other, clock):
    """An append that is on its way when the room is dropped lands in the next life, or is decided again there."""
    gate = bench.log.hold("append")
    doing = bench.doing(OpenTask("t"), "ann")
    await gate.reached.wait()
    await other.engine.rooms.forget(other.card.key)
    clock.advance(1)
    await settle()
    gate.opened.set()
    assert (await doing).entries[-1].event.task.id == "T-01"
    assert await bench.encoded() == await truth(bench)


# -- pages


@pytest.mark.parametrize("after", [-1, 10_000])
async def test_a_cursor_outside_the_log_is_an_error_with_the_valid_range(bench, after):
    """Never a silent replay, never a silent wait (design §6)."""
    with pytest.raises(BadCursor, match="valid positions are 0 to 1"):
        await bench.engine.rooms.entries(bench.card.key, after)


async def test_the_end_of_a_log_is_inside_it(bench):
    """Nothing follows there yet."""
    assert await bench.engine.rooms.entries(bench.card.key, 1) == []
    assert len(await bench.engine.rooms.entries(bench.card.key, 0)) == 1


async def test_entries_at_hand_cost_no_round_trip(bench):
    """New ones are in memory; old ones are read."""
    await busy(bench)
    bench.log.calls.clear()
    assert await bench.engine.rooms.entries(bench.card.key, 5, 3) == (await bench.stored())[5:8]
    assert bench.log.calls == {}


async def test_the_newest_entries_are_at_hand_and_old_ones_are_let_go(bench, monkeypatch):
    """Memory is bounded, and followers of a busy room never ask the store."""
    monkeypatch.setattr(held, "RECENT_KEPT", 4)
    state = await bench.engine.rooms.hold(bench.card.key)
    await bench.do(HI, "ann")
    for _ in range(50):
        (entry,) = (await bench.do(HI, "ann")).entries
        assert len(state._recent) <= 2 * 4
        assert state.recent(entry.position - 4, 4) == (await bench.stored())[-4:] or entry.position < 6


async def test_what_is_on_its_way_is_not_read(bench):
    """An entry can be read once it is durable, and not before."""
    gate = bench.log.hold("append")
    doing = bench.doing(HI, "ann")
    await gate.reached.wait()
    assert await bench.engine.rooms.entries(bench.card.key, 1) == []
    assert len(await bench.engine.rooms.entries(bench.card.key, 0)) == 1
    gate.opened.set()
    await doing
    assert len(await bench.engine.rooms.entries(bench.card.key, 1)) == 2


async def test_what_lands_first_is_read_first(bench):
    """An append that has landed says nothing about the next one, which is on its way still."""
    first_gate = bench.log.hold("append")
    first = bench.doing(HI, "ann")
    await first_gate.reached.wait()
    second_gate, second = bench.log.hold("append"), bench.doing(HI, "ann")
    first_gate.opened.set()
    await first
    await second_gate.reached.wait()
    looking = asyncio.create_task(bench.engine.view(bench.card, lambda room: room.position))
    await settle()
    assert len(await bench.engine.rooms.entries(bench.card.key, 0)) == 3
    assert not looking.done()
    second_gate.opened.set()
    assert await looking == (await second).entries[-1].position == 4


@pytest.mark.parametrize("busy_here", [False, True])
async def test_a_cursor_another_server_gave_out_is_valid_here(bench, other, busy_here):
    """A position we have not heard of yet is looked up before it is refused, also while we write ourselves."""
    other.engine.rooms._hear = lambda hint: None  # its hints are late
    for _ in range(5):
        await bench.do(HI, "ann")
    position = (await bench.stored())[-1].position
    doing = None
    if busy_here:
        gate = other.log.hold("append")
        doing = other.doing(HI, "bob")
        await gate.reached.wait()
        asyncio.get_running_loop().call_soon(gate.opened.set)
    found = await other.engine.rooms.entries(other.card.key, position)
    assert found == (await bench.stored())[position:][: len(found)]
    if doing:
        await doing
