"""What the host does on the floor: invitations, another mode, the end of the room."""

import pytest

from stateroom.core.floor import (
    InvitationUsed,
    QueueShortened,
    SetMode,
    TurnClosed,
    TurnExtended,
    TurnPassed,
    TurnStarted,
)
from stateroom.core.lifecycle import EndRoom, ReactivateRoom
from stateroom.core.members import MemberLeft, MemberMuted, MemberRemoved
from stateroom.core.refusals import NotYourTurn
from tests.core.talking import PASS, THREE, Talk, kinds, moderated, sequential


@pytest.mark.parametrize(("begin", "name"), [(sequential, "cyn"), (moderated, "cyn")])
def test_the_host_invites_somebody_for_one_message(begin, name):
    """It speaks as directed by the host; the floor does not move, its place in the line stays."""
    talk = begin()
    before = (talk.current, talk.queue)
    assert kinds(talk.invite(name)) == ["MemberInvited"]
    assert talk.invite(name) == []
    assert talk.role(name) == "host_directed"
    (said, used) = talk.say(name)
    assert (said.standing.role, said.standing.invocation) == ("host_directed", "host_directed")
    assert type(used) is InvitationUsed
    assert (talk.current, talk.queue) == before


@pytest.mark.parametrize("begin", [sequential, moderated])
def test_a_status_note_does_not_use_an_invitation_up(begin):
    """Gap 52b; passing does."""
    talk = begin()
    talk.invite("cyn")
    assert kinds(talk.status("cyn")) == ["MessageSaid"]
    assert talk.role("cyn") == "host_directed"
    assert kinds(talk.say("cyn", PASS)) == ["InvitationUsed"]
    assert talk.role("cyn") != "host_directed"


def test_invitations_need_a_running_turn():
    """Nothing happens without one, in an open room, for a muted member, or for who has the floor."""
    assert Talk(*THREE).invite("bob") == []
    assert Talk(*THREE, mode="sequential").invite("bob") == []
    talk = sequential()
    talk.mute("bob")
    assert talk.invite("bob") == []
    assert talk.invite("ann") == []


def test_invitations_end_with_their_turn():
    """And with whoever was invited leaving."""
    talk = sequential()
    talk.invite("cyn")
    talk.say("ann", "[RESULT] x")
    assert talk.refused("cyn") is NotYourTurn
    talk = moderated()
    talk.invite("cyn")
    assert kinds(talk.leave("cyn")[1:]) == ["QueueShortened"]
    talk.join("cyn")
    talk.say("cyn")
    assert talk.heard()[-1] == "cyn status"


def test_who_has_the_floor_keeps_its_invitation_for_later():
    """Its own word comes first (agent-room §5.2 4c before 4d)."""
    talk = sequential()
    talk.invite("bob")
    talk.say("ann")
    talk.say("bob")
    assert talk.heard()[-1] == "bob supplement"
    talk.say("bob")
    assert talk.heard()[-1] == "bob host_directed"


def test_two_invitations_are_used_one_by_one():
    """Each by whom it is for."""
    talk = moderated()
    talk.invite("bob")
    talk.invite("cyn")
    talk.say("cyn")
    assert [one.name for one in talk.turn.invited] == ["bob"]


@pytest.mark.parametrize("begin", [sequential, moderated])
def test_another_mode_ends_the_turn(begin):
    """Nothing of it runs out later."""
    talk = begin()
    talk.host(SetMode("open"))
    assert (talk.turn, talk.room.next_due(), talk.refused("cyn")) == (None, None, None)


@pytest.mark.parametrize("begin", [sequential, moderated])
def test_the_end_of_a_room_is_the_end_of_its_turn(begin):
    """No deadline is told of afterwards, nobody's leaving moves the floor, and coming back begins afresh."""
    talk = begin()
    talk.invite("cyn")
    assert kinds(talk.host(EndRoom())) == ["RoomEnded", "TurnClosed"]
    assert talk.announced(TurnClosed)[-1].told is False
    assert (talk.current, talk.room.next_due(), talk.tick(9_999)) == ("", None, [])
    assert kinds(talk.leave("ann")) == ["MemberLeft"]
    assert kinds(talk.kick("bob")) == ["MemberRemoved"]
    talk.host(ReactivateRoom())
    talk.join("ann")
    talk.say("host")
    assert talk.current.startswith("ann" if talk.mode == "moderator" else "cyn")


def test_the_end_of_a_room_without_a_turn_says_no_more():
    """Also when it has just had one."""
    assert kinds(Talk(*THREE).host(EndRoom())) == ["RoomEnded"]
    talk = sequential()
    talk.say("ann", "[RESULT] x")
    assert kinds(talk.host(EndRoom())) == ["RoomEnded"]


def test_every_fact_of_a_turn_carries_it_as_it_stands_afterwards():
    """So a view of any one entry needs no other, and a lost one does no harm."""
    talk = sequential()
    for wish in (lambda: talk.status("ann"), lambda: talk.say("ann"), lambda: talk.mute("bob"), lambda: talk.tick(150)):
        wish()
        floor_facts = [entry.event for entry in talk.log if hasattr(entry.event, "turn")]
        assert floor_facts[-1].turn == talk.turn
    seen = {type(entry.event) for entry in talk.log}
    assert {TurnStarted, TurnExtended, TurnPassed, MemberMuted} <= seen
    assert not {MemberLeft, MemberRemoved, QueueShortened} & seen
