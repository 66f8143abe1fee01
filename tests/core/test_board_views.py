"""The board as a plan of four states shows it, and in figures."""

import pytest

from stateroom.core.halting import CancelTask
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.core.views.analytics import analytics
from stateroom.core.views.board import mine, planned, unblocked
from stateroom.testing.scenes import START, Scene
from tests.core.proven import ONE, STATES


def test_cancelled_tasks_are_off_the_plan():
    """Not in the plan, not anybody's, not counted there, and no way around a dependency; the board still has them."""
    after = ("ann", OpenTask("then", depends_on=(ONE,)))
    scene = Scene(*STATES["held"], after, ("ann", CancelTask(ONE)))
    assert [task.id for task in planned(scene.room)] == ["T-02"]
    assert mine(scene.room, "ann") == unblocked(scene.room) == []
    figures = analytics(scene.room, 7, START)
    assert (sum(figures.tasks.values()), figures.states["cancelled"], figures.owned) == (1, 1, {})


@pytest.mark.parametrize("state", STATES)
def test_a_plan_of_four_states_counts_every_task_once(state):
    """Submitted and rejected are in progress there; only cancelled is missing."""
    figures = analytics(Scene(*STATES[state]).room, 7, START)
    assert figures.states[state] == sum(figures.states.values()) == 1
    shown = {"submitted": "held", "rejected": "held"}.get(state, state)
    assert figures.tasks == {s: int(s == shown) for s in ("open", "held", "done", "blocked")}
    assert figures.completion_rate == (state == "done")


def test_the_board_counts_its_facts_and_knows_its_last_progress():
    """Every fact is a version; only another state is progress (agent-room §4.9)."""
    scene = Scene()
    steps = [
        (OpenTask("t"), 1),
        (ClaimTask(ONE), 2),
        (MoveTask(ONE, "held", note="n"), 2),
        (ReassignTask(ONE, verifier="vic"), 2),
    ]
    for at, (wish, progressed) in enumerate(steps, 1):
        scene.do("ann", wish, at)
        assert (scene.room.board.version, scene.room.board.progressed_at) == (at, START + progressed)
