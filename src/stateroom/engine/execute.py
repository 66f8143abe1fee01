"""From a wish to facts in the log: load, decide, append, fold. The only caller of `decide`."""

import asyncio
import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec

from stateroom.core.here import Command, Here, LogEntry
from stateroom.core.ids import Instant, LogKey, Name
from stateroom.core.members import fold
from stateroom.core.refusals import RequestReused
from stateroom.core.state import Answered, State
from stateroom.engine.clock import Clock
from stateroom.engine.held import Held
from stateroom.engine.rooms import Rooms, kind_of
from stateroom.log import codec
from stateroom.log.seam import Conflict, Draft, Stamp, Store, Unavailable

ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Wish:
    """A command, by whom, and on whose word."""

    command: Command
    by: str = ""
    via: str = ""
    request_id: str = ""
    """Chosen by the caller: the same id with the same wish has its effect once (W-73)."""

    def cause(self) -> str:
        return f"{self.request()}#{fingerprint(self.command)}" if self.request_id else ""

    def request(self) -> str:
        return f"{fold(self.by)}/{self.request_id}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a wish: the entries it caused, now or (replayed) earlier; none if nothing had to change."""

    entries: list[LogEntry]
    replayed: bool = False


def fingerprint(command: Command) -> str:
    """Tells two wishes apart that carry the same request id."""
    text = msgspec.json.encode([type(command).__name__, command], order="sorted")
    return hashlib.blake2b(text, digest_size=6).hexdigest()


class Executor:
    def __init__(self, store: Store, rooms: Rooms, clock: Clock) -> None:
        self._log, self._rooms, self._clock = store.log, rooms, clock

    async def execute(self, key: LogKey, wish: Wish) -> Outcome:
        """Carry out a wish; one store round trip when nobody interferes. Raises Refusal, Unavailable.

        An Unavailable append may have happened: repeating it with the same request id finds out.
        """
        for attempt in range(ATTEMPTS):
            held = await self._rooms.hold(key)
            if (answered := self._answered(held.state, wish)) is not None:
                return await self._again(held, key, answered)
            outcome = await self._attempt(held, wish)
            if outcome is not None:
                return outcome
            await asyncio.sleep(0 if attempt < 3 else 0.001 * attempt)  # let the others through
        raise Unavailable("The room is too busy right now. Repeat the call with the same request id.")

    def _answered(self, state: State, wish: Wish) -> Answered | None:
        answered = state.requests.get(wish.request()) if wish.request_id else None
        if answered is not None and answered.fingerprint != fingerprint(wish.command):
            raise RequestReused(request_id=wish.request_id)
        return answered

    async def _again(self, held: Held[Any], key: LogKey, answered: Answered) -> Outcome:
        await held.settled()
        count = answered.last - answered.first + 1
        return Outcome(await self._rooms.entries(key, answered.first - 1, count), replayed=True)

    async def _attempt(self, held: Held[Any], wish: Wish) -> Outcome | None:
        """One try; None if another writer came first. No await between deciding and appending."""
        state = held.state
        now = Instant(max(self._clock(), state.last_at))
        events = kind_of(held.key).decide(state, wish.command, Here(Name(wish.by), now, wish.via))
        if not events:
            return Outcome([]) if await held.settled() else None
        stamp = Stamp(self._spelled(state, wish), wish.via, wish.cause(), now)
        drafts, after = [codec.encode(event) for event in events], state.position
        entries = held.run_ahead(events, stamp)
        return Outcome(entries) if await self._append(held, after, drafts, stamp) else None

    async def _append(self, held: Held[Any], after: int, drafts: list[Draft], stamp: Stamp) -> bool:
        """False if another writer came first. However it fails, what ran ahead of the store is void."""
        held.in_flight += 1
        appended = False
        try:
            await self._log.append(held.key, after, drafts, stamp)
            appended = True
        except Conflict:
            return False
        finally:  # unavailable or cancelled: whether it happened is for the next load to see
            held.in_flight -= 1
            if not appended:
                held.lose()
            self._rooms.landed(held, after + len(drafts))
        return True

    def _spelled(self, state: State, wish: Wish) -> str:
        members = getattr(state, "members", None)
        return members.spelling(wish.by) if members is not None and wish.by else wish.by
