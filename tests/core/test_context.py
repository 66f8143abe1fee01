"""Typed, versioned documents that members write for each other."""

import pytest

from stateroom.core.context import (
    ContextRevised,
    ContextWithdrawn,
    ContextWritten,
    ReviseContext,
    Revision,
    WithdrawContext,
    WriteContext,
    next_version,
)
from stateroom.core.payloads import CONTEXT_TYPES, EXAMPLES
from stateroom.core.refusals import BadPayload, BadText, ContextMoved, PayloadTooLarge, TooLong, UnknownContext
from stateroom.testing.scenes import START, Scene

NOTE = ("ann", WriteContext("note", "s", {"text": "t"}, ("bob",)))
"""C-01, at position 2: ann's arrival comes first."""
ENDPOINT = {"method": "GET", "path": "/me", "auth_required": True, "description": "d"}


def contract(**response):
    return {"service": "s", "version": "1", "endpoints": [{**ENDPOINT, "response": response}]}


@pytest.mark.parametrize(
    ("by", "wish", "expected"),
    [
        ("ann", WriteContext("note", "s", {"text": "t"}), ContextWritten),
        ("ann", WriteContext("note", "", {"text": "t"}), ContextWritten),
        ("ann", WriteContext("note", "s", {"text": ""}), BadPayload),
        ("ann", WriteContext("note", "s", {}), BadPayload),
        ("ann", WriteContext("task", "s", {"text": "t"}), BadPayload),
        ("ann", WriteContext("poem", "s", {"text": "t"}), BadPayload),
        ("ann", WriteContext("note", "s" * 4001, {"text": "t"}), TooLong),
        ("ann", WriteContext("note", "s\x00", {"text": "t"}), BadText),
        ("ann", WriteContext("note", "s", {"text": "t"}, ("x",) * 51), TooLong),
        ("ann", WriteContext("note", "s", {"text": "t"}, ("x" * 129,)), TooLong),
        ("ann", WriteContext("note", "s", {"text": "x" * 64_000}), PayloadTooLarge),
        ("ann", WriteContext("note", "s", {"text": "\ud800"}), BadText),
        ("bob", ReviseContext("C-01", summary="new"), ContextRevised),
        ("bob", ReviseContext("C-01", payload={"text": "new"}), ContextRevised),
        ("bob", ReviseContext("C-01", payload={"text": "t", "extra": 1}), ContextRevised),
        ("bob", ReviseContext("C-01", consumers=("cyn",)), ContextRevised),
        ("bob", ReviseContext("C-01", consumers=()), ContextRevised),
        ("bob", ReviseContext("C-01", summary="new", expected_version="1.0"), ContextRevised),
        ("bob", ReviseContext("C-01"), ()),
        ("bob", ReviseContext("C-01", summary="s", payload={"text": "t"}, consumers=("bob",)), ()),
        ("bob", ReviseContext("C-01", expected_version="1.0"), ()),
        ("bob", ReviseContext("C-02", summary="x"), UnknownContext),
        ("bob", ReviseContext("c-01", summary="x"), UnknownContext),
        ("bob", ReviseContext("C-01", summary="x", expected_version="1.1"), ContextMoved),
        ("bob", ReviseContext("C-01", summary="x", expected_version=""), ContextMoved),
        ("bob", ReviseContext("C-01", expected_version="1.1"), ContextMoved),
        ("bob", ReviseContext("C-01", payload={"other": 1}), BadPayload),
        ("bob", ReviseContext("C-01", payload={}), BadPayload),
        ("bob", ReviseContext("C-01", summary="x" * 4001), TooLong),
        ("bob", ReviseContext("C-01", consumers=("x",) * 51), TooLong),
        ("bob", ReviseContext("C-01", payload={"text": "x" * 64_000}), PayloadTooLarge),
        ("bob", WithdrawContext("C-01"), ContextWithdrawn),
        ("bob", WithdrawContext("C-02"), UnknownContext),
    ],
)
def test_what_follows_from_a_wish(by, wish, expected):
    """With one note on the shelf: each wish has exactly this fact, none, or this refusal (W-25, W-27)."""
    Scene(NOTE).when(by, wish).then(*(expected if isinstance(expected, tuple) else (expected,)))


@pytest.mark.parametrize("type", CONTEXT_TYPES)
def test_every_type_can_be_written(type):
    """The types are a closed set, and each has an example that holds."""
    Scene().when("ann", WriteContext(type, "s", dict(EXAMPLES[type]))).then(ContextWritten)


def test_an_entry_is_written_whole():
    """Id, author, version and time are the room's to give."""
    entry = Scene(NOTE).room.context.find("C-01")
    assert (entry.id, entry.type, entry.author, entry.version, entry.written_at) == (
        "C-01",
        "note",
        "ann",
        "1.0",
        START,
    )
    assert (entry.summary, entry.consumers, entry.payload) == ("s", ("bob",), {"text": "t"})


def test_fields_that_no_shape_names_are_kept():
    """Also inside endpoints (W-26)."""
    payload = {**contract(id="string"), "owner": "me"}
    payload["endpoints"][0]["rate_limit"] = 5
    scene = Scene(("ann", WriteContext("api_contract", "s", payload)))
    assert scene.room.context.find("C-01").payload == payload


def test_what_is_wrong_is_named():
    """With the path of the field, as clients know it (protocol §2.2)."""
    answer = Scene(NOTE).when("ann", ReviseContext("C-01", payload={"text": 7}))
    answer.then(BadPayload, type="note", problems="text: Expected string, received number")


def test_revising_replaces_what_is_given_and_keeps_the_rest():
    """Type and id never change; the author is who revised; the earlier version is where it was."""
    scene = Scene(NOTE)
    scene.when("bob", ReviseContext("C-01", summary="new"), at_ms=5).then(ContextRevised, previous_version="1.0")
    entry = scene.room.context.find("C-01")
    assert (entry.id, entry.type, entry.author, entry.version, entry.written_at) == (
        "C-01",
        "note",
        "bob",
        "1.1",
        START + 5,
    )
    assert (entry.summary, entry.payload, entry.consumers) == ("new", {"text": "t"}, ("bob",))
    assert scene.room.context.revisions["C-01"] == [Revision("1.0", 2), Revision("1.1", 4)]


def test_a_new_author_alone_is_no_new_version():
    """Saying again what is there already changes nothing (W-30)."""
    scene = Scene(NOTE)
    scene.when("bob", ReviseContext("C-01", summary="s")).then()
    assert scene.room.context.find("C-01").author == "ann"


@pytest.mark.parametrize(("was", "now"), [({"n": 1}, {"n": True}), ({"n": [0]}, {"n": [False]}), ({}, {"n": None})])
def test_one_is_not_true(was, now):
    """To Python 1 equals true; in a document that is a change, and it was once silently dropped."""
    scene = Scene(("ann", WriteContext("note", "s", {"text": "t", **was})))
    scene.when("ann", ReviseContext("C-01", payload={"text": "t", **now})).then(ContextRevised)


def test_the_order_of_keys_is_no_change():
    """An object is not its spelling."""
    scene = Scene(("ann", WriteContext("note", "s", {"text": "t", "a": {"b": 1, "c": 2}})))
    scene.when("ann", ReviseContext("C-01", payload={"a": {"c": 2, "b": 1}, "text": "t"})).then()


@pytest.mark.parametrize(
    ("version", "following"),
    [
        ("1.0", "1.1"),
        ("1.9", "1.10"),
        ("2.3", "2.4"),
        ("1.2.3", "1.3"),
        ("x", "1.0"),
        ("1", "1.0"),
        ("1.x", "1.0"),
        ("", "1.0"),
    ],
)
def test_the_minor_version_rises(version, following):
    """What is no version starts again (protocol §2.2)."""
    assert next_version(version) == following


def test_versions_rise_past_nine():
    """1.9 is followed by 1.10, and each knows its place in the log."""
    scene = Scene(NOTE, *[("ann", ReviseContext("C-01", summary=str(n))) for n in range(11)])
    revisions = scene.room.context.revisions["C-01"]
    assert [revision.version for revision in revisions] == [f"1.{n}" for n in range(12)]
    assert [revision.position for revision in revisions] == list(range(2, 14))


def test_two_writers_cannot_both_make_one_version():
    """The second is told what there is now (W-25)."""
    scene = Scene(NOTE, ("bob", ReviseContext("C-01", summary="bob's", expected_version="1.0")))
    late = scene.when("cyn", ReviseContext("C-01", summary="cyn's", expected_version="1.0"))
    late.then(ContextMoved, context="C-01", actual="1.1", expected="1.0")


def test_only_consumers_are_told():
    """Without consumers nobody hears of an entry; of its end everybody does (protocol §2.3)."""
    scene = Scene()
    quiet = WriteContext("note", "s", {"text": "t"})
    assert scene.when("ann", quiet).told == []
    assert scene.when("ann", ReviseContext("C-01", summary="s2")).told == []
    assert scene.when("ann", ReviseContext("C-01", consumers=("bob",))).told == ["ContextRevised"]
    assert scene.when("ann", ReviseContext("C-01", consumers=())).told == []
    assert scene.when("ann", WithdrawContext("C-01")).told == ["ContextWithdrawn"]
    assert scene.when(*NOTE).told == ["ContextWritten"]


def test_a_contract_says_what_it_breaks():
    """In the fact itself, so that consumers are told (W-31); other types make no promises."""
    scene = Scene(("ann", WriteContext("api_contract", "s", contract(id="string", mail="string"), ("bob",))))
    answer = scene.when("ann", ReviseContext("C-01", payload=contract(id="string")))
    answer.then(ContextRevised)
    assert any("mail" in sentence for sentence in answer["breaking"])
    Scene(NOTE).when("ann", ReviseContext("C-01", payload={"text": "t2"})).then(ContextRevised, breaking=())


def test_a_withdrawn_entry_is_gone_with_its_history():
    """Nothing can be read or revised any more (W-28), and its id is not given to another."""
    scene = Scene(NOTE, ("ann", WithdrawContext("C-01")))
    assert scene.room.context.entries == scene.room.context.revisions == {}
    scene.when("ann", ReviseContext("C-01", summary="x")).then(UnknownContext)
    scene.do(*NOTE)
    assert list(scene.room.context.entries) == ["C-02"]


def test_fresh_context_is_counted_by_position():
    """Written or revised after a position, once however often; what is withdrawn is not new (W-08)."""
    scene = Scene(NOTE, NOTE, ("ann", ReviseContext("C-01", summary="2")), ("ann", ReviseContext("C-01", summary="3")))
    written_since = scene.room.context.written_since
    assert [written_since(position) for position in range(6)] == [2, 2, 2, 1, 1, 0]
    scene.do("ann", WithdrawContext("C-01"))
    assert written_since(0) == 1
