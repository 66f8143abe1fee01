"""From a wish to facts in the log: load, decide, append, fold. The only caller of `decide`."""

import asyncio
import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec

from stateroom.core.here import Command, Here, LogEntry, Proof
from stateroom.core.ids import Instant, LogKey, Name
from stateroom.core.members import fold
from stateroom.core.refusals import Refusal, RequestReused
from stateroom.core.state import Answered, State
from stateroom.engine.clock import Clock
from stateroom.engine.held import Held, Landing
from stateroom.engine.rooms import Rooms, kind_of
from stateroom.log import codec
from stateroom.log.seam import Conflict, Draft, Stamp, Store, Unavailable

ATTEMPTS = 20
BATCH = 256
"""Requests that share one append at most."""
NOBODY = Stamp("", "", "", Instant(0))
"""The stamp of an append whose drafts all bring their own."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A command, by whom, and on whose word."""

    command: Command
    by: str = ""
    via: str = ""
    request_id: str = ""
    """Chosen by the caller: the same id with the same wish has its effect once (W-73)."""
    proof: Proof = Proof()

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


def _settle(batch: list[Landing], *, landed: bool) -> None:
    for landing in batch:
        if not landing.landed.done():  # its caller may have gone
            landing.landed.set_result(landed)


class Executor:
    def __init__(self, store: Store, rooms: Rooms, clock: Clock, *, redacts: bool = True) -> None:
        self._log, self._rooms, self._clock, self._redacts = store.log, rooms, clock, redacts
        self._appends: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Let what is on its way arrive."""
        await asyncio.gather(*self._appends, return_exceptions=True)

    async def execute(self, key: LogKey, wish: Wish) -> Outcome:
        """Carry out a wish; one store round trip when nobody interferes. Raises Refusal, Unavailable.

        An Unavailable append may have happened: repeating it with the same request id finds out.
        """
        for attempt in range(ATTEMPTS):
            held = await self._rooms.hold(key)
            try:
                outcome = await self._attempt(held, wish)
            except Refusal:
                if await held.settled():
                    raise
                continue  # it was decided on what never came to be
            if outcome is not None:
                return outcome
            await asyncio.sleep(0 if attempt < 3 else 0.001 * attempt)  # let the others through
        raise Unavailable("The room is too busy right now. Repeat the call with the same request id.")

    def _answered(self, state: State, wish: Wish) -> Answered | None:
        answered = state.requests.get(wish.request()) if wish.request_id else None
        if answered is not None and answered.fingerprint != fingerprint(wish.command):
            raise RequestReused(request_id=wish.request_id)
        return answered

    async def _again(self, held: Held[Any], answered: Answered) -> Outcome | None:
        """What a request has already caused; None if it was on its way and did not arrive."""
        if not await held.settled():
            return None
        count = answered.last - answered.first + 1
        return Outcome(await self._rooms.entries(held.key, answered.first - 1, count), replayed=True)

    async def _attempt(self, held: Held[Any], wish: Wish) -> Outcome | None:
        """One try; None if another writer came first. No await between deciding and appending."""
        state = held.state
        if (answered := self._answered(state, wish)) is not None:
            return await self._again(held, answered)
        now = Instant(max(self._clock(), state.last_at))
        here = Here(Name(wish.by), now, wish.via, wish.proof, self._redacts)
        events = kind_of(held.key).decide(state, wish.command, here)
        if not events:
            return Outcome([]) if await held.settled() else None
        stamp = Stamp(self._spelled(state, wish), wish.via, wish.cause(), now)
        drafts, after = [codec.encode(event, stamp) for event in events], state.position
        entries = held.run_ahead(events, stamp)
        return Outcome(entries) if await self._land(held, after, drafts) else None

    async def _land(self, held: Held[Any], after: int, drafts: list[Draft]) -> bool:
        """Wait until a decided request is in the log. False if another writer came first. Raises Unavailable.

        One append per log is on its way at a time; what is decided meanwhile shares the next. (Two at once could be
        wrong: after a foreign entry took the first one's place, the second's position would still compare equal.)
        """
        landing = Landing(after, drafts, asyncio.get_running_loop().create_future())
        held.landing.append(landing)
        if not held.appending:
            held.appending = True
            task = asyncio.create_task(self._append_all(held))
            self._appends.add(task)
            task.add_done_callback(self._appends.discard)
        return await landing.landed

    async def _append_all(self, held: Held[Any]) -> None:
        """Append what waits, batch after batch, until nothing waits. Nobody's cancellation reaches this."""
        try:
            while held.landing and not held.lost:
                batch, held.landing = held.landing[:BATCH], held.landing[BATCH:]
                await self._append(held, batch)
        finally:
            void, held.landing = held.landing, []  # what was decided on top of a lost append
            _settle(void, landed=False)
            held.appending = False
            self._rooms.landed(held)

    async def _append(self, held: Held[Any], batch: list[Landing]) -> None:
        drafts = [draft for landing in batch for draft in landing.drafts]
        try:
            await self._log.append(held.key, batch[0].after, drafts, NOBODY)
        except Conflict:
            held.lose()
            _settle(batch, landed=False)
        except BaseException as failure:  # whether it happened is for the next load to see
            held.lose()
            for landing in batch:
                if not landing.landed.done():
                    landing.landed.set_exception(failure)
            if not isinstance(failure, Unavailable):
                raise  # a fault of ours: its callers have been told, nobody waits for ever
        else:
            held.confirm(batch[0].after + len(drafts))
            _settle(batch, landed=True)

    def _spelled(self, state: State, wish: Wish) -> str:
        members = getattr(state, "members", None)
        return members.spelling(wish.by) if members is not None and wish.by else wish.by
