"""Which rooms there are, whose they are, and their codes."""

import pytest

from stateroom.core.lobby import (
    CODE_LETTERS,
    FiledReport,
    FileReport,
    RegisterRoom,
    ReportFiled,
    RoomCard,
    RoomRegistered,
    check_room_id,
    read_code,
)
from stateroom.core.refusals import BadRoomId, NoCodeFree, ReservedRoomId
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


# ------------------------------------------------------------------------------------------ rooms that go by their code


def test_a_room_without_an_id_goes_by_its_code():
    """The first that is free is its id too; any spelling finds it."""
    scene = LobbyScene(DEMO)
    scene.when("", RegisterRoom("", "", (CODE, OTHER))).then(RoomRegistered(f"/{OTHER}", "", OTHER, OTHER))
    assert scene.lobby.find("", "kmn pqr 234") == RoomCard(f"/{OTHER}", "", OTHER, OTHER, START)
    assert scene.lobby.find("red", OTHER) is None


def test_codes_are_drawn_again_when_all_are_taken():
    """Nobody gets a room that nobody can name (gap 34)."""
    LobbyScene(DEMO).when("", RegisterRoom("blue", "", (CODE,))).then(NoCodeFree)
    LobbyScene(DEMO).when("", RegisterRoom("blue", "", ())).then(NoCodeFree)
    with pytest.raises(BadRoomId):
        check_room_id("")


def test_a_code_that_reads_like_a_room_of_the_team_is_not_given():
    """A room may be called `abc-def-ghj`, and keeps its name."""
    scene = LobbyScene(("", RegisterRoom("red", CODE.lower(), (OTHER,))))
    scene.when("", RegisterRoom("red", "", (CODE,))).then(NoCodeFree)
    scene.when("", RegisterRoom("blue", "", (CODE,))).then(RoomRegistered)
    assert scene.lobby.find("red", CODE.lower()).code == OTHER


def test_whoever_has_the_code_finds_the_room():
    """Whatever its team; an id is not enough (design §7)."""
    lobby = LobbyScene(DEMO).lobby
    assert lobby.by_any_code("abc def ghj").key == "red/demo"
    assert lobby.by_any_code("demo") is None
    assert lobby.by_any_code(OTHER) is None
    assert lobby.by_any_code("") is None


@pytest.mark.parametrize(
    "text",
    [
        "https://agents.example/j/ABC-DEF-GHJ",
        "https://agents.example/r/abc-def-ghj?x=1#top",
        "http://127.0.0.1:7373/J/abcdefghj/",
        "/j/ABC-DEF-GHJ",
        "j/ABC DEF GHJ",
        "look: https://agents.example/r/ABC-DEF-GHJ",
        "\tABC-DEF-GHJ\n",
        "abc--def  ghj",
    ],
)
def test_a_code_is_read_from_what_people_paste(text):
    """The address of its page, or any spelling (agent-room §2.1)."""
    assert read_code(text) == CODE


@pytest.mark.parametrize("text", ["https://agents.example/x/ABC-DEF-GHJ", "/j/", "/j/ABC", "a/b", "x" * 10_000 + CODE])
def test_what_is_pasted_without_a_code(text):
    """Another page, half a code, a novel."""
    assert read_code(text) is None


def test_a_report_is_filed_once():
    """Under its id, with where its room and its content are."""
    scene = LobbyScene(DEMO)
    filed = FiledReport("r1", "red/demo", "d" * 64, START)
    scene.when("", FileReport("r1", "red/demo", "d" * 64)).then(ReportFiled(filed))
    scene.when("", FileReport("r1", "red/other", "e" * 64)).then()
    assert scene.lobby.reports == {"r1": filed}
