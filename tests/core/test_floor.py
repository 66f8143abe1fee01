"""Who may speak: each mode, each place in a turn, and what a turn is while nobody is late or gone."""

import pytest

from stateroom.core.floor import (
    TurnPassed,
    may_speak,
)
from stateroom.core.refusals import Muted, NotParticipant, NotYourTurn
from stateroom.core.room import replay
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import MessageSaid, Say
from stateroom.core.tasks import OpenTask
from tests.core.talking import HOST, PASS, THREE, Talk, kinds, moderated, sequential

PLACES = {
    # who, in which place: (what becomes of a message, of a status note, of a pass)
    "sequential lead": ("ann", "lead", "status", "passes"),
    "sequential queue": ("bob", NotYourTurn, NotYourTurn, NotYourTurn),
    "sequential person": ("host", "human", "status", "human"),
    "sequential after": ("zoe", NotYourTurn, NotYourTurn, NotYourTurn),
    "moderator moderator": ("ann", "moderator", "status", "passes"),
    "moderator other": ("bob", "status", "status", "passes"),
    "moderator person": ("host", "human", "status", "human"),
    "open agent": ("ann", "open", "status", "open"),
    "open person": ("host", "open", "status", "open"),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", ["message", "status", "pass"])
def test_what_may_be_said_from_where(place, kind):
    """By mode, by place in the turn and by kind (agent-room §5.2 to §5.5)."""
    mode = place.split()[0]
    talk = {"sequential": sequential, "moderator": moderated, "open": lambda: Talk(*THREE)}[mode]()
    talk.join("zoe")
    who, *expected = PLACES[place]
    wanted = expected[("message", "status", "pass").index(kind)]
    before = len(talk.heard())
    answer = talk.when(who, Say(PASS if kind == "pass" else "x", "status" if kind == "status" else "message"))
    if isinstance(wanted, type):
        answer.then(wanted, name=who)
    elif wanted == "passes":
        assert (answer.refusal, len(talk.heard())) == (None, before)
    else:
        assert talk.heard()[before:] == [f"{who} {wanted}"]


@pytest.mark.parametrize("mode", ["open", "sequential", "moderator"])
@pytest.mark.parametrize("kind", ["message", "status"])
def test_who_is_muted_or_not_here_says_nothing_in_any_mode(mode, kind):
    """One gate for all kinds, and two different answers (gaps 38, 52)."""
    talk = Talk(*THREE, mode=mode, **({"moderator": "ann"} if mode == "moderator" else {}))
    talk.mute("host")
    talk.mute("bob")
    for muted in ("host", "bob"):
        talk.when(muted, Say("x", kind)).then(Muted, name=muted)
    talk.when("zoe", Say("x", kind)).then(NotParticipant, name="zoe")


@pytest.mark.parametrize("mode", ["open", "sequential", "moderator"])
@pytest.mark.parametrize("who", ["ann", "bob", "host"])
def test_a_status_note_is_tagged_as_such_in_every_mode(mode, who):
    """By whomever it comes, wherever it is welcome (gap 52c)."""
    talk = {"sequential": sequential, "moderator": moderated, "open": lambda: Talk(*THREE)}[mode]()
    if mode == "sequential" and who == "bob":
        talk.say("ann")
    (said,) = [event for event in talk.status(who) if isinstance(event, MessageSaid)]
    assert (said.kind, said.standing.role, said.standing.invocation) == ("status", "status", "status_update")
    assert said.standing.mode == mode


def test_everybody_who_may_speak_is_told_so_and_nobody_else():
    """What an agent is told of its place agrees with what becomes of its message, at every moment of a turn."""
    for talk in (sequential(), moderated(), Talk(*THREE)):
        for step in range(6):
            for name in THREE:
                freed = Talk()
                freed.state, freed.log, freed.now = replay(talk.log), list(talk.log), talk.now
                said = [e for e in freed.when(name, Say("x")).events if isinstance(e, MessageSaid)]
                spoke = bool(said) and said[0].standing.role != "status"
                assert may_speak(talk.room.floor, name, talk.now) == spoke, (talk.mode, step, name, talk.current)
            talk.pass_s(15)
            if step in (2, 4) and talk.current:
                talk.say(talk.current.split()[0])


def test_a_person_starts_a_turn():
    """The lead answers, each other agent adds once, the lead closes; a person's word stands in the turn it began."""
    talk = sequential()
    assert (talk.current, talk.queue) == ("ann lead", ["bob", "cyn"])
    for name in ("ann", "bob", "cyn", "ann"):
        talk.pass_s(1).say(name)
    assert talk.heard() == ["host human", "ann lead", "bob supplement", "cyn supplement", "ann wrap"]
    assert talk.current == ""
    turns = {entry.event.standing.turn for entry in talk.log if isinstance(entry.event, MessageSaid)}
    assert turns == {talk.turn.id}


def test_what_is_said_comes_before_what_follows_from_it():
    """So that whoever reads the log sees the answer, then the next speaker."""
    talk = sequential()
    assert kinds(talk.say("ann")) == ["MessageSaid", "TurnPassed"]
    assert kinds(sequential().say("host")) == ["MessageSaid"]


def test_an_agent_starts_nothing():
    """Between turns agents are silent, and the answer says whose word starts the next."""
    talk = Talk(*THREE, mode="sequential")
    for name in THREE:
        refusal = talk.when(name, Say("x")).refusal
        assert isinstance(refusal, NotYourTurn)
        assert "a person's message" in str(refusal)


def test_a_refusal_names_who_has_the_floor():
    """And as what."""
    assert "ann has the floor as lead" in str(sequential().when("bob", Say("x")).refusal)


def test_who_has_spoken_is_done_for_this_turn():
    """Also the lead, until it closes."""
    talk = sequential()
    talk.say("ann")
    assert talk.refused("ann") is NotYourTurn
    talk.say("bob")
    assert (talk.refused("bob"), talk.refused("ann")) == (NotYourTurn, NotYourTurn)


@pytest.mark.parametrize(("lead", "first"), [("", "ann"), ("cyn", "cyn"), (" CYN", "cyn"), ("zoe", "ann")])
def test_the_lead_is_the_configured_one_or_the_first_to_join(lead, first):
    """One that is not here is not waited for."""
    assert sequential(lead=lead).current == f"{first} lead"


def test_the_lead_may_be_somebody_who_joins_later():
    """The mode was set before it came."""
    talk = Talk("ann", mode="sequential", lead="zoe")
    talk.join("zoe")
    talk.say("host")
    assert talk.current == "zoe lead"


def test_only_seated_agents_take_turns():
    """People never do, nor who has acted in the room but not joined the conversation, nor who is muted."""
    talk = Talk("ann", "bob", mode="sequential")
    talk.do("eve", OpenTask("t"))
    talk.do("pia", TakeSeat("human"))
    talk.mute("bob")
    talk.say("pia")
    assert (talk.current, talk.queue) == ("ann lead", [])
    assert talk.refused("eve") is NotYourTurn


def test_a_persons_word_without_agents_stands_alone():
    """No turn begins when there is nobody to take one."""
    talk = Talk(mode="sequential")
    assert kinds(talk.say("host")) == ["MessageSaid"]
    assert talk.turn is None


def test_the_hosts_own_agent_counts_as_a_person():
    """It speaks at any time, starts turns, and is never given one (agent-room §1, §5.4)."""
    talk = Talk(*THREE, mode="sequential")
    talk.do("host", TakeSeat("agent"), proof=HOST)
    talk.say("host")
    assert (talk.current, talk.queue) == ("ann lead", ["bob", "cyn"])
    talk.say("host")
    assert talk.heard() == ["host human", "host human"]


def test_a_person_may_speak_in_a_running_turn_without_starting_another():
    """The turn goes on as it was."""
    talk = sequential()
    talk.say("ann")
    before = talk.turn
    talk.pass_s(1).say("host")
    assert talk.turn == before


def test_a_room_may_start_again_whenever_a_person_speaks():
    """`restartOnHuman` (gap 54): a new turn, from the lead on; nobody's earlier word counts."""
    talk = sequential(restart_on_human=True)
    talk.say("ann")
    first = talk.turn.id
    talk.pass_s(1)
    assert kinds(talk.say("host")) == ["MessageSaid", "TurnStarted"]
    assert (talk.current, talk.queue, talk.endings) == ("ann lead", ["bob", "cyn"], [])
    assert talk.turn.id != first


def test_a_status_note_of_a_person_starts_nothing():
    """Nor does it restart anything."""
    talk = Talk(*THREE, mode="sequential", restart_on_human=True)
    talk.status("host")
    assert talk.turn is None
    talk.say("host")
    before = talk.turn
    talk.pass_s(1).status("host")
    assert talk.turn == before


@pytest.mark.parametrize("name", THREE)
def test_passing_stores_nothing_and_hands_the_floor_on(name):
    """Whoever has nothing to add says so, and the room hears nothing of it."""
    talk = sequential()
    for one in THREE:
        if one == name:
            assert kinds(talk.say(one, f"  {PASS}\n")) == ["TurnPassed"]
            break
        talk.say(one)
    assert talk.endings[-1].endswith("no_addition")
    assert talk.announced(TurnPassed)[-1].told is False


def test_nobody_adds_anything_and_the_turn_is_over():
    """No wrap (design §7)."""
    talk = sequential()
    talk.say("ann")
    talk.say("bob", PASS)
    talk.say("cyn", PASS)
    assert talk.current == ""
    assert talk.refused("ann") is NotYourTurn


def test_a_lone_lead_answers_and_that_is_all():
    """There is nobody whose word it could close."""
    talk = sequential("ann")
    talk.say("ann")
    assert (talk.current, talk.heard()) == ("", ["host human", "ann lead"])


@pytest.mark.parametrize("text", ["[RESULT] it works", "so:\n[result] yes", "[DECISION] a [RESULT] b"])
def test_a_result_of_the_lead_closes_the_turn_at_once(text):
    """Nobody is asked for more."""
    talk = sequential()
    talk.say("ann", text)
    assert (talk.current, talk.queue) == ("", [])
    assert talk.endings == ["ann lead replied"]


def test_a_result_in_the_closing_word_closes_too():
    """And one of a supplement does not: it is not its to close."""
    talk = sequential()
    talk.say("ann")
    talk.say("bob", "[RESULT] mine")
    assert talk.current == "cyn supplement"
    talk.say("cyn")
    talk.say("ann", "[RESULT] all")
    assert talk.current == ""


def test_what_only_looks_like_a_result_closes_nothing():
    """A mark in code, a status note with one, a note on passing."""
    talk = sequential()
    talk.do("ann", Say("[RESULT] half", "status"))
    assert talk.current == "ann lead"
    talk.say("ann", "use `[RESULT]` for results")
    assert talk.current == "bob supplement"
