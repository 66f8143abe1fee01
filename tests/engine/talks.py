"""A created room on a running engine, and people who talk in it."""

from contextlib import asynccontextmanager

from stateroom.core.floor import SetMode
from stateroom.core.members import Member
from stateroom.core.speech import Say
from stateroom.core.turns import ModeConfig
from stateroom.engine import conversation
from stateroom.engine.access import Access, Caller, parse_keys
from stateroom.engine.clock import Clock
from stateroom.engine.conversation import Joined, Keys, Newcomer, SaidSo
from stateroom.engine.engine import Engine
from stateroom.log import codec
from stateroom.stores.memory import MemoryStore


class Parlour:
    """One engine, one room that `host` has created, one caller for all."""

    def __init__(self, engine: Engine, caller: Caller | None = None) -> None:
        self.engine = engine
        self.caller = caller or engine.access.admit("")
        self.keys: dict[str, Keys] = {}

    async def create(self, topic: str = "A topic", host: str = "host", **more) -> "Parlour":
        made = await conversation.create(self.engine, self.caller, topic, host, **more)
        self.card, self.host_key = made.card, made.host_key
        return self

    def beside(self, engine: Engine) -> "Parlour":
        """The same room on another server."""
        other = Parlour(engine, self.caller)
        other.card, other.host_key, other.keys = self.card, self.host_key, self.keys
        return other

    async def join(self, name: str, kind: str = "agent", **more) -> Member:
        return (await self.joining(name, kind, **more)).member

    async def joining(self, name: str, kind: str = "agent", keys: Keys | None = None, **more) -> Joined:
        offer = more.pop("offer", True)
        shown = keys or Keys(self.host_key if name == "host" else "")
        joined = await conversation.join(
            self.engine, self.caller, self.card, Newcomer(name, kind, **more), shown, offer=offer
        )
        if joined.seat_key:
            self.keys[joined.member.name] = Keys(seat=joined.seat_key)
        return joined

    async def say(self, name: str, text: str = "something", kind: str = "message", **more) -> SaidSo:
        keys = self.keys.get(name, conversation.NO_KEYS)
        request_id = more.pop("request_id", "")
        return await conversation.say(
            self.engine, self.caller, self.card, name, Say(text, kind, **more), keys, request_id
        )

    async def leave(self, name: str, target: str = "") -> bool:
        keys = Keys(self.host_key) if target else self.keys.get(name, conversation.NO_KEYS)
        return await conversation.leave(self.engine, self.caller, self.card, name, target, keys)

    async def host(self, command):
        """The host does something by its key."""
        proof = self.caller.proof(self.host_key)
        return await self.engine.execute(self.caller, self.card, command, proof=proof)

    async def set_mode(self, mode: str, **config):
        return await self.host(SetMode(mode, ModeConfig(**config)))

    async def log(self):
        """The room's whole log, as the store has it."""
        return codec.decode_all(await self.engine.store.log.read(self.card.key, 0, 10**6))

    async def kinds(self) -> list[str]:
        return [type(entry.event).__name__ for entry in await self.log()]


@asynccontextmanager
async def parlour(store: MemoryStore, clock: Clock, *agents: str, keys: str = "", caller: Caller | None = None):
    """A created room with a host in person and these agents, on a running engine of its own."""
    engine = Engine(store, clock, Access(parse_keys(keys)) if keys else None)
    async with engine.running():
        talk = await Parlour(engine, caller or (None if not keys else Caller("red", "key:red"))).create()
        await talk.join("host", "human")
        for name in agents:
            await talk.join(name)
        yield talk


@asynccontextmanager
async def another(store: MemoryStore, clock: Clock, talk: Parlour):
    """Another server on the same store, with the same room."""
    engine = Engine(store, clock)
    async with engine.running():
        yield talk.beside(engine)
