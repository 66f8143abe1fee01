"""A room as a playbook: its roles and its plan, and nothing of what came of it."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stateroom.core.floor import SetMode
from stateroom.core.halting import BlockTask, CancelTask
from stateroom.core.here import Proof
from stateroom.core.holding import ClaimTask
from stateroom.core.ids import Name
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.members import Leave
from stateroom.core.official import OFFICIAL
from stateroom.core.playbooks import TASKS, Playbook, checked
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.refusals import NothingToKeep
from stateroom.core.roles import ROLES, RoleSlot
from stateroom.core.room import ApplyPlaybook
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import Say
from stateroom.core.tasks import Draft, LinkTask, OpenTask, RemoveTask
from stateroom.core.turns import ModeConfig, Timeouts
from stateroom.core.views.recipes import LABEL_CHARS, recipe
from stateroom.testing.scenes import Scene
from tests.core.wishes import NAMED, WISHES

HOSTED = ("", OpenRoom("demo", "ABC-DEF-GHJ", "red", "Build: the cache", "Host", "h" * 64))
HOST = Proof(host="h" * 64, vouched=True)
BUILDER = RoleSlot("Builder", "Builder", ROLES["builder"].brief)
QA = RoleSlot("QA Reviewer", "QA Reviewer", ROLES["qa-reviewer"].brief)


def seated(*people: tuple[str, str]) -> Scene:
    return Scene(HOSTED, *((name, TakeSeat("agent", role)) for name, role in people))


def plan(made: Playbook) -> list[tuple[str, str | None, str | None, tuple[int, ...]]]:
    return [(task.title, task.owner, task.verifier, task.depends_on) for task in made.tasks]


def test_a_room_makes_a_recipe_of_its_roles_and_its_plan():
    """Who does and who verifies is called by its role, so that the next room's people can come for it."""
    scene = seated(("claude-1", "builder"), ("codex-2", "QA reviewer"), ("ann", ""))
    scene.do("ann", OpenTask("build", "all", (), 2, owner="claude-1", verifier="codex-2", dod="works"))
    scene.do("ann", OpenTask("tell", depends_on=("T-01",), owner="ann", verifier="somebody"))
    assert recipe(scene.room, "My crew") == Playbook(
        "",
        "My crew",
        "Build: the cache",
        roles=(BUILDER, QA),
        tasks=(
            Draft("build", "all", 2, (), Name("Builder"), Name("QA Reviewer"), "works"),
            Draft("tell", "", None, (0,), Name("ann"), Name("somebody")),
        ),
        team="red",
        source_room="ABC-DEF-GHJ",
    )


def test_what_came_of_a_plan_is_not_saved():
    """No state, evidence, key or word: a done, a held, a rejected and a blocked task are what they were planned as."""
    scene = Scene(HOSTED, ("claude-1", TakeSeat("agent", "builder", offer="c" * 64)), proof=Proof("", "c" * 64, True))
    for title in ("done", "held", "rejected", "blocked"):
        scene.do("ann", OpenTask(title, owner="claude-1", verifier="vic"))
    for number, verdict in (("T-01", "done"), ("T-03", "rejected")):
        scene.do("claude-1", SubmitTask(number, "SECRET.py", "SECRET", "SECRET", 0))
        scene.do("vic", VerifyTask(number, verdict, "SECRET"))
    scene.do("claude-1", ClaimTask("T-02", 900))
    scene.do("claude-1", BlockTask("T-04", "SECRET"))
    scene.do("claude-1", Say("SECRET"))
    made = recipe(scene.room, "crew")
    assert plan(made) == [(title, "Builder", "vic", ()) for title in ("done", "held", "rejected", "blocked")]
    assert not {"SECRET", "c" * 64, "h" * 64} & set(repr(made).split("'"))


def test_cancelled_and_removed_tasks_are_not_saved_and_nothing_waits_for_them():
    """What they stood between waits for what is left."""
    scene = seated(("a", "builder"))
    for title in ("one", "two", "three", "four"):
        scene.do("ann", OpenTask(title))
    for task, other in (("T-02", "T-01"), ("T-04", "T-01"), ("T-04", "T-02"), ("T-04", "T-03")):
        scene.do("ann", LinkTask(task, other))
    scene.do("ann", CancelTask("T-01"))
    scene.do("ann", RemoveTask("T-03"))
    assert plan(recipe(scene.room, "crew")) == [("two", None, None, ()), ("four", None, None, (0,))]


def test_a_task_may_wait_for_a_later_one():
    """The order of the board stays."""
    scene = seated(("a", "builder"))
    scene.do("ann", OpenTask("later"))
    scene.do("ann", OpenTask("first"))
    scene.do("ann", LinkTask("T-01", "T-02"))
    made = recipe(scene.room, "crew")
    assert plan(made) == [("later", None, None, (1,)), ("first", None, None, ())]
    assert checked(made).tasks == made.tasks


def test_members_with_one_role_are_told_apart():
    """By a number behind the role, in order of joining."""
    made = recipe(seated(("a", "builder"), ("b", "Builder"), ("c", " BUILDER "), ("d", "gardener")).room, "crew")
    assert [role.name for role in made.roles] == ["Builder", "Builder 2", "Builder 3", "gardener"]
    assert [role.role for role in made.roles] == ["Builder", "Builder", "Builder", "gardener"]


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("  night \n\t watch ", "night watch"),
        ("a\u200bb\u202e", "ab"),
        ("\u200b", "me"),
        ("x" * 200, "x" * LABEL_CHARS),
        ("审查员", "审查员"),
    ],
)
def test_a_role_of_ones_own_words_becomes_a_name(role, name):
    """Without what can not be in a name; where nothing is left, it is called like its member."""
    made = recipe(seated(("me", role)).room, "crew")
    assert [one.name for one in made.roles] == [name]
    assert checked(made).roles == made.roles


def test_a_role_is_not_called_like_another_member():
    """A member called Builder keeps its name in the plan, and the role gets a number."""
    scene = seated(("Builder", ""), ("a", "builder"))
    scene.do("ann", OpenTask("one", owner="Builder", verifier="a"))
    made = recipe(scene.room, "crew")
    assert [role.name for role in made.roles] == ["Builder 2"]
    assert plan(made) == [("one", "Builder", "Builder 2", ())]


def test_where_a_role_is_called_like_somebody_who_has_gone_the_verifier_keeps_its_name():
    """Owned by a Builder that has left and verified by a builder: the recipe can be saved, and nobody is both."""
    scene = seated(("Builder", ""), ("a", "builder"))
    scene.do("ann", OpenTask("one", owner="Builder", verifier="a"))
    scene.do("Builder", Leave())
    made = recipe(scene.room, "crew")
    assert plan(made) == [("one", "Builder", "a", ())]
    checked(made)


def test_only_seated_members_with_a_role_are_roles():
    """Who left, who only acts here, and who said nothing of a role is none."""
    scene = seated(("gone", "builder"), ("none", ""))
    scene.do("gone", Leave())
    scene.do("acts", OpenTask("t"))
    assert recipe(scene.room, "crew").roles == ()


def test_how_the_room_takes_turns_is_saved_by_role():
    """Mode, deadlines, and who leads or moderates."""
    scene = seated(("a", "builder"), ("b", "skeptic"))
    config = ModeConfig(Name("A"), Name("b"), Timeouts(lead=5_000), 1_000, True)
    scene.do("host", SetMode("moderator", config), proof=HOST)
    made = recipe(scene.room, "crew")
    assert (made.mode, made.config) == ("moderator", replace(config, lead="Builder", moderator="Skeptic"))


@pytest.mark.parametrize("playbook", OFFICIAL.values(), ids=OFFICIAL)
def test_a_room_that_was_started_from_a_playbook_makes_it_again(playbook):
    """Whoever came for its roles, and also while nobody has come for some of them; others' roles are added."""
    scene = Scene(HOSTED)
    scene.do("host", ApplyPlaybook(playbook), proof=HOST)
    first, *_ = playbook.roles
    scene.do("one", TakeSeat("agent", first.name))
    made = recipe(scene.room, "again")
    assert (made.roles, made.tasks, made.mode) == (playbook.roles, playbook.tasks, playbook.mode)
    scene.do("two", TakeSeat("agent", "gardener"))
    assert recipe(scene.room, "again").roles == (*playbook.roles, RoleSlot("gardener", "gardener"))


@pytest.mark.parametrize("people", [(), (("ann", ""),), (("ann", " "),)])
def test_a_room_without_tasks_or_roles_makes_no_recipe(people):
    """Also where there is somebody who has no role, and a task that was cancelled."""
    scene = seated(*people)
    scene.do("x", OpenTask("t"))
    scene.do("x", CancelTask("T-01"))
    with pytest.raises(NothingToKeep) as refused:
        recipe(scene.room, "crew")
    assert "Room demo has no task" in str(refused.value)


HAPPENED = st.lists(st.tuples(NAMED, st.one_of(*WISHES.values())), max_size=15)


@given(HAPPENED)
@settings(max_examples=60, deadline=None)
def test_whatever_has_happened_the_recipe_can_start_a_room(happened):
    """Any room makes a recipe that keeps every bound; and a room that starts from it makes it again."""
    scene = Scene(HOSTED, ("dan", TakeSeat("agent", "builder")))
    for by, wish in happened:
        scene.when(by, wish)
    assume(len(scene.room.board.tasks) <= TASKS)
    made = checked(recipe(scene.room, "crew"))
    other = Scene(("", OpenRoom("next", "KMN-PQR-234", "red", made.topic)))
    other.do("", ApplyPlaybook(made))
    again = checked(recipe(other.room, "crew"))
    assert (again.roles, again.tasks) == (made.roles, made.tasks)
