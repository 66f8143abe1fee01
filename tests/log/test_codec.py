"""Stored events: what was written once can be read for ever, and what cannot be read stops nothing."""

from pathlib import Path

import msgspec
import pytest

from stateroom.core.here import LogEntry, Unreadable
from stateroom.core.room import replay
from stateroom.log import codec, upcasts
from stateroom.log.seam import Record
from stateroom.testing.scenes import Scene
from tests.log.samples import full_scene

GOLDEN = Path(__file__).parent / "golden" / "events.jsonl"


def record(position: int, body: bytes) -> Record:
    return Record(position, 0, 1, "ann", "test", "", body)


def test_every_kind_of_event_has_a_stored_sample():
    """A new event adds a line to the golden file; nobody ever edits one."""
    sampled = {msgspec.json.decode(line)["event"] for line in GOLDEN.read_bytes().splitlines()}
    assert sampled == set(codec.KINDS)


@pytest.mark.parametrize("line", GOLDEN.read_bytes().splitlines(), ids=lambda line: msgspec.json.decode(line)["event"])
def test_stored_samples_are_read_for_ever(line):
    """Each golden line decodes to the event it names, and encodes to the same facts."""
    event = codec.decode(record(1, line)).event
    assert type(event).__name__ == msgspec.json.decode(line)["event"]
    assert msgspec.json.decode(codec.encode(event).body)["facts"] == msgspec.json.decode(line)["facts"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"null",
        b'{"event":"Nonsense","version":1,"facts":{}}',
        b'{"event":"VariableSet","version":1,"facts":{"key":1,"value":"x"}}',
        b'{"event":"VariableSet","version":1,"facts":{"key":"k"}}',
        b'{"event":"VariableSet","version":9,"facts":{"key":"k","value":"v"}}',
        b'{"event":"VariableSet","version":1,"facts":{"key":"k","value":"\xff"}}',
        b'{"event":"VariableSet","version":1',
    ],
)
def test_what_cannot_be_read_becomes_a_marker(body):
    """A corrupt, unknown or newer entry is no error: a marker stands in its place and says which entry it was."""
    event = codec.decode(record(7, body)).event
    assert isinstance(event, Unreadable)
    assert "entry 7" in event.reason
    assert event.told


def test_any_single_entry_may_become_unreadable():
    """A long mixed log, with each entry in turn replaced by a marker, still folds to its end."""
    log = full_scene().log
    for gone in range(len(log)):
        broken = [
            LogEntry(e.position, e.line, e.at, e.by, e.via, e.cause, Unreadable("test")) if n == gone else e
            for n, e in enumerate(log)
        ]
        assert replay(broken).position == log[-1].position


def test_an_old_shape_is_lifted_step_by_step():
    """Version 1 of an old name goes through every lift to the newest form."""
    lifts = {
        ("VarSet", 1): lambda facts: ("VarSet", 2, {**facts, "value": facts["val"]}),
        ("VarSet", 2): lambda facts: ("VariableSet", 1, {"key": facts["key"], "value": facts["value"]}),
    }
    lifted = upcasts.lift("VarSet", 1, {"key": "k", "val": "v"}, lifts)
    assert lifted == ("VariableSet", 1, {"key": "k", "value": "v"})


def test_a_snapshot_of_other_rules_is_ignored():
    """A snapshot says which shape it has; another shape, or garbage, is as good as none."""
    snapshot = codec.encode_state(Scene().room)
    assert codec.decode_state(snapshot, type(Scene().room)) is not None
    assert codec.decode_state(b"0" * 16 + snapshot[16:], type(Scene().room)) is None
    assert codec.decode_state(snapshot[:-5], type(Scene().room)) is None
    assert codec.decode_state(b"", type(Scene().room)) is None
