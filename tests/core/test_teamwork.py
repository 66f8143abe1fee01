"""Who may rule on whose work where names are proven by keys, and what a submission may point to (trap 72)."""

from dataclasses import replace

import pytest

from stateroom.core.attachments import StoreAttachment
from stateroom.core.holding import ReassignTask
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.members import Join
from stateroom.core.policy import Policy
from stateroom.core.proving import TaskRejected, TaskSubmitted, TaskVerified, VerifyTask
from stateroom.core.refusals import (
    EvidenceIncomplete,
    NotParticipant,
    NotTheVerifier,
    OwnerCannotVerify,
    ReviewResolved,
    SeatKeyNeeded,
    TaskStateWrong,
    TooLong,
    UnknownAttachment,
)
from stateroom.core.reviews import ResolveReview
from stateroom.core.seats import TakeSeat
from stateroom.core.tasks import OpenTask
from stateroom.testing.scenes import GUEST, TEAM, Scene
from tests.core.proven import GOOD, ONE, STATES, the
from tests.core.talking import HOST_KEY, key

REVIEW = f"R-{ONE}.1"
OTHER_WAYS = (VerifyTask(ONE, "done"), ResolveReview(REVIEW, "approved"))


def room(identity):
    """ann and vic have seats with keys a and b, bob has acted without one; ann's work waits for anybody's verdict."""
    policy = Policy(identity)
    scene = Scene(("", OpenRoom("work", "ABC-DEF-GHJ", "", "", "host", HOST_KEY, policy=policy)), proof=GUEST)
    for name, letter in (("ann", "a"), ("vic", "b")):
        scene.do(name, TakeSeat(offer=letter * 64))
    scene.do("bob", Join(), proof=TEAM)
    scene.do("ann", OpenTask("t"), proof=key("a"))
    scene.do("ann", GOOD, proof=key("a"))
    return scene


@pytest.mark.parametrize("wish", OTHER_WAYS)
@pytest.mark.parametrize(
    ("identity", "by", "proof", "expected"),
    [
        # its own seat, and its own key
        ("keyed", "vic", key("b"), TaskVerified),
        ("keyed", "VIC ", key("b"), TaskVerified),
        ("keyed", "ann", key("a"), OwnerCannotVerify),
        ("keyed", "vic", GUEST, SeatKeyNeeded),
        # a name that nobody has a seat under is no second person
        ("keyed", "somebody", GUEST, NotParticipant),
        ("keyed", "somebody", TEAM, NotParticipant),
        ("keyed", "somebody", key("a"), NotParticipant),
        ("keyed", "bob", TEAM, NotParticipant),
        ("asserted", "bob", TEAM, TaskVerified),
        # a guest has to prove itself in any room, a member of the team where the room says so
        ("", "somebody", GUEST, NotParticipant),
        ("", "somebody", TEAM, TaskVerified),
        ("", "vic", key("b"), TaskVerified),
        ("asserted", "somebody", TEAM, TaskVerified),
        ("asserted", "somebody", GUEST, NotParticipant),
    ],
)
def test_who_may_rule(wish, identity, by, proof, expected):
    """In a keyed room, for a guest, and for the team's own people; directly or by answering the review."""
    room(identity).when(by, wish, proof=proof).then(expected)


@pytest.mark.parametrize("wish", OTHER_WAYS)
@pytest.mark.parametrize(("identity", "vouched"), [("keyed", False), ("keyed", True), ("", False), ("asserted", False)])
def test_the_owners_key_under_another_name_does_not_rule(wish, identity, vouched):
    """Two seats of one key are one worker, however they are called."""
    scene = room(identity)
    scene.do("a second me", TakeSeat(offer="a" * 64))
    shown = replace(key("a"), vouched=vouched)
    scene.when("a second me", wish, proof=shown).then(OwnerCannotVerify, name="a second me")


def test_who_submitted_is_the_worker_too():
    """Not only who owns it now: the key of whoever did the work does not rule on it."""
    scene = room("keyed")
    scene.do("a second me", TakeSeat(offer="a" * 64))
    scene.do("ann", ReassignTask(ONE, "bob"), proof=key("a"))
    scene.when("a second me", VerifyTask(ONE, "done"), proof=key("a")).then(OwnerCannotVerify)
    scene.when("vic", VerifyTask(ONE, "done"), proof=key("b")).then(TaskVerified)


def test_a_worker_that_has_gone_needs_no_key():
    """Whose seat is unknown can not be compared; that its name does not rule stays."""
    scene = Scene(*STATES["submitted"], ("bob", Join()))
    scene.when("bob", VerifyTask(ONE, "done"), proof=TEAM).then(NotTheVerifier)
    scene.when("vic", VerifyTask(ONE, "done"), proof=TEAM).then(TaskVerified)


def test_a_task_that_has_no_evidence_left_to_rule_on_is_refused_first():
    """The state is told before anybody's seat is asked for."""
    scene = Scene(*STATES["held"], proof=TEAM)
    scene.when("nobody known", VerifyTask(ONE, "done"), proof=GUEST).then(TaskStateWrong)


# -- answering a submission's review


@pytest.mark.parametrize(
    ("verdict", "note", "expected", "state"),
    [("approved", "fine", TaskVerified, "done"), ("rejected", None, TaskRejected, "rejected")],
)
def test_an_answer_to_a_submissions_review_is_the_verdict(verdict, note, expected, state):
    """With the same rules and the same fact."""
    scene = Scene(*STATES["submitted"])
    scene.when("vic", ResolveReview(REVIEW, verdict, note)).then(expected, note=note)
    assert the(scene).state == state
    scene.when("vic", ResolveReview(REVIEW, verdict)).then(ReviewResolved)


# -- attachments


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (("one",), TaskSubmitted),
        (("one", "one"), TaskSubmitted),
        (("two",), UnknownAttachment),
        (("one", "two"), UnknownAttachment),
        (("",), UnknownAttachment),
        (("one",) * 11, TooLong),
    ],
)
def test_files_of_a_submission_are_in_the_room(ids, expected):
    """At most ten of them, each uploaded before."""
    scene = Scene(*STATES["held"], ("ann", StoreAttachment("one", "a.txt", "text/plain", 3, "d" * 64)))
    scene.when("ann", replace(GOOD, attachments=ids)).then(expected)
    if expected is TaskSubmitted:
        assert the(scene).evidence[-1].attachments == ("one",)


def test_what_else_is_wrong_with_it_is_said_first():
    """An unknown file is no reason to hide that the evidence is incomplete."""
    Scene(*STATES["held"]).when("ann", replace(GOOD, file_listing="", attachments=("x",))).then(EvidenceIncomplete)
