"""A task with a verifier in each of its states, and how it comes there."""

from stateroom.core.halting import BlockTask, CancelTask
from stateroom.core.holding import ClaimTask
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.tasks import OpenTask

ONE = "T-01"
OPENED = ("ann", OpenTask("fix it", verifier="vic", dod="tests are green"))
CLAIMED = ("ann", ClaimTask(ONE))
LEASED = ("ann", ClaimTask(ONE, 900))
"""Under token 1."""
GOOD = SubmitTask(ONE, "a.py", "def a(): ...", "1 passed", 0)
SUBMITTED = ("ann", GOOD)
STATES = {
    "open": [OPENED],
    "held": [OPENED, CLAIMED],
    "submitted": [OPENED, CLAIMED, SUBMITTED],
    "rejected": [OPENED, CLAIMED, SUBMITTED, ("vic", VerifyTask(ONE, "rejected", "not yet"))],
    "done": [OPENED, CLAIMED, SUBMITTED, ("vic", VerifyTask(ONE, "done"))],
    "cancelled": [OPENED, ("ann", CancelTask(ONE))],
    "blocked": [OPENED, CLAIMED, ("ann", BlockTask(ONE, "no access"))],
}
"""How a task with an owner (but for `open` and `cancelled`) and a verifier comes to each state."""

OVER_MS = 930_000
"""When a lease of 900 seconds from the start, that nobody renews, is over: 30 s of grace included."""


def follows(scene, by, wish, expected):
    """What follows from a wish: one fact of this kind, none for `()`, or this refusal."""
    return scene.when(by, wish).then(*(expected if isinstance(expected, tuple) else (expected,)))


def the(scene, id=ONE):
    return scene.room.board.find(id)
