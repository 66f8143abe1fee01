"""Who may come in."""

import hmac

import pytest

from stateroom.core.here import Proof
from stateroom.core.refusals import BadRoomId, ReservedRoomId, UnknownRoom
from stateroom.engine.access import GUEST, Access, Caller, Unauthorized, key_digest, parse_keys

TWO = "red:one, blue:two ,broken,:x,y:, red:three:with:colons"


def test_keys_are_pairs_and_incomplete_ones_are_skipped():
    """Split on commas, then on the first colon (protocol §7.1)."""
    assert [key.team for key in parse_keys(TWO)] == ["red", "blue", "red"]


@pytest.mark.parametrize(
    ("header", "team"), [("Bearer one", "red"), ("Bearer two", "blue"), ("Bearer three:with:colons", "red")]
)
def test_a_secret_names_its_team(header, team):
    """Each secret resolves to its team, and the log records which key vouched."""
    assert Access(parse_keys(TWO)).admit(header) == Caller(team, f"key:{team}")


@pytest.mark.parametrize(
    "header", ["", "one", "bearer one", "Bearer ", "Bearer on", "Bearer onee", "Basic one", "Bearer \ud800"]
)
def test_anything_else_is_refused(header):
    """No, wrong, partial and empty secrets are all the same no."""
    with pytest.raises(Unauthorized):
        Access(parse_keys(TWO)).admit(header)


def test_every_key_is_compared_in_constant_time(monkeypatch):
    """All keys are compared, whichever matches, with compare_digest; only digests are kept."""
    compared = []
    compare = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda a, b: compared.append(1) or compare(a, b))
    access = Access(parse_keys(TWO))
    access.admit("Bearer one")
    assert len(compared) == 3
    assert "one" not in repr(vars(access))


def test_an_open_server_lets_everybody_in():
    """As one team, whatever they carry; a bound endpoint still says which room and name they are for."""
    access = Access()
    assert access.is_open
    assert access.admit("") == access.admit("Bearer anything") == Caller("open", "open")
    assert access.admit("", room="demo", member="ann") == Caller("open", "open", "demo", "ann")


def test_a_server_with_keys_is_closed():
    """Also with a single one; a bound endpoint does not open it."""
    access = Access(parse_keys("red:one"))
    assert not access.is_open
    assert access.admit("Bearer one", room="demo", member="ann") == Caller("red", "key:red", "demo", "ann")
    with pytest.raises(Unauthorized):
        access.admit("", room="demo", member="ann")


# ------------------------------------------------------------------------------------------ guests, and what one shows


def test_whoever_has_only_a_code_is_a_guest_on_a_server_with_keys():
    """Of no team; a wrong key is still a wrong key, and a right one is no guest's."""
    access = Access(parse_keys("red:one"))
    guest = access.admit_guest("")
    assert (guest, guest.guest) == (Caller("", GUEST), True)
    assert access.admit_guest("Bearer one") == Caller("red", "key:red")
    with pytest.raises(Unauthorized):
        access.admit_guest("Bearer two")


def test_an_open_server_has_no_guests():
    """There everybody is of the team."""
    assert Access().admit_guest("") == Caller("open", "open")
    assert not Caller("open", "open").guest


@pytest.mark.parametrize(
    ("caller", "credential"),
    [(Caller("open", "open"), ""), (Caller("", GUEST), ""), (Caller("red", "key:red"), "key:red")],
)
def test_what_proves_that_it_is_the_same_caller_again(caller, credential):
    """A key does; being anonymous does not (design §7)."""
    assert caller.credential == credential


@pytest.mark.parametrize(
    ("caller", "vouched", "bound"),
    [
        (Caller("red", "key:red"), True, False),
        (Caller("red", "key:red", "demo", "ann"), True, True),
        (Caller("open", "open", "", "ann"), True, True),
        (Caller("", GUEST), False, False),
        (Caller("", GUEST, "", "ann"), False, False),
    ],
)
def test_what_a_caller_shows(caller, vouched, bound):
    """Its credential vouches for a name, or is bound to one; a guest's does neither."""
    assert caller.proof() == Proof("", "", vouched, bound)


def test_keys_are_shown_as_digests():
    """The secrets stay outside the rules; no key is no digest."""
    proof = Caller("", GUEST).proof("host key", "seat key")
    assert (proof.host, proof.seat) == (key_digest("host key"), key_digest("seat key"))
    assert len(proof.host) == 64
    assert "key" not in repr(proof)


async def test_a_room_is_found_by_its_code_whoevers_it_is(bench):
    """At home as oneself, by id too; elsewhere as a guest, by the code alone."""
    home, card = await bench.engine.find_by_code(bench.caller, "demo")
    assert (home, card.key) == (bench.caller, bench.card.key)
    stranger = Caller("red", "key:red")
    seen, card = await bench.engine.find_by_code(stranger, bench.card.code.lower())
    assert (seen.guest, card.key) == (True, bench.card.key)
    for nothing in ("demo", "ABC-DEF-GHJ", "", "x" * 1000):
        with pytest.raises(UnknownRoom):
            await bench.engine.find_by_code(stranger, nothing)


async def test_a_bound_caller_finds_no_other_room_by_its_code(bench):
    """Its endpoint is for one room."""
    other = await bench.engine.enter(bench.caller, "other")
    bound = bench.engine.access.admit("", room="demo", member="ann")
    assert (await bench.engine.find_by_code(bound, bench.card.code))[1] == bench.card
    with pytest.raises(UnknownRoom):
        await bench.engine.find_by_code(bound, other.code)


@pytest.mark.parametrize("text", ["", ",", ":", "red", "red:", ":secret", " : , :x"])
def test_text_without_a_whole_pair_holds_no_key(text):
    """And so leaves the server open, which it may only be on loopback."""
    assert parse_keys(text) == []


async def test_a_bound_caller_reaches_one_room(bench):
    """A bound endpoint names its room by id or code; any other is not found, and its name is its own."""
    bound = bench.engine.access.admit("", room="demo", member="ann")
    assert (await bench.engine.enter(bound, "demo")).key == bench.card.key
    assert (await bench.engine.enter(bound, bench.card.code)).key == bench.card.key
    with pytest.raises(UnknownRoom):
        await bench.engine.enter(bound, "other")
    assert bench.engine.speaks_as(bound, "bob") == "ann"
    assert [card.room_id for card in await bench.engine.rooms_of(bound)] == ["demo"]


async def test_teams_never_meet(bench):
    """Two teams use one room id and have two rooms; a denial proves nothing (W-48, W-49)."""
    red = await bench.engine.enter(Caller("red", "key:red"), "demo")
    assert red.key != bench.card.key
    assert await bench.engine.find(Caller("red", "key:red"), bench.card.code.lower()) is None


@pytest.mark.parametrize(
    ("name", "no"),
    [
        ("r", BadRoomId),
        ("Room1", BadRoomId),
        ("__hidden", BadRoomId),
        ("a" * 65, BadRoomId),
        ("bad__id", ReservedRoomId),
        ("", BadRoomId),
        ("a/b", BadRoomId),
    ],
)
async def test_room_ids_have_a_shape(bench, name, no):
    """The literal rule and texts of the protocol (§4.1)."""
    with pytest.raises(no):
        await bench.engine.enter(bench.caller, name)
