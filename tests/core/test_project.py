"""A project: its key, its brief, what it learns, and what people do with its memory (agent-room §13)."""

import pytest

from stateroom.core.ids import Instant, LogKey, Position
from stateroom.core.memory import FACTS_KEPT, Candidate, Source
from stateroom.core.project import (
    AttachRoom,
    BriefSet,
    CreateProject,
    EditFact,
    FactForgotten,
    FactRemembered,
    ForgetFact,
    KeyRotated,
    LearnRoom,
    Remember,
    RoomAttached,
    RoomLearned,
    RotateKey,
    SetBrief,
)
from stateroom.core.refusals import BadFact, BadName, TooLong, UnknownFact
from stateroom.core.remembering import replay
from stateroom.testing.scenes import START, ProjectScene

ROOM = LogKey("open/talk")
MADE = ("", CreateProject("prj_one", "open", "Shop", "f" * 64, "Keep it simple."))


def said(category, text, line=1, room="ABC-DEF-GHJ", about=""):
    return Candidate(category, text, Source(room, line, Instant(START)), about)


def project(*more):
    return ProjectScene(MADE, ("", AttachRoom(ROOM, "ABC-DEF-GHJ")), *more)


def learn(scene, position, *candidates):
    return scene.when("", LearnRoom(ROOM, Position(position), candidates))


def texts(scene):
    return [fact.text for fact in scene.project.facts.values()]


def test_a_key_is_known_by_its_digest_only():
    """The one it has now; a replaced one opens nothing."""
    scene = project()
    assert scene.project.proven_by("f" * 64)
    scene.when("", RotateKey("a" * 64)).then(KeyRotated)
    assert not scene.project.proven_by("f" * 64)
    assert scene.project.proven_by("a" * 64)
    assert not scene.project.proven_by("")
    assert all("f" * 64 not in repr(entry.event.public) for entry in scene.log)


def test_the_brief_has_versions():
    """A new text is a new version; a new name alone is none."""
    scene = project()
    assert scene.project.brief_version == 1
    scene.when("", SetBrief("Small.", "The shop")).then(BriefSet("Small.", "The shop"))
    assert (scene.project.brief_version, scene.project.name) == (2, "The shop")
    scene.when("", SetBrief("Small.", "Shop")).then(BriefSet)
    assert scene.project.brief_version == 2
    scene.when("", SetBrief("Small.")).then()
    scene.when("", SetBrief("x" * 16_001)).then(TooLong)


@pytest.mark.parametrize("name", ["", "  ", "a\u202eb", "a\x00b"])
def test_a_project_has_a_name(name):
    """One that can be seen."""
    answer = ProjectScene().when("", CreateProject("prj_x", "open", name, "f" * 64))
    assert isinstance(answer.refusal, BadName) or answer.refusal.code == "bad_text"


def test_a_room_is_learned_once_up_to_where_it_ended():
    """The same again changes nothing; what it says after it was reopened is added, without repeating itself."""
    scene = project()
    learn(scene, 9, said("decisions", "use SQLite", 2), said("facts", "it is fast", 3)).then(RoomLearned)
    learn(scene, 9, said("decisions", "use SQLite", 2)).then()
    learn(scene, 12, said("decisions", "Use SQLite.", 2), said("decisions", "no cache", 11)).then(RoomLearned)
    assert texts(scene) == ["use SQLite", "it is fast", "no cache"]
    assert scene.project.rooms[ROOM].learned == 12


def test_two_facts_that_differ_stay_two():
    """However much one holds of the other."""
    scene = project()
    learn(scene, 5, said("facts", "Uses Redis", 1), said("facts", "Never uses Redis", 2)).then(RoomLearned)
    assert texts(scene) == ["Uses Redis", "Never uses Redis"]


def test_a_room_that_is_not_attached_teaches_nothing():
    """Nor one that was never there."""
    scene = ProjectScene(MADE)
    scene.when("", LearnRoom(LogKey("open/other"), Position(3), (said("facts", "x y"),))).then()
    scene.when("", AttachRoom(ROOM, "ABC-DEF-GHJ")).then(RoomAttached)
    scene.when("", AttachRoom(ROOM, "ABC-DEF-GHJ")).then()


def test_what_is_answered_is_open_no_more():
    """Within one room, and between two."""
    scene = project()
    learn(
        scene, 5, said("open_questions", "T-01 fix login", 1, about="A T-01"), said("open_questions", "which cache", 2)
    )
    learn(scene, 9, said("deliverables", "fix login (done by ann)", 7, about="A T-01")).then(RoomLearned)
    assert texts(scene) == ["which cache", "fix login (done by ann)"]
    learn(scene, 12, said("decisions", "which cache", 10)).then(RoomLearned)
    assert texts(scene) == ["fix login (done by ann)", "which cache"]


def test_people_note_edit_and_forget():
    """An edited fact keeps its words; a forgotten one does not come back from the same room."""
    scene = project()
    scene.when("ann", Remember("preferences", "no meetings")).then(FactRemembered)
    scene.when("ann", Remember("preferences", "No meetings!")).then()
    learn(scene, 5, said("decisions", "use SQLite", 1), said("facts", "it is fast", 2))
    scene.when("ann", EditFact("M-02", "use SQLite in WAL mode")).then(FactRemembered)
    scene.when("ann", ForgetFact("M-03")).then(FactForgotten)
    learn(scene, 9, said("decisions", "use SQLite in WAL mode", 8), said("facts", "It is fast.", 7)).then(RoomLearned)
    assert texts(scene) == ["no meetings", "use SQLite in WAL mode"]
    assert scene.project.facts["M-02"].edited
    assert scene.project.facts["M-02"].said == 2


@pytest.mark.parametrize(
    ("wish", "refused"),
    [
        (Remember("gossip", "x is y"), BadFact),
        (Remember("facts", " "), BadFact),
        (EditFact("M-99", "x is y"), UnknownFact),
        (EditFact("M-01", ""), BadFact),
        (ForgetFact("M-99"), UnknownFact),
        (ForgetFact("x" * 9_000), UnknownFact),
    ],
)
def test_what_can_not_be_done_with_a_memory(wish, refused):
    """It says what to do, and nothing has changed."""
    project(("ann", Remember("facts", "it is fast"))).when("ann", wish).then(refused)


def test_so_many_facts_of_a_category_are_kept():
    """The oldest that was said least goes first; ids are never used again."""
    scene = project()
    candidates = [said("facts", f"fact number {n}", n) for n in range(1, FACTS_KEPT + 3)]
    for at, part in enumerate((candidates[:150], candidates[150:]), 1):
        scene.now = Instant(START + at)
        learn(scene, at, *part)
    assert len(scene.project.facts) == FACTS_KEPT
    scene.when("", Remember("lessons", "one more")).then(FactRemembered)
    assert f"M-{FACTS_KEPT + 3}" in scene.project.facts


def test_secrets_are_not_remembered():
    """What somebody notes by hand is looked through as everything is."""
    scene = project()
    scene.do("ann", Remember("facts", "the key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"))
    assert "abcdefghijklmnop" not in texts(scene)[0]


def test_replaying_the_log_gives_the_same_project():
    """Everything is in it."""
    scene = project(("ann", Remember("facts", "it is fast")))
    learn(scene, 5, said("decisions", "use SQLite", 1))
    assert replay(scene.log) == scene.project
