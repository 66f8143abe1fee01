"""Waiting for what is said next: a look at the room whenever it moves, through the one place that waits.

The member holds a listening lease for as long as it waits. The end of the room, its own removal and its leaving end
the wait at once; so does being given the word.
"""

from dataclasses import dataclass
from typing import Literal

from stateroom.core import floor
from stateroom.core.here import LogEntry
from stateroom.core.ids import Instant
from stateroom.core.lobby import RoomCard
from stateroom.core.members import Member, fold, same
from stateroom.core.refusals import BadCursor
from stateroom.core.room import Room
from stateroom.core.seats import participant
from stateroom.core.views.waking import addressed
from stateroom.engine.engine import Engine
from stateroom.engine.transcript import after, page
from stateroom.wire.agent_room.messages import Transcript

Terminated = Literal["", "room_ended", "kicked"]
WakeOn = Literal["any", "addressed"]


@dataclass(frozen=True, slots=True)
class Listen:
    """What one call waits for."""

    since: int
    """How many lines the caller has."""
    name: str = ""
    """Who listens; empty for somebody who only looks on."""
    timeout_s: float = 25.0
    wake_on: WakeOn = "any"
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    transcript: Transcript
    terminated: Terminated = ""
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class _Glance:
    """What one look needs to know of a room."""

    lines: int
    terminated: Terminated
    member: Member | None
    has_word: bool
    due: Instant | None


async def listen(engine: Engine, card: RoomCard, ask: Listen) -> Heard:
    """The lines after `since`, waited for if there are none. Raises NotParticipant, BadCursor, Unavailable.

    What of them is delivered, and so heard, is for the caller to say (`presence.hear`).
    """
    first = await engine.view(card, lambda room: _glance(room, ask, engine))
    if ask.since > first.lines:
        await engine.rooms.look_again(card.key)
        first = await engine.view(card, lambda room: _glance(room, ask, engine))
    if not 0 <= ask.since <= first.lines:
        raise BadCursor(cursor=ask.since, last=first.lines)
    if ask.name and first.member is None and not first.terminated:
        await engine.view(card, lambda room: participant(room.members, ask.name))

    async def look() -> Heard | None:
        now = await engine.view(card, lambda room: _glance(room, ask, engine))
        engine.timers.expect(card.key, now.due)  # the server that gave the turn may be gone
        word = now.has_word and not first.has_word
        left = first.member is not None and now.member is None
        if not (now.terminated or word or left) and not await _wakes(engine, card, ask, now):
            return None
        return Heard(await after(engine, card, ask.since, ask.limit), now.terminated)

    with engine.presence.listening(card.key, first.member.name if first.member else ""):
        heard = await engine.follower.until(card.key, look, ask.timeout_s)
    if heard is None:
        heard = Heard(await after(engine, card, ask.since, ask.limit), timed_out=True)
    return heard


def _glance(room: Room, ask: Listen, engine: Engine) -> _Glance:
    member = room.members.find(ask.name) if ask.name else None
    terminated: Terminated = ""
    if room.lifecycle.ended_at is not None:
        terminated = "room_ended"
    elif ask.name and member is None and fold(ask.name) in room.members.removed:
        terminated = "kicked"
    turns = room.floor.mode != "open" and member is not None
    word = turns and floor.may_speak(room.floor, ask.name, engine.clock())
    return _Glance(room.lines, terminated, member, word, room.next_due())


async def _wakes(engine: Engine, card: RoomCard, ask: Listen, now: _Glance) -> bool:
    """Whether there is a line after `since` that is not the listener's own, and that it wants to be woken by."""
    if now.lines <= ask.since:
        return False
    if not ask.name:
        return True
    found = await page(engine, card, ask.since)
    while found:
        if any(await _matter(engine, card, ask, now, found)):
            return True
        found = await page(engine, card, found[-1].line) if found[-1].line < now.lines else []
    return False


async def _matter(engine: Engine, card: RoomCard, ask: Listen, now: _Glance, found: list[LogEntry]) -> list[bool]:
    member = now.member
    if ask.wake_on == "any" or member is None:
        return [not same(entry.by, ask.name) or not entry.by for entry in found]
    return await engine.view(card, lambda room: [addressed(entry, member, room) for entry in found])
