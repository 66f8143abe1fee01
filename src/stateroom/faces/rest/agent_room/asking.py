"""What an action gets: who asks, and in which room; and what every request may carry."""

from dataclasses import dataclass

from msgspec import Struct

from stateroom.core import seats
from stateroom.core.here import Command, Here
from stateroom.core.lobby import RoomCard
from stateroom.core.members import Member, fold, same
from stateroom.core.room import Room
from stateroom.engine.access import Caller
from stateroom.engine.conversation import Keys
from stateroom.engine.engine import Engine
from stateroom.engine.execute import Outcome
from stateroom.wire.agent_room.rooms import Seen, Shape, room_shape
from stateroom.wire.links import Links


class InRoom(Struct, kw_only=True):
    """The fields of every action but `create`. What is not listed is not read."""

    code: str
    """The room's code, in any spelling, or the address of its page."""


class Proving(InRoom, kw_only=True):
    """The keys a caller may send along. An older name of the seat key is the member key."""

    hostKey: str | None = None
    seatKey: str | None = None
    memberKey: str | None = None

    @property
    def keys(self) -> Keys:
        return Keys(self.hostKey or "", self.seatKey or self.memberKey or "")


@dataclass(frozen=True, slots=True)
class Door:
    """One request before it is in a room."""

    engine: Engine
    links: Links
    caller: Caller


@dataclass(frozen=True, slots=True)
class At:
    """One request, in its room."""

    engine: Engine
    links: Links
    caller: Caller
    card: RoomCard

    @property
    def code(self) -> str:
        return self.card.code

    async def execute(self, command: Command, name: str, keys: Keys, request_id: str | None = None) -> Outcome:
        """Carry out a wish, as `name`. Raises Refusal, Unavailable."""
        by = self.engine.speaks_as(self.caller, name)
        proof = self.caller.proof(keys.host, keys.seat)
        return await self.engine.execute(self.caller, self.card, command, by, request_id or "", proof)

    async def member(self, name: str, keys: Keys) -> Member:
        """Who acts under this name, proven as far as the room asks for it. Raises NotParticipant, SeatKeyNeeded."""
        here = self._here(name, keys)
        return await self.engine.view(self.card, lambda room: _proven(room, here))

    async def reader(self, name: str, keys: Keys) -> Member | None:
        """Who reads under this name, proven likewise; None for who is not here, who may read all the same.

        Raises SeatKeyNeeded.
        """
        here = self._here(name, keys)
        return await self.engine.view(
            self.card, lambda room: _proven(room, here) if room.members.find(here.by) else None
        )

    async def host(self, name: str, keys: Keys) -> None:
        """Raises NotHost."""
        here = self._here(name, keys)
        await self.engine.view(self.card, lambda room: room.lifecycle.must_be_host(here))

    async def member_or_host(self, name: str, keys: Keys) -> None:
        """Somebody who is here, or the host, who may act before it joins. Raises NotParticipant, SeatKeyNeeded."""
        here = self._here(name, keys)
        await self.engine.view(self.card, lambda room: _is_host(room, here) or _proven(room, here))

    def _here(self, name: str, keys: Keys) -> Here:
        by = self.engine.speaks_as(self.caller, name)
        return Here(by, self.engine.clock(), self.caller.via, self.caller.proof(keys.host, keys.seat))

    async def room(self) -> Shape:
        """The room as it is now, with who is here."""
        names = await self.engine.view(self.card, lambda room: room.members.names())
        found = await self.engine.presence.of(self.card.key, names)
        seen = {fold(one.name): Seen(one.last_seen, one.listening_until, one.state) for one in found}
        return await self.engine.view(self.card, lambda room: room_shape(room, seen))


def _proven(room: Room, here: Here) -> Member:
    member = seats.speaker(room.members, here)
    seats.check_key(room.lifecycle, room.members, here)
    return member


def _is_host(room: Room, here: Here) -> bool:
    """Whether it is the host under its own name, and shows it."""
    life = room.lifecycle
    return bool(life.host_digest) and same(here.by, life.host) and life.hosted_by(here)
