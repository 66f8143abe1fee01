"""What a playbook is, under which id it goes, and which are kept for a team."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core import redaction
from stateroom.core.here import Here
from stateroom.core.ids import Instant, Name
from stateroom.core.kept_playbooks import (
    KEPT,
    PlaybookRemoved,
    PlaybookSaved,
    RemovePlaybook,
    SavePlaybook,
    find,
    known,
)
from stateroom.core.lifecycle import TOPIC_CHARS
from stateroom.core.lobby import decide
from stateroom.core.official import OFFICIAL
from stateroom.core.playbooks import BRIEF_CHARS, RECIPE_CHARS, SLUG_CHARS, Playbook, checked, slug
from stateroom.core.refusals import (
    BadName,
    BadPlaybook,
    BadText,
    InvalidModeConfig,
    OwnerIsVerifier,
    PlaybookReserved,
    PlaybooksFull,
    TooLong,
    UnknownPlaybook,
)
from stateroom.core.roles import RoleSlot
from stateroom.core.tasks import Draft
from stateroom.core.templates import TEMPLATES
from stateroom.core.turns import ModeConfig, Timeouts
from stateroom.testing.scenes import START, LobbyScene

BUILDER, QA = RoleSlot("Builder", "builder"), RoleSlot("QA", "qa-reviewer", "Break it.")
CREW = Playbook("", "My crew", "Build: {x}", roles=(BUILDER, QA), tasks=(Draft("one"),), team="red")
KEY = "ghp_" + "a1B2" * 10


def with_tasks(*tasks: Draft) -> Playbook:
    return replace(CREW, tasks=tasks)


def saved(*names: str, team: str = "red") -> LobbyScene:
    return LobbyScene(*(("", SavePlaybook(replace(CREW, name=name, team=team))) for name in names))


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("Code review crew", "code-review-crew"),
        ("  Docs   SPRINT! ", "docs-sprint"),
        ("v2.0 – final (really)", "v2-0-final-really"),
        ("评审 小组", "评审-小组"),
        ("レビュー班", "レビュー班"),
        ("코드 리뷰", "코드-리뷰"),
        ("ＦＵＬＬ　Ｗｉｄｔｈ", "full-width"),
        ("Ünïcode", "n-code"),
        ("a/b\\c?d#e", "a-b-c-d-e"),
        ("../../etc/passwd", "etc-passwd"),
        ("x" * 60, "x" * 48),
        ("x" * 47 + " y", "x" * 47),
        ("🚀 go", "go"),
        ("", ""),
        (" -- ", ""),
        ("🚀", ""),
        ("ÄÖ", ""),
    ],
)
def test_an_id_is_the_slug_of_the_name(name, id):
    """Small letters, digits and CJK writing stay; the rest becomes single dashes, none at either end (§4.12)."""
    assert slug(name) == id


@given(st.text(max_size=200))
def test_a_slug_is_its_own_slug(name):
    """Looking something up by its id finds what its name finds, and no id is longer than 48 characters."""
    assert slug(slug(name)) == slug(name)
    assert len(slug(name)) <= SLUG_CHARS


def test_the_official_playbooks_are_those_of_the_protocol():
    """Ids, modes, roles, and who does and who verifies each task (§18.4)."""
    found = {
        playbook.id: (
            playbook.mode,
            [role.name for role in playbook.roles],
            [(task.owner, task.verifier) for task in playbook.tasks],
        )
        for playbook in OFFICIAL.values()
    }
    assert found == {
        "code-review-crew": (
            "sequential",
            ["Builder", "Reviewer", "QA"],
            [("Reviewer", "QA"), ("Builder", "Reviewer"), ("QA", "Reviewer")],
        ),
        "docs-sprint": (
            "sequential",
            ["Researcher", "Writer", "Editor"],
            [("Researcher", "Editor"), ("Writer", "Editor")],
        ),
        "decision-debate": ("open", ["Advocate", "Skeptic", "Judge"], [("Judge", "Skeptic")]),
    }


@pytest.mark.parametrize("playbook", OFFICIAL.values(), ids=OFFICIAL)
def test_an_official_playbook_is_one_that_could_be_saved(playbook):
    """It keeps every bound, each task says what done means and is planned for roles it has, and it holds no secret."""
    assert checked(playbook) == playbook
    roles = {role.name for role in playbook.roles}
    assert all({task.owner, task.verifier} <= roles and task.dod for task in playbook.tasks)
    assert all(role.brief for role in playbook.roles)
    assert all(index < number for number, task in enumerate(playbook.tasks) for index in task.depends_on)
    assert redaction.secrets(repr(playbook))[1] == 0
    assert playbook.official
    assert playbook.opening


def test_official_ids_are_nobody_elses():
    """A template of the same id would hide it."""
    assert not set(OFFICIAL) & set(TEMPLATES)


@pytest.mark.parametrize(
    ("change", "refusal", "said"),
    [
        ({"name": ""}, BadPlaybook, "no letter or digit"),
        ({"name": "!!! 🚀"}, BadPlaybook, "no letter or digit"),
        ({"name": "x" * 101}, TooLong, "name is too long: 101"),
        ({"name": "a\0"}, BadText, "name"),
        ({"topic": "x" * (TOPIC_CHARS + 1)}, TooLong, "topic"),
        ({"topic": "\ud800"}, BadText, "topic"),
        ({"opening": "x" * 1_001}, TooLong, "opening"),
        ({"roles": (), "tasks": ()}, BadPlaybook, "neither roles nor tasks"),
        ({"roles": tuple(RoleSlot(f"r{n}") for n in range(9))}, TooLong, "roles is too long: 9 of at most 8 roles"),
        ({"roles": (RoleSlot(" "),)}, BadName, "empty"),
        ({"roles": (RoleSlot("a\u200b"),)}, BadName, "invisible"),
        ({"roles": (RoleSlot("x" * 129),)}, BadName, "longer than"),
        ({"roles": (RoleSlot("a", "x" * 201),)}, TooLong, "role"),
        ({"roles": (RoleSlot("a", "b", "x" * (BRIEF_CHARS + 1)),)}, TooLong, "brief"),
        ({"roles": (RoleSlot("Builder"), RoleSlot(" bUILDER "))}, BadPlaybook, "two roles are called bUILDER"),
        ({"roles": (RoleSlot("Builder"), RoleSlot("Ｂｕｉｌｄｅｒ"))}, BadPlaybook, "two roles"),
        ({"tasks": tuple(Draft(f"t{n}") for n in range(21))}, TooLong, "tasks is too long: 21 of at most 20 tasks"),
        ({"tasks": (Draft("ok"), Draft("  "))}, BadPlaybook, "tasks[1] has no title"),
        ({"tasks": (Draft("x" * 1_001),)}, TooLong, "title"),
        ({"tasks": (Draft("a", "x" * 16_001),)}, TooLong, "description"),
        ({"tasks": (Draft("a", dod="x" * 16_001),)}, TooLong, "dod"),
        (
            {"tasks": (Draft("a", depends_on=(1,)),)},
            BadPlaybook,
            "tasks[0] waits for tasks[1]; the tasks go",
        ),
        ({"tasks": (Draft("a", depends_on=(-1,)),)}, BadPlaybook, "tasks[0] waits for tasks[-1]"),
        ({"tasks": (Draft("a", depends_on=(10**30,)),)}, BadPlaybook, "tasks[0] waits for"),
        ({"tasks": (Draft("a", depends_on=(0,)),)}, BadPlaybook, "wait for each other, or for those that do: tasks[0]"),
        (
            {"tasks": (Draft("a"), Draft("b", depends_on=(2,)), Draft("c", depends_on=(1, 0)))},
            BadPlaybook,
            "those that do: tasks[1], tasks[2]",
        ),
        ({"tasks": (Draft("a", owner=Name("QA"), verifier=Name(" qa ")),)}, OwnerIsVerifier, "QA"),
        ({"tasks": (Draft("a", owner=Name("Ｑ\u0041"), verifier=Name("QA")),)}, OwnerIsVerifier, "QA"),
        ({"tasks": (Draft("a", owner=Name("x\n")), Draft("b", verifier=Name("y\0z")))}, BadName, "control"),
        ({"mode": "moderator"}, InvalidModeConfig, "moderatorAgentName is missing"),
        ({"config": ModeConfig(timeouts=Timeouts(lead=0))}, InvalidModeConfig, "timeoutMs.lead is 0"),
        (
            {"tasks": tuple(Draft(f"t{n}", "x" * 16_000) for n in range(5))},
            TooLong,
            f"of at most {RECIPE_CHARS} characters",
        ),
    ],
)
def test_what_can_not_be_a_playbook_is_refused(change, refusal, said):
    """With the part that is wrong, and nothing is kept."""
    scene = LobbyScene()
    answer = scene.when("", SavePlaybook(replace(CREW, **change)))
    answer.then(refusal)
    assert said in str(answer.refusal).replace("ＱA", "QA")
    assert scene.lobby.playbooks == {}


@pytest.mark.parametrize(
    "change",
    [
        {"roles": tuple(RoleSlot(f"r{n}", "x" * 200, "b" * BRIEF_CHARS) for n in range(8))},
        {"tasks": tuple(Draft(f"t{n}", depends_on=tuple(range(n))) for n in range(20))},
        {"tasks": (Draft("later", depends_on=(1,)), Draft("first"))},
        {"roles": ()},
        {"tasks": ()},
        {"name": "x" * 100, "topic": "x" * TOPIC_CHARS},
        {"mode": "moderator", "config": ModeConfig(moderator=Name("QA"))},
        {"tasks": (Draft("a", owner=Name("somebody else"), verifier=Name("QA")),)},
    ],
)
def test_what_keeps_every_bound_is_kept(change):
    """Up to the last role, task and character; a task may wait for a later one."""
    LobbyScene().when("", SavePlaybook(replace(CREW, **change))).then(PlaybookSaved)


def test_what_is_saved_is_tidy():
    """Spaces around names and briefs go, blank parts are none, an index counts once."""
    untidy = replace(
        CREW,
        name="  My   crew ",
        roles=(RoleSlot(" Builder ", " builder ", " Build. "),),
        tasks=(Draft("a"), Draft(" b ", "", None, (0, 0), Name(" "), Name(" Ann "), " \n")),
    )
    (event,) = LobbyScene().do("", SavePlaybook(untidy))
    kept = event.playbook
    assert (kept.id, kept.name) == ("my-crew", "My   crew")
    assert kept.roles == (RoleSlot("Builder", "builder", "Build."),)
    assert kept.tasks[1] == Draft("b", "", None, (0,), None, "Ann", None)


def test_saving_under_a_name_that_is_taken_replaces_and_says_so():
    """Another spelling of the same slug is the same playbook; when it was first saved stays known (§4.12)."""
    scene = saved("My crew")
    other = replace(CREW, name="my CREW!", topic="Other", created_at=Instant(7), updated_at=Instant(8))
    (event,) = scene.do("", SavePlaybook(other), 5_000)
    assert event == PlaybookSaved(replace(checked(other), created_at=START, updated_at=START + 5_000), replaced=True)
    assert list(scene.lobby.playbooks["red"].values()) == [event.playbook]


def test_saving_the_same_again_changes_nothing():
    """Whoever repeats the call is not told that it replaced anything."""
    saved("My crew").when("", SavePlaybook(CREW), 5_000).then()


def test_a_team_has_fifty_at_most():
    """The next is refused; replacing one and saving for another team still work, and a removal makes room."""
    scene = saved(*(f"crew {n}" for n in range(KEPT)))
    one_more = SavePlaybook(replace(CREW, name="one more"))
    scene.when("", one_more).then(PlaybooksFull, count=50, limit=50)
    scene.when("", SavePlaybook(replace(CREW, name="crew 7", topic="new"))).then(PlaybookSaved, replaced=True)
    scene.when("", SavePlaybook(replace(CREW, team="blue"))).then(PlaybookSaved, replaced=False)
    scene.do("", RemovePlaybook("red", "crew-7"))
    scene.when("", one_more).then(PlaybookSaved)


@pytest.mark.parametrize("name", ["Docs sprint", "DOCS  sprint", "code-review-crew", "Incident", "blank", "Bug fix"])
def test_what_comes_with_stateroom_is_neither_replaced_nor_removed(name):
    """Official playbooks, and the ids of templates, which rooms start from by the same argument."""
    LobbyScene().when("", SavePlaybook(replace(CREW, name=name))).then(PlaybookReserved, playbook=slug(name))
    LobbyScene().when("", RemovePlaybook("red", name)).then(PlaybookReserved, playbook=slug(name))


def test_a_removed_playbook_is_gone():
    """By its id or its name; the second time there is none."""
    scene = saved("My crew", "Other")
    scene.when("", RemovePlaybook("red", "MY crew")).then(PlaybookRemoved("red", "my-crew"))
    assert list(scene.lobby.playbooks["red"]) == ["other"]
    scene.when("", RemovePlaybook("red", "my-crew")).then(UnknownPlaybook, playbook="my-crew")


def test_a_teams_playbooks_are_its_own():
    """Another team neither sees, finds, replaces nor removes them."""
    scene = saved("My crew")
    shelves = scene.lobby.playbooks
    assert [one.id for one in known(shelves, "red")] == [*OFFICIAL, "my-crew"]
    assert [one.id for one in known(shelves, "blue")] == [*OFFICIAL]
    assert find(shelves, "red", "My Crew").name == "My crew"
    assert find(shelves, "blue", "my-crew") is None
    assert find(shelves, "blue", "docs sprint") == OFFICIAL["docs-sprint"]
    scene.when("", RemovePlaybook("blue", "my-crew")).then(UnknownPlaybook)


def test_playbooks_are_listed_by_id_after_the_official_ones():
    """Whatever the order in which they were saved."""
    assert [one.id for one in known(saved("zeta", "Alpha").lobby.playbooks, "red")][-2:] == ["alpha", "zeta"]


@pytest.mark.parametrize("id", ["", "nope", "x" * 10_000, "🚀"])
def test_an_unknown_playbook_is_none(id):
    """What comes back in the refusal is bounded."""
    answer = saved("My crew").when("", RemovePlaybook("red", id))
    answer.then(UnknownPlaybook)
    assert len(str(answer.refusal)) < 200
    assert find({}, "red", id) is None


def test_secrets_are_taken_out_of_what_is_kept():
    """Wherever somebody has put one, its name included; with the server's leave they stay."""
    leaky = replace(
        CREW,
        name=f"crew {KEY}",
        topic=KEY,
        opening=f"use {KEY}",
        roles=(RoleSlot("Builder", KEY, KEY),),
        tasks=(Draft(KEY, KEY, dod=KEY),),
    )
    scene = LobbyScene()
    scene.do("", SavePlaybook(leaky))
    assert KEY not in repr(scene.lobby)
    assert repr(scene.lobby).count("[REDACTED]") == 8
    scene.when("", SavePlaybook(leaky)).then()
    (kept,) = decide(LobbyScene().lobby, SavePlaybook(leaky), Here(Name(""), START, redacts=False))
    assert repr(kept).count(KEY) == 8
