"""Scenes in which everything that can happen happens once. `python -m tests.log.samples` prints new samples."""

from stateroom.core.attachments import StoreAttachment
from stateroom.core.context import ReviseContext, WithdrawContext, WriteContext
from stateroom.core.floor import Invite, SetMode, SkipSpeaker
from stateroom.core.halting import BlockTask, CancelTask, ReopenTask
from stateroom.core.handing import GrantHandoff, RenewTask, RequestHandoff
from stateroom.core.here import Command, Proof
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.ids import Instant, LogKey, Name, Position
from stateroom.core.kept_playbooks import RemovePlaybook, SavePlaybook
from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.lifecycle import EndRoom, OpenRoom, ReactivateRoom, SetPolicy
from stateroom.core.lobby import FileReport, RegisterProject, RegisterRoom
from stateroom.core.members import Leave
from stateroom.core.memory import Candidate, Source
from stateroom.core.messages import MarkRead, PostMessage, WithdrawMessage
from stateroom.core.playbooks import Playbook
from stateroom.core.policy import Policy
from stateroom.core.project import AttachRoom, CreateProject, ForgetFact, LearnRoom, Remember, RotateKey, SetBrief
from stateroom.core.proving import ReportCommit, SubmitTask, VerifyTask
from stateroom.core.reports import KeepReport
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.roles import RoleSlot
from stateroom.core.room import ApplyPlaybook, ApplyTemplate, Tick
from stateroom.core.seats import MuteMember, RemoveMember, TakeSeat
from stateroom.core.speech import Say
from stateroom.core.tasks import Draft, LinkTask, MoveTask, OpenTask, PrioritizeTask, RemoveTask
from stateroom.core.turns import ModeConfig, Timeouts
from stateroom.core.variables import SetVariable
from stateroom.log import codec
from stateroom.testing.scenes import Given, LobbyScene, ProjectScene, Scene

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
    ("ann", OpenTask("three", id="proof", owner="bob", verifier="ann", dod="green")),
    ("bob", ClaimTask("proof")),
    ("bob", BlockTask("proof", "no access")),
    ("ann", CancelTask("proof", "not now")),
    ("ann", ReopenTask("proof")),
    ("bob", SubmitTask("proof", "a.py", "def a(): ...", "1 failed", 1, note="flaky")),
    ("ann", VerifyTask("proof", "rejected", "mend it")),
    ("bob", SubmitTask("proof", "a.py", "def a(): ...", checks="1. green: ran it")),
    ("ann", ReassignTask("proof", verifier="cyn")),
    ("cyn", VerifyTask("proof", "done", "fine")),
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
"""Every wish of the shared state, and every fact that can follow."""

MINUTE = 60_000
BOARD: tuple[Given, ...] = (
    ("", OpenRoom("work", "QRS-TUV-567", "open")),
    ("ann", OpenTask("one", dod="green")),
    ("ann", OpenTask("two")),
    ("bob", ClaimTask("T-01", 900)),
    ("bob", RenewTask("T-01", 1, 600)),
    ("cyn", RequestHandoff("T-01")),
    ("bob", GrantHandoff("T-01")),
    ("", Tick(), 10 * MINUTE),
    ("", Tick(), 11 * MINUTE),
    ("bob", ClaimTask("T-01")),
    (
        "bob",
        SubmitTask("T-01", "a.py", "def a(): ...", checks="read it", commit="abcdef0", links=("https://x.example",)),
    ),
    ("ann", ReportCommit("T-01", "1234567")),
    ("ann", RequestReview("task", "T-02", "cyn")),
    ("", Tick(), 60 * MINUTE),
    ("", Tick(), 120 * MINUTE),
    ("", Tick((Name("ann"), Name("bob"))), 300 * MINUTE),
    ("ann", VerifyTask("T-01", "done", "fine")),
    (
        "bob",
        MoveTask("T-02", "done"),
    ),
)
"""The board with leases, and what happens to it in silence."""

RECIPE = Playbook(
    "two-of-us",
    "Two of us",
    "Two: {what}",
    "moderator",
    ModeConfig(moderator=Name("Lead")),
    (RoleSlot("Lead", "facilitator", "Keep it short."), RoleSlot("QA", "qa-reviewer")),
    (
        Draft("plan it", "first", 1, (), Name("Lead"), Name("QA"), "a plan"),
        Draft("check it", depends_on=(0,), owner=Name("QA")),
    ),
    "Who needs it?",
    "open",
    "ABC-DEF-GHJ",
)
PLAYED: tuple[Given, ...] = (
    ("", OpenRoom("play", "WXY-Z23-456", "open")),
    ("ann", ApplyPlaybook(RECIPE)),
    ("ann", TakeSeat("agent", "Lead")),
    ("bob", TakeSeat("agent", "QA Reviewer")),
)
"""A room that was started from a playbook, and who came for its roles."""

HOST, SEAT = Proof(host="b" * 64), Proof(seat="c" * 64)
NEVER = 60_000
"""How long an agent may speak in this talk: by the first minute's end the moderator has run out of time."""
MODERATED = ModeConfig(Name("ann"), Name("bob"), Timeouts(NEVER, None, 1_000, NEVER, 2_000), 20_000, True)

TALKED: tuple[tuple[str, Command, int, Proof], ...] = (
    ("", OpenRoom("talk", "KMN-PQR-234", "open", "A topic", "Host", "b" * 64, "key:open", Policy("keyed", 4)), 0, HOST),
    ("host", TakeSeat("human", "Facilitator", "#5B6AFF", "H"), 0, HOST),
    *((name, TakeSeat("agent", "", "", "", "c" * 64), 0, SEAT) for name in ("ann", "bob", "cyn")),
    ("ann", StoreAttachment("one", "a.txt", "text/plain", 3, "d" * 64), 0, SEAT),
    ("", SetMode("sequential"), 0, HOST),
    ("host", Say("@ann [TODO] @bob: look at password: hunter2"), 1_000, HOST),
    ("ann", Say("at it", "status"), 2_000, SEAT),
    ("ann", Say("done", reply_to=7, attachments=("one",)), 3_000, SEAT),
    ("", SetMode("sequential", ModeConfig(Name("ann"), grace_ms=20_000)), 4_000, HOST),
    ("host", Say("again"), 5_000, HOST),
    ("", Tick(), 25_000, HOST),
    ("", MuteMember("bob"), 26_000, HOST),
    ("", MuteMember("bob", False), 26_000, HOST),
    ("", SkipSpeaker(), 26_000, HOST),
    ("", SetMode("moderator", MODERATED), 27_000, HOST),
    ("host", Say("who knows?"), 28_000, HOST),
    ("bob", Say("@ann you"), 29_000, SEAT),
    ("ann", Say("I do"), 30_000, SEAT),
    ("ann", Say("and more"), 30_000, SEAT),
    ("", Invite("cyn"), 30_000, HOST),
    ("", Tick(), 100_000, HOST),
    ("bob", RemoveMember("bob"), 100_000, SEAT),
    ("", RemoveMember("cyn"), 100_000, HOST),
    ("", SetMode("moderator", MODERATED), 100_000, HOST),
    ("host", Say("anybody?"), 100_000, HOST),
    ("", SetMode("open"), 100_000, HOST),
    *(("ann", Say(text), 101_000, SEAT) for text in ("1", "2", "3", "4")),
    ("", SetPolicy("asserted", 7), 102_000, HOST),
    ("", SetMode("sequential"), 102_000, HOST),
    ("host", Say("to the end"), 102_000, HOST),
    ("", EndRoom(), 103_000, HOST),
    ("", KeepReport("report", "e" * 64, 3), 103_000, HOST),
    ("", ReactivateRoom(), 104_000, HOST),
    ("ann", ApplyTemplate("feature-build"), 105_000, SEAT),
)
"""Every wish of the conversation, when, and with which key: every fact that can follow from them."""


def full_scene() -> Scene:
    """A room in which all of it has happened."""
    return Scene(*WISHED)


def talk_scene() -> Scene:
    """A room in which everything has been said."""
    scene = Scene()
    for by, wish, at_ms, proof in TALKED:
        scene.do(by, wish, at_ms, proof=proof)
    return scene


def board_scene() -> Scene:
    """A room in which tasks were held, asked about, and proven."""
    return Scene(*BOARD)


def played_scene() -> Scene:
    """A room in which a playbook's roles were taken."""
    return Scene(*PLAYED)


def registered() -> LobbyScene:
    """A lobby."""
    return LobbyScene(
        ("", RegisterRoom("open", "demo", ("ABC-DEF-GHJ",))),
        ("", FileReport("report", "open/demo", "e" * 64)),
        ("", SavePlaybook(RECIPE)),
        ("", RemovePlaybook("open", "two-of-us")),
        ("", RegisterProject("prj_one", "open")),
    )


SOURCE = Source("KMN-PQR-234", 7, Instant(1_767_225_600_000))
PROJECTED: tuple[Given, ...] = (
    ("", CreateProject("prj_one", "open", "Shop", "f" * 64, "Keep it simple.")),
    ("", SetBrief("Keep it small.", "The shop")),
    ("", RotateKey("a" * 64)),
    ("", AttachRoom(LogKey("open/talk"), "KMN-PQR-234")),
    ("", LearnRoom(LogKey("open/talk"), Position(9), (Candidate("decisions", "use SQLite", SOURCE),))),
    ("ann", Remember("preferences", "no meetings")),
    ("ann", ForgetFact("M-02")),
)
"""A project that has learned from a room."""


def project_scene() -> ProjectScene:
    return ProjectScene(*PROJECTED)


def samples() -> dict[str, bytes]:
    """One stored body per kind of event."""
    scenes = (full_scene(), talk_scene(), board_scene(), registered(), played_scene(), project_scene())
    events = [entry.event for scene in scenes for entry in scene.log]
    return {type(event).__name__: codec.encode(event).body for event in reversed(events)}


if __name__ == "__main__":
    for body in samples().values():
        print(body.decode())
