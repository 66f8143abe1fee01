"""Rooms and participants, field by field (agent-room §4.1, §4.2)."""

import re

from stateroom.core.lifecycle import EndRoom, ReactivateRoom
from stateroom.core.looks import PALETTE
from stateroom.core.messages import PostMessage
from stateroom.core.policy import Policy
from stateroom.core.room import Room
from stateroom.core.tasks import OpenTask
from stateroom.testing.scenes import START
from stateroom.wire.agent_room.rooms import Seen, participant_shape, room_shape
from tests.core.talking import Talk
from tests.wire.agent_room.forms import CODE, is_form, said

PARTICIPANT = {
    **dict.fromkeys(("name", "role", "color", "initials", "client"), str),
    **dict.fromkeys(("joinedAt", "lastSeenAt"), int),
}
ROOM = {
    **dict.fromkeys(("code", "topic", "createdBy", "status", "replyMode"), str),
    **dict.fromkeys(("createdAt", "version"), int),
    "participants": list,
}
COLOR = re.compile(r"#[0-9A-F]{6}")


def shown(talk, name, seen=None):
    return participant_shape(talk.member(name), seen)


def of(talk):
    return room_shape(talk.room, {})


# -- §4.1 Participant


def test_a_participant_has_the_listed_fields():
    """No more and no less than §4.1 has, and `presence`, which is ours."""
    talk = Talk("Nova Prime")
    is_form(shown(talk, "nova prime"), PARTICIPANT, {"canSpeak": bool}, {"presence": str})
    shape = shown(talk, "nova prime")
    assert (shape["name"], shape["client"], shape["initials"], shape["role"]) == ("Nova Prime", "cc", "NP", "")
    assert (shape["canSpeak"], shape["joinedAt"], shape["lastSeenAt"]) == (True, START, START)


def test_a_person_is_a_web_client():
    """Humans are `web`, every agent is `cc` (§1)."""
    assert shown(Talk(), "host")["client"] == "web"


def test_a_participant_says_when_it_was_seen_and_listens():
    """`listenUntil` only while it listens."""
    talk = Talk("ann")
    seen = shown(talk, "ann", Seen(START + 5, START + 9, "listening"))
    is_form(seen, {**PARTICIPANT, "listenUntil": int}, {"canSpeak": bool, "presence": str})
    assert (seen["lastSeenAt"], seen["listenUntil"], seen["presence"]) == (START + 5, START + 9, "listening")
    assert "listenUntil" not in shown(talk, "ann", Seen(START + 5, None, "online"))


def test_a_muted_participant_can_not_speak():
    """`canSpeak` is false for who is muted."""
    talk = Talk("ann")
    talk.mute("ann")
    assert shown(talk, "ann")["canSpeak"] is False


def test_a_participant_without_a_seat_has_a_look():
    """Who only acts through the Room Protocol chose none, but clients draw a colour and two letters."""
    talk = Talk()
    talk.do("ben foe", OpenTask("t"))
    shape = shown(talk, "ben foe")
    assert shape["color"] in PALETTE
    assert shape["initials"] == "BF"
    talk.do("ben foe", PostMessage("hi", "all", {}))
    talk.say("ben foe")
    (line,) = said(talk)
    assert (line["color"], line["initials"]) == (shape["color"], shape["initials"])


def test_every_look_is_a_colour_and_two_letters():
    """Hex, and upper case (§4.1)."""
    for name in ("a", "ann", "Zoë Ö", "零", "9", "- -"):
        talk = Talk(name)
        assert COLOR.fullmatch(shown(talk, name)["color"])
        assert len(shown(talk, name)["initials"]) == 2
        assert shown(talk, name)["initials"] == shown(talk, name)["initials"].upper()


# -- §4.2 Room


def test_a_room_has_the_listed_fields():
    """No more and no less than §4.2 has; ours are `messageCount` and `policy`."""
    talk = Talk("ann")
    is_form(of(talk), ROOM, {}, {"messageCount": int, "policy": dict})
    shape = of(talk)
    assert (shape["code"], shape["createdBy"], shape["createdAt"]) == (CODE, "host", START)
    assert (shape["status"], shape["replyMode"], shape["version"]) == ("active", "open", talk.room.position)
    assert [one["name"] for one in shape["participants"]] == ["host", "ann"]
    usual = {"identity": "", "exchangeLimit": 12, "proof": "asked", "reviewSeconds": 1800, "recovery": "calls"}
    assert shape["policy"] == usual


def test_a_rooms_version_grows_with_every_write():
    """So that a reader sees that something has changed."""
    talk = Talk("ann")
    before = of(talk)["version"]
    talk.say("ann")
    assert of(talk)["version"] == before + 1


def test_an_ended_room_says_when_and_a_reopened_one_when():
    """`endedAt` goes when the room comes back."""
    talk = Talk().pass_s(5)
    talk.host(EndRoom())
    ended = of(talk)
    is_form(ended, {**ROOM, "endedAt": int}, {}, {"messageCount": int, "policy": dict})
    assert (ended["status"], ended["endedAt"]) == ("ended", START + 5_000)
    talk.pass_s(1).host(ReactivateRoom())
    again = of(talk)
    assert (again["status"], again["reactivatedAt"]) == ("active", START + 6_000)
    assert "endedAt" not in again


def test_a_room_says_that_the_exchange_is_closed():
    """`exchangePaused` (ours) only then."""
    talk = Talk("ann", policy=Policy(exchange_limit=1))
    assert "exchangePaused" not in of(talk)
    talk.say("ann")
    assert of(talk)["exchangePaused"] is True


def test_a_room_nobody_created_still_has_a_form():
    """It came to be by being named: no topic, no host, no code."""
    shape = room_shape(Room(), {})
    assert (shape["topic"], shape["createdBy"], shape["participants"], shape["status"]) == ("", "", [], "active")


def test_the_members_of_a_room_are_seen_by_their_folded_name():
    """Presence is kept under it."""
    talk = Talk("Ann")
    _, ann = room_shape(talk.room, {"ann": Seen(START, None, "online")})["participants"]
    assert ann["presence"] == "online"
