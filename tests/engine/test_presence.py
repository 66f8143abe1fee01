"""Who is here: from when a member last acted, on any server; never in the log."""

from contextlib import ExitStack

import pytest

from stateroom.core.messages import PostMessage
from stateroom.core.refusals import UnknownTask
from stateroom.core.tasks import MoveTask
from stateroom.engine.clock import loop_clock
from stateroom.engine.presence import ONLINE_MS, SHELVE_EVERY_MS
from stateroom.log.seam import Unavailable
from tests.engine.conftest import let_pass, running, settle, simulated, simulated_store

HI = PostMessage("hi", "all", {})


async def of(side, *names):
    return await side.engine.presence.of(side.card.key, names)


async def online(side, name="ann"):
    (presence,) = await of(side, name)
    return presence.online


async def test_whoever_acts_is_online_for_two_minutes(bench, clock):
    """To the millisecond; and afterwards it is known when it was last seen (W-34)."""
    await bench.do(HI, "ann")
    acted = clock()
    clock.advance((ONLINE_MS - 1) / 1000)
    assert await online(bench)
    clock.advance(0.001)
    (presence,) = await of(bench, "ann")
    assert (presence.online, presence.last_seen) == (False, acted)


async def test_whoever_was_never_seen_is_offline(bench):
    """And there is nothing to say about when."""
    (presence,) = await of(bench, "ghost")
    assert (presence.name, presence.online, presence.last_seen) == ("ghost", False, None)


async def test_presence_is_asked_in_any_spelling_and_in_order(bench):
    """One name is one member."""
    await bench.do(HI, "ann")
    assert [(p.name, p.online) for p in await of(bench, "bob", " ANN", "ann")] == [
        ("bob", False),
        (" ANN", True),
        ("ann", True),
    ]


async def test_presence_is_of_a_room(bench):
    """Being here is not being there."""
    other = await bench.engine.enter(bench.caller, "other")
    await bench.do(HI, "ann")
    (presence,) = await bench.engine.presence.of(other.key, ["ann"])
    assert not presence.online


async def test_a_refused_wish_is_a_sign_of_life(bench, clock):
    """It was there to ask, if it is known at all; who is not stays unknown."""
    await bench.do(HI, "ann")
    clock.advance(200)
    for name in ("ann", "ghost"):
        with pytest.raises(UnknownTask):
            await bench.do(MoveTask("T-09", "held"), name)
    assert [p.online for p in await of(bench, "ann", "ghost")] == [True, False]


async def test_a_refusal_is_said_although_the_store_fails_right_after(bench):
    """A "no" that is in hand is not lost over a sign of life."""
    await bench.do(HI, "ann")
    gate = bench.log.hold("append")
    writing = bench.doing(HI, "bob")
    await gate.reached.wait()
    refused = bench.doing(MoveTask("T-09", "held"), "ann")
    bench.engine.rooms.suspect(bench.card.key)
    bench.log.hold("read")
    gate.opened.set()
    await writing
    with pytest.raises(UnknownTask):
        await refused
    bench.log.gates.pop("read").opened.set()


async def test_looking_is_a_sign_of_life_of_who_looks(bench, clock):
    """Not of whoever is looked at (W-33), and never makes a member."""
    await bench.do(HI, "ann")
    clock.advance(200)
    await bench.engine.seen(bench.card, "bob")
    assert [p.online for p in await of(bench, "ann", "bob")] == [False, False]
    await bench.engine.seen(bench.card, "ANN")
    assert await online(bench)


async def test_arriving_makes_a_member_and_is_no_news_the_second_time(bench):
    """Known from the first sign of life on."""
    for _ in range(2):
        await bench.engine.arrive(bench.caller, bench.card, "ann")
    assert (await bench.kinds()).count("MemberJoined") == 1
    assert await online(bench)


async def test_signs_of_life_are_seen_by_other_servers(bench, other):
    """They are put on the shelf."""
    await bench.do(HI, "ann")
    await settle()
    assert await online(other)


async def test_signs_of_life_are_not_all_put_on_the_shelf(bench, clock):
    """At most one in so many seconds, so that presence costs the hot path nothing."""
    for _ in range(10):
        await bench.do(HI, "ann")
        await settle()
    assert bench.shelf.calls["put"] == 1
    clock.advance(SHELVE_EVERY_MS / 1000)
    await bench.do(HI, "ann")
    await settle()
    assert bench.shelf.calls["put"] == 2


async def test_a_sign_of_life_that_was_not_put_is_put_the_next_time(bench, other):
    """The shelf failed once; the next sign does not wait for the next quarter of a minute."""
    bench.shelf.fails = [Unavailable("no shelf")]
    await bench.do(HI, "ann")
    await settle()
    assert not await online(other)
    await bench.do(HI, "ann")
    await settle()
    assert await online(other)


async def test_leaving_beats_every_sign_of_life(bench, other):
    """Also one that is just on its way to the shelf; and coming back is being back."""
    gate = bench.shelf.hold("put")
    await bench.do(HI, "ann")
    await gate.reached.wait()
    gate.opened.set()
    await bench.engine.leave(bench.caller, bench.card, "ANN")
    for side in (bench, other):
        (presence,) = await of(side, "ann")
        assert (presence.online, presence.last_seen) == (False, None)
    await bench.do(HI, "ann")
    assert await online(bench)


async def test_leaving_is_told(bench):
    """And forgets the member."""
    await bench.do(HI, "ann")
    await bench.engine.leave(bench.caller, bench.card, "ann")
    assert (await bench.kinds())[-1] == "MemberLeft"
    assert await bench.engine.view(bench.card, lambda room: room.members.names()) == []


@simulated
async def test_the_last_signs_of_life_survive_the_server():
    """When a server stops, it puts on the shelf what it had kept for itself."""
    store = simulated_store()
    async with running(store, loop_clock) as bench:
        await bench.do(HI, "ann")
        await let_pass(10)
        await bench.do(HI, "ann")
        acted = loop_clock()
    async with running(store, loop_clock) as fresh:
        (presence,) = await of(fresh, "ann")
        assert presence.last_seen == acted


@simulated
async def test_a_server_stops_although_the_shelf_is_gone():
    """A lost sign of life is no reason to hang on."""
    async with running(simulated_store(), loop_clock) as bench:
        await bench.do(HI, "ann")
        await let_pass(1)
        await bench.do(HI, "ann")
        bench.shelf.fails = [Unavailable("no shelf")] * 5


# ------------------------------------------------------------------------------- states, leases and what was delivered


async def state(side, name="ann"):
    (presence,) = await of(side, name)
    return presence.state


@pytest.mark.parametrize(
    ("age_ms", "expected"),
    [
        (0, "online"),
        (60_000, "online"),
        (60_001, "idle"),
        (300_000, "idle"),
        (300_001, "away"),
        (10**9, "away"),
    ],
)
async def test_who_has_not_acted_is_idle_and_then_away(bench, clock, age_ms, expected):
    """To the millisecond (agent-room §8); on another clock than the two minutes of the other protocol."""
    await bench.do(HI, "ann")
    acted = clock()
    clock.advance(age_ms / 1000)
    (presence,) = await of(bench, "ann")
    assert (presence.state, presence.online, presence.last_seen) == (expected, age_ms < ONLINE_MS, acted)


async def test_whoever_was_never_seen_is_away(bench):
    """And does not listen."""
    (presence,) = await of(bench, "ghost")
    assert (presence.state, presence.listening_until) == ("away", None)


@pytest.mark.parametrize(("asked_ms", "given_ms"), [(15_000, 15_000), (60_000, 60_000), (270_000, 60_000)])
async def test_a_client_may_say_that_it_listens_for_a_minute_at_most(bench, clock, asked_ms, given_ms):
    """From outside, by asking for a lease; intent is not presence (gap 13). To the millisecond."""
    bench.engine.presence.claim(bench.card.key, "ann", clock() + asked_ms)
    (presence,) = await of(bench, "ann")
    assert (presence.state, presence.listening_until) == ("listening", clock() + given_ms)
    clock.advance((given_ms - 1) / 1000)
    assert await state(bench) == "listening"
    clock.advance(0.001)
    assert await state(bench) == ("online" if given_ms <= 60_000 else "idle")


@pytest.mark.parametrize("until_ms", [0, -5_000])
async def test_a_lease_is_given_back_by_asking_for_none(bench, clock, until_ms):
    """And that is a sign of life."""
    bench.engine.presence.claim(bench.card.key, "ann", clock() + 15_000)
    bench.engine.presence.claim(bench.card.key, "ann", clock() + until_ms)
    assert await state(bench) == "online"


async def test_acting_does_not_end_a_lease(bench, clock):
    """A client that listens in the background may speak meanwhile."""
    bench.engine.presence.claim(bench.card.key, "ann", clock() + 15_000)
    await bench.do(HI, "ann")
    assert await state(bench) == "listening"


async def test_waiting_is_listening_and_then_it_is_not(bench):
    """For as long as the context lasts, also when it ends in an error."""
    waiting = bench.engine.presence.listening(bench.card.key, "ANN")
    waiting.__enter__()
    assert await state(bench) == "listening"
    assert not waiting.__exit__(Unavailable, Unavailable("gone"), None)
    assert await state(bench) == "online"


async def test_nobody_in_particular_does_not_listen(bench):
    """Who only looks on is no member."""
    with bench.engine.presence.listening(bench.card.key, ""):
        assert await state(bench, "") == "away"


async def test_who_leaves_while_it_waits_does_not_listen(bench):
    """Leaving beats the lease, whoever still holds the line; coming back is being back."""
    with bench.engine.presence.listening(bench.card.key, "ann"):
        await bench.engine.presence.leave(bench.card.key, "ann")
        assert await state(bench) == "away"
        bench.engine.presence._renew()
        assert await state(bench) == "away"
        bench.engine.presence.stamp(bench.card.key, "ann")
        assert await state(bench) == "listening"
    assert await state(bench) == "online"


@simulated
async def test_leases_are_renewed_for_all_in_one_write():
    """Every five seconds, however many listen; none when nobody does."""
    async with running(simulated_store(), loop_clock) as bench:
        names = [f"agent {n}" for n in range(20)]
        with ExitStack() as waiting:
            for name in names:
                waiting.enter_context(bench.engine.presence.listening(bench.card.key, name))
            await let_pass(1)
            before = bench.shelf.calls["put"]
            await let_pass(20)
            assert bench.shelf.calls["put"] - before == 4
        await let_pass(10)
        before = bench.shelf.calls["put"]
        await let_pass(100)
        assert bench.shelf.calls["put"] == before


async def test_what_was_delivered_is_known_by_its_line(bench):
    """The highest; in any spelling; nothing where nothing was."""
    presence, key = bench.engine.presence, bench.card.key
    assert await presence.heard(key, "ann") == 0
    for line in (3, 7, 5):
        presence.hear(key, "Ann", line)
    assert await presence.heard(key, "ANN") == 7
    assert await presence.heard(key, "bob") == 0


@simulated
async def test_what_was_delivered_is_known_to_the_next_server():
    """It is put on the shelf with the other signs, at the latest when the server stops."""
    store = simulated_store()
    async with running(store, loop_clock) as bench:
        bench.engine.presence.hear(bench.card.key, "ann", 7)
    async with running(store, loop_clock) as fresh:
        assert await fresh.engine.presence.heard(fresh.card.key, "ann") == 7


async def test_signs_of_earlier_versions_are_read(bench, store, clock):
    """A bare instant: when somebody was seen, and nothing else."""
    await store.shelf.put({f"presence/{bench.card.key}/ann": str(clock()).encode()}, 1000)
    clock.advance(1)
    (presence,) = await of(bench, "ann")
    assert (presence.state, presence.last_seen, presence.online) == ("online", clock() - 1000, True)
    assert await bench.engine.presence.heard(bench.card.key, "ann") == 0
