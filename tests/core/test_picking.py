"""What to do next: the best task somebody may do, taken in one step (traps 19, 21, 25)."""

import pytest

from stateroom.core.halting import BlockTask, CancelTask
from stateroom.core.holding import ClaimTask
from stateroom.core.picking import NextTask, at_work, best, ready
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.refusals import BadDuration, BadName
from stateroom.core.tasks import MoveTask, OpenTask, RemoveTask, TaskClaimed
from stateroom.testing.scenes import Scene

ONE = ("ann", OpenTask("one"))
TWO = ("ann", OpenTask("two"))
DONE = ("ann", MoveTask("T-01", "done"))


def opens(title="t", **more):
    return ("ann", OpenTask(title, **more))


def submitted(by, id="T-01"):
    return (by, SubmitTask(id, "a.py", "…", checks="read it"))


@pytest.mark.parametrize(
    ("given", "by", "got"),
    [
        # most important first, then in plan order
        ([ONE, TWO], "bob", "T-01"),
        ([opens(), opens(priority=9), opens(priority=-1), opens(priority=-1)], "bob", "T-03"),
        ([opens(), opens(priority=0)], "bob", "T-02"),
        # at the same priority what is meant for whoever asks
        ([ONE, opens(owner="bob")], "bob", "T-02"),
        ([ONE, opens(owner="BOB ")], "bob", "T-02"),
        ([opens(priority=1), opens(owner="bob")], "bob", "T-01"),
        # never what is meant for another, or its own to rule on
        ([opens(owner="cyn")], "bob", None),
        ([opens(owner="cyn"), TWO], "bob", "T-02"),
        ([opens(verifier="Bob"), TWO], "bob", "T-02"),
        ([opens(verifier="bob")], "BOB", None),
        ([opens(verifier="cyn")], "bob", "T-01"),
        # what waits is skipped, also for what is on no board
        ([ONE, opens(depends_on=("T-01",)), DONE], "bob", "T-02"),
        ([opens(depends_on=("T-02",)), TWO], "bob", "T-02"),
        ([opens(depends_on=("T-09",))], "bob", None),
        ([ONE, opens(depends_on=("T-01",)), ("ann", CancelTask("T-01"))], "bob", None),
        ([ONE, opens(depends_on=("T-01",)), ("ann", RemoveTask("T-01"))], "bob", None),
        # what nobody can begin
        ([ONE, ("ann", MoveTask("T-01", "held"))], "bob", None),
        ([ONE, submitted("ann")], "bob", None),
        ([ONE, ("ann", BlockTask("T-01", "no access")), TWO], "bob", "T-02"),
        ([], "bob", None),
        # one at a time
        ([ONE, TWO, ("bob", ClaimTask("T-02"))], "bob", None),
        ([ONE, TWO, ("bob", ClaimTask("T-02"))], " BOB", None),
        ([ONE, TWO, submitted("bob", "T-02"), ("ann", VerifyTask("T-02", "rejected"))], "bob", None),
        ([ONE, TWO, submitted("bob", "T-02")], "bob", "T-01"),
        ([ONE, TWO, ("bob", ClaimTask("T-02")), ("bob", BlockTask("T-02", "no access"))], "bob", "T-01"),
    ],
)
def test_which_task_is_next(given, by, got):
    """For whom, with what on the board."""
    scene = Scene(*given)
    answer = scene.when(by, NextTask())
    answer.then(*([TaskClaimed] if got else []))
    if got:
        task = scene.room.board.find(got)
        assert (answer["task"], task.held_by(by)) == (task, True)


def test_it_comes_under_a_lease():
    """For a quarter of an hour, or as long as is wished; for no time, without one."""
    for wish, seconds in ((NextTask(), 900), (NextTask(60), 60)):
        lease = Scene(ONE, ("bob", wish)).room.board.find("T-01").lease
        assert (lease.seconds, lease.token) == (seconds, 1)
    assert Scene(ONE, ("bob", NextTask(0))).room.board.find("T-01").lease is None
    Scene(ONE).when("bob", NextTask(86_401)).then(BadDuration)


def test_who_is_named_takes_it():
    """Somebody has to hold it."""
    Scene(ONE).when("", NextTask()).then(BadName)


def test_nobody_is_given_what_another_was():
    """Any number ask, each gets another, and then there are none left."""
    scene = Scene(*(opens() for _ in range(20)))
    got = [scene.when(f"m{n}", NextTask())["task"].id for n in range(20)]
    assert got == [f"T-{n:02d}" for n in range(1, 21)]
    scene.when("m20", NextTask()).then()


def test_what_was_rejected_comes_before_what_is_held():
    """Whoever asks while at work goes on with that, and mends before it makes."""
    scene = Scene(ONE, TWO, submitted("bob"), ("ann", VerifyTask("T-01", "rejected")), ("bob", ClaimTask("T-02")))
    assert at_work(scene.room.board, "Bob").id == "T-01"
    assert at_work(scene.room.board, "ann") is None


def test_looking_takes_nothing():
    """What is ready, in its order, and what the best of it is for somebody."""
    board = Scene(opens(), opens(priority=2), opens(priority=1, owner="cyn"), opens(depends_on=("T-01",))).room.board
    assert [task.id for task in ready(board)] == ["T-03", "T-02", "T-01"]
    assert (best(board, "bob").id, best(board, "cyn").id) == ("T-02", "T-03")
    assert all(task.state == "open" for task in board.tasks.values())
