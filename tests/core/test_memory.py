"""What a project remembers: which facts are the same, what matters most, and how much of it fits (agent-room §13)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core import memory
from stateroom.core.ids import Instant
from stateroom.core.memory import CATEGORIES, FACT_CHARS, Candidate, MemoryFact, Source, tokens
from stateroom.core.refusals import BadFact, BadText, TooLong

DAY = 86_400_000


def fact(text, category="facts", at=0, said=1, about="", room="ABC-DEF-GHJ"):
    return MemoryFact("M-01", category, text, (Source(room, 3, Instant(at)),), Instant(at), about, said=said)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Uses Redis", "uses  redis."),
        ("The API is versioned", "API versioned!"),
        ("We use SQLite for the sessions", "use SQLite for sessions"),
        ("Tests run nightly", "Test runs nightly"),
        ("deploys are automatic", "deploys are automaitc"),
        ("ＡＰＩ", "api"),
    ],
)
def test_the_same_said_otherwise_is_one_fact(one, other):
    """Case, spaces, punctuation, articles, a plural, two letters that changed places."""
    assert memory.near(tokens(one), tokens(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Uses Redis", "Never uses Redis"),
        ("Uses Redis", "Uses Redis for sessions only"),
        ("Uses Redis", "Uses SQLite"),
        ("limit is 5", "limit is 50"),
        ("limit is 5", "limit is -5"),
        ("Python 3.11", "Python 3.12"),
        ("contact rules", "contract rules"),
        ("the encoder is slow", "the decoder is slow"),
        ("safe to call", "unsafe to call"),
        ("Ann reviews Bob", "Bob reviews Ann"),
        ("X is used", "X was used"),
        ("must be done", "must not be done"),
        ("T-01 is open", "T-02 is open"),
        ("!important holds", "important holds"),
    ],
)
def test_what_differs_in_meaning_is_two_facts(one, other):
    """A short fact is never lost in a longer one, a negation and a number always count (gap 93)."""
    assert not memory.near(tokens(one), tokens(other))
    assert memory.find([fact(one)], "facts", other) is None


def test_said_again_adds_a_source_and_takes_the_newest_words():
    """Not when it is the same line, and not over what somebody has written."""
    known = fact("Uses Redis", at=1)
    again = memory.said_again(known, Candidate("facts", "uses redis", Source("XYZ", 9, Instant(5))), Instant(5))
    assert (again.text, again.said, again.at, len(again.sources)) == ("uses redis", 2, 5, 2)
    assert memory.said_again(again, Candidate("facts", "Uses Redis", Source("XYZ", 9, Instant(5))), Instant(6)) is again
    edited = MemoryFact("M-01", "facts", "mine", (), Instant(1), edited=True)
    assert (
        memory.said_again(edited, Candidate("facts", "theirs", Source("X", 1, Instant(2))), Instant(2)).text == "mine"
    )


def test_an_open_question_is_answered():
    """By what says the same, or by the done task it was about; not by another question."""
    question = fact("T-03 write the docs", "open_questions", about="ABC T-03")
    assert memory.answers(fact("write docs (done by ann)", "deliverables", about="ABC T-03"), question)
    assert memory.answers(fact("T-03 write docs", "decisions"), question)
    assert not memory.answers(fact("write docs", "deliverables", about="XYZ T-03"), question)
    assert not memory.answers(question, question)


def test_newer_and_more_often_said_comes_first():
    """Being said once more counts as a week."""
    old, often, new = fact("old", at=0), fact("often", at=DAY, said=3), fact("new", at=10 * DAY)
    assert [one.text for one in memory.rank([old, new, often], "facts")] == ["often", "new", "old"]


def test_no_category_eats_the_budget():
    """Each has its share, the most important get what is left, and it is told how many are left out."""
    many = [fact(f"decision number {n} " + "x" * 80, "decisions", at=n) for n in range(100)]
    few = [fact("keep it small", "preferences"), fact("it was slow", "lessons")]
    told = memory.told([*many, *few], 2_000)
    assert len(told.text) <= 2_000
    assert "keep it small (ABC-DEF-GHJ, line 3)" in told.text
    assert "it was slow" in told.text
    assert told.text.startswith("### Decisions\n- decision number 99")
    assert told.left_out == 102 - told.text.count("\n- ")
    assert memory.told([], 2_000).text == ""
    assert memory.told(many, 0).left_out == 100


@given(
    st.lists(st.tuples(st.sampled_from(CATEGORIES), st.text("ab ", min_size=1, max_size=300)), max_size=40),
    st.integers(0, 3_000),
)
def test_what_is_told_fits_and_nothing_is_told_twice(facts, budget):
    """Whatever is remembered, and however little may be said."""
    known = [fact(text, category, at=n) for n, (category, text) in enumerate(facts)]
    told = memory.told(known, budget)
    assert len(told.text) <= budget
    assert told.text.count("\n- ") == len(known) - told.left_out


@pytest.mark.parametrize(
    ("text", "refused"), [("", BadFact), (" ... ", BadFact), ("x" * (FACT_CHARS + 1), TooLong), ("a\x00b", BadText)]
)
def test_what_is_no_fact(text, refused):
    """Nothing is remembered of it."""
    with pytest.raises(refused):
        memory.fact_text(text)
