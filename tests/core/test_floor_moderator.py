"""The moderator: it keeps the floor, invites others, and has a deputy when it is gone."""

import pytest

from stateroom.core.floor import (
    InvitationUsed,
    MemberInvited,
    ModeChanged,
    ModeratorMissed,
    ModeratorReplaced,
    may_speak,
)
from stateroom.core.members import Leave
from stateroom.core.refusals import NotParticipant
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import MessageSaid, Say
from stateroom.core.turns import Timeouts
from tests.core.talking import HOST, PASS, THREE, Talk, kinds, moderated


def test_the_moderator_keeps_the_floor_while_it_speaks():
    """Each word gives it its time anew; a status note changes nothing."""
    talk = moderated()
    assert (talk.current, talk.left_s) == ("ann moderator", 600)
    talk.pass_s(500).say("ann")
    assert (talk.current, talk.left_s) == ("ann moderator", 600)
    talk.pass_s(100)
    assert kinds(talk.status("ann")) == ["MessageSaid"]
    assert talk.left_s == 500
    talk.say("ann", PASS)
    assert (talk.current, talk.left_s, talk.endings[-1]) == ("ann moderator", 600, "ann moderator no_addition")


def test_the_moderators_time_is_the_rooms_to_choose():
    """`timeoutMs.moderator`."""
    assert moderated(timeouts=Timeouts(moderator=5_000)).left_s == 5


def test_a_moderator_speaks_also_between_turns():
    """It has the floor whenever it wants it; a turn begins only with a person."""
    talk = Talk(*THREE, mode="moderator", moderator="ann")
    assert kinds(talk.say("ann")) == ["MessageSaid"]
    assert talk.heard() == ["ann moderator"]
    assert talk.say("ann", PASS) == []
    assert talk.turn is None


@pytest.mark.parametrize("kind", ["message", "status"])
@pytest.mark.parametrize("running", [True, False])
def test_what_others_say_is_kept_as_a_status_note(kind, running):
    """Tagged, and said to have been meant as a message; the floor is untouched."""
    talk = moderated() if running else Talk(*THREE, mode="moderator", moderator="ann")
    before = talk.turn
    (said,) = talk.do("bob", Say("x", kind))
    assert (said.kind, said.standing.role, said.standing.degraded) == (kind, "status", kind == "message")
    assert talk.turn == before


def test_whoever_the_moderator_mentions_may_say_one_message():
    """The host is told who was invited by whom; it speaks as an assignee, and the floor stays."""
    talk = moderated()
    facts = talk.say("ann", "@bob and @cyn, please; @host and @ann and @zoe too")
    invited = [(fact.name, fact.source, fact.told) for fact in facts if isinstance(fact, MemberInvited)]
    assert invited == [("bob", "moderator", True), ("cyn", "moderator", True)]
    assert talk.role("bob") == "host_directed"
    (said, used) = talk.say("bob")
    assert (said.standing.role, said.standing.invocation) == ("assignee", "moderator_assigned")
    assert (type(used), talk.current) == (InvitationUsed, "ann moderator")
    assert talk.announced(MessageSaid)[-1].standing.degraded is False
    talk.say("bob")
    assert talk.announced(MessageSaid)[-1].standing.degraded is True


def test_a_mention_in_a_status_note_or_in_passing_invites_nobody():
    """Nor does anybody else's mention."""
    talk = moderated()
    talk.do("ann", Say("@bob", "status"))
    talk.say("ann", PASS)
    talk.say("bob", "@cyn")
    talk.say("host", "@cyn")
    assert talk.announced(MemberInvited) == []


def test_a_muted_member_is_not_invited_by_a_mention():
    """It could not come."""
    talk = moderated()
    talk.mute("bob")
    talk.say("ann", "@bob")
    assert talk.announced(MemberInvited) == []


@pytest.mark.parametrize("restart", [False, True])
def test_a_person_in_a_moderators_turn(restart):
    """Nothing changes, unless the room starts again whenever a person speaks."""
    talk = moderated(restart_on_human=restart)
    talk.pass_s(60).say("host")
    assert talk.left_s == (600 if restart else 540)


def test_the_hosts_own_agent_may_moderate():
    """It counts as a person, and its word starts a turn in which it has the floor."""
    talk = Talk(*THREE, mode="moderator", moderator="host")
    talk.do("host", TakeSeat("agent"), proof=HOST)
    talk.say("host")
    assert talk.current == "host moderator"
    talk.say("host", "@bob?")
    assert talk.heard() == ["host human", "host moderator"]
    assert talk.role("bob") == "host_directed"


def test_a_person_speaks_and_the_moderator_is_not_there():
    """The word stands alone, and the room is told that the moderator was missed, each time; until it joins."""
    talk = Talk(*THREE, mode="moderator", moderator="zoe")
    for _ in range(2):
        assert kinds(talk.say("host")) == ["MessageSaid", "ModeratorMissed"]
    assert talk.announced(ModeratorMissed)[-1].name == "zoe"
    assert talk.turn is None
    talk.join("zoe")
    talk.mute("zoe")
    assert talk.announced(ModeratorReplaced)[-1].name == "ann"
    talk.unmute("zoe")
    talk.say("zoe")
    talk.say("host")
    assert talk.current == "zoe moderator"


@pytest.mark.parametrize(("away", "reason"), [("leave", "left"), ("kick", "left"), ("mute", "muted")])
def test_a_deputy_takes_over_when_the_moderator_is_gone(away, reason):
    """The agent that joined first, with the floor and fresh time; the room is told once (agent-room §5.6)."""
    talk = moderated()
    talk.pass_s(100)
    facts = getattr(talk, away)("ann")
    assert kinds(facts[1:]) == ["ModeratorReplaced"]
    assert (facts[1].name, facts[1].previous, facts[1].reason) == ("bob", "ann", reason)
    assert (talk.mode, talk.current, talk.left_s) == ("moderator", "bob moderator", 600)
    assert talk.tick() == []
    talk.say("bob", "@cyn")
    assert talk.heard()[-1] == "bob moderator"
    assert talk.role("cyn") == "host_directed"


def test_a_deputy_takes_over_when_the_moderator_is_silent():
    """After its 600 s; what the deputy says is the moderator's word."""
    talk = moderated()
    assert talk.tick(599.999) == []
    (replaced,) = talk.tick(0.001)
    assert (type(replaced), replaced.name, replaced.reason) == (ModeratorReplaced, "bob", "timeout")
    assert talk.endings == ["ann moderator timed_out"]
    assert talk.tick() == []


def test_silence_goes_through_all_deputies_and_opens_the_room():
    """Each is asked once; dead agents do not hand the floor back and forth for ever. It once did."""
    talk = moderated()
    assert [kinds(talk.tick(600)) for _ in range(3)] == [["ModeratorReplaced"], ["ModeratorReplaced"], ["ModeChanged"]]
    assert talk.announced(ModeChanged)[-1].reason == "moderator_timeout"
    assert [fact.name for fact in talk.announced(ModeratorReplaced)] == ["bob", "cyn"]
    assert (talk.mode, talk.room.next_due()) == ("open", None)


def test_whoever_has_spoken_since_may_deputise_again():
    """Only the silent ones in a row are not asked again."""
    talk = moderated("ann", "bob")
    talk.tick(600)
    talk.say("bob")
    talk.tick(600)
    assert talk.current == "ann moderator"
    assert talk.announced(ModeratorReplaced)[-1].name == "ann"


@pytest.mark.parametrize(("away", "reason"), [("leave", "moderator_left"), ("kick", "moderator_left")])
def test_without_a_deputy_the_room_is_open(away, reason):
    """One notice, and everybody may speak."""
    talk = moderated("ann")
    facts = getattr(talk, away)("ann")
    (changed,) = [fact for fact in facts if isinstance(fact, ModeChanged)]
    assert (changed.mode, changed.reason, talk.mode) == ("open", reason, "open")
    assert talk.tick() == []


def test_a_muted_moderator_without_a_deputy_opens_the_room():
    """Muted agents are no deputies."""
    talk = moderated("ann", "bob")
    talk.mute("bob")
    talk.mute("ann")
    assert (talk.mode, talk.announced(ModeChanged)[-1].reason) == ("open", "moderator_left")


def test_a_moderator_that_is_silent_alone_opens_the_room():
    """Nobody else is there."""
    talk = moderated("ann")
    talk.tick(600)
    assert (talk.mode, talk.announced(ModeChanged)[-1].reason) == ("open", "moderator_timeout")


def test_between_turns_a_deputy_is_named_too():
    """So that the next person is answered."""
    talk = Talk(*THREE, mode="moderator", moderator="ann")
    assert kinds(talk.leave("ann")[1:]) == ["ModeratorReplaced"]
    assert talk.turn is None
    talk.say("host")
    assert talk.current == "bob moderator"


def test_the_hosts_own_agent_may_deputise():
    """It is not left out of those (agent-room §5.6)."""
    talk = Talk("ann", mode="moderator", moderator="ann")
    talk.do("host", TakeSeat("agent"), proof=HOST)
    talk.say("host")
    talk.leave("ann")
    assert talk.current == "host moderator"


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.parametrize("kind", ["message", "status"])
def test_the_moderator_takes_the_floor_back_by_speaking(kind, running):
    """Whatever it was that made it silent is over (gap 53); told, and the deputy is an agent like the others."""
    talk = moderated()
    talk.tick(600)
    if not running:
        talk.skip()
    facts = talk.do("ann", Say("back", kind))
    (replaced,) = [fact for fact in facts if isinstance(fact, ModeratorReplaced)]
    assert (replaced.name, replaced.previous, replaced.reason) == ("ann", "bob", "returned")
    assert talk.current == ("ann moderator" if running else "")
    assert talk.heard()[-1] == ("ann moderator" if kind == "message" else "ann status")
    talk.say("bob")
    assert talk.heard()[-1] == "bob status"
    assert talk.say("ann")
    assert len(talk.announced(ModeratorReplaced)) == 2


def test_a_moderator_that_left_takes_the_floor_back_when_it_is_here_again():
    """Not before it has joined."""
    talk = moderated()
    talk.leave("ann")
    assert talk.refused("ann") is NotParticipant
    talk.join("ann")
    assert talk.current == "bob moderator"
    assert may_speak(talk.room.floor, "ann", talk.now)
    talk.say("ann")
    assert talk.current == "ann moderator"


def test_a_deputy_that_leaves_is_replaced_too():
    """By the earliest again, which may be the moderator itself."""
    talk = moderated()
    talk.tick(600)
    talk.leave("bob")
    assert (talk.current, talk.room.floor.deputy) == ("ann moderator", "")


def test_a_member_that_never_was_here_replaces_nobody_by_leaving():
    """The other protocol tells of every departure, also of a name nobody has."""
    talk = Talk("bob", mode="moderator", moderator="zoe")
    assert kinds(talk.do("zoe", Leave())) == ["MemberLeft"]
    assert (talk.mode, talk.room.floor.moderator) == ("moderator", "zoe")


def test_the_moderator_is_skipped():
    """Nobody waits in line, so the turn is over; it moderates the next one again."""
    talk = moderated()
    talk.skip()
    assert (talk.current, talk.mode, talk.room.floor.moderator) == ("", "moderator", "ann")
    talk.say("host")
    assert talk.current == "ann moderator"
