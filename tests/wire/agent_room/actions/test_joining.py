"""Rooms and seats over `/api/room` (agent-room §2, §3.3)."""

import asyncio
import re

import pytest

from stateroom.core import templates

from .asking import Actions
from .conftest import Room, made, participant, said


async def names(room: Room) -> list[str]:
    return [one["name"] for one in (await room.ok("get"))["room"]["participants"]]


@pytest.mark.mends("34", "35", "24")
async def test_a_room_has_a_legacy_code_and_an_address(ask: Actions):
    """The code fits the client's own check, none is given twice, and the server says where it is (gaps 24, 34, 35)."""
    made = [await ask.ok("create", topic=f"t{n}", createdBy="Nova") for n in range(50)]
    codes = [one["room"]["code"] for one in made]
    assert all(re.fullmatch("[A-HJ-KM-NP-Z2-9]{3}(-[A-HJ-KM-NP-Z2-9]{3}){2}", code) for code in codes)
    assert len(set(codes)) == 50
    assert made[0]["joinUrl"] == f"http://rooms.test/j/{codes[0]}"
    assert re.fullmatch("[0-9a-f]{32}", made[0]["hostKey"])
    room = made[0]["room"]
    assert (room["participants"], room["status"], room["createdBy"], room["topic"]) == ([], "active", "Nova", "t0")


async def test_a_code_is_read_in_any_spelling(room: Room):
    """Lower case, without dashes, with blanks, and as the pasted address of the page (§2.1)."""
    plain = room.code.replace("-", "")
    for code in (room.code.lower(), plain, f" {plain.lower()} ", room.code.replace("-", " "), f"x/j/{room.code}?a=1"):
        assert (await room.ask.ok("get", code=code))["room"]["code"] == room.code


@pytest.mark.mends("46")
async def test_no_digest_of_a_key_leaves_the_server(room: Room):
    """Neither of the host's key nor of a seat's, in any answer (gap 46)."""
    joined = await room.join("Nova", wantSeatKey=True)
    await room.say("Nova", "hi", seatKey=joined["seatKey"])
    answers = [await room(action, cursor=0) for action in ("get", "sweep", "messages", "health", "taskBoard")]
    for answer in [*answers, await room("createReport")]:
        for word in (b"hash", b"digest", b'"seat"', b"hostKey", joined["seatKey"].encode(), room.host_key.encode()):
            assert word not in answer.raw, word


async def test_a_participant_is_shaped_as_the_client_reads_it(room: Room):
    """Its times are the server's; a colour that is taken is exchanged (§2.7, §4.1)."""
    joined = await room.join("Nova", role="x")
    own = joined["participant"]
    assert (own["joinedAt"], own["lastSeenAt"], own["canSpeak"]) == (room.ask.clock(), room.ask.clock(), True)
    assert own["color"] != "#10B981", "it is the host's"
    assert own == joined["room"]["participants"][-1]
    assert joined["renamed"] is False


async def test_a_role_comes_with_its_brief(room: Room):
    """A preset by its label, in any case; words of one's own have none (§18.1)."""
    joined = await room.ok("join", participant=participant("Nova", role="skeptic"))
    assert joined["roleBrief"] in joined["agentContext"]
    assert "roleBrief" not in await room.ok("join", participant=participant("Sol", role="Baker"))


@pytest.mark.mends("42")
async def test_whoever_comes_back_keeps_its_seat(room: Room):
    """By its word where the credential vouches for it, under its own or its numbered name (gap 42)."""
    await room.join("Nova")
    prior = {"name": "nova", "client": "cc"}
    for _ in range(3):
        again = await room.join("Nova", priorIdentity=prior)
        assert (again["participant"]["name"], again["renamed"]) == ("Nova", False)
    assert (await room.join("Nova"))["participant"]["name"] == "Nova (2)"
    numbered = {"name": "Nova (2)", "client": "cc"}
    assert (await room.join("Nova", priorIdentity=numbered))["participant"]["name"] == "Nova (2)"
    assert (await room.join("Nova", priorIdentity={"name": "Sol"}))["participant"]["name"] == "Nova (3)"
    assert await names(room) == ["Host", "Nova", "Nova (2)", "Nova (3)"]


@pytest.mark.mends("28", "43", "44", "45")
async def test_a_seat_key_proves_a_seat_for_ever(keyed: Actions):
    """Asked for, it is given, does not rotate, and nobody speaks under that name without it (gaps 28, 43 to 45)."""
    room = await made(keyed.as_("Bearer red-secret"))
    guest = Room(keyed, room.code, "")
    first = await guest.join("Nova", wantMemberKey=True)
    key = first["memberKey"]
    assert first["seatKey"] == key
    again = await guest.join("Nova", memberKey=key, wantMemberKey=True)
    assert (again["participant"]["name"], again["memberKey"]) == ("Nova", key)
    answer = await guest("send", message=said("Nova", "forged"))
    assert (answer.status, answer.error) == (403, "MemberAuthError")
    assert (await guest.say("Nova", "hi", memberKey=key))["message"]["verified"] is True
    second = await guest.join("Nova", wantSeatKey=True)
    assert (second["participant"]["name"], second["renamed"], second["seatKey"] != key) == ("Nova (2)", True, True)
    plain = await guest.join("Plain")
    assert "seatKey" not in plain
    assert (await guest.say("Plain", "hi"))["message"]["verified"] is False, "no credential, and no switch"


@pytest.mark.mends("36")
async def test_the_host_may_join_again_and_still_end_the_room(room: Room):
    """Create, join, join again, end: the key stays good (L07)."""
    await room.join("Host", "web")
    await room.ok("join", participant=participant("host", "web"), hostKey=room.host_key)
    assert (await room.ok("verifyHostKey", hostKey=room.host_key)) == {"ok": True}
    assert await room.refused("verifyHostKey", hostKey="x") == "HostNameTakenError"
    assert (await room.host("end"))["room"]["status"] == "ended"


async def test_the_host_with_a_seat_key_hosts_by_its_host_key(keyed: Actions):
    """A guest host that asked for a seat key shows both; either alone is refused by its own name."""
    room = await made(keyed.as_("Bearer red-secret"))
    guest = Room(keyed, room.code, room.host_key)
    seat = (await guest.join("Host", "web", wantSeatKey=True))["seatKey"]
    host = {"requesterName": "Host", "hostKey": room.host_key}
    assert await guest.refused("end", requesterName="Host", seatKey=seat) == "NotHostError"
    assert (await guest.ok("end", **host, seatKey=seat))["room"]["status"] == "ended"


@pytest.mark.mends("32")
async def test_fifty_who_join_at_once_all_have_a_seat(room: Room):
    """Each under a name of its own, though all want the same (gap 32)."""
    await asyncio.gather(*(room.join("Nova") for _ in range(50)))
    here = await names(room)
    assert len(here) == len(set(here)) == 51
    assert "Nova (50)" in here


@pytest.mark.mends("47")
async def test_a_word_in_the_topic_changes_nothing(ask: Actions):
    """A room about an interview is a room: several people, every mode (gap 47)."""
    created = await ask.ok("create", topic="Interview with a cache", createdBy="Host")
    room = Room(ask, created["room"]["code"], created["hostKey"])
    for name in ("Host", "Pia", "Quin"):
        await room.join(name, "web")
    assert (await room.host("setReplyMode", mode="sequential"))["room"]["replyMode"] == "sequential"


@pytest.mark.mends("40")
async def test_a_room_does_not_end_with_its_first_day(room: Room):
    """It stays, with all that was said (gap 40)."""
    await room.say("Host", "hi")
    room.ask.clock.advance(25 * 3600)
    assert await room.texts() == ["hi"]
    await room.say("Host", "still here")


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 129, "x" * 10_000, "a\u200bb", "a\u0007b", "a\u202eb"], ids=lambda name: ascii(name)[:12]
)
async def test_names_that_can_not_be_told_apart_are_refused(room: Room, name):
    """Empty, blank, too long, invisible or control characters (L21)."""
    answer = await room("join", participant=participant(name))
    assert (answer.status, answer.error) == (400, "BadRequestError")
    assert (await room.ask("create", topic="x", createdBy=name)).status == 400


@pytest.mark.parametrize("name", ["host", " HOST ", "Ｈｏｓｔ", "Hοst"])
async def test_look_alikes_of_the_host_need_its_key(room: Room, name):
    """Other case, full width, a Greek letter (L21)."""
    answer = await room("join", participant=participant(name))
    assert (answer.status, answer.error) == (409, "HostNameTakenError")


async def test_leaving_is_silent_and_removing_others_is_the_hosts(room: Room):
    """Self always, also when absent; others only with the key; of whom nobody knows there is nobody to remove."""
    await room.join("Nova")
    await room.join("Sol")
    out = {"targetName": "Sol", "targetClient": "cc"}
    assert await room.refused("removeParticipant", requesterName="Nova", **out) == "NotHostError"
    left = await room.ok("removeParticipant", requesterName="nova ", targetName="Nova", targetClient="cc")
    assert [one["name"] for one in left["room"]["participants"]] == ["Host", "Sol"]
    await room.ok("removeParticipant", requesterName="Nova", targetName="Nova", targetClient="cc")
    assert [one["name"] for one in (await room.host("removeParticipant", **out))["room"]["participants"]] == ["Host"]
    gone = {"requesterName": "Host", "hostKey": room.host_key, "targetName": "Sol", "targetClient": "cc"}
    assert await room.refused("removeParticipant", **gone) == "NotParticipantError"
    assert await room.refused("removeParticipant", requesterName="Nova", targetName=" ") == "BadRequestError"


async def test_a_room_may_begin_from_a_template(ask: Actions):
    """Its tasks are on the board; an unknown one makes no room."""
    template = next(iter(templates.TEMPLATES.values()))
    created = await ask.ok("create", topic="x", createdBy="Host", template=template.id)
    board = (await ask.ok("taskBoard", code=created["room"]["code"]))["board"]
    assert [task["title"] for task in board["tasks"]] == [task.title for task in template.tasks]
    assert await ask.refused("create", topic="x", createdBy="Host", template="none") == "BadRequestError"
    assert await ask.refused("create", topic="x", createdBy="Host", projectId="p") == "ProjectKeyError"
