"""Any sequence of wishes, with a clock that jumps, against a naive model a reviewer can check by eye."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from stateroom.core.context import ReviseContext, WithdrawContext, WriteContext
from stateroom.core.leases import LeaseTaken, ReleaseLease, TakeLease
from stateroom.core.members import Join, Leave
from stateroom.core.messages import MarkRead, PostMessage, WithdrawMessage
from stateroom.core.refusals import Refusal
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.room import ApplyTemplate, Room, Tick, replay
from stateroom.core.tasks import LinkTask, MoveTask, OpenTask, PrioritizeTask, RemoveTask
from stateroom.core.variables import SetVariable
from stateroom.log import codec
from stateroom.log.seam import Record
from stateroom.testing.scenes import Scene

WHO = st.sampled_from(["ann", "Bob", "cyn "])
TASK = st.integers(1, 6).map(lambda n: f"T-{n:02d}")
ENTRY = st.integers(1, 3).map(lambda n: f"C-{n:02d}")
STATE = st.sampled_from(["open", "held", "done", "blocked"])
THING = st.sampled_from(["x", "y"])


class RoomMachine(RuleBasedStateMachine):
    """What the model knows: who holds which task and lease, versions, variables, how much was told."""

    @initialize()
    def start(self):
        self.scene = Scene()
        self.holder: dict[str, str] = {}
        self.leases: dict[str, tuple[str, int]] = {}
        self.tokens: dict[str, int] = {}
        self.variables: dict[str, str] = {}
        self.ids: set[str] = set()

    def ask(self, by, wish):
        """The facts, or None for a refusal."""
        try:
            return self.scene.when(by, wish)
        except Refusal:
            return None

    @rule(seconds=st.integers(0, 40))
    def time_passes(self, seconds):
        self.scene.now += seconds * 1000
        self.scene.fold(self.scene_tick())

    def scene_tick(self):
        return self.ask("", Tick()) and []

    @rule(by=WHO, priority=st.none() | st.integers(-1, 3), depends=st.lists(TASK, max_size=2))
    def open_task(self, by, priority, depends):
        for event in self.ask(by, OpenTask("t", "d", tuple(depends), priority)) or []:
            if type(event).__name__ == "TaskOpened":
                assert event.task.id not in self.ids, "an id came back"
                self.ids.add(event.task.id)

    @rule(by=WHO, task=TASK, to=STATE, takeover=st.booleans(), names_owner=st.booleans())
    def move_task(self, by, task, to, takeover, names_owner):
        was = self.scene.room.board.tasks.get(task)
        events = self.ask(by, MoveTask(task, to, owner=by if names_owner else None, takeover=takeover))
        if events and names_owner and was.state == "held" and was.owner:
            assert takeover or was.owner.casefold() == by.strip().casefold(), "a claim was stolen"

    @rule(by=WHO, task=TASK, priority=st.integers(0, 3))
    def prioritize(self, by, task, priority):
        self.ask(by, PrioritizeTask(task, priority))

    @rule(by=WHO, task=TASK, other=TASK)
    def link(self, by, task, other):
        self.ask(by, LinkTask(task, other))

    @rule(by=WHO, task=TASK)
    def remove(self, by, task):
        self.ask(by, RemoveTask(task))

    @rule(by=WHO, template=st.sampled_from(["blank", "incident", "nope"]), append=st.booleans())
    def template(self, by, template, append):
        had = len(self.scene.room.board.tasks)
        if self.ask(by, ApplyTemplate(template, append)) is not None:
            assert append or had == 0, "a template overwrote a plan"

    @rule(by=WHO, text=st.text(max_size=5).filter(lambda t: "\x00" not in t), consumers=st.lists(WHO, max_size=2))
    def write(self, by, text, consumers):
        self.ask(by, WriteContext("note", "s", {"text": text}, tuple(consumers)))

    @rule(by=WHO, entry=ENTRY, summary=st.sampled_from(["s", "t"]), expected=st.none() | st.just("1.1"))
    def revise(self, by, entry, summary, expected):
        before = self.scene.room.context.entries.get(entry)
        if self.ask(by, ReviseContext(entry, summary=summary, expected_version=expected)):
            after = self.scene.room.context.entries[entry]
            assert expected in (None, before.version)
            assert [int(n) for n in after.version.split(".")] > [int(n) for n in before.version.split(".")]

    @rule(by=WHO, entry=ENTRY)
    def withdraw_context(self, by, entry):
        self.ask(by, WithdrawContext(entry))

    @rule(by=WHO, thing=THING, seconds=st.integers(1, 60))
    def take(self, by, thing, seconds):
        events = self.ask(by, TakeLease(thing, seconds))
        if events is None:
            return
        holder, until = self.leases.get(thing, (by, 0))
        name = by.strip().casefold()
        assert holder == name or until <= self.scene.now, "two holders of a lease"
        if any(isinstance(event, LeaseTaken) for event in events):
            token = self.scene.room.leases.held[thing].token
            assert token > self.tokens.get(thing, 0), "a token did not grow"
            self.tokens[thing] = token
        self.leases[thing] = (name, self.scene.room.leases.held[thing].until)

    @rule(by=WHO, thing=THING)
    def release(self, by, thing):
        if self.ask(by, ReleaseLease(thing)):
            assert self.leases.pop(thing)[0] == by.strip().casefold()

    @rule(by=WHO, key=THING, value=st.sampled_from(["1", "true", ""]))
    def set_variable(self, by, key, value):
        self.ask(by, SetVariable(key, value))
        self.variables[key] = value

    @rule(by=WHO, to=WHO, n=st.integers(0, 3))
    def post(self, by, to, n):
        self.ask(by, PostMessage("hi", to, {"n": n}))

    @rule(by=WHO, position=st.integers(0, 30), withdraws=st.booleans())
    def mark_or_withdraw(self, by, position, withdraws):
        self.ask(by, WithdrawMessage(position) if withdraws else MarkRead(position))

    @rule(by=WHO, reviewer=WHO, task=TASK)
    def request_review(self, by, reviewer, task):
        self.ask(by, RequestReview("task", task, reviewer))

    @rule(by=WHO, number=st.integers(1, 3), verdict=st.sampled_from(["approved", "rejected"]))
    def resolve_review(self, by, number, verdict):
        self.ask(by, ResolveReview(f"R-{number:02d}", verdict))

    @rule(by=WHO, leaves=st.booleans())
    def come_and_go(self, by, leaves):
        self.ask(by, Leave() if leaves else Join())

    @invariant()
    def replaying_the_log_gives_the_same_room(self):
        if hasattr(self, "scene"):
            assert codec.encode_state(replay(self.scene.log)) == codec.encode_state(self.scene.room)

    @invariant()
    def a_snapshot_comes_back_the_same(self):
        if hasattr(self, "scene"):
            snapshot = codec.encode_state(self.scene.room)
            assert codec.decode_state(snapshot, Room) == self.scene.room

    @invariant()
    def stored_entries_come_back_the_same(self):
        if getattr(self, "scene", None) and self.scene.log:
            entry = self.scene.log[-1]
            body = codec.encode(entry.event).body
            stored = Record(entry.position, entry.line, entry.at, entry.by, entry.via, entry.cause, body)
            assert codec.decode(stored) == entry

    @invariant()
    def counts_are_what_the_log_says(self):
        if hasattr(self, "scene"):
            messages = self.scene.room.messages
            assert messages.told == sum(map(messages.visible, self.scene.log)) + self.withdrawn_untold()
            assert sum(messages.told_by_day.values()) == sum(entry.event.told for entry in self.scene.log)

    def withdrawn_untold(self):
        """Withdrawing something nobody was told of takes one off the count all the same."""
        messages = self.scene.room.messages
        return -sum(not self.scene.log[position - 1].event.told for position in messages.withdrawn)

    @invariant()
    def variables_are_what_the_model_says(self):
        if hasattr(self, "scene"):
            assert self.scene.room.variables.values == self.variables

    @invariant()
    def no_task_waits_for_itself(self):
        if hasattr(self, "scene"):
            for task in self.scene.room.board.tasks.values():
                assert task.id not in reachable(self.scene.room, task)


def reachable(room, task):
    """Everything a task waits for, directly or not."""
    found, paths = set(), list(task.depends_on)
    while paths:
        id = paths.pop()
        if id not in found:
            found.add(id)
            paths += room.board.tasks[id].depends_on if id in room.board.tasks else ()
    return found


TestRoom = RoomMachine.TestCase
TestRoom.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
