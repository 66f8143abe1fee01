"""The room as a whole: who is told of what, and what holds for every fact."""

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from stateroom.core.context import ContextWithdrawn, ContextWritten, ReviseContext, WriteContext
from stateroom.core.floor import TurnPassed
from stateroom.core.here import Command, Here, Unreadable
from stateroom.core.members import Join
from stateroom.core.messages import PostMessage
from stateroom.core.reviews import RequestReview
from stateroom.core.room import FOLDS, RULES, SLICES, Room, Tick, decide, replay
from stateroom.core.state import Answered
from stateroom.core.tasks import MoveTask, OpenTask, TaskOpened
from stateroom.log import codec
from stateroom.testing.scenes import START, LobbyScene, Scene, entries, stored
from tests.log.samples import board_scene, full_scene, played_scene, project_scene, registered, talk_scene

SEEN = {
    # fact: (told to the room, a line of the transcript)
    "RoomOpened": (False, False),
    "RoomRegistered": (True, True),
    "ProjectRegistered": (True, True),
    "ProjectCreated": (True, True),
    "BriefSet": (True, True),
    "KeyRotated": (True, True),
    "RoomAttached": (True, True),
    "RoomLearned": (True, True),
    "FactRemembered": (True, True),
    "FactForgotten": (True, True),
    "TemplateApplied": (True, True),
    "PlaybookApplied": (True, True),
    "MemberJoined": (False, False),
    "MemberLeft": (True, True),
    "MessagePosted": (True, True),
    "MessageRead": (False, False),
    "MessageWithdrawn": (True, True),
    "ContextWritten": (True, True),
    "ContextRevised": (True, True),
    "ContextWithdrawn": (True, True),
    "TaskOpened": (True, True),
    "TaskClaimed": (True, True),
    "TaskRenewed": (False, False),
    "TaskHandoffRequested": (True, True),
    "TaskHandedOver": (True, True),
    "TaskLapsed": (True, True),
    "ClaimStalled": (True, True),
    "TaskCommitReported": (True, True),
    "TaskRerouted": (True, True),
    "VerdictOverdue": (True, True),
    "ReviewRerouted": (True, True),
    "ReviewOverdue": (True, True),
    "BoardCompleted": (False, True),
    "TaskReturned": (True, True),
    "TaskBlocked": (True, True),
    "TaskFinished": (True, True),
    "TaskReassigned": (True, True),
    "TaskDescribed": (True, True),
    "TaskPrioritized": (True, True),
    "TaskLinked": (True, True),
    "TaskRemoved": (True, True),
    "LeaseTaken": (False, False),
    "LeaseRenewed": (False, False),
    "LeaseReleased": (False, False),
    "LeaseLapsed": (False, False),
    "VariableSet": (True, False),
    "ReviewRequested": (True, True),
    "ReviewApproved": (True, True),
    "ReviewRejected": (True, True),
    "TaskSubmitted": (True, True),
    "TaskVerified": (True, True),
    "TaskRejected": (True, True),
    "TaskCancelled": (True, True),
    "TaskReopened": (True, True),
    "TaskVerifierNamed": (True, True),
    "MessageSaid": (True, True),
    "SecretsRedacted": (False, False),
    "ExchangePaused": (True, True),
    "MemberSeated": (False, False),
    "MemberRemoved": (True, True),
    "MemberMuted": (True, True),
    "MemberUnmuted": (True, True),
    "RoomEnded": (True, True),
    "RoomReactivated": (True, True),
    "PolicySet": (True, True),
    "ModeChanged": (True, True),
    "RoleTaken": (True, True),
    "TaskCast": (False, False),
    "ModeratorReplaced": (True, True),
    "ModeratorMissed": (True, True),
    "MemberInvited": (True, True),
    "TurnStarted": (False, False),
    "TurnExtended": (False, False),
    "TurnOffered": (False, False),
    "TurnClosed": (False, False),
    "QueueShortened": (False, False),
    "InvitationUsed": (False, False),
    "AttachmentStored": (False, False),
    "ReportKept": (False, False),
    "ReportFiled": (True, True),
    "PlaybookSaved": (True, True),
    "PlaybookRemoved": (True, True),
}
"""The design's table "What is seen where" (§7), with consumers where there can be some."""


def test_who_is_told_of_what():
    """Every kind of fact, as the design says; a new kind must find its place in the table."""
    assert {*SEEN, "TurnPassed"} == set(codec.KINDS)
    scenes = (full_scene(), talk_scene(), board_scene(), registered(), played_scene(), project_scene())
    events = [entry.event for scene in scenes for entry in scene.log]
    seeded = [event for event in events if isinstance(event, TaskOpened) and event.seeded]
    events = [event for event in events if event not in seeded and not isinstance(event, TurnPassed)]
    assert {type(event).__name__: (event.told, event.line) for event in events} == SEEN
    assert all((event.told, event.line) == SEEN[type(event).__name__] for event in events)


@pytest.mark.parametrize(
    ("ending", "why", "told"),
    [
        ("replied", "", False),
        ("no_addition", "", False),
        ("timed_out", "", True),
        ("skipped_by_grace", "", True),
        ("skipped", "host", True),
        ("skipped", "left", False),
        ("skipped", "muted", False),
    ],
)
def test_who_is_told_of_the_end_of_a_turn(ending, why, told):
    """Only of what nothing else tells: a reply is a line, a departure too."""
    passed = TurnPassed(None, "ann", "lead", ending, why)
    assert (passed.told, passed.line) == (told, told)


def test_keys_do_not_leave_the_server():
    """What is public of a fact holds no digest of any key (agent-room gap 46)."""
    events = [entry.event for entry in talk_scene().log]
    assert any(b"b" * 64 in codec.encode(event).body for event in events)
    assert any(b"c" * 64 in codec.encode(event).body for event in events)
    for event in events:
        body = codec.encode(event.public).body
        assert b"b" * 64 not in body
        assert b"c" * 64 not in body


def test_who_is_not_told_of_tasks_from_a_template():
    """The room hears of the template as a whole."""
    (seeded,) = [e.event for e in full_scene().log if isinstance(e.event, TaskOpened) and e.event.task.id == "T-01"]
    assert (seeded.told, seeded.line) == (False, False)


def test_who_is_told_of_context_without_consumers():
    """Nobody of what it says, everybody of its end; a line it is only when somebody is to be told (design §7)."""
    (written,) = [e.event for e in full_scene().log if isinstance(e.event, ContextWritten)]
    quiet = replace(written.entry, consumers=())
    assert (ContextWritten(quiet).told, ContextWritten(quiet).line) == (False, False)
    assert (ContextWithdrawn(quiet).told, ContextWithdrawn(quiet).line) == (True, False)
    assert (ContextWithdrawn(written.entry).told, ContextWithdrawn(written.entry).line) == (True, True)


def test_what_cannot_be_read_is_told():
    """Nobody can say what it was, so nobody hides it."""
    assert Unreadable("why").told


def test_every_noun_has_its_place():
    """Each slice of the room is a module's, each fact is folded into one slice, each wish has one rule."""
    assert set(SLICES) == {field.name for field in fields(Room)} - {"position", "lines", "last_at", "requests"}
    assert all(issubclass(command, Command) for command in RULES)
    for name, noun in SLICES.items():
        assert all(FOLDS[event][0] == name for event in noun.FOLDS)


@pytest.mark.parametrize("kind", [*RULES, *FOLDS], ids=lambda kind: kind.__name__)
def test_wishes_and_facts_cannot_be_changed(kind):
    """They are frozen and hold nothing but their fields."""
    thing = object.__new__(kind)
    with pytest.raises((FrozenInstanceError, TypeError, AttributeError)):
        thing.anything = 1
    assert not hasattr(thing, "__dict__")


def test_positions_and_lines_are_counted():
    """Every entry has the next position; lines are counted over lines alone."""
    scene = Scene(("ann", OpenTask("t")), ("bob", Join()), ("bob", PostMessage("hi", "all", {})), ("cyn", Join()))
    assert [(entry.position, entry.line) for entry in scene.log] == [(1, 0), (2, 1), (3, 0), (4, 2), (5, 0)]
    assert (scene.room.position, scene.room.lines, scene.room.last_at) == (5, 2, START)


def test_entries_are_made_without_folding():
    """`entries` says what events become; the state stays where it was."""
    scene = Scene(("ann", OpenTask("t")))
    events = decide(scene.room, MoveTask("T-01", "held"), Here("ann", START))
    (entry,) = entries(scene.room, events, at=START, by="ann", cause="ann/r#0")
    assert (entry.position, entry.line, entry.by, entry.cause, entry.event) == (3, 2, "ann", "ann/r#0", events[0])
    assert scene.room.position == 2


def test_a_folded_log_equals_the_room():
    """From the beginning, and from anywhere on."""
    for scene in (full_scene(), talk_scene()):
        assert codec.encode_state(replay(scene.log)) == codec.encode_state(scene.room)
        half = replay(scene.log[:20])
        assert codec.encode_state(replay(scene.log[20:], half)) == codec.encode_state(scene.room)


def test_a_request_is_remembered_with_its_entries():
    """A cause is a request and a fingerprint; the entries of one request count from its first to its last."""
    scene = Scene()
    scene.when("ann", PostMessage("a", "all", {}), cause="ann/r#1#f1")
    scene.when("ann", PostMessage("b", "all", {}))
    scene.when("ann", PostMessage("c", "all", {}), cause="ann/r2#f2")
    assert scene.room.requests == {"ann/r#1": Answered("f1", 1, 2), "ann/r2": Answered("f2", 4, 4)}
    scene.when("ann", PostMessage("a", "all", {}), cause="ann/r#1#f1")
    assert scene.room.requests["ann/r#1"] == Answered("f1", 5, 5), "what lies between was never its own"


def test_the_oldest_requests_are_forgotten(monkeypatch):
    """The window is bounded, and moves one at a time."""
    monkeypatch.setattr("stateroom.core.state.REQUEST_WINDOW", 3)
    scene = Scene(("ann", Join()))
    for n in range(5):
        scene.when("ann", PostMessage("hi", "all", {}), cause=f"ann/{n}#f")
    assert list(scene.room.requests) == ["ann/2", "ann/3", "ann/4"]


@pytest.mark.parametrize(
    ("lost", "wish", "id"),
    [
        ("TaskOpened", OpenTask("next"), "T-02"),
        ("ContextWritten", WriteContext("note", "next", {"text": "t"}), "C-02"),
        ("ReviewRequested", RequestReview("task", "T-01", "bob"), "R-03"),
    ],
)
def test_a_number_is_used_up_although_its_first_entry_was_lost(lost, wish, id):
    """When the entry that made a thing has become unreadable, what still speaks of it keeps its id taken.

    Ids were once counted from those first entries alone, so the next thing took over an id that was in use.
    """
    scene = Scene(
        ("ann", OpenTask("t")),
        ("ann", MoveTask("T-01", "held")),
        ("ann", WriteContext("note", "s", {"text": "t"})),
        ("ann", ReviseContext("C-01", summary="s2")),
        ("ann", RequestReview("task", "T-01", "bob")),
        ("ann", RequestReview("task", "T-01", "bob")),
    )
    gone = next(n for n, entry in enumerate(scene.log) if type(entry.event).__name__ == lost)
    log = [replace(e, event=Unreadable("lost")) if n == gone else e for n, e in enumerate(scene.log)]
    (event,) = decide(replay(log), wish, Here("ann", START))
    thing = getattr(event, {"T": "task", "C": "entry", "R": "review"}[id[0]])
    assert thing.id == id


def test_nothing_follows_from_a_tick_in_an_empty_room():
    """Nothing is due."""
    Scene().when("", Tick()).then()
    assert Scene().room.next_due() is None


def test_a_scene_stores_what_the_engine_would():
    """Records of a scene decode to its log, whatever the kind of state."""
    for scene in (full_scene(), talk_scene(), LobbyScene(), registered()):
        assert [codec.decode(stored(entry)) for entry in scene.log] == scene.log
