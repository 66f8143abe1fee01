"""Append, read and drop."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from stateroom.core.ids import Instant, LogKey
from stateroom.log.seam import Conflict, Draft, Record, Stamp, Store
from stateroom.testing.conformance.samples import KEY, NOON, OTHER, STAMP, drafts, fill, positions, texts

Outcome = Sequence[Record] | BaseException


async def test_an_unknown_log_reads_as_empty(store: Store) -> None:
    """Nobody has to create a log before reading it."""
    assert await store.log.read(KEY, 0) == []


async def test_positions_count_from_one_without_gaps(store: Store) -> None:
    """Each append goes on where the last one ended."""
    await store.log.append(KEY, 0, drafts("1", "2"), STAMP)
    await store.log.append(KEY, 2, drafts("3"), STAMP)
    records = await store.log.read(KEY, 0)
    assert positions(records) == [1, 2, 3]
    assert texts(records) == ["1", "2", "3"]


async def test_what_append_returns_is_what_is_read(store: Store, another: Store) -> None:
    """The writer and every reader hold equal records, stamped as asked."""
    first = await store.log.append(KEY, 0, drafts("1", "2", line=True), STAMP)
    second = await store.log.append(KEY, 2, drafts("3"), replace(STAMP, by="bob", via="", cause=""))
    assert first + second == await store.log.read(KEY, 0) == await another.log.read(KEY, 0)
    assert first[0] == Record(1, 1, NOON, "ada", "key:1", "c1", b"1")
    assert second[0] == Record(3, 0, NOON, "bob", "", "", b"3")


async def test_lines_are_counted_over_lines_only(store: Store, another: Store) -> None:
    """An entry that is no line has line 0 and uses up no number, whichever process appends."""
    mixed = [Draft(b"a", True), Draft(b"b"), Draft(b"c", True)]
    await store.log.append(KEY, 0, mixed, STAMP)
    await another.log.append(KEY, 3, [Draft(b"d")], STAMP)
    await store.log.append(KEY, 4, [Draft(b"e", True)], STAMP)
    assert [record.line for record in await store.log.read(KEY, 0)] == [1, 0, 2, 0, 3]


async def test_time_does_not_run_backwards_in_a_log(store: Store, another: Store) -> None:
    """A server whose clock is behind gets the time of the last record, and nothing is pushed ahead of its clock."""
    behind = replace(STAMP, at=Instant(NOON - 60_000))
    await store.log.append(KEY, 0, drafts("1"), STAMP)
    await another.log.append(KEY, 1, drafts("2"), behind)
    await store.log.append(KEY, 2, drafts("3"), replace(STAMP, at=Instant(NOON + 1)))
    assert [record.at for record in await store.log.read(KEY, 0)] == [NOON, NOON, NOON + 1]
    assert [record.at for record in await store.log.append(OTHER, 0, drafts("1"), behind)] == [NOON - 60_000]


async def test_a_draft_may_carry_its_own_stamp(store: Store) -> None:
    """Then it counts for that record alone; time still does not run backwards, inside an append as between them."""
    own = Stamp(by="bob", via="key:2", cause="c2", at=Instant(NOON + 5))
    mixed = [Draft(b"1"), Draft(b"2", stamp=own), Draft(b"3"), Draft(b"4", stamp=replace(own, at=NOON))]
    records = await store.log.append(KEY, 0, mixed, STAMP)
    assert [(r.by, r.via, r.cause) for r in records] == [
        ("ada", "key:1", "c1"),
        ("bob", "key:2", "c2"),
        ("ada", "key:1", "c1"),
        ("bob", "key:2", "c2"),
    ]
    assert [r.at - NOON for r in records] == [0, 5, 5, 5]
    assert await store.log.read(KEY, 0) == records


@pytest.mark.parametrize("body", [b"", b"\0\0a\0", bytes(range(256)), "äöü ✓ 𝄞 \u2028".encode(), b"x" * 300_000])
async def test_bodies_come_back_byte_for_byte(store: Store, body: bytes) -> None:
    """A body is opaque: empty, binary, long, whatever it is."""
    await store.log.append(KEY, 0, [Draft(body), Draft(b"next")], STAMP)
    assert [record.body for record in await store.log.read(KEY, 0)] == [body, b"next"]


@pytest.mark.parametrize("text", ["", "äöü ✓ 𝄞", "a\0b", 'it\'s "quoted" \\ % _ {x}', "x" * 500])
async def test_stamps_and_keys_hold_any_text(store: Store, text: str) -> None:
    """Names and labels come back as they went in."""
    key = LogKey(f"team/{text}")
    [record] = await store.log.append(key, 0, drafts("1"), replace(STAMP, by=text, via=text, cause=text))
    assert (record.by, record.via, record.cause) == (text, text, text)
    assert await store.log.read(key, 0) == [record]


async def test_keys_are_told_apart_exactly(store: Store) -> None:
    """Neither case, nor a common beginning, nor a wildcard makes two logs one."""
    keys = [LogKey(text) for text in ("a", "A", "a/b", "a/", "a ", "%", "a*", "á", "a\u0301")]
    for key in keys:
        await store.log.append(key, 0, drafts(key), STAMP)
    assert [texts(await store.log.read(key, 0)) for key in keys] == [[key] for key in keys]


async def test_a_writer_behind_is_told_what_it_missed(store: Store) -> None:
    """A conflict carries the head and every record after the believed position, and nothing is added."""
    added = await store.log.append(KEY, 0, drafts("1", "2", "3"), STAMP)
    with pytest.raises(Conflict) as conflict:
        await store.log.append(KEY, 1, drafts("x", "y"), STAMP)
    assert conflict.value.head == 3
    assert list(conflict.value.tail) == added[1:]
    assert await store.log.read(KEY, 0) == added


async def test_a_writer_ahead_is_told_where_the_log_is(store: Store) -> None:
    """Believing in a position that does not exist is a conflict with an empty tail."""
    added = await store.log.append(KEY, 0, drafts("1"), STAMP)
    for key, head in ((KEY, 1), (OTHER, 0)):
        with pytest.raises(Conflict) as conflict:
            await store.log.append(key, 7, drafts("x"), STAMP)
        assert (conflict.value.head, list(conflict.value.tail)) == (head, [])
    assert await store.log.read(KEY, 0) == added
    assert await store.log.read(OTHER, 0) == []


async def test_the_tail_of_a_conflict_ends_at_a_thousand_records(store: Store) -> None:
    """Who is far behind gets the next thousand, and the head to see how much is left."""
    await fill(store, KEY, 1500)
    with pytest.raises(Conflict) as conflict:
        await store.log.append(KEY, 10, drafts("x"), STAMP)
    assert conflict.value.head == 1500
    assert positions(conflict.value.tail) == list(range(11, 1011))


async def test_a_writer_learns_what_another_process_appended(store: Store, another: Store) -> None:
    """What a process remembers of a log does not survive another's append."""
    await store.log.append(KEY, 0, drafts("1"), STAMP)
    theirs = await another.log.append(KEY, 1, drafts("2"), STAMP)
    with pytest.raises(Conflict) as conflict:
        await store.log.append(KEY, 1, drafts("x"), STAMP)
    assert (conflict.value.head, list(conflict.value.tail)) == (2, theirs)
    await store.log.append(KEY, 2, drafts("3"), STAMP)
    assert texts(await another.log.read(KEY, 0)) == ["1", "2", "3"]


async def test_of_fifty_appends_at_one_position_one_wins(store: Store, another: Store) -> None:
    """From two processes at once: one winner, forty-nine conflicts that all carry the winner."""
    races = [(store, another)[n % 2].log.append(KEY, 0, drafts(f"{n}a", f"{n}b"), STAMP) for n in range(50)]
    outcomes: list[Outcome] = list(await asyncio.gather(*races, return_exceptions=True))
    won = [outcome for outcome in outcomes if isinstance(outcome, list)]
    lost = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
    assert (len(won), len(lost)) == (1, 49)
    assert await store.log.read(KEY, 0) == won[0]
    assert all((conflict.head, list(conflict.tail)) == (2, won[0]) for conflict in lost)


async def test_appends_queued_after_one_another_all_succeed(store: Store) -> None:
    """A caller need not wait for one append before asking for the next: the second sees the first."""
    asked = [store.log.append(KEY, 2 * n, drafts(f"{n}a", f"{n}b", line=True), STAMP) for n in range(100)]
    added = await asyncio.gather(*asked)
    records = await store.log.read(KEY, 0)
    assert [record for batch in added for record in batch] == records
    assert positions(records) == [record.line for record in records] == list(range(1, 201))


async def test_a_conflict_does_not_touch_its_neighbours(store: Store) -> None:
    """Appends asked for at the same moment each stand alone."""
    asked = [(KEY, 0), (KEY, 5), (OTHER, 0), (OTHER, 3), (KEY, 1), (OTHER, 1)]
    outcomes: list[Outcome] = list(
        await asyncio.gather(
            *(store.log.append(key, after, drafts(f"{after}"), STAMP) for key, after in asked), return_exceptions=True
        )
    )
    assert [isinstance(outcome, Conflict) for outcome in outcomes] == [False, True, False, True, False, False]
    assert texts(await store.log.read(KEY, 0)) == texts(await store.log.read(OTHER, 0)) == ["0", "1"]


async def test_read_pages_through_a_long_log(store: Store) -> None:
    """A page ends at its limit, a thousand unless told, and the next one goes on from there."""
    await fill(store, KEY, 1200)
    assert positions(await store.log.read(KEY, 0)) == list(range(1, 1001))
    assert positions(await store.log.read(KEY, 1000)) == list(range(1001, 1201))
    assert positions(await store.log.read(KEY, 3, limit=2)) == [4, 5]
    assert await store.log.read(KEY, 1200) == await store.log.read(KEY, 9999) == []


async def test_a_dropped_log_starts_a_new_life(store: Store, another: Store) -> None:
    """Nothing of the old life shows: not its entries, positions, lines or times, in no process."""
    await store.log.append(KEY, 0, drafts("1", "2", line=True), STAMP)
    await another.log.append(OTHER, 0, drafts("stays"), STAMP)
    await another.log.drop(KEY)
    assert await store.log.read(KEY, 0) == await another.log.read(KEY, 0) == []
    with pytest.raises(Conflict) as conflict:
        await store.log.append(KEY, 2, drafts("3"), STAMP)
    assert (conflict.value.head, list(conflict.value.tail)) == (0, [])
    [record] = await store.log.append(KEY, 0, drafts("new", line=True), replace(STAMP, at=Instant(NOON - 1)))
    assert (record.position, record.line, record.at) == (1, 1, NOON - 1)
    assert await another.log.read(KEY, 0) == [record]
    assert texts(await store.log.read(OTHER, 0)) == ["stays"]


async def test_dropping_goes_in_step_with_appends(store: Store) -> None:
    """Append, drop, append, asked for at once, happen in that order."""
    await asyncio.gather(
        store.log.append(KEY, 0, drafts("old"), STAMP),
        store.log.drop(KEY),
        store.log.append(KEY, 0, drafts("new"), STAMP),
    )
    assert texts(await store.log.read(KEY, 0)) == ["new"]


async def test_dropping_a_long_or_an_unknown_log(store: Store) -> None:
    """The size of a log does not matter, nor whether there is one."""
    await fill(store, KEY, 5000)
    await store.log.drop(KEY)
    await store.log.drop(OTHER)
    assert await store.log.read(KEY, 0) == []


async def test_closing_finishes_what_was_accepted(store: Store, another: Store) -> None:
    """Appends asked for before the close are answered and durable."""
    asked = [store.log.append(KEY, n, drafts(f"{n}"), STAMP) for n in range(50)]
    await asyncio.gather(*asked, store.close())
    assert len(await another.log.read(KEY, 0)) == 50
