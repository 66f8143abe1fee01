"""What a report makes of a room: marks, highlights, figures, and what is not to be found in it."""

import pytest

from stateroom.core.context import WriteContext
from stateroom.core.floor import SetMode, SkipSpeaker
from stateroom.core.halting import CancelTask, ReopenTask
from stateroom.core.here import Unreadable
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.lifecycle import EndRoom, OpenRoom
from stateroom.core.limits import payload
from stateroom.core.members import Leave
from stateroom.core.messages import PostMessage, WithdrawMessage
from stateroom.core.payloads import problems
from stateroom.core.policy import Policy
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.room import ApplyTemplate, Room, Tick
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import MESSAGE_CHARS, MessageSaid, Say
from stateroom.core.tasks import MoveTask, OpenTask, PrioritizeTask
from stateroom.core.turns import ModeConfig, Timeouts
from stateroom.core.views.artifacts import as_context, of, source_of
from stateroom.core.views.minutes import HIGHLIGHTS, minutes
from stateroom.testing.scenes import START, VIA, Scene

OPENED = [
    ("", OpenRoom("demo", "ABC-DEF-GHJ", "open", "Which cache", "Hal", owner=VIA, policy=Policy(exchange_limit=0))),
    ("ann", TakeSeat(role="builder")),
    ("bob", TakeSeat(kind="human")),
]
NOW = START + 9_000_000


def talked(*texts):
    """A room in which ann has said these, one each second."""
    scene = Scene(*OPENED)
    for number, text in enumerate(texts, 1):
        scene.do("ann", Say(text), at_ms=1000 * number)
    return scene


def report(scene):
    return minutes(scene.room, [entry for entry in scene.log if entry.line], NOW)


def listed(artifacts):
    return [(one.kind, one.text) for one in artifacts]


def test_every_kind_of_mark_becomes_an_artifact_that_knows_its_line():
    """With its author and time; several on a line count, and each has an id of its own."""
    scene = talked("[DECISION] use sqlite [todo] measure it\n[STATUS] half way", "plain", "[RESULT] 40 ms")
    artifacts = report(scene).artifacts
    assert listed(artifacts) == [
        ("decision", "use sqlite"),
        ("todo", "measure it"),
        ("status", "half way"),
        ("result", "40 ms"),
    ]
    assert [(one.id, one.source, one.line, one.author, one.at - START) for one in artifacts] == [
        ("4-1", 4, 1, "ann", 1000),
        ("4-2", 4, 1, "ann", 1000),
        ("4-3", 4, 1, "ann", 1000),
        ("6-1", 6, 3, "ann", 3000),
    ]


def test_what_is_quoted_or_code_is_no_artifact():
    """Neither in a fence, nor in a quotation, nor between backticks (gap 82)."""
    hidden = report(talked("> [TODO] no\n```\n[TODO] no\n```\nsay `[TODO] no`", "Is [TODO] a mark?\n\n    [todo]"))
    assert listed(hidden.artifacts) == [("todo", "a mark?")]


def test_without_marks_nothing_is_guessed():
    """Words like ship and deploy decide nothing; the lists are empty and the summary says so (gap 82)."""
    found = report(talked("P0: final decision, we ship and deploy this", "todo: follow up on the next action"))
    assert (found.decisions, found.action_items, found.artifacts) == ([], [], ())
    assert "Nothing was marked as a decision, action item or result." in found.summary


def test_the_summary_counts_and_quotes_nobody():
    """Participants, messages, time and outcome; what peers wrote stands elsewhere."""
    scene = talked("[DECISION] one\n[DECISION] two\n[TODO] three")
    scene.do("bob", Say("[RESULT] it runs"), at_ms=3_720_000)
    assert report(scene).summary == (
        "2 participants, 2 messages in 1 h 2 min. Marked: 2 decisions, 1 action item, 1 result."
    )
    assert report(Scene(*OPENED)).summary.startswith("2 participants, 0 messages in 0 min. Nothing")


def test_all_decisions_and_action_items_are_kept():
    """There is no cap of eight."""
    found = report(talked(*(f"[DECISION] d{n} [TODO] t{n}" for n in range(30))))
    assert [one.text for one in found.decisions] == [f"d{n}" for n in range(30)]
    assert [one.text for one in found.action_items] == [f"t{n}" for n in range(30)]


@pytest.mark.parametrize(
    ("text", "declined"),
    [
        ("reject: use redis", True),
        ("Rejected redis", True),
        ("**rejected** redis", True),
        ("BLOCK", True),
        ("blocked, no licence", True),
        ("we reject redis", False),
        ("rejection handling goes first", False),
        ("block-based layout", False),
        ("use redis", False),
    ],
)
def test_a_decision_against_something_is_told_apart(text, declined):
    """By its first word (AR §15)."""
    assert [one.declined for one in report(talked(f"[DECISION] {text}")).decisions] == [declined]


def test_highlights_are_first_lines_of_messages():
    """The first line that is longer than ten characters and the speaker's own; status notes are none."""
    scene = talked(
        "ok\nThis is longer than that", "> somebody else has said this\n```\nlong code line\n```\nmy own long words"
    )
    scene.do("bob", Say("short one"))
    scene.do("bob", Say("a status note of some length", kind="status"))
    scene.do("bob", Say("call `the_function()` and see"))
    assert [(one.author, one.text, one.line) for one in report(scene).highlights] == [
        ("ann", "This is longer than that", 1),
        ("ann", "my own long words", 2),
        ("bob", "call `the_function()` and see", 5),
    ]


def test_a_highlight_is_cut():
    """At 220 characters, three dots included."""
    (one,) = report(talked("x" * 221)).highlights
    assert one.text == "x" * 217 + "..."
    assert report(talked("x" * 220)).highlights[0].text == "x" * 220


def test_of_many_highlights_those_with_marks_stay():
    """Eight at most, in the order of the transcript."""
    scene = talked(*(f"a plain line number {n}" for n in range(20)), "[RESULT] the late result", "one more plain line")
    found = report(scene).highlights
    assert len(found) == HIGHLIGHTS
    assert [one.line for one in found] == [*range(1, 8), 21]


def test_verified_tasks_are_the_first_highlights():
    """What another member has found done, with the line that says so; what its owner only calls done is none."""
    scene = talked("a line of some length")
    for wish in [
        ("ann", OpenTask("fix it", verifier="bob")),
        ("ann", SubmitTask("T-01", "a.py", "…", "ok", 0)),
        ("bob", VerifyTask("T-01", "done")),
        ("ann", OpenTask("other")),
        ("ann", MoveTask("T-02", "done")),
    ]:
        scene.do(*wish)
    found = report(scene)
    assert [(one.author, one.text, one.line) for one in found.highlights] == [
        ("bob", "T-01 is done: fix it", 4),
        ("ann", "a line of some length", 1),
    ]
    assert "2 of 2 tasks done" in found.summary


def test_what_was_withdrawn_is_nowhere_in_a_report():
    """Not in a list, not in the figures, not among the lines; that there was something is to be seen."""
    scene = talked("[DECISION] the secret word", "something harmless here")
    scene.do("ann", PostMessage("note", "all", {"text": "the secret word"}))
    scene.do("ann", WithdrawMessage(4))
    scene.do("ann", WithdrawMessage(6))
    found = report(scene)
    assert "secret" not in repr(found)
    assert found.withdrawn == (4, 6)
    assert [isinstance(entry.event, Unreadable) for entry in found.lines] == [True, False, True, False, False]
    assert (found.message_count, found.statistics.message_count, found.statistics.system_count) == (5, 1, 4)
    assert found.statistics.speakers[0].chars == len("something harmless here")


def test_lines_are_kept_without_credentials_and_without_documents():
    """Who vouched, which request it was, what a task or document holds: its line shows nothing of it."""
    scene = talked()
    scene.do("ann", OpenTask("fix it", "at length", verifier="bob"))
    scene.do("ann", SubmitTask("T-01", "a.py", "a file", "a run", 0))
    scene.do("ann", WriteContext("note", "short", {"text": "long document"}, ("bob",)))
    found = report(scene)
    assert {(entry.via, entry.cause) for entry in found.lines} == {("", "")}
    assert not any(text in repr(found.lines) for text in ("at length", "a file", "a run", "long document"))
    assert found.tasks[0].evidence[0].run_output == "a run"


def test_participants_are_who_is_there_and_who_was():
    """In order of joining; who has taken part and left comes last, however it did so."""
    scene = talked("hello all of you")
    scene.do("cyn", PostMessage("note", "all", {}))
    scene.do("cyn", Leave())
    scene.do("ann", Leave())
    scene.do("Ann", TakeSeat(role="writer"))
    for role in ("guest", "boss"):
        scene.do("dan", TakeSeat(kind="human", role=role))
        scene.do("dan", Say("me too"))
        scene.do("dan", Leave())
    assert [(one.name, one.role, one.kind) for one in report(scene).participants] == [
        ("bob", "", "human"),
        ("Ann", "writer", "agent"),
        ("cyn", "", "agent"),
        ("dan", "boss", "human"),
    ]


def test_an_empty_room_has_a_report():
    """Also one that nobody has opened yet."""
    found = report(Scene())
    assert (found.code, found.topic, found.participants, found.lines, found.statistics.duration_ms) == (
        "",
        "",
        (),
        (),
        0,
    )
    assert minutes(Room(), [], NOW).position == 0


def test_a_report_says_which_room_it_shows_and_as_of_when():
    """Code, topic, host, beginning and end, position."""
    scene = talked("hello there everybody")
    found = report(scene)
    assert (found.code, found.topic, found.host, found.created_at) == ("ABC-DEF-GHJ", "Which cache", "Hal", START)
    assert (found.exported_at, found.ended_at, found.position, found.id) == (NOW, None, 4, "")
    scene.do("Hal", EndRoom(), at_ms=5000)
    assert report(scene).ended_at == START + 5000


def test_a_room_without_a_topic_is_called_as_its_plan_is():
    """By its id, until a template names it."""
    scene = Scene(("", OpenRoom("demo", "ABC-DEF-GHJ", "open")))
    assert report(scene).topic == "demo"
    scene.do("ann", ApplyTemplate("incident"))
    assert report(scene).topic == scene.room.lifecycle.project != "demo"


def test_shares_are_of_characters_and_the_busiest_come_first():
    """Counted by hand: 10 of 80 characters in two messages, 70 in one, none by who only listens."""
    scene = talked("12345", "67890")
    scene.do("bob", Say("x" * 70), at_ms=60_000)
    scene.do("cyn", TakeSeat())
    figures = report(scene).statistics
    assert [(one.name, one.kind, one.messages, one.chars, one.share_percent) for one in figures.speakers] == [
        ("ann", "agent", 2, 10, 13),
        ("bob", "human", 1, 70, 88),
        ("cyn", "agent", 0, 0, 0),
    ]
    assert (figures.generated_at, figures.duration_ms) == (NOW, 60_000)
    assert (figures.message_count, figures.system_count) == (3, 0)


def test_timeouts_and_skips_are_counted_by_whom_they_happened_to():
    """By the facts themselves: one time ran out, one was skipped by the host, one because another stepped in."""
    scene = Scene(*OPENED, ("cyn", TakeSeat()))
    scene.do(
        "bob", SetMode("sequential", ModeConfig(timeouts=Timeouts(lead=30_000, supplement=30_000), grace_ms=20_000))
    )
    scene.do("bob", Say("first question"), at_ms=0)
    scene.do("", Tick(), at_ms=30_000)  # ann has been silent
    scene.do("bob", SkipSpeaker(), at_ms=31_000)  # cyn is skipped
    scene.do("bob", Say("second question"), at_ms=40_000)
    scene.do("cyn", Say("I step in for ann"), at_ms=61_000)
    figures = report(scene).statistics
    assert {one.name: (one.timeouts, one.skips) for one in figures.speakers} == {
        "ann": (1, 1),
        "bob": (0, 0),
        "cyn": (0, 1),
    }
    assert (figures.timeouts, figures.skips) == (1, 2)
    assert [one.name for one in report(scene).participants] == ["ann", "bob", "cyn"]


def test_a_moderator_whose_time_ran_out_has_timed_out():
    """Also when another takes over at once."""
    scene = Scene(*OPENED, ("cyn", TakeSeat()))
    scene.do("bob", SetMode("moderator", ModeConfig(moderator="ann", timeouts=Timeouts(moderator=10_000))))
    scene.do("bob", Say("a question"), at_ms=0)
    scene.do("", Tick(), at_ms=10_000)
    assert {one.name: one.timeouts for one in report(scene).statistics.speakers} == {"ann": 1, "bob": 0, "cyn": 0}


def test_the_course_of_tasks_is_told_in_times():
    """Opened, taken, submitted, decided, how often rejected and handed over; by hand."""
    scene = Scene(
        *OPENED,
        ("bob", OpenTask("proven", verifier="bob"), 1_000),
        ("ann", ClaimTask("T-01"), 2_000),
        ("ann", MoveTask("T-01", "open"), 2_100),
        ("ann", ClaimTask("T-01"), 2_200),
        ("ann", SubmitTask("T-01", "a", "a", "a", 0), 3_000),
        ("bob", VerifyTask("T-01", "rejected"), 4_000),
        ("ann", SubmitTask("T-01", "a", "a", "b", 0), 5_000),
        ("bob", ReassignTask("T-01", verifier="cyn"), 5_500),
        ("cyn", VerifyTask("T-01", "done"), 6_000),
        ("bob", OpenTask("plain"), 7_000),
        ("bob", MoveTask("T-02", "done"), 8_000),
        ("bob", PrioritizeTask("T-02", 1), 9_000),
        ("bob", OpenTask("off"), 10_000),
        ("bob", CancelTask("T-03"), 11_000),
        ("bob", OpenTask("again", verifier="bob"), 12_000),
        ("ann", SubmitTask("T-04", "a", "a", "a", 0), 13_000),
        ("bob", VerifyTask("T-04", "rejected"), 14_000),
    )
    figures = report(scene).statistics
    assert [
        (
            one.id,
            *((at - START) if at else None for at in (one.claimed_at, one.submitted_at, one.decided_at)),
            one.cycle_ms,
        )
        for one in figures.tasks
    ] == [
        ("T-01", 2_000, 5_000, 6_000, 4_000),
        ("T-02", None, None, 8_000, 1_000),
        ("T-03", None, None, None, None),
        ("T-04", None, 13_000, 14_000, 2_000),
    ]
    assert [(one.rejections, one.reassignments) for one in figures.tasks] == [(1, 1), (0, 0), (0, 0), (1, 0)]
    assert (figures.tasks_done, figures.tasks_open, figures.rejections) == (2, 2, 2)
    scene.do("bob", ReopenTask("T-04"), at_ms=15_000)
    assert report(scene).statistics.tasks[3].decided_at is None


def test_the_id_of_an_artifact_names_its_line():
    """Whatever else is given names none."""
    assert source_of("17-2") == 17
    assert [source_of(id) for id in ("", "17", "0-1", "17-0", "-1-1", "1-1-1", "x-1", "1-1\n", "١-1")] == [None] * 9


def test_a_decision_becomes_a_document_that_links_back():
    """A whole `arch_decision`: what was declined and is to be done beside it, and where it was made."""
    scene = talked("We need one.\n[DECISION] use sqlite\n[DECISION] reject redis\n[TODO] measure it\n[RESULT] none")
    entry = scene.log[-1]
    wish = as_context(of(entry)[0], entry, "ABC-DEF-GHJ")
    assert problems(wish.type, wish.payload) == []
    assert wish.payload["decision"] == wish.payload["title"] == "use sqlite"
    assert wish.payload["alternatives"] == ["reject redis"]
    assert wish.payload["consequences"] == ["measure it"]
    assert wish.payload["rationale"].startswith("We need one.")
    assert wish.payload["source"] == {
        "room": "ABC-DEF-GHJ",
        "line": 1,
        "message": 4,
        "artifact": "4-1",
        "author": "ann",
    }
    assert wish.summary == "Decided by ann, line 1: use sqlite"


def test_a_decision_against_something_is_no_alternative_to_itself():
    """Its document lists what else its message declines."""
    scene = talked("[DECISION] reject redis [DECISION] reject memcached")
    wish = as_context(of(scene.log[-1])[0], scene.log[-1], "ABC-DEF-GHJ")
    assert wish.payload["alternatives"] == ["reject memcached"]


@pytest.mark.parametrize("filling", ["x", "\U0001f600", '"', "\x01"])
def test_the_largest_decision_fits_into_a_document(filling):
    """Whatever it is made of: escaped, a character takes six bytes."""
    made = "\n".join(
        [
            "[DECISION] " + filling * 980,
            *(["[TODO] " + filling * 600] * 20),
            *(["[DECISION] block " + filling * 600] * 20),
        ]
    )
    scene = talked(made[:MESSAGE_CHARS])
    entry = scene.log[-1]
    assert isinstance(entry.event, MessageSaid)
    wish = as_context(of(entry)[0], entry, "ABC-DEF-GHJ")
    assert payload("payload", wish.payload)
    scene.do("ann", wish)
