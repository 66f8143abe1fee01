"""Rules of members, messages, leases, variables, context, reviews and templates, one line each."""

import pytest

from stateroom.core.context import ReviseContext, WithdrawContext, WriteContext, next_version
from stateroom.core.leases import LeaseLapsed, LeaseReleased, LeaseRenewed, LeaseTaken, ReleaseLease, TakeLease
from stateroom.core.members import Join, Leave, MemberJoined, MemberLeft, fold, same
from stateroom.core.messages import MarkRead, MessagePosted, MessageWithdrawn, PostMessage, WithdrawMessage
from stateroom.core.refusals import (
    BadName,
    BadPayload,
    BadText,
    ContextMoved,
    LeaseHeld,
    NotTheHolder,
    NotTheReviewer,
    OwnReview,
    PayloadTooLarge,
    ReviewResolved,
    RoomHasTasks,
    TooLong,
    UnknownContext,
    UnknownEvent,
    UnknownReview,
    UnknownReviewTarget,
    UnknownTemplate,
)
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.room import ApplyTemplate, Tick
from stateroom.core.tasks import OpenTask
from stateroom.core.variables import SetVariable
from stateroom.testing.scenes import Scene

NOTE = ("ann", WriteContext("note", "s", {"text": "t"}, ("bob",)))
POST = ("ann", PostMessage("hi", "all", {}))
LEASE = ("ann", TakeLease("file", 30))
TASK = ("ann", OpenTask("t"))
REVIEW = ("ann", RequestReview("task", "T-01", "bob", "please"))


@pytest.mark.parametrize(
    ("given", "by", "wish", "no"),
    [
        ([], " ", Join(), BadName),
        ([], "x" * 129, Join(), BadName),
        ([], "a\u200bb", Join(), BadName),
        ([], "a\nb", Join(), BadName),
        ([], "ann", PostMessage("x" * 129, "all", {}), TooLong),
        ([], "ann", PostMessage("x", "all", {"a": "x" * 64_000}), PayloadTooLarge),
        ([], "ann", PostMessage("x", "all", {"a": ["\x00"]}), BadText),
        ([], "ann", PostMessage("x", "all", {"a": "\ud800"}), BadText),
        ([POST], "ann", MarkRead(99), UnknownEvent),
        ([POST], "ann", MarkRead(0), UnknownEvent),
        ([POST, ("ann", WithdrawMessage(2))], "ann", WithdrawMessage(2), UnknownEvent),
        ([LEASE], "bob", TakeLease("file", 30), LeaseHeld),
        ([LEASE], "bob", ReleaseLease("file"), NotTheHolder),
        ([], "bob", ReleaseLease("file"), NotTheHolder),
        ([LEASE], "ann", ReleaseLease("file", token=99), NotTheHolder),
        ([], "ann", TakeLease("x" * 513, 30), TooLong),
        ([], "ann", SetVariable("k", "v" * 4097), TooLong),
        ([], "ann", SetVariable("k" * 129, "v"), TooLong),
        ([], "ann", WriteContext("note", "s", {"text": ""}), BadPayload),
        ([], "ann", WriteContext("note", "s" * 4001, {"text": "t"}), TooLong),
        ([], "ann", WriteContext("note", "s", {"text": "t"}, ("x",) * 51), TooLong),
        ([], "ann", WriteContext("note", "s", {"text": "x" * 64_000}), PayloadTooLarge),
        ([NOTE], "ann", ReviseContext("C-01", payload={"text": "x" * 64_000}), PayloadTooLarge),
        ([NOTE], "ann", ReviseContext("C-01", payload={"other": 1}), BadPayload),
        ([NOTE], "ann", ReviseContext("C-02", summary="x"), UnknownContext),
        ([NOTE], "ann", WithdrawContext("C-02"), UnknownContext),
        ([NOTE], "ann", ReviseContext("C-01", summary="x", expected_version="1.4"), ContextMoved),
        ([TASK], "ann", RequestReview("task", "T-09", "bob"), UnknownReviewTarget),
        ([TASK], "ann", RequestReview("context", "T-01", "bob"), UnknownReviewTarget),
        ([TASK], "ann", RequestReview("task", "T-01", " ANN"), OwnReview),
        ([TASK, REVIEW], "cyn", ResolveReview("R-01", "approved"), NotTheReviewer),
        ([TASK, REVIEW], "bob", ResolveReview("R-02", "approved"), UnknownReview),
        (
            [TASK, REVIEW, ("bob", ResolveReview("R-01", "rejected"))],
            "bob",
            ResolveReview("R-01", "approved"),
            ReviewResolved,
        ),
        ([], "ann", ApplyTemplate("nope"), UnknownTemplate),
        ([TASK], "ann", ApplyTemplate("web-app"), RoomHasTasks),
    ],
)
def test_what_is_refused(given, by, wish, no):
    """Each refusal is raised with words and a next step, and changes nothing (the scene checks that)."""
    scene = Scene(*given)
    with pytest.raises(no) as refused:
        scene.when(by, wish)
    assert str(refused.value)
    assert refused.value.next_step()


@pytest.mark.parametrize(("one", "other"), [("Ann", "ann"), (" ann ", "ann"), ("ＡＮＮ", "ann"), ("STRASSE", "straße")])
def test_one_compare_of_names(one, other):
    """Names are the same name trimmed, NFKC-folded and case-folded."""
    assert same(one, other)
    assert fold(one) == fold(other)


def test_a_member_is_known_by_its_first_act_and_under_its_first_spelling():
    """Arrival is a fact of its own, which the room is not told."""
    scene = Scene()
    arrived, posted = scene.when("Ann", PostMessage("hi", "all", {}))
    assert (arrived, type(posted)) == (MemberJoined("Ann"), MessagePosted)
    assert scene.when("ANN ", Join()) == []
    assert scene.log[-1].by == "Ann"
    assert scene.told([arrived]) == []


def test_leaving_is_told_even_by_somebody_who_was_never_here():
    """The room hears of a leave whoever leaves (protocol, leave_room), and a member can come back."""
    scene = Scene()
    assert scene.when("ghost", Leave()) == [MemberLeft("ghost")]
    scene.when("ann", Join())
    scene.when("ann", Leave())
    assert scene.room.members.names() == []
    assert scene.when("ann", Join()) == [MemberJoined("ann")]


def test_receipts_count_each_reader_once():
    """Marking twice marks once; a withdrawn message has no readers (W-09)."""
    scene = Scene(POST, ("bob", MarkRead(2)))
    assert scene.when("BOB", MarkRead(2)) == []
    assert scene.room.messages.read_by(2) == ["bob"]
    assert scene.when("ann", WithdrawMessage(2)) == [MessageWithdrawn(2)]
    assert scene.room.messages.read_by(2) == []


def test_a_withdrawn_message_is_a_tombstone():
    """The log keeps it, views stop showing it, and the count says what is shown (W-11)."""
    scene = Scene(POST, POST)
    told = scene.room.messages.told
    scene.when("ann", WithdrawMessage(2))
    assert scene.room.messages.told == told, "one gone, the tombstone added"
    assert [entry.position for entry in scene.log if scene.room.messages.visible(entry)] == [3, 4]


def test_a_lease_lives_until_its_deadline_and_not_a_moment_longer():
    """At `until` it is free, whoever asks; nothing else ever changes how long it lives (W-13)."""
    scene = Scene(LEASE)
    with pytest.raises(LeaseHeld):
        scene.when("bob", TakeLease("file", 30), after_s=29.999)
    (_, taken) = scene.when("bob", TakeLease("file", 30), after_s=0.001)
    assert type(taken) is LeaseTaken
    assert scene.room.leases.held["file"].token == scene.log[-1].position


def test_the_holder_renews_under_the_same_token():
    """Asking again while holding extends the deadline and keeps the token (W-16)."""
    scene = Scene(LEASE)
    token = scene.room.leases.held["file"].token
    (renewed,) = scene.when("ann", TakeLease("file", 60), after_s=10)
    assert type(renewed) is LeaseRenewed
    assert scene.room.leases.held["file"].token == token
    assert scene.when("ann", TakeLease("file", 1)) == [], "a shorter wish never shortens it"


def test_a_released_lease_is_free_and_its_old_token_is_worth_nothing():
    """Release compares holder and token in one step (W-15)."""
    scene = Scene(LEASE)
    token = scene.room.leases.held["file"].token
    assert scene.when("ann", ReleaseLease("file", token)) == [LeaseReleased("file")]
    scene.when("bob", TakeLease("file", 30))
    with pytest.raises(NotTheHolder):
        scene.when("bob", ReleaseLease("file", token))


def test_a_tick_says_once_that_a_lease_has_lapsed():
    """Nothing due, nothing said; afterwards the lease is gone and the next tick is silent."""
    scene = Scene(LEASE)
    assert scene.when("", Tick()) == []
    assert scene.room.next_due() == scene.now + 30_000
    assert scene.when("", Tick(), after_s=30) == [LeaseLapsed("file", "ann")]
    assert scene.when("", Tick(), after_s=30) == []
    assert scene.room.next_due() is None


@pytest.mark.parametrize(
    ("version", "following"), [("1.0", "1.1"), ("1.9", "1.10"), ("2.3", "2.4"), ("x", "1.0"), ("1", "1.0")]
)
def test_the_minor_version_rises(version, following):
    """Versions are labels with a rising minor (protocol §2.2)."""
    assert next_version(version) == following


def test_revising_replaces_what_is_given_and_keeps_the_rest():
    """Type and id never change; a new author alone is no new version (W-30)."""
    scene = Scene(NOTE)
    assert scene.when("bob", ReviseContext("C-01", summary="s")) == []
    (_, revised) = scene.when("bob", ReviseContext("C-01", summary="new", expected_version="1.0"))
    assert (revised.entry.version, revised.entry.author, revised.entry.payload) == ("1.1", "bob", {"text": "t"})
    assert [revision.version for revision in scene.room.context.revisions["C-01"]] == ["1.0", "1.1"]


def test_consumers_are_told_and_others_are_not_bothered():
    """Without consumers there is no event; with some there is (protocol §2.3)."""
    scene = Scene()
    assert scene.told(scene.when("ann", WriteContext("note", "s", {"text": "t"}))) == []
    assert scene.told(scene.when("ann", WriteContext("note", "s", {"text": "t"}, ("bob",)))) == ["ContextWritten"]
    assert scene.told(scene.when("ann", ReviseContext("C-02", consumers=()))) == []
    assert scene.told(scene.when("ann", WithdrawContext("C-01"))) == ["ContextWithdrawn"]


def test_a_contract_says_what_it_breaks():
    """Removing a response field from a contract is named in the fact itself (W-31)."""
    endpoint = {"method": "GET", "path": "/me", "auth_required": True, "description": "d"}
    before = {
        "service": "s",
        "version": "1",
        "endpoints": [{**endpoint, "response": {"id": "string", "mail": "string"}}],
    }
    after = {**before, "endpoints": [{**endpoint, "response": {"id": "string"}}]}
    scene = Scene(("ann", WriteContext("api_contract", "s", before, ("bob",))))
    (revised,) = scene.when("ann", ReviseContext("C-01", payload=after))
    assert any("mail" in sentence for sentence in revised.breaking)


def test_a_review_keeps_both_notes():
    """The requester's note and the resolver's note are two notes (W-37)."""
    scene = Scene(TASK, REVIEW)
    (_, resolved) = scene.when("Bob", ResolveReview("R-01", "rejected", "no tests"))
    assert (resolved.review.note, resolved.review.resolution_note) == ("please", "no tests")
    assert (resolved.review.status, resolved.review.resolved_by) == ("rejected", "Bob")


def test_a_template_seeds_the_plan_and_is_told_once():
    """One event for the whole; with `append` also into a plan that has tasks (W-23)."""
    scene = Scene()
    events = scene.when("ann", ApplyTemplate("web-app"))
    assert scene.told(events) == ["TemplateApplied"]
    assert [task.priority for task in scene.room.board.tasks.values()] == [1, 2, 3, 4]
    scene.when("ann", ApplyTemplate("incident", append=True))
    assert list(scene.room.board.tasks) == [f"T-{n:02d}" for n in range(1, 8)]
    assert scene.room.lifecycle.project == "Incident"


def test_variables_stay_strings():
    """Nothing is ever guessed into a number (W-40)."""
    scene = Scene(*[("ann", SetVariable(key, key)) for key in ("3000", "true", "null", "1.0")])
    assert scene.room.variables.values == {key: key for key in ("3000", "true", "null", "1.0")}
