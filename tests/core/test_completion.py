"""When nothing is left to do, the room is told so: once, until there is something again (agent-room §6.8)."""

import pytest

from stateroom.core.board import BoardCompleted
from stateroom.core.halting import CancelTask, ReopenTask, TaskCancelled
from stateroom.core.holding import ClaimTask
from stateroom.core.messages import PostMessage
from stateroom.core.proving import TaskVerified
from stateroom.core.reviews import ResolveReview
from stateroom.core.room import ApplyTemplate, Tick, replay
from stateroom.core.silence import TaskLapsed
from stateroom.core.tasks import LinkTask, MoveTask, OpenTask, PrioritizeTask, RemoveTask, TaskFinished
from stateroom.testing.scenes import START, Scene
from tests.core.proven import ONE, STATES

OPEN = ("ann", OpenTask("t"))


def finish(id):
    return ("ann", MoveTask(id, "done"))


def cancel(id):
    return ("ann", CancelTask(id))


def remove(id):
    return ("ann", RemoveTask(id))


def completions(scene):
    """Done and cancelled tasks, each time it was said."""
    said = [entry.event for entry in scene.log if isinstance(entry.event, BoardCompleted)]
    return [(event.done, event.cancelled) for event in said]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([OPEN, finish("T-01")], [(1, 0)]),
        ([OPEN, OPEN, finish("T-01")], []),
        ([OPEN, OPEN, finish("T-02"), finish("T-01")], [(2, 0)]),
        ([OPEN, OPEN, finish("T-01"), cancel("T-02")], [(1, 1)]),
        ([OPEN, OPEN, cancel("T-01"), finish("T-02")], [(1, 1)]),
        ([OPEN, OPEN, finish("T-01"), remove("T-02")], [(1, 0)]),
        # nothing was done, so nothing is complete
        ([OPEN, cancel("T-01")], []),
        ([OPEN, remove("T-01")], []),
        # what happens to what is over is no end of it
        ([OPEN, finish("T-01"), ("ann", PrioritizeTask("T-01", 1))], [(1, 0)]),
        ([OPEN, OPEN, finish("T-01"), cancel("T-02"), remove("T-02")], [(1, 1)]),
        ([OPEN, finish("T-01"), ("ann", MoveTask("T-01", "done", note="more"))], [(1, 0)]),
        # again, when something was to be done again
        ([OPEN, finish("T-01"), OPEN], [(1, 0)]),
        ([OPEN, finish("T-01"), OPEN, finish("T-02")], [(1, 0), (2, 0)]),
        ([OPEN, finish("T-01"), OPEN, remove("T-02")], [(1, 0), (1, 0)]),
        ([OPEN, finish("T-01"), ("ann", MoveTask("T-01", "open")), finish("T-01")], [(1, 0), (1, 0)]),
        (
            [OPEN, OPEN, finish("T-01"), cancel("T-02"), ("ann", ReopenTask("T-02")), cancel("T-02")],
            [(1, 1), (1, 1)],
        ),
        # what waits for a verdict is not over
        (STATES["submitted"], []),
        (STATES["rejected"], []),
        (STATES["done"], [(1, 0)]),
    ],
)
def test_when_it_is_said(given, said):
    """With how many were done, and how many cancelled."""
    scene = Scene(*given)
    assert completions(scene) == said
    assert (scene.room.board.completed_at is not None) == (bool(said) and not _to_do(scene))
    assert replay(scene.log) == scene.room


def _to_do(scene):
    return [task for task in scene.room.board.tasks.values() if not task.over]


def test_it_comes_last_in_the_same_decision():
    """Whatever has ended the last task, by whichever way."""
    scene = Scene(*STATES["submitted"])
    events = scene.do("vic", ResolveReview(f"R-{ONE}.1", "approved"), at_ms=5)
    assert [type(event) for event in events][-2:] == [TaskVerified, BoardCompleted]
    assert scene.room.board.completed_at == START + 5
    assert [type(event) for event in Scene(OPEN, OPEN, finish("T-01")).do(*cancel("T-02"))] == [
        TaskCancelled,
        BoardCompleted,
    ]


def test_it_is_a_line_of_the_talk_and_nobodys_mail():
    """The Room Protocol's agents know their plan; the conversation is told."""
    event = BoardCompleted(1, 0)
    assert (event.told, event.line) == (False, True)


def test_a_claim_that_lapses_in_the_same_moment_keeps_the_board_open():
    """What has just become free is still to do."""
    scene = Scene(OPEN, OPEN, ("bob", ClaimTask("T-02", 60)))
    events = scene.do(*finish("T-01"), at_ms=90_000)
    assert [type(event) for event in events] == [TaskLapsed, TaskFinished]
    scene.do("ann", ClaimTask("T-02"))
    assert completions(scene) == []
    scene.do(*finish("T-02"))
    assert completions(scene) == [(2, 0)]


def test_an_empty_board_is_not_complete():
    """Nor does a talk, a tick or a template say so."""
    scene = Scene(("ann", PostMessage("hi", "all", {})), ("", Tick()), ("ann", ApplyTemplate("incident")))
    assert completions(scene) == []
    assert scene.room.board.completed_at is None


def test_what_is_written_after_the_end_stays_in_it():
    """Saying something does not begin the work again, and linking what is done does not end it again."""
    scene = Scene(OPEN, OPEN, finish("T-01"), finish("T-02"), ("ann", LinkTask("T-02", "T-01")))
    scene.do("ann", PostMessage("bye", "all", {}))
    assert completions(scene) == [(2, 0)]
    assert scene.room.board.completed_at == START


def test_many_ends_are_counted():
    """As they stand at the end."""
    ended = [(finish if n < 9 else cancel)(f"T-{n:02d}") for n in range(1, 13)]
    scene = Scene(*[OPEN] * 12, *ended)
    assert completions(scene) == [(8, 4)]
