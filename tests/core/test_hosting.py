"""What only the host may do on the floor, who counts as host, and what a reply mode may be set to."""

import pytest

from stateroom.core.floor import Invite, MemberInvited, ModeChanged, SetMode, SkipSpeaker
from stateroom.core.here import Proof
from stateroom.core.lifecycle import EndRoom, OpenRoom, ReactivateRoom, SetPolicy
from stateroom.core.members import Join
from stateroom.core.refusals import (
    BadName,
    InvalidModeConfig,
    ModeNotSupported,
    NotHost,
    NotParticipant,
    SeatKeyNeeded,
    TooLong,
)
from stateroom.core.seats import MuteMember, RemoveMember, TakeSeat
from stateroom.core.speech import Say
from stateroom.core.turns import ModeConfig, Timeouts
from stateroom.testing.scenes import GUEST, Scene
from tests.core.talking import HOST, HOST_KEY, TEAM, Talk, key, kinds, moderated, sequential

MADE = ("", OpenRoom("talk", "ABC-DEF-GHJ", "red", "", "host", HOST_KEY, "key:red"))
NAMED = ("", OpenRoom("demo", "ABC-DEF-GHJ", "red", owner="key:red"))
BY_CODE = ("", OpenRoom("talk", "ABC-DEF-GHJ", "", "", "host", HOST_KEY))
HOSTS_ONLY = (
    EndRoom(),
    ReactivateRoom(),
    SetPolicy(exchange_limit=3),
    SetMode("sequential"),
    SkipSpeaker(),
    Invite("ann"),
    MuteMember("ann"),
    RemoveMember("ann"),
)
ANN = ("ann", TakeSeat())


@pytest.mark.parametrize("wish", HOSTS_ONLY, ids=lambda wish: type(wish).__name__)
@pytest.mark.parametrize(
    ("room", "via", "proof", "allowed"),
    [
        (MADE, "open", Proof(host=HOST_KEY), True),
        (MADE, "key:red", Proof(), True),
        (MADE, "key:red", TEAM, True),
        (MADE, "key:blue", TEAM, False),
        (MADE, "open", TEAM, False),
        (MADE, "open", Proof(host="x" * 64), False),
        (MADE, "open", Proof(host=HOST_KEY[:-1]), False),
        (MADE, "open", Proof(seat=HOST_KEY), False),
        (MADE, "", Proof(), False),
        (BY_CODE, "", Proof(), False),
        (BY_CODE, "guest", Proof(host=HOST_KEY), True),
        (NAMED, "open", TEAM, True),
        (NAMED, "key:red", Proof(), True),
        (NAMED, "guest", Proof(), False),
        (NAMED, "guest", Proof(host=HOST_KEY), False),
    ],
)
def test_who_is_host(wish, room, via, proof, allowed):
    """By the key, or the credential that made the room; a room nobody made is everybody's whom the server knows."""
    scene = Scene(room, ANN)
    answer = scene.when("", wish, via=via, proof=proof)
    assert (answer.refusal is None) == allowed, answer.refusal
    assert allowed or isinstance(answer.refusal, NotHost)


def test_the_hosts_name_alone_is_no_proof():
    """Whoever says so is refused, and told what would be one, in words that are ours alone."""
    refusal = Talk("ann").when("host", EndRoom()).refusal
    assert isinstance(refusal, NotHost)
    assert "with the hostKey that came with the room's creation" in refusal.next_step()


def test_a_host_action_makes_nobody_a_member():
    """The host acts by its key, under whatever name or none."""
    talk = Talk("ann")
    assert kinds(talk.do("zoe", SetMode("sequential"), proof=HOST)) == ["ModeChanged"]
    assert "zoe" not in talk.room.members.names()


def test_the_host_does_not_act_under_a_seat_it_has_no_key_for():
    """Its key proves the host, not somebody else."""
    scene = Scene(BY_CODE, ("ann", TakeSeat(offer="a" * 64)))
    scene.when("ann", EndRoom(), proof=Proof(host=HOST_KEY)).then(SeatKeyNeeded)
    assert scene.when("ann", EndRoom(), proof=Proof(host=HOST_KEY, seat="a" * 64)).refusal is None


# ------------------------------------------------------------------------------------------------------ the reply mode


@pytest.mark.parametrize("mode", ["consensus", "debate", "deliver", "", "Open", "SEQUENTIAL", " open"])
def test_there_are_three_modes(mode):
    """Others are named and refused, and nothing changes (agent-room §5.1, gap 55)."""
    Talk("ann").when("", SetMode(mode), proof=HOST).then(ModeNotSupported, mode=mode)


def test_a_modes_name_is_short():
    """It goes into the answer."""
    Talk("ann").when("", SetMode("x" * 1000), proof=HOST).then(TooLong)


def test_who_is_no_host_is_told_so_whatever_else_is_wrong():
    """First things first."""
    Talk("ann").when("ann", SetMode("debate")).then(NotHost)


@pytest.mark.parametrize("moderator", ["", " "])
def test_a_moderated_room_has_a_moderator(moderator):
    """Who need not be there yet."""
    talk = Talk("ann")
    wish = SetMode("moderator", ModeConfig(moderator=moderator))
    talk.when("", wish, proof=HOST).then(InvalidModeConfig, reason="moderatorAgentName is missing")
    talk.when("", SetMode("moderator", ModeConfig(moderator="zoe")), proof=HOST).then(ModeChanged)


@pytest.mark.parametrize("role", ["lead", "supplement", "wrap", "moderator", "assignee"])
@pytest.mark.parametrize(("value", "allowed"), [(-1, False), (0, False), (1, True), (86_400_000, True)])
def test_how_long_a_turn_may_be(role, value, allowed):
    """From a millisecond to a day; the field that is wrong is named."""
    config = ModeConfig(timeouts=Timeouts(**{role: value}), grace_ms=0)
    answer = Talk("ann").when("", SetMode("sequential", config), proof=HOST)
    if allowed:
        answer.then(ModeChanged, config=config)
    else:
        answer.then(InvalidModeConfig, reason=f"timeoutMs.{role} is {value}; use 1 to 86400000")


@pytest.mark.parametrize(
    ("grace_ms", "lead_ms", "allowed"),
    [
        (0, None, True),
        (150_000, None, True),
        (150_001, None, False),
        (-1, None, False),
        (1_000, 1_000, True),
        (1_001, 1_000, False),
        (None, 1_000, True),
    ],
)
def test_how_long_a_lead_is_waited_for(grace_ms, lead_ms, allowed):
    """Never longer than it has (agent-room §4.6)."""
    config = ModeConfig(timeouts=Timeouts(lead=lead_ms), grace_ms=grace_ms)
    Talk("ann").when("", SetMode("sequential", config), proof=HOST).then(ModeChanged if allowed else InvalidModeConfig)


def test_names_in_a_mode_are_spelled_as_the_room_knows_them():
    """And an impossible one is refused."""
    talk = Talk("Ann")
    talk.host(SetMode("moderator", ModeConfig(" ANN ", "ａｎｎ")))
    assert (talk.room.floor.config.lead, talk.room.floor.config.moderator) == ("Ann", "Ann")
    talk.when("", SetMode("sequential", ModeConfig(lead="a\u200b")), proof=HOST).then(BadName)


def test_setting_what_is_set_changes_nothing():
    """And is told to nobody; with another part in it, or in a running turn, it is."""
    talk = Talk("ann", "bob", mode="sequential")
    talk.when("", SetMode("sequential"), proof=HOST).then()
    talk.when("", SetMode("sequential", ModeConfig(lead="bob")), proof=HOST).then(ModeChanged)
    talk.say("host")
    talk.when("", SetMode("sequential", ModeConfig(lead="bob")), proof=HOST).then(ModeChanged)
    assert talk.current == ""


def test_setting_the_moderator_again_ends_the_time_of_its_deputy():
    """The host wants that one, so it is that one."""
    talk = moderated()
    talk.tick(600)
    talk.skip()
    talk.host(SetMode("moderator", ModeConfig(moderator="ann")))
    assert talk.room.floor.moderator == "ann"


# ------------------------------------------------------------------------------------------------------------ inviting


def test_the_moderator_invites_without_any_key():
    """While it is the one who has the floor (gap 37); so does its deputy, and then not itself."""
    talk = moderated()
    talk.when("ann", Invite("cyn", "moderator")).then(MemberInvited, name="cyn", source="moderator")
    talk.when("bob", Invite("cyn", "moderator")).then(NotHost)
    talk.tick(600)
    talk.when("bob", Invite("cyn", "moderator")).then()
    talk.when("bob", Invite("ann", "moderator")).then(MemberInvited)
    talk.when("ann", Invite("cyn", "moderator")).then(NotHost)


def test_a_moderator_invites_in_moderator_mode_only():
    """Elsewhere it is one agent among others; and one that is not here is nobody."""
    sequential(moderator="ann").when("ann", Invite("bob", "moderator")).then(NotHost)
    talk = Talk("ann", mode="moderator", moderator="zoe")
    talk.when("zoe", Invite("ann", "moderator")).then(NotHost)


def test_a_moderators_seat_is_kept_by_its_key():
    """Nobody invites in its name."""
    scene = Scene(BY_CODE, ("ann", TakeSeat(offer="a" * 64)), ("bob", TakeSeat()), proof=GUEST)
    scene.do("", SetMode("moderator", ModeConfig(moderator="ann")), proof=HOST)
    scene.do("bob", Say("x"))
    scene.when("ann", Invite("bob", "moderator")).then(SeatKeyNeeded)
    scene.when("ann", Invite("bob", "moderator"), proof=key("a")).then()


def test_who_is_invited_is_here():
    """Else the nearest names are told."""
    sequential().when("", Invite("annn"), proof=HOST).then(NotParticipant, name="annn")


def test_an_open_room_needs_no_invitations():
    """Nothing follows; it is no error."""
    Talk("ann").when("", Invite("ann"), proof=HOST).then()


def test_the_host_of_a_named_room_is_any_of_the_team():
    """Rooms that came to be by being named have no key."""
    scene = Scene(NAMED, ("ann", Join()), ("ann", TakeSeat()), proof=TEAM)
    scene.when("ann", SetMode("sequential")).then(ModeChanged)
