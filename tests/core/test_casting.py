"""A room that was started from a playbook: what it begins with, and who takes over which of its roles."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core import casting
from stateroom.core.evidence import RoleChange
from stateroom.core.floor import ModeChanged, RoleTaken, SetMode
from stateroom.core.halting import CancelTask, ReopenTask
from stateroom.core.here import Proof
from stateroom.core.holding import ClaimTask, ReassignTask, TaskCast
from stateroom.core.ids import Name
from stateroom.core.lifecycle import OpenRoom, PlaybookApplied
from stateroom.core.members import Leave, MemberSeated
from stateroom.core.official import OFFICIAL
from stateroom.core.playbooks import Playbook
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.refusals import NotTheVerifier, OwnerIsVerifier, RoomHasTasks
from stateroom.core.roles import ROLES, RoleSlot
from stateroom.core.room import ApplyPlaybook
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import Say
from stateroom.core.tasks import Draft, OpenTask, TaskClaimed, TaskOpened
from stateroom.core.turns import ModeConfig
from stateroom.testing.scenes import START, Scene

BUILDER, QA = RoleSlot("Builder", "builder", "Build it."), RoleSlot("QA", "QA Reviewer")
CREW = Playbook(
    "crew",
    "Crew",
    "Build: {x}",
    roles=(BUILDER, QA),
    tasks=(
        Draft("build", "all of it", 1, (), Name("Builder"), Name("QA"), "works"),
        Draft("ship", depends_on=(0,), owner=Name("Builder")),
        Draft("tell", owner=Name("dan"), verifier=Name("QA")),
    ),
    opening="What for?",
    team="red",
)
RUN = ("a.py", "def a(): ...", "1 passed", 0)
"""What shows that something is done."""
HOST = Proof(host="h" * 64)
OPEN = ("", OpenRoom("demo", "ABC-DEF-GHJ", "red"))
HOSTED = ("", OpenRoom("demo", "ABC-DEF-GHJ", "red", "A topic", "Host", "h" * 64))
BEGUN = OPEN, ("host", ApplyPlaybook(CREW))


def planned(scene: Scene) -> list[tuple[str, str | None, str | None]]:
    return [(task.title, task.owner, task.verifier) for task in scene.room.board.tasks.values()]


def came(scene: Scene, name: str, role: str = "") -> Scene:
    scene.do(name, TakeSeat("agent", role))
    return scene


def led(mode: str, **config: str) -> Playbook:
    return replace(CREW, mode=mode, config=ModeConfig(**{role: Name(name) for role, name in config.items()}))


def test_a_room_begins_with_what_its_playbook_says():
    """Its tasks with roles, waits and definitions of done; one fact tells of it all, and the roles are known."""
    answer = Scene(OPEN).when("host", ApplyPlaybook(CREW))
    applied = PlaybookApplied("crew", "Crew", "Build: {x}", 3, (BUILDER, QA), "What for?")
    room = answer.then(TaskOpened, TaskOpened, TaskOpened, applied).room
    assert answer.told == ["PlaybookApplied"]
    assert (room.lifecycle.project, room.lifecycle.roles) == ("Build: {x}", (BUILDER, QA))
    build, ship, tell = room.board.tasks.values()
    assert (build.title, build.description, build.priority, build.dod) == ("build", "all of it", 1, "works")
    assert (build.owner, build.verifier, build.state, build.role_history) == ("Builder", "QA", "open", ())
    assert (ship.depends_on, ship.verifier, tell.owner) == ((build.id,), None, "dan")


@pytest.mark.parametrize(
    ("playbook", "opening", "project"),
    [
        (CREW, OPEN, "Build: {x}"),
        (replace(CREW, topic=""), OPEN, "Crew"),
        (CREW, HOSTED, "A topic"),
    ],
)
def test_a_room_with_a_topic_keeps_it_also_from_a_playbook(playbook, opening, project):
    """Else the plan is called like the playbook's topic, or like the playbook."""
    assert Scene(opening, ("host", ApplyPlaybook(playbook))).room.lifecycle.project == project


def test_a_playbook_never_overwrites_a_plan():
    """A room with tasks refuses it; with `append` they come behind, wait for each other there, and roles add up
    (W-23)."""
    scene = Scene(OPEN, ("ann", OpenTask("mine")))
    scene.when("ann", ApplyPlaybook(CREW)).then(RoomHasTasks, room="demo", count=1)
    scene.do("ann", ApplyPlaybook(CREW, append=True))
    assert list(scene.room.board.tasks) == ["T-01", "T-02", "T-03", "T-04"]
    assert scene.room.board.find("T-03").depends_on == ("T-02",)
    more = replace(CREW, roles=(RoleSlot("qa", "tester"), RoleSlot("Writer")), tasks=())
    scene.do("ann", ApplyPlaybook(more, append=True))
    assert scene.room.lifecycle.roles == (BUILDER, QA, RoleSlot("Writer"))


def test_a_playbook_without_tasks_wants_only_roles():
    """Nothing is on the board, and who comes is still told what for."""
    scene = Scene(OPEN, ("ann", ApplyPlaybook(replace(CREW, tasks=()))))
    assert (scene.room.board.tasks, scene.room.lifecycle.roles) == ({}, (BUILDER, QA))


def test_the_host_gets_the_mode_of_a_playbook_and_nobody_else():
    """Who leads is named by a role until somebody has it."""
    playbook = led("sequential", lead="Builder")
    answer = Scene(HOSTED).when("host", ApplyPlaybook(playbook), proof=HOST)
    assert answer.events[-1] == ModeChanged("sequential", ModeConfig(lead="Builder"))
    scene = Scene(HOSTED)
    scene.do("ann", ApplyPlaybook(playbook))
    assert scene.room.floor.mode == "open"


def test_an_open_playbook_does_not_open_what_takes_turns():
    """It says nothing about the mode, so that stays."""
    scene = Scene(HOSTED, proof=HOST)
    scene.do("", SetMode("sequential"))
    scene.do("host", ApplyPlaybook(CREW))
    assert scene.room.floor.mode == "sequential"


@pytest.mark.parametrize("role", ["Builder", " bUILDER ", "builder", "Ｂｕｉｌｄｅｒ"])
def test_who_comes_with_a_role_takes_over_what_was_planned_for_it(role):
    """In any spelling; on record, as changes by whoever came, and nothing else changes hands."""
    scene = Scene(*BEGUN)
    answer = scene.when("worker-3", TakeSeat("agent", role))
    answer.then(MemberSeated, TaskCast, TaskCast, RoleTaken("worker-3", "Builder", ("T-01", "T-02"), ModeConfig()))
    assert answer.told == ["RoleTaken"]
    assert planned(scene) == [("build", "worker-3", "QA"), ("ship", "worker-3", None), ("tell", "dan", "QA")]
    build = scene.room.board.find("T-01")
    assert build.role_history == (RoleChange(Name("worker-3"), START, "owner", Name("Builder"), Name("worker-3")),)
    assert build.state == "open"


@pytest.mark.parametrize("role", ["QA", "qa-reviewer", "QA reviewer", "qa REVIEWER"])
def test_a_preset_is_a_role_by_its_id_and_by_its_label(role):
    """`qa-reviewer` and `QA Reviewer` are one; who verifies is named, too."""
    scene = Scene(*BEGUN)
    scene.when("eve", TakeSeat("agent", role)).then(MemberSeated, TaskCast, TaskCast, RoleTaken)
    assert [verifier for _, _, verifier in planned(scene)] == ["eve", None, "eve"]


def test_who_has_a_role_can_do_what_it_is_for():
    """The verifier that the playbook named by its role rules on the work; before it came, nobody else could."""
    scene = came(Scene(*BEGUN), "worker-3", "Builder")
    scene.do("worker-3", SubmitTask("T-01", *RUN))
    scene.when("eve", VerifyTask("T-01", "done", "fine")).then(NotTheVerifier)
    scene.now = scene.now + 60_000
    came(scene, "eve", "QA")
    assert scene.room.board.find("T-01").review_due == scene.now + 1_800_000
    scene.do("eve", VerifyTask("T-01", "done", "fine"))
    assert scene.room.board.find("T-01").state == "done"


@pytest.mark.parametrize("role", ["", "Writer", "Build", "Builders"])
def test_who_comes_for_something_else_takes_over_nothing(role):
    """A role nobody planned for is one's own."""
    scene = Scene(*BEGUN)
    scene.when("worker-3", TakeSeat("agent", role)).then(MemberSeated)
    assert planned(scene)[0] == ("build", "Builder", "QA")


def test_names_in_other_rooms_are_no_roles():
    """Where no playbook was applied, nobody becomes the verifier `eve` by coming with the role `eve`."""
    scene = Scene(OPEN, ("ann", OpenTask("t", owner="ann", verifier="eve")))
    scene.when("mallory", TakeSeat("agent", "eve")).then(MemberSeated)
    assert planned(scene) == [("t", "ann", "eve")]


def test_a_name_in_the_plan_that_is_no_role_is_taken_by_nobody():
    """The playbook names dan, who is a member and no role: who comes as `dan` for a role gets nothing."""
    scene = Scene(*BEGUN)
    scene.when("mallory", TakeSeat("agent", "dan")).then(MemberSeated)
    assert planned(scene)[2] == ("tell", "dan", "QA")


def test_a_member_that_is_called_like_a_role_has_it():
    """By name, whatever it says it is here for; then nobody takes it over."""
    scene = came(Scene(*BEGUN), "builder")
    scene.when("worker-3", TakeSeat("agent", "Builder")).then(MemberSeated)
    assert planned(scene)[0] == ("build", "Builder", "QA")
    scene.when("builder", ClaimTask("T-01")).then(TaskClaimed)


def test_the_first_who_comes_for_a_role_has_it():
    """The next takes over nothing; when the first has gone, what is its stays its until somebody is named."""
    scene = came(came(Scene(*BEGUN), "one", "Builder"), "two", "Builder")
    assert planned(scene)[0] == ("build", "one", "QA")
    scene.do("one", Leave())
    scene.when("three", TakeSeat("agent", "Builder")).then(MemberSeated)
    assert planned(scene)[0] == ("build", "one", "QA")


def test_two_roles_alike_go_to_two_members():
    """Who joined first has the first of them."""
    twins = (RoleSlot("Left", "builder"), RoleSlot("Right", "builder"))
    tasks = Draft("l", owner=Name("Left")), Draft("r", owner=Name("Right"))
    scene = Scene(OPEN, ("ann", ApplyPlaybook(replace(CREW, roles=twins, tasks=tasks))))
    came(came(came(scene, "one", "Builder"), "two", "builder"), "three", "builder")
    assert planned(scene) == [("l", "one", None), ("r", "two", None)]


def test_work_that_somebody_has_begun_stays_with_it():
    """Whoever claimed what was meant for a role holds it; the rest of the plan still goes to who comes for the role."""
    scene = Scene(*BEGUN)
    scene.do("ann", ClaimTask("T-01"))
    scene.when("worker-3", TakeSeat("agent", "Builder")).then(MemberSeated, TaskCast, RoleTaken)
    assert [owner for _, owner, _ in planned(scene)] == ["ann", "worker-3", "dan"]


def test_a_task_that_was_taken_by_a_member_of_the_roles_name_is_not_handed_over():
    """A member called Builder began it and left: it is still the one that holds it."""
    scene = Scene(*BEGUN)
    scene.do("Builder", ClaimTask("T-01"))
    scene.do("Builder", Leave())
    scene.when("worker-3", TakeSeat("agent", "Builder")).then(MemberSeated, TaskCast, RoleTaken)
    assert [owner for _, owner, _ in planned(scene)] == ["Builder", "worker-3", "dan"]


def test_what_is_over_is_not_handed_over():
    """A cancelled task keeps the names of its plan; reopened, it goes to who comes next."""
    scene = Scene(*BEGUN)
    scene.do("ann", CancelTask("T-02"))
    scene.do("ann", CancelTask("T-03"))
    came(came(scene, "one", "Builder"), "eve", "QA")
    assert planned(scene) == [("build", "one", "eve"), ("ship", "Builder", None), ("tell", "dan", "QA")]
    scene.do("ann", ReopenTask("T-02"))
    scene.when("one", TakeSeat("agent", returning=True)).then(TaskCast, RoleTaken)
    assert planned(scene)[1] == ("ship", "one", None)


def test_nobody_becomes_owner_and_verifier_by_its_roles():
    """Who owns what the role is to verify stays its owner, and the verifier is still to be found; the rest goes
    over."""
    scene = came(Scene(*BEGUN), "eve", "Builder")
    scene.when("eve", TakeSeat("agent", "QA", returning=True)).then(MemberSeated, TaskCast, RoleTaken)
    assert planned(scene) == [("build", "eve", "QA"), ("ship", "eve", None), ("tell", "dan", "eve")]


def test_who_submitted_does_not_become_the_verifier_by_its_role():
    """Also where the task has another owner by now."""
    scene = came(Scene(*BEGUN), "eve", "Builder")
    scene.do("eve", SubmitTask("T-01", *RUN))
    scene.do("ann", ReassignTask("T-01", owner="ann"))
    scene.do("eve", TakeSeat("agent", "QA", returning=True))
    assert planned(scene)[0] == ("build", "ann", "QA")


def test_whoever_was_there_first_has_its_role_from_the_beginning():
    """A playbook that is applied where its roles are taken plans for the members at once."""
    scene = came(Scene(HOSTED), "one", "Builder")
    playbook = led("sequential", lead="Builder")
    applied = scene.when("host", ApplyPlaybook(playbook), proof=HOST).events
    assert planned(scene) == [("build", "one", "QA"), ("ship", "one", None), ("tell", "dan", "QA")]
    assert applied[-1] == ModeChanged("sequential", ModeConfig(lead="one"))


def test_a_plan_for_a_member_that_has_the_other_role_keeps_the_role():
    """Planned for dan and verified by QA, where dan is QA: the verifier is still to be found."""
    scene = came(Scene(OPEN), "dan", "QA")
    scene.do("ann", ApplyPlaybook(CREW))
    assert planned(scene) == [("build", "Builder", "dan"), ("ship", "Builder", None), ("tell", "dan", "QA")]


@pytest.mark.parametrize("name", ["QA", "qa", "eve"])
def test_who_has_a_role_can_be_named_by_it(name):
    """Opening and reassigning a task for a role mean who has it, and say so."""
    scene = came(Scene(*BEGUN), "eve", "QA")
    scene.do("ann", OpenTask("more", owner="ann", verifier=name))
    scene.do("ann", OpenTask("else"))
    scene.do("ann", ReassignTask("T-05", owner=name))
    assert planned(scene)[3:] == [("more", "ann", "eve"), ("else", "eve", None)]
    scene.when("ann", ReassignTask("T-05", verifier="qa")).then(OwnerIsVerifier)
    scene.when("ann", OpenTask("no", owner="eve", verifier=" qa ")).then(OwnerIsVerifier)


def test_a_role_that_nobody_has_is_still_a_plan():
    """Named before somebody comes for it, it goes to who does."""
    scene = Scene(*BEGUN)
    scene.do("ann", OpenTask("more", verifier="QA"))
    came(scene, "eve", "QA")
    assert planned(scene)[3] == ("more", None, "eve")


def test_who_leads_by_its_role_leads_by_its_name():
    """The turn that runs goes on; the next is led by whoever came."""
    scene = Scene(HOSTED, proof=HOST)
    scene.do("host", TakeSeat("human"))
    scene.do("host", ApplyPlaybook(led("sequential", lead="QA")))
    came(scene, "one")
    scene.do("host", Say("begin"))
    turn = scene.room.floor.turn
    answer = scene.when("eve", TakeSeat("agent", "QA"))
    assert answer.events[-1] == RoleTaken("eve", "QA", ("T-01", "T-03"), ModeConfig(lead="eve"))
    assert scene.room.floor.turn == turn
    scene.do("one", Say("done"))
    scene.do("host", Say("again"))
    assert scene.room.floor.turn.current.name == "eve"


def test_who_moderates_by_its_role_moderates_by_its_name():
    """Who came may speak, and has the floor when a person has spoken."""
    scene = Scene(HOSTED, proof=HOST)
    scene.do("host", ApplyPlaybook(led("moderator", moderator="Builder")))
    scene.when("one", TakeSeat("agent", "Builder")).then(MemberSeated, TaskCast, TaskCast, RoleTaken)
    scene.do("host", TakeSeat("human"))
    scene.do("host", Say("begin"))
    assert scene.room.floor.turn.current.name == "one"


def test_the_name_that_is_given_takes_the_role_over():
    """Who had to be called `eve (2)` is planned for under that name, and it is the one on record."""
    scene = came(Scene(OPEN, ("ann", ApplyPlaybook(CREW))), "eve")
    scene.do("eve", TakeSeat("agent", "QA"), proof=Proof())
    build = scene.room.board.find("T-01")
    assert (build.verifier, build.role_history[-1].by) == ("eve (2)", "eve (2)")


def brief(scene: Scene, name: str) -> str:
    return casting.brief(scene.room.lifecycle.roles, scene.room.members, scene.room.members.find(name))


def test_a_role_of_the_playbook_has_its_own_brief():
    """Else the preset's; who comes for something else has the preset's of that, or none."""
    scene = Scene(*BEGUN)
    for name, role in (("one", "Builder"), ("eve", "QA"), ("sam", "skeptic"), ("tom", "gardener"), ("two", "builder")):
        came(scene, name, role)
    assert brief(scene, "one") == "Build it."
    assert brief(scene, "eve") == ROLES["qa-reviewer"].brief
    assert brief(scene, "sam") == ROLES["skeptic"].brief
    assert brief(scene, "tom") == ""
    assert brief(scene, "two") == ROLES["builder"].brief, "the role is taken"


def test_a_brief_that_a_role_leaves_out_is_that_of_its_preset():
    """By what the role is for, or by what it is called."""
    roles = (RoleSlot("Left", "skeptic"), RoleSlot("Writer"))
    scene = Scene(OPEN, ("ann", ApplyPlaybook(replace(CREW, roles=roles, tasks=()))))
    came(came(scene, "one", "Left"), "WRITER")
    assert (brief(scene, "one"), brief(scene, "WRITER")) == (ROLES["skeptic"].brief, ROLES["writer"].brief)


@pytest.mark.parametrize("playbook", OFFICIAL.values(), ids=OFFICIAL)
def test_an_official_playbook_can_be_played_to_its_end(playbook):
    """Members come for its roles, and every task is submitted by its owner and ruled on by its verifier."""
    scene = Scene(HOSTED, ("host", ApplyPlaybook(playbook)))
    for number, role in enumerate(playbook.roles):
        came(scene, f"agent-{number}", role.role)
    names = {f"agent-{number}" for number in range(len(playbook.roles))}
    for task in list(scene.room.board.tasks.values()):
        assert {task.owner, task.verifier} <= names
        scene.do(task.owner, ClaimTask(task.id))
        scene.do(task.owner, SubmitTask(task.id, *RUN))
        scene.do(task.verifier, VerifyTask(task.id, "done", "seen"))
    assert scene.room.board.completed_at is not None


WORDS = st.sampled_from(["Builder", "builder", "QA", "qa-reviewer", "dan", "ann", "", "x"])
SOME = WORDS.filter(bool)
SLOTS = st.lists(st.builds(RoleSlot, SOME, WORDS), max_size=4, unique_by=lambda slot: slot.name.casefold())


@given(SLOTS, st.lists(st.tuples(SOME, WORDS, st.booleans()), max_size=6))
def test_a_role_has_one_member_at_most_and_a_member_one_role(slots, people):
    """Whoever comes for whatever, in any order; and who is called like a role has that one."""
    scene = Scene(OPEN, ("ann", ApplyPlaybook(replace(CREW, roles=tuple(slots)))))
    for name, role, seated in people:
        scene.do(name, TakeSeat("agent", role) if seated else OpenTask("t"))
    members = scene.room.members
    found = casting.cast(tuple(slots), members.by_fold.values())
    assert len({member.name for member in found.values()}) == len(found)
    assert all(found[slot.name].name == members.find(slot.name).name for slot in slots if members.find(slot.name))
    for task in scene.room.board.tasks.values():
        assert task.owner is None or task.verifier is None or task.owner.casefold() != task.verifier.casefold()
