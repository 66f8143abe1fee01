"""A caller in the room whose code it gave: who it is there, and what it has shown to prove it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from stateroom.core import seats
from stateroom.core.here import Command, Here
from stateroom.core.ids import Name
from stateroom.core.lobby import RoomCard
from stateroom.core.members import Member
from stateroom.core.refusals import BadName
from stateroom.core.room import Room
from stateroom.core.views.waking import addressed
from stateroom.engine import conversation
from stateroom.engine.access import Caller
from stateroom.engine.conversation import NO_KEYS, Keys
from stateroom.engine.execute import Outcome
from stateroom.engine.transcript import complete
from stateroom.faces.mcp.desk import Desk
from stateroom.wire.agent_room.messages import message_shape

T = TypeVar("T")
Shape = dict[str, Any]
TOP_CHARS = 200


@dataclass(frozen=True, slots=True)
class Visit:
    desk: Desk
    caller: Caller
    """As it is seen in this room: at home, or as a guest."""
    card: RoomCard
    me: Name = Name("")
    """Empty for somebody who only looks on."""
    keys: Keys = NO_KEYS

    async def view(self, question: Callable[[Room], T]) -> T:
        return await self.desk.engine.view(self.card, question)

    async def wish(self, command: Command, request_id: str = "") -> Outcome:
        """Raises Refusal, Unavailable."""
        proof = self.caller.proof(self.keys.host, self.keys.seat)
        return await self.desk.engine.execute(self.caller, self.card, command, self.me, request_id, proof)

    async def member(self) -> Member:
        """Who I am in this room, proven where the room asks for it. Raises BadName, NotParticipant, SeatKeyNeeded."""
        if not self.me.strip():
            raise BadName(name="", reason="it is empty")
        proof = self.caller.proof(self.keys.host, self.keys.seat)
        here = Here(self.me, self.desk.engine.clock(), self.caller.via, proof)

        def known(room: Room) -> Member:
            seats.check_key(room.lifecycle, room.members, here)
            return seats.participant(room.members, self.me)

        return await self.view(known)

    def listen(self, cursor: int) -> Shape:
        """The call that waits for what comes after a line."""
        named = {"name": self.me} if self.me else {}
        return {"tool": "room_listen", "arguments": {"code": self.card.code, "since": cursor, **named}}

    async def unread(self) -> Shape:
        """What the member has not been given yet: how many lines, and the first that is addressed to it."""
        member = await self.view(lambda room: room.members.find(self.me))
        if member is None:
            return {}
        waiting = (await conversation.unread(self.desk.engine, self.card, member)).lines
        return {"unread": len(waiting), **await self.top(waiting, member)}

    async def top(self, waiting: list[Any], member: Member) -> Shape:
        """The first of these lines that is the member's business, in short."""
        mine = await self.view(lambda room: next((one for one in waiting if addressed(one, member, room)), None))
        if mine is None:
            return {}
        line = await complete(self.desk.engine, self.card, [mine])
        shown = message_shape(mine, line, self.card.code, self.desk.links)
        return {"top": {"line": mine.line, "name": shown["name"], "text": shown["text"][:TOP_CHARS]}}


async def visit(desk: Desk, code: str, name: str = "", keys: Keys = NO_KEYS) -> Visit:
    """Raises UnknownRoom, BadRoomId, Unavailable."""
    caller, card = await desk.engine.find_by_code(desk.caller, code)
    return Visit(desk, caller, card, desk.engine.speaks_as(caller, name), keys)


async def acting(desk: Desk, args: Any) -> Visit:
    """The visit of a call with `code`, `name`, `hostKey` and `seatKey`. Raises UnknownRoom, BadRoomId, Unavailable."""
    return await visit(desk, args.code, args.name, Keys(getattr(args, "hostKey", ""), args.seatKey))
