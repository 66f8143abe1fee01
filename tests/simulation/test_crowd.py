"""Ten agents and a person in one room, on two servers, in simulated time: whatever they do, one has the floor.

The agents listen, and speak when they believe to have the word, and now and then when they do not. Some are slow, some
silent; they leave and come back, and the host mutes and removes them. What happened is judged from the log alone.
"""

import asyncio
import random
from collections import Counter
from contextlib import AsyncExitStack

import pytest

from stateroom.core.floor import FloorFact, ModeChanged, SetMode, SkipSpeaker, TurnPassed, TurnStarted, may_speak
from stateroom.core.here import LogEntry
from stateroom.core.members import same
from stateroom.core.refusals import Muted, NotParticipant, NotYourTurn, Refusal
from stateroom.core.room import replay
from stateroom.core.seats import MuteMember, RemoveMember
from stateroom.core.speech import NO_ADDITION, MessageSaid, Say
from stateroom.core.turns import HARD_MS
from stateroom.engine import conversation
from stateroom.engine.clock import loop_clock
from stateroom.engine.conversation import Keys, Newcomer
from stateroom.engine.engine import Engine
from stateroom.engine.listening import Listen, listen
from stateroom.log import codec
from stateroom.stores.memory import MemoryStore
from stateroom.testing.simulated_time import run

AGENTS = [f"agent {letter}" for letter in "abcdefghij"]
TURNS = 200
FLOOR_ROLES = ("lead", "supplement", "wrap")


class Crowd:
    """One room on two servers, and everybody who will be in it."""

    def __init__(self, seed: int, engines: list[Engine]) -> None:
        self.engines, self.seed = engines, seed
        self.refused: Counter[str] = Counter()
        self.over = asyncio.Event()

    async def run(self) -> list[LogEntry]:
        """Everything that happened, as the store has it."""
        host = self.engines[0]
        self.caller = host.access.admit("")
        made = await conversation.create(host, self.caller, "a crowd", "host")
        self.card, self.host_key = made.card, Keys(host=made.host_key)
        person = Newcomer("host", "human")
        await conversation.join(host, self.caller, self.card, person, self.host_key)
        agents = [asyncio.create_task(self.agent(name, number)) for number, name in enumerate(AGENTS)]
        try:
            await self.host(random.Random(self.seed))
        finally:
            self.over.set()
            await asyncio.gather(*agents)
        return codec.decode_all(await host.store.log.read(self.card.key, 0, 10**6))

    # -- an agent

    async def agent(self, name: str, number: int) -> None:
        """Listens, and answers in its own time, until it is all over."""
        chance, engine = random.Random(self.seed * 1000 + number), self.engines[number % 2]
        cursor, keys = 0, await self.join(engine, name)
        while not self.over.is_set():
            ask = Listen(cursor, name, chance.choice([5.0, 45.0, 270.0]), chance.choice(["any", "addressed"]))
            try:
                heard = await listen(engine, self.card, ask)
            except NotParticipant:
                keys = await self.join(engine, name)
                continue
            cursor = heard.transcript.cursor
            if heard.terminated == "kicked":
                keys = await self.join(engine, name)
            await self.answer(engine, name, keys, chance)

    async def join(self, engine: Engine, name: str) -> Keys:
        return Keys(seat=(await conversation.join(engine, self.caller, self.card, Newcomer(name))).seat_key)

    async def answer(self, engine: Engine, name: str, keys: Keys, chance: random.Random) -> None:
        """One reaction: mostly with the word and at once, sometimes late, sometimes out of turn, sometimes leaving."""
        now = engine.clock()
        has_word = await engine.view(self.card, lambda room: may_speak(room.floor, name, now))
        if not has_word and chance.random() < 0.9:
            return
        if chance.random() < 0.01:
            await conversation.leave(engine, self.caller, self.card, name, keys=keys)
            return
        await asyncio.sleep(chance.choice([0, 0, 0.5, 3, 15, 25, 100, 151, 200]))
        wish = chance.choice([Say("more"), Say("more"), Say(NO_ADDITION), Say("[RESULT] so"), Say("at it", "status")])
        try:
            await conversation.say(engine, self.caller, self.card, name, wish, keys)
        except (NotYourTurn, Muted, NotParticipant) as refusal:
            self.refused[refusal.code] += 1

    # -- the host

    async def host(self, chance: random.Random) -> None:
        """Asks, waits until it is answered or for long enough, and keeps order in its way."""
        engine = self.engines[0]
        for _ in range(TURNS):
            await self.keep_order(chance)
            await conversation.say(engine, self.caller, self.card, "host", Say("and now?"), self.host_key)
            await self.meddle(chance)
            await engine.follower.until(self.card.key, self.quiet, (len(AGENTS) + 2) * HARD_MS / 1000)

    async def quiet(self) -> bool | None:
        """Whether no turn is running; None for "not yet"."""
        turn = await self.engines[0].view(self.card, lambda room: room.floor.turn)
        return True if turn is None or not turn.running else None

    async def keep_order(self, chance: random.Random) -> None:
        """In sequential mode again, should the lead have left; and everybody may speak again, mostly."""
        mode, muted = await self.engines[0].view(
            self.card,
            lambda room: (room.floor.mode, [one.name for one in room.members.by_fold.values() if one.muted]),
        )
        if mode != "sequential":
            await self.order(SetMode("sequential"))
        for name in muted:
            if chance.random() < 0.5:
                await self.order(MuteMember(name, False))

    async def meddle(self, chance: random.Random) -> None:
        await asyncio.sleep(chance.choice([0, 1, 30]))
        target = chance.choice(AGENTS)
        choice = chance.random()
        if choice < 0.1:
            await self.order(MuteMember(target))
        elif choice < 0.15:
            await self.order(RemoveMember(target))
        elif choice < 0.2:
            await self.order(SkipSpeaker())

    async def order(self, command) -> None:
        proof = self.caller.proof(self.host_key.host)
        try:
            await self.engines[0].execute(self.caller, self.card, command, proof=proof)
        except Refusal as refusal:  # who is to be muted may have left
            self.refused[refusal.code] += 1


async def crowd(seed: int) -> tuple[list[LogEntry], Counter[str]]:
    store = MemoryStore(loop_clock)
    async with AsyncExitStack() as servers:
        engines = [await servers.enter_async_context(Engine(store, loop_clock).running()) for _ in range(2)]
        room = Crowd(seed, engines)
        return await room.run(), room.refused


def turns_of(log: list[LogEntry]) -> list[list[LogEntry]]:
    """The entries of each turn, from its beginning to the next one's."""
    turns: list[list[LogEntry]] = []
    for entry in log:
        if isinstance(entry.event, TurnStarted):
            turns.append([])
        if turns:
            turns[-1].append(entry)
    return turns


def check_turn(entries: list[LogEntry]) -> None:
    """Every word of an agent in it comes from who has the floor just then, each speaks once, the lead once more."""
    turn, spoken, started = None, [], entries[0].at
    for entry in entries:
        event = entry.event
        if isinstance(event, MessageSaid) and event.standing.role in FLOOR_ROLES:
            assert turn is not None
            assert turn.current is not None
            stepping_in = turn.current.role == "lead" and same(turn.queue[0].name, entry.by) if turn.queue else False
            own = same(turn.current.name, entry.by) and turn.current.role == event.standing.role
            assert own or (stepping_in and event.standing.role == "supplement" and entry.at >= turn.grace_until)
            assert own is False or entry.at < turn.deadline
            assert turn.id == event.standing.turn
            spoken.append((entry.by, event.standing.role))
        if isinstance(event, FloorFact):
            turn = event.turn
            if turn is None or not turn.running:
                assert entry.at - started <= (len(AGENTS) + 2) * HARD_MS
        if isinstance(event, ModeChanged):
            turn = None
    assert len(set(spoken)) == len(spoken)
    twice = [name for name, count in Counter(name for name, _ in spoken).items() if count > 1]
    assert all((name, "wrap") in spoken and (name, "lead") in spoken for name in twice)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ten_agents_never_talk_over_each_other(seed):
    """Over 200 turns with silent, late, muted, removed and leaving agents; judged from the log alone."""
    log, refused = run(crowd(seed))
    turns = turns_of(log)
    assert len(turns) > TURNS * 0.9
    for entries in turns:
        check_turn(entries)
    agents_words = [one for one in log if isinstance(one.event, MessageSaid) and one.event.speaker.kind == "agent"]
    in_turn = [one for one in agents_words if one.event.standing.mode == "sequential"]
    assert all(one.event.standing.role in (*FLOOR_ROLES, "status") for one in in_turn)
    assert len(in_turn) > 3 * TURNS
    endings = {one.event.ending for one in log if isinstance(one.event, TurnPassed)}
    assert endings == {"replied", "no_addition", "timed_out", "skipped", "skipped_by_grace"}
    assert refused["not_your_turn"]
    told = Counter(
        (one.at, type(one.event).__name__, str(one.event)) for one in log if isinstance(one.event, TurnPassed)
    )
    assert max(told.values()) == 1
    assert replay(log).floor.turn is None or not replay(log).floor.turn.running
