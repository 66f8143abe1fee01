"""The evidence-gated half of the board: every cell of agent-room §6.1, strict column, and what lies between them."""

from dataclasses import replace

import pytest

from stateroom.core.halting import BlockTask, CancelTask, ReopenTask, TaskCancelled, TaskReopened
from stateroom.core.handing import (
    GrantHandoff,
    ReleaseTask,
    RenewTask,
    RequestHandoff,
    TaskHandedOver,
    TaskHandoffRequested,
    TaskRenewed,
)
from stateroom.core.holding import ClaimTask, ReassignTask, TaskVerifierNamed
from stateroom.core.members import Join, Leave
from stateroom.core.proving import (
    ReportCommit,
    TaskCommitReported,
    TaskRejected,
    TaskSubmitted,
    TaskVerified,
    VerifyTask,
)
from stateroom.core.refusals import (
    BadName,
    EvidenceIncomplete,
    HandoffToSelf,
    NobodyNamed,
    NotTheOwner,
    NotTheTaskHolder,
    NotTheVerifier,
    OwnerCannotVerify,
    OwnerIsVerifier,
    ReasonMissing,
    Refusal,
    TaskDoneImmutable,
    TaskHasEvidence,
    TaskHeld,
    TaskLeaseOver,
    TaskMoved,
    TaskNeedsProof,
    TaskStateWrong,
    TokenNeeded,
    TokenStale,
    TooLong,
    UnknownTask,
    VerifierCannotClaim,
)
from stateroom.core.room import Tick, replay
from stateroom.core.tasks import (
    NOBODY,
    MoveTask,
    OpenTask,
    RemoveTask,
    TaskBlocked,
    TaskClaimed,
    TaskDescribed,
    TaskFinished,
    TaskReassigned,
    TaskRemoved,
    TaskReturned,
)
from stateroom.testing.scenes import Scene
from tests.core.proven import GOOD, LEASED, ONE, OPENED, OVER_MS, STATES, SUBMITTED, follows, the

CLAIM = ("ann", ClaimTask(ONE))
DONE, REJECTED = ("vic", VerifyTask(ONE, "done")), ("vic", VerifyTask(ONE, "rejected"))
REASSIGN = ("hal", ReassignTask(ONE, verifier="wes"))
CANCEL, REOPEN, BLOCK = ("bob", CancelTask(ONE)), ("bob", ReopenTask(ONE)), ("bob", BlockTask(ONE, "no time"))
FINISH = ("ann", MoveTask(ONE, "done"))
CELLS = {
    # from: claim, submit, verify done, verify rejected, reassign, cancel, reopen, block, moved to done
    "open": (
        *(TaskClaimed, TaskSubmitted, TaskStateWrong, TaskStateWrong),
        *(TaskVerifierNamed, TaskCancelled, TaskStateWrong, TaskBlocked, TaskNeedsProof),
    ),
    "held": (
        *((), TaskSubmitted, TaskStateWrong, TaskStateWrong),
        *(TaskVerifierNamed, TaskCancelled, TaskStateWrong, TaskBlocked, TaskNeedsProof),
    ),
    "submitted": (
        *(TaskStateWrong, (), TaskVerified, TaskRejected),
        *(TaskVerifierNamed, TaskHasEvidence, TaskStateWrong, TaskStateWrong, TaskNeedsProof),
    ),
    "rejected": (
        *(TaskStateWrong, TaskSubmitted, TaskStateWrong, TaskStateWrong),
        *(TaskStateWrong, TaskHasEvidence, TaskReopened, TaskStateWrong, TaskNeedsProof),
    ),
    "done": (
        *(TaskDoneImmutable, TaskDoneImmutable, TaskDoneImmutable, TaskDoneImmutable),
        *(TaskDoneImmutable, TaskDoneImmutable, TaskDoneImmutable, TaskDoneImmutable, ()),
    ),
    "cancelled": (
        *(TaskStateWrong, TaskStateWrong, TaskDoneImmutable, TaskDoneImmutable),
        *(TaskStateWrong, TaskStateWrong, TaskReopened, TaskStateWrong, TaskStateWrong),
    ),
    "blocked": (
        *(TaskClaimed, TaskSubmitted, TaskStateWrong, TaskStateWrong),
        *(TaskVerifierNamed, TaskCancelled, TaskStateWrong, TaskBlocked, TaskNeedsProof),
    ),
}
ACTIONS = (CLAIM, SUBMITTED, DONE, REJECTED, REASSIGN, CANCEL, REOPEN, BLOCK, FINISH)
AFTER = {
    TaskClaimed: "held",
    TaskSubmitted: "submitted",
    TaskVerified: "done",
    TaskRejected: "rejected",
    TaskCancelled: "cancelled",
    TaskReopened: "open",
    TaskBlocked: "blocked",
}


@pytest.mark.parametrize(
    ("state", "action", "expected"),
    [
        pytest.param(state, action, expected, id=f"{state}-{type(action[1]).__name__}-{number}")
        for state, cells in CELLS.items()
        for number, (action, expected) in enumerate(zip(ACTIONS, cells, strict=True))
    ],
)
def test_every_action_in_every_state(state, action, expected):
    """The strict column: this fact and the state it leads to, or this refusal and the task as it was."""
    scene = Scene(*STATES[state])
    before = the(scene)
    assert before.state == state
    follows(scene, *action, expected)
    assert the(scene).state == AFTER.get(expected, state)
    if isinstance(expected, tuple) or expected not in (*AFTER, TaskVerifierNamed):
        assert the(scene) == before
    assert replay(scene.log) == scene.room


@pytest.mark.parametrize(
    ("given", "by", "wish", "expected"),
    [
        # nobody takes running work, and the verifier none at all (gaps 60 and 62)
        (STATES["held"], "bob", ClaimTask(ONE), TaskHeld),
        (STATES["held"], " ANN", ClaimTask(ONE), ()),
        (STATES["blocked"], "bob", ClaimTask(ONE), TaskClaimed),
        (STATES["open"], "vic", ClaimTask(ONE), VerifierCannotClaim),
        (STATES["open"], "VIC ", ClaimTask(ONE), VerifierCannotClaim),
        (STATES["open"], "vic", MoveTask(ONE, "held"), VerifierCannotClaim),
        (STATES["held"], "bob", MoveTask(ONE, "held", owner="Vic", takeover=True), VerifierCannotClaim),
        (STATES["open"], "bob", MoveTask(ONE, "open", owner="vic"), OwnerIsVerifier),
        (STATES["open"], "vic", GOOD, VerifierCannotClaim),
        ([("ann", OpenTask("t", owner="bob"))], "cyn", ClaimTask(ONE), TaskClaimed),
        ([("ann", OpenTask("t"))], "", ClaimTask(ONE), BadName),
        # only the owner submits (gap 61)
        (STATES["held"], "bob", GOOD, NotTheOwner),
        (STATES["submitted"], "bob", GOOD, NotTheOwner),
        (STATES["rejected"], "bob", GOOD, NotTheOwner),
        (STATES["submitted"], "ann", replace(GOOD, checks="read it"), TaskSubmitted),
        ([("ann", OpenTask("t", owner="bob"))], "ann", GOOD, NotTheOwner),
        ([("ann", OpenTask("t"))], "bob", GOOD, TaskSubmitted),
        # nobody rules on its own work, under any spelling (gap 63)
        (STATES["submitted"], "ann", VerifyTask(ONE, "done"), OwnerCannotVerify),
        (STATES["submitted"], "ANN", VerifyTask(ONE, "done"), OwnerCannotVerify),
        (STATES["submitted"], "ａｎｎ", VerifyTask(ONE, "rejected"), OwnerCannotVerify),
        (STATES["submitted"], "bob", VerifyTask(ONE, "done"), NotTheVerifier),
        (STATES["submitted"], " VIC", VerifyTask(ONE, "done"), TaskVerified),
        (STATES["submitted"], "", VerifyTask(ONE, "done"), BadName),
        ([("ann", OpenTask("t")), SUBMITTED], "bob", VerifyTask(ONE, "done"), TaskVerified),
        ([("ann", OpenTask("t")), SUBMITTED], "ann", VerifyTask(ONE, "done"), OwnerCannotVerify),
        # … and not by handing it over first
        ([*STATES["submitted"], ("ann", ReassignTask(ONE, "bob", "wes"))], "ann", DONE[1], OwnerCannotVerify),
        (
            [*STATES["submitted"], ("ann", ReassignTask(ONE, "bob"))],
            "hal",
            ReassignTask(ONE, "", "Ann"),
            OwnerIsVerifier,
        ),
        # roles
        (STATES["held"], "hal", ReassignTask(ONE), NobodyNamed),
        (STATES["held"], "hal", ReassignTask(ONE, " ", ""), NobodyNamed),
        (STATES["held"], "hal", ReassignTask(ONE, "bob"), TaskReassigned),
        (STATES["held"], "hal", ReassignTask(ONE, "bob", "cyn"), TaskVerifierNamed),
        (STATES["held"], "hal", ReassignTask(ONE, "vic", "ann"), TaskVerifierNamed),
        (STATES["held"], "hal", ReassignTask(ONE, "Ann", " VIC"), ()),
        (STATES["held"], "hal", ReassignTask(ONE, "VIC"), OwnerIsVerifier),
        (STATES["held"], "hal", ReassignTask(ONE, verifier="Ann "), OwnerIsVerifier),
        (STATES["held"], "hal", ReassignTask(ONE, "a\nb"), BadName),
        # halts
        (STATES["held"], "ann", BlockTask(ONE, " "), ReasonMissing),
        (STATES["blocked"], "bob", BlockTask(ONE, "no access"), ()),
        ([*STATES["rejected"], ("bob", ReopenTask(ONE))], "bob", CancelTask(ONE), TaskHasEvidence),
        (STATES["cancelled"], "bob", ReopenTask(ONE, "held"), TaskReopened),
        (STATES["cancelled"], "vic", ReopenTask(ONE, "held"), VerifierCannotClaim),
        (STATES["cancelled"], "bob", ReopenTask(ONE, "submitted"), EvidenceIncomplete),
        (STATES["rejected"], "bob", ReopenTask(ONE, "submitted"), TaskReopened),
        (STATES["rejected"], "bob", ReopenTask(ONE, "blocked", "why"), TaskReopened),
        # the plan's own way
        (STATES["open"], "bob", MoveTask(ONE, "done"), TaskNeedsProof),
        ([("ann", OpenTask("t", dod="d"))], "ann", MoveTask(ONE, "done"), TaskNeedsProof),
        ([("ann", OpenTask("t", dod=" ", verifier=""))], "ann", MoveTask(ONE, "done"), TaskFinished),
        (STATES["held"], "bob", MoveTask(ONE, "done", owner="bob", takeover=True), TaskNeedsProof),
        ([("ann", OpenTask("t")), SUBMITTED], "bob", MoveTask(ONE, "done"), TaskNeedsProof),
        (STATES["submitted"], "ann", MoveTask(ONE, "held"), TaskStateWrong),
        (STATES["submitted"], "ann", MoveTask(ONE, "open"), TaskStateWrong),
        (STATES["submitted"], "ann", MoveTask(ONE, "blocked"), TaskStateWrong),
        (STATES["rejected"], "bob", MoveTask(ONE, "held", owner="bob"), TaskHeld),
        (STATES["rejected"], "ann", MoveTask(ONE, "held"), TaskClaimed),
        (STATES["rejected"], "ann", MoveTask(ONE, "open", owner=NOBODY), TaskReturned),
        ([*STATES["rejected"], ("ann", MoveTask(ONE, "open"))], "ann", MoveTask(ONE, "done"), TaskNeedsProof),
        (STATES["done"], "bob", MoveTask(ONE, "open"), TaskDoneImmutable),
        (STATES["done"], "bob", MoveTask(ONE, "done", note="more"), TaskDoneImmutable),
        (STATES["cancelled"], "bob", MoveTask(ONE, "held"), TaskStateWrong),
        (STATES["held"], "ann", MoveTask(ONE, "held", note="more"), TaskDescribed),
        (STATES["submitted"], "bob", RemoveTask(ONE), TaskHasEvidence),
        (STATES["done"], "bob", RemoveTask(ONE), TaskHasEvidence),
        (STATES["cancelled"], "bob", RemoveTask(ONE), TaskRemoved),
        # what plans of four states show as in progress is what they expect
        (STATES["rejected"], "ann", MoveTask(ONE, "blocked", expected_state="held"), TaskBlocked),
        (STATES["rejected"], "ann", MoveTask(ONE, "blocked", expected_state="rejected"), TaskBlocked),
        (STATES["rejected"], "ann", MoveTask(ONE, "blocked", expected_state="open"), TaskMoved),
        (STATES["held"], "ann", MoveTask(ONE, "blocked", expected_state="submitted"), TaskMoved),
        # opening
        ([], "ann", OpenTask("t", owner="Ann", verifier=" ANN"), OwnerIsVerifier),
        ([], "ann", OpenTask("t", verifier="a\nb"), BadName),
        ([], "ann", OpenTask("t", dod="x" * 16_001), TooLong),
        # unknown
        *[([], "ann", wish, UnknownTask) for _, wish in ACTIONS],
    ],
)
def test_between_the_cells(given, by, wish, expected):
    """Who may, under which spelling, and by which detour not."""
    follows(Scene(*given), by, wish, expected)


# -- the same under leases: each action by each of four, in each state that a lease can be in

UNDER_LEASE = [OPENED, LEASED]
LAPSED = [*UNDER_LEASE, ("", Tick(), OVER_MS)]
TAKEN = [*UNDER_LEASE, ("bob", ClaimTask(ONE, 900), OVER_MS)]
WHO = ("ann", "vic", "bob", "hal")
"""Who held it first, its verifier, another, and the host."""
WITH = {
    "claim": ClaimTask(ONE, 900),
    "submit without a token": GOOD,
    "submit with the first token": replace(GOOD, token=1),
    "submit with the second token": replace(GOOD, token=2),
    "verify": VerifyTask(ONE, "done"),
    "reassign": ReassignTask(ONE, verifier="wes"),
    "cancel": CancelTask(ONE),
    "reopen": ReopenTask(ONE),
    "block": BlockTask(ONE, "no time"),
    "move to open": MoveTask(ONE, "open"),
    "move to held": MoveTask(ONE, "held"),
    "move to done": MoveTask(ONE, "done", token=1),
    "renew": RenewTask(ONE, 1),
    "release": ReleaseTask(ONE, 1),
    "ask for it": RequestHandoff(ONE),
    "grant": GrantHandoff(ONE, "dan", 1),
    "report a commit": ReportCommit(ONE, "abcdef0"),
}
ALL_FOUR = {
    "verify": (TaskStateWrong,) * 4,
    "reassign": (TaskVerifierNamed,) * 4,
    "cancel": (TaskCancelled,) * 4,
    "reopen": (TaskStateWrong,) * 4,
    "block": (TaskBlocked,) * 4,
    "report a commit": (TaskCommitReported,) * 4,
}
"""What a lease changes nothing about."""
UNDER = {
    "under a lease": {
        "claim": (TaskClaimed, VerifierCannotClaim, TaskHeld, TaskHeld),
        "submit without a token": (TokenNeeded, NotTheOwner, NotTheOwner, NotTheOwner),
        "submit with the first token": (TaskSubmitted, NotTheOwner, NotTheOwner, NotTheOwner),
        "submit with the second token": (TokenStale, NotTheOwner, NotTheOwner, NotTheOwner),
        "move to open": (TaskReturned, TaskHeld, TaskHeld, TaskHeld),
        "move to held": ((), TaskHeld, TaskHeld, TaskHeld),
        "move to done": (TaskNeedsProof, TaskHeld, TaskHeld, TaskHeld),
        "renew": (TaskRenewed, NotTheTaskHolder, NotTheTaskHolder, NotTheTaskHolder),
        "release": (TaskReturned, NotTheTaskHolder, NotTheTaskHolder, NotTheTaskHolder),
        "ask for it": (HandoffToSelf, VerifierCannotClaim, TaskHandoffRequested, TaskHandoffRequested),
        "grant": (TaskHandedOver, NotTheTaskHolder, NotTheTaskHolder, NotTheTaskHolder),
    },
    "lapsed": {
        "claim": (TaskClaimed, VerifierCannotClaim, TaskClaimed, TaskClaimed),
        "submit without a token": (TaskLeaseOver, VerifierCannotClaim, TaskLeaseOver, TaskLeaseOver),
        "submit with the first token": (TaskLeaseOver, VerifierCannotClaim, TaskLeaseOver, TaskLeaseOver),
        "submit with the second token": (TokenStale, VerifierCannotClaim, TokenStale, TokenStale),
        "move to open": ((),) * 4,
        "move to held": (TaskClaimed, VerifierCannotClaim, TaskClaimed, TaskClaimed),
        "move to done": (TaskNeedsProof,) * 4,
        "renew": (TaskStateWrong,) * 4,
        "release": (TaskStateWrong,) * 4,
        "ask for it": (TaskStateWrong,) * 4,
        "grant": (TaskStateWrong,) * 4,
    },
    "claimed by another after it lapsed": {
        "claim": (TaskHeld, VerifierCannotClaim, TaskClaimed, TaskHeld),
        "submit without a token": (NotTheOwner, NotTheOwner, TokenNeeded, NotTheOwner),
        "submit with the first token": (NotTheOwner, NotTheOwner, TokenStale, NotTheOwner),
        "submit with the second token": (NotTheOwner, NotTheOwner, TaskSubmitted, NotTheOwner),
        "move to open": (TaskHeld, TaskHeld, TaskReturned, TaskHeld),
        "move to held": (TaskHeld, TaskHeld, (), TaskHeld),
        "move to done": (TaskHeld, TaskHeld, TaskNeedsProof, TaskHeld),
        "renew": (NotTheTaskHolder, NotTheTaskHolder, TokenStale, NotTheTaskHolder),
        "release": (NotTheTaskHolder, NotTheTaskHolder, TokenStale, NotTheTaskHolder),
        "ask for it": (TaskHandoffRequested, VerifierCannotClaim, HandoffToSelf, TaskHandoffRequested),
        "grant": (NotTheTaskHolder, NotTheTaskHolder, TokenStale, NotTheTaskHolder),
    },
}
COLUMNS = {"under a lease": UNDER_LEASE, "lapsed": LAPSED, "claimed by another after it lapsed": TAKEN}


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize(("number", "by"), list(enumerate(WHO)))
@pytest.mark.parametrize("action", WITH)
def test_every_action_by_everybody_under_a_lease(column, number, by, action):
    """One fact or one refusal for the holder, the verifier, another and the host; a refusal leaves the task alone."""
    scene = Scene(("dan", Join()), *COLUMNS[column])
    before = the(scene)
    expected = {**ALL_FOUR, **UNDER[column]}[action][number]
    scene.now += 1
    follows(scene, by, WITH[action], expected)
    changes = isinstance(expected, type) and not issubclass(expected, Refusal)
    assert (the(scene) != before) == changes
    assert replay(scene.log) == scene.room


def test_the_same_submission_again_is_one():
    """Also by an owner that has left meanwhile and is spelled otherwise now."""
    scene = Scene(("Ann", OpenTask("t")), ("Ann", GOOD), ("Ann", Leave()))
    scene.when("ANN ", GOOD, at_ms=5).then()
    assert len(the(scene).evidence) == 1


def test_what_is_done_freely_is_final_for_the_strict_actions_only():
    """A plain task that was moved to done can be moved back; claims and submissions find it locked."""
    plain = Scene(("ann", OpenTask("t")), ("ann", MoveTask(ONE, "done")))
    for by, wish in ACTIONS[:-1]:
        plain.when(by, wish).then(TaskDoneImmutable)
    plain.when("ann", MoveTask(ONE, "open")).then(TaskReturned)


@pytest.mark.parametrize("state", CELLS)
@pytest.mark.parametrize(("by", "wish"), ACTIONS)
def test_a_refusal_names_a_next_step(state, by, wish):
    """For the state the task is in, as a call that names the task, or as what to give instead."""
    scene = Scene(*STATES[state])
    refusal = scene.when(by, wish).refusal
    if isinstance(refusal, (TaskStateWrong, TaskNeedsProof, TaskDoneImmutable, TaskHasEvidence)):
        step = refusal.next_step()
        assert ("room_task(action:" in step and ONE in step) or (state == "done" and "new task" in step)


def test_what_needs_proof_names_the_exact_calls():
    """An agent that tried to finish such a task reads how to."""
    step = Scene(*STATES["held"]).when(*FINISH).refusal.next_step()
    assert 'room_task(action: "submit", id: "T-01", fileListing' in step
    assert 'room_task(action: "verify", id: "T-01", verdict: "done")' in step
    assert '"verify"' in Scene(*STATES["submitted"]).when(*FINISH).refusal.next_step()
