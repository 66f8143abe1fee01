"""Any sequence of wishes, with a clock that jumps, against a naive model a reviewer can check by eye."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from stateroom.core import state
from stateroom.core.context import ReviseContext, WithdrawContext, WriteContext
from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.members import Join, Leave
from stateroom.core.messages import MarkRead, PostMessage, WithdrawMessage
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.room import RULES, ApplyTemplate, Room, Tick, replay
from stateroom.core.state import Answered
from stateroom.core.tasks import LinkTask, MoveTask, OpenTask, PrioritizeTask, RemoveTask
from stateroom.core.variables import SetVariable
from stateroom.log import codec
from stateroom.testing.scenes import Scene
from tests.core.model import WINDOW, Model, No, key

NAMED = st.sampled_from(["ann", "Bob", "cyn ", "ANN", " bob"])
WHO = NAMED | st.just("")
TASK = st.integers(1, 6).map(lambda n: f"T-{n:02d}")
NOTE = st.integers(1, 3).map(lambda n: f"C-{n:02d}")
REVIEW = st.integers(1, 4).map(lambda n: f"R-{n:02d}")
STATE = st.sampled_from(["open", "held", "done", "blocked"])
THING = st.sampled_from(["x", "y"])
FEW = st.integers(0, 2)
POSITION = st.integers(0, 40)
PAYLOAD = st.fixed_dictionaries(
    {"text": st.sampled_from(["t", "u", ""])}, optional={"n": st.sampled_from([1, True, 1.5])}
)
WISHES = {
    OpenRoom: st.just(OpenRoom("demo", "ABC-DEF-GHJ", "red")),
    Join: st.just(Join()),
    Leave: st.just(Leave()),
    PostMessage: st.builds(PostMessage, st.just("hi"), NAMED, st.just({})),
    MarkRead: st.builds(MarkRead, POSITION),
    WithdrawMessage: st.builds(WithdrawMessage, POSITION),
    OpenTask: st.builds(
        OpenTask, st.just("t"), st.sampled_from(["", "d"]), st.lists(TASK, max_size=2).map(tuple), st.none() | FEW
    ),
    MoveTask: st.builds(
        MoveTask,
        TASK,
        STATE,
        owner=st.none() | WHO,
        note=st.none() | st.sampled_from(["", "d", "e"]),
        takeover=st.booleans(),
        expected_state=st.none() | STATE,
        expected_owner=st.none() | WHO,
    ),
    PrioritizeTask: st.builds(PrioritizeTask, TASK, FEW),
    LinkTask: st.builds(LinkTask, TASK, TASK),
    RemoveTask: st.builds(RemoveTask, TASK),
    ApplyTemplate: st.builds(ApplyTemplate, st.sampled_from(["blank", "incident", "nope"]), st.booleans()),
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
    ResolveReview: st.builds(ResolveReview, REVIEW, st.sampled_from(["approved", "rejected"])),
    Tick: st.just(Tick()),
}


def test_the_machine_knows_every_wish():
    """A new command is a new line here and a new rule in the model."""
    assert set(WISHES) == set(RULES)


class RoomMachine(RuleBasedStateMachine):
    """The real room beside the naive one: whatever is wished, both say the same, and both end up the same."""

    def __init__(self):
        super().__init__()
        self.window, state.REQUEST_WINDOW = state.REQUEST_WINDOW, WINDOW
        self.scene, self.model, self.tokens = Scene(), Model(), {}

    def teardown(self):
        state.REQUEST_WINDOW = self.window

    @property
    def room(self):
        return self.scene.room

    @rule(by=WHO, wish=st.one_of(*WISHES.values()), asked=st.booleans())
    def wish(self, by, wish, asked):
        request = f"{key(by)}/{len(self.scene.log)}" if asked else ""
        answer = self.scene.when(by, wish, cause=f"{request}#f" if asked else "")
        said = type(answer.refusal).__name__ if answer.refusal else [type(event).__name__ for event in answer.events]
        assert said == self.expected(by, wish, request)

    def expected(self, by, wish, request):
        """The name of a refusal, or the kinds of facts."""
        try:
            return self.model.ask(by, wish, self.scene.now, request)
        except No as no:
            return no.args[0]

    @rule(by=NAMED, wish=st.one_of(*(WISHES[kind] for kind in (OpenTask, MoveTask, WriteContext, TakeLease))))
    def work(self, by, wish):
        """What makes rooms interesting, a little more often."""
        self.wish(by, wish, False)

    @rule(ms=st.sampled_from([0, 1, 999, 1_000, 29_999, 30_000, 300_000, 86_400_000]))
    def time_passes(self, ms):
        self.scene.now = self.scene.now + ms

    @rule()
    def the_server_restarts(self):
        """From a snapshot: whatever comes then is decided on what was read back."""
        self.scene.state = codec.decode_state(codec.encode_state(self.room), Room)

    @invariant()
    def replaying_the_log_gives_the_same_room(self):
        assert codec.encode_state(replay(self.scene.log)) == codec.encode_state(self.room)

    @invariant()
    def a_snapshot_comes_back_the_same(self):
        snapshot = codec.encode_state(self.room)
        assert codec.decode_state(snapshot, Room) == self.room
        assert codec.encode_state(codec.decode_state(snapshot, Room)) == snapshot

    @invariant()
    def the_board_is_the_models(self):
        tasks = {
            id: (task.state, key(task.owner), task.description, list(task.depends_on), task.priority)
            for id, task in self.room.board.tasks.items()
        }
        assert list(tasks.items()) == [
            (id, (task.state, task.owner, task.description, task.waits_for, task.priority))
            for id, task in self.model.tasks.items()
        ]
        assert not any(id in self.model.waits(id) for id in self.model.tasks), "something waits for itself"

    @invariant()
    def documents_and_reviews_are_the_models(self):
        entries = self.room.context.entries.items()
        assert [(id, e.version, e.summary, repr(e.payload), e.consumers) for id, e in entries] == [
            (id, f"1.{doc['minor']}", doc["summary"], repr(doc["payload"]), doc["consumers"])
            for id, doc in self.model.documents.items()
        ]
        reviews = self.room.reviews.reviews.items()
        assert [(id, {"reviewer": key(r.reviewer), "status": r.status}) for id, r in reviews] == list(
            self.model.reviews.items()
        )

    @invariant()
    def leases_are_the_models_and_tokens_only_grow(self):
        held = {r: (key(lease.holder), lease.until, lease.token) for r, lease in self.room.leases.held.items()}
        assert held == self.model.leases
        for resource, (_, _, token) in held.items():
            assert token >= self.tokens.get(resource, 0)
            self.tokens[resource] = token
        assert self.room.next_due() == min((until for _, until, _ in held.values()), default=None)

    @invariant()
    def members_variables_and_requests_are_the_models(self):
        assert [key(name) for name in self.room.members.names()] == list(self.model.members)
        assert self.room.variables.values == self.model.variables
        assert list(self.room.requests.items()) == [
            (name, Answered("f", first, last)) for name, first, last in self.model.requests
        ]

    @invariant()
    def what_was_told_is_what_a_recount_says(self):
        messages = self.room.messages
        assert messages.told == sum(map(messages.visible, self.scene.log)) == sum(self.model.told.values())
        assert sum(messages.told_by_day.values()) == sum(entry.event.told for entry in self.scene.log)
        assert all(messages.has(position) == self.model.told.get(position, False) for position in range(45))
        assert {p: set(readers) for p, readers in messages.receipts.items()} == {
            position: readers for position, readers in self.model.read.items() if readers
        }


TestRoom = RoomMachine.TestCase
TestRoom.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)
