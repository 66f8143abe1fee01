"""What a project remembers: how facts are found again, gather sources, and are ranked (agent-room §13)."""

from dataclasses import replace

import pytest

from stateroom.core import memory
from stateroom.core.ids import Instant
from stateroom.core.memory import FACT_CHARS, SOURCES_KEPT, Candidate, Known, MemoryFact, Source
from stateroom.core.refusals import BadFact, BadText, TooLong

DAY = 86_400_000


def fact(text, category="facts", at=0, said=1, id="M-01", about=""):
    return MemoryFact(id, category, text, (Source("ABC-DEF-GHJ", 3, Instant(at)),), Instant(at), about, said=said)


def candidate(text, room="XYZ", line=9, at=5):
    return Candidate("facts", text, Source(room, line, Instant(at)))


def test_a_fact_is_found_by_what_it_says_in_its_category():
    """Not by what only resembles it, nor by the words it had before."""
    known = Known([fact("Uses Redis"), fact("deploys automaitc", id="M-02")])
    assert known.find("facts", "the uses redis!").id == "M-01"
    assert known.find("facts", "deploys automatic").id == "M-02"
    assert known.find("decisions", "Uses Redis") is None
    assert known.find("facts", "Never uses Redis") is None
    known.keep(fact("Uses Valkey"))
    assert known.find("facts", "Uses Redis") is None
    assert known.find("facts", "Uses Valkey").id == "M-01"


def test_an_open_question_is_found_by_its_task():
    """Whatever the task is called now; a fact is not, nor is a question about nothing."""
    known = Known([fact("T-01 one", "open_questions", about="A T-01"), fact("x y", id="M-02", about="A T-02")])
    assert known.find("open_questions", "T-01 two (blocked)", "A T-01").id == "M-01"
    assert known.find("open_questions", "T-01 two", "B T-01") is None
    assert known.find("open_questions", "else", "") is None
    assert known.find("facts", "else", "A T-02") is None
    assert known.find("open_questions", "else", "A T-02") is None


def test_said_again_adds_a_source_and_takes_the_newest_words():
    """Not when it is the same line, not over what somebody has written, and not with older words."""
    known = fact("Uses Redis", at=1)
    again = memory.said_again(known, candidate("uses redis"))
    assert (again.text, again.said, again.at, len(again.sources)) == ("uses redis", 2, 5, 2)
    assert memory.said_again(again, candidate("Uses Redis")) is again
    late = memory.said_again(again, candidate("USES REDIS", "OLD", 1, at=3))
    assert (late.text, late.at, late.said) == ("uses redis", 5, 3)
    assert [one.at for one in late.sources] == [1, 3, 5]
    edited = replace(known, edited=True, text="mine")
    assert memory.said_again(edited, candidate("theirs")).text == "mine"


def test_so_many_sources_are_kept():
    """The newest; how often it was said is still counted."""
    known = fact("Uses Redis", at=1)
    for line in range(10, 20):
        known = memory.said_again(known, candidate("Uses Redis", line=line, at=line))
    assert [one.line for one in known.sources] == list(range(20 - SOURCES_KEPT, 20))
    assert known.said == 11


def test_newer_and_more_often_said_comes_first():
    """Being said once more counts as a week, so often at most that nobody can talk a fact up."""
    old, often, new = fact("old", at=0), fact("often", at=DAY, said=3), fact("new", at=10 * DAY)
    assert [one.text for one in memory.rank([old, new, often], "facts")] == ["often", "new", "old"]
    loud, news = fact("loud", at=0, said=1_000), fact("news", at=30 * DAY)
    assert [one.text for one in memory.rank([loud, news], "facts")] == ["news", "loud"]


@pytest.mark.parametrize(
    ("text", "refused"), [("", BadFact), (" ... ", BadFact), ("x" * (FACT_CHARS + 1), TooLong), ("a\x00b", BadText)]
)
def test_what_is_no_fact(text, refused):
    """Nothing is remembered of it."""
    with pytest.raises(refused):
        memory.fact_text(text)
