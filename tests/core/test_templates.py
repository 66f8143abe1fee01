"""Rooms that start with a plan."""

import pytest

from stateroom.core.floor import ModeChanged, SetMode
from stateroom.core.here import Proof
from stateroom.core.lifecycle import TOPIC_CHARS, OpenRoom, TemplateApplied
from stateroom.core.redaction import secrets
from stateroom.core.refusals import RoomHasTasks, UnknownTemplate
from stateroom.core.roles import ROLES
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
HOST = Proof(host="h" * 64)
HOSTED = ("", OpenRoom("demo", "ABC-DEF-GHJ", "red", "A topic", "Host", "h" * 64))


def test_the_built_in_templates_are_those_of_the_protocol():
    """Names, projects, tasks and their order are what clients know."""
    found = {
        template.id: (template.name, template.project, {task.title: task.priority for task in template.tasks})
        for template in list(TEMPLATES.values())[: len(BUILT_IN)]
    }
    assert found == BUILT_IN
    assert list(found) == list(BUILT_IN)


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_a_template_makes_sense(template):
    """Its roles are presets, its tasks wait only for earlier ones, and what it says fits where it goes."""
    assert set(template.roles) <= set(ROLES)
    assert all(index < number for number, task in enumerate(template.tasks) for index in task.depends_on)
    assert len(template.topic) <= TOPIC_CHARS
    assert template.description
    assert bool(template.topic) == bool(template.opening) == bool(template.roles)
    assert secrets(template.opening) == (template.opening, 0)


@pytest.mark.parametrize("id", BUILT_IN)
def test_a_template_seeds_an_empty_plan_and_is_told_once(id):
    """One event for the whole, after the tasks it stands for."""
    scene = Scene()
    answer = scene.when("ann", ApplyTemplate(id))
    assert answer.told == ["TemplateApplied"]
    template = TEMPLATES[id]
    applied = TemplateApplied(id, BUILT_IN[id][1], len(BUILT_IN[id][2]), template.roles, template.opening)
    assert answer.events[-1] == applied
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


@pytest.mark.parametrize("id", ["feature-build", "bug-fix"])
def test_a_templates_tasks_wait_for_each_other(id):
    """The places in its own list become ids, also behind tasks that are there."""
    scene = Scene(OPEN, TASK, ("ann", ApplyTemplate(id, append=True)))
    waits = {task.id: task.depends_on for task in scene.room.board.tasks.values()}
    assert waits == {"T-01": (), "T-02": (), "T-03": ("T-02",), "T-04": ("T-03",)}


def test_a_room_with_a_topic_keeps_it():
    """The plan is called like the room's topic, not like the template's project."""
    scene = Scene(HOSTED, ("ann", ApplyTemplate("web-app")))
    assert scene.room.lifecycle.project == "A topic"


def test_a_template_that_takes_turns_sets_the_mode_for_the_host():
    """The mode is the host's to choose: whoever else applies it gets its tasks, not its mode."""
    given = HOSTED, ("ann", ApplyTemplate("blank"))
    Scene(*given).when("host", ApplyTemplate("strategy"), proof=HOST).then(TemplateApplied, ModeChanged)
    scene = Scene(*given).when("ann", ApplyTemplate("strategy")).then(TemplateApplied)
    assert scene.room.floor.mode == "open"


def test_a_template_does_not_open_what_takes_turns():
    """Most of them say nothing about the mode, so it stays."""
    scene = Scene(HOSTED, proof=HOST)
    scene.do("", SetMode("sequential"))
    scene.when("ann", ApplyTemplate("delivery")).then(TemplateApplied)
    scene.when("ann", ApplyTemplate("strategy")).then(TemplateApplied)
