"""How a room comes to be."""

from stateroom.core.lifecycle import OpenRoom, RoomOpened, TemplateApplied
from stateroom.core.room import ApplyTemplate
from stateroom.testing.scenes import START, Scene

OPEN = ("", OpenRoom("demo", "ABC-DEF-GHJ", "red"))


def test_a_room_is_opened_with_its_names():
    """The first fact of a log says what the room is called, and the room is not told of it."""
    answer = Scene().when(*OPEN)
    answer.then(RoomOpened("demo", "ABC-DEF-GHJ", "red"))
    assert answer.told == []


def test_an_opened_room_knows_its_names_and_since_when():
    """Until a template says otherwise its plan is called like the room (protocol §2.1)."""
    scene = Scene()
    scene.do(*OPEN, at_ms=700)
    lifecycle = scene.room.lifecycle
    assert (lifecycle.room_id, lifecycle.code, lifecycle.team) == ("demo", "ABC-DEF-GHJ", "red")
    assert (lifecycle.project, lifecycle.opened_at) == ("demo", START + 700)


def test_opening_twice_is_opening_once():
    """Whoever asks again, under whatever names: nothing happens."""
    Scene(OPEN).when(*OPEN).then()
    Scene(OPEN).when("ann", OpenRoom("other", "XXX-XXX-XXX", "blue")).then()


def test_opening_a_room_brings_nobody_into_it():
    """The engine opens rooms; that makes it no member."""
    Scene().when("ann", OpenRoom("demo", "ABC-DEF-GHJ", "red")).then(RoomOpened)
    assert Scene(OPEN).room.members.names() == []


def test_a_template_names_the_project():
    """The plan's title is the template's from then on; the room keeps its id."""
    scene = Scene(OPEN)
    scene.when("ann", ApplyTemplate("blank")).then(TemplateApplied("blank", "Untitled", 0))
    assert (scene.room.lifecycle.project, scene.room.lifecycle.room_id) == ("Untitled", "demo")
