"""What is said, who has read it, and what is taken back."""

import pytest

from stateroom.core.leases import TakeLease
from stateroom.core.members import Join
from stateroom.core.messages import (
    DAY_MS,
    DAYS_KEPT,
    MarkRead,
    MessagePosted,
    MessageRead,
    MessageWithdrawn,
    PostMessage,
    WithdrawMessage,
)
from stateroom.core.refusals import BadText, PayloadTooLarge, TooDeep, TooLong, UnknownEvent
from stateroom.core.variables import SetVariable
from stateroom.testing.scenes import START, Scene

HI = ("ann", PostMessage("hi", "all", {"n": 1}))
"""In an empty room this is two entries: ann's arrival, and at position 2 the message."""


def nested(levels):
    payload = {}
    for _ in range(levels - 1):
        payload = {"in": payload}
    return payload


@pytest.mark.parametrize(
    ("by", "wish", "expected"),
    [
        ("ann", PostMessage("hi", "all", {"n": 1}), MessagePosted("hi", "all", {"n": 1})),
        ("ann", PostMessage("", "", {}), MessagePosted("", "", {})),
        ("ann", PostMessage("re", "bob", {}, "E-9"), MessagePosted("re", "bob", {}, "E-9")),
        ("ann", PostMessage("hi", "all", {"a": [1, 2.5, None, True, "é", 2**70]}), MessagePosted),
        ("ann", PostMessage("hi", "all", nested(64)), MessagePosted),
        ("ann", PostMessage("hi", "all", nested(65)), TooDeep),
        ("ann", PostMessage("x" * 129, "all", {}), TooLong),
        ("ann", PostMessage("x", "x" * 129, {}), TooLong),
        ("ann", PostMessage("x", "all", {}, "x" * 129), TooLong),
        ("ann", PostMessage("x", "all", {"a": "x" * 64_000}), PayloadTooLarge),
        ("ann", PostMessage("x", "all", {"a": ["\x00"]}), BadText),
        ("ann", PostMessage("x\ud800", "all", {}), BadText),
        ("ann", MarkRead(2), MessageRead(2)),
        ("bob", MarkRead(2), MessageRead(2)),
        ("bob", MarkRead(1), UnknownEvent),
        ("bob", MarkRead(3), UnknownEvent),
        ("bob", MarkRead(0), UnknownEvent),
        ("bob", MarkRead(-1), UnknownEvent),
        ("ann", WithdrawMessage(2), MessageWithdrawn(2)),
        ("bob", WithdrawMessage(2), MessageWithdrawn(2)),
        ("ann", WithdrawMessage(1), UnknownEvent),
        ("ann", WithdrawMessage(3), UnknownEvent),
        ("ann", WithdrawMessage(0), UnknownEvent),
    ],
)
def test_what_follows_from_a_wish(by, wish, expected):
    """After one message at position 2: each wish has exactly this fact or refusal."""
    Scene(HI).when(by, wish).then(expected)


def test_an_unknown_event_is_named_as_clients_know_it():
    """`E-` and its position."""
    Scene(HI).when("ann", MarkRead(7)).then(UnknownEvent, event="E-7")


def test_a_receipt_counts_each_reader_once():
    """In whatever spelling it comes back, and the room is not told (W-09)."""
    scene = Scene(HI, ("Bob", MarkRead(2)))
    scene.when("BOB ", MarkRead(2)).then()
    answer = scene.when("cyn", MarkRead(2))
    assert answer.told == []
    assert scene.room.messages.read_by(2) == ["Bob", "cyn"]


def test_readers_are_those_of_that_event_only():
    """What nobody has marked has no readers."""
    scene = Scene(HI, HI, ("bob", MarkRead(2)))
    assert scene.room.messages.read_by(3) == scene.room.messages.read_by(99) == []


def test_a_withdrawn_event_is_a_tombstone():
    """The log keeps it; views show the tombstone instead, and count what they show (W-11)."""
    scene = Scene(HI, HI, ("bob", MarkRead(2)))
    scene.when("ann", WithdrawMessage(2)).then(MessageWithdrawn(2))
    messages = scene.room.messages
    assert [entry.position for entry in scene.log if messages.visible(entry)] == [3, 6]
    assert messages.told == 2
    assert messages.read_by(2) == []


def test_a_withdrawn_event_can_be_neither_withdrawn_nor_marked():
    """It is not there any more."""
    scene = Scene(HI, ("ann", WithdrawMessage(2)))
    scene.when("ann", WithdrawMessage(2)).then(UnknownEvent)
    scene.when("ann", MarkRead(2)).then(UnknownEvent)


def test_a_tombstone_can_be_withdrawn():
    """It is an event like any other; what it withdrew stays withdrawn."""
    scene = Scene(HI, ("ann", WithdrawMessage(2)))
    scene.when("ann", WithdrawMessage(3)).then(MessageWithdrawn(3))
    assert [entry.position for entry in scene.log if scene.room.messages.visible(entry)] == [4]


def test_any_event_that_was_told_can_be_withdrawn():
    """Not only what somebody posted (protocol, delete_event)."""
    Scene(("ann", SetVariable("k", "v"))).when("ann", WithdrawMessage(2)).then(MessageWithdrawn)


def test_what_was_not_told_is_no_event_and_never_counts():
    """Arrivals, leases and receipts can be neither withdrawn nor marked, wherever in the log they stand.

    They could be once, and each such withdrawal took one off the count of what the room was told.
    """
    scene = Scene(
        HI, ("ann", TakeLease("a", 9)), ("ann", TakeLease("b", 9)), HI, ("bob", MarkRead(5)), HI, ("cyn", Join())
    )
    untold = [entry.position for entry in scene.log if not entry.event.told]
    assert untold == [1, 3, 4, 6, 7, 9]
    for position in untold:
        scene.when("ann", WithdrawMessage(position)).then(UnknownEvent)
        scene.when("ann", MarkRead(position)).then(UnknownEvent)
    assert scene.room.messages.told == 3
    assert [position for position in range(12) if scene.room.messages.has(position)] == [2, 5, 8]


def test_what_is_told_is_counted_by_day():
    """A day is a calendar day in UTC; withdrawing takes nothing off a day that is over."""
    scene = Scene(HI)
    scene.do(*HI, at_ms=DAY_MS - 1)
    scene.do(*HI, at_ms=DAY_MS)
    scene.do("ann", WithdrawMessage(2))
    today = START // DAY_MS
    assert scene.room.messages.told_by_day == {today: 2, today + 1: 2}


def test_the_newest_91_days_are_kept():
    """Enough for every figure anybody may ask for, and never more."""
    scene = Scene(*[(*HI, day * DAY_MS) for day in range(DAYS_KEPT + 2)])
    assert list(scene.room.messages.told_by_day) == [START // DAY_MS + day for day in range(2, DAYS_KEPT + 2)]
