"""From a wish to facts: one round trip, once per request, whoever interferes."""

import asyncio
from contextlib import suppress

import pytest

from stateroom.core.leases import TakeLease
from stateroom.core.messages import PostMessage
from stateroom.core.refusals import LeaseHeld, TaskHeld
from stateroom.core.room import Room, replay
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.engine.execute import ATTEMPTS, BATCH, fingerprint
from stateroom.log import codec
from stateroom.log.seam import Conflict, Unavailable
from tests.engine.conftest import running, settle

HI = PostMessage("hi", "all", {})
DOWN = Unavailable("disk full")


async def test_a_command_on_a_warm_room_is_one_round_trip(bench):
    """One append, no read: that is the whole cost."""
    await bench.do(HI, "ann")
    await settle()  # ann has been seen, and that is put on the shelf once in a while
    bench.log.calls.clear()
    bench.shelf.calls.clear()
    for _ in range(10):
        await bench.do(HI, "ann")
    assert (bench.log.calls, bench.shelf.calls) == ({"append": 10}, {})


async def test_what_changes_nothing_asks_the_store_for_nothing(bench):
    """Neither a refusal, nor a wish that is fulfilled already, nor a repeated request."""
    await bench.do(OpenTask("t"), "ann", "r1")
    await bench.do(MoveTask("T-01", "held", owner="ann"), "ann")
    bench.log.calls.clear()
    with pytest.raises(TaskHeld):
        await bench.do(MoveTask("T-01", "held", owner="bob"), "bob")
    assert (await bench.do(MoveTask("T-01", "held"), "ann")).entries == []
    assert (await bench.do(OpenTask("t"), "ann", "r1")).replayed
    assert bench.log.calls == {}


async def test_the_entries_of_an_answer_are_those_of_the_log(bench):
    """Positions, lines, times and origins are what the store has assigned; a scene would make the same."""
    outcome = await bench.do(HI, "ann", "r1")
    assert outcome.entries == (await bench.stored())[-2:]
    assert [entry.cause for entry in outcome.entries] == [f"ann/r1#{fingerprint(HI)}"] * 2
    assert {(entry.by, entry.via) for entry in outcome.entries} == {("ann", "open")}


async def test_time_never_runs_backwards_in_a_log(bench, clock):
    """A clock that is set back does not move anything that is decided before what was decided already."""
    (_, first) = (await bench.do(HI, "ann")).entries
    clock.advance(-3600)
    (second,) = (await bench.do(HI, "ann")).entries
    assert second.at == first.at


# -- in one process: commands run ahead of the store


async def test_commands_of_one_room_are_on_their_way_together(bench):
    """What is decided while an append is on its way goes with the next one, and each is answered with its own."""
    gate = bench.log.hold("append")
    asked = [bench.doing(OpenTask("t0"), "ann")]
    await gate.reached.wait()
    asked += [bench.doing(OpenTask(f"t{n}"), "ann") for n in range(1, 20)]
    await settle()
    assert not any(task.done() for task in asked), "nothing is answered before it is durable"
    bench.log.drafts.clear()
    gate.opened.set()
    outcomes = await asyncio.gather(*asked)
    assert bench.log.drafts == [19], "the other nineteen share one append"
    assert [outcome.entries[-1].event.task.title for outcome in outcomes] == [f"t{n}" for n in range(20)]
    assert [entry for outcome in outcomes for entry in outcome.entries] == (await bench.stored())[1:]


async def test_no_append_is_boundless(bench):
    """A crowd is served in batches."""
    await bench.do(HI, "ann")
    bench.log.drafts.clear()
    await asyncio.gather(*(bench.do(HI, "ann") for _ in range(2 * BATCH + 1)))
    assert bench.log.drafts == [BATCH, BATCH, 1]


async def test_a_view_waits_for_what_it_rests_on(bench):
    """What has run ahead is shown to nobody before it is durable."""
    gate = bench.log.hold("append")
    doing = bench.doing(OpenTask("t"), "ann")
    await gate.reached.wait()
    looking = asyncio.create_task(bench.engine.view(bench.card, lambda room: len(room.board.tasks)))
    await settle()
    assert not looking.done()
    gate.opened.set()
    assert (await looking, len((await doing).entries)) == (1, 2)


async def test_a_refusal_waits_for_what_it_rests_on(bench):
    """A "no" that rests on a claim still on its way is not said before that claim is durable.

    It was once said at once; when the claim then failed, its loser had been refused for nothing.
    """
    await bench.do(OpenTask("t"), "cyn")
    gate = bench.log.hold("append")
    bench.log.fails = [DOWN]
    claiming = bench.doing(MoveTask("T-01", "held"), "ann")
    await gate.reached.wait()
    losing = bench.doing(MoveTask("T-01", "held", owner="bob"), "bob")
    await settle()
    assert not losing.done()
    gate.opened.set()
    with pytest.raises(Unavailable):
        await claiming
    assert (await losing).entries[-1].event.task.owner == "bob"


async def test_nothing_to_do_waits_for_what_it_rests_on(bench):
    """Who is told that all is as it wished, is told so when it is."""
    gate = bench.log.hold("append")
    taking = bench.doing(TakeLease("file", 30), "ann")
    await gate.reached.wait()
    again = bench.doing(TakeLease("file", 30), "ann")
    await settle()
    assert not again.done()
    gate.opened.set()
    assert ((await again).entries, len((await taking).entries)) == ([], 2)


async def test_a_refusal_that_rests_on_what_is_durable_is_final(bench):
    """As soon as the claim before it has landed."""
    gate = bench.log.hold("append")
    claiming = bench.doing(TakeLease("file", 30), "ann")
    await gate.reached.wait()
    losing = bench.doing(TakeLease("file", 30), "bob")
    gate.opened.set()
    await claiming
    with pytest.raises(LeaseHeld, match="held by ann"):
        await losing


@pytest.mark.parametrize("happened", [False, True])
async def test_a_failed_append_voids_what_was_decided_on_top_of_it(bench, happened):
    """Its callers hear of it, everybody behind them decides again, and the room is what the log says.

    An append whose answer was lost has happened all the same; then it is found when the log is read again.
    """
    gate = bench.log.hold("append")
    (bench.log.lost if happened else bench.log.fails).append(DOWN)
    first = bench.doing(OpenTask("first"), "ann")
    await gate.reached.wait()
    others = [bench.doing(OpenTask(f"t{n}"), "ann") for n in range(4)]
    await settle()
    gate.opened.set()
    with pytest.raises(Unavailable, match="disk full"):
        await first
    await asyncio.gather(*others)
    titles = await bench.engine.view(bench.card, lambda room: [task.title for task in room.board.tasks.values()])
    assert titles == ["first"] * happened + ["t0", "t1", "t2", "t3"]
    assert await bench.encoded() == codec.encode_state(replay(await bench.stored(), Room()))


async def test_a_caller_that_goes_away_takes_nobody_with_it(bench):
    """Whoever is cancelled, wherever its wish has got to: what was decided happens once, and the room is intact."""
    gate = bench.log.hold("append")
    asked = [bench.doing(OpenTask(f"t{n}"), "ann") for n in range(10)]
    await gate.reached.wait()
    await settle()
    for gone in (0, 3, 9):  # in the append on its way, and in the one behind it
        asked[gone].cancel()
    await settle()
    gate.opened.set()
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert [n for n, result in enumerate(results) if isinstance(result, asyncio.CancelledError)] == [0, 3, 9]
    assert (await bench.do(OpenTask("next"), "ann")).entries[-1].event.task.id == "T-11"
    assert await bench.encoded() == codec.encode_state(replay(await bench.stored(), Room()))


async def test_a_caller_that_goes_away_before_anything_was_decided_leaves_no_trace(bench, store, clock):
    """Cancelled while its room is still being loaded."""
    bench.engine.rooms._held.clear()
    gate = bench.log.hold("read")
    doing = bench.doing(OpenTask("t"), "ann")
    await gate.reached.wait()
    doing.cancel()
    gate.opened.set()
    await asyncio.gather(doing, return_exceptions=True)
    assert "TaskOpened" not in await bench.kinds()
    assert (await bench.do(OpenTask("t"), "ann")).entries[-1].event.task.id == "T-01"


@pytest.mark.parametrize("fails", [False, True])
async def test_a_server_that_stops_finishes_what_it_has_begun(store, clock, fails):
    """Also when it stops because something went wrong: what was decided arrives, and its snapshot with it."""
    with suppress(ZeroDivisionError):
        async with running(store, clock) as bench:
            gate = bench.log.hold("append")
            doing = bench.doing(OpenTask("t"), "ann")
            await gate.reached.wait()
            asyncio.get_running_loop().call_soon(gate.opened.set)
            if fails:
                raise ZeroDivisionError
    assert (await doing).entries
    assert (await bench.kinds())[-1] == "TaskOpened"


async def test_what_cannot_be_stored_is_nobody_elses_trouble(bench, monkeypatch):
    """A fault of ours in one wish is raised to its caller, and the room goes on."""
    monkeypatch.setattr(codec, "encode", lambda event, stamp=None: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await bench.do(HI, "ann")
    monkeypatch.undo()
    assert (await bench.do(HI, "ann")).entries


# -- among several processes


async def test_interference_is_nobodys_problem(bench, other):
    """Two servers race on one room: every wish succeeds, nobody sees a conflict, every entry is there once."""
    sides = [side for _ in range(25) for side in (bench, other)]
    await asyncio.gather(*(side.do(OpenTask(f"t{n}"), f"{n}") for n, side in enumerate(sides)))
    titles = [entry.event.task.title for entry in await bench.stored() if hasattr(entry.event, "task")]
    assert sorted(titles) == sorted(f"t{n}" for n in range(50))
    for side in (bench, other):
        side.engine.rooms.suspect(side.card.key)
        assert await side.encoded() == codec.encode_state(replay(await bench.stored(), Room()))


async def test_a_claim_is_decided_by_the_log(bench, other):
    """Of two servers' claims of one task exactly one wins, and the loser is told who."""
    await bench.do(OpenTask("t"), "ann")
    await other.engine.view(other.card, lambda room: room.position)
    claims = [side.do(MoveTask("T-01", "held", owner=name), name) for side, name in ((bench, "ann"), (other, "bob"))]
    results = await asyncio.gather(*claims, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Outcome", "TaskHeld"]


async def test_a_conflict_is_decided_again(bench, other):
    """With what the other has written: a lost race is loaded and decided anew, without the caller noticing."""
    gate = bench.log.hold("append")
    doing = bench.doing(OpenTask("mine"), "ann")
    await gate.reached.wait()
    await other.do(OpenTask("theirs"), "bob")
    gate.opened.set()
    assert (await doing).entries[-1].event.task.id == "T-02"
    assert bench.log.calls["append"] == 2 + 2, "opening the room, and two tries"


async def test_a_wish_that_is_void_after_a_conflict_is_refused(bench, other):
    """What was right when it was decided may be wrong in the world it lands in."""
    await bench.do(OpenTask("t"), "ann")
    gate = bench.log.hold("append")
    doing = bench.doing(MoveTask("T-01", "held", owner="ann"), "ann")
    await gate.reached.wait()
    await other.do(MoveTask("T-01", "held", owner="bob"), "bob")
    gate.opened.set()
    with pytest.raises(TaskHeld, match="bob has held it"):
        await doing


async def test_endless_conflicts_end_in_a_sentence(bench):
    """After twenty lost races the caller is told what to do instead of waiting for ever."""
    bench.log.fails = [Conflict(99, []) for _ in range(ATTEMPTS - 1)]
    assert (await bench.do(HI, "ann")).entries
    bench.log.fails = [Conflict(99, []) for _ in range(ATTEMPTS)]
    with pytest.raises(Unavailable, match="same request id"):
        await bench.do(HI, "ann")
    assert bench.log.fails == []


async def test_what_was_done_is_answered_although_the_store_fails_right_after(bench):
    """An answer that is in hand is not lost over what the server wants to know for itself."""
    gate = bench.log.hold("append")
    doing = bench.doing(TakeLease("file", 30), "ann")
    await gate.reached.wait()
    bench.engine.rooms.suspect(bench.card.key)
    bench.log.hold("read")
    gate.opened.set()
    await settle()
    assert doing.done()
    bench.log.gates["read"].opened.set()
