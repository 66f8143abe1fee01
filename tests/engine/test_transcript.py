"""The transcript by its line numbers: nothing is trimmed, renumbered or lost between entries that are no lines."""

import pytest
import pytest_asyncio

from stateroom.core.messages import MarkRead, MessageRead, PostMessage, WithdrawMessage
from stateroom.core.refusals import BadCursor
from stateroom.core.speech import MessageSaid
from stateroom.core.variables import VariableSet
from stateroom.engine import transcript
from stateroom.log import codec
from stateroom.log.seam import Stamp
from tests.engine.talks import another, parlour


@pytest_asyncio.fixture
async def talk(store, clock):
    """A host and an agent, nothing said."""
    async with parlour(store, clock, "ann") as talk:
        yield talk


async def written(talk, events, by="ann"):
    """Put events into the room's log as another server would: the engine has to find out by itself."""
    log, key = talk.engine.store.log, talk.card.key
    records = await log.read(key, 0, 10**6)
    drafts = [codec.encode(event) for event in events]
    await log.append(key, len(records), drafts, Stamp(by, "other", "", talk.engine.clock()))
    await talk.engine.rooms.look_again(key)


async def speeches(talk, count, between=0):
    """So many lines, each followed by some entries the room is not told of."""
    await talk.say("ann")
    (said,) = [entry.event for entry in await talk.log() if isinstance(entry.event, MessageSaid)]
    silence = [MessageRead(1)] * between
    await written(talk, [event for _ in range(count - 1) for event in (*silence, said)])


def lines(found):
    return [entry.line for entry in found.entries]


@pytest.mark.parametrize(("count", "between"), [(600, 0), (3_000, 0), (600, 3), (70, 40)])
async def test_every_line_is_found_from_everywhere(talk, count, between):
    """However long the talk and however much lies between; each call says where the next begins."""
    await speeches(talk, count, between)
    for line in (0, 1, 63, 64, 65, count // 2, count - 1, count):
        found = await transcript.after(talk.engine, talk.card, line)
        assert lines(found) == list(range(line + 1, count + 1))
        assert (found.cursor, found.total) == (count, count)


async def test_a_reader_gets_everything_once_in_pages(talk):
    """With a limit, from where the last page ended."""
    await speeches(talk, 600, 2)
    seen, cursor = [], 0
    while page := lines(found := await transcript.after(talk.engine, talk.card, cursor, 128)):
        seen += page
        cursor = found.cursor
    assert seen == list(range(1, 601))


@pytest.mark.parametrize("silence", [999, 1_000, 1_001, 2_500])
async def test_a_line_behind_a_long_silence_is_found(talk, silence):
    """More entries that are no lines than one read brings. Looking on once stopped there, and nobody was woken."""
    await talk.say("ann")
    await written(talk, [MessageRead(1)] * silence + [VariableSet("k", "v")])
    await talk.say("ann", "again")
    assert [entry.line for entry in await transcript.page(talk.engine, talk.card, 1)] == [2]
    assert lines(await transcript.after(talk.engine, talk.card, 1)) == [2]
    assert await transcript.page(talk.engine, talk.card, 2) == []


async def test_a_look_brings_some_lines_in_order(talk):
    """And the next look the next ones, to the end."""
    await speeches(talk, 2_500)
    seen, line = [], 0
    while found := await transcript.page(talk.engine, talk.card, line):
        seen += [entry.line for entry in found]
        line = seen[-1]
    assert seen == list(range(1, 2_501))


@pytest.mark.parametrize("line", [-1, 4, 10**9])
async def test_a_cursor_that_is_no_line_is_refused(talk, line):
    """With the last one there is, never as a silent replay; the end itself is a cursor."""
    await speeches(talk, 3)
    with pytest.raises(BadCursor) as refused:
        await transcript.after(talk.engine, talk.card, line)
    assert refused.value.facts == {"cursor": line, "last": 3}
    assert (await transcript.after(talk.engine, talk.card, 3)).entries == []


async def test_a_cursor_from_another_server_is_believed_after_a_look(talk, store, clock):
    """The hint may be on its way."""
    async with another(store, clock, talk) as other:
        await transcript.after(other.engine, other.card, 0)
        await talk.say("ann")
        found = await transcript.after(other.engine, other.card, 1)
        assert (found.entries, found.cursor) == ([], 1)


async def test_the_newest_lines(talk):
    """As many as are asked for, or as there are."""
    await speeches(talk, 5)
    assert lines(await transcript.newest(talk.engine, talk.card, 2)) == [4, 5]
    assert lines(await transcript.newest(talk.engine, talk.card, 50)) == [1, 2, 3, 4, 5]
    assert lines(await transcript.newest(talk.engine, talk.card, 0)) == []


async def test_a_room_as_it_stood(talk):
    """All lines up to a position, none after, however many there are."""
    await speeches(talk, 1_200, 1)
    position = (await talk.log())[-3].position
    assert lines(await transcript.until(talk.engine, talk.card, position)) == list(range(1, 1_200))
    assert lines(await transcript.until(talk.engine, talk.card, 0)) == []


async def test_a_line_comes_with_what_it_answers(talk):
    """Also what is far away, or no message; what it answered is found by its position."""
    await talk.engine.execute(talk.caller, talk.card, PostMessage("question", "all", {"text": "?"}), "host")
    question = (await talk.log())[-1].position
    await speeches(talk, 200)
    await talk.say("host", "yes", reply_to=question)
    found = await transcript.newest(talk.engine, talk.card, 1)
    assert set(found.quoted) == {question}
    assert found.quoted[question].event.payload == {"text": "?"}
    assert (await transcript.after(talk.engine, talk.card, 0, 5)).quoted == {}


async def test_a_withdrawn_line_keeps_its_number(talk):
    """It is said to be withdrawn, as a line and where it is quoted; the withdrawal is a line itself."""
    first = (await talk.say("ann")).line
    await talk.say("ann", "yes", reply_to=first.position)
    await talk.engine.execute(talk.caller, talk.card, WithdrawMessage(first.position), "host")
    found = await transcript.after(talk.engine, talk.card, 0)
    assert lines(found) == [1, 2, 3]
    assert found.withdrawn == {first.position}
    later = await transcript.after(talk.engine, talk.card, 1)
    assert (set(later.quoted), later.withdrawn) == ({first.position}, {first.position})


async def test_what_is_no_line_moves_no_number(talk):
    """Receipts, seats, variables and the steps of a turn are none."""
    await talk.set_mode("sequential")
    line = (await talk.say("host")).line
    await talk.engine.execute(talk.caller, talk.card, MarkRead(line.position), "host")
    await talk.join("bob")
    assert (await talk.say("ann")).line.line == line.line + 1


async def test_lines_are_found_after_a_restart(talk, store, clock):
    """Where they are is part of the room, and of its snapshot."""
    await speeches(talk, 600, 1)
    async with another(store, clock, talk) as other:
        assert lines(await transcript.after(other.engine, other.card, 590)) == list(range(591, 601))
