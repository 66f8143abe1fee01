"""Which rooms there are, whose they are, and their codes."""

import pytest

from stateroom.core.lobby import CODE_LETTERS, RegisterRoom, RoomCard, RoomRegistered, read_code
from stateroom.core.refusals import BadRoomId, ReservedRoomId
from stateroom.testing.scenes import START, LobbyScene

CODE, OTHER = "ABC-DEF-GHJ", "KMN-PQR-234"
DEMO = ("", RegisterRoom("red", "demo", (CODE,)))


@pytest.mark.parametrize(
    ("room_id", "expected"),
    [
        ("ab", RoomRegistered),
        ("0a", RoomRegistered),
        ("a" * 64, RoomRegistered),
        ("my-room_1", RoomRegistered),
        ("a-", RoomRegistered),
        ("", BadRoomId),
        ("a", BadRoomId),
        ("a" * 65, BadRoomId),
        ("Demo", BadRoomId),
        ("-ab", BadRoomId),
        ("_ab", BadRoomId),
        ("a b", BadRoomId),
        ("a/b", BadRoomId),
        ("a.b", BadRoomId),
        ("é1", BadRoomId),
        ("ab\n", BadRoomId),
        ("__a", BadRoomId),
        ("a__b", ReservedRoomId),
        ("ab__", ReservedRoomId),
    ],
)
def test_what_a_room_may_be_called(room_id, expected):
    """2 to 64 of a-z, 0-9, dash and underscore, beginning with a letter or digit; no double underscore (§4.1)."""
    LobbyScene().when("", RegisterRoom("red", room_id, (CODE,))).then(expected)


def test_a_room_gets_the_first_code_that_is_free():
    """Codes are unique among all teams' rooms."""
    scene = LobbyScene(DEMO)
    scene.when("", RegisterRoom("blue", "demo", (CODE, OTHER))).then(RoomRegistered("blue/demo", "blue", "demo", OTHER))


def test_a_room_without_a_free_code_has_none():
    """It is still a room, and no code leads to it."""
    scene = LobbyScene(DEMO, ("", RegisterRoom("blue", "demo", (CODE,))))
    assert scene.lobby.find("blue", "demo").code == ""
    assert scene.lobby.find("blue", CODE) is None
    assert scene.lobby.by_code == {CODE: "red/demo"}


def test_registering_twice_is_registering_once():
    """The room keeps its code, whatever else is drawn."""
    LobbyScene(DEMO).when("", RegisterRoom("red", "demo", (OTHER,))).then()


@pytest.mark.parametrize("name", ["demo", CODE, "abc-def-ghj", "ABCDEFGHJ", " abc def ghj ", "a-b-c-d-e-f-g-h-j"])
def test_a_room_is_found_by_its_id_and_by_any_spelling_of_its_code(name):
    """Both address it."""
    card = RoomCard("red/demo", "red", "demo", CODE, START)
    assert LobbyScene(DEMO).lobby.find("red", name) == card


@pytest.mark.parametrize("name", ["demo", CODE, "DEMO", "dem", "", "red/demo"])
def test_other_teams_find_nothing(name):
    """A denial proves nothing: to them there is no such room (W-48, W-49)."""
    assert LobbyScene(DEMO).lobby.find("blue", name) is None


@pytest.mark.parametrize("name", ["DEMO", "dem", "", "red/demo", " demo", OTHER])
def test_what_names_no_room_finds_nothing(name):
    """Ids are compared exactly."""
    assert LobbyScene(DEMO).lobby.find("red", name) is None


@pytest.mark.parametrize(
    "text", ["", "ABC-DEF-GH", "ABC-DEF-GHJK", "ABC-DEF-GHI", "ABC-DEF-GH0", "ABC_DEF_GHJ", "ÀBC-DEF-GHJ"]
)
def test_what_is_no_code(text):
    """Nine letters and digits, without those that look like others (I, L, O, 0, 1)."""
    assert read_code(text) is None
    assert not set("ILO01") & set(CODE_LETTERS)


def test_a_team_sees_its_own_rooms_by_id():
    """And no other's."""
    rooms = [("red", "cc", ("AAA-AAA-AAA",)), ("blue", "bb", ("BBB-BBB-BBB",)), ("red", "aa", ("CCC-CCC-CCC",))]
    scene = LobbyScene(*[("", RegisterRoom(*room)) for room in rooms])
    assert [card.room_id for card in scene.lobby.of_team("red")] == ["aa", "cc"]
    assert scene.lobby.of_team("green") == []
