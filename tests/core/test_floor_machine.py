"""Anything may happen on the floor, in any order and at any time; what must hold then, seen from outside."""

from collections import Counter

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from stateroom.core.floor import FloorFact, ModeChanged, ModeratorReplaced, SetMode, TurnPassed, TurnStarted, may_speak
from stateroom.core.lifecycle import EndRoom, ReactivateRoom
from stateroom.core.members import same
from stateroom.core.policy import Policy
from stateroom.core.refusals import Refusal
from stateroom.core.room import Tick, replay
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import MessageSaid, Say
from stateroom.core.turns import HARD_MS, ModeConfig, Timeouts
from stateroom.log import codec
from tests.core.talking import HOST, PASS, Talk

AGENTS = ["ann", "bob", "cyn", "dan"]
EVERYBODY = [*AGENTS, "host", "pia"]
agents, everybody = st.sampled_from(AGENTS), st.sampled_from(EVERYBODY)
texts = st.sampled_from(["x", "[RESULT] x", PASS, "@ann @cyn", "@bob, you"])
times = st.sampled_from([None, 1, 30_000, HARD_MS])
FLOOR_ROLES = ("lead", "supplement", "wrap")


class Floor(RuleBasedStateMachine):
    """Whoever is not here, or not allowed, is refused; that is no fault. What is accepted must have been right."""

    @initialize(restart=st.booleans())
    def open(self, restart):
        self.talk = Talk(*AGENTS[:3], policy=Policy(exchange_limit=0))
        self.talk.do("pia", TakeSeat("human"))
        self.restart = restart

    def _after(self, doing, *args):
        """A step, a millisecond after the last one, so that every turn has an id of its own."""
        self.talk.pass_s(0.001)
        before = self.talk.turn, self.talk.room.floor.moderator
        try:
            events = doing(*args)
        except Refusal:
            return
        self._check(events, *before)

    def _check(self, events, turn, moderator):
        """What is accepted as somebody's word in a turn comes from who has the floor at that moment."""
        for event in events:
            if isinstance(event, MessageSaid):
                self._check_said(event, turn, moderator)
            if isinstance(event, FloorFact):
                turn = event.turn
            if isinstance(event, ModeratorReplaced):
                moderator = event.name

    def _check_said(self, said, turn, moderator):
        role, by = said.standing.role, self.by
        if role in FLOOR_ROLES:
            current = turn.current
            stepping_in = current.role == "lead" and role == "supplement" and same(turn.queue[0].name, by)
            assert stepping_in or (same(current.name, by) and current.role == role)
            assert by not in ("host", "pia")
        elif role == "moderator":
            assert same(moderator, by) or same(self.talk.room.floor.moderator, by)
        elif role in ("assignee", "host_directed"):
            assert any(same(one.name, by) for one in turn.invited)
        elif role == "open":
            assert said.standing.mode == "open"

    # -- what may happen

    @rule(by=everybody, text=texts)
    def say(self, by, text):
        self.by = by
        self._after(self.talk.do, by, Say(text))

    @precondition(lambda self: bool(self.talk.current))
    @rule(text=texts)
    def answer(self, text):
        """Whoever has the floor speaks, so that turns come to their ends."""
        self.by = self.talk.current.split()[0]
        self._after(self.talk.do, self.by, Say(text))

    @rule(by=everybody)
    def note(self, by):
        self.by = by
        self._after(self.talk.do, by, Say("at it", "status"))

    @rule(seconds=st.sampled_from([0, 1, 19, 20, 21, 149, 150, 299, 600, 5_000]))
    def wait(self, seconds):
        self._after(self.talk.tick, seconds)

    @rule(name=agents, how=st.sampled_from(["join", "leave", "kick", "mute", "unmute", "invite"]))
    def move(self, name, how):
        self._after(getattr(self.talk, how), name)

    @rule()
    def skip(self):
        self._after(self.talk.skip)

    @rule(kind=st.sampled_from(["agent", "human"]))
    def host_comes_back_as(self, kind):
        self._after(lambda: self.talk.do("host", TakeSeat(kind), proof=HOST))

    @rule(
        mode=st.sampled_from(["sequential", "sequential", "moderator", "moderator", "open"]),
        lead=st.sampled_from(["", *AGENTS]),
        grace=st.sampled_from([None, 0, 1]),
        each=times,
    )
    def set_mode(self, mode, lead, grace, each):
        limits = Timeouts(each, each, each, each)
        config = ModeConfig(lead, lead or "ann", limits, grace, self.restart)
        self._after(self.talk.host, SetMode(mode, config))

    @rule()
    def end_and_reopen(self):
        self._after(self.talk.host, EndRoom())
        assert self.talk.room.next_due() is None
        self._after(self.talk.host, ReactivateRoom())

    # -- what must hold

    @rule()
    def run_out(self):
        """Left alone, every turn comes to its end: each of those in line has its time, and the lead twice."""
        in_line = len(self.talk.room.members.names()) + 2
        started = self.talk.now
        while (due := self.talk.room.next_due()) is not None:
            self.talk.now = max(self.talk.now, due)
            before = self.talk.turn
            assert self.talk.do("", Tick(), proof=HOST), "what is due is said"
            assert self.talk.turn != before
            assert self.talk.now - started <= in_line * HARD_MS
        assert not self.talk.current

    @invariant()
    def nothing_is_due_without_a_turn(self):
        """One has the floor while a turn is running, and somebody is timed then; nobody is else."""
        turn = self.talk.turn
        assert (turn is not None and turn.running) == bool(self.talk.current)
        assert (self.talk.room.next_due() is not None) == bool(self.talk.current)
        if turn is not None and turn.current is not None:
            assert turn.since <= turn.deadline <= (turn.hard_deadline or turn.deadline)

    @invariant()
    def who_has_the_floor_is_here_and_able(self):
        """Nobody who left, is muted or is a person holds the floor or waits for it."""
        turn, floor = self.talk.turn, self.talk.room.floor
        if turn is None or not turn.running:
            return
        able = [one.name for one in self.talk.room.members.seated_agents() if not one.muted]
        assert floor.mode == turn.mode != "open"
        assert {slot.name for slot in (turn.current, *turn.queue)} <= {*able, "host"}
        assert turn.current.role == "moderator" or turn.current.name != "host"
        assert len({slot.name for slot in turn.queue}) == len(turn.queue)
        assert may_speak(floor, turn.current.name, self.talk.now)
        if floor.mode == "moderator":
            assert same(turn.current.name, floor.moderator)

    def teardown(self):
        if not hasattr(self, "talk"):
            return
        log = self.talk.log
        assert codec.encode_state(replay(log)) == codec.encode_state(self.talk.room)
        self._nobody_speaks_twice([entry for entry in log if isinstance(entry.event, MessageSaid)])
        self._told_once([entry.event for entry in log])

    def _nobody_speaks_twice(self, said):
        """In a turn: except the lead, which opens and closes it."""
        words = Counter(
            (one.event.standing.turn, one.by, one.event.standing.role)
            for one in said
            if one.event.standing.mode == "sequential" and one.event.standing.role in FLOOR_ROLES
        )
        assert not words or max(words.values()) == 1
        both = Counter((turn, by) for turn, by, _ in words)
        assert all(count == 1 or (turn, by, "wrap") in words for (turn, by), count in both.items())

    def _told_once(self, events):
        """A change of mode changes something, a new moderator is another one, a slot ends once, a turn begins once."""
        ended = Counter(
            (event.turn.id, event.name, event.role)
            for event in events
            if isinstance(event, TurnPassed) and event.turn.mode == "sequential"
        )
        assert not ended or max(ended.values()) == 1
        begun = Counter(event.turn.id for event in events if isinstance(event, TurnStarted))
        assert not begun or max(begun.values()) == 1
        mode = "open"
        for event in events:
            if isinstance(event, ModeChanged):
                assert not event.reason or (mode != "open" and event.mode == "open")
                mode = event.mode
            if isinstance(event, ModeratorReplaced):
                assert mode == "moderator"
                assert not same(event.name, event.previous)


TestFloor = Floor.TestCase
TestFloor.settings = settings(
    max_examples=150, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
"""Every run is another; a failing one is shrunk, printed, and kept."""
