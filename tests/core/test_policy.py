"""How a room is run: what its host may set, within which bounds, and that a part left out stays as it is."""

from dataclasses import fields

import pytest

from stateroom.core.lifecycle import OpenRoom, PolicySet, SetPolicy
from stateroom.core.policy import USUAL, Policy, check_policy
from stateroom.core.proving import TaskSubmitted, TaskVerified, VerifyTask
from stateroom.core.refusals import BadPolicy, NotHost, TaskNeedsProof
from stateroom.core.tasks import MoveTask, OpenTask, TaskDescribed, TaskFinished
from stateroom.testing.scenes import TEAM, Scene
from tests.core.proven import GOOD, ONE, follows
from tests.core.talking import HOST, HOST_KEY

OTHERWISE = {"identity": "keyed", "exchange_limit": 5, "proof": "always", "review_seconds": 60, "recovery": "off"}


def room(policy=USUAL):
    return Scene(("", OpenRoom("work", "ABC-DEF-GHJ", "", "", "host", HOST_KEY, policy=policy)))


@pytest.mark.parametrize(
    ("part", "value", "right"),
    [
        *(("identity", value, True) for value in ("", "asserted", "keyed")),
        *(("identity", value, False) for value in ("trusting", "Keyed", " ")),
        *(("exchange_limit", value, True) for value in (0, 1, 10_000)),
        *(("exchange_limit", value, False) for value in (-1, 10_001)),
        *(("proof", value, True) for value in ("asked", "always")),
        *(("proof", value, False) for value in ("", "never")),
        *(("review_seconds", value, True) for value in (0, 30, 2_592_000)),
        *(("review_seconds", value, False) for value in (-1, 1, 29, 2_592_001)),
        *(("recovery", value, True) for value in ("calls", "off")),
        *(("recovery", value, False) for value in ("", "all")),
    ],
)
def test_each_part_has_its_bounds(part, value, right):
    """Whether it is set, or a room is opened with it; the refusal names the part."""
    policy = Policy(**{part: value})
    if right:
        check_policy(policy)
        assert room(policy).room.lifecycle.policy == policy
        return
    for answer in (
        Scene().when("", OpenRoom("work", "ABC-DEF-GHJ", "", policy=policy)),
        room().when("", SetPolicy(**{part: value}), proof=HOST),
    ):
        answer.then(BadPolicy)
        assert part in answer["reason"]


@pytest.mark.parametrize("part", OTHERWISE)
def test_what_is_not_named_stays(part):
    """Each part is set alone, and setting it again is nothing."""
    scene = room()
    scene.when("", SetPolicy(**{part: OTHERWISE[part]}), proof=HOST).then(PolicySet(Policy(**{part: OTHERWISE[part]})))
    scene.when("", SetPolicy(**{part: OTHERWISE[part]}), proof=HOST).then()
    others = {name: value for name, value in OTHERWISE.items() if name != part}
    scene.do("", SetPolicy(**others), proof=HOST)
    assert scene.room.lifecycle.policy == Policy(**OTHERWISE)


def test_every_part_can_be_set():
    """A new part of the policy is a new wish of the host."""
    assert {one.name for one in fields(Policy)} == {one.name for one in fields(SetPolicy)} == set(OTHERWISE)


def test_only_the_host_sets_it():
    """Not the team's other people."""
    room().when("ann", SetPolicy(proof="always"), proof=TEAM).then(NotHost)


@pytest.mark.parametrize("when", ["at first", "later"])
def test_proof_can_be_asked_of_every_task(when):
    """Then a plain one too is done by another's verdict only; what was done before stays so."""
    scene = room(Policy(proof="always")) if when == "at first" else room()
    scene.do("ann", OpenTask("t"))
    if when == "later":
        scene.do("", SetPolicy(proof="always"), proof=HOST)
    follows(scene, "ann", MoveTask(ONE, "done"), TaskNeedsProof)
    follows(scene, "bob", MoveTask(ONE, "done", takeover=True), TaskNeedsProof)
    follows(scene, "ann", GOOD, TaskSubmitted)
    follows(scene, "vic", VerifyTask(ONE, "done"), TaskVerified)


def test_where_proof_is_asked_for_only_plain_tasks_are_free():
    """As a room usually is; and again after the policy was changed back."""
    scene = room(Policy(proof="always"))
    scene.do("ann", OpenTask("t"))
    scene.do("", SetPolicy(proof="asked"), proof=HOST)
    follows(scene, "ann", MoveTask(ONE, "done"), TaskFinished)
    scene.do("", SetPolicy(proof="always"), proof=HOST)
    follows(scene, "ann", MoveTask(ONE, "done", note="still"), TaskDescribed)
