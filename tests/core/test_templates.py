"""Rooms that start with a plan."""

import pytest

from stateroom.core.lifecycle import OpenRoom, TemplateApplied
from stateroom.core.refusals import RoomHasTasks, UnknownTemplate
from stateroom.core.room import ApplyTemplate
from stateroom.core.tasks import OpenTask, RemoveTask
from stateroom.core.templates import TEMPLATES
from stateroom.testing.scenes import Scene

OPEN = ("", OpenRoom("demo", "ABC-DEF-GHJ", "red"))
TASK = ("ann", OpenTask("t"))
BUILT_IN = {
    "blank": ("Blank", "Untitled", {}),
    "web-app": (
        "Web app",
        "Web app",
        {"Define API contract": 1, "Implement backend": 2, "Wire frontend": 3, "Add tests": 4},
    ),
    "incident": (
        "Incident response",
        "Incident",
        {"Triage and severity": 1, "Mitigate": 2, "Write postmortem notes": 3},
    ),
}
"""Id -> name, project, title -> priority (protocol §2.6)."""


def test_the_built_in_templates_are_those_of_the_protocol():
    """Names, projects, tasks and their order are what clients know."""
    found = {
        template.id: (template.name, template.project, {task.title: task.priority for task in template.tasks})
        for template in TEMPLATES.values()
    }
    assert found == BUILT_IN
    assert list(found) == list(BUILT_IN)


@pytest.mark.parametrize("id", BUILT_IN)
def test_a_template_seeds_an_empty_plan_and_is_told_once(id):
    """One event for the whole, after the tasks it stands for."""
    scene = Scene()
    answer = scene.when("ann", ApplyTemplate(id))
    assert answer.told == ["TemplateApplied"]
    assert answer.events[-1] == TemplateApplied(id, BUILT_IN[id][1], len(BUILT_IN[id][2]))
    assert {task.title: task.priority for task in scene.room.board.tasks.values()} == BUILT_IN[id][2]
    assert all(
        (task.state, task.owner, task.depends_on) == ("open", None, ()) for task in scene.room.board.tasks.values()
    )


@pytest.mark.parametrize("id", BUILT_IN)
def test_a_template_never_overwrites_a_plan(id):
    """A room with tasks refuses it, even an empty one, and says how many tasks there are (W-23)."""
    Scene(OPEN, TASK, TASK).when("ann", ApplyTemplate(id)).then(RoomHasTasks, room="demo", count=2)


def test_a_template_can_be_added_to_a_plan():
    """With `append`, behind what is there, under new numbers (W-23)."""
    scene = Scene(OPEN, TASK, ("ann", ApplyTemplate("incident", append=True)))
    assert list(scene.room.board.tasks) == ["T-01", "T-02", "T-03", "T-04"]
    assert scene.room.board.find("T-01").title == "t"
    assert scene.room.lifecycle.project == "Incident"


def test_a_plan_that_was_emptied_is_empty():
    """Numbers go on where they were."""
    scene = Scene(TASK, ("ann", RemoveTask("T-01")), ("ann", ApplyTemplate("incident")))
    assert list(scene.room.board.tasks) == ["T-02", "T-03", "T-04"]


@pytest.mark.parametrize("id", ["nope", "", "Blank", "web_app"])
def test_an_unknown_template_is_refused(id):
    """By its exact id."""
    Scene().when("ann", ApplyTemplate(id)).then(UnknownTemplate, template=id)
