"""The engine: one object that a face needs, and the life of everything behind it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from stateroom.core import limits
from stateroom.core.here import Command, LogEntry, Proof
from stateroom.core.ids import LogKey, Name
from stateroom.core.lifecycle import EndRoom, OpenRoom
from stateroom.core.lobby import CODE_LETTERS, LOBBY, RegisterRoom, RoomCard, check_room_id
from stateroom.core.members import Join, Leave
from stateroom.core.refusals import Refusal, SeatKeyNeeded, UnknownRoom
from stateroom.core.room import Room
from stateroom.engine.access import GUEST, Access, Caller
from stateroom.engine.clock import Clock, fresh_code
from stateroom.engine.execute import Executor, Outcome, Wish
from stateroom.engine.follow import Follower
from stateroom.engine.inbox import Inbox
from stateroom.engine.learning import Learner
from stateroom.engine.presence import Presences
from stateroom.engine.rooms import Rooms
from stateroom.engine.shown import Shown
from stateroom.engine.timers import Timers
from stateroom.log.seam import Store, Unavailable
from stateroom.wire.agent_room.messages import Transcript

T = TypeVar("T")
CODES_DRAWN = 8


class Engine:
    """Everything that happens between a face and a store."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        access: Access | None = None,
        draw_code: Callable[[str], str] = fresh_code,
        *,
        redacts: bool = True,
    ) -> None:
        """Time and chance come from outside, so that a simulation can replay them."""
        self.store, self.clock, self._draw_code = store, clock, draw_code
        self.access, self.redacts = access or Access(), redacts
        self.rooms = Rooms(store)
        self.executor = Executor(store, self.rooms, clock, redacts=redacts)
        self.follower = Follower(self.rooms)
        self.inbox = Inbox(store, self.rooms)
        self.presence = Presences(store, clock)
        self.learner = Learner(self.executor, self.rooms)
        self.timers = Timers(self.executor, self.rooms, clock, self._present)
        self.shown: Shown[Transcript] = Shown()
        self._opened: set[LogKey] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Engine"]:
        """Open the store, watch it and keep time, until the context ends. Raises Unavailable."""
        await self.store.open()
        try:
            async with self.rooms.watching():
                timers = asyncio.create_task(self.timers.run())
                try:
                    yield self
                finally:
                    timers.cancel()
                    await asyncio.gather(timers, return_exceptions=True)
                    await self.executor.close()
                    await self.presence.close()
        finally:
            await self.store.close()

    async def find(self, caller: Caller, name: str) -> RoomCard | None:
        """The room a caller means by an id or code, if it exists. Raises BadRoomId, UnknownRoom (bound elsewhere)."""
        card = await self._card(caller.team, name)
        if caller.room and name != caller.room:
            bound = await self._card(caller.team, caller.room)
            if card is None or bound is None or bound.key != card.key:
                raise UnknownRoom
        if card is None:
            check_room_id(name)
        return card

    async def _card(self, team: str, name: str) -> RoomCard | None:
        card: RoomCard | None = await self.rooms.view(LOBBY, lambda lobby: lobby.find(team, name))
        if card is None:  # another server may have just registered it, and the hint is still on its way
            self.rooms.suspect(LOBBY)
            card = await self.rooms.view(LOBBY, lambda lobby: lobby.find(team, name))
        return card

    async def enter(self, caller: Caller, name: str) -> RoomCard:
        """The room a caller means, made on first touch (protocol §7.4). Raises BadRoomId, UnknownRoom, Unavailable."""
        card = await self.find(caller, name)
        if card is None:
            await self.executor.execute(LOBBY, Wish(RegisterRoom(caller.team, name, self.codes()), via=caller.via))
            card = await self.rooms.view(LOBBY, lambda lobby: lobby.find(caller.team, name))
            if card is None:
                raise UnknownRoom
        if card.key not in self._opened:
            opening = OpenRoom(card.room_id, card.code, card.team, owner=caller.credential)
            await self.executor.execute(card.key, Wish(opening, via=caller.via))
            self._opened.add(card.key)
        return card

    def codes(self) -> tuple[str, ...]:
        """Candidates for a new room's code."""
        return tuple(self._draw_code(CODE_LETTERS) for _ in range(CODES_DRAWN))

    async def find_by_code(self, caller: Caller, code: str) -> tuple[Caller, RoomCard]:
        """A room by its code, whoever's it is, and the caller as it is seen there: at home, or as a guest.

        Its own rooms it may also name by their ids. Raises UnknownRoom, BadRoomId.
        """
        card = None if caller.guest else await self._card(caller.team, code)
        if card is None:
            card = await self._by_any_code(code)
            caller = Caller("", GUEST, caller.room, caller.member)
        if card is None:
            raise UnknownRoom
        if caller.room and await self._card(card.team, caller.room) != card:
            raise UnknownRoom
        return caller, card

    async def _by_any_code(self, code: str) -> RoomCard | None:
        card: RoomCard | None = await self.rooms.view(LOBBY, lambda lobby: lobby.by_any_code(code))
        if card is None:  # another server may have just registered it, and the hint is still on its way
            self.rooms.suspect(LOBBY)
            card = await self.rooms.view(LOBBY, lambda lobby: lobby.by_any_code(code))
        return card

    async def execute(
        self,
        caller: Caller,
        card: RoomCard,
        command: Command,
        by: str = "",
        request_id: str = "",
        proof: Proof | None = None,
    ) -> Outcome:
        """Carry out a wish in a room, as `by`. `proof` is what the caller has shown besides its credential.

        Raises Refusal, Unavailable.
        """
        limits.text("request_id", request_id, limits.REQUEST_ID_CHARS)  # it is kept with the entries
        try:
            wish = Wish(command, by, caller.via, request_id, proof or caller.proof())
            outcome = await self.executor.execute(card.key, wish)
        except SeatKeyNeeded:
            raise  # whoever asked, it was not shown to be that member
        except Refusal:
            room = self.rooms.at_hand(card.key)
            if room is not None and room.members.find(by):  # it was there to ask, whatever the rules said
                self.presence.stamp(card.key, by)
            raise
        if by:
            self.presence.stamp(card.key, by)
        room = self.rooms.at_hand(card.key)  # where it is not, a tick will look
        self.timers.expect(card.key, room.next_due() if room is not None else self.clock())
        if isinstance(command, EndRoom) and room is not None and room.lifecycle.project_id:
            with suppress(Unavailable):  # whoever next looks at the project learns it then
                await self.learner.catch_up(room.lifecycle.project_id)
        return outcome

    async def arrive(self, caller: Caller, card: RoomCard, name: str) -> None:
        """A member shows a sign of life: known from now on, and online. Into an ended room one can only look."""
        known, ended = await self.view(card, lambda room: (room.members.find(name), room.lifecycle.ended_at))
        if known is None and ended is not None:
            return
        if known is None:
            await self.execute(caller, card, Join(), name)
        self.presence.stamp(card.key, name)

    async def _present(self, key: LogKey) -> tuple[Name, ...]:
        """Members that have shown a sign of life lately, in order of joining."""
        names = await self.rooms.view(key, lambda room: room.members.names())
        return tuple(one.name for one in await self.presence.of(key, names) if one.state != "away")

    async def tick(self, card: RoomCard) -> None:
        """Time has passed: a room says what it has ended, whoever asks first. Raises Unavailable."""
        await self.timers.tick(card.key)
        self.timers.expect(card.key, await self.view(card, lambda room: room.next_due()))

    async def seen(self, card: RoomCard, name: str) -> None:
        """Somebody has done something, be it only to look; who is not known here stays so."""
        if name and await self.view(card, lambda room: room.members.find(name)) is not None:
            self.presence.stamp(card.key, name)

    async def leave(self, caller: Caller, card: RoomCard, name: str) -> None:
        """A member goes: told to the room, and offline at once, whatever it did a moment ago."""
        await self.executor.execute(card.key, Wish(Leave(), name, caller.via, proof=caller.proof()))
        await self.presence.leave(card.key, name)
        self.timers.expect(card.key, await self.view(card, lambda room: room.next_due()))

    async def view(self, card: RoomCard | None, question: Callable[[Room], T]) -> T:
        """An answer about a room; about an empty one if there is none. Raises Refusal, Unavailable."""
        if card is None:
            return question(Room())
        return await self.rooms.view(card.key, question)

    async def entry(self, card: RoomCard, position: int) -> LogEntry | None:
        """One entry, or None if the log does not reach so far."""
        if position < 1 or position > await self.view(card, lambda room: room.position):
            return None
        found = await self.rooms.entries(card.key, position - 1, 1)
        return found[0] if found else None

    async def rooms_of(self, caller: Caller) -> list[RoomCard]:
        """The caller's rooms, by id."""
        if caller.room:
            card = await self.find(caller, caller.room)
            return [card] if card else []
        cards: list[RoomCard] = await self.rooms.view(LOBBY, lambda lobby: lobby.of_team(caller.team))
        return cards

    def speaks_as(self, caller: Caller, name: str) -> Name:
        """The name under which a caller acts: the bound one if there is one, else the one it gives (protocol §7.5)."""
        return caller.member or Name(name)
