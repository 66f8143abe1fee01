"""Which lines wake a member that listens only for what is addressed to it (agent-room §7.3)."""

import pytest

from stateroom.core.context import ReviseContext, WithdrawContext, WriteContext
from stateroom.core.floor import SetMode
from stateroom.core.halting import BlockTask
from stateroom.core.holding import ClaimTask
from stateroom.core.lifecycle import EndRoom, ReactivateRoom
from stateroom.core.messages import PostMessage
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import Say
from stateroom.core.tasks import OpenTask
from stateroom.core.turns import ModeConfig
from stateroom.core.views.waking import addressed
from tests.core.talking import HOST, Talk, moderated, sequential

ME = "ann"


def woken(talk, name=ME, since=0):
    """Kinds of those lines after a position that are its business."""
    me = talk.room.members.find(name)
    lines = [entry for entry in talk.log if entry.line and entry.position > since]
    return [type(entry.event).__name__ for entry in lines if addressed(entry, me, talk.room)]


def wakes(talk, by, wish, name=ME):
    """Whether the first line that follows from a wish is its business."""
    since = talk.room.position
    talk.do(by, wish, proof=HOST if not by else None)
    return bool(woken(talk, name, since))


@pytest.mark.parametrize(
    ("by", "wish", "expected"),
    [
        ("bob", Say("@ann?"), True),
        ("bob", Say("ask ＠ANN"), True),
        ("bob", Say("@ann, look", "status"), True),
        ("bob", Say("ann, look"), False),
        ("bob", Say("@annabel @bob"), False),
        ("bob", Say("@ann is code: `@cyn`"), True),
        ("bob", Say("`@ann`"), False),
        ("bob", Say("x"), False),
        ("bob", Say("x", "status"), False),
        ("host", Say("x"), True),
        ("host", Say("x", "status"), False),
        ("ann", Say("@ann note to self"), False),
        ("bob", PostMessage("question", "ANN ", {}), True),
        ("bob", PostMessage("question", "all", {}), False),
        ("bob", PostMessage("question", "cyn", {"text": "@ann"}), False),
        ("ann", PostMessage("question", "ann", {}), False),
    ],
)
def test_what_is_said_wakes_whom_it_names(by, wish, expected):
    """In any spelling; a person wakes everybody; nobody wakes itself."""
    assert wakes(Talk("ann", "bob", "cyn"), by, wish) == expected


def test_an_answer_to_a_message_of_mine_wakes_me_not():
    """Else two agents would wake each other for ever (trap 40)."""
    talk = Talk("ann", "bob", "cyn")
    talk.say("ann")
    assert not wakes(talk, "bob", Say("yes", reply_to=talk.room.position))


def test_the_only_agent_is_woken_by_everybody():
    """Who else is meant?"""
    talk = Talk("ann")
    talk.do("pia", TakeSeat("human"))
    assert wakes(talk, "pia", Say("x"))
    talk.join("bob")
    talk.say("bob")
    talk.leave("bob")
    assert woken(talk)[-1] == "MessageSaid"


def test_a_person_in_a_moderated_room_wakes_the_moderator():
    """Who then invites; also when a deputy moderates. A mention wakes all the same."""
    talk = moderated()
    assert wakes(talk, "host", Say("x"), "ann")
    assert not wakes(talk, "host", Say("x"), "bob")
    assert wakes(talk, "host", Say("@bob"), "bob")
    talk.tick(600)
    assert wakes(talk, "host", Say("x"), "bob")
    assert not wakes(talk, "host", Say("x"), "ann")


def test_what_became_a_status_note_wakes_nobody_it_does_not_name():
    """Off the floor, in a moderated room with one agent that listens."""
    talk = moderated("ann", "bob")
    assert not wakes(talk, "bob", Say("x"))
    assert wakes(talk, "bob", Say("@ann x"))


def test_the_hosts_own_agent_wakes_like_a_person_where_it_speaks_as_one():
    """Its words start turns; in an open room it is one agent among others."""
    talk = Talk("ann", "bob", mode="sequential")
    talk.do("host", TakeSeat("agent"), proof=HOST)
    assert wakes(talk, "host", Say("x"))
    talk.host(SetMode("open"))
    assert not wakes(talk, "host", Say("x"))


def test_being_invited_skipped_or_made_moderator_wakes():
    """It is about me; the same about another is not."""
    talk = sequential()
    for name in ("ann", "bob"):
        since = talk.room.position
        talk.skip()
        assert (woken(talk, name, since), woken(talk, "cyn", since)) == (["TurnPassed"], [])
    talk.say("host")
    since = talk.room.position
    talk.invite("bob")
    assert (woken(talk, "bob", since), woken(talk, "ann", since)) == (["MemberInvited"], [])
    talk = moderated()
    since = talk.room.position
    talk.tick(600)
    assert (woken(talk, "bob", since), woken(talk, "cyn", since)) == (["ModeratorReplaced"], [])


def test_being_missed_muted_and_unmuted_wakes():
    """The moderator nobody found, and whose voice was taken or given back."""
    talk = moderated()
    talk.mute("bob")
    since = talk.room.position
    talk.unmute("bob")
    assert (woken(talk, "bob", since), woken(talk, "ann", since)) == (["MemberUnmuted"], [])
    assert "MemberMuted" in woken(talk, "bob")
    talk = Talk("ann", mode="moderator", moderator="zoe")
    talk.say("host")
    talk.join("zoe")
    assert woken(talk, "zoe")[-1] == "ModeratorMissed"


EVIDENCE = SubmitTask("T-01", "a.py", "def a(): ...", checks="1. green: ran it")


def test_tasks_wake_who_holds_or_rules_on_them():
    """By another's doing only; a task of nobody wakes nobody."""
    talk = Talk("ann", "bob", "cyn")
    assert not wakes(talk, "bob", OpenTask("nobody's"))
    assert wakes(talk, "bob", OpenTask("t", id="mine", owner="ann", verifier="bob"))
    assert not wakes(talk, "ann", ClaimTask("mine"))
    assert wakes(talk, "bob", BlockTask("mine", "no access"))
    talk.do("bob", EVIDENCE)
    assert not wakes(talk, "cyn", VerifyTask("T-01", "rejected", "mend it"), "ann")
    talk = Talk("ann", "bob", "cyn")
    talk.do("cyn", OpenTask("t", verifier="ann"))
    assert wakes(talk, "bob", EVIDENCE)
    assert wakes(talk, "ann", VerifyTask("T-01", "rejected", "mend it"), "bob")


def test_reviews_wake_the_reviewer_and_then_who_asked():
    """Each by the other's doing."""
    talk = Talk("ann", "bob", "cyn")
    talk.do("bob", OpenTask("t"))
    assert wakes(talk, "bob", RequestReview("task", "T-01", "ann"))
    talk.do("ann", ResolveReview("R-01", "approved"))
    assert woken(talk, "bob") == ["ReviewApproved"]
    talk.do("bob", RequestReview("task", "T-01", "ann"))
    talk.do("ann", ResolveReview("R-02", "rejected"))
    assert woken(talk, "bob")[-1] == "ReviewRejected"
    assert woken(talk, "cyn") == []


def test_context_wakes_whom_it_is_for():
    """When it is written, revised and withdrawn."""
    talk = Talk("ann", "bob", "cyn")
    assert wakes(talk, "bob", WriteContext("note", "s", {"text": "t"}, ("ANN",)))
    assert wakes(talk, "bob", ReviseContext("C-01", summary="s2"))
    assert wakes(talk, "bob", WithdrawContext("C-01"))
    assert not wakes(talk, "bob", WriteContext("note", "s", {"text": "t"}, ("cyn",)))


@pytest.mark.parametrize("wish", [SetMode("moderator", ModeConfig(moderator="ann")), EndRoom()])
def test_what_is_everybodys_business_wakes_nobody(wish):
    """It comes with the next line that does; the end of the room ends the wait by itself."""
    talk = Talk("ann", "bob")
    assert not wakes(talk, "", wish)
    if isinstance(wish, EndRoom):
        assert not wakes(talk, "", ReactivateRoom())
