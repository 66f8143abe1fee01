"""Events to bytes and back, and whole states to bytes and back.

A stored event is `{"event": name, "version": n, "facts": {…}}`. Names and fields never change once released; a new
shape is a new version, and `upcasts` lifts the old one. A body nobody can read becomes an `Unreadable` in its place.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from stateroom.core import lobby, project, remembering, room
from stateroom.core.here import Event, LogEntry, Unreadable
from stateroom.core.ids import Name, Position
from stateroom.core.state import State
from stateroom.log import upcasts
from stateroom.log.seam import Draft, Record, Stamp

KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in (*room.FOLDS, *lobby.FOLDS, *remembering.FOLDS)}
VERSIONS: dict[str, int] = {}
"""Events whose newest version is not 1."""
FOLDS_VERSION = 1
"""Raise when a fold changes what it makes of the same entries: older snapshots are then ignored."""


S = TypeVar("S", bound=State)


class _Envelope(msgspec.Struct):
    event: str
    version: int
    facts: msgspec.Raw


_encoder = msgspec.json.Encoder()
_envelopes = msgspec.json.Decoder(_Envelope)
_facts = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}


def encode(event: Event, stamp: Stamp | None = None) -> Draft:
    """A draft of an event, ready to be appended, with a stamp of its own where it shares an append."""
    name = type(event).__name__
    body = {"event": name, "version": VERSIONS.get(name, 1), "facts": event}
    return Draft(_encoder.encode(body), event.line, stamp)


def decode(record: Record) -> LogEntry:
    """The entry a record stands for; one that cannot be read comes back as `Unreadable`, never as an error."""
    try:
        event = _event(record.body)
    except (msgspec.DecodeError, KeyError, UnicodeDecodeError, RecursionError) as broken:
        event = Unreadable(f"entry {record.position} could not be read: {broken}")
    return LogEntry(Position(record.position), record.line, record.at, Name(record.by), record.via, record.cause, event)


def _event(body: bytes) -> Event:
    envelope = _envelopes.decode(body)
    newest = VERSIONS.get(envelope.event, 1)
    if envelope.version == newest and envelope.event in _facts:
        return _facts[envelope.event].decode(envelope.facts)
    facts = msgspec.json.decode(envelope.facts, type=upcasts.Facts)
    name, version, lifted = upcasts.lift(envelope.event, envelope.version, facts)
    if version != VERSIONS.get(name, 1):
        raise msgspec.DecodeError(f"{name} version {version} is newer than this server")
    return msgspec.convert(lifted, KINDS[name])


def decode_all(records: Sequence[Record]) -> list[LogEntry]:
    return [decode(record) for record in records]


def _fingerprint(kind: type[State]) -> str:
    schema: Any = msgspec.json.schema(kind)
    return hashlib.sha256(msgspec.json.encode([FOLDS_VERSION, schema], order="sorted")).hexdigest()[:16]


SHAPES: dict[type[State], str] = {kind: _fingerprint(kind) for kind in (room.Room, lobby.Lobby, project.Project)}
"""A fingerprint of each state's shape and folds: a snapshot made under another one is ignored."""


def encode_state(state: State) -> bytes:
    """A snapshot: the shape's fingerprint, a newline, the state."""
    return SHAPES[type(state)].encode() + b"\n" + _encoder.encode(state)


def decode_state(snapshot: bytes, kind: type[S]) -> S | None:
    """The state of a snapshot, or None if it was made by another version of the rules or cannot be read."""
    shape, _, body = snapshot.partition(b"\n")
    if shape.decode(errors="replace") != SHAPES[kind]:
        return None
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError:
        return None
