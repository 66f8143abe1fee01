"""Scenes in which everything that can happen happens once. `python -m tests.log.samples` prints new samples."""

from stateroom.core.context import ReviseContext, WithdrawContext, WriteContext
from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.lobby import RegisterRoom
from stateroom.core.members import Leave
from stateroom.core.messages import MarkRead, PostMessage, WithdrawMessage
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.room import ApplyTemplate, Tick
from stateroom.core.tasks import LinkTask, MoveTask, OpenTask, PrioritizeTask, RemoveTask
from stateroom.core.variables import SetVariable
from stateroom.log import codec
from stateroom.testing.scenes import Given, LobbyScene, Scene

WISHED: tuple[Given, ...] = (
    ("", OpenRoom("demo", "ABC-DEF-GHJ", "open")),
    ("ann", ApplyTemplate("incident")),
    ("ann", OpenTask("one", "first", priority=2)),
    ("ann", OpenTask("two", depends_on=("T-04",))),
    ("bob", MoveTask("T-04", "held", owner="bob")),
    ("bob", MoveTask("T-04", "blocked", note="waiting")),
    ("bob", MoveTask("T-04", "open", owner="cyn")),
    ("bob", MoveTask("T-04", "open", owner="bob")),
    ("bob", MoveTask("T-04", "open", note="again")),
    ("bob", MoveTask("T-04", "done")),
    ("ann", PrioritizeTask("T-05", 1)),
    ("ann", LinkTask("T-05", "T-01")),
    ("ann", RemoveTask("T-02")),
    ("ann", WriteContext("note", "s", {"text": "t"}, ("bob",))),
    ("bob", ReviseContext("C-01", summary="s2")),
    ("ann", RequestReview("context", "C-01", "bob", "please")),
    ("bob", ResolveReview("R-01", "approved", "fine")),
    ("ann", RequestReview("task", "T-01", "bob")),
    ("bob", ResolveReview("R-02", "rejected")),
    ("ann", WithdrawContext("C-01")),
    ("ann", PostMessage("hi", "all", {"n": 1}, "E-2")),
    ("bob", MarkRead(8)),
    ("ann", WithdrawMessage(8)),
    ("ann", TakeLease("file", 30)),
    ("ann", TakeLease("file", 60)),
    ("ann", ReleaseLease("file")),
    ("ann", TakeLease("other", 1)),
    ("ann", SetVariable("k", "v")),
    ("bob", Leave()),
    ("", Tick(), 2_000),
)
"""Every wish there is, and every fact that can follow."""


def full_scene() -> Scene:
    """A room in which all of it has happened."""
    return Scene(*WISHED)


def registered() -> LobbyScene:
    """A lobby."""
    return LobbyScene(("", RegisterRoom("open", "demo", ("ABC-DEF-GHJ",))))


def samples() -> dict[str, bytes]:
    """One stored body per kind of event."""
    events = [entry.event for scene in (full_scene(), registered()) for entry in scene.log]
    return {type(event).__name__: codec.encode(event).body for event in reversed(events)}


if __name__ == "__main__":
    for body in samples().values():
        print(body.decode())
