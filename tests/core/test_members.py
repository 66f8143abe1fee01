"""Who takes part, and when two names are the same name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.members import Join, Leave, MemberJoined, MemberLeft, fold, same
from stateroom.core.messages import MarkRead, MessagePosted, PostMessage
from stateroom.core.refusals import BadName
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.tasks import MoveTask, OpenTask, TaskOpened
from stateroom.testing.scenes import START, Scene

HI = PostMessage("hi", "all", {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ann"),
        (" ann\t", "ann"),
        ("ＡＮＮ", "ann"),
        ("STRASSE", "straße"),
        ("ﬁnn", "FINN"),
        ("Ａnn ", "aNN"),
        ("e\u0301ve", "ÉVE"),
        ("ΣΟΦΟΣ", "σοφος"),
        ("\u00a0ann\u3000", "ann"),
    ],
)
def test_one_name_in_two_spellings(one, other):
    """Names are compared trimmed, NFKC-folded and case-folded."""
    assert same(one, other)
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("ann", "anne"), ("ann", "an n"), ("ann", "аnn"), ("a-b", "a_b")])
def test_two_names(one, other):
    """What looks alike in another alphabet is another name, as is one with a space in it."""
    assert not same(one, other)


@given(st.text(max_size=5), st.text(max_size=5))
def test_comparing_names_is_fair(one, other):
    """Every name is the same as itself and as itself with space around it, and order does not matter."""
    assert same(one, f" {one}\n")
    assert same(one, other) == same(other, one)


def test_a_member_is_known_by_its_first_act():
    """Its arrival is a fact of its own, comes first, and the room is not told of it (protocol §1)."""
    answer = Scene().when("Ann", HI)
    answer.then(MemberJoined("Ann"), MessagePosted)
    assert answer.told == ["MessagePosted"]


def test_a_member_keeps_its_first_spelling():
    """However it writes its name later, the log spells it as it first came."""
    scene = Scene(("Ann", HI))
    assert scene.do("ＡＮＮ ", HI) == [MessagePosted("hi", "all", {})]
    assert [entry.by for entry in scene.log] == ["Ann", "Ann", "Ann"]
    assert scene.room.members.find(" aNN").joined_at == START
    assert scene.room.members.find("ann").joined_position == 1


def test_a_wish_that_changes_nothing_brings_nobody_in():
    """No fact, no arrival."""
    scene = Scene(("ann", OpenTask("t")))
    scene.when("bob", MoveTask("T-01", "open")).then()
    assert scene.room.members.names() == ["ann"]


def test_joining_twice_is_joining_once():
    """In any spelling; and nobody in particular does not join."""
    Scene().when("ann", Join()).then(MemberJoined("ann"))
    Scene().when("", Join()).then()
    Scene(("ann", Join())).when(" ANN", Join()).then()


def test_leaving_is_told_also_of_somebody_who_was_never_here():
    """The room hears of every leave (protocol, leave_room), and leaving makes nobody a member."""
    scene = Scene()
    answer = scene.when("ghost", Leave())
    answer.then(MemberLeft("ghost"))
    assert answer.told == ["MemberLeft"]
    assert scene.room.members.names() == []


def test_a_member_that_left_can_come_back():
    """Under a new spelling, since nobody remembers the old one."""
    scene = Scene(("ann", Join()), ("ANN", Leave()))
    assert scene.log[-1].event == MemberLeft("ann")
    scene.when("Ann", Join()).then(MemberJoined("Ann"))


def test_members_are_listed_in_order_of_arrival():
    """Also after some have gone."""
    scene = Scene(*[(name, Join()) for name in ("cyn", "ann", "bob")], ("ann", Leave()), ("ann", Join()))
    assert scene.room.members.names() == ["cyn", "bob", "ann"]


def test_nobody_in_particular_may_wish_and_joins_nothing():
    """A wish without a name is an act of nobody: it makes no member."""
    scene = Scene()
    scene.when("", OpenTask("t")).then(TaskOpened)
    assert (scene.room.members.names(), scene.log[0].by) == ([], "")


@pytest.mark.parametrize(
    "name",
    [
        " ",
        "\t\n",
        "x" * 129,
        "a\nb",
        "a\x00b",
        "a\x7fb",
        "a\u200bb",
        "\u202eann",
        "a\u00adb",
        "ann\ufeff",
        "a\ud800",
        "\ue000",
        "a\u2028b",
        "a\u2029b",
        "a\U000e0041",
    ],
)
def test_names_that_nobody_may_have(name):
    """Empty, too long, or with control, format, private or line-breaking characters in them (L21)."""
    scene = Scene()
    scene.when(name, HI).then(BadName)
    scene.when(name, Join()).then(BadName)
    scene.when("ann", OpenTask("t")).then(TaskOpened)
    scene.when("ann", MoveTask("T-01", "open", owner=name)).then(BadName)
    scene.when("ann", RequestReview("task", "T-01", name)).then(BadName)


@pytest.mark.parametrize("name", ["x", "x" * 128, " " + "x" * 128 + " ", "Ann Lee", "名前", "أحمد", "🤖", "a/b#c", "0"])
def test_names_that_anybody_may_have(name):
    """Up to 128 visible characters, once trimmed."""
    scene = Scene()
    scene.when(name, Join()).then(MemberJoined(name.strip()))


@pytest.mark.parametrize(
    "wish",
    [
        Leave(),
        MarkRead(2),
        TakeLease("file", 30),
        ReleaseLease("file"),
        RequestReview("task", "T-01", "bob"),
        ResolveReview("R-01", "approved"),
    ],
)
def test_what_is_about_somebody_needs_a_name(wish):
    """A lease, a receipt, a review or a departure of nobody in particular would be everybody's."""
    given = ("ann", HI), ("ann", OpenTask("t")), ("ann", RequestReview("task", "T-01", "bob"))
    Scene(*given).when("", wish).then(BadName, name="", reason="it is empty")
