"""Exclusive, time-bounded claims: who holds what, until when, under which token."""

import pytest

from stateroom.core.leases import LeaseLapsed, LeaseReleased, LeaseRenewed, LeaseTaken, ReleaseLease, TakeLease
from stateroom.core.members import Join, Leave
from stateroom.core.refusals import BadDuration, BadText, LeaseHeld, NotTheHolder, TooLong
from stateroom.core.room import Tick
from stateroom.testing.scenes import START, Scene

FILE = ("ann", TakeLease("file", 30))
"""Position 1 is ann's arrival, position 2 the grant: its token."""


@pytest.mark.parametrize(
    ("given", "by", "wish", "at_ms", "expected"),
    [
        ([], "ann", TakeLease("file", 1), 0, LeaseTaken("file", "ann", START + 1_000)),
        ([], "ann", TakeLease("file", 300), 0, LeaseTaken("file", "ann", START + 300_000)),
        ([], "ann", TakeLease("file", 301), 0, BadDuration),
        ([], "ann", TakeLease("file", 0), 0, BadDuration),
        ([], "ann", TakeLease("file", -1), 0, BadDuration),
        ([], "ann", TakeLease("x" * 512, 30), 0, LeaseTaken),
        ([], "ann", TakeLease("x" * 513, 30), 0, TooLong),
        ([], "ann", TakeLease("\x00", 30), 0, BadText),
        ([FILE], "bob", TakeLease("file", 30), 29_999, LeaseHeld),
        ([FILE], "bob", TakeLease("file", 30), 30_000, LeaseTaken),
        ([FILE], "bob", TakeLease("other", 30), 0, LeaseTaken),
        ([FILE], "bob", TakeLease("FILE", 30), 0, LeaseTaken),
        ([FILE], "ann", TakeLease("file", 30), 10_000, LeaseRenewed("file", START + 40_000)),
        ([FILE], "ANN ", TakeLease("file", 31), 0, LeaseRenewed("file", START + 31_000)),
        ([FILE], "ann", TakeLease("file", 30), 0, ()),
        ([FILE], "ann", TakeLease("file", 1), 29_000, ()),
        ([FILE], "ann", TakeLease("file", 2), 29_000, LeaseRenewed("file", START + 31_000)),
        ([FILE], "ann", TakeLease("file", 30), 30_000, LeaseTaken("file", "ann", START + 60_000)),
        ([FILE], "ann", ReleaseLease("file"), 0, LeaseReleased("file")),
        ([FILE], " Ann", ReleaseLease("file", 2), 29_999, LeaseReleased("file")),
        ([FILE], "ann", ReleaseLease("file"), 30_000, NotTheHolder),
        ([FILE], "ann", ReleaseLease("file", 1), 0, NotTheHolder),
        ([FILE], "ann", ReleaseLease("file", 3), 0, NotTheHolder),
        ([FILE], "ann", ReleaseLease("file", 0), 0, NotTheHolder),
        ([FILE], "bob", ReleaseLease("file"), 0, NotTheHolder),
        ([FILE], "bob", ReleaseLease("file", 2), 0, NotTheHolder),
        ([], "ann", ReleaseLease("file"), 0, NotTheHolder),
        ([FILE], "", Tick(), 29_999, ()),
        ([FILE], "", Tick(), 30_000, LeaseLapsed("file", "ann")),
    ],
)
def test_what_follows_from_a_wish(given, by, wish, at_ms, expected):
    """Each wish, at its time, has exactly this fact, none, or this refusal."""
    Scene(*given).when(by, wish, at_ms).then(*(expected if isinstance(expected, tuple) else (expected,)))


def test_a_refusal_names_the_real_holder_and_how_long():
    """Not who asked (W-16)."""
    late = Scene(FILE).when("bob", TakeLease("file", 5), 10_000)
    late.then(LeaseHeld, resource="file", holder="ann", remaining_ms=20_000, until=START + 30_000)


def test_a_lease_lives_exactly_as_long_as_its_deadline_says():
    """Neither a release by another, nor other leases, nor time ever lengthen it (W-13)."""
    scene = Scene(FILE, ("bob", TakeLease("other", 300)))
    scene.when("bob", ReleaseLease("file"), 1_000).then(NotTheHolder)
    for now, names in [(29_999, ["file", "other"]), (30_000, ["other"]), (300_000, [])]:
        assert [lease.resource for lease in scene.room.leases.live(START + now)] == names


def test_a_renewal_keeps_the_token():
    """It is the same grant (W-16)."""
    scene = Scene(FILE, ("ann", TakeLease("file", 300)))
    lease = scene.room.leases.held["file"]
    assert (lease.token, lease.until, lease.holder) == (2, START + 300_000, "ann")


def test_a_holder_that_comes_back_is_the_holder():
    """Leaving gives up no lease; and it may come back in another spelling."""
    scene = Scene(FILE, ("ann", Leave()), ("ANN", Join()))
    scene.when("Ann", TakeLease("file", 60)).then(LeaseRenewed)
    scene.when("ANN", ReleaseLease("file", 2)).then(LeaseReleased)


def test_tokens_grow_with_every_grant():
    """Whoever took it, and however it was lost: a later token is a larger one (W-15)."""
    scene = Scene(FILE)
    tokens = [2]
    for by, end in [("ann", ReleaseLease("file")), ("bob", None), ("ann", None)]:
        scene.do(by, end) if end else scene.do("", Tick(), scene.now - START + 30_000)
        scene.do("bob" if by == "ann" else "ann", TakeLease("file", 30))
        tokens.append(scene.room.leases.held["file"].token)
    assert tokens == sorted(set(tokens))


def test_an_old_token_is_worth_nothing():
    """Release compares holder and grant in one step, so nobody gives back what another got since (W-15)."""
    scene = Scene(FILE, ("ann", ReleaseLease("file", 2)), ("ann", TakeLease("file", 30)))
    scene.when("ann", ReleaseLease("file", 2)).then(NotTheHolder)
    scene.when("ann", ReleaseLease("file", 4)).then(LeaseReleased)


def test_a_tick_says_once_what_has_lapsed():
    """All of it, and never again; what was taken over meanwhile is no news."""
    scene = Scene(FILE, ("bob", TakeLease("other", 30)), ("bob", TakeLease("third", 31)))
    scene.when("cyn", TakeLease("other", 30), 30_000).then(LeaseTaken)
    scene.when("", Tick()).then(LeaseLapsed("file", "ann"))
    scene.when("", Tick()).then()
    assert list(scene.room.leases.held) == ["other", "third"]


def test_the_next_deadline_is_the_soonest():
    """So that somebody ticks then, and not before."""
    scene = Scene(FILE, ("ann", TakeLease("other", 10)))
    assert scene.room.next_due() == START + 10_000
    scene.do("", Tick(), 10_000)
    assert scene.room.next_due() == START + 30_000
    scene.do("ann", ReleaseLease("file"))
    assert scene.room.next_due() is None


def test_live_leases_are_listed_by_name():
    """Whatever the order in which they were taken."""
    scene = Scene(*[("ann", TakeLease(name, 30)) for name in ("b", "c", "a")])
    assert [lease.resource for lease in scene.room.leases.live(scene.now)] == ["a", "b", "c"]


def test_the_room_is_not_told_of_leases():
    """They have no event in the Room Protocol (decision 9)."""
    scene = Scene(FILE)
    for by, wish in [("ann", TakeLease("file", 60)), ("ann", ReleaseLease("file")), ("bob", TakeLease("file", 1))]:
        assert scene.when(by, wish).told == []
    assert scene.when("", Tick(), 1_000).told == []
