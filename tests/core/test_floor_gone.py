"""What becomes of a sequential turn when somebody leaves, is removed or muted, and comes back."""

import pytest

from stateroom.core.floor import (
    ModeChanged,
)
from stateroom.core.members import Leave
from stateroom.core.refusals import NotYourTurn
from tests.core.talking import THREE, kinds, sequential


@pytest.mark.parametrize("away", ["leave", "kick", "mute"])
@pytest.mark.parametrize("said", [0, 1, 2, 3])
def test_a_room_whose_lead_is_gone_is_open(away, said):
    """While its turn is running, whoever has the floor; and the room is told why, once (agent-room §5.6)."""
    talk = sequential()
    for name in THREE[:said]:
        talk.say(name)
    facts = getattr(talk, away)("ann")
    (changed,) = [fact for fact in facts if isinstance(fact, ModeChanged)]
    assert (changed.mode, changed.reason) == ("open", "lead_left")
    assert (talk.mode, talk.turn, talk.room.next_due()) == ("open", None, None)
    assert talk.refused("bob") is None


@pytest.mark.parametrize("away", ["leave", "kick", "mute"])
def test_between_turns_a_lead_goes_without_ado(away):
    """The next turn has another."""
    talk = sequential()
    talk.say("ann", "[RESULT] x")
    assert len(getattr(talk, away)("ann")) == 1
    talk.say("host")
    assert (talk.mode, talk.current) == ("sequential", "bob lead")


@pytest.mark.parametrize(("away", "why"), [("leave", "left"), ("kick", "left"), ("mute", "muted")])
def test_a_speaker_that_is_gone_is_passed_over(away, why):
    """The next has the floor; its going is told, its slot is not told again."""
    talk = sequential()
    talk.say("ann")
    facts = getattr(talk, away)("bob")
    assert kinds(facts[1:]) == ["TurnPassed"]
    assert (facts[1].name, facts[1].ending, facts[1].why, facts[1].told) == ("bob", "skipped", why, False)
    assert talk.current == "cyn supplement"


@pytest.mark.parametrize("away", ["leave", "kick", "mute"])
def test_who_waits_and_is_gone_waits_no_more(away):
    """The line closes up."""
    talk = sequential()
    facts = getattr(talk, away)("bob")
    assert kinds(facts[1:]) == ["QueueShortened"]
    assert (talk.current, talk.queue) == ("ann lead", ["cyn"])


def test_the_last_in_line_gone_ends_the_turn_as_it_stands():
    """With a wrap if somebody added something before."""
    talk = sequential()
    talk.say("ann")
    talk.say("bob")
    talk.leave("cyn")
    assert talk.current == "ann wrap"
    talk = sequential("ann", "bob")
    talk.say("ann")
    talk.leave("bob")
    assert talk.current == ""


def test_who_has_spoken_goes_without_a_trace_on_the_floor():
    """So does somebody who is no part of the turn."""
    talk = sequential()
    talk.join("zoe")
    talk.say("ann")
    talk.say("bob")
    for name in ("bob", "zoe"):
        assert len(talk.leave(name)) == 1
    assert talk.current == "cyn supplement"


def test_who_comes_back_waits_for_the_next_turn():
    """Its place in the line is gone; its voice, if it was only muted, is not."""
    talk = sequential()
    talk.leave("bob")
    talk.join("bob")
    talk.mute("cyn")
    talk.unmute("cyn")
    assert talk.queue == []
    talk.say("ann")
    assert talk.current == ""
    talk.say("host")
    assert (talk.current, talk.queue) == ("ann lead", ["cyn", "bob"])


def test_who_joins_during_a_turn_has_a_place_in_the_next():
    """The line is made when a turn begins."""
    talk = sequential()
    talk.join("zoe")
    assert (talk.queue, talk.role("zoe"), talk.refused("zoe")) == (["bob", "cyn"], "observer", NotYourTurn)


def test_leaving_by_the_other_protocol_is_leaving():
    """One rule, whatever the tool."""
    talk = sequential()
    assert kinds(talk.do("ann", Leave())) == ["MemberLeft", "ModeChanged"]
