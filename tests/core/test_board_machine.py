"""The board, its leases and its reviews under a clock that jumps: what must be true of them whatever anybody wishes.

Few tasks and few names, so that everything meets. The naive board beside it is that of the machine of the whole room;
what is asserted here besides is said without any model.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from stateroom.core.board import BoardCompleted
from stateroom.core.halting import BlockTask, CancelTask, ReopenTask
from stateroom.core.handing import GrantHandoff, ReleaseTask, RenewTask, RequestHandoff
from stateroom.core.holding import ClaimTask, ReassignTask
from stateroom.core.lifecycle import EndRoom, OpenRoom, ReactivateRoom, SetPolicy
from stateroom.core.members import Join, Leave, fold
from stateroom.core.messages import PostMessage
from stateroom.core.picking import NextTask
from stateroom.core.proving import ReportCommit, SubmitTask, TaskSubmitted, VerifyTask
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.room import Room, Tick, replay
from stateroom.core.silence import ClaimStalled, TaskLapsed
from stateroom.core.tasks import (
    LinkTask,
    MoveTask,
    OpenTask,
    PrioritizeTask,
    RemoveTask,
    TaskClaimed,
    TaskFact,
    TaskOpened,
    TaskRemoved,
)
from stateroom.log import codec
from stateroom.testing.scenes import TEAM, Scene
from tests.core.model import Model
from tests.core.model_of_talk import No, key
from tests.core.wishes import HOSTING, WISHES

NAMES = st.sampled_from(["ann", "Bob", "cyn ", "ANN"])
TASKS = st.sampled_from(["T-01", "T-02", "T-03"])
JUMPS = st.sampled_from([1, 29_999, 30_000, 60_000, 89_999, 90_000, 599_999, 600_000, 930_000, 1_800_000])
VERDICTS = st.sampled_from(["done", "rejected"])
POLICIES = st.builds(
    SetPolicy, proof=st.sampled_from(["asked", "always"]), review_seconds=st.sampled_from([0, 30, 1_800])
)
ON_THE_BOARD = (
    *(OpenTask, MoveTask, ClaimTask, NextTask, RenewTask, ReleaseTask, RequestHandoff, GrantHandoff, ReassignTask),
    *(SubmitTask, ReportCommit, VerifyTask, BlockTask, CancelTask, ReopenTask, LinkTask, PrioritizeTask),
    *(RequestReview, ResolveReview, PostMessage),
)


class BoardMachine(RuleBasedStateMachine):
    """Everybody is of the team, so that no key is in the way; a wish gets what the naive board says it gets."""

    def __init__(self):
        super().__init__()
        self.scene, self.model = Scene(), Model()
        self.opened, self.removed, self.submitted = set(), set(), set()
        self.granted = []
        """Every grant so far: token, task, holder."""
        self.asked = {}
        """The last sign of life of each task's holder, when it was asked about its silence."""

    @property
    def room(self):
        return self.scene.room

    @property
    def board(self):
        return self.scene.room.board

    @initialize()
    def begin_with_a_host(self):
        """So that there is somebody who can change how the room is run."""
        self.wish("", OpenRoom("demo", "ABC-DEF-GHJ", "", "", "hal", "h"), HOSTING)

    def wish(self, by, wish, shown=TEAM):
        """Let it happen, with the naive board beside it. Returns the facts, or None for a refusal."""
        before = codec.encode_state(self.room)
        answer = self.scene.when(by, wish, proof=shown)
        said = type(answer.refusal).__name__ if answer.refusal else [type(event).__name__ for event in answer.events]
        assert said == self.expected(by, wish, shown)
        if answer.refusal:
            assert codec.encode_state(self.room) == before, "a refusal changes nothing"
            return None
        self.note(answer.events)
        return answer.events

    def expected(self, by, wish, shown):
        try:
            return self.model.ask(by, wish, self.scene.now, "", shown)
        except No as no:
            return no.args[0]

    def note(self, events):
        for event in events:
            if not isinstance(event, TaskFact):
                continue
            task = event.task
            if isinstance(event, TaskOpened):
                self.opened.add(task.id)
            if isinstance(event, TaskRemoved):
                self.removed.add(task.id)
            if isinstance(event, TaskSubmitted):
                self.submitted.add(task.id)
            if task.leased and task.lease.token > max((token for token, _, _ in self.granted), default=0):
                self.granted.append((task.lease.token, task.id, fold(task.owner)))

    # -- what is wished

    @rule(by=NAMES, wish=st.one_of(*(WISHES[kind] for kind in ON_THE_BOARD)))
    def work(self, by, wish):
        self.wish(by, wish)

    @rule(by=NAMES, id=TASKS, wish=st.sampled_from([Leave, RemoveTask, Join]))
    def go(self, by, id, wish):
        """Somebody leaves or comes, or a task goes."""
        self.wish(by, wish(id) if wish is RemoveTask else wish())

    @rule(wish=st.just(EndRoom()) | POLICIES | POLICIES)
    def host(self, wish):
        """The room ends, or is run otherwise."""
        self.wish("", wish, HOSTING)

    @precondition(lambda self: self.room.lifecycle.ended_at is not None)
    @rule()
    def go_on(self):
        """An ended room is opened again."""
        self.wish("", ReactivateRoom(), HOSTING)

    @rule(id=TASKS, by=NAMES, lease_s=st.sampled_from([0, 60, 900]))
    def begin(self, id, by, lease_s):
        """A task is there, and somebody takes it."""
        if id not in self.board.tasks:
            self.wish(by, OpenTask("t", id=id))
        self.wish(by, ClaimTask(id, lease_s))

    @rule(id=TASKS, by=NAMES, verdict=VERDICTS, note=st.sampled_from(["", "fine"]))
    def prove(self, id, by, verdict, note):
        """Whoever holds it submits it, and somebody rules on it; often on its own work."""
        task = self.board.tasks.get(id)
        if task is not None and task.owner:
            token = task.lease.token if task.lease else None
            self.wish(task.owner, SubmitTask(id, "a.py", "…", checks="read it", token=token))
        self.wish(by, VerifyTask(id, verdict, note))

    @rule(id=TASKS, by=NAMES, reviewer=NAMES, verdict=st.sampled_from(["approved", "rejected"]))
    def ask(self, id, by, reviewer, verdict):
        """An opinion, or an answer to a submission."""
        self.wish(by, RequestReview("task", id, reviewer))
        if review := next(iter(self.room.reviews.pending), None):
            self.wish(reviewer, ResolveReview(review, verdict))

    @precondition(lambda self: len(self.granted) > 1)
    @rule(data=st.data())
    def a_stale_holder_comes_back(self, data):
        """Whatever it tries with a token that is not the one in force, the answer is no."""
        token, id, holder = data.draw(st.sampled_from(self.granted))
        task = self.board.tasks.get(id)
        if task is None or self.room.lifecycle.ended_at is not None:
            return
        if task.lease and task.lease.token == token and task.lease.status != "expired":
            return
        tries = (
            *(RenewTask(id, token), ReleaseTask(id, token), GrantHandoff(id, "cyn", token)),
            *(SubmitTask(id, "a.py", "…", checks="read it", token=token),),
            *((MoveTask(id, "done", token=token),) if task.state not in ("done", "cancelled") else ()),
        )
        for attempt in tries:
            if task.state != "submitted" or not isinstance(attempt, SubmitTask):
                assert self.wish(holder, attempt) is None, "a stale holder is refused"

    @rule(id=TASKS, by=NAMES, other=NAMES, ms=JUMPS, taken=st.booleans(), ticks=st.booleans())
    def a_holder_is_away(self, id, by, other, ms, taken, ticks):
        """For a while; perhaps another takes its task; and then it comes back with what it had."""
        self.begin(id, by, 60)
        token = self.board.tokens
        self.time_passes(ms)
        if ticks:
            self.wish("", Tick((other,)))
        if taken:
            self.wish(other, ClaimTask(id, 60))
        self.wish(by, SubmitTask(id, "a.py", "…", checks="read it", token=token))
        self.wish(by, ReleaseTask(id, token))

    @rule(id=TASKS, by=NAMES, verifier=NAMES, present=st.lists(NAMES, max_size=3, unique_by=fold), leaves=st.booleans())
    def a_verdict_is_late(self, id, by, verifier, present, leaves):
        """Somebody submits and waits; its verifier may have gone."""
        if id not in self.board.tasks:
            self.wish(by, OpenTask("t", id=id, verifier=verifier))
        self.wish(by, SubmitTask(id, "b.py", "…", checks="read it", token=self.board.tokens or None))
        for name in present:
            self.wish(name, PostMessage("hi", "all", {}))
        if leaves:
            self.wish(verifier, Leave())
        self.a_tick(present)

    # -- time

    @rule(ms=JUMPS)
    def time_passes(self, ms):
        self.scene.now = self.scene.now + ms

    @rule(present=st.lists(NAMES, max_size=3, unique_by=fold))
    def a_tick(self, present):
        """What is due is said once, and after it nothing is due any more: no loop is ever busy."""
        if (due := self.room.next_due()) is not None:
            self.scene.now = max(self.scene.now, due)
        events = self.wish("", Tick(tuple(present)))
        assert events or due is None, "a room that wants to be ticked has something to say"
        assert self.wish("", Tick(tuple(present))) == [], "time says everything once"
        after = self.room.next_due()
        assert after is None or after > self.scene.now
        for event in events:
            self.tell(event)

    def tell(self, event):
        """Notices are for those who are silent, and once for each silence."""
        if isinstance(event, ClaimStalled):
            seen = self.board.last_sign(event.task)
            assert self.asked.get(event.task.id, -1) < event.seen == seen <= self.scene.now - 600_000
            self.asked[event.task.id] = event.seen
        if isinstance(event, TaskLapsed):
            assert (event.task.state, event.task.owner) == ("open", None)
            assert event.seen <= self.scene.now - 30_000

    @rule()
    def the_server_restarts(self):
        """From a snapshot, or from the log."""
        self.scene.state = codec.decode_state(codec.encode_state(self.room), Room)

    # -- what is always true

    @invariant()
    def the_log_has_it_all(self):
        assert replay(self.scene.log) == self.room

    @invariant()
    def no_task_is_lost(self):
        """What was added is there until it is removed; what is neither over nor waiting is somebody's or anybody's."""
        assert set(self.board.tasks) == self.opened - self.removed
        for id, task in self.board.tasks.items():
            assert task.state != "submitted" or self.room.reviews.of_task(id).status == "pending"

    @invariant()
    def nothing_is_done_by_its_owner_alone(self):
        for task in self.board.tasks.values():
            if task.state == "done" and task.needs_proof:
                assert key(task.verdict.by) not in (key(task.owner), key(task.evidence[-1].by))

    @invariant()
    def there_are_never_two_holders(self):
        """A claim follows on nobody's, its own, or one that was let go, taken over or ended by time."""
        holders = {}
        for entry in self.scene.log:
            event = entry.event
            if isinstance(event, TaskFact):
                task = event.task
                if type(event) is TaskClaimed and task.lease is not None:
                    assert holders.get(task.id) in (None, fold(task.owner))
                holders[task.id] = fold(task.owner) if task.state == "held" and task.owner else None

    @invariant()
    def tokens_only_grow(self):
        tokens = [token for token, _, _ in self.granted]
        assert tokens == sorted(set(tokens))
        assert self.board.tokens == max(tokens, default=0)

    @invariant()
    def what_is_kept_is_what_a_look_finds(self):
        """Whose business what is, what time matters to, when the first of it is due, and who was silent."""
        board, concerns = self.board, {}
        for id, task in board.tasks.items():
            for name in () if task.over else {fold(one) for one in (task.owner, task.verifier) if one}:
                concerns.setdefault(name, set()).add(id)
        assert {name: set(ids) for name, ids in board.concerns.items()} == concerns
        assert all(len(ids) == len(set(ids)) for ids in board.concerns.values())
        assert set(board.timed) == {id for id, task in board.tasks.items() if task.state in ("held", "submitted")}
        assert set(board.seen) <= set(concerns)
        assert set(board.silent) <= {id for id, task in board.tasks.items() if task.state == "held" and task.owner}
        assert board.due == min(self.dues(), default=None)
        assert (board.due is None) == (board.due_task is None)

    def dues(self):
        """When something is due, looked for one by one."""
        for id, task in self.board.tasks.items():
            if task.state == "submitted" and task.review_due is not None:
                yield task.review_due
            if task.state == "held" and task.owner:
                if id not in self.board.silent:
                    yield self.board.last_sign(task) + 600_000
                if (until := self.board.held_until(task)) is not None:
                    yield until + 30_000

    @invariant()
    def every_submission_has_its_review(self):
        """Numbered without a gap for each task, pending while it is submitted; ids of the two kinds never meet."""
        reviews = self.room.reviews
        pending = {id for id, one in reviews.reviews.items() if one.status == "pending"}
        assert set(reviews.pending) == pending
        for id, task in self.board.tasks.items():
            own = [one.id for one in reviews.reviews.values() if one.of_submission and one.target == id]
            assert own == [f"R-{id}.{number}" for number in range(1, len(own) + 1)]
            assert (task.state == "submitted") == any(one in pending for one in own)
            assert bool(own) == (id in self.submitted)

    @invariant()
    def the_end_is_told_once(self):
        """Between two times that everything is done, something was added or begun again."""
        over = True
        for entry in self.scene.log:
            if isinstance(entry.event, BoardCompleted):
                assert not over
                over = True
            elif isinstance(entry.event, TaskFact):
                over = over and entry.event.task.over


TestBoard = BoardMachine.TestCase
TestBoard.settings = settings(max_examples=200, stateful_step_count=30, deadline=None)
