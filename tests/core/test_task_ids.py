"""Ids of a task: drawn by the room or chosen by the caller, never given twice (gap 73)."""

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from stateroom.core.refusals import BadTaskId, TaskExists
from stateroom.core.room import ApplyTemplate, replay
from stateroom.core.tasks import OpenTask, RemoveTask, TaskOpened
from stateroom.testing.scenes import Scene
from tests.core.proven import ONE, follows


@pytest.mark.parametrize(
    ("given", "id", "expected"),
    [
        ([], "api_v1.2-x", TaskOpened),
        ([], "T-07", TaskOpened),
        ([], "T-999999", TaskOpened),
        ([], "x" * 64, TaskOpened),
        ([], "x" * 65, BadTaskId),
        ([], "..", BadTaskId),
        ([], "a b", BadTaskId),
        ([], "ä", BadTaskId),
        ([], "T-1\n", BadTaskId),
        ([], "T-1000000", BadTaskId),
        ([], "T-" + "9" * 60, BadTaskId),
        ([], "T-٣", BadTaskId),
        ([("ann", OpenTask("t"))], ONE, TaskExists),
        ([("ann", OpenTask("t", id="x"))], "x", TaskExists),
        ([("ann", OpenTask("t")), ("ann", RemoveTask(ONE))], ONE, TaskExists),
        ([("ann", OpenTask("t", id="x")), ("ann", RemoveTask("x"))], "x", TaskExists),
        ([("ann", OpenTask("t", id="T-05"))], "T-04", TaskOpened),
    ],
)
def test_an_id_of_ones_own_choice(given, id, expected):
    """Few characters, never one that was used before, and no number that uses up ours."""
    follows(Scene(*given), "ann", OpenTask("t", id=id), expected)


@drawn(
    st.lists(
        st.one_of(
            st.builds(OpenTask, st.just("t"), id=st.sampled_from(["", "", "T-01", "T-1", "T-3", "T-03", "T-12", "x"])),
            st.builds(RemoveTask, st.sampled_from(["T-01", "T-02", "T-1", "T-03", "x"])),
            st.just(ApplyTemplate("incident", append=True)),
        ),
        max_size=25,
    )
)
def test_ids_never_collide(wishes):
    """However own and automatic ids, removals and templates mix, no id is given twice (gap 73)."""
    scene, given = Scene(), []
    for wish in wishes:
        answer = scene.when("ann", wish)
        given += [event.task.id for event in answer.events if isinstance(event, TaskOpened)]
        assert not (isinstance(wish, OpenTask) and not wish.id and answer.refusal), "a number is always free"
    assert len(given) == len(set(given))
    assert replay(scene.log) == scene.room
