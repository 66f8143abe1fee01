"""When an open question is open no more (agent-room §13)."""

from dataclasses import replace

import pytest

from stateroom.core.answering import answered
from stateroom.core.ids import Instant
from stateroom.core.memory import MemoryFact, Source

HERE, THERE = "ABC-DEF-GHJ", "XYZ-DEF-GHJ"


def fact(id, category, text, at=5, room=HERE, about="", title=""):
    source = (Source(room, 3, Instant(at)),) if room else ()
    return MemoryFact(id, category, text, source, Instant(at), about, title=title)


def question(text, **more):
    return fact("M-Q", "open_questions", text, **more)


TASK = question("T-03 write the docs", about=f"{HERE} T-03", title="write the docs")


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        (TASK, fact("M-1", "deliverables", "wrote it (done by ann)", about=f"{HERE} T-03")),
        (TASK, fact("M-1", "decisions", "T-03 write docs")),
        (TASK, fact("M-1", "facts", "t-03 is shipped")),
        (TASK, fact("M-1", "decisions", f"T-03 of {HERE} is not needed", room=THERE)),
        (TASK, fact("M-1", "deliverables", "Write docs (done by cy)", room=THERE, about="x T-9", title="Write docs")),
        (question("Write the docs"), fact("M-1", "deliverables", "d (done by b)", about="x T-9", title="write docs")),
        (question("which cache?"), fact("M-1", "decisions", "Which cache!")),
        (question("T-03 needs a test"), fact("M-1", "deliverables", "d (done by b)", about=f"{HERE} T-03")),
        (question("which cache", room=""), fact("M-1", "decisions", "which cache", room="")),
    ],
)
def test_it_is_answered(asked, known):
    """By what says the same, by the done task it was about, or by what names its one task."""
    assert answered([asked, known]) == ["M-Q"]


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        (TASK, fact("M-1", "deliverables", "d (done by b)", about=f"{THERE} T-03", title="d")),
        (TASK, fact("M-1", "facts", "T-03 is shipped", room=THERE)),
        (TASK, fact("M-1", "facts", "T-03 is shipped", room="")),
        (TASK, fact("M-1", "decisions", "T-03 waits for T-04")),
        (TASK, fact("M-1", "facts", "T-030 is shipped")),
        (TASK, fact("M-1", "decisions", "T-03 goes to Bob", at=4)),
        (TASK, fact("M-1", "lessons", "T-03 was rejected: no test")),
        (TASK, fact("M-1", "preferences", "T-03 write the docs")),
        (TASK, fact("M-1", "open_questions", "T-03 write the docs")),
        (question("T-03 and T-04 need a test"), fact("M-1", "deliverables", "d (done by b)", about=f"{HERE} T-03")),
        (question("which cache"), fact("M-1", "decisions", "not which cache")),
        (question("write the docs"), fact("M-1", "facts", "write the docs", at=4)),
    ],
)
def test_it_stays_open(asked, known):
    """What was said before it, of another room's task, of several tasks, or by no answer, answers nothing."""
    assert "M-Q" not in answered([asked, known])


def test_a_question_of_two_rooms_is_about_no_one_task():
    """Each means its own T-03, and only one of them is done."""
    sources = (Source(HERE, 3, Instant(5)), Source(THERE, 3, Instant(5)))
    asked = replace(question("T-03 needs a test"), sources=sources)
    for room in (HERE, THERE):
        assert answered([asked, fact("M-1", "deliverables", "d (done by b)", about=f"{room} T-03")]) == []


def test_nobody_answers_himself():
    """A question alone is open, and so are two."""
    assert answered([TASK]) == []
    assert answered([]) == []
