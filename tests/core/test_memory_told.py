"""A memory as newcomers are told it: how much of it fits, and that nobody eats all of it (agent-room §13)."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.ids import Instant
from stateroom.core.memory import BUDGET_CHARS, CATEGORIES, FACTS_KEPT, LABELS, MemoryFact, Source
from stateroom.core.views.memory import SHARES, told

SAID = st.lists(st.tuples(st.sampled_from(CATEGORIES), st.text("ab ", min_size=1, max_size=300)), max_size=40)


def fact(text, category="facts", at=0):
    return MemoryFact("M-01", category, text, (Source("ABC-DEF-GHJ", 3, Instant(at)),), Instant(at))


def test_no_category_eats_the_budget():
    """Each has its share, the most important get what is left, and it is told how many are left out."""
    many = [fact(f"decision number {n} " + "x" * 80, "decisions", at=n) for n in range(100)]
    few = [fact("keep it small", "preferences"), fact("it was slow", "lessons")]
    found = told([*many, *few], 2_000)
    assert len(found.text) <= 2_000
    assert "keep it small (ABC-DEF-GHJ, line 3)" in found.text
    assert "it was slow" in found.text
    assert found.text.startswith("### Decisions\n- decision number 99")
    assert found.left_out == 102 - found.text.count("\n- ")
    assert told([], 2_000).text == ""
    assert told(many, 0).left_out == 100


def test_a_full_memory_still_tells_of_everything():
    """The shares together are the whole budget, so that the last category has what it can be sure of."""
    assert abs(sum(SHARES.values()) - 1) < 1e-9
    full = [fact(f"{n} {'x' * 240}", one, at=n) for one in CATEGORIES for n in range(FACTS_KEPT)]
    found = told(full)
    assert all(f"### {label}\n- " in found.text for label in LABELS.values())
    assert len(found.text) <= BUDGET_CHARS


def test_a_fact_that_is_too_long_lets_shorter_ones_pass():
    """It is told whole or not at all; what passes keeps its rank."""
    found = told([fact("x" * 900, at=9), fact("short", at=3), fact("shorter", at=5)], 300)
    assert found.text == "### Facts\n- shorter (ABC-DEF-GHJ, line 3)\n- short (ABC-DEF-GHJ, line 3)"
    assert found.left_out == 1


def test_what_did_not_fit_a_share_still_stands_where_it_ranks():
    """It got what others have left, after those behind it had been chosen."""
    found = told([fact("long " + "x" * 300, at=9), fact("short", at=3)], 1_000)
    assert found.text.index("long") < found.text.index("short")


def test_room_to_say_so_is_kept_only_where_something_is_left_out():
    """A memory that fits is told to the last character."""
    few = [fact("short")]
    whole = told(few)
    assert told(few, len(whole.text) + 1, spare=100).text == whole.text
    many = [fact(f"number {n}", at=n) for n in range(200)]
    assert len(told(many, 1_000, spare=100).text) <= 900
    assert told(many, 50, spare=100).text == ""


def test_where_it_was_said_is_told_with_it():
    """The newest source; the room alone for what was no line, nothing for what somebody noted."""
    noted = replace(fact("noted"), sources=())
    twice = replace(fact("twice"), sources=(Source("A", 1, Instant(1)), Source("B", 0, Instant(2))))
    assert told([noted, twice]).text == "### Facts\n- noted\n- twice (B)"


@given(SAID, st.integers(0, 3_000), st.integers(0, 200))
def test_what_is_told_fits_and_nothing_is_told_twice(facts, budget, spare):
    """Whatever is remembered, and however little may be said."""
    known = [fact(text, category, at=n) for n, (category, text) in enumerate(facts)]
    found = told(known, budget, spare)
    assert len(found.text) + (spare if found.left_out and found.text else 0) <= budget
    assert found.text.count("\n- ") == len(known) - found.left_out
