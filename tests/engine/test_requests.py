"""Requests that carry an id: their effect happens once, however often and wherever they are repeated (W-73)."""

import asyncio

import pytest

from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.messages import MarkRead, PostMessage, WithdrawMessage
from stateroom.core.refusals import RequestReused, TooLong, UnknownTask
from stateroom.core.tasks import OpenTask, RemoveTask
from stateroom.engine.execute import Wish, fingerprint
from stateroom.log.seam import Unavailable
from tests.engine.conftest import settle

HI = PostMessage("hi", "all", {})
DOWN = Unavailable("disk full")


async def test_a_repeated_request_has_its_effect_once(bench):
    """Same id, same wish: the same entries again, marked as replayed (W-73)."""
    first = await bench.do(HI, "ann", "r1")
    again = await bench.do(HI, "ANN ", "r1")
    assert (again.replayed, first.replayed) == (True, False)
    assert again.entries == first.entries
    assert (await bench.kinds()).count("MessagePosted") == 1


async def test_without_a_request_id_every_call_is_a_new_wish(bench):
    """Nobody guesses that two equal wishes are one."""
    await bench.do(HI, "ann")
    assert not (await bench.do(HI, "ann")).replayed


async def test_a_request_id_is_for_one_wish_of_one_member(bench):
    """Same id, another wish: refused, and nothing happens (trap 37). Another member's id is its own."""
    await bench.do(HI, "ann", "r1")
    for other in (PostMessage("other", "all", {}), OpenTask("hi")):
        with pytest.raises(RequestReused, match="r1"):
            await bench.do(other, "ann", "r1")
    await bench.do(MarkRead(3), "ann", "r2")
    with pytest.raises(RequestReused, match="r2"):
        await bench.do(WithdrawMessage(3), "ann", "r2")  # the same words, another verb
    assert not (await bench.do(HI, "bob", "r1")).replayed
    assert (await bench.kinds()).count("TaskOpened") == 0


async def test_the_order_of_keys_is_no_other_wish(bench):
    """A client that writes its payload anew may write it in another order."""
    await bench.do(PostMessage("hi", "all", {"a": 1, "b": 2}), "ann", "r1")
    assert (await bench.do(PostMessage("hi", "all", {"b": 2, "a": 1}), "ann", "r1")).replayed


async def test_a_request_that_was_refused_may_be_made_again(bench):
    """A refusal is no effect: the same request may succeed later."""
    with pytest.raises(UnknownTask):
        await bench.do(RemoveTask("T-01"), "ann", "r1")
    await bench.do(OpenTask("t"), "ann")
    assert not (await bench.do(RemoveTask("T-01"), "ann", "r1")).replayed


async def test_a_request_is_recognised_by_another_server(bench, other):
    """The log remembers requests, so any server knows them, also when it reads in small pages."""
    first = await bench.do(HI, "ann", "r1")
    other.log.page = 1
    again = await other.do(HI, "ann", "r1")
    assert (again.replayed, again.entries) == (True, first.entries)


async def test_an_old_request_is_answered_whole(bench, store, clock):
    """Entries that are no longer at hand are read from the store, however few it gives at a time."""
    first = await bench.do(HI, "ann", "r1")
    held = await bench.engine.rooms.hold(bench.card.key)
    held._recent.clear()
    bench.log.page = 1
    assert (await bench.do(HI, "ann", "r1")).entries == first.entries
    assert len(first.entries) == 2


async def test_a_request_finds_out_what_became_of_its_lost_answer(bench):
    """The store did it and did not say so: repeating the request finds it done."""
    bench.log.lost = [DOWN]
    with pytest.raises(Unavailable):
        await bench.do(HI, "ann", "r1")
    assert (await bench.do(HI, "ann", "r1")).replayed
    assert (await bench.kinds()).count("MessagePosted") == 1


async def test_one_request_sent_twice_at_once_is_one(bench):
    """The second waits for the first, and both get its entries."""
    gate = bench.log.hold("append")
    first, second = bench.doing(HI, "ann", "r1"), bench.doing(HI, "ann", "r1")
    await gate.reached.wait()
    await settle()
    assert not second.done()
    gate.opened.set()
    assert ((await second).replayed, (await second).entries) == (True, (await first).entries)


async def test_one_request_sent_twice_survives_a_conflict(bench, other):
    """Where the first of the two lands elsewhere than foreseen, the second is still answered with its entries.

    It was once answered with whatever another server had written in the foreseen place.
    """
    gate = bench.log.hold("append")
    both = bench.doing(OpenTask("mine"), "ann", "r1"), bench.doing(OpenTask("mine"), "ann", "r1")
    await gate.reached.wait()
    await settle()
    await other.do(OpenTask("theirs"), "bob")
    gate.opened.set()
    first, second = await asyncio.gather(*both)
    assert first.entries == second.entries
    assert [entry.event.task.title for entry in second.entries if hasattr(entry.event, "task")] == ["mine"]
    assert sorted([first.replayed, second.replayed]) == [False, True]


async def test_a_request_id_has_a_limit(bench):
    """It is kept with the entries."""
    assert (await bench.do(HI, "ann", "x" * 128)).entries
    with pytest.raises(TooLong, match="request_id is too long"):
        await bench.do(HI, "ann", "x" * 129)


def test_a_wish_names_its_request_by_member():
    """In whatever spelling the member's name comes; without a request id there is no cause."""
    assert Wish(HI, "Ann ", request_id="r#1").request() == "ann/r#1"
    assert Wish(HI, "ann").cause() == ""
    assert fingerprint(ReleaseLease("a")) != fingerprint(TakeLease("a", 1))
