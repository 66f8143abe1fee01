"""What time does on the floor: deadlines, signs of life, stepping in for a silent lead."""

import pytest

from stateroom.core.floor import (
    TurnOffered,
    TurnPassed,
)
from stateroom.core.refusals import NotYourTurn
from stateroom.core.room import Tick
from stateroom.core.speech import MessageSaid
from stateroom.core.turns import Timeouts
from tests.core.talking import PASS, kinds, sequential


def test_a_status_note_gives_the_speaker_time_and_keeps_the_floor():
    """To now + 300 s, as often as it shows life, within 600 s from taking the floor."""
    talk = sequential()
    assert talk.left_s == 150
    for elapsed, left in ((100, 300), (300, 300), (500, 100), (599, 1)):
        talk.pass_s(elapsed - talk.elapsed_s)
        assert kinds(talk.status("ann"))[-2:] == ["MessageSaid", "TurnExtended"]
        assert (talk.left_s, talk.current) == (left, "ann lead")
    assert talk.announced(MessageSaid)[-1].standing.extends_turn


@pytest.mark.parametrize("where", ["lead", "supplement", "wrap"])
def test_time_runs_out_for_each_role_to_the_millisecond(where):
    """At the deadline, not before; the next has the floor, and it is told."""
    talk = sequential("ann", "bob", timeouts=Timeouts(lead=10_000, supplement=20_000, wrap=30_000))
    for name in ("ann", "bob")[: ("lead", "supplement", "wrap").index(where)]:
        talk.say(name)
    own = {"lead": 10, "supplement": 20, "wrap": 30}[where]
    assert talk.left_s == own
    assert not any(isinstance(fact, TurnPassed) for fact in talk.tick(own - 0.001))
    (passed,) = [fact for fact in talk.tick(0.001) if isinstance(fact, TurnPassed)]
    assert (passed.role, passed.ending, passed.told) == (where, "timed_out", True)


def test_a_silent_turn_ends_by_itself():
    """Everybody in turn runs out of time; nobody added, so there is no wrap."""
    talk = sequential()
    for _ in range(3):
        talk.tick(150)
    assert (talk.current, talk.elapsed_s) == ("", 450)
    assert talk.endings == ["ann lead timed_out", "bob supplement timed_out", "cyn supplement timed_out"]
    assert talk.room.next_due() is None


def test_two_ticks_say_a_thing_once():
    """Whoever comes second finds nothing due (gap 50)."""
    talk = sequential()
    talk.pass_s(150)
    assert kinds(talk.do("", Tick())) == ["TurnPassed"]
    assert talk.do("", Tick()) == []
    talk = sequential()
    assert kinds(talk.tick(20)) == ["TurnOffered"]
    assert talk.tick(100) == []


def test_the_next_in_line_is_offered_the_floor_once():
    """After 20 s without a sign of the lead; the room is not told, whoever waits is woken."""
    talk = sequential()
    assert talk.room.next_due() == talk.now + 20_000
    assert talk.tick(19.999) == []
    (offered,) = talk.tick(0.001)
    assert (type(offered), offered.name, offered.told) == (TurnOffered, "bob", False)
    assert talk.current == "ann lead"
    assert talk.room.next_due() == talk.now + 130_000


def test_who_steps_in_speaks_in_the_leads_place():
    """It replies, the lead is skipped, and the room is told of that."""
    talk = sequential()
    talk.pass_s(20)
    facts = talk.say("bob")
    assert kinds(facts) == ["TurnOffered", "MessageSaid", "TurnPassed"]
    assert (facts[-1].name, facts[-1].ending, facts[-1].told) == ("ann", "skipped_by_grace", True)
    assert talk.endings == ["ann lead skipped_by_grace", "bob supplement replied"]
    assert talk.current == "cyn supplement"
    talk.say("cyn")
    assert talk.current == "ann wrap"


def test_only_the_first_in_line_may_step_in():
    """And nobody before the grace is over, or once the lead has shown life."""
    talk = sequential()
    talk.pass_s(19.999)
    assert talk.refused("bob") is NotYourTurn
    talk.pass_s(0.001)
    assert talk.refused("cyn") is NotYourTurn
    talk.status("ann")
    talk.pass_s(30)
    assert talk.refused("bob") is NotYourTurn
    assert talk.tick() == []


def test_the_first_in_line_may_pass_on_stepping_in():
    """It is out of line; the lead keeps the floor, and the next one may step in at once."""
    talk = sequential()
    talk.tick(20)
    assert kinds(talk.say("bob", PASS)) == ["QueueShortened"]
    assert (talk.current, talk.queue) == ("ann lead", ["cyn"])
    assert talk.role("cyn") == "supplement"
    talk.say("cyn")
    assert talk.endings == ["ann lead skipped_by_grace", "cyn supplement replied"]


def test_a_status_note_of_who_may_step_in_changes_nothing():
    """The lead's time is its own."""
    talk = sequential()
    talk.tick(20)
    before = talk.turn
    assert kinds(talk.status("bob")) == ["MessageSaid"]
    assert talk.turn == before


def test_a_room_may_wait_longer_or_not_at_all():
    """`leadGraceMs`."""
    talk = sequential(grace_ms=0)
    talk.say("bob")
    assert talk.endings[0] == "ann lead skipped_by_grace"
    talk = sequential(grace_ms=150_000)
    talk.pass_s(149.999)
    assert talk.refused("bob") is NotYourTurn


def test_a_word_after_the_deadline_comes_too_late():
    """Also when nobody has noticed yet: what time has ended is applied first (agent-room §5.2 4a)."""
    talk = sequential()
    talk.pass_s(150)
    assert talk.refused("ann") is NotYourTurn
    assert kinds(talk.say("bob")) == ["TurnPassed", "MessageSaid", "TurnPassed"]
    assert talk.endings == ["ann lead timed_out", "bob supplement replied"]


def test_a_person_finds_out_that_time_is_up():
    """The next speaker is given the floor before the person's word, and its time counts from then."""
    talk = sequential()
    talk.pass_s(1000)
    assert kinds(talk.say("host")) == ["TurnPassed", "MessageSaid"]
    assert (talk.current, talk.left_s) == ("bob supplement", 150)


def test_the_host_takes_the_floor_away():
    """From whoever has it; told as the host's doing."""
    talk = sequential()
    (passed,) = talk.skip()
    assert (passed.name, passed.ending, passed.why, passed.told) == ("ann", "skipped", "host", True)
    assert talk.current == "bob supplement"
    talk.skip()
    talk.skip()
    assert talk.current == ""
    assert talk.skip() == []


def test_skipping_is_nobodys_word():
    """Only skipped, nobody added anything: no wrap."""
    talk = sequential("ann", "bob")
    talk.say("ann")
    talk.skip()
    assert talk.current == ""
