"""The board's rules, one line each."""

import pytest

from stateroom.core.refusals import (
    DependencyCycle,
    Refusal,
    SelfDependency,
    TaskHeld,
    TaskMoved,
    TooLong,
    UnknownDependency,
    UnknownTask,
)
from stateroom.core.tasks import (
    NOBODY,
    LinkTask,
    MoveTask,
    OpenTask,
    PrioritizeTask,
    RemoveTask,
    TaskBlocked,
    TaskClaimed,
    TaskDescribed,
    TaskFinished,
    TaskLinked,
    TaskOpened,
    TaskPrioritized,
    TaskReassigned,
    TaskRemoved,
    TaskReturned,
)
from stateroom.core.views.board import mine, unblocked
from stateroom.testing.scenes import Scene

ONE = ("ann", OpenTask("one"))
TWO = ("ann", OpenTask("two"))
HELD = ("ann", MoveTask("T-01", "held", owner="ann"))


@pytest.mark.parametrize(
    ("given", "by", "wish", "facts"),
    [
        ([], "ann", OpenTask("x"), [TaskOpened]),
        ([ONE], "ann", MoveTask("T-01", "held", owner="ann"), [TaskClaimed]),
        ([ONE], "ann", MoveTask("T-01", "held"), [TaskClaimed]),
        ([ONE, HELD], "bob", MoveTask("T-01", "held", owner="bob", takeover=True), [TaskClaimed]),
        ([ONE, HELD], "bob", MoveTask("T-01", "done"), [TaskFinished]),
        ([ONE, HELD], "bob", MoveTask("T-01", "blocked"), [TaskBlocked]),
        ([ONE, HELD], "ann", MoveTask("T-01", "open"), [TaskReturned]),
        ([ONE], "ann", MoveTask("T-01", "open", owner="bob"), [TaskReassigned]),
        ([ONE], "ann", MoveTask("T-01", "open", note="more"), [TaskDescribed]),
        ([ONE, HELD], "ann", MoveTask("T-01", "held", owner="ANN "), []),
        ([ONE], "ann", MoveTask("T-01", "open"), []),
        ([ONE], "ann", PrioritizeTask("T-01", 1), [TaskPrioritized]),
        ([ONE, ("ann", PrioritizeTask("T-01", 1))], "ann", PrioritizeTask("T-01", 1), []),
        ([ONE, TWO], "ann", LinkTask("T-02", "T-01"), [TaskLinked]),
        ([ONE, TWO, ("ann", LinkTask("T-02", "T-01"))], "ann", LinkTask("T-02", "T-01"), []),
        ([ONE], "ann", RemoveTask("T-01"), [TaskRemoved]),
    ],
)
def test_what_follows_from_a_wish(given, by, wish, facts):
    """Each wish about a task has exactly these facts; a wish that changes nothing has none (W-24)."""
    events = Scene(*given).when(by, wish)
    assert [type(event) for event in events if event.told] == facts


@pytest.mark.parametrize(
    ("given", "by", "wish", "no"),
    [
        ([], "ann", MoveTask("T-09", "held"), UnknownTask),
        ([], "ann", PrioritizeTask("T-09", 1), UnknownTask),
        ([], "ann", RemoveTask("T-09"), UnknownTask),
        ([ONE], "ann", LinkTask("T-01", "T-09"), UnknownDependency),
        ([ONE], "ann", LinkTask("T-09", "T-01"), UnknownTask),
        ([ONE], "ann", LinkTask("T-01", "T-01"), SelfDependency),
        ([ONE, HELD], "bob", MoveTask("T-01", "held", owner="bob"), TaskHeld),
        ([ONE, HELD], "bob", MoveTask("T-01", "done", owner="bob"), TaskHeld),
        ([ONE, HELD], "ann", MoveTask("T-01", "done", expected_state="open"), TaskMoved),
        ([ONE, HELD], "ann", MoveTask("T-01", "done", expected_owner="bob"), TaskMoved),
        ([ONE, HELD], "ann", MoveTask("T-01", "done", expected_owner=NOBODY), TaskMoved),
        ([ONE, TWO, ("ann", LinkTask("T-02", "T-01"))], "ann", LinkTask("T-01", "T-02"), DependencyCycle),
        ([], "ann", OpenTask("x" * 1001), TooLong),
        ([], "ann", OpenTask("x", "y" * 16_001), TooLong),
        ([], "ann", OpenTask("x", depends_on=("T-01",)), SelfDependency),
        ([], "ann", OpenTask("x", depends_on=tuple(map(str, range(101)))), TooLong),
    ],
)
def test_what_is_refused(given, by, wish, no):
    """Each refusal is raised, names its facts, and changes nothing (the scene checks that)."""
    scene = Scene(*given)
    with pytest.raises(no) as refused:
        scene.when(by, wish)
    assert isinstance(refused.value, Refusal)
    assert str(refused.value)


def test_a_claim_names_the_real_holder():
    """The loser of a claim is told who has the task and for how long (W-18)."""
    scene = Scene(ONE, HELD)
    with pytest.raises(TaskHeld, match="ann has held it for 35 s"):
        scene.when("bob", MoveTask("T-01", "held", owner="bob"), after_s=35)


def test_an_owner_can_be_cleared():
    """Clearing the owner frees the task for whoever comes next (W-19)."""
    scene = Scene(ONE, HELD, ("ann", MoveTask("T-01", "open", owner=NOBODY)))
    assert scene.room.board.find("T-01").owner is None


def test_notes_are_kept_as_history():
    """A note replaces the description, and what was written before stays (W-19); the newest twenty."""
    scene = Scene(ONE, *[("ann", MoveTask("T-01", "open", note=f"note {n}")) for n in range(25)])
    assert scene.room.board.find("T-01").description == "note 24"
    assert [note.text for note in scene.room.board.notes["T-01"]] == [f"note {n}" for n in range(5, 25)]


def test_a_circle_is_shown():
    """The refusal of a cycle shows the whole way round (W-21)."""
    links = [("ann", LinkTask("T-02", "T-01")), ("ann", LinkTask("T-03", "T-02"))]
    scene = Scene(ONE, TWO, ("ann", OpenTask("three")), *links)
    with pytest.raises(DependencyCycle, match="T-01 → T-03 → T-02 → T-01"):
        scene.when("ann", LinkTask("T-01", "T-03"))


def test_removing_a_task_reports_who_waits_for_it():
    """Dangling dependencies are named, not silent (W-21)."""
    scene = Scene(ONE, TWO, ("ann", LinkTask("T-02", "T-01")))
    (removed,) = scene.when("ann", RemoveTask("T-01"))
    assert removed.dependents == ("T-02",)
    assert scene.room.board.missing(scene.room.board.find("T-02")) == ["T-01"]


def test_ids_never_come_back():
    """A removed task's id is not given to another."""
    scene = Scene(ONE, ("ann", RemoveTask("T-01")), TWO)
    assert list(scene.room.board.tasks) == ["T-02"]


def test_unblocked_means_ready_and_sorted_by_priority():
    """Open, every dependency on the board and done; lower priority first, then plan order (W-20)."""
    scene = Scene(
        ONE,
        TWO,
        ("ann", OpenTask("three", depends_on=("T-01",))),
        ("ann", OpenTask("four", depends_on=("T-77",))),
        ("ann", OpenTask("five", priority=1)),
    )
    assert [task.id for task in unblocked(scene.room)] == ["T-05", "T-01", "T-02"]
    scene.when("ann", MoveTask("T-01", "done"))
    assert [task.id for task in unblocked(scene.room)] == ["T-05", "T-02", "T-03"]
    scene.when("ann", MoveTask("T-02", "open", owner="bob"))
    assert [task.id for task in unblocked(scene.room, "ann")] == ["T-05", "T-03"]
    assert [task.id for task in mine(scene.room, "BOB")] == ["T-02"]
