"""From a wish to facts: one round trip, once per request, whoever interferes."""

import asyncio

import pytest

from stateroom.core.messages import PostMessage
from stateroom.core.refusals import RequestReused, TaskHeld
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.log.seam import Conflict, Unavailable

HI = PostMessage("hi", "all", {})


async def test_a_command_on_a_warm_room_is_one_round_trip(bench):
    """One append, no read: that is the whole cost."""
    await bench.do(HI, "ann")
    bench.log.calls.clear()
    for _ in range(10):
        await bench.do(HI, "ann")
    assert bench.log.calls == {"append": 10}


async def test_a_refusal_asks_the_store_for_nothing(bench):
    """What the rules refuse costs no round trip and leaves no entry."""
    await bench.do(OpenTask("t"), "ann")
    await bench.do(MoveTask("T-01", "held", owner="ann"), "ann")
    bench.log.calls.clear()
    with pytest.raises(TaskHeld):
        await bench.do(MoveTask("T-01", "held", owner="bob"), "bob")
    assert bench.log.calls == {}


async def test_callers_of_one_room_share_appends(bench):
    """What is decided while an append is on its way goes with the next: many callers, few appends."""
    bench.log.calls.clear()
    await asyncio.gather(*(bench.do(HI, f"agent-{n}") for n in range(50)))
    assert bench.log.calls["append"] <= 3
    assert sum(bench.log.drafts[-bench.log.calls["append"] :]) == 100, "an arrival and a message each"


async def test_a_repeated_request_has_its_effect_once(bench):
    """Same id, same wish: the same entries again, marked as replayed (W-73)."""
    first = await bench.do(HI, "ann", "r1")
    again = await bench.do(HI, "ANN ", "r1")
    assert again.replayed
    assert again.entries == first.entries
    assert not first.replayed


async def test_a_request_id_is_for_one_wish(bench):
    """Same id, another wish: refused (trap 37). Another member's same id is another request."""
    await bench.do(HI, "ann", "r1")
    with pytest.raises(RequestReused):
        await bench.do(PostMessage("other", "all", {}), "ann", "r1")
    assert not (await bench.do(HI, "bob", "r1")).replayed


async def test_a_request_is_recognised_by_another_server(bench, other):
    """The log remembers requests, so any server knows them."""
    first = await bench.do(HI, "ann", "r1")
    again = await other.do(HI, "ann", "r1")
    assert (again.replayed, again.entries) == (True, first.entries)


async def test_interference_is_nobodys_problem(bench, other):
    """Two servers race on one room: every wish succeeds, nobody sees a conflict, every entry is there."""
    await asyncio.gather(*(side.do(HI, f"{n}") for side in (bench, other) for n in range(25)))
    entries = await bench.engine.rooms.entries(bench.card.key, 0)
    assert sum(type(entry.event).__name__ == "MessagePosted" for entry in entries) == 50


async def test_a_claim_is_decided_by_the_log(bench, other):
    """Of two servers' claims of one task exactly one wins, and the loser is told who."""
    await bench.do(OpenTask("t"), "ann")
    await other.engine.view(other.card, lambda room: room.position)
    claims = [side.do(MoveTask("T-01", "held", owner=name), name) for side, name in ((bench, "ann"), (other, "bob"))]
    results = await asyncio.gather(*claims, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Outcome", "TaskHeld"]


async def test_a_conflict_is_decided_again(bench):
    """A lost race is loaded and decided again, without the caller noticing."""
    bench.log.fails = [Conflict(99, [])]
    assert (await bench.do(HI, "ann")).entries


async def test_endless_conflicts_end_in_a_sentence(bench):
    """After twenty lost races the caller is told what to do instead of waiting for ever."""
    bench.log.fails = [Conflict(99, []) for _ in range(20)]
    with pytest.raises(Unavailable, match="same request id"):
        await bench.do(HI, "ann")


async def test_a_failed_append_voids_what_was_decided_on_top_of_it(bench):
    """The store fails: its callers hear so, the state is loaded again, and the next wish is decided on the truth."""
    before = await bench.engine.view(bench.card, lambda room: room.position)
    bench.log.fails = [Unavailable("disk full")]
    results = await asyncio.gather(*(bench.do(OpenTask("t"), "ann") for _ in range(5)), return_exceptions=True)
    assert any(isinstance(result, Unavailable) for result in results)
    done = [result for result in results if not isinstance(result, Unavailable)]
    assert (await bench.do(OpenTask("t"), "ann")).entries[-1].event.task.id == f"T-{len(done) + 1:02d}"
    entries = await bench.engine.rooms.entries(bench.card.key, before)
    assert [entry.position for entry in entries] == list(range(before + 1, before + 1 + len(entries)))


async def test_a_caller_that_goes_away_takes_nobody_with_it(bench):
    """Cancelling one of several callers neither loses nor doubles what the others wished."""
    tasks = [asyncio.create_task(bench.do(OpenTask(f"t{n}"), "ann")) for n in range(10)]
    await asyncio.sleep(0)  # noqa: TID251 (one turn of the loop)
    tasks[3].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    titles = await bench.engine.view(bench.card, lambda room: [t.title for t in room.board.tasks.values()])
    assert {f"t{n}" for n in range(10) if n != 3} <= set(titles)
    assert len(titles) == len(set(titles))
