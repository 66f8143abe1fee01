"""What may be wished in a room, drawn at random: few names and few values, so that they meet."""

from hypothesis import strategies as st

from stateroom.core.attachments import StoreAttachment
from stateroom.core.context import ReviseContext, WithdrawContext, WriteContext
from stateroom.core.floor import Invite, SetMode, SkipSpeaker
from stateroom.core.halting import BlockTask, CancelTask, ReopenTask
from stateroom.core.handing import GrantHandoff, ReleaseTask, RenewTask, RequestHandoff
from stateroom.core.here import Proof
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.ids import Name
from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.lifecycle import EndRoom, OpenRoom, ReactivateRoom, SetPolicy
from stateroom.core.members import Join, Leave
from stateroom.core.messages import MarkRead, PostMessage, WithdrawMessage
from stateroom.core.picking import NextTask
from stateroom.core.playbooks import Playbook
from stateroom.core.policy import Policy
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
from stateroom.testing.scenes import GUEST, VIA
from tests.core.model_of_talk import LARGEST, TEXTS

NAMED = st.sampled_from(["ann", "Bob", "cyn ", "ANN", " bob"])
SPEAKERS = NAMED | st.sampled_from(["ann (2)", "a-nn"])
"""Also under a name the room may have given, and one that looks like another."""
WHO = NAMED | st.just("")
TASK = st.integers(1, 6).map(lambda n: f"T-{n:02d}")
NOTE = st.integers(1, 3).map(lambda n: f"C-{n:02d}")
REVIEW = st.integers(1, 4).map(lambda n: f"R-{n:02d}") | st.integers(1, 3).map(lambda n: f"R-T-0{n}.1")
LEASE = st.sampled_from([0, 0, 60, 900, 86_401])
TOKEN = st.none() | st.integers(1, 4)
COMMIT = st.sampled_from(["", "abcdef0", "ABCDEF01", "1234567", "no"])
PLANNED = st.sampled_from(["open", "held", "done", "blocked"])
STATE = st.sampled_from(["open", "held", "submitted", "done", "blocked", "rejected", "cancelled"])
THING = st.sampled_from(["x", "y"])
FEW = st.integers(0, 2)
POSITION = st.integers(0, 40)
PAYLOAD = st.fixed_dictionaries(
    {"text": st.sampled_from(["t", "u", ""])}, optional={"n": st.sampled_from([1, True, 1.5])}
)
TEAM, HOSTING = Proof(vouched=True), Proof(host="h", vouched=True)
HOST, KEYS = Proof(host="h"), [Proof(seat="k"), Proof(seat="l")]
SHOWN = st.sampled_from([TEAM, GUEST, HOST, *KEYS, Proof(vouched=True, bound=True), Proof("h", "k"), Proof("x", "x")])
"""What may be shown: a credential of the team, nothing, the host's key, the key of a seat, a key of nothing."""
OPENINGS = st.sampled_from(
    [
        OpenRoom("demo", "ABC-DEF-GHJ", "red"),
        OpenRoom("demo", "ABC-DEF-GHJ", "", "a talk", " Ann ", "h", policy=Policy(exchange_limit=2)),
        OpenRoom("demo", "ABC-DEF-GHJ", "red", "a talk", "dan", "h", VIA, Policy("keyed", 3)),
    ]
)
SEATS = st.builds(
    TakeSeat,
    st.sampled_from(["agent", "agent", "human"]),
    st.sampled_from(["", "builder"]),
    st.sampled_from(["", "red", "#5B6AFF"]).map(lambda color: color or "#EC4899"),
    st.sampled_from(["", "XY"]),
    st.sampled_from(["", "k", "l"]),
    st.booleans(),
)
SAYINGS = st.builds(
    Say,
    st.sampled_from(sorted(TEXTS)),
    st.sampled_from(["message", "message", "status"]),
    POSITION,
    st.lists(st.sampled_from(["f1", "f2"]), max_size=1).map(tuple),
)
MODES = [
    SetMode("open", ModeConfig(lead="eve")),
    SetMode("open", ModeConfig()),
    SetMode("open", ModeConfig(timeouts=Timeouts(lead=0))),
    SetMode("moderator", ModeConfig(lead="eve")),
    SetMode("deliver"),
]
"""None that leaves open mode: how turns go is for the machine of the floor."""
FILES = st.builds(
    StoreAttachment,
    st.sampled_from(["f1", "f2"]),
    st.just("notes.txt"),
    st.sampled_from(["text/plain", "image/png", "text/x-odd"]),
    st.sampled_from([1, LARGEST, 0, LARGEST + 1]),
    st.just("d"),
)
PLAYBOOKS = [
    Playbook(
        "crew",
        "Crew",
        roles=(RoleSlot("builder"), RoleSlot("eve", "builder"), RoleSlot("bob")),
        tasks=(
            Draft("t", "d", 1, (), Name("builder"), Name("bob"), "green"),
            Draft("t", depends_on=(0,), verifier=Name("builder")),
            Draft("t", owner=Name("ann"), verifier=Name("eve")),
        ),
    ),
    Playbook("lone", "Lone", roles=(RoleSlot("cyn", "builder"), RoleSlot("Builder", "x")), tasks=(Draft("t"),)),
]
WISHES = {
    OpenRoom: OPENINGS,
    EndRoom: st.just(EndRoom()),
    ReactivateRoom: st.just(ReactivateRoom()),
    SetPolicy: st.builds(
        SetPolicy,
        st.none() | st.sampled_from(["", "asserted", "keyed", "odd"]),
        st.none() | st.sampled_from([0, 1, 2, 3, -1]),
        st.none() | st.sampled_from(["asked", "always"]),
        st.none() | st.sampled_from([0, 60, 1_800, 29]),
    ),
    SetMode: st.sampled_from(MODES),
    Invite: st.builds(Invite, SPEAKERS, st.sampled_from(["host", "moderator"])),
    SkipSpeaker: st.just(SkipSpeaker()),
    TakeSeat: SEATS,
    RemoveMember: st.builds(RemoveMember, SPEAKERS | st.just("")),
    MuteMember: st.builds(MuteMember, SPEAKERS, st.booleans()),
    Say: SAYINGS,
    StoreAttachment: FILES,
    KeepReport: st.builds(KeepReport, st.sampled_from(["r1", "r2"]), st.just("d"), POSITION),
    Join: st.just(Join()),
    Leave: st.just(Leave()),
    PostMessage: st.builds(PostMessage, st.just("hi"), NAMED, st.just({})),
    MarkRead: st.builds(MarkRead, POSITION),
    WithdrawMessage: st.builds(WithdrawMessage, POSITION),
    OpenTask: st.builds(
        OpenTask,
        st.just("t"),
        st.sampled_from(["", "d"]),
        st.lists(TASK, max_size=2).map(tuple),
        st.none() | FEW,
        id=st.just("") | TASK,
        owner=st.none() | NAMED,
        verifier=st.none() | NAMED,
        dod=st.none() | st.just("green"),
    ),
    ClaimTask: st.builds(ClaimTask, TASK, LEASE),
    RenewTask: st.builds(RenewTask, TASK, TOKEN, LEASE),
    ReleaseTask: st.builds(ReleaseTask, TASK, TOKEN),
    RequestHandoff: st.builds(RequestHandoff, TASK),
    GrantHandoff: st.builds(GrantHandoff, TASK, st.just("") | NAMED, TOKEN),
    NextTask: st.builds(NextTask, LEASE),
    SubmitTask: st.builds(
        SubmitTask,
        TASK,
        st.sampled_from(["", "a.py", "b.py"]),
        st.just("…"),
        checks=st.just("read it"),
        commit=COMMIT,
        token=TOKEN,
    ),
    ReportCommit: st.builds(ReportCommit, TASK, COMMIT),
    VerifyTask: st.builds(VerifyTask, TASK, st.sampled_from(["done", "rejected"]), st.sampled_from(["", "fine"])),
    ReassignTask: st.builds(ReassignTask, TASK, st.none() | NAMED, st.none() | NAMED),
    CancelTask: st.builds(CancelTask, TASK),
    ReopenTask: st.builds(
        ReopenTask, TASK, st.sampled_from(["open", "held", "submitted", "blocked"]), THING | st.just("")
    ),
    BlockTask: st.builds(BlockTask, TASK, THING | st.just("")),
    MoveTask: st.builds(
        MoveTask,
        TASK,
        PLANNED,
        owner=st.none() | WHO,
        note=st.none() | st.sampled_from(["", "d", "e"]),
        takeover=st.booleans(),
        expected_state=st.none() | STATE,
        expected_owner=st.none() | WHO,
        token=TOKEN,
    ),
    PrioritizeTask: st.builds(PrioritizeTask, TASK, FEW),
    LinkTask: st.builds(LinkTask, TASK, TASK),
    RemoveTask: st.builds(RemoveTask, TASK),
    ApplyTemplate: st.builds(ApplyTemplate, st.sampled_from(["blank", "incident", "nope"]), st.booleans()),
    ApplyPlaybook: st.builds(ApplyPlaybook, st.sampled_from(PLAYBOOKS), st.booleans()),
    WriteContext: st.builds(
        WriteContext, st.just("note"), st.sampled_from(["s", "t"]), PAYLOAD, st.lists(NAMED, max_size=2).map(tuple)
    ),
    ReviseContext: st.builds(
        ReviseContext,
        NOTE,
        summary=st.none() | st.sampled_from(["s", "t"]),
        payload=st.none() | PAYLOAD,
        consumers=st.none() | st.lists(NAMED, max_size=1).map(tuple),
        expected_version=st.none() | FEW.map(lambda n: f"1.{n}"),
    ),
    WithdrawContext: st.builds(WithdrawContext, NOTE),
    TakeLease: st.builds(TakeLease, THING, st.sampled_from([1, 30, 300, 0, 301])),
    ReleaseLease: st.builds(ReleaseLease, THING, st.none() | POSITION),
    SetVariable: st.builds(SetVariable, THING, st.sampled_from(["1", "true", ""])),
    RequestReview: st.builds(RequestReview, st.just("task"), TASK, NAMED)
    | st.builds(RequestReview, st.just("context"), NOTE, NAMED),
    ResolveReview: st.builds(
        ResolveReview, REVIEW, st.sampled_from(["approved", "rejected"]), st.none() | st.just("ok")
    ),
    Tick: st.builds(Tick, st.lists(NAMED, max_size=3, unique=True).map(tuple)),
}

WORK = (
    *(OpenTask, MoveTask, WriteContext, TakeLease, ClaimTask, SubmitTask, VerifyTask, ReassignTask, ReopenTask),
    *(NextTask, RenewTask, GrantHandoff, RequestHandoff, ReportCommit, RequestReview, ResolveReview),
)
TALK = (TakeSeat, Say, Say, Leave, PostMessage, StoreAttachment)
HOSTED = (MuteMember, MuteMember, RemoveMember, SetPolicy, SetMode, Invite, SkipSpeaker, ReactivateRoom, EndRoom)
