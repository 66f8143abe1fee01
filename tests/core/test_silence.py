"""Holders that do nothing are asked about it, once for each silence (trap 4)."""

import pytest

from stateroom.core.halting import BlockTask
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.lifecycle import EndRoom, OpenRoom
from stateroom.core.members import Leave
from stateroom.core.messages import PostMessage
from stateroom.core.proving import SubmitTask
from stateroom.core.room import Tick, replay
from stateroom.core.silence import ClaimStalled, TaskLapsed
from stateroom.core.tasks import NOBODY, MoveTask, OpenTask, RemoveTask
from stateroom.testing.scenes import START, Scene
from tests.core.proven import GOOD, LEASED, ONE, OPENED, STATES, the
from tests.core.talking import HOST, HOST_KEY

STALL = 600_000
HELLO = PostMessage("hi", "all", {})
TICK = ("", Tick())


def test_a_silent_holder_is_asked_after_ten_minutes():
    """Not a millisecond earlier, with its last sign of life, and the task stays as it is."""
    scene = Scene(*STATES["held"], ("ann", HELLO, 5))
    assert scene.room.next_due() == START + 5 + STALL
    scene.when(*TICK, at_ms=4 + STALL).then()
    before = the(scene)
    scene.when(*TICK, at_ms=5 + STALL).then(ClaimStalled(before, START + 5))
    assert the(scene) == before


def test_it_is_asked_once_for_each_silence():
    """Again only after it has done something and fallen silent again."""
    scene = Scene(*STATES["held"], (*TICK, STALL))
    assert scene.room.next_due() is None
    scene.when(*TICK, at_ms=10 * STALL).then()
    scene.do("Ann ", HELLO, at_ms=11 * STALL)
    assert scene.room.next_due() == START + 12 * STALL
    scene.when(*TICK, at_ms=12 * STALL).then(ClaimStalled, seen=START + 11 * STALL)
    scene.when(*TICK, at_ms=20 * STALL).then()


def test_what_others_do_does_not_break_its_silence():
    """Nor what is done to its task."""
    scene = Scene(*STATES["held"], ("bob", HELLO, 1), ("hal", ReassignTask(ONE, verifier="wes"), 2))
    scene.when(*TICK, at_ms=STALL).then(ClaimStalled, seen=START)
    scene.do("hal", ReassignTask(ONE, verifier="vic"))
    scene.when(*TICK, at_ms=3 * STALL).then()


def test_who_goes_is_silent_from_its_last_deed_on():
    """Leaving is no sign of work."""
    scene = Scene(*STATES["held"], ("ann", Leave(), 5))
    scene.when(*TICK, at_ms=STALL).then(ClaimStalled, seen=START)


def test_each_task_of_a_silent_holder_is_named():
    """In the order in which it took them."""
    scene = Scene(
        ("bob", OpenTask("one")),
        ("bob", OpenTask("two")),
        ("ann", ClaimTask("T-02")),
        ("ann", ClaimTask("T-01")),
    )
    events = scene.do(*TICK, at_ms=STALL)
    assert [event.task.id for event in events] == ["T-02", "T-01"]
    scene.do("ann", HELLO)
    assert (scene.room.board.silent, scene.room.next_due()) == ({}, START + 2 * STALL)


def test_a_new_holder_has_time_of_its_own():
    """Whoever it was given to is not asked for another's silence, and whoever gave it is not asked any more."""
    scene = Scene(*STATES["held"], (*TICK, STALL), ("hal", ReassignTask(ONE, "bob"), STALL + 5))
    scene.when(*TICK, at_ms=2 * STALL).then()
    scene.when(*TICK, at_ms=2 * STALL + 5).then(ClaimStalled, seen=START + STALL + 5)


def test_who_is_given_a_task_while_silent_has_not_been_silent_about_it():
    """Its last deed may be long ago; its time begins when the task becomes its own."""
    scene = Scene(
        *STATES["held"], ("bob", OpenTask("other", owner="bob")), ("hal", ReassignTask(ONE, "bob"), STALL - 1)
    )
    scene.when(*TICK, at_ms=STALL).then()
    assert scene.room.next_due() == START + 2 * STALL - 1


@pytest.mark.parametrize(
    ("by", "wish"),
    [
        ("ann", GOOD),
        ("bob", BlockTask(ONE, "no access")),
        ("bob", MoveTask(ONE, "open", owner=NOBODY, takeover=True)),
        ("bob", MoveTask(ONE, "held", owner=NOBODY, takeover=True)),
        ("bob", RemoveTask(ONE)),
    ],
)
def test_nobody_is_asked_about_what_it_does_not_hold(by, wish):
    """Whatever has ended the claim, before or after it was asked."""
    for given in ([], [(*TICK, STALL)]):
        scene = Scene(*STATES["held"], *given)
        scene.do(by, wish)
        assert scene.room.board.silent == {}
        assert not [event for event in scene.do(*TICK, at_ms=3 * STALL) if isinstance(event, ClaimStalled)]


def test_a_lease_that_is_over_needs_no_question():
    """Where both would fall due at once, the task is simply free."""
    scene = Scene(OPENED, LEASED)
    scene.when(*TICK, at_ms=STALL * 3).then(TaskLapsed)
    short = Scene(OPENED, ("ann", ClaimTask(ONE, 60)))
    assert short.room.next_due() == START + 90_000


def test_the_notice_is_no_deed():
    """It does not count as news from the members, and nobody has done it."""
    scene = Scene(*STATES["held"], (*TICK, STALL))
    entry = scene.log[-1]
    assert (entry.by, entry.event.deed, entry.event.told) == ("", False, True)


def test_a_restart_forgets_no_silence():
    """Who was asked before is not asked again."""
    scene = Scene(*STATES["held"], (*TICK, STALL))
    scene.state = replay(scene.log)
    scene.when(*TICK, at_ms=5 * STALL).then()


def test_an_ended_room_asks_nobody():
    """It is all over."""
    scene = Scene(("", OpenRoom("work", "ABC-DEF-GHJ", "", "", "host", HOST_KEY)), *STATES["held"])
    scene.do("host", EndRoom(), proof=HOST)
    scene.when(*TICK, at_ms=STALL).then()


def test_the_verifier_is_not_asked_for_the_work():
    """Its silence is another matter, and its deeds do not help the holder, neither before nor afterwards."""
    scene = Scene(*STATES["held"], ("vic", HELLO, STALL - 1))
    scene.when(*TICK, at_ms=STALL).then(ClaimStalled, seen=START)
    scene.do("vic", HELLO)
    scene.when(*TICK, at_ms=3 * STALL).then()


def test_time_is_kept_for_the_first_of_many():
    """Whichever of them it is, and whatever becomes of it: the next due moment is that of the first that is left."""
    scene = Scene()
    for n in range(8):
        scene.do("host", OpenTask("t"), at_ms=n)
        scene.do(f"m{n}", ClaimTask(f"T-{n + 1:02d}"), at_ms=n * 1_000)
    assert scene.room.next_due() == START + STALL
    for n in range(8):
        assert scene.room.next_due() == START + STALL + n * 1_000
        scene.do(f"m{n}", SubmitTask(f"T-{n + 1:02d}", "a", "b", checks="c"), at_ms=8_000)


def test_what_is_due_sooner_may_come_later():
    """A short lease after a long one, and again when it is gone."""
    scene = Scene(OPENED, LEASED, ("bob", OpenTask("t")), ("bob", ClaimTask("T-02", 60)))
    assert scene.room.next_due() == START + 90_000
    scene.do("bob", RemoveTask("T-02"))
    assert scene.room.next_due() == START + STALL
