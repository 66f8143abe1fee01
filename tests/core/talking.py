"""A room with a host and some agents who talk, in few words: the ground of the tests of the conversation."""

from stateroom.core.floor import Invite, SetMode, SkipSpeaker, role_in_turn
from stateroom.core.here import Event, Proof
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.members import fold
from stateroom.core.policy import Policy
from stateroom.core.refusals import Refusal
from stateroom.core.room import Tick
from stateroom.core.seats import MuteMember, RemoveMember, TakeSeat
from stateroom.core.speech import MessageSaid, Say
from stateroom.core.turns import ModeConfig, Turn
from stateroom.testing.scenes import START, Scene

TEAM = Proof(vouched=True)
"""A credential of the server's own people."""
HOST_KEY = "f" * 64
HOST = Proof(host=HOST_KEY, vouched=True)
PASS = "__no_addition__"


def key(letter: str) -> Proof:
    """Somebody who has nothing but a seat key."""
    return Proof(seat=letter * 64)


class Talk(Scene):
    """Everybody is of the team; `host` is a person; the agents have joined in the given order. Times are seconds."""

    def __init__(self, *agents: str, mode: str = "open", policy: Policy | None = None, **config: object) -> None:
        super().__init__(proof=TEAM)
        opening = OpenRoom("talk", "ABC-DEF-GHJ", "open", "", "host", HOST_KEY, "", policy or Policy())
        self.do("", opening)
        self.do("host", TakeSeat("human"), proof=HOST)
        for name in agents:
            self.do(name, TakeSeat("agent"))
        if mode != "open":
            self.host(SetMode(mode, ModeConfig(**config)))

    def pass_s(self, seconds: float) -> "Talk":
        """Let time pass, unnoticed."""
        self.now += round(seconds * 1000)
        return self

    @property
    def elapsed_s(self) -> float:
        return (self.now - START) / 1000

    def host(self, command) -> list[Event]:
        """The host does something by its key."""
        return self.do("", command, proof=HOST)

    def say(self, by: str, text: str = "something", **more) -> list[Event]:
        return self.do(by, Say(text, **more))

    def status(self, by: str) -> list[Event]:
        return self.do(by, Say("at it", "status"))

    def refused(self, by: str, text: str = "something", kind: str = "message") -> type[Refusal] | None:
        """What the answer to somebody who wants to speak is, where that is a no."""
        refusal = self.when(by, Say(text, kind)).refusal
        return type(refusal) if refusal else None

    def tick(self, seconds: float = 0) -> list[Event]:
        """Let time pass, and let the room notice."""
        self.pass_s(seconds)
        return self.do("", Tick(), proof=HOST)

    def mute(self, name: str) -> list[Event]:
        return self.host(MuteMember(name))

    def unmute(self, name: str) -> list[Event]:
        return self.host(MuteMember(name, False))

    def leave(self, name: str) -> list[Event]:
        return self.do(name, RemoveMember(name))

    def kick(self, name: str) -> list[Event]:
        return self.host(RemoveMember(name))

    def join(self, name: str) -> list[Event]:
        return self.do(name, TakeSeat("agent"))

    def invite(self, name: str) -> list[Event]:
        return self.host(Invite(name))

    def skip(self) -> list[Event]:
        return self.host(SkipSpeaker())

    # -- how it stands

    @property
    def turn(self) -> Turn | None:
        return self.room.floor.turn

    @property
    def mode(self) -> str:
        return self.room.floor.mode

    @property
    def current(self) -> str:
        """`name role` of who has the floor; empty when nobody has."""
        slot = self.turn.current if self.turn else None
        return f"{slot.name} {slot.role}" if slot else ""

    @property
    def queue(self) -> list[str]:
        return [slot.name for slot in self.turn.queue] if self.turn else []

    @property
    def endings(self) -> list[str]:
        """`name role ending` of every slot that has ended, in order."""
        return [f"{one.name} {one.role} {one.ending}" for one in self.turn.spoken] if self.turn else []

    @property
    def left_s(self) -> float | None:
        """Until the speaker's time is out."""
        deadline = self.turn.deadline if self.turn else None
        return None if deadline is None else (deadline - self.now) / 1000

    def role(self, name: str) -> str:
        return role_in_turn(self.room.floor, name, self.now)

    def heard(self) -> list[str]:
        """`name role` of every message so far."""
        said = [(entry.by, entry.event) for entry in self.log if isinstance(entry.event, MessageSaid)]
        return [f"{by} {event.standing.role}" for by, event in said]

    def announced(self, kind: type[Event]) -> list[Event]:
        return [entry.event for entry in self.log if isinstance(entry.event, kind)]

    def member(self, name: str):
        return self.room.members.by_fold.get(fold(name))


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


THREE = ("ann", "bob", "cyn")


def sequential(*agents, **config):
    """A turn has just begun."""
    talk = Talk(*(agents or THREE), mode="sequential", **config)
    talk.say("host")
    return talk


def moderated(*agents, moderator="ann", **config):
    """The moderator has just been given the floor."""
    talk = Talk(*(agents or THREE), mode="moderator", moderator=moderator, **config)
    talk.say("host")
    return talk
