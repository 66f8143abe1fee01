"""Agents do not answer each other for ever: after so many messages without any change, the exchange closes."""

import pytest

from stateroom.core.attachments import StoreAttachment
from stateroom.core.context import WriteContext
from stateroom.core.holding import ClaimTask
from stateroom.core.leases import TakeLease
from stateroom.core.lifecycle import SetPolicy
from stateroom.core.messages import PostMessage
from stateroom.core.policy import EXCHANGE_LIMIT, Policy
from stateroom.core.refusals import ExchangeClosed
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import ExchangePaused, Say
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.core.variables import SetVariable
from tests.core.talking import HOST, Talk, kinds, moderated

TWO = ("ann", "bob")


def chatter(talk, count, names=TWO):
    """So many messages, turn about."""
    for number in range(count):
        talk.say(names[number % len(names)])
    return talk


def closed(limit=3, **more):
    """Two agents have talked until they had to stop."""
    return chatter(Talk(*TWO, policy=Policy(exchange_limit=limit), **more), limit)


def test_two_agents_that_always_answer_are_stopped_after_twelve():
    """By the rule, not by anything they were asked to do (traps 39, 42); the room is told, once."""
    assert EXCHANGE_LIMIT == 12
    talk = chatter(Talk(*TWO), 11)
    assert kinds(talk.say("bob")) == ["MessageSaid", "ExchangePaused"]
    for name in TWO:
        talk.when(name, Say("x")).then(ExchangeClosed, count=12)
    assert [(fact.count, fact.told) for fact in talk.announced(ExchangePaused)] == [(12, True)]


def test_the_refusal_says_what_opens_it_again():
    """And asks for nothing: silence is welcome."""
    refusal = closed().when("ann", Say("x")).refusal
    assert str(refusal) == (
        "The agents here have exchanged 3 messages in a row while nothing changed, so the exchange is closed."
    )
    assert "when a person speaks, or a task or context entry changes" in refusal.next_step()
    assert "Status notes are still welcome, and so is silence." in refusal.next_step()


def test_one_agent_alone_is_stopped_too():
    """Talking to itself is no progress either."""
    talk = Talk("ann", policy=Policy(exchange_limit=2))
    chatter(talk, 2, ["ann"])
    assert talk.refused("ann") is ExchangeClosed


@pytest.mark.parametrize(("limit", "allowed"), [(1, 1), (5, 5), (0, 40)])
def test_the_room_says_how_many(limit, allowed):
    """From 1 on; 0 is no limit."""
    talk = chatter(Talk(*TWO, policy=Policy(exchange_limit=limit)), allowed)
    assert (talk.refused("ann") is ExchangeClosed) == bool(limit)


@pytest.mark.parametrize(
    ("by", "wish"),
    [
        ("host", Say("go on")),
        ("ann", OpenTask("t")),
        ("ann", MoveTask("T-01", "held")),
        ("bob", ClaimTask("T-01")),
        ("ann", WriteContext("note", "s", {"text": "t"})),
        ("ann", WriteContext("note", "s", {"text": "t"}, ("bob",))),
    ],
    ids=["person", "open", "move", "claim", "context", "told context"],
)
def test_what_opens_it_again(by, wish):
    """A person, a task, a context entry, whoever changes it; then counting begins anew."""
    talk = Talk(*TWO, policy=Policy(exchange_limit=3))
    talk.do("host", OpenTask("t"))
    chatter(talk, 3)
    talk.do(by, wish)
    chatter(talk, 3)
    assert talk.refused("ann") is ExchangeClosed


@pytest.mark.parametrize(
    ("by", "wish"),
    [
        ("ann", Say("at it", "status")),
        ("host", Say("watching", "status")),
        ("ann", PostMessage("question", "bob", {"text": "?"})),
        ("host", PostMessage("question", "bob", {"text": "?"})),
        ("ann", SetVariable("k", "v")),
        ("ann", TakeLease("file", 30)),
        ("ann", StoreAttachment("one", "a.txt", "text/plain", 3, digest="d" * 64)),
        ("zoe", TakeSeat()),
    ],
    ids=["status", "host status", "event", "host event", "variable", "lease", "file", "newcomer"],
)
def test_what_does_not(by, wish):
    """Status notes and posted events go on, and change nothing about it."""
    talk = closed()
    talk.do(by, wish)
    assert talk.refused("bob") is ExchangeClosed


def test_marks_do_not():
    """A message that decides something is still a message among agents: it counts, and none is let through."""
    talk = Talk(*TWO, policy=Policy(exchange_limit=2))
    talk.say("ann", "[DECISION] yes")
    talk.say("bob", "[RESULT] done")
    assert talk.refused("ann", "[DECISION] no") is ExchangeClosed


def test_status_notes_are_not_counted():
    """However many there are."""
    talk = Talk(*TWO, policy=Policy(exchange_limit=2))
    for _ in range(5):
        talk.status("ann")
    chatter(talk, 2)
    talk.status("ann")
    assert talk.refused("ann") is ExchangeClosed


def test_the_hosts_own_agent_counts_as_an_agent():
    """Although it speaks out of turn: it is no person, and does not open what is closed."""
    talk = Talk("ann", policy=Policy(exchange_limit=2))
    talk.do("host", TakeSeat("agent"), proof=HOST)
    talk.say("ann")
    talk.say("host")
    assert (talk.refused("host"), talk.refused("ann")) == (ExchangeClosed, ExchangeClosed)


def test_a_host_in_person_counts_as_a_person():
    """And so does every other person; each of them opens it."""
    talk = closed()
    talk.do("pia", TakeSeat("human"))
    for person in ("host", "pia"):
        talk.say(person)
        chatter(talk, 3)
        assert talk.refused("ann") is ExchangeClosed


def test_a_person_is_never_stopped():
    """Nor counted."""
    talk = Talk(*TWO, policy=Policy(exchange_limit=2))
    for _ in range(5):
        talk.say("host")
    chatter(talk, 2)


def test_the_moderator_and_who_it_invites_are_stopped():
    """Inviting each other is talking among themselves; what is kept as a status note is not counted."""
    talk = moderated("ann", "bob", "cyn", policy=Policy(exchange_limit=4))
    for _ in range(5):
        talk.say("cyn")
    for _ in range(2):
        talk.say("ann", "@bob")
        talk.say("bob")
    assert talk.refused("ann") is ExchangeClosed
    assert talk.refused("cyn") is None
    talk.say("host")
    talk.say("ann")


def test_a_turn_is_never_cut_short():
    """In sequential mode a person has begun it and it ends by itself, however many agents take part."""
    names = [f"agent {letter}" for letter in "abcde"]
    talk = Talk(*names, mode="sequential", policy=Policy(exchange_limit=2))
    talk.say("host")
    for name in [*names, names[0]]:
        talk.say(name)
    assert (talk.current, talk.announced(ExchangePaused)) == ("", [])


def test_a_host_that_changes_the_limit_opens_it():
    """It is a person who looks after it; 0 lets them go on for ever."""
    talk = closed(3)
    talk.host(SetPolicy(exchange_limit=5))
    chatter(talk, 5)
    assert talk.refused("ann") is ExchangeClosed
    talk.host(SetPolicy(exchange_limit=0))
    chatter(talk, 30)


def test_a_lower_limit_holds_from_the_next_message_on():
    """The count goes on where a change of it leaves it: at nothing."""
    talk = chatter(Talk(*TWO), 8)
    talk.host(SetPolicy(exchange_limit=2))
    chatter(talk, 2)
    assert talk.refused("ann") is ExchangeClosed
