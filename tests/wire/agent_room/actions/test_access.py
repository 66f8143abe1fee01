"""Who is let in on a server with keys: a team by its key, a guest by a room's code (issue: "the code is the guest's
credential")."""

import pytest

from .asking import Actions
from .conftest import Room, made, participant, said

RED, BLUE = "Bearer red-secret", "Bearer blue-secret"


async def test_only_a_team_makes_rooms(keyed: Actions):
    """Without a key, or with a wrong one, `create` is 401 by the name `Unauthorized`."""
    for ask in (keyed, keyed.as_("Bearer wrong"), keyed.as_("red-secret")):
        answer = await ask("create", topic="x", createdBy="Nova")
        assert (answer.status, answer.error) == (401, "Unauthorized")
        assert answer.headers["cache-control"] == "no-store"
    assert (await keyed.as_(RED)("create", topic="x", createdBy="Nova")).ok


async def test_a_wrong_key_opens_nothing_even_with_a_code(keyed: Actions):
    """Whoever sends a key is judged by it."""
    room = await made(keyed.as_(RED))
    assert (await keyed.as_("Bearer wrong")("get", code=room.code)).status == 401


async def test_a_guest_takes_part_by_the_code_alone(keyed: Actions):
    """The whole conversation, without any header: as the unmodified client does it."""
    room = await made(keyed.as_(RED))
    guest = Room(keyed, room.code.lower(), "")
    await guest.join("Nova")
    await guest.say("Nova", "hi")
    assert await guest.texts() == ["hi"]
    assert (await guest.ok("presence", name="Nova", until=0)) == {}
    assert (await guest.ok("listen", since=0, name="Nova", timeoutMs=0, limit=1))["cursor"] == 1


async def test_a_guest_is_no_host_until_it_shows_the_key(keyed: Actions):
    """The team that made the room may host it by its own key."""
    room = await made(keyed.as_(RED))
    guest = Room(keyed, room.code, room.host_key)
    assert await guest.refused("end", requesterName="Host") == "NotHostError"
    assert (await guest.host("end"))["room"]["status"] == "ended"
    reopened = await keyed.as_(RED).ok("reactivate", code=room.code, requesterName="Host")
    assert reopened["room"]["status"] == "active"


async def test_a_guest_can_not_name_rooms_by_their_id(keyed: Actions):
    """Ids are a team's own; another team is a guest there as well."""
    red = keyed.as_(RED)
    caller = keyed.engine.access.admit(RED)
    card = await keyed.engine.enter(caller, "my-project")
    assert (await red.ok("get", code="my-project"))["room"]["code"] == card.code
    for ask in (keyed, keyed.as_(BLUE)):
        answer = await ask("get", code="my-project")
        assert (answer.status, answer.error) == (404, "RoomNotFoundError")
        assert (await ask.ok("get", code=card.code))["room"]["code"] == card.code


async def test_another_teams_key_does_not_vouch_for_a_name_here(keyed: Actions):
    """In a room of red, blue is a guest: a seat with a key is closed to it."""
    room = await made(keyed.as_(RED))
    key = (await Room(keyed, room.code, "").join("Nova", wantSeatKey=True))["seatKey"]
    blue = Room(keyed.as_(BLUE), room.code, "")
    assert await blue.refused("send", message=said("Nova", "forged")) == "MemberAuthError"
    assert (await blue.say("Nova", "me", seatKey=key))["result"]["appended"] is True


@pytest.mark.parametrize(
    "action",
    ["get", "messages", "messageCount", "sweep", "turnState", "taskBoard", "health", "getReport", "createReport"],
)
async def test_every_read_of_an_unknown_room_is_404(ask: Actions, action):
    """Never an empty list (L09)."""
    for code in ("AAA-BBB-CCC", "no-such-room", "", "x" * 10_000):
        answer = await ask(action, code=code)
        assert (answer.status, answer.error) == (404, "RoomNotFoundError")


async def test_every_write_to_an_unknown_room_is_404(ask: Actions):
    """Nothing comes to be by being named here (L09)."""
    for action, fields in [
        ("join", {"participant": participant("Nova")}),
        ("send", {"message": said("Nova", "x")}),
        ("end", {"requesterName": "Nova", "hostKey": "x"}),
        ("presence", {"name": "Nova", "until": 1}),
        ("taskCreate", {"requesterName": "Nova", "title": "x"}),
        ("listen", {"since": 0, "name": "Nova"}),
    ]:
        answer = await ask(action, code="AAA-BBB-CCC", **fields)
        assert (answer.status, answer.error) == (404, "RoomNotFoundError"), action


async def test_a_keyed_identity_is_asked_for_inside_a_team_too(ask: Actions):
    """Where the room's policy is `keyed`, the open server's word is not enough for a seat with a key."""
    room = await made(ask)
    await room.host("setPolicy", identity="keyed")
    key = (await room.join("Nova", wantSeatKey=True))["seatKey"]
    assert await room.refused("send", message=said("Nova", "forged")) == "MemberAuthError"
    await room.say("Nova", "me", seatKey=key)
    assert await room.refused("setPolicy", requesterName="Nova", seatKey=key, exchangeLimit=1) == "NotHostError"
