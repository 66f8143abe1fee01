"""Waiting for what is said next: what wakes, what is held, and what ends the wait at once."""

import asyncio
from inspect import Signature, signature

import pytest

from stateroom.core.lifecycle import EndRoom, ReactivateRoom
from stateroom.core.messages import MessageRead, PostMessage
from stateroom.core.refusals import BadCursor, NotParticipant
from stateroom.core.seats import MuteMember
from stateroom.core.turns import Timeouts
from stateroom.engine.clock import loop_clock
from stateroom.engine.listening import Listen, listen
from stateroom.log import codec
from stateroom.log.seam import Stamp
from tests.engine.conftest import let_pass, settle, simulated, simulated_store
from tests.engine.talks import another, parlour


def started(talk, since=0, name="ann", **more):
    """Somebody begins to listen."""
    return asyncio.create_task(listen(talk.engine, talk.card, Listen(since, name, **more)))


def lines(heard):
    return [entry.line for entry in heard.transcript.entries]


def room_of(*agents):
    """A test in simulated time, with these agents in a room."""

    def made(test):
        async def in_a_room(**given):
            async with parlour(simulated_store(), loop_clock, *agents) as talk:
                await test(talk, **given)

        given = [one for one in signature(test).parameters.values() if one.name != "talk"]
        in_a_room.__name__, in_a_room.__doc__ = test.__name__, test.__doc__
        in_a_room.__signature__ = Signature(given)
        return simulated(in_a_room)

    return made


async def total(talk):
    return await talk.engine.view(talk.card, lambda room: room.lines)


# --------------------------------------------------------------------------------------------------------- what wakes


@room_of("ann", "bob")
async def test_what_is_there_is_heard_at_once(talk):
    """All of it after the cursor, one's own lines among the others'."""
    for name in ("bob", "ann", "bob"):
        await talk.say(name)
    heard = await started(talk, 1)
    assert (lines(heard), heard.timed_out, heard.terminated) == ([2, 3], False, "")


@room_of("ann", "bob")
async def test_what_is_said_next_wakes(talk):
    """Without delay, with its line."""
    waiting = started(talk)
    await let_pass(10)
    assert not waiting.done()
    await talk.say("bob")
    before = loop_clock()
    assert (lines(await waiting), loop_clock()) == ([1], before)


@room_of("ann", "bob")
async def test_silence_ends_with_the_time(talk):
    """25 s or as asked; nothing was said, the cursor stays."""
    before = loop_clock()
    heard = await started(talk, timeout_s=3)
    assert (heard.timed_out, lines(heard), heard.transcript.cursor) == (True, [], 0)
    assert 3_000 <= loop_clock() - before < 3_100


@room_of("ann", "bob")
async def test_no_time_at_all_is_a_look(talk):
    """A hook asks so: what there is, or that there is nothing."""
    before = loop_clock()
    assert (await started(talk, timeout_s=0)).timed_out
    await talk.say("bob")
    assert lines(await started(talk, timeout_s=0)) == [1]
    assert loop_clock() == before


@room_of("ann", "bob")
async def test_ones_own_lines_do_not_wake(talk):
    """They come with the others', or when the time is over."""
    waiting = started(talk, timeout_s=20)
    await talk.say("ann")
    await let_pass(5)
    assert not waiting.done()
    await talk.say("bob")
    assert lines(await waiting) == [1, 2]
    await talk.say("ann")
    heard = await started(talk, 2, timeout_s=1)
    assert (heard.timed_out, lines(heard)) == (True, [3])


@room_of("ann", "bob")
async def test_lines_of_nobody_wake(talk):
    """What the host's key or the server does is news to everybody."""
    waiting = started(talk)
    await settle()
    await talk.set_mode("sequential")
    assert lines(await waiting) == [1]


@room_of("ann", "bob", "cyn")
async def test_only_what_is_addressed_wakes_who_asks_for_that(talk):
    """The others are held, and come together with it; nothing is lost (agent-room §7.3)."""
    waiting = started(talk, wake_on="addressed", timeout_s=60)
    for _ in range(3):
        await talk.say("bob", "to nobody")
        await let_pass(5)
    assert not waiting.done()
    await talk.say("cyn", "@ann?")
    heard = await waiting
    assert (lines(heard), heard.timed_out) == ([1, 2, 3, 4], False)


@room_of("ann", "bob", "cyn")
async def test_held_lines_come_when_the_time_is_over(talk):
    """All of them, and the cursor moves the same."""
    waiting = started(talk, wake_on="addressed", timeout_s=10)
    await talk.say("bob", "to nobody")
    heard = await waiting
    assert (lines(heard), heard.timed_out, heard.transcript.cursor) == ([1], True, 1)


@room_of("ann", "bob")
async def test_who_only_looks_on_is_woken_by_everything(talk):
    """It has no name, so no lines of its own, and nobody hears of it."""
    waiting = started(talk, name="", wake_on="addressed")
    await talk.say("ann")
    assert lines(await waiting) == [1]
    assert not (await presence(talk, "")).online


@room_of("ann", "bob")
async def test_entries_that_are_no_lines_do_not_wake(talk):
    """A seat is none."""
    waiting = started(talk, timeout_s=10)
    await talk.join("cyn")
    await let_pass(1)
    assert not waiting.done()
    assert (await waiting).timed_out


@room_of("ann", "bob")
async def test_a_line_behind_a_thousand_receipts_wakes(talk):
    """One read of the log does not reach it. It once went unheard until the time was over."""
    await talk.say("bob")
    waiting = started(talk, 1, timeout_s=50)
    await settle()
    log, key = talk.engine.store.log, talk.card.key
    for _ in range(2):
        size = len(await log.read(key, 0, 10**6))
        drafts = [codec.encode(MessageRead(1)) for _ in range(700)]
        await log.append(key, size, drafts, Stamp("bob", "other", "", loop_clock()))
    await let_pass(1)
    await talk.say("bob")
    await settle()
    assert waiting.done()
    assert lines(await waiting) == [2]


@pytest.mark.parametrize("count", [2, 5])
@room_of("ann", "bob")
async def test_several_listeners_of_one_member_all_hear(talk, count):
    """Two sessions, two cursors: neither takes the other's lines."""
    waiting = [started(talk) for _ in range(count)]
    await settle()
    await talk.say("bob")
    assert [lines(heard) for heard in await asyncio.gather(*waiting)] == [[1]] * count


@room_of("ann", "bob")
async def test_a_limit_leaves_the_rest_for_the_next_call(talk):
    """The cursor says from where."""
    for _ in range(5):
        await talk.say("bob")
    heard = await started(talk, limit=2)
    assert (lines(heard), heard.transcript.cursor, heard.transcript.total) == ([1, 2], 2, 5)
    assert lines(await started(talk, 2)) == [3, 4, 5]


@room_of("ann", "bob")
async def test_posted_events_wake_like_messages(talk):
    """One transcript for both protocols."""
    waiting = started(talk, wake_on="addressed")
    await settle()
    await talk.engine.execute(talk.caller, talk.card, PostMessage("question", "ann", {"text": "?"}), "bob")
    assert lines(await waiting) == [1]


# ------------------------------------------------------------------------------------------------- what ends the wait


@pytest.mark.parametrize("wake_on", ["any", "addressed"])
@room_of("ann", "bob")
async def test_the_end_of_the_room_ends_the_wait(talk, wake_on):
    """At once, whatever one waits for; and who listens afterwards is told so."""
    waiting = started(talk, wake_on=wake_on)
    await settle()
    await talk.host(EndRoom())
    heard = await waiting
    assert (heard.terminated, lines(heard)) == ("room_ended", [1])
    assert (await started(talk, 1)).terminated == "room_ended"
    await talk.host(ReactivateRoom())
    assert (await started(talk, 2, timeout_s=1)).timed_out


@pytest.mark.parametrize("wake_on", ["any", "addressed"])
@room_of("ann", "bob")
async def test_being_put_out_ends_the_wait(talk, wake_on):
    """At once; who listens on is told so, until it joins again."""
    waiting = started(talk, wake_on=wake_on)
    await settle()
    await talk.leave("", "ann")
    heard = await waiting
    assert (heard.terminated, lines(heard)) == ("kicked", [1])
    assert (await started(talk)).terminated == "kicked"
    await talk.join("ann")
    assert (await started(talk, 1, timeout_s=1)).terminated == ""


@pytest.mark.parametrize("wake_on", ["any", "addressed"])
@room_of("ann", "bob")
async def test_leaving_ends_the_wait(talk, wake_on):
    """From another session; the next call is refused, and leaving beats the sign of life that listening was."""
    waiting = started(talk, wake_on=wake_on, timeout_s=50)
    await let_pass(20)
    before = loop_clock()
    await talk.leave("ann")
    heard = await waiting
    assert (heard.terminated, heard.timed_out, loop_clock() - before) == ("", False, 0)
    await let_pass(20)
    (presence,) = await talk.engine.presence.of(talk.card.key, ["ann"])
    assert (presence.state, presence.last_seen) == ("away", None)
    with pytest.raises(NotParticipant):
        await started(talk)


@room_of("ann", "bob", "cyn")
async def test_being_given_the_word_ends_the_wait(talk):
    """Also where no line says so: a speaker passes, and the next one is woken to speak."""
    await talk.set_mode("sequential")
    await talk.say("host")
    cursor = await total(talk)
    bob, cyn = (started(talk, cursor, name, wake_on="addressed", timeout_s=100) for name in ("bob", "cyn"))
    await let_pass(1)
    await talk.say("ann", "__no_addition__")
    heard = await bob
    assert (lines(heard), heard.timed_out) == ([], False)
    assert not cyn.done()
    cyn.cancel()


@room_of("ann", "bob")
async def test_a_silent_lead_gives_the_word_to_who_listens(talk):
    """After its grace: the first in line is woken, though nothing was said."""
    await talk.set_mode("sequential")
    await talk.say("host")
    before = loop_clock()
    heard = await started(talk, await total(talk), "bob", wake_on="addressed", timeout_s=100)
    assert (heard.timed_out, lines(heard)) == (False, [])
    assert 20_000 <= loop_clock() - before < 20_500


@room_of("ann", "bob")
async def test_having_the_word_does_not_end_the_wait(talk):
    """Only being given it does: who may speak and listens all the same is not sent round and round."""
    await talk.set_mode("sequential")
    await talk.say("host")
    assert (await started(talk, await total(talk), "ann", timeout_s=5)).timed_out


@room_of("ann", "bob")
async def test_a_muted_member_listens(talk):
    """It may not speak, that is all."""
    await talk.host(MuteMember("ann"))
    waiting = started(talk, await total(talk))
    await talk.say("bob")
    assert len(lines(await waiting)) == 1


# --------------------------------------------------------------------------------------------------- what is no cursor


@pytest.mark.parametrize("since", [-1, 2, 10**9])
@room_of("ann", "bob")
async def test_a_cursor_that_is_no_line_is_refused(talk, since):
    """At once, with the last one there is."""
    await talk.say("bob")
    with pytest.raises(BadCursor):
        await started(talk, since)


@room_of("ann")
async def test_a_stranger_listens_to_nothing(talk):
    """It is told the nearest names."""
    with pytest.raises(NotParticipant):
        await started(talk, name="anne")


@simulated
async def test_a_cursor_from_another_server_is_believed_after_a_look():
    """It may know more than we do."""
    store = simulated_store()
    async with parlour(store, loop_clock, "ann", "bob") as talk, another(store, loop_clock, talk) as other:
        await talk.say("bob")
        assert (await started(other, 1, timeout_s=1)).timed_out


# ------------------------------------------------------------------------------------------------------- many servers


@simulated
async def test_what_is_said_on_one_server_wakes_on_the_other():
    """Both ways."""
    store = simulated_store()
    async with parlour(store, loop_clock, "ann", "bob") as talk, another(store, loop_clock, talk) as other:
        waiting = started(other)
        await settle()
        await talk.say("bob")
        assert lines(await waiting) == [1]
        waiting = started(talk, 1)
        await settle()
        await other.say("bob")
        assert lines(await waiting) == [2]


@simulated
async def test_a_turn_goes_on_although_the_server_that_gave_it_is_gone():
    """Whoever listens keeps its time. A turn once stood still until somebody spoke out of it."""
    store = simulated_store()
    async with parlour(store, loop_clock, "ann", "bob") as talk:
        await talk.set_mode("sequential", timeouts=Timeouts(lead=60_000))
        await talk.say("host")
        cursor = await total(talk)
    async with another(store, loop_clock, talk) as other:
        before = loop_clock()
        heard = await started(other, cursor, "bob", timeout_s=100)
        assert (heard.timed_out, lines(heard)) == (False, [])
        assert 20_000 <= loop_clock() - before < 20_500


# ------------------------------------------------------------------------------------------------- what is known of it


async def presence(talk, name="ann"):
    (found,) = await talk.engine.presence.of(talk.card.key, [name])
    return found


@room_of("ann", "bob")
async def test_whoever_listens_is_listening_until_it_stops(talk):
    """Not a moment longer (gap 13); then it was seen just now."""
    waiting = started(talk, timeout_s=200)
    for _ in range(4):
        await let_pass(40)
        assert (await presence(talk)).state == "listening"
    await talk.say("bob")
    await waiting
    found = await presence(talk)
    assert (found.state, found.listening_until, found.last_seen) == ("online", None, loop_clock())


@room_of("ann", "bob")
async def test_two_listeners_are_listening_until_the_last_stops(talk):
    """One of them going does not make the other deaf."""
    short, long = started(talk, timeout_s=10), started(talk, timeout_s=100)
    await short
    await let_pass(10)
    assert (await presence(talk)).state == "listening"
    await long
    assert (await presence(talk)).state == "online"


@room_of("ann", "bob")
async def test_a_listener_that_gives_up_is_not_listening(talk):
    """Its connection is cut: the lease goes with it."""
    waiting = started(talk, timeout_s=200)
    await let_pass(10)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert (await presence(talk)).state == "online"


@simulated
async def test_the_other_server_sees_who_listens():
    """By the lease on the shelf, renewed while it waits and given back when it stops."""
    store = simulated_store()
    async with parlour(store, loop_clock, "ann", "bob") as talk, another(store, loop_clock, talk) as other:
        waiting = started(talk, timeout_s=100)
        await let_pass(6)
        for _ in range(8):
            assert (await presence(other)).state == "listening"
            await let_pass(10)
        await talk.say("bob")
        await waiting
        await let_pass(6)
        assert (await presence(other)).state == "online"


@simulated
async def test_a_listener_whose_server_died_is_not_listening_after_fifteen_seconds():
    """Nobody renews its lease, so it ends: to the millisecond (gaps 13, 14)."""
    store = simulated_store()
    async with parlour(store, loop_clock, "ann") as talk, another(store, loop_clock, talk) as other:
        waiting = started(talk, timeout_s=1000)
        await let_pass(61)
        talk.engine.presence._renewal.cancel()  # the server is gone, mid-wait
        until = (await presence(other)).listening_until
        assert 0 < until - loop_clock() <= 15_000
        await let_pass((until - loop_clock() - 1) / 1000)
        assert (await presence(other)).state == "listening"
        await let_pass(0.001)
        assert (await presence(other)).state == "online"
        waiting.cancel()
