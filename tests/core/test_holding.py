"""Who holds a task, who rules on it, and what stops it: what the facts carry."""

import pytest

from stateroom.core.evidence import ROLE_CHANGES_KEPT
from stateroom.core.halting import BlockTask, CancelTask, ReopenTask
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.proving import TaskVerified, VerifyTask
from stateroom.core.refusals import BadText, NotTheVerifier, TaskHeld, TooLong
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.testing.scenes import START, Scene
from tests.core.proven import ONE, STATES, the


def test_a_task_is_opened_whole():
    """With its roles, its definition of done and who opened it; blank is nothing."""
    scene = Scene(("Ann", OpenTask("t", owner=" bob ", verifier="ANN", dod=" green ")))
    task = the(scene)
    assert (task.state, task.owner, task.verifier, task.dod) == ("open", "bob", "Ann", " green ")
    assert (task.opened_by, task.needs_proof, task.role_history) == ("Ann", True, ())
    plain = the(Scene(("ann", OpenTask("t", id="", owner=" ", verifier="", dod="\n"))))
    assert (plain.owner, plain.verifier, plain.dod, plain.needs_proof) == (None, None, None, False)


def test_roles_change_hands_on_record():
    """Who gave which role from whom to whom, when; a first claim is no change of hands."""
    scene = Scene(*STATES["held"])
    assert the(scene).role_history == ()
    scene.do("hal", ReassignTask(ONE, "bob", "wes"), at_ms=3)
    scene.do("cyn", MoveTask(ONE, "held", owner="cyn", takeover=True), at_ms=4)
    assert [(c.by, c.at - START, c.field, c.was, c.to) for c in the(scene).role_history] == [
        ("hal", 3, "owner", "ann", "bob"),
        ("hal", 3, "verifier", "vic", "wes"),
        ("cyn", 4, "owner", "bob", "cyn"),
    ]
    for n in range(ROLE_CHANGES_KEPT + 5):
        scene.do("hal", ReassignTask(ONE, f"m{n}"))
    assert len(the(scene).role_history) == ROLE_CHANGES_KEPT
    assert the(scene).role_history[-1].to == f"m{ROLE_CHANGES_KEPT + 4}"


def test_a_new_holder_holds_since_then():
    """Also by reassigning; the verifier's change leaves the holder's time alone."""
    scene = Scene(*STATES["held"])
    scene.do("hal", ReassignTask(ONE, verifier="wes"), at_ms=1_000)
    assert the(scene).held_since == START
    scene.do("hal", ReassignTask(ONE, "bob"), at_ms=2_000)
    scene.when("ann", ClaimTask(ONE), at_ms=5_000).then(TaskHeld, holder="bob", held_s=3)


def test_an_absent_verifier_can_be_replaced_while_work_waits():
    """The state and the evidence stay, and the new verifier rules (gap 67)."""
    scene = Scene(*STATES["submitted"], ("hal", ReassignTask(ONE, verifier="wes")))
    assert (the(scene).state, len(the(scene).evidence)) == ("submitted", 1)
    scene.when("vic", VerifyTask(ONE, "done")).then(NotTheVerifier, verifier="wes")
    scene.when("wes", VerifyTask(ONE, "done")).then(TaskVerified)


def test_a_halt_says_who_when_and_why():
    """Blocked and cancelled tasks say so, and no longer once they are back."""
    scene = Scene(*STATES["held"])
    scene.do("bob", BlockTask(ONE, "no access"), at_ms=5)
    halt = the(scene).blocked
    assert (halt.by, halt.at, halt.reason) == ("bob", START + 5, "no access")
    scene.do("ann", CancelTask(ONE, "not needed"), at_ms=9)
    halt = the(scene).cancellation
    assert (halt.by, halt.at, halt.reason, the(scene).blocked) == ("ann", START + 9, "not needed", None)
    scene.do("ann", ReopenTask(ONE, "blocked", "still no access"))
    assert (the(scene).cancellation, the(scene).blocked.reason) == (None, "still no access")
    scene.do("ann", MoveTask(ONE, "held"))
    assert the(scene).blocked is None
    scene.do("ann", MoveTask(ONE, "blocked", note="again"))
    assert (the(scene).blocked.reason, the(scene).blocked.by) == ("again", "ann")
    scene.when("bob", MoveTask(ONE, "blocked"), at_ms=20).then()


def test_where_a_reopened_task_goes():
    """Open by default, to its owner, or before its verifier again with what was submitted."""
    for to in ("open", "held", "submitted", "blocked"):
        scene = Scene(*STATES["rejected"], ("hal", ReopenTask(ONE, to)))
        task = the(scene)
        assert (task.state, task.owner, len(task.evidence)) == (to, "ann", 1)
        assert (task.verdict is None) == (to == "submitted")
    assert the(Scene(*STATES["cancelled"], ("hal", ReopenTask(ONE, "held")))).owner == "hal"


@pytest.mark.parametrize(
    ("state", "by", "field", "limit", "wish"),
    [
        ("held", "ann", "reason", 4_000, lambda text: BlockTask(ONE, text)),
        ("held", "ann", "reason", 4_000, lambda text: CancelTask(ONE, text)),
        ("rejected", "ann", "reason", 4_000, lambda text: ReopenTask(ONE, reason=text)),
        ("submitted", "vic", "note", 4_000, lambda text: VerifyTask(ONE, "rejected", text)),
        ("held", "ann", "dod", 16_000, lambda text: OpenTask("t", dod=text)),
    ],
)
def test_what_is_said_of_a_task_is_bounded(state, by, field, limit, wish):
    """Exactly at the limit is fine; one character more, or a NUL, is refused and named."""
    Scene(*STATES[state]).when(by, wish("x" * (limit + 1))).then(TooLong, field=field, limit=limit)
    Scene(*STATES[state]).when(by, wish("x\x00")).then(BadText, field=field)
    assert Scene(*STATES[state]).when(by, wish("x" * limit)).refusal is None
