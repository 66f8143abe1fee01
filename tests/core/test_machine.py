"""Any sequence of wishes, with a clock that jumps, against a naive model a reviewer can check by eye."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from stateroom.core import state
from stateroom.core.here import Proof
from stateroom.core.holding import ClaimTask
from stateroom.core.lifecycle import SetPolicy
from stateroom.core.members import Leave, fold
from stateroom.core.messages import PostMessage
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.room import RULES, Room, Tick, replay
from stateroom.core.seats import MuteMember, TakeSeat
from stateroom.core.speech import MessageSaid, Say
from stateroom.core.state import Answered
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.log import codec
from stateroom.testing.scenes import GUEST, Scene
from tests.core.model import WINDOW, Model
from tests.core.model_of_talk import No, key
from tests.core.wishes import (
    HOSTED,
    HOSTING,
    NAMED,
    OPENINGS,
    SAYINGS,
    SEATS,
    SHOWN,
    SPEAKERS,
    TALK,
    TEAM,
    WHO,
    WISHES,
    WORK,
)


def test_the_machine_knows_every_wish():
    """A new command is a new line here and a new rule in the model."""
    assert set(WISHES) == set(RULES)


class RoomMachine(RuleBasedStateMachine):
    """The real room beside the naive one: whatever is wished, both say the same, and both end up the same."""

    def __init__(self):
        super().__init__()
        self.window, state.REQUEST_WINDOW = state.REQUEST_WINDOW, WINDOW
        self.scene, self.model, self.tokens, self.task_tokens = Scene(), Model(), {}, {}

    def teardown(self):
        state.REQUEST_WINDOW = self.window

    @property
    def room(self):
        return self.scene.room

    @initialize(opening=st.none() | OPENINGS)
    def begin(self, opening):
        """A room may also come to be by what is done in it."""
        if opening is not None:
            self.wish("", opening, False, GUEST)

    @rule(by=WHO, wish=st.one_of(*WISHES.values()), asked=st.booleans(), shown=SHOWN)
    def wish(self, by, wish, asked, shown):
        request = f"{key(by)}/{len(self.scene.log)}" if asked else ""
        answer = self.scene.when(by, wish, cause=f"{request}#f" if asked else "", proof=shown)
        said = type(answer.refusal).__name__ if answer.refusal else [type(event).__name__ for event in answer.events]
        assert said == self.expected(by, wish, request, shown)

    def expected(self, by, wish, request, shown):
        """The name of a refusal, or the kinds of facts."""
        try:
            return self.model.ask(by, wish, self.scene.now, request, shown)
        except No as no:
            return no.args[0]

    @rule(by=NAMED, wish=st.one_of(*(WISHES[kind] for kind in WORK)), shown=st.just(TEAM) | SHOWN)
    def work(self, by, wish, shown):
        """What makes rooms interesting, a little more often."""
        self.wish(by, wish, False, shown)

    @rule(by=SPEAKERS, wish=st.one_of(*(WISHES[kind] for kind in TALK)), shown=st.just(TEAM) | SHOWN)
    def talk(self, by, wish, shown):
        """So too the conversation."""
        self.wish(by, wish, False, shown)

    @rule(by=WHO, wish=st.one_of(*(WISHES[kind] for kind in HOSTED)))
    def host(self, by, wish):
        """What takes the host's key."""
        self.wish(by, wish, False, HOSTING)

    @rule(names=st.lists(st.sampled_from(["ann", "bob", "cyn"]), min_size=1, max_size=3), last=SAYINGS)
    def chat(self, names, last):
        """Agents among themselves, for as long as the room lets them."""
        for name in names:
            self.wish(name, TakeSeat(color="red", returning=True), False, TEAM)
            self.wish(name, Say("hi"), False, TEAM)
        self.wish(names[0], last, False, TEAM)

    @rule(
        name=st.sampled_from(["ann", "Bob"]),
        identity=st.sampled_from(["keyed", "asserted", ""]),
        shown=SHOWN,
        again=SEATS,
    )
    def prove(self, name, identity, shown, again):
        """A seat with a key, and somebody who comes for it."""
        self.wish("", SetPolicy(identity), False, HOSTING)
        self.wish(name, TakeSeat(color="red", offer="k"), False, Proof("h", "k", vouched=True))
        self.wish(name, Say("hi"), False, shown)
        self.wish(name, again, False, shown)

    @rule(name=st.sampled_from(["ann", "Bob"]), leaves=st.booleans(), says=st.sampled_from([PostMessage, Say]))
    def silence(self, name, leaves, says):
        """A voice is taken, missed, and given back; going away for a while helps nobody."""
        self.wish("", MuteMember(name), False, HOSTING)
        if leaves:
            self.wish(name, Leave(), False, TEAM)
        self.wish(name, Say("hi") if says is Say else PostMessage("hi", "all", {}), False, TEAM)
        self.wish("", MuteMember(name, False), False, HOSTING)

    @rule(id=st.sampled_from(["T-01", "T-02"]), by=NAMED, judge=NAMED, verdict=st.sampled_from(["done", "rejected"]))
    def submit(self, id, by, judge, verdict):
        """A submission, and what is said to it; each may be refused."""
        if id not in self.model.tasks:
            self.wish(judge, OpenTask("t", id=id, dod="green"), False, TEAM)
        self.wish(by, SubmitTask(id, "a.py", "…", checks="read it"), False, TEAM)
        self.wish(judge, VerifyTask(id, verdict), False, TEAM)

    @rule(
        id=st.sampled_from(["T-01", "T-02"]),
        by=NAMED,
        other=NAMED,
        ms=st.sampled_from([1, 60_000, 89_999, 90_000, 600_000, 1_800_000]),
    )
    def vanish(self, id, by, other, ms):
        """A holder is away for a while, somebody else takes its task, and it comes back with what it had."""
        if id not in self.model.tasks:
            self.wish(by, OpenTask("t", id=id), False, TEAM)
        self.wish(by, ClaimTask(id, 60), False, TEAM)
        token = self.room.board.tokens
        self.time_passes(ms)
        self.wish("", Tick((other,)), False, TEAM)
        self.wish(other, ClaimTask(id, 60), False, TEAM)
        self.wish(by, SubmitTask(id, "a.py", "…", checks="read it", token=token), False, TEAM)
        self.wish(by, MoveTask(id, "done", token=token), False, TEAM)

    @rule(ms=st.sampled_from([0, 1, 999, 1_000, 29_999, 30_000, 90_000, 300_000, 600_000, 86_400_000]))
    def time_passes(self, ms):
        self.scene.now = self.scene.now + ms

    @rule(present=st.lists(NAMED, max_size=3))
    def a_tick_comes_on_time(self, present):
        """What is due is said, and then nothing is due any more."""
        if (due := self.room.next_due()) is not None:
            self.scene.now = max(self.scene.now, due)
            self.wish("", Tick(tuple(present)), False, TEAM)
            after = self.room.next_due()
            assert after is None or after > self.scene.now

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
            id: (
                *(task.state, key(task.owner), task.description, list(task.depends_on), task.priority),
                *(key(task.verifier), task.dod or "", task.blocked and task.blocked.reason),
                [(key(one.by), one.file_listing, one.commit or "", one.at) for one in task.evidence],
                *(task.lease and (task.lease.token, task.lease.seconds, task.lease.status), task.review_due),
                *(key(task.handoff and task.handoff.by), task.commit.commit if task.commit else ""),
            )
            for id, task in self.room.board.tasks.items()
        }
        assert list(tasks.items()) == [
            (
                id,
                (
                    *(task.state, task.owner, task.description, task.waits_for, task.priority),
                    *(task.verifier, task.dod, task.reason, task.submissions),
                    *(task.lease and (task.lease.token, task.lease.seconds, task.lease.status), task.due),
                    *(task.asked_by, task.commit),
                ),
            )
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
        assert [(id, key(r.reviewer), r.status, r.due) for id, r in reviews] == [
            (id, r["reviewer"], r["status"], r.get("due") if r["status"] == "pending" else None)
            for id, r in self.model.reviews.items()
        ]

    @invariant()
    def leases_are_the_models_and_tokens_only_grow(self):
        held = {r: (key(lease.holder), lease.until, lease.token) for r, lease in self.room.leases.held.items()}
        assert held == self.model.leases
        for resource, (_, _, token) in held.items():
            assert token >= self.tokens.get(resource, 0)
            self.tokens[resource] = token
        dues = [until for _, until, _ in held.values()] + self.model.next_due()
        assert self.room.next_due() == min(dues, default=None)

    @invariant()
    def what_the_board_keeps_is_what_a_look_at_all_tasks_finds(self):
        board = self.room.board
        concerns = {}
        for id, task in board.tasks.items():
            for name in () if task.over else {fold(one) for one in (task.owner, task.verifier) if one}:
                concerns.setdefault(name, set()).add(id)
        assert {name: set(ids) for name, ids in board.concerns.items()} == concerns
        assert set(board.timed) == {id for id, task in board.tasks.items() if task.state in ("held", "submitted")}
        assert set(board.seen) <= set(concerns)
        assert set(board.silent) == {id for id, task in self.model.tasks.items() if task.state == "held" and task.asked}
        pending = {id for id, review in self.room.reviews.reviews.items() if review.status == "pending"}
        assert set(self.room.reviews.pending) == pending

    @invariant()
    def nothing_that_needs_proof_is_done_without_another(self):
        for task in self.room.board.tasks.values():
            if task.state == "done" and task.needs_proof:
                shown = task.evidence[-1]
                assert task.verdict is not None
                assert task.verdict.verdict == "done"
                assert key(task.verdict.by) not in (key(task.owner), key(shown.by))

    @invariant()
    def tokens_of_tasks_only_grow(self):
        """Never is one given twice, and nobody holds under an older one than it did."""
        tokens = [task.lease.token for task in self.room.board.tasks.values() if task.lease]
        assert len(tokens) == len(set(tokens))
        for id, task in self.room.board.tasks.items():
            if task.lease:
                assert task.lease.token >= self.task_tokens.get(id, 0)
                self.task_tokens[id] = task.lease.token
        assert max(self.task_tokens.values(), default=0) <= self.room.board.tokens

    @invariant()
    def who_is_here_is_the_models(self):
        members = self.room.members
        assert [
            (folded, (m.kind, m.role, m.color, m.initials, m.muted, m.seated, m.seat))
            for folded, m in members.by_fold.items()
        ] == [
            (name, (m.kind, m.role, m.color, m.initials, m.muted, m.seated, m.seat))
            for name, m in self.model.members.items()
        ]
        assert (set(members.removed), set(members.silenced)) == (self.model.removed, self.model.silenced)

    @invariant()
    def the_room_and_its_policy_are_the_models(self):
        life, floor = self.room.lifecycle, self.room.floor
        assert (key(life.host), life.policy) == (self.model.host, self.model.policy)
        assert (life.ended_at is not None, bool(life.opened_at)) == (self.model.ended, self.model.opened)
        assert (floor.mode, floor.config.lead, floor.turn) == ("open", self.model.lead, None)

    @invariant()
    def what_was_said_is_the_models(self):
        said = [(entry.by, entry.event) for entry in self.scene.log if isinstance(entry.event, MessageSaid)]
        assert [
            (
                *(fold(by), event.speaker.kind, event.speaker.role, event.speaker.verified),
                *(event.kind, event.standing.role, tuple((mark.kind, mark.text) for mark in event.marks)),
                *(tuple(map(fold, event.mentions)), event.reply_to, tuple(file.id for file in event.attachments)),
            )
            for by, event in said
        ] == self.model.said
        speech, model = self.room.speech, self.model
        assert (speech.said, speech.among_agents, speech.paused) == (model.counted, model.among, model.paused)
        assert speech.last_by == model.last_by
        assert list(self.room.attachments.by_id) == model.files
        assert [card.id for card in self.room.reports.cards] == model.reports

    @invariant()
    def variables_and_requests_are_the_models(self):
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
