"""The board's rules, one line each."""

import pytest

from stateroom.core.refusals import (
    BadName,
    BadText,
    DependencyCycle,
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
from stateroom.testing.scenes import START, Scene

ONE, TWO, THREE = (("ann", OpenTask(title)) for title in ("one", "two", "three"))
HELD = ("ann", MoveTask("T-01", "held", owner="ann"))
DONE = ("ann", MoveTask("T-01", "done"))
BLOCKED = ("ann", MoveTask("T-01", "blocked"))
FOR_BOB = ("ann", MoveTask("T-01", "open", owner="bob"))
WAITS = ("ann", LinkTask("T-02", "T-01"))
"""T-02 waits for T-01."""


@pytest.mark.parametrize(
    ("given", "by", "wish", "expected"),
    [
        # from open
        ([ONE], "ann", MoveTask("T-01", "open"), ()),
        ([ONE], "ann", MoveTask("T-01", "held"), TaskClaimed),
        ([ONE], "ann", MoveTask("T-01", "held", owner="ann"), TaskClaimed),
        ([ONE], "ann", MoveTask("T-01", "done"), TaskFinished),
        ([ONE], "ann", MoveTask("T-01", "blocked"), TaskBlocked),
        ([ONE], "ann", MoveTask("T-01", "open", owner="bob"), TaskReassigned),
        ([ONE], "ann", MoveTask("T-01", "open", note="more"), TaskDescribed),
        ([ONE], "ann", MoveTask("T-01", "open", note=""), ()),
        ([ONE, FOR_BOB], "ann", MoveTask("T-01", "held", owner="ann"), TaskClaimed),
        ([ONE, FOR_BOB], "ann", MoveTask("T-01", "open", owner=NOBODY), TaskReassigned),
        # from held
        ([ONE, HELD], "ann", MoveTask("T-01", "held"), ()),
        ([ONE, HELD], "ann", MoveTask("T-01", "held", owner="ANN "), ()),
        ([ONE, HELD], "bob", MoveTask("T-01", "held"), ()),
        ([ONE, HELD], "ann", MoveTask("T-01", "open"), TaskReturned),
        ([ONE, HELD], "ann", MoveTask("T-01", "held", note="more"), TaskDescribed),
        ([ONE, HELD], "bob", MoveTask("T-01", "done"), TaskFinished),
        ([ONE, HELD], "bob", MoveTask("T-01", "blocked"), TaskBlocked),
        ([ONE, HELD], "bob", MoveTask("T-01", "open", owner=NOBODY), TaskReturned),
        ([ONE, HELD], "bob", MoveTask("T-01", "held", owner="bob"), TaskHeld),
        ([ONE, HELD], "ann", MoveTask("T-01", "held", owner="bob"), TaskHeld),
        ([ONE, HELD], "bob", MoveTask("T-01", "done", owner="bob"), TaskHeld),
        ([ONE, HELD], "bob", MoveTask("T-01", "open", owner="bob"), TaskHeld),
        ([ONE, HELD], "bob", MoveTask("T-01", "held", owner="bob", takeover=True), TaskClaimed),
        ([ONE, HELD], "ann", MoveTask("T-01", "held", owner="bob", takeover=True), TaskClaimed),
        ([ONE, HELD], "bob", MoveTask("T-01", "done", owner="bob", takeover=True), TaskFinished),
        # from blocked and done, where nobody is at work
        ([ONE, HELD, BLOCKED], "bob", MoveTask("T-01", "held", owner="bob"), TaskClaimed),
        ([ONE, HELD, BLOCKED], "ann", MoveTask("T-01", "held"), TaskClaimed),
        ([ONE, HELD, BLOCKED], "ann", MoveTask("T-01", "blocked"), ()),
        ([ONE, HELD, DONE], "ann", MoveTask("T-01", "done"), ()),
        ([ONE, HELD, DONE], "bob", MoveTask("T-01", "open"), TaskReturned),
        ([ONE, HELD, DONE], "bob", MoveTask("T-01", "held", owner="bob"), TaskClaimed),
        # compare and set
        ([ONE], "ann", MoveTask("T-01", "held", expected_state="open", expected_owner=NOBODY), TaskClaimed),
        ([ONE, HELD], "bob", MoveTask("T-01", "done", expected_state="held", expected_owner="Ann "), TaskFinished),
        ([ONE, HELD], "ann", MoveTask("T-01", "done", expected_state="open"), TaskMoved),
        ([ONE, HELD], "ann", MoveTask("T-01", "done", expected_owner="bob"), TaskMoved),
        ([ONE, HELD], "ann", MoveTask("T-01", "done", expected_owner=NOBODY), TaskMoved),
        ([ONE], "ann", MoveTask("T-01", "done", expected_owner="ann"), TaskMoved),
        ([ONE], "ann", MoveTask("T-01", "open", expected_state="held"), TaskMoved),
        ([ONE, HELD], "bob", MoveTask("T-01", "held", owner="bob", expected_state="open"), TaskMoved),
        # the rest
        ([], "ann", MoveTask("T-01", "held"), UnknownTask),
        ([ONE], "ann", MoveTask("t-01", "held"), UnknownTask),
        ([ONE], "ann", MoveTask("T-01", "held", note="x" * 16_001), TooLong),
        ([ONE], "ann", MoveTask("T-01", "held", note="\x00"), BadText),
        ([ONE], "ann", MoveTask("T-01", "held", owner="a\nb"), BadName),
        ([ONE], "ann", PrioritizeTask("T-01", -1), TaskPrioritized),
        ([ONE, ("ann", PrioritizeTask("T-01", 1))], "ann", PrioritizeTask("T-01", 1), ()),
        ([], "ann", PrioritizeTask("T-01", 1), UnknownTask),
        ([ONE], "ann", RemoveTask("T-01"), TaskRemoved),
        ([], "ann", RemoveTask("T-01"), UnknownTask),
        ([ONE, ("ann", RemoveTask("T-01"))], "ann", RemoveTask("T-01"), UnknownTask),
    ],
)
def test_what_follows_from_moving_a_task(given, by, wish, expected):
    """Each wish has exactly this fact, none where nothing changes (W-24), or this refusal (W-18)."""
    Scene(*given).when(by, wish).then(*(expected if isinstance(expected, tuple) else (expected,)))


@pytest.mark.parametrize(
    ("given", "wish", "expected"),
    [
        ([], OpenTask("x"), TaskOpened),
        ([], OpenTask("", ""), TaskOpened),
        ([], OpenTask("x", depends_on=("T-77", "anything")), TaskOpened),
        ([], OpenTask("x", depends_on=("T-01",)), SelfDependency),
        ([("ann", OpenTask("x", depends_on=("T-02",)))], OpenTask("y", depends_on=("T-01",)), DependencyCycle),
        ([], OpenTask("x", depends_on=("x" * 129,)), TooLong),
        ([], OpenTask("x", "y" * 16_001), TooLong),
        ([], OpenTask("x" * 1001), TooLong),
        ([], OpenTask("x\x00"), BadText),
        ([ONE, TWO], LinkTask("T-02", "T-01"), TaskLinked),
        ([ONE, TWO, WAITS], LinkTask("T-02", "T-01"), ()),
        ([ONE, TWO, WAITS], LinkTask("T-01", "T-02"), DependencyCycle),
        ([ONE], LinkTask("T-01", "T-01"), SelfDependency),
        ([ONE], LinkTask("T-01", "T-09"), UnknownDependency),
        ([ONE], LinkTask("T-09", "T-01"), UnknownTask),
        ([], LinkTask("T-09", "T-09"), UnknownDependency),
    ],
)
def test_what_follows_from_opening_and_linking(given, wish, expected):
    """Unknown dependencies are fine at the start, never in a link; nothing ever waits for itself (W-21)."""
    Scene(*given).when("ann", wish).then(*(expected if isinstance(expected, tuple) else (expected,)))


def test_a_task_opens_whole():
    """Open, nobody's, numbered by the room; a dependency named twice is one."""
    task = Scene(("ann", OpenTask("t", "d", ("T-07", "T-08", "T-07"), 3))).room.board.find("T-01")
    assert (task.title, task.description, task.state, task.owner, task.priority) == ("t", "d", "open", None, 3)
    assert (task.depends_on, task.opened_at, task.changed_at) == (("T-07", "T-08"), START, START)


def test_a_fact_carries_the_task_as_it_stands_afterwards():
    """With where it came from, so that a view of one entry needs no other (decision 3)."""
    scene = Scene(ONE)
    answer = scene.when("ann", MoveTask("T-01", "held", note="on it"), at_ms=9)
    answer.then(TaskClaimed, was="open", note="on it")
    assert answer["task"] == scene.room.board.find("T-01")
    assert (answer["task"].description, answer["task"].changed_at) == ("on it", START + 9)


def test_a_claim_names_the_real_holder():
    """The loser is told who has the task and for how long (W-18)."""
    scene = Scene(ONE, HELD, ("ann", MoveTask("T-01", "held", note="still at it"), 20_000))
    loser = scene.when("bob", MoveTask("T-01", "held", owner="bob"), at_ms=35_999)
    loser.then(TaskHeld, task="T-01", holder="ann", held_s=35)


def test_a_takeover_starts_the_clock_anew():
    """Also a holder that comes back after having given it up holds it since then."""
    scene = Scene(ONE, HELD, ("bob", MoveTask("T-01", "held", owner="bob", takeover=True), 50_000))
    scene.when("ann", MoveTask("T-01", "held", owner="ann"), at_ms=60_000).then(TaskHeld, holder="bob", held_s=10)


def test_what_moved_is_told():
    """Which field, what it is, and what was expected (W-18)."""
    scene = Scene(ONE, HELD)
    late = scene.when("bob", MoveTask("T-01", "held", owner="bob", expected_state="open"))
    late.then(TaskMoved, task="T-01", field="status", actual="held", expected="open")
    late = scene.when("bob", MoveTask("T-01", "held", owner="bob", expected_owner=NOBODY))
    late.then(TaskMoved, field="owner", actual="ann", expected="")


def test_an_owner_can_be_cleared():
    """Whoever comes next may take the task (W-19)."""
    scene = Scene(ONE, HELD, ("ann", MoveTask("T-01", "open", owner=NOBODY)))
    assert scene.room.board.find("T-01").owner is None
    scene.when("bob", MoveTask("T-01", "held")).then(TaskClaimed)
    assert scene.room.board.find("T-01").owner == "bob"


def test_an_owner_is_spelled_as_it_was_first():
    """Another spelling of the holder or of whoever asks is the same name."""
    scene = Scene(ONE, ("Bob", MoveTask("T-01", "held", owner=" BOB")))
    assert scene.room.board.find("T-01").owner == "Bob"
    scene.do("ann", MoveTask("T-01", "done", owner="bOB"))
    assert scene.room.board.find("T-01").owner == "Bob"


def test_notes_are_kept_as_history():
    """A note replaces the description, and what was written before stays (W-19): the newest twenty."""
    scene = Scene(ONE, *[("ann", MoveTask("T-01", "open", note=f"note {n}"), n) for n in range(25)])
    assert scene.room.board.find("T-01").description == "note 24"
    notes = scene.room.board.notes["T-01"]
    assert [(note.text, note.by, note.at) for note in notes] == [(f"note {n}", "ann", START + n) for n in range(5, 25)]


def test_a_circle_is_shown_the_whole_way_round():
    """However long; and the board stays as it was (W-21)."""
    scene = Scene(ONE, TWO, THREE, WAITS, ("ann", LinkTask("T-03", "T-02")))
    closing = scene.when("ann", LinkTask("T-01", "T-03"))
    closing.then(DependencyCycle, task="T-01", depends_on="T-03", circle="T-01 → T-03 → T-02 → T-01")


def test_a_circle_is_found_however_long_it_is():
    """Thirty tasks, each waiting for the one before."""
    chain = [("ann", OpenTask("t", depends_on=(f"T-{n:02d}",) if n else ())) for n in range(30)]
    Scene(*chain).when("ann", LinkTask("T-01", "T-30")).then(DependencyCycle, depends_on="T-30")


def test_two_ways_to_one_task_are_no_circle():
    """A diamond is fine."""
    given = [ONE, TWO, THREE, WAITS, ("ann", LinkTask("T-03", "T-01")), ("ann", OpenTask("4", depends_on=("T-02",)))]
    Scene(*given).when("ann", LinkTask("T-04", "T-03")).then(TaskLinked)


def test_removing_a_task_reports_who_waits_for_it():
    """Dangling dependencies are named, not silent (W-21); its notes go with it."""
    scene = Scene(ONE, TWO, WAITS, ("ann", MoveTask("T-01", "open", note="n")))
    scene.when("ann", RemoveTask("T-01")).then(TaskRemoved, dependents=("T-02",))
    assert scene.room.board.missing(scene.room.board.find("T-02")) == ["T-01"]
    assert scene.room.board.notes == {}


def test_ids_never_come_back():
    """A removed task's id is not given to another; past 99 they simply grow longer."""
    scene = Scene(ONE, ("ann", RemoveTask("T-01")), *[TWO] * 99)
    assert list(scene.room.board.tasks)[::98] == ["T-02", "T-100"]


def test_the_board_knows_when_it_last_changed():
    """By any task's opening, change or removal (protocol §2.1)."""
    scene = Scene()
    for at, wish in enumerate([OpenTask("t"), MoveTask("T-01", "held"), PrioritizeTask("T-01", 1), RemoveTask("T-01")]):
        scene.do("ann", wish, at)
        assert scene.room.board.changed_at == START + at


def test_unblocked_means_ready_and_sorted_by_priority():
    """Open, every dependency on the board and done; lower numbers first, then in plan order (W-20)."""
    waits = [("ann", OpenTask("three", depends_on=("T-01",))), ("ann", OpenTask("four", depends_on=("T-77",)))]
    scene = Scene(ONE, TWO, *waits, ("ann", OpenTask("five", priority=1)))
    assert [task.id for task in unblocked(scene.room)] == ["T-05", "T-01", "T-02"]
    scene.do(*DONE)
    assert [task.id for task in unblocked(scene.room)] == ["T-05", "T-02", "T-03"]
    scene.do("ann", MoveTask("T-02", "open", owner="bob"))
    assert [task.id for task in unblocked(scene.room, "ann")] == ["T-05", "T-03"]
    assert [task.id for task in mine(scene.room, "BOB")] == ["T-02"]
