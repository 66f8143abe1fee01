"""A scene in which everything happens once. `python -m tests.log.samples` prints fresh samples."""

from stateroom.core.context import ReviseContext, WithdrawContext, WriteContext
from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.lobby import RoomRegistered
from stateroom.core.members import Leave
from stateroom.core.messages import MarkRead, PostMessage, WithdrawMessage
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.room import ApplyTemplate, Tick
from stateroom.core.tasks import LinkTask, MoveTask, OpenTask, PrioritizeTask, RemoveTask
from stateroom.core.variables import SetVariable
from stateroom.log import codec
from stateroom.testing.scenes import Scene


def full_scene() -> Scene:
    scene = Scene(
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
        ("bob", MarkRead(2)),
        ("ann", WithdrawMessage(2)),
        ("ann", TakeLease("file", 30)),
        ("ann", TakeLease("file", 60)),
        ("ann", ReleaseLease("file")),
        ("ann", TakeLease("other", 1)),
        ("ann", SetVariable("k", "v")),
        ("bob", Leave()),
    )
    scene.when("", Tick(), after_s=2)
    return scene


def samples() -> dict[str, bytes]:
    """One stored body per kind of event."""
    events = [entry.event for entry in full_scene().log] + [RoomRegistered("open/demo", "open", "demo", "ABC-DEF-GHJ")]
    return {type(event).__name__: codec.encode(event).body for event in reversed(events)}


if __name__ == "__main__":
    for body in samples().values():
        print(body.decode())
