"""Minutes on request, reports that stay as they are, and decisions made into context (agent-room §15; gaps 41, 58, 80
to 83).

A report shows a room as it stood at a position: its log is read up to there and folded anew, so nothing that happens
meanwhile gets into it. An exported one is a blob of its own, found by an id that can not be guessed, and outlives its
room.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import msgspec

from stateroom.core.context import ContextEntry, ContextFact
from stateroom.core.here import LogEntry, Unreadable
from stateroom.core.ids import Instant, Name, Position
from stateroom.core.lobby import LOBBY, FileReport, RoomCard
from stateroom.core.members import refuse_removed
from stateroom.core.refusals import UnknownArtifact, UnknownReport
from stateroom.core.reports import KeepReport
from stateroom.core.room import Room
from stateroom.core.views import artifacts
from stateroom.core.views.artifacts import Artifact
from stateroom.core.views.minutes import Report, minutes
from stateroom.engine.access import Caller
from stateroom.engine.clock import fresh_key
from stateroom.engine.conversation import NO_KEYS, Keys
from stateroom.engine.engine import Engine
from stateroom.engine.execute import Wish
from stateroom.engine.replays import replayed
from stateroom.log import codec
from stateroom.log.seam import Record, Unavailable

VERSION = 1
"""Of the blob. A new shape is a new version, and the old one is read for ever."""
MANY_LINES = 5_000
"""From so many on, a report is made beside the event loop."""
BYTES_A_LINE = 500
"""Of a blob, roughly."""
T = TypeVar("T")


async def current(engine: Engine, card: RoomCard) -> Report:
    """The room as it stands now, all its lines included. Raises Unavailable."""
    async with replayed(engine, card) as replay:
        now = engine.clock()
        return await _beside(len(replay.lines), lambda: minutes(replay.room, replay.lines, now))


async def _beside(lines: int, work: Callable[[], T]) -> T:
    """What takes long is done beside the event loop, so that nobody waits for it."""
    return await asyncio.to_thread(work) if lines > MANY_LINES else work()


async def export(engine: Engine, caller: Caller, card: RoomCard, by: str, keys: Keys = NO_KEYS) -> tuple[str, Report]:
    """Freeze the room as it stands, also an ended one. Whoever has the id can read it, for as long as the store lives.

    Raises NotParticipant for who was removed, SeatKeyNeeded, BadName, Unavailable. Before it is complete nobody knows
    its id.
    """
    name = engine.speaks_as(caller, by)
    await engine.view(card, lambda room: refuse_removed(room.members, name))
    report = replace(await current(engine, card), id=fresh_key())
    digest = await engine.store.blobs.put(await _beside(report.message_count, lambda: encode(report)))
    await engine.executor.execute(LOBBY, Wish(FileReport(report.id, card.key, digest), via=caller.via))
    keeping = KeepReport(report.id, digest, report.position)
    proof = caller.proof(keys.host, keys.seat)
    await engine.execute(caller, card, keeping, name, proof=proof)
    return report.id, report


async def kept(engine: Engine, report_id: str) -> Report:
    """A report as it was when it was exported, by its id alone. Raises UnknownReport, Unavailable."""
    filed = await engine.rooms.view(LOBBY, lambda lobby: lobby.reports.get(report_id))
    if filed is None:  # another server may have just filed it, and the hint is still on its way
        engine.rooms.suspect(LOBBY)
        filed = await engine.rooms.view(LOBBY, lambda lobby: lobby.reports.get(report_id))
    if filed is None:
        raise UnknownReport(report=report_id[:200])
    return await _read(engine, filed.digest)


async def newest(engine: Engine, card: RoomCard) -> tuple[str, Report] | None:
    """The report that was exported last, if there is one. Raises Unavailable."""
    found = await engine.view(card, lambda room: room.reports.newest())
    return (found.id, await _read(engine, found.digest)) if found else None


async def _read(engine: Engine, digest: str) -> Report:
    blob = await engine.store.blobs.get(digest)
    if blob is None:
        raise Unavailable(f"The report {digest[:12]}… is missing from the store.")
    return await _beside(len(blob) // BYTES_A_LINE, lambda: decode(blob))


async def keep_decision(
    engine: Engine, caller: Caller, card: RoomCard, artifact_id: str, by: str, keys: Keys = NO_KEYS
) -> ContextEntry:
    """Make a decision a context entry that links back to its line. Doing it twice returns the entry there is.

    Raises UnknownArtifact, RoomHasEnded, NotParticipant, SeatKeyNeeded, Unavailable.
    """
    decision, entry = await _decision(engine, card, artifact_id)
    there, number = await engine.view(card, lambda room: (_kept_as(room, decision.id), room.context.last_number))
    if there is not None:
        return there
    writing = artifacts.as_context(decision, entry, card.code)
    request = f"decision/{decision.id}/{number}"  # the number, because an entry that was withdrawn may come back
    proof = caller.proof(keys.host, keys.seat)
    outcome = await engine.execute(caller, card, writing, engine.speaks_as(caller, by), request, proof)
    return next(made.event.entry for made in outcome.entries if isinstance(made.event, ContextFact))


async def _decision(engine: Engine, card: RoomCard, artifact_id: str) -> tuple[Artifact, LogEntry]:
    """The decision of an id, with its line. Raises UnknownArtifact, also when the line was withdrawn."""
    position = artifacts.source_of(artifact_id) or Position(0)
    entry = await engine.entry(card, position)
    gone = await engine.view(card, lambda room: position in room.messages.withdrawn)
    made = artifacts.of_kind(artifacts.of(entry), "decision") if entry and not gone else []
    found = next((one for one in made if one.id == artifact_id), None)
    if entry is None or found is None:
        raise UnknownArtifact(artifact=artifact_id[:50])
    return found, entry


def _kept_as(room: Room, artifact_id: str) -> ContextEntry | None:
    def comes_from_it(entry: ContextEntry) -> bool:
        source = entry.payload.get("source")
        return entry.type == "arch_decision" and isinstance(source, dict) and source.get("artifact") == artifact_id

    return next((entry for entry in room.context.entries.values() if comes_from_it(entry)), None)


class _Line(msgspec.Struct):
    """A line of a frozen transcript. Its event is kept as in a log, so that old ones are lifted like any other."""

    position: int
    line: int
    at: int
    by: str
    event: msgspec.Raw
    unreadable: str = ""
    """Why there is no event to be read."""


class _Blob(msgspec.Struct):
    version: int
    report: msgspec.Raw
    lines: list[_Line]


_NOTHING = msgspec.Raw(b"null")


def encode(report: Report) -> bytes:
    """A report as JSON, for a blob."""
    bare = msgspec.json.encode(replace(report, lines=()))
    return msgspec.json.encode(_Blob(VERSION, msgspec.Raw(bare), [_encode_line(entry) for entry in report.lines]))


def _encode_line(entry: LogEntry) -> _Line:
    place = (entry.position, entry.line, entry.at, entry.by)
    if isinstance(entry.event, Unreadable):
        return _Line(*place, _NOTHING, entry.event.reason)
    return _Line(*place, msgspec.Raw(codec.encode(entry.event).body))


def decode(blob: bytes) -> Report:
    """A report from its blob. Raises Unavailable for one that a newer server has written."""
    try:
        found = msgspec.json.decode(blob, type=_Blob)
        bare = msgspec.json.decode(found.report, type=Report)
    except msgspec.DecodeError as broken:
        raise Unavailable(f"The report can not be read by this version of the server: {broken}") from broken
    return replace(bare, lines=tuple(_decode_line(line) for line in found.lines))


def _decode_line(line: _Line) -> LogEntry:
    if line.unreadable:
        place = (Position(line.position), line.line, Instant(line.at), Name(line.by))
        return LogEntry(*place, "", "", Unreadable(line.unreadable))
    return codec.decode(Record(line.position, line.line, Instant(line.at), line.by, "", "", bytes(line.event)))
