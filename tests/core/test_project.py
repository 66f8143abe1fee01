"""A project: its key, its brief, what it learns, and what people do with its memory (agent-room §13)."""

import pytest

from stateroom.core import answering, memory, remembering
from stateroom.core.ids import Instant, LogKey, Position
from stateroom.core.likeness import tokens
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
from stateroom.core.remembering import FORGOTTEN_KEPT, replay
from stateroom.testing.scenes import START, ProjectScene

ROOM = LogKey("open/talk")
MADE = ("", CreateProject("prj_one", "open", "Shop", "f" * 64, "Keep it simple."))


def said(category, text, line=1, room="ABC-DEF-GHJ", about="", title=""):
    return Candidate(category, text, Source(room, line, Instant(START)), about, title, Position(line))


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
    scene, task = project(), "ABC-DEF-GHJ T-01"
    learn(scene, 5, said("open_questions", "T-01 fix login", 1, about=task), said("open_questions", "which cache", 2))
    learn(scene, 9, said("deliverables", "fix login (done by ann)", 7, about=task)).then(RoomLearned)
    assert texts(scene) == ["which cache", "fix login (done by ann)"]
    learn(scene, 12, said("decisions", "which cache", 10)).then(RoomLearned)
    assert texts(scene) == ["fix login (done by ann)", "which cache"]


def test_a_verified_task_answers_a_todo_of_its_title():
    """Whoever did it, and in whichever room."""
    scene = project()
    learn(scene, 5, said("open_questions", "write the docs", 1))
    done = said("deliverables", "Write docs (done by bob, verified by ann)", 7, about="A T-09", title="Write docs")
    learn(scene, 9, done).then(RoomLearned)
    assert texts(scene) == ["Write docs (done by bob, verified by ann)"]


def test_a_task_that_is_open_no_more_asks_nothing():
    """It was cancelled after the room went on; one of another room stays, and so does a to-do."""
    scene = project()
    ours, theirs = "ABC-DEF-GHJ T-01", "XYZ-DEF-GHJ T-01"
    learn(
        scene,
        5,
        said("open_questions", "T-01 fix login", 1, about=ours),
        said("open_questions", "T-01 write docs", 2, about=theirs),
        said("open_questions", "which cache", 3),
    )
    learn(scene, 9).then(RoomLearned)
    assert texts(scene) == ["T-01 write docs", "which cache"]


def test_a_task_that_is_still_open_is_one_question():
    """Under the words it has now."""
    scene, task = project(), "ABC-DEF-GHJ T-01"
    learn(scene, 5, said("open_questions", "T-01 fix login", 1, about=task))
    learn(scene, 9, said("open_questions", "T-01 fix the login page (blocked)", 8, about=task))
    assert texts(scene) == ["T-01 fix the login page (blocked)"]


def test_what_was_learned_is_not_counted_twice():
    """However often it was said, and though only some sources are kept."""
    scene = project()
    often = [said("facts", "it is fast", line) for line in range(1, 9)]
    learn(scene, 9, *often)
    before = scene.project.facts["M-01"]
    assert before.said == 8
    learn(scene, 12, *often, said("facts", "it is cheap", 11))
    assert scene.project.facts["M-01"] == before
    assert texts(scene) == ["it is fast", "it is cheap"]


def test_people_note_edit_and_forget():
    """An edited fact keeps its words; a forgotten one does not come back from the same room."""
    scene = project()
    scene.when("ann", Remember("preferences", "no meetings")).then(FactRemembered)
    scene.when("ann", Remember("preferences", "No meetings!")).then()
    learn(scene, 5, said("decisions", "use SQLite", 1), said("facts", "it is fast", 2))
    scene.when("ann", EditFact("M-02", "use SQLite in WAL mode")).then(FactRemembered)
    scene.when("ann", ForgetFact("M-03")).then(FactForgotten)
    before = (said("decisions", "use SQLite", 1), said("facts", "it is fast", 2))
    again = (said("facts", "It is fast.", 7), said("decisions", "use SQLite in WAL mode", 8))
    learn(scene, 9, *before, *again).then(RoomLearned)
    assert texts(scene) == ["no meetings", "use SQLite in WAL mode"]
    assert scene.project.facts["M-02"].edited
    assert scene.project.facts["M-02"].said == 2


def test_forgetting_what_was_edited_forgets_what_it_was():
    """The room is read again, and nothing comes back; what only resembles it is learned."""
    scene = project()
    learn(scene, 5, said("facts", "a reactive page", 1))
    scene.do("ann", EditFact("M-01", "a reactive site"))
    scene.do("ann", ForgetFact("M-01"))
    learn(scene, 9, said("facts", "a reactive page", 1), said("facts", "a creative site", 8))
    assert texts(scene) == ["a creative site"]


def test_a_forgotten_question_stays_away_whatever_becomes_of_its_task():
    """Until the task is done; a question about another task is asked."""
    scene, task = project(), "ABC-DEF-GHJ T-01"
    learn(scene, 5, said("open_questions", "T-01 fix login", 1, about=task))
    scene.do("ann", ForgetFact("M-01"))
    other = said("open_questions", "T-02 write docs", 7, about="ABC-DEF-GHJ T-02")
    learn(scene, 9, said("open_questions", "T-01 fix login (blocked)", 8, about=task), other)
    assert texts(scene) == ["T-02 write docs"]
    learn(scene, 12, other, said("deliverables", "fix login (done by ann)", 11, about=task))
    assert texts(scene) == ["T-02 write docs", "fix login (done by ann)"]


def test_so_much_that_was_forgotten_is_known():
    """The oldest may come back."""
    scene = project()
    for number in range(FORGOTTEN_KEPT + 1):
        scene.do("ann", Remember("facts", f"number {number}"))
        (id,) = scene.project.facts
        scene.do("ann", ForgetFact(id))
    learn(scene, 9, said("facts", "number 0", 1), said("facts", "number 1", 2))
    assert texts(scene) == ["number 0"]


def test_what_somebody_writes_again_is_forgotten_no_more():
    """The next room may confirm it."""
    scene = project(("ann", Remember("facts", "it is fast")), ("ann", ForgetFact("M-01")))
    scene.do("ann", Remember("facts", "It is fast"))
    learn(scene, 5, said("facts", "it is fast", 1))
    assert [fact.said for fact in scene.project.facts.values()] == [2]


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
        learn(scene, at * 150, *part)
    assert len(scene.project.facts) == FACTS_KEPT
    scene.when("", Remember("lessons", "one more")).then(FactRemembered)
    assert f"M-{FACTS_KEPT + 3}" in scene.project.facts


def test_a_full_memory_reads_every_text_a_few_times(monkeypatch):
    """However much is known and said: comparing each with each would stop the server for half a minute."""
    scene, read = project(), list[str]()

    def counted(text):
        read.append(text)
        return tokens(text)

    questions = [said("open_questions", f"what is number {n}", n) for n in range(1, 151)]
    learn(scene, 500, *[said("facts", f"number {n}", n) for n in range(1, 151)], *questions)
    for module in (memory, answering, remembering):
        monkeypatch.setattr(module, "tokens", counted)
    learn(scene, 900, *[said("facts", f"another {n}", n) for n in range(501, 601)]).then(RoomLearned)
    assert len(read) < 6 * (300 + 100)


def test_secrets_are_not_remembered():
    """What somebody notes by hand is looked through as everything is."""
    scene = project()
    scene.do("ann", Remember("facts", "the key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"))
    assert "abcdefghijklmnop" not in texts(scene)[0]


def test_secrets_are_not_kept_in_a_brief():
    """Neither in the first one nor in a later one; the key's digest is none."""
    secret = "use sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    scene = ProjectScene(("", CreateProject("prj_one", "open", "Shop", "f" * 64, secret)))
    assert scene.project.brief == "use [REDACTED]"
    assert scene.project.proven_by("f" * 64)
    scene.do("", SetBrief(f"always {secret}"))
    assert scene.project.brief == "always use [REDACTED]"


def test_replaying_the_log_gives_the_same_project():
    """Everything is in it."""
    scene = project(("ann", Remember("facts", "it is fast")))
    learn(scene, 5, said("decisions", "use SQLite", 1))
    assert replay(scene.log) == scene.project
