"""Who sits under which name: joining, coming back, keys, look-alikes, and being put out or muted."""

import pytest

from stateroom.core import limits
from stateroom.core.here import Proof
from stateroom.core.leases import TakeLease
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.members import Join, Leave, MemberJoined, MemberLeft, MemberMuted, MemberRemoved, MemberSeated
from stateroom.core.messages import MarkRead, PostMessage
from stateroom.core.policy import Policy
from stateroom.core.refusals import BadName, HostNameTaken, Muted, NotHost, NotParticipant, SeatKeyNeeded, TooLong
from stateroom.core.seats import MuteMember, RemoveMember, TakeSeat
from stateroom.core.speech import MessageSaid, Say
from stateroom.core.tasks import MoveTask, OpenTask, TaskOpened
from stateroom.core.variables import SetVariable
from stateroom.testing.scenes import GUEST, START, Scene
from tests.core.talking import HOST, HOST_KEY, TEAM, Talk, key

OPEN = ("", OpenRoom("talk", "ABC-DEF-GHJ", "open", "", "Host", HOST_KEY))
HI = PostMessage("hi", "all", {})
BOUND = Proof(vouched=True, bound=True)
OFFER = TakeSeat(offer="n" * 64)


def joined(scene, name, wish=OFFER, proof=None):
    """How the member stands that somebody becomes who joins under a name."""
    events = scene.do(name, wish, proof=proof)
    return events[-1].member if events else scene.room.members.find(name)


def guests(identity=""):
    """An empty room for people who have nothing but its code."""
    return Scene(("", OpenRoom("talk", "ABC-DEF-GHJ", "open", "", "Host", HOST_KEY, "", Policy(identity))), proof=GUEST)


# ------------------------------------------------------------------------------------------------------------ joining


def test_a_seat_says_how_its_member_appears():
    """Kind, role, look, since when, and the digest of its key; the room is not told."""
    scene = guests()
    answer = scene.when("Ann", TakeSeat("human", "QA Reviewer", "#123456", "XY", "k" * 64), 500).then(MemberSeated)
    member = answer.room.members.find("ann")
    assert (member.name, member.kind, member.role, member.color, member.initials) == (
        "Ann",
        "human",
        "QA Reviewer",
        "#123456",
        "XY",
    )
    assert (member.seated, member.seat, member.joined_at, member.joined_position) == (True, "k" * 64, START + 500, 2)
    assert answer.log[-1].event.told is False


def test_whoever_has_only_acted_has_no_seat():
    """It is a member all the same, as an agent; joining later keeps its place and its time."""
    scene = Scene(OPEN, ("ann", HI), ("bob", HI), proof=TEAM)
    assert (scene.room.members.find("ann").seated, scene.room.members.seated_agents()) == (False, [])
    scene.do("ANN", OFFER, 900)
    assert scene.room.members.names() == ["ann", "bob"]
    assert (scene.room.members.find("ann").seated, scene.room.members.find("ann").joined_at) == (True, START)


@pytest.mark.parametrize(
    "wish", [TakeSeat(role="x" * 201), TakeSeat(color="x" * 33), TakeSeat(initials="x" * 33)], ids=["role", "c", "i"]
)
def test_what_a_seat_says_is_short(wish):
    """A role in a sentence, a look in a word."""
    guests().when("ann", wish).then(TooLong)


@pytest.mark.parametrize("name", ["", " ", "x" * 129, "a\u200bnn", "\u202eann", "ann\ufeff", "a\u00adnn", "a\nb"])
def test_names_nobody_may_join_under(name):
    """Empty, too long, or with characters that nobody sees."""
    guests().when(name, OFFER).then(BadName)


# ---------------------------------------------------------------------------------------------- taken and alike names


@pytest.mark.parametrize("name", ["Bob", "bob", " BOB ", "ｂｏｂ"])
def test_a_taken_name_is_given_a_number(name):
    """In any spelling; it keeps the first one (AR §2.7 rule 2)."""
    scene = guests()
    joined(scene, "Bob")
    assert joined(scene, name).name == "Bob (2)"
    assert scene.room.members.names() == ["Bob", "Bob (2)"]


@pytest.mark.parametrize("name", ["b ob", "b-o-b", "bob.", "bоb", "ΒΟΒ", "Вob", "bób"])
def test_a_name_that_looks_like_a_taken_one_is_numbered(name):
    """Blanks and dots nobody notices, Cyrillic and Greek letters nobody can tell from Latin ones."""
    scene = guests()
    joined(scene, "Bob")
    assert joined(scene, name).name == f"{name} (2)"


@pytest.mark.parametrize("name", ["bobby", "bob2", "b0b", "боб", "rob"])
def test_a_name_that_is_merely_similar_is_its_own(name):
    """Numbers are for what cannot be told apart."""
    scene = guests()
    joined(scene, "bob")
    assert joined(scene, name).name == name


def test_numbers_are_counted_up():
    """The first that nobody has; one that became free is given again."""
    scene = guests()
    assert [joined(scene, "bob").name for _ in range(3)] == ["bob", "bob (2)", "bob (3)"]
    scene.do("bob (2)", RemoveMember("bob (2)"), proof=key("n"))
    assert joined(scene, "bob").name == "bob (2)"
    assert joined(scene, "bob (2)").name == "bob (2) (2)"


def test_a_long_name_makes_room_for_its_number():
    """128 characters with it."""
    scene = guests()
    joined(scene, "x" * 128)
    assert joined(scene, "x" * 128).name == "x" * 124 + " (2)"
    assert len(joined(scene, "x" * 128).name) == limits.NAME_CHARS


def test_names_of_signs_only_are_told_apart_by_themselves():
    """What has no letters has no look to compare."""
    scene = guests()
    assert [joined(scene, name).name for name in ("🤖", "👾", "🤖")] == ["🤖", "👾", "🤖 (2)"]


# -------------------------------------------------------------------------------------------------------- the host's


@pytest.mark.parametrize("name", ["Host", "HOST", " host", "Ｈost", "Ноst", "h-o-s-t", "hóst", "Hοst"])
@pytest.mark.parametrize("proof", [Proof(), TEAM, key("x"), Proof(host="x" * 64)])
def test_nobody_joins_under_the_hosts_name_or_one_like_it(name, proof):
    """Not even with a number; the host need not be there."""
    guests().when(name, OFFER, proof=proof).then(HostNameTaken)


@pytest.mark.parametrize("name", ["Host", " HOST", "ｈost"])
def test_the_host_joins_by_its_key_under_its_own_spelling(name):
    """Any number of times, from anywhere; it is never numbered."""
    scene = guests()
    for _ in range(2):
        assert joined(scene, name, proof=HOST).name == "Host"
    assert scene.room.members.names() == ["Host"]


def test_the_host_joins_by_the_credential_that_made_the_room():
    """Or by its seat's key, once it has one."""
    scene = Scene(("", OpenRoom("talk", "ABC-DEF-GHJ", "red", "", "Host", HOST_KEY, "key:red")))
    scene.when("host", OFFER, via="key:blue").then(HostNameTaken)
    scene.when("host", OFFER, via="key:red").then(MemberSeated)
    scene.when("host", TakeSeat("human"), proof=key("n")).then(MemberSeated)
    scene.when("host", TakeSeat("human"), proof=key("m")).then(HostNameTaken)


def test_the_host_key_does_not_open_look_alikes():
    """It proves the host, whose name is written otherwise."""
    guests().when("h-o-s-t", OFFER, proof=HOST).then(HostNameTaken)


def test_a_room_nobody_made_has_no_hosts_name():
    """Nothing is like nothing."""
    scene = Scene(("", OpenRoom("demo", "ABC-DEF-GHJ", "red")))
    assert joined(scene, "🤖").name == "🤖"


# ---------------------------------------------------------------------------------------------------------- coming back


def test_who_comes_back_with_its_key_keeps_its_seat():
    """Its name, time and key; a new key that is offered is not taken (gap 43: keys do not rotate)."""
    scene = guests()
    first = joined(scene, "ann", TakeSeat(role="builder", offer="a" * 64))
    again = joined(scene, "ANN", TakeSeat(color="#000000", offer="b" * 64), key("a"))
    assert (again.name, again.seat, again.role, again.color) == ("ann", "a" * 64, "builder", "#000000")
    assert (again.joined_at, scene.room.members.find("ann").joined_position) == (first.joined_at, 2)
    scene.when("ann", TakeSeat(color="#000000", offer="c" * 64), proof=key("a")).then()


def test_a_key_opens_its_own_seat_only():
    """Somebody else's key is no key."""
    scene = guests()
    joined(scene, "ann", TakeSeat(offer="a" * 64))
    joined(scene, "bob", TakeSeat(offer="b" * 64))
    assert joined(scene, "ann", proof=key("b")).name == "ann (2)"


SEATS = {
    # who was here: how it joined; (by, what it shows now): whether it gets the seat back
    "no key": TakeSeat(),
    "key": TakeSeat(offer="a" * 64),
}
CAME_BACK = [
    # seat, identity, proof, says it was here, expected
    ("no key", "", Proof(), False, False),
    ("no key", "", Proof(), True, True),
    ("key", "", Proof(), False, False),
    ("key", "", Proof(), True, False),
    ("no key", "", TEAM, False, False),
    ("no key", "", TEAM, True, True),
    ("key", "", TEAM, False, False),
    ("key", "", TEAM, True, True),
    ("no key", "", BOUND, False, True),
    ("key", "", BOUND, False, True),
    ("key", "keyed", TEAM, True, False),
    ("key", "keyed", BOUND, True, False),
    ("key", "keyed", key("a"), False, True),
    ("no key", "keyed", TEAM, True, True),
    ("key", "asserted", Proof(), True, False),
    ("key", "asserted", TEAM, True, True),
    ("key", "asserted", TEAM, False, False),
]


@pytest.mark.parametrize(("seat", "identity", "proof", "returning", "back"), CAME_BACK)
def test_who_gets_its_seat_back(seat, identity, proof, returning, back):
    """By key; by a credential bound to the name; by word where the credential vouches, or where there is no key."""
    scene = guests(identity)
    joined(scene, "ann", SEATS[seat], key("a"))
    member = joined(scene, "Ann", TakeSeat(offer="n" * 64, returning=returning), proof)
    assert member.name == ("ann" if back else "ann (2)")


def test_a_seat_without_a_key_gets_one_on_coming_back():
    """From then on it is needed."""
    scene = guests()
    joined(scene, "ann", TakeSeat())
    assert joined(scene, "ann", TakeSeat(offer="a" * 64, returning=True)).seat == "a" * 64
    scene.when("ann", Say("x")).then(SeatKeyNeeded)


def test_saying_to_have_been_here_proves_nothing_about_a_name_nobody_has():
    """It is simply free."""
    assert joined(guests(), "ann", TakeSeat(returning=True)).name == "ann"


def test_the_team_takes_a_seat_under_a_name_that_has_only_acted():
    """One that acts through one protocol and talks through the other is one member; a guest is not."""
    scene = Scene(OPEN, ("ann", HI), proof=TEAM)
    assert joined(scene, "ann", proof=Proof()).name == "ann (2)"
    assert joined(scene, "ann").name == "ann"


# ----------------------------------------------------------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("identity", "proof", "allowed"),
    [
        ("", Proof(), False),
        ("", key("b"), False),
        ("", key("a"), True),
        ("", TEAM, True),
        ("", BOUND, True),
        ("keyed", TEAM, False),
        ("keyed", BOUND, False),
        ("keyed", key("a"), True),
        ("asserted", Proof(), True),
        ("asserted", TEAM, True),
    ],
)
@pytest.mark.parametrize(
    "wish",
    [Say("x"), Say("x", "status"), HI, OpenTask("t"), Leave(), RemoveMember("ann"), SetVariable("k", "v"), Join()],
    ids=lambda wish: type(wish).__name__,
)
def test_a_seat_with_a_key_is_acted_from_with_the_key(wish, identity, proof, allowed):
    """Whatever the tool; unless the credential vouches and the room does not ask for more (design §7)."""
    scene = guests(identity)
    joined(scene, "ann", TakeSeat(offer="a" * 64))
    refusal = scene.when("ANN", wish, proof=proof).refusal
    assert (refusal is None) == allowed
    assert allowed or isinstance(refusal, SeatKeyNeeded)


def test_a_seat_without_a_key_needs_none():
    """Older clients know of no keys."""
    scene = guests()
    joined(scene, "ann", TakeSeat())
    scene.when("ann", Say("x")).then(MessageSaid)


@pytest.mark.parametrize(("proof", "verified"), [(key("a"), True), (TEAM, False), (BOUND, True), (Proof(), False)])
def test_a_message_says_whether_its_name_was_proven(proof, verified):
    """By the seat's key or a credential bound to the name; the team's word is not the member's (gap 28)."""
    scene = guests("asserted")
    joined(scene, "ann", TakeSeat(offer="a" * 64))
    (said,) = scene.do("ann", Say("x"), proof=proof)
    assert said.speaker.verified is verified


def test_a_guest_speaks_from_a_seat_only():
    """It cannot take a name that others act under by just saying it."""
    scene = Scene(OPEN, proof=GUEST)
    scene.do("ann", HI, proof=TEAM)
    scene.when("ann", Say("x")).then(NotParticipant, name="ann")
    scene.when("ann", Say("x"), proof=TEAM).then(MessageSaid)


def test_no_key_is_no_key():
    """A seat without one is not opened by an empty one, and shows nothing as proven."""
    scene = guests()
    joined(scene, "ann", TakeSeat())
    assert joined(scene, "ann", proof=Proof(seat="")).name == "ann (2)"
    (said,) = scene.do("ann", Say("x"))
    assert said.speaker.verified is False


# ---------------------------------------------------------------------------------------------- nearest, leaving, kicks


def test_a_stranger_is_told_the_nearest_names():
    """The three that are most like the one it gave, and nothing where none is (gap 38)."""
    talk = Talk("claude", "claude (2)", "codex", "clyde", "cursor")
    told = str(talk.when("claud", Say("x")).refusal)
    assert told == "claud is not in this room. The nearest names here are: claude, claude (2), clyde."
    assert str(talk.when("zzz", Say("x")).refusal) == "zzz is not in this room."


def test_leaving_is_ones_own_and_removing_the_hosts():
    """Told in different words; a member that is not there cannot be removed."""
    talk = Talk("ann", "bob")
    talk.when("ann", RemoveMember("bob")).then(NotHost)
    talk.when("ann", RemoveMember(" ANN")).then(MemberLeft("ann"))
    talk.when("ann", RemoveMember("ann")).then()
    talk.when("ann", RemoveMember("bob"), proof=HOST).then(MemberRemoved("bob"))
    talk.when("", RemoveMember("bob"), proof=HOST).then(NotParticipant)
    talk.when("", RemoveMember(""), proof=HOST).then()


@pytest.mark.parametrize(
    "wish",
    [HI, OpenTask("t"), Join(), TakeLease("file", 30), SetVariable("k", "v"), MarkRead(5), Say("x")],
    ids=lambda wish: type(wish).__name__,
)
def test_who_was_removed_acts_through_no_tool_until_it_joins(wish):
    """By its name in any spelling; then it is a member like the others."""
    talk = Talk("ann", "bob")
    talk.do("bob", OpenTask("t"))
    talk.kick("ann")
    talk.when("ANN", wish).then(NotParticipant)
    talk.join("ann")
    assert talk.when("ann", wish).refusal is None


def test_who_left_by_itself_may_act_again():
    """Leaving is no punishment."""
    talk = Talk("ann")
    talk.leave("ann")
    talk.when("ann", OpenTask("t")).then(MemberJoined, TaskOpened)


def test_a_wish_that_changes_nothing_is_not_refused_to_who_was_removed():
    """There is nothing to keep it from."""
    talk = Talk("ann")
    talk.do("host", OpenTask("t"))
    talk.kick("ann")
    talk.when("ann", MoveTask("T-01", "open")).then()


# --------------------------------------------------------------------------------------------------------------- muted


def test_only_the_host_mutes_and_unmutes():
    """Told each time it changes, and only then."""
    talk = Talk("ann", "bob")
    talk.when("bob", MuteMember("ann")).then(NotHost)
    talk.when("bob", MuteMember("ann"), proof=HOST).then(MemberMuted("ann"))
    talk.when("bob", MuteMember(" ANN"), proof=HOST).then()
    talk.when("", MuteMember("zoe"), proof=HOST).then(NotParticipant)
    assert len(talk.unmute("ann")) == 1
    assert talk.unmute("ann") == []


def test_a_muted_member_says_nothing_anywhere():
    """Neither in the conversation nor by posting an event; it may listen, and do its tasks."""
    talk = Talk("ann")
    talk.mute("ann")
    for wish in (Say("x"), Say("x", "status"), HI):
        talk.when("ann", wish).then(Muted, name="ann")
    talk.when("ann", OpenTask("t")).then(TaskOpened)


@pytest.mark.parametrize("away", ["leave", "kick"])
def test_coming_back_does_not_give_the_voice_back(away):
    """However it went, and by whichever door it comes in again; the host still can."""
    for back in (TakeSeat(), Join()):
        talk = Talk("ann")
        talk.mute("ann")
        getattr(talk, away)("ann")
        if isinstance(back, Join) and away == "kick":
            continue
        talk.do("ann", back)
        talk.when("ann", Say("x")).then(Muted)
        talk.unmute("ann")
        talk.leave("ann")
        talk.join("ann")
        talk.when("ann", Say("x")).then(MessageSaid)


def test_a_muted_member_stays_so_when_it_takes_its_seat_again():
    """Changing one's look is no way out."""
    talk = Talk("ann")
    talk.mute("ann")
    talk.do("ann", TakeSeat(color="#000000", returning=True))
    assert talk.member("ann").muted


def test_the_removed_and_the_silenced_are_not_remembered_for_ever(monkeypatch):
    """The newest thousand of each."""
    monkeypatch.setattr("stateroom.core.members.REMOVED_KEPT", 2)
    talk = Talk("ann", "bob", "cyn")
    for name in ("ann", "bob", "cyn"):
        talk.mute(name)
        talk.kick(name)
    assert list(talk.room.members.removed) == list(talk.room.members.silenced) == ["bob", "cyn"]


@pytest.mark.parametrize("proof", [Proof(), TEAM])
def test_a_word_is_good_for_a_seat_of_its_kind_only(proof):
    """A person is no agent of the same name (agent-room §2.7)."""
    scene = guests()
    joined(scene, "ann", TakeSeat("agent"))
    assert joined(scene, "ann", TakeSeat("human", returning=True), proof).name == "ann (2)"
    assert joined(scene, "ann", TakeSeat("agent", returning=True), proof).name == "ann"


def test_a_guests_word_is_no_good_for_a_name_that_has_only_acted():
    """That is one of the team's, and has no key that would say no."""
    scene = Scene(OPEN, proof=GUEST)
    scene.do("ann", HI, proof=TEAM)
    assert joined(scene, "ann", TakeSeat(returning=True)).name == "ann (2)"
