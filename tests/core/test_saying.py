"""What a message is: its text, its speaker, what it answers, what it carries and calls."""

import pytest

from stateroom.core.attachments import StoreAttachment
from stateroom.core.messages import PostMessage
from stateroom.core.refusals import BadText, NothingSaid, TooLong, UnknownAttachment
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import MESSAGE_CHARS, MessageSaid, Say, SecretsRedacted, Speaker, Standing
from stateroom.testing.scenes import Scene
from tests.core.talking import PASS, TEAM, Talk, kinds, moderated, sequential

FILE = StoreAttachment("one", "a.txt", "text/plain", 3, digest="d" * 64)
TOKEN = "ghp_" + "a1B2" * 10


def said(talk, by, text="something", **more):
    """The message that somebody's wish becomes."""
    return next(event for event in talk.do(by, Say(text, **more)) if isinstance(event, MessageSaid))


def test_a_message_is_told_and_takes_a_line():
    """With everything a reader needs to show it, as it was when it was said."""
    talk = Talk()
    talk.do("Ann", TakeSeat("agent", "builder", "#123456", "AN"))
    message = said(talk, "ANN", "hello")
    assert message == MessageSaid(
        "message", "hello", Speaker("agent", "builder", "#123456", "AN", False), Standing("open", "open", "normal_turn")
    )
    assert (message.told, message.line, talk.log[-1].by) == (True, True, "Ann")


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\\n"])
def test_nothing_is_no_message(text):
    """Unless something goes with it."""
    talk = Talk("ann")
    talk.when("ann", Say(text)).then(NothingSaid)
    talk.when("ann", Say(text, "status")).then(NothingSaid)
    talk.do("ann", FILE)
    assert said(talk, "ann", text, attachments=("one",)).attachments[0].name == "a.txt"


def test_a_message_has_its_length():
    """32,000 characters."""
    talk = Talk("ann")
    talk.when("ann", Say("x" * (MESSAGE_CHARS + 1))).then(TooLong, field="text", limit=32_000)
    assert len(said(talk, "ann", "x" * MESSAGE_CHARS).text) == 32_000


@pytest.mark.parametrize("text", ["a\0b", "a\ud800"])
def test_what_can_not_be_stored_is_refused(text):
    """With the field's name."""
    Talk("ann").when("ann", Say(text)).then(BadText, field="text")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\\nb", "a\nb"), ("a\\tb", "a\tb"), ("a\\nb\nc", "a\\nb\nc"), ("  kept  ", "  kept  ")],
)
def test_line_breaks_that_are_spelled_out_become_such(text, expected):
    """Where the text has no other (agent-room §16.2); nothing else of it is touched."""
    assert said(Talk("ann"), "ann", text).text == expected


def test_a_message_answers_what_the_room_was_told_of():
    """By position; what is no line of the room, or was never, is nothing."""
    talk = Talk("ann")
    talk.do("ann", PostMessage("hi", "all", {}))
    told = talk.room.position
    assert said(talk, "ann", reply_to=told).reply_to == told
    for nothing in (0, -1, 1, told + 9, 10**12):
        assert said(talk, "ann", reply_to=nothing).reply_to == 0


def test_a_message_carries_up_to_five_files_of_the_room():
    """Each known by its id; an unknown one is refused, and then nothing is said."""
    talk = Talk("ann")
    talk.do("ann", FILE)
    assert [one.id for one in said(talk, "ann", attachments=("one",)).attachments] == ["one"]
    talk.when("ann", Say("x", attachments=("two",))).then(UnknownAttachment, attachment="two")
    talk.when("ann", Say("x", attachments=("one",) * 6)).then(TooLong, field="attachments", size=6, limit=5)


def test_marks_and_calls_are_found_in_what_is_said():
    """Also in a status note, and by either sign that calls."""
    talk = Talk("ann", "bob", "Claude (2)")
    message = said(talk, "ann", "@bob ＠claude [TODO] @bob: test it", kind="status")
    assert [mark.kind for mark in message.marks] == ["todo"]
    assert message.mentions == ("bob", "Claude (2)")
    assert said(talk, "ann", "＠bob").mentions == ("bob",)


def test_secrets_are_taken_out_before_anything_else():
    """The room keeps neither the secret nor what it looked like, only how many there were."""
    talk = Talk("ann")
    facts = talk.say("ann", f"password: hunter2 and {TOKEN}")
    assert kinds(facts) == ["MessageSaid", "SecretsRedacted"]
    assert facts[0].text == "password: [REDACTED] and [REDACTED]"
    assert (facts[1].count, facts[1].told, talk.room.speech.redacted) == (2, False, 2)


def test_a_message_that_is_refused_counts_no_secrets():
    """Nothing was written."""
    talk = sequential()
    talk.when("bob", Say(f"{TOKEN}"))
    assert talk.announced(SecretsRedacted) == []


@pytest.mark.parametrize("text", [PASS, f" {PASS}\n", f"\t{PASS}"])
def test_only_the_whole_text_passes(text):
    """Between any blanks; with a word beside it, it is a message."""
    talk = sequential()
    assert kinds(talk.say("ann", text)) == ["TurnPassed"]
    assert said(talk, "bob", f"{PASS} indeed").text == f"{PASS} indeed"


def test_passing_in_an_open_room_is_ordinary_text():
    """There is no turn to pass (agent-room §5.2)."""
    assert said(Talk("ann"), "ann", PASS).text == PASS


def test_a_pass_as_a_status_note_is_a_status_note():
    """It passes nothing."""
    talk = sequential()
    assert said(talk, "ann", PASS, kind="status").standing.role == "status"
    assert talk.current == "ann lead"


def test_speaking_makes_nobody_a_member():
    """One joins first; the other way round, a member is not announced again."""
    assert Scene(proof=TEAM).when("ann", Say("x")).refusal.code == "not_participant"
    assert kinds(Talk("ann").say("ann")) == ["MessageSaid"]


def test_the_room_counts_messages_and_knows_where_each_last_spoke():
    """Status notes are not counted, whether they were meant as such or became such."""
    talk = moderated()
    talk.say("ann")
    talk.say("bob")
    talk.status("cyn")
    speech = talk.room.speech
    assert speech.said == 2
    assert speech.last_by == {entry.by: entry.position for entry in talk.log if isinstance(entry.event, MessageSaid)}


def test_a_message_knows_the_turn_it_was_said_in():
    """Also the one that began it; none in an open room or between turns."""
    talk = Talk("ann", mode="sequential")
    start = talk.now
    assert said(talk, "host").standing.turn == start
    talk.pass_s(3)
    assert said(talk, "ann").standing.turn == start
    assert said(Talk("ann"), "ann").standing.turn is None
    talk = Talk("ann", mode="moderator", moderator="ann")
    assert said(talk, "ann").standing.turn is None
