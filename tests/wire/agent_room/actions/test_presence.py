"""Presence over `/api/room` (agent-room §8)."""

import pytest

from .asking import Actions
from .conftest import Room, made


async def state(room: Room, name: str):
    """How somebody looks to the room: in words, and until when it listens."""
    shown = {one["name"]: one for one in (await room.ok("get"))["room"]["participants"]}[name]
    return shown["presence"], shown.get("listenUntil")


@pytest.mark.mends("13", "14")
async def test_listening_is_a_lease_of_a_minute_at_most(room: Room):
    """A client that says it listens for 270 s and dies does not look alive for so long (gaps 13 and 14)."""
    await room.join("Nova")
    now = room.ask.clock()
    assert await room.ok("presence", name="Nova", until=now + 270_000) == {}
    assert await state(room, "Nova") == ("listening", now + 60_000)
    room.ask.clock.advance(61)
    assert (await state(room, "Nova"))[0] == "idle"
    await room.ok("presence", name="Nova", until=room.ask.clock() + 15_000)
    await room.ok("presence", name="Nova", until=room.ask.clock())
    assert await state(room, "Nova") == ("online", None)


@pytest.mark.mends("15")
async def test_presence_is_of_one_seat(room: Room):
    """Two of one name are two seats, and only the one that is named is stamped (gap 15)."""
    await room.join("Nova")
    await room.join("Nova", "web")
    await room.ok("presence", name="Nova (2)", until=room.ask.clock() + 30_000)
    assert (await state(room, "Nova"))[0] == "online"
    assert (await state(room, "Nova (2)"))[0] == "listening"


async def test_only_who_is_here_is_present(room: Room):
    """Of a stranger there is no presence, and none of who has left."""
    for action in ("presence", "updatePresence"):
        answer = await room(action, name="Nobody", until=1, at=1)
        assert (answer.status, answer.error) == (403, "NotParticipantError")


async def test_presence_for_somebody_else_needs_its_key(keyed: Actions):
    """Where a seat has a key, a sign of life shows it (L12)."""
    room = await made(keyed.as_("Bearer red-secret"))
    guest = Room(keyed, room.code, "")
    key = (await guest.join("Nova", wantSeatKey=True))["seatKey"]
    for action in ("presence", "updatePresence", "messages", "listen"):
        answer = await guest(action, name="Nova", until=1, at=1, cursor=0, since=0, timeoutMs=0)
        assert (answer.status, answer.error) == (403, "MemberAuthError"), action
    assert await guest.ok("updatePresence", name="Nova", at=1, memberKey=key) == {"ok": True}


async def test_health_says_how_long_ago_and_how_much_longer(room: Room):
    """Its own four words, ages and remaining times in milliseconds (§8)."""
    await room.join("Nova", role="x")
    await room.join("Old")
    room.ask.clock.advance(400)
    await room.ok("presence", name="Nova", until=room.ask.clock() + 20_000)
    await room.ok("updatePresence", name="Host", at=1)
    room.ask.clock.advance(100)
    health = {one["name"]: one for one in (await room.ok("health"))["health"]}
    assert health["Host"]["state"] == "stale"
    assert (health["Old"]["state"], health["Old"]["lastSeenAgoMs"]) == ("disconnected", 500_000)
    assert (health["Nova"]["state"], health["Nova"]["listenRemainingMs"]) == ("stale", None)
    await room.ok("presence", name="Nova", until=room.ask.clock() + 20_000)
    listening = {one["name"]: one for one in (await room.ok("health"))["health"]}["Nova"]
    assert listening == {
        "name": "Nova",
        "client": "cc",
        "role": "",
        "state": "listening",
        "lastSeenAgoMs": 0,
        "listenRemainingMs": 20_000,
    }


async def test_reading_about_somebody_is_no_sign_of_its_life(room: Room):
    """`get` and `messages` without a name stamp nobody; with a name, that one."""
    await room.join("Nova")
    room.ask.clock.advance(400)
    await room.ok("messages", cursor=0)
    assert (await state(room, "Nova"))[0] == "away"
    await room.ok("messages", cursor=0, name="Nova")
    assert (await state(room, "Nova"))[0] == "online"
