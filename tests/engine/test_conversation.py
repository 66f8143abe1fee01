"""A room is made, somebody joins, speaks and goes: keys drawn and shown once, and what the engine adds to the rules."""

import pytest
import pytest_asyncio

from stateroom.core.lifecycle import EndRoom
from stateroom.core.policy import Policy
from stateroom.core.refusals import (
    BadName,
    BadPolicy,
    HostNameTaken,
    NothingSaid,
    NotHost,
    NotParticipant,
    RoomHasEnded,
    SeatKeyNeeded,
    TooLong,
    UnknownTemplate,
)
from stateroom.core.speech import MessageSaid
from stateroom.engine import conversation
from stateroom.engine.access import GUEST, Access, Caller, key_digest, parse_keys
from stateroom.engine.conversation import Keys, unread
from stateroom.engine.engine import Engine
from stateroom.stores.memory import MemoryStore
from tests.engine.talks import Parlour, parlour

TOKEN = "ghp_" + "a1B2" * 10
STRANGER = Caller("", GUEST)


@pytest_asyncio.fixture
async def talk(store, clock):
    """Two agents and the host in person, on an open server."""
    async with parlour(store, clock, "ann", "bob") as talk:
        yield talk


async def of(talk, *names):
    return {one.name: one for one in await talk.engine.presence.of(talk.card.key, names)}


# ------------------------------------------------------------------------------------------------------------- created


async def test_a_created_room_goes_by_its_code(talk):
    """Which is its id; its key is shown once, 32 digits, and kept as a digest (agent-room §2.5)."""
    room = await talk.engine.view(talk.card, lambda room: room.lifecycle)
    assert (talk.card.room_id, talk.card.code, room.topic, room.host) == (
        talk.card.code,
        talk.card.code,
        "A topic",
        "host",
    )
    assert len(talk.host_key) == 32
    assert set(talk.host_key) <= set("0123456789abcdef")
    assert room.host_digest == key_digest(talk.host_key)
    stored = b"".join(record.body for record in await talk.engine.store.log.read(talk.card.key, 0, 100))
    assert talk.host_key.encode() not in stored


async def test_its_creator_has_yet_to_join(bench):
    """Making a room is not being in it."""
    made = await conversation.create(bench.engine, bench.caller, "t", "host")
    assert await bench.engine.view(made.card, lambda room: room.members.names()) == []


@pytest.mark.parametrize(
    ("topic", "template", "title"),
    [("", "", "Untitled"), ("  ", "", "Untitled"), (" mine ", "incident", "mine"), ("", "blank", "Untitled")],
)
async def test_a_room_without_a_topic_has_its_templates(bench, topic, template, title):
    """Or is untitled."""
    made = await conversation.create(bench.engine, bench.caller, topic, "host", template)
    assert await bench.engine.view(made.card, lambda room: room.lifecycle.topic) == title


async def test_a_template_fills_the_room_and_sets_its_mode(bench):
    """By the right of who makes it, whatever its credential is."""
    made = await conversation.create(bench.engine, bench.caller, "", "host", "strategy")
    mode, topic = await bench.engine.view(made.card, lambda room: (room.floor.mode, room.lifecycle.topic))
    assert (mode, topic) == ("sequential", "{question}: direction and next steps")
    made = await conversation.create(bench.engine, bench.caller, "", "host", "bug-fix")
    assert await bench.engine.view(made.card, lambda room: len(room.board.tasks)) == 3


@pytest.mark.parametrize(
    ("made", "refusal"),
    [
        ({"topic": "x" * 501, "host": "host"}, TooLong),
        ({"topic": "t", "host": " "}, BadName),
        ({"topic": "t", "host": "host", "template": "nope"}, UnknownTemplate),
        ({"topic": "t", "host": "host", "policy": Policy(exchange_limit=-1)}, BadPolicy),
    ],
)
async def test_a_room_that_can_not_be_made_leaves_nothing_behind(bench, made, refusal):
    """Everything is looked at before anything is written."""
    with pytest.raises(refusal):
        await conversation.create(bench.engine, bench.caller, **made)
    assert [card.room_id for card in await bench.engine.rooms_of(bench.caller)] == ["demo"]


async def test_a_guest_makes_a_room_that_only_its_key_opens(store, clock):
    """It belongs to no team and to no credential."""
    async with parlour(store, clock, keys="red:one", caller=STRANGER) as talk:
        with pytest.raises(NotHost):
            await talk.engine.execute(STRANGER, talk.card, EndRoom())
        with pytest.raises(NotHost):
            await talk.engine.execute(Caller("red", "key:red"), talk.card, EndRoom())
        assert (await talk.host(EndRoom())).entries


async def test_the_credential_that_made_a_room_is_its_host(store, clock):
    """On a server with keys; on an open one there is none, so there the key is needed (design §7)."""
    async with parlour(store, clock, keys="red:one,blue:two") as talk:
        with pytest.raises(NotHost):
            await talk.engine.execute(Caller("blue", "key:blue"), talk.card, EndRoom())
        assert (await talk.engine.execute(Caller("red", "key:red"), talk.card, EndRoom())).entries
    async with parlour(MemoryStore(clock), clock) as talk:
        with pytest.raises(NotHost):
            await talk.engine.execute(talk.caller, talk.card, EndRoom())


# -------------------------------------------------------------------------------------------------------------- joined


async def test_whoever_joins_is_shown_its_seats_key_once(talk):
    """And needs it no other way than by showing it again; then it is the same."""
    joined = await talk.joining("cyn")
    assert (joined.member.name, joined.renamed, len(joined.seat_key)) == ("cyn", False, 32)
    again = await talk.joining("cyn", keys=Keys(seat=joined.seat_key))
    assert (again.member.name, again.renamed, again.seat_key) == ("cyn", False, joined.seat_key)
    assert (await talk.joining("cyn", returning=True)).seat_key == ""


async def test_a_client_that_knows_of_no_keys_gets_none(talk):
    """Its seat is open to whoever gives its name (agent-room §2.6, compat)."""
    joined = await talk.joining("old", offer=False)
    assert (joined.seat_key, joined.member.seat) == ("", "")
    again = await talk.joining("old", returning=True)
    assert (again.member.name, len(again.seat_key)) == ("old", 32)


async def test_a_taken_name_is_numbered_and_said_so(talk):
    """The client compares what it got with what it wanted."""
    joined = await talk.joining("ANN")
    assert (joined.member.name, joined.renamed) == ("ann (2)", True)
    assert joined.member.seat == key_digest(joined.seat_key)


async def test_joining_is_a_sign_of_life_of_who_joins(talk, clock):
    """Not of whoever has the name it wanted: nobody is made to look alive by a namesake."""
    clock.advance(3600)
    await talk.joining("ann")
    with pytest.raises(HostNameTaken):
        await talk.joining("h-o-s-t")
    found = await of(talk, "ann", "ann (2)", "host")
    assert [one.online for one in found.values()] == [False, True, False]


async def test_a_guest_acts_under_its_name_with_its_key_only(store, clock):
    """The first join of a name gets the key; later calls under it need it (design §7)."""
    async with parlour(store, clock, keys="red:one", caller=STRANGER) as talk:
        await talk.join("ann")
        assert (await talk.say("ann")).line.event.speaker.verified
        talk.keys["ann"] = Keys(seat="0" * 32)
        with pytest.raises(SeatKeyNeeded):
            await talk.say("ann")
        with pytest.raises(SeatKeyNeeded):
            await talk.leave("ann")


async def test_a_bound_caller_is_who_it_is(talk):
    """Whatever name it gives: it joins, speaks and leaves as that one, and is proven."""
    bound = Parlour(talk.engine, talk.engine.access.admit("", room=talk.card.code, member="ann"))
    bound.card, bound.host_key = talk.card, talk.host_key
    assert (await bound.joining("zoe")).member.name == "ann"
    line = (await bound.say("zoe")).line
    assert (line.by, line.event.speaker.verified) == ("ann", True)
    assert await bound.leave("zoe")
    assert "ann" not in await talk.engine.view(talk.card, lambda room: room.members.names())


async def test_an_ended_room_takes_nobody_in(talk):
    """Nor lets anybody speak; leaving is possible."""
    await talk.host(EndRoom())
    for refused in (talk.joining("cyn"), talk.say("ann")):
        with pytest.raises(RoomHasEnded):
            await refused
    assert await talk.leave("ann")


# ---------------------------------------------------------------------------------------------------------------- said


async def test_what_was_said_comes_back_as_a_line(talk):
    """With its number, and how many secrets were taken out of it."""
    said = await talk.say("ann", f"see {TOKEN}")
    assert (said.line.line, said.line.event.text, said.redacted) == (1, "see [REDACTED]", 1)
    assert not said.replayed


async def test_a_repeated_call_says_it_once(talk):
    """The same request id, the same answer."""
    first = await talk.say("ann", request_id="r1")
    again = await talk.say("ann", request_id="r1")
    assert (again.line, again.replayed) == (first.line, True)
    assert (await talk.kinds()).count("MessageSaid") == 1


async def test_whoever_passes_leaves_no_line(talk):
    """The turn goes on."""
    await talk.set_mode("sequential")
    await talk.say("host")
    said = await talk.say("ann", "__no_addition__")
    assert (said.line, [type(entry.event).__name__ for entry in said.entries]) == (None, ["TurnPassed"])


async def test_what_is_refused_is_not_said(talk):
    """And the room stays as it was."""
    before = await talk.kinds()
    for refused, no in ((talk.say("ann", " "), NothingSaid), (talk.say("zoe"), NotParticipant)):
        with pytest.raises(no):
            await refused
    assert await talk.kinds() == before


async def test_a_server_that_hides_nothing_keeps_what_was_said(store, clock):
    """`redacts=False`."""
    engine = Engine(store, clock, redacts=False)
    async with engine.running():
        talk = await Parlour(engine).create()
        await talk.join("ann")
        assert (await talk.say("ann", TOKEN)).line.event.text == TOKEN


# ---------------------------------------------------------------------------------------------------------------- gone


async def test_whoever_leaves_is_offline_at_once(talk):
    """In any spelling; leaving twice is leaving once."""
    assert await talk.leave("ANN")
    assert not await talk.leave("ann")
    assert (await of(talk, "ann"))["ann"].online is False
    assert (await talk.kinds())[-1] == "MemberLeft"


async def test_the_host_puts_somebody_out(talk):
    """By its key, without being anybody in particular; others may not."""
    with pytest.raises(NotHost):
        await conversation.leave(talk.engine, talk.caller, talk.card, "bob", "ann", talk.keys["bob"])
    assert await talk.leave("", "ann")
    assert (await of(talk, "ann"))["ann"].online is False
    with pytest.raises(NotParticipant):
        await talk.leave("", "ann")


# -------------------------------------------------------------------------------------------------------------- unread


async def test_what_others_said_is_unread_until_it_was_delivered(talk):
    """Without one's own; what was delivered is known by its line."""
    for name in ("ann", "bob", "ann", "host"):
        await talk.say(name)
    ann = await talk.engine.view(talk.card, lambda room: room.members.find("ann"))
    waiting = await unread(talk.engine, talk.card, ann)
    assert ([entry.by for entry in waiting.lines], waiting.heard) == (["bob", "host"], 0)
    talk.engine.presence.hear(talk.card.key, "ANN", 2)
    waiting = await unread(talk.engine, talk.card, ann)
    assert ([entry.line for entry in waiting.lines], waiting.heard) == ([4], 2)
    waiting = await unread(talk.engine, talk.card, ann, until=waiting.lines[0].position)
    assert waiting.lines == []


async def test_a_conversation_is_one_log(talk):
    """Nothing of it is kept elsewhere: another server that knows nothing sees it all."""
    await talk.say("ann")
    engine = Engine(talk.engine.store, talk.engine.clock, Access(parse_keys("red:one")))
    entries = [entry for entry in await engine.rooms.entries(talk.card.key, 0) if isinstance(entry.event, MessageSaid)]
    assert [entry.by for entry in entries] == ["ann"]
