"""What waits for one member: the verdicts it owes first, then its own work (agent-room §6.10, gap 68)."""

import pytest

from stateroom.core.halting import BlockTask, CancelTask
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.messages import PostMessage
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.core.views.duties import duties
from stateroom.testing.scenes import Scene


def opens(id, owner="ann", verifier="vic"):
    return ("host", OpenTask(id, id=id, owner=owner, verifier=verifier))


def submits(id, by="ann"):
    return (by, SubmitTask(id, "a.py", "…", checks="read it"))


def named(scene, name):
    """The ids of a member's duties, by kind."""
    found = duties(scene.room, name)
    return {
        "to_verify": [task.id for task in found.to_verify],
        "to_review": [review.id for review in found.to_review],
        "current": [task.id for task in found.current],
        "queued": [task.id for task in found.queued],
    }


def only(**kinds):
    return {"to_verify": [], "to_review": [], "current": [], "queued": [], **kinds}


@pytest.mark.parametrize(
    ("given", "name", "expected"),
    [
        ([opens("a")], "ann", only(queued=["a"])),
        ([opens("a")], " ANN", only(queued=["a"])),
        ([opens("a")], "vic", only()),
        ([opens("a")], "host", only()),
        ([opens("a"), ("ann", ClaimTask("a", 900))], "ann", only(current=["a"])),
        ([opens("a"), ("ann", BlockTask("a", "no access"))], "ann", only(current=["a"])),
        ([opens("a"), submits("a")], "vic", only(to_verify=["a"])),
        ([opens("a"), submits("a")], "ann", only()),
        ([opens("a"), submits("a"), ("host", ReassignTask("a", verifier="wes"))], "vic", only()),
        ([opens("a"), submits("a"), ("host", ReassignTask("a", verifier="wes"))], "wes", only(to_verify=["a"])),
        ([opens("a", verifier=None), submits("a")], "vic", only()),
        ([opens("a"), submits("a"), ("vic", VerifyTask("a", "rejected"))], "ann", only(current=["a"])),
        ([opens("a"), submits("a"), ("vic", VerifyTask("a", "rejected"))], "vic", only()),
        ([opens("a"), submits("a"), ("vic", VerifyTask("a", "done"))], "ann", only()),
        ([opens("a"), ("host", CancelTask("a"))], "ann", only()),
        ([("ann", OpenTask("t")), ("ann", MoveTask("T-01", "done"))], "ann", only()),
        ([opens("a"), ("host", RequestReview("task", "a", "Wes"))], "wes", only(to_review=["R-01"])),
        ([opens("a"), ("host", RequestReview("task", "a", "wes"))], "host", only()),
        (
            [opens("a"), ("host", RequestReview("task", "a", "wes")), ("wes", ResolveReview("R-01", "rejected"))],
            "wes",
            only(),
        ),
    ],
)
def test_what_waits_for_whom(given, name, expected):
    """Each thing is at one place, for one member."""
    scene = Scene(*given)
    assert named(scene, name) == expected
    assert bool(duties(scene.room, name)) == (expected != only())


def test_the_order_is_that_of_what_matters():
    """Verdicts by how long they wait; of begun work first what was rejected, then what is held, then the rest."""
    scene = Scene(
        *[opens(id) for id in ("held", "stuck", "mend", "later", "sooner")],
        *[opens(id, "bob", "ann") for id in ("late", "early")],
        ("ann", ClaimTask("held")),
        ("ann", BlockTask("stuck", "no access")),
        submits("mend"),
        ("vic", VerifyTask("mend", "rejected")),
        (*submits("early", "bob"), 5),
        (*submits("late", "bob"), 9),
    )
    assert named(scene, "ann") == only(
        to_verify=["early", "late"], current=["mend", "held", "stuck"], queued=["later", "sooner"]
    )


def test_nothing_is_forgotten_over_hundreds_of_events():
    """Who comes back late is told what it owes, however much was said meanwhile (gap 68)."""
    scene = Scene(opens("a"), submits("a"), *[("bob", PostMessage(f"{n}", "all", {})) for n in range(300)])
    assert named(scene, "vic") == only(to_verify=["a"])


def test_what_was_asked_besides_a_submission_is_another_duty():
    """The same task may be to verify and to review, each in its place."""
    scene = Scene(opens("a"), submits("a"), ("host", RequestReview("task", "a", "vic")))
    assert named(scene, "vic") == only(to_verify=["a"], to_review=["R-01"])


def test_a_stranger_has_no_duties():
    """And asking for them changes nothing."""
    assert not duties(Scene(opens("a")).room, "nobody")
