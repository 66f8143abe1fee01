"""How a room comes to be, ends, comes back, and by which policy it is run."""

import pytest

from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.lifecycle import (
    EndRoom,
    OpenRoom,
    PolicySet,
    ReactivateRoom,
    RoomEnded,
    RoomOpened,
    RoomReactivated,
    SetPolicy,
    TemplateApplied,
)
from stateroom.core.members import Leave
from stateroom.core.messages import MarkRead
from stateroom.core.policy import EXCHANGE_LIMIT, Policy
from stateroom.core.refusals import BadName, BadPolicy, BadText, RoomHasEnded, TooLong
from stateroom.core.reports import KeepReport
from stateroom.core.room import AFTER_THE_END, RULES, ApplyTemplate, Tick
from stateroom.core.seats import RemoveMember
from stateroom.core.speech import Say
from stateroom.core.tasks import OpenTask
from stateroom.testing.scenes import START, Scene
from tests.core.talking import HOST, Talk, kinds

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


# --------------------------------------------------------------------------------------------- ending, and coming back


def ended(*agents):
    """A room that was used and has ended."""
    talk = Talk(*(agents or ("ann", "bob")))
    talk.do("ann", OpenTask("t"))
    talk.do("ann", TakeLease("file", 30))
    talk.host(EndRoom())
    return talk


def test_the_end_is_told_once():
    """Ending what has ended changes nothing, nor does reopening what is open."""
    talk = Talk("ann")
    talk.when("", ReactivateRoom(), proof=HOST).then()
    talk.when("", EndRoom(), 700, proof=HOST).then(RoomEnded)
    assert talk.room.lifecycle.ended_at == START + 700
    talk.when("", EndRoom(), proof=HOST).then()
    talk.when("", ReactivateRoom(), 900, proof=HOST).then(RoomReactivated)
    assert (talk.room.lifecycle.ended_at, talk.room.lifecycle.reactivated_at) == (None, START + 900)


def test_a_host_key_ends_a_room_also_under_a_strangers_name():
    """Nobody becomes a member by it."""
    talk = Talk("ann")
    talk.when("zoe", EndRoom(), proof=HOST).then(RoomEnded)
    assert "zoe" not in talk.room.members.names()


ANSWERED = {
    OpenRoom: OpenRoom("x", "y", "z"),
    EndRoom: EndRoom(),
    SetPolicy: SetPolicy(exchange_limit=3),
    Tick: Tick(),
    Leave: Leave(),
    RemoveMember: RemoveMember("bob"),
    MarkRead: MarkRead(5),
    ReleaseLease: ReleaseLease("file"),
    KeepReport: KeepReport("r", "d", 1),
}
"""What an ended room takes, beside being reopened (design §7, decision 8): what tidies up, and what reads."""


def test_what_an_ended_room_takes():
    """Exactly that."""
    assert set(AFTER_THE_END) == {*ANSWERED, ReactivateRoom}


@pytest.mark.parametrize("wish", ANSWERED.values(), ids=lambda wish: type(wish).__name__)
def test_an_ended_room_takes_what_tidies_up(wish):
    """With its usual answer."""
    assert ended().when("ann", wish, proof=HOST).refusal is None


@pytest.mark.parametrize("kind", [kind for kind in RULES if kind not in AFTER_THE_END], ids=lambda kind: kind.__name__)
def test_an_ended_room_refuses_everything_else(kind):
    """Whoever asks, and whatever is in the wish: it is not even looked at (gap 39)."""
    talk = ended()
    for by, proof in (("ann", None), ("", HOST), ("zoe", None)):
        talk.when(by, object.__new__(kind), proof=proof).then(RoomHasEnded)


def test_a_refusal_says_how_an_ended_room_comes_back():
    """And that nobody should wait for it."""
    refusal = ended().when("ann", Say("x")).refusal
    assert "can be read and reported" in str(refusal)
    assert "reactivate" in refusal.next_step()
    assert "stop listening" in refusal.next_step()


def test_a_room_that_came_back_goes_on():
    """With its members, tasks, leases and seats, as it was."""
    talk = ended()
    talk.host(ReactivateRoom())
    assert kinds(talk.say("ann")) == ["MessageSaid"]
    assert talk.room.board.find("T-01").title == "t"
    assert list(talk.room.leases.held) == ["file"]


def test_what_runs_out_in_an_ended_room_is_told():
    """A lease does; a turn was closed with the room."""
    talk = ended()
    assert kinds(talk.tick(31)) == ["LeaseLapsed"]


# --------------------------------------------------------------------------------------------- the policy, and creation


def test_a_policy_is_set_in_parts():
    """What is not given stays; setting what is set changes nothing."""
    talk = Talk("ann")
    talk.when("", SetPolicy(identity="keyed"), proof=HOST).then(PolicySet(Policy("keyed", EXCHANGE_LIMIT)))
    talk.when("", SetPolicy(exchange_limit=7), proof=HOST).then(PolicySet(Policy("keyed", 7)))
    talk.when("", SetPolicy(identity=""), proof=HOST).then(PolicySet(Policy("", 7)))
    talk.when("", SetPolicy("", 7), proof=HOST).then()
    talk.when("", SetPolicy(), proof=HOST).then()


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        (SetPolicy(exchange_limit=-1), "exchange_limit"),
        (SetPolicy(exchange_limit=10_001), "exchange_limit"),
        (SetPolicy(identity="trusting"), "identity"),
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(wish, named):
    """By the name of the part that is wrong; also when a room is to begin with it: it could not be read back."""
    answer = Talk("ann").when("", wish, proof=HOST).then(BadPolicy)
    assert answer.room.lifecycle.policy == Policy()
    refusal = Talk("ann").when("", wish, proof=HOST).refusal
    assert named in str(refusal)
    policy = Policy(wish.identity or "", EXCHANGE_LIMIT if wish.exchange_limit is None else wish.exchange_limit)
    Scene().when("", OpenRoom("demo", "ABC-DEF-GHJ", "red", policy=policy)).then(BadPolicy)


def test_a_created_room_knows_its_topic_and_host():
    """The plan is called like the topic; the host's key is kept as a digest that does not leave the server."""
    scene = Scene(("", OpenRoom("ABC-DEF-GHJ", "ABC-DEF-GHJ", "red", " A topic", " Host ", "h" * 64, "key:red")))
    lifecycle = scene.room.lifecycle
    assert (lifecycle.topic, lifecycle.project, lifecycle.host) == (" A topic", " A topic", "Host")
    assert (lifecycle.host_digest, lifecycle.owner) == ("h" * 64, "key:red")
    assert scene.log[0].event.public.host_digest == ""
    assert scene.room.members.names() == []


@pytest.mark.parametrize(
    ("wish", "refusal"),
    [
        (OpenRoom("demo", "ABC-DEF-GHJ", "red", "x" * 501), TooLong),
        (OpenRoom("demo", "ABC-DEF-GHJ", "red", "a\0b"), BadText),
        (OpenRoom("demo", "ABC-DEF-GHJ", "red", "", "a\u200bb"), BadName),
    ],
)
def test_a_topic_and_a_hosts_name_have_a_shape(wish, refusal):
    """Like every text and every name."""
    Scene().when("", wish).then(refusal)
