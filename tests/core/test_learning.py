"""What a room leaves to its project, with where it was said (agent-room §13)."""

from dataclasses import replace

from stateroom.core.context import WriteContext
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.messages import WithdrawMessage
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import Say
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.core.views.learning import MOST, learned, telling
from stateroom.testing.scenes import Scene

OPEN = ("", OpenRoom("talk", "ABC-DEF-GHJ", "open", "Cache"))
SHOWN = SubmitTask("T-01", "a.py", "x = 1", "1 passed", 0)


def left(*given):
    scene = Scene(OPEN, ("ann", TakeSeat("human")), ("bob", TakeSeat()), *given)
    return [(one.category, one.text, one.source.line) for one in learned(scene.room, filter(telling, scene.log))]


def test_marks_become_facts_with_their_lines():
    """Decisions, results and open to-dos; a status passes."""
    assert left(
        ("ann", Say("[DECISION] use SQLite\n[TODO] @bob: write the migration")),
        ("bob", Say("[STATUS] at it")),
        ("bob", Say("[RESULT] it takes 3 ms")),
    ) == [
        ("decisions", "use SQLite", 1),
        ("facts", "it takes 3 ms", 3),
        ("open_questions", "@bob: write the migration", 1),
    ]


def test_a_decision_that_declines_says_so():
    """It is remembered as what was decided against, and is another fact than its opposite."""
    found = left(("ann", Say("[DECISION] rejected: use Redis\n[DECISION] use Redis")))
    assert found == [("decisions", "rejected: use Redis", 1), ("decisions", "use Redis", 1)]


def test_tasks_leave_what_came_of_them():
    """A verified one with who did it and who checked; an open one as a question; a rejection as a lesson."""
    found = left(
        ("ann", OpenTask("fix login", verifier="ann")),
        ("ann", OpenTask("write docs")),
        ("bob", SHOWN),
        ("ann", VerifyTask("T-01", "rejected", "no test")),
        ("bob", replace(SHOWN, file_listing="b.py")),
        ("ann", VerifyTask("T-01", "done")),
    )
    assert found == [
        ("deliverables", "fix login (done by bob, verified by ann)", 6),
        ("open_questions", "T-02 write docs", 2),
    ]
    lessons = left(
        ("ann", OpenTask("fix it", dod="x")), ("bob", SHOWN), ("ann", VerifyTask("T-01", "rejected", "no test"))
    )
    assert ("lessons", "fix it was rejected: no test", 3) in lessons
    assert left(("ann", OpenTask("plain")), ("bob", MoveTask("T-01", "done", "bob")))[0][:2] == (
        "deliverables",
        "plain (done by bob)",
    )


def test_documents_leave_their_summaries():
    """A decision record is a decision; where it was no line of the transcript, none is named."""
    adr = {"title": "t", "decision": "d", "rationale": "r", "alternatives": [], "consequences": []}
    assert left(
        ("ann", WriteContext("arch_decision", "events, not rows", adr, ("bob",))),
        ("bob", WriteContext("note", "the port is 7373", {"text": "t"})),
    ) == [("decisions", "events, not rows", 1), ("facts", "the port is 7373", 0)]


def test_what_was_withdrawn_leaves_nothing():
    """Nor does an empty room."""
    assert left() == []
    assert left(("ann", Say("[DECISION] oops")), ("ann", WithdrawMessage(4))) == []


def test_thousands_of_marks_are_bounded():
    """The newest, each on one line of bounded length."""
    says = [("ann", Say("\n".join(f"[RESULT] number {n} {m} " + "x" * 500 for m in range(50)))) for n in range(40)]
    found = left(*says)
    assert len(found) == MOST
    assert found[-1][1].startswith("number 39 49 ")
    assert all(len(text) <= 1_000 for _, text, _ in found)


def test_many_tasks_leave_room_for_the_decision():
    """Each category is bounded by itself."""
    found = left(("ann", Say("[DECISION] use SQLite")), *[("ann", OpenTask(f"task {n}")) for n in range(MOST + 5)])
    assert found[0] == ("decisions", "use SQLite", 1)
    assert len(found) == MOST + 1
    assert found[-1][1] == f"T-{MOST + 5} task {MOST + 4}"


def test_what_is_learned_says_where_it_stood():
    """Its place in the log, so that a room which goes on is not learned from its beginning; a task's title apart."""
    scene = Scene(OPEN, ("ann", TakeSeat("human")), ("ann", Say("[DECISION] x y")), ("ann", OpenTask("fix  login")))
    decision, task = learned(scene.room, scene.log)
    said, opened = (entry.position for entry in scene.log[-2:])
    assert (decision.position, task.position) == (said, opened)
    assert (task.title, task.about) == ("fix login", "ABC-DEF-GHJ T-01")


def test_only_what_may_be_remembered_is_kept_while_reading():
    """A long room is mostly talk."""
    scene = Scene(OPEN, ("ann", TakeSeat("human")), ("ann", Say("hello")), ("ann", Say("[RESULT] x")))
    assert [telling(entry) for entry in scene.log][-2:] == [False, True]
