"""Stored events: what was written once can be read for ever, and what cannot be read stops nothing."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest

from stateroom.core.here import Unreadable
from stateroom.core.lobby import Lobby
from stateroom.core.messages import MessagePosted
from stateroom.core.room import Room, replay
from stateroom.core.variables import VariableSet
from stateroom.core.views.analytics import analytics
from stateroom.log import codec, upcasts
from stateroom.log.seam import Record
from stateroom.testing.scenes import START, LobbyScene, Scene, stored
from stateroom.wire.room_protocol import plan_shape, told
from tests.log.samples import TALKED, WISHED, board_scene, full_scene, registered, samples, talk_scene

GOLDEN = Path(__file__).parent / "golden" / "events.jsonl"
LINES = GOLDEN.read_bytes().splitlines()


def record(body: bytes, position: int = 7) -> Record:
    return Record(position, 3, START, "ann", "key:red", "ann/r1#f", body)


def still_says(now: object, then: object) -> bool:
    """Whether every fact of then is one of now."""
    if isinstance(now, dict) and isinstance(then, dict):
        return all(name in now and still_says(now[name], fact) for name, fact in then.items())
    if isinstance(now, list) and isinstance(then, list):
        return len(now) == len(then) and all(map(still_says, now, then))
    return now == then


def named(line: bytes) -> str:
    return msgspec.json.decode(line)["event"]


def test_every_kind_of_event_has_a_stored_sample():
    """A new event or version adds a line to the golden file; nobody ever edits one."""
    assert {named(line) for line in LINES} == set(codec.KINDS) == set(samples())


@pytest.mark.parametrize("line", LINES, ids=named)
def test_stored_samples_are_read_for_ever(line):
    """Each golden line decodes to the event it names, and would be stored again with the same facts: at most with
    fields beside them that have been added since, which mean the same as their absence."""
    event = codec.decode(record(line)).event
    assert type(event).__name__ == named(line)
    again = codec.encode(event).body
    assert still_says(msgspec.json.decode(again), msgspec.json.decode(line))
    assert codec.decode(record(again)).event == event


@pytest.mark.parametrize("line", LINES, ids=named)
def test_fields_of_a_later_day_are_passed_over(line):
    """A field that a newer server of the same version adds does not hide the rest."""
    stored = msgspec.json.decode(line)
    later = {**stored, "facts": {**stored["facts"], "later": {"a": [1]}}}
    assert codec.decode(record(msgspec.json.encode(later))) == codec.decode(record(line))


@pytest.mark.parametrize("line", LINES, ids=named)
def test_half_an_event_is_no_event(line):
    """Wherever it is cut off, a body becomes a marker and never an error."""
    for end in range(0, len(line), 7):
        assert isinstance(codec.decode(record(line[:end])).event, Unreadable)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"null",
        b"[]",
        b'"VariableSet"',
        b"{}",
        b'{"event":"VariableSet","facts":{"key":"k","value":"v"}}',
        b'{"event":"VariableSet","version":"1","facts":{"key":"k","value":"v"}}',
        b'{"event":"Nonsense","version":1,"facts":{}}',
        b'{"event":"Unreadable","version":1,"facts":{"reason":"forged"}}',
        b'{"event":"TaskChanged","version":1,"facts":{}}',
        b'{"event":"VariableSet","version":1,"facts":{"key":1,"value":"x"}}',
        b'{"event":"VariableSet","version":1,"facts":{"key":"k"}}',
        b'{"event":"VariableSet","version":1,"facts":[]}',
        b'{"event":"VariableSet","version":1,"facts":null}',
        b'{"event":"VariableSet","version":2,"facts":{"key":"k","value":"v"}}',
        b'{"event":"VariableSet","version":0,"facts":{"key":"k","value":"v"}}',
        b'{"event":"VariableSet","version":1,"facts":{"key":"k","value":"\xff"}}',
        b'{"event":"VariableSet","version":1',
        b'{"event":"MessagePosted","version":1,"facts":{"type":"t","to":"all","payload":' + b'{"a":' * 9000 + b"1",
        b'{"event":"MessagePosted","version":1,"facts":{"type":"t","to":"all","payload":'
        + b'{"a":' * 9000
        + b"1"
        + b"}" * 9002,
    ],
)
def test_what_cannot_be_read_becomes_a_marker(body):
    """Corrupt, unknown, too deep or newer: a marker stands in its place and says which entry it was."""
    entry = codec.decode(record(body))
    assert isinstance(entry.event, Unreadable)
    assert "entry 7" in entry.event.reason
    assert (entry.position, entry.line, entry.at, entry.by) == (7, 3, START, "ann")
    assert (entry.via, entry.cause) == ("key:red", "ann/r1#f")


SCENES = {"state": full_scene(), "talk": talk_scene()}
PLACES = [(name, place) for name, scene in SCENES.items() for place in range(len(scene.log))]
"""Every entry of either log."""


def broken_log(*gone, scene=SCENES["state"]):
    """The log of everything, with these of its entries unreadable."""
    return [replace(entry, event=Unreadable("test")) if n in gone else entry for n, entry in enumerate(scene.log)]


@pytest.mark.parametrize(("name", "gone"), PLACES)
def test_any_single_entry_may_become_unreadable(name, gone):
    """A long mixed log with any of its entries gone still folds to its end, and every later position is kept."""
    log, whole = broken_log(gone, scene=SCENES[name]), SCENES[name].room
    room = replay(log)
    assert (room.position, room.lines, room.last_at) == (whole.position, whole.lines, whole.last_at)
    assert codec.decode_state(codec.encode_state(room), Room) == room


@pytest.mark.parametrize("gone", range(len(full_scene().log)))
def test_a_room_with_an_unreadable_entry_is_a_room(gone):
    """It can be shown, counted and asked for its next deadline, and every wish there is gets an answer in it."""
    log = broken_log(gone)
    scene = Scene()
    scene.state = replay(log)
    assert len(told(log, scene.room, "demo")) == scene.room.messages.told
    assert analytics(scene.room, 7, START).events == scene.room.messages.told
    assert plan_shape(scene.room, "demo", START)["tasks"]
    scene.room.next_due()
    for by, wish, *_ in WISHED:
        scene.when(by, wish)


@pytest.mark.parametrize("gone", range(len(talk_scene().log)))
def test_a_conversation_with_an_unreadable_entry_goes_on(gone):
    """It can be counted and asked for its next deadline, and everything said gets an answer in it: yes or no."""
    log = broken_log(gone, scene=SCENES["talk"])
    scene = Scene()
    scene.state = replay(log)
    assert len(told(log, scene.room, "talk")) == scene.room.messages.told
    scene.room.next_due()
    for by, wish, at_ms, proof in TALKED:
        scene.when(by, wish, 200_000 + at_ms, proof=proof)


def test_a_log_of_nothing_readable_is_an_empty_room():
    """With all its positions, so that nothing new takes an old place."""
    room = replay(broken_log(*range(len(full_scene().log))))
    assert (room.position, room.messages.told) == (full_scene().room.position, room.position)
    assert room.board.tasks == room.context.entries == room.leases.held == {}


def test_an_old_shape_is_lifted_step_by_step():
    """Version 1 of an old name goes through every lift to the newest form."""
    lifts = {
        ("VarSet", 1): lambda facts: ("VarSet", 2, {**facts, "value": facts["val"]}),
        ("VarSet", 2): lambda facts: ("VariableSet", 1, {"key": facts["key"], "value": facts["value"]}),
    }
    lifted = upcasts.lift("VarSet", 1, {"key": "k", "val": "v"}, lifts)
    assert lifted == ("VariableSet", 1, {"key": "k", "value": "v"})
    assert upcasts.lift("VariableSet", 1, {"key": "k"}, lifts) == ("VariableSet", 1, {"key": "k"})


def test_what_was_stored_in_an_old_shape_is_read(monkeypatch):
    """Lifts are applied on the way in; a lift that cannot make sense of what it finds makes a marker."""
    lifts = {("VariableSet", 0): lambda facts: ("VariableSet", 1, {"key": facts["name"], "value": facts["value"]})}
    monkeypatch.setattr(upcasts, "lift", partial(upcasts.lift, lifts=lifts))
    old = b'{"event":"VariableSet","version":0,"facts":{"name":"k","value":"v"}}'
    assert codec.decode(record(old)).event == VariableSet("k", "v")
    for facts in (b"{}", b"[]", b"null", b'"name"', b'{"name":1,"value":"v"}'):
        event = codec.decode(record(b'{"event":"VariableSet","version":0,"facts":' + facts + b"}")).event
        assert isinstance(event, Unreadable)


def test_a_newer_version_is_told_from_nonsense(monkeypatch):
    """Where version 2 is the newest, version 1 is lifted, 2 is read, and 3 is said to be newer."""
    monkeypatch.setitem(codec.VERSIONS, "VariableSet", 2)
    lifts = {("VariableSet", 1): lambda facts: ("VariableSet", 2, {"key": facts["name"], "value": "v"})}
    monkeypatch.setattr(upcasts, "lift", partial(upcasts.lift, lifts=lifts))
    bodies = [
        f'{{"event":"VariableSet","version":{n},"facts":{{"name":"k","key":"k","value":"v"}}}}' for n in (1, 2, 3)
    ]
    one, two, three = [codec.decode(record(body.encode())).event for body in bodies]
    assert one == two == VariableSet("k", "v")
    assert "VariableSet version 3 is newer" in three.reason
    assert codec.encode(one).body.startswith(b'{"event":"VariableSet","version":2,')


def test_a_draft_says_whether_it_is_a_line():
    """The store numbers lines without reading bodies."""
    assert codec.encode(MessagePosted("hi", "all", {})).line
    assert not codec.encode(VariableSet("k", "v")).line


def test_a_scenes_log_is_what_a_store_would_give_back():
    """Records of a scene decode to its entries."""
    for scene in (full_scene(), talk_scene(), board_scene(), registered()):
        assert codec.decode_all([stored(entry) for entry in scene.log]) == scene.log


@pytest.mark.parametrize("scene", [full_scene(), talk_scene(), board_scene(), registered(), Scene(), LobbyScene()])
def test_a_snapshot_comes_back_the_same(scene):
    """To the last byte."""
    snapshot = codec.encode_state(scene.state)
    again = codec.decode_state(snapshot, type(scene.state))
    assert again == scene.state
    assert codec.encode_state(again) == snapshot


def test_a_useless_snapshot_is_as_good_as_none():
    """Of another shape, of another kind of log, cut off, or garbage."""
    snapshot = codec.encode_state(full_scene().room)
    assert codec.decode_state(snapshot, Room) is not None
    assert codec.decode_state(snapshot, Lobby) is None
    for useless in (b"0" * 16 + snapshot[16:], snapshot[:-5], snapshot[:17], b"", b"\n", b"\xff\n{}", snapshot[17:]):
        assert codec.decode_state(useless, Room) is None


def test_a_snapshot_of_other_rules_is_ignored(monkeypatch):
    """Raising FOLDS_VERSION changes every state's fingerprint, so folds can change what they make of old entries."""
    before = codec._fingerprint(Room)
    assert before == codec.SHAPES[Room] != codec.SHAPES[Lobby]
    monkeypatch.setattr(codec, "FOLDS_VERSION", codec.FOLDS_VERSION + 1)
    assert codec._fingerprint(Room) != before
