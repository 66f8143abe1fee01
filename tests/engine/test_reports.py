"""Minutes on request, reports that stay as they are, and decisions made into context."""

import asyncio
import re
import threading

import msgspec
import pytest

from stateroom.core.context import WithdrawContext, WriteContext
from stateroom.core.here import Unreadable
from stateroom.core.lifecycle import EndRoom
from stateroom.core.lobby import LOBBY, FiledReport, ReportFiled
from stateroom.core.messages import WithdrawMessage
from stateroom.core.policy import Policy
from stateroom.core.refusals import NotParticipant, RoomHasEnded, SeatKeyNeeded, UnknownArtifact, UnknownReport
from stateroom.core.reports import KeepReport
from stateroom.core.speech import Say
from stateroom.core.tasks import OpenTask
from stateroom.core.views.minutes import minutes
from stateroom.engine import conversation, replays, reports
from stateroom.engine.access import Caller
from stateroom.engine.conversation import Keys, Newcomer
from stateroom.engine.replays import replayed
from stateroom.log import codec
from stateroom.log.seam import Draft, Stamp, Unavailable
from stateroom.testing.scenes import START
from tests.engine.conftest import running, settle

STAMP = Stamp("ann", "", "", 1)


@pytest.fixture
async def talk(bench):
    """A room with ann and bob in it, where agents may go on for ever."""
    bench.made = await conversation.create(bench.engine, bench.caller, "Cache", "Hal", policy=Policy(exchange_limit=0))
    bench.card = bench.made.card
    for name in ("ann", "bob"):
        await conversation.join(bench.engine, bench.caller, bench.card, Newcomer(name))
    return bench


async def say(bench, text, by="ann", **more):
    said = await conversation.say(bench.engine, bench.caller, bench.card, by, Say(text, **more))
    return said.line.position


async def current(bench):
    return await reports.current(bench.engine, bench.card)


async def export(bench, by="ann"):
    return await reports.export(bench.engine, bench.caller, bench.card, by)


async def keep(bench, artifact_id, by="ann"):
    return await reports.keep_decision(bench.engine, bench.caller, bench.card, artifact_id, by)


def texts(report):
    return [getattr(entry.event, "text", type(entry.event).__name__) for entry in report.lines]


async def test_minutes_show_the_room_as_it_is(talk):
    """Again and again, each time with what has been added."""
    await say(talk, "[DECISION] use sqlite")
    first = await current(talk)
    talk.clock.advance(5)
    await say(talk, "[TODO] measure it", by="bob")
    second = await current(talk)
    assert (texts(first), texts(second)) == (
        ["[DECISION] use sqlite"],
        ["[DECISION] use sqlite", "[TODO] measure it"],
    )
    assert second.exported_at - first.exported_at == 5000
    assert (first.code, second.position - first.position) == (talk.card.code, 1)


async def test_all_lines_are_there_however_many(talk):
    """Two thousand, of several pages of the log: none is lost or doubled (gap 41)."""
    for number in range(2000):
        await say(talk, f"[TODO] number {number}")
    report = await current(talk)
    assert texts(report) == [f"[TODO] number {number}" for number in range(2000)]
    assert [one.text for one in report.action_items] == [f"number {number}" for number in range(2000)]
    assert reports.decode(reports.encode(report)) == report


async def test_a_room_is_read_on_not_anew(talk):
    """What was read once is not read again, however long it is (gap 58)."""
    await _write(talk, 3000)
    assert (await current(talk)).message_count == 3000
    talk.log.calls.clear()
    await say(talk, "one more of them")
    assert (await current(talk)).message_count == 3001
    assert talk.log.calls["read"] == 0


async def _write(bench, count):
    """So many lines that another server has written."""
    position = await bench.engine.view(bench.card, lambda room: room.position)
    drafts = [Draft(b'{"event":"MemberMuted","version":1,"facts":{"name":"bob"}}', line=True)] * count
    await bench.store.log.append(bench.card.key, position, drafts, STAMP)
    await bench.engine.rooms.look_again(bench.card.key)


async def test_what_was_read_is_forgotten_when_it_is_too_much(talk, monkeypatch):
    """The room that nobody has asked for longest goes first; it is read again when somebody does."""
    monkeypatch.setattr(replays, "LINES_KEPT", 3)
    first = talk.card
    await say(talk, "one")
    talk.card = second = await talk.engine.enter(talk.caller, "other")
    await conversation.join(talk.engine, talk.caller, talk.card, Newcomer("ann"))
    await say(talk, "two")
    await say(talk, "three")
    for card in (first, second, first):
        await reports.current(talk.engine, card)
    kept = replays._REPLAYS[talk.engine]
    assert list(kept) == [second.key, first.key]
    talk.card = first
    await say(talk, "four")
    await current(talk)
    assert list(kept) == [first.key]
    assert (await reports.current(talk.engine, second)).message_count == 2


async def test_a_room_that_lives_again_is_read_anew(talk):
    """Nothing of its earlier life is in its minutes, though the new one is longer."""
    await say(talk, "of the earlier life")
    await current(talk)
    await talk.engine.rooms.forget(talk.card.key)
    await _write(talk, 50)
    report = await current(talk)
    assert texts(report) == ["MemberMuted"] * 50


async def test_a_room_does_not_move_while_it_is_looked_at(talk):
    """Who asks meanwhile waits for its turn, and nobody else does."""
    await say(talk, "one line for now")
    async with replayed(talk.engine, talk.card) as replay:
        await talk.do(OpenTask("x"), "ann")
        waiting = asyncio.create_task(current(talk))
        await settle()
        assert (len(replay.lines), waiting.done()) == (1, False)
    assert (await waiting).message_count == 2


async def test_a_large_room_is_told_of_beside_the_loop(talk, monkeypatch):
    """And its report is the same."""
    await say(talk, "a line of some length")
    small, makers = await current(talk), []

    def noted(*args):
        makers.append(threading.current_thread())
        return minutes(*args)

    monkeypatch.setattr(reports, "minutes", noted)
    await current(talk)
    monkeypatch.setattr(reports, "MANY_LINES", 0)
    assert await current(talk) == small
    assert [maker is threading.main_thread() for maker in makers] == [True, False]
    id, frozen = await export(talk)
    assert await reports.kept(talk.engine, id) == frozen


async def test_an_exported_report_comes_back_as_it_was(talk):
    """By its id alone; with all it had, also lines that nobody could read."""
    position = await say(talk, "[DECISION] use sqlite")
    await say(talk, "fine with me", by="bob", reply_to=position)
    end = await talk.engine.view(talk.card, lambda room: room.position)
    await talk.store.log.append(talk.card.key, end, [Draft(b"junk", line=True)], STAMP)
    await talk.engine.rooms.look_again(talk.card.key)
    await talk.do(OpenTask("fix it", verifier="bob"), "ann")
    id, report = await export(talk)
    assert isinstance(report.lines[2].event, Unreadable)
    assert report.id == id
    assert re.fullmatch("[0-9a-f]{32}", id)
    assert await reports.kept(talk.engine, id) == report
    assert await reports.newest(talk.engine, talk.card) == (id, report)


async def test_a_frozen_report_never_changes(talk):
    """Whatever is said, withdrawn or ended later; a later one is another, and shows it."""
    position = await say(talk, "[DECISION] use sqlite")
    id, report = await export(talk)
    await say(talk, "[DECISION] use redis after all")
    await talk.do(WithdrawMessage(position), "ann")
    await _end(talk)
    assert await reports.kept(talk.engine, id) == report
    later, second = await export(talk, "")
    assert later != id
    assert [[one.text for one in each.decisions] for each in (report, second)] == [
        ["use sqlite"],
        ["use redis after all"],
    ]
    assert second.ended_at is not None
    assert await reports.newest(talk.engine, talk.card) == (later, second)
    assert await reports.kept(talk.engine, id) == report


async def _end(bench):
    proof = bench.caller.proof(bench.made.host_key)
    await bench.engine.execute(bench.caller, bench.card, EndRoom(), "Hal", proof=proof)


async def test_exporting_is_no_line_of_the_transcript(talk):
    """Two exports of one state show the same, though each has an id of its own."""
    await say(talk, "a line of some length")
    (one, first), (two, second) = await export(talk), await export(talk)
    assert one != two
    assert first.message_count == second.message_count == 1
    assert (await talk.kinds()).count("ReportKept") == 2


async def test_a_report_outlives_its_room(talk):
    """The room is gone from the store; its report is not (gap 80)."""
    await say(talk, "a line of some length")
    id, report = await export(talk)
    await talk.engine.rooms.forget(talk.card.key)
    assert await reports.kept(talk.engine, id) == report
    assert await reports.newest(talk.engine, talk.card) is None


@pytest.mark.parametrize("id", ["", "nope", "ABC-DEF-GHJ", "x" * 100_000])
async def test_an_unknown_report_is_refused(talk, id):
    """A code is no id of a report (gap 83), and the refusal stays short."""
    await export(talk)
    for wrong in (id, talk.card.code):
        with pytest.raises(UnknownReport) as refused:
            await reports.kept(talk.engine, wrong)
        assert len(str(refused.value)) < 300


async def test_another_server_finds_a_report_at_once(talk, store, clock):
    """Also before the hint has come."""
    await say(talk, "a line of some length")
    async with running(store, clock) as other:
        other.engine.store.blobs = talk.engine.store.blobs
        with pytest.raises(UnknownReport):
            await reports.kept(other.engine, "nope")
        report = await current(talk)
        filed = ReportFiled(FiledReport("one", talk.card.key, await store.blobs.put(reports.encode(report)), START))
        other.engine.store.blobs = store.blobs
        end = await other.engine.rooms.view(LOBBY, lambda lobby: lobby.position)
        await store.log.append(LOBBY, end, [codec.encode(filed)], STAMP)
        assert await reports.kept(other.engine, "one") == report


async def test_nobody_exports_in_the_name_of_another(talk):
    """A keyed seat asks for its key; nothing is found by an id then, because nobody has learned one."""
    guest = Caller("", "guest")
    joined = await conversation.join(talk.engine, guest, talk.card, Newcomer("cyn"))
    with pytest.raises(SeatKeyNeeded):
        await reports.export(talk.engine, guest, talk.card, "cyn")
    assert await reports.newest(talk.engine, talk.card) is None
    id, _ = await reports.export(talk.engine, guest, talk.card, "cyn", Keys(seat=joined.seat_key))
    assert (await reports.newest(talk.engine, talk.card))[0] == id


async def test_who_was_put_out_exports_nothing(talk):
    """It must join first; no report is made meanwhile."""
    await conversation.leave(talk.engine, talk.caller, talk.card, "Hal", "bob", Keys(host=talk.made.host_key))
    with pytest.raises(NotParticipant):
        await export(talk, "bob")
    assert await reports.newest(talk.engine, talk.card) is None
    assert await talk.engine.rooms.view(LOBBY, lambda lobby: lobby.reports) == {}


async def test_a_report_whose_blob_has_gone_is_no_unknown_one(talk):
    """The store has lost it, and that is said; so is what a newer server has written."""
    id, report = await export(talk)
    kept = talk.engine.store.blobs
    card = await talk.engine.view(talk.card, lambda room: room.reports.newest())
    await kept.drop(card.digest)
    with pytest.raises(Unavailable):
        await reports.kept(talk.engine, id)
    with pytest.raises(Unavailable):
        reports.decode(reports.encode(report).replace(b'"position"', b'"place"'))
    with pytest.raises(Unavailable):
        reports.decode(b"junk")


async def test_what_a_report_looks_like_in_the_store_never_changes(talk):
    """Names of fields that were once written are read for ever."""
    await say(talk, "[DECISION] use sqlite")
    _, report = await export(talk)
    blob = msgspec.json.decode(reports.encode(report))
    assert (blob["version"], list(blob["lines"][0]), blob["lines"][0]["event"]["event"]) == (
        1,
        ["position", "line", "at", "by", "event", "unreadable"],
        "MessageSaid",
    )
    assert {
        *("id", "code", "topic", "host", "created_at", "ended_at", "exported_at", "position", "participants"),
        *("message_count", "summary", "highlights", "artifacts", "tasks", "reviews", "statistics", "withdrawn"),
    } <= set(blob["report"])


async def test_a_decision_is_kept_once(talk):
    """Whoever asks again gets the entry that is there, also by another hand and at the same time."""
    await say(talk, "[TODO] measure [DECISION] use sqlite")
    (decision,) = (await current(talk)).decisions
    first = await keep(talk, decision.id)
    again = [await keep(talk, decision.id, by) for by in ("ann", "bob")]
    assert again == [first, first]
    assert (first.type, first.author, first.payload["decision"]) == ("arch_decision", "ann", "use sqlite")
    assert first.payload["source"]["message"] == decision.source
    assert first.payload["source"]["room"] == talk.card.code
    assert (await talk.kinds()).count("ContextWritten") == 1


async def test_two_at_once_keep_a_decision_once(talk):
    """The second is the first, repeated."""
    position = await say(talk, "[DECISION] use sqlite")
    gate = talk.log.hold("append")
    tasks = [asyncio.create_task(keep(talk, f"{position}-1")) for _ in range(2)]
    await gate.reached.wait()
    await settle()
    gate.opened.set()
    one, two = [await task for task in tasks]
    assert one == two
    assert (await talk.kinds()).count("ContextWritten") == 1


async def test_two_servers_at_once_keep_a_decision_once(talk, store, clock):
    """Whichever comes second finds that its request was answered."""
    position = await say(talk, "[DECISION] use sqlite")
    async with running(store, clock) as other:
        other.card = talk.card
        await current(other)
        one, two = await asyncio.gather(keep(talk, f"{position}-1"), keep(other, f"{position}-1"))
    assert one == two
    assert (await talk.kinds()).count("ContextWritten") == 1


async def test_what_only_says_that_it_comes_from_a_decision_is_not_taken_for_it(talk):
    """A document of another type, or one whose source is no source."""
    position = await say(talk, "[DECISION] use sqlite")
    source = {"artifact": f"{position}-1"}
    await talk.do(WriteContext("note", "s", {"text": "t", "source": source}), "bob")
    decided = {"title": "t", "decision": "d", "rationale": "r", "alternatives": [], "consequences": []}
    await talk.do(WriteContext("arch_decision", "s", {**decided, "source": f"{position}-1"}), "bob")
    assert (await keep(talk, f"{position}-1")).id == "C-03"


async def test_a_decision_whose_entry_was_withdrawn_can_be_kept_again(talk):
    """As a new entry."""
    position = await say(talk, "[DECISION] use sqlite")
    first = await keep(talk, f"{position}-1")
    await talk.do(WithdrawContext(first.id), "ann")
    second = await keep(talk, f"{position}-1")
    assert (first.id, second.id) == ("C-01", "C-02")
    assert await keep(talk, f"{position}-1") == second


async def test_only_decisions_that_stand_can_be_kept(talk):
    """No other mark, no other line, no id that is none, nothing that was withdrawn."""
    position = await say(talk, "[TODO] measure [DECISION] use sqlite")
    for wrong in (f"{position}-1", f"{position}-3", f"{position + 1}-1", "1-1", "", "x" * 1000, f"{10**15}-1"):
        with pytest.raises(UnknownArtifact) as refused:
            await keep(talk, wrong)
        assert len(str(refused.value)) < 200
    await talk.do(WithdrawMessage(position), "ann")
    with pytest.raises(UnknownArtifact):
        await keep(talk, f"{position}-2")
    assert "ContextWritten" not in await talk.kinds()


async def test_an_ended_room_keeps_no_decision(talk):
    """Its context is closed, while reports can still be made."""
    position = await say(talk, "[DECISION] use sqlite")
    await _end(talk)
    with pytest.raises(RoomHasEnded):
        await keep(talk, f"{position}-1")


async def test_a_report_of_an_empty_room_is_kept_too(bench):
    """One that only came to be by being named."""
    id, report = await export(bench, "")
    assert (report.topic, report.lines, report.message_count) == ("demo", (), 0)
    assert await reports.kept(bench.engine, id) == report


async def test_a_wish_of_a_report_is_remembered_newest_last(talk):
    """At most two hundred in the room; the lobby knows them all."""
    ids = [(await export(talk))[0] for _ in range(3)]
    cards = await talk.engine.view(talk.card, lambda room: [card.id for card in room.reports.cards])
    assert cards == ids
    for number in range(200):
        await talk.do(KeepReport(f"id-{number}", "d", 1))
    assert await talk.engine.view(talk.card, lambda room: len(room.reports.cards)) == 200
    assert (await reports.kept(talk.engine, ids[0])).id == ids[0]
