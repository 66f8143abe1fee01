"""Messages, what they say about themselves, and attachments, field by field (agent-room §4.3 to §4.5)."""

import json
import re

import pytest

from stateroom.core.attachments import StoreAttachment
from stateroom.core.floor import Invite
from stateroom.core.here import Proof
from stateroom.core.messages import WithdrawMessage
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import MessageSaid, Say
from stateroom.testing.scenes import START
from stateroom.wire.agent_room.messages import metadata
from stateroom.wire.agent_room.rooms import room_shape, standing, turn_shape
from stateroom.wire.agent_room.tasks import board_shape
from tests.core.talking import HOST, TEAM, Talk, key
from tests.log.samples import full_scene, talk_scene
from tests.wire.agent_room.forms import CODE, LINKS, is_form, messages, said

MESSAGE = {
    **dict.fromkeys(("type", "name", "initials", "color", "role", "text", "client"), str),
    **dict.fromkeys(("id", "time"), int),
    "metadata": dict,
}
METADATA = dict.fromkeys(("modeAtSend", "roleAtSend", "invocationType"), str)
ATTACHMENT = {
    **dict.fromkeys(("id", "type", "url", "name", "mime"), str),
    **dict.fromkeys(("size", "uploadedAt"), int),
}


def test_a_message_has_the_listed_fields():
    """§4.3, with `line` and `verified`, which are ours."""
    talk = Talk("ann").pass_s(2)
    talk.say("ann", "hello")
    (line,) = said(talk)
    is_form(line, MESSAGE, {}, {"line": int, "verified": bool})
    assert (line["id"], line["time"], line["line"]) == (talk.log[-1].position, START + 2_000, 1)
    assert (line["name"], line["client"], line["text"], line["role"]) == ("ann", "cc", "hello", "")
    assert line["verified"] is False


def test_a_message_shows_how_its_sender_looked_then():
    """What it did to its seat afterwards changes nothing."""
    talk = Talk("ann")
    talk.do("ann", TakeSeat("agent", "Builder", "#123456", "QQ", returning=True))
    talk.say("ann")
    talk.do("ann", TakeSeat("agent", "Writer", "#654321", "ZZ", returning=True))
    (line,) = said(talk)
    assert (line["role"], line["color"], line["initials"]) == ("Builder", "#123456", "QQ")


def test_a_message_under_a_proven_name_is_verified():
    """By its seat's key, or a credential bound to the name (gap 28)."""
    talk = Talk()
    talk.do("ann", TakeSeat("agent", offer="a" * 64))
    talk.do("ann", TakeSeat("agent", returning=True))
    for proof in (key("a"), TEAM, Proof(vouched=True, bound=True)):
        talk.do("ann", Say("hi"), proof=proof)
    assert [line["verified"] for line in said(talk)] == [True, False, True]


def test_metadata_says_how_it_was_meant():
    """In open mode: mode, role, and how it came to be said; nothing else (§4.4)."""
    talk = Talk("ann")
    talk.say("ann")
    talk.status("ann")
    message, status = [line["metadata"] for line in said(talk)]
    assert message == {"modeAtSend": "open", "roleAtSend": "open", "invocationType": "normal_turn"}
    assert status == {"modeAtSend": "open", "roleAtSend": "status", "invocationType": "status_update"}


def test_metadata_names_the_turn():
    """`turnId` is when the turn began; a person's message carries that of the turn it starts."""
    talk = Talk("ann", "bob", mode="sequential").pass_s(1)
    talk.say("host")
    talk.status("ann")
    talk.say("ann")
    person, status, lead = [line["metadata"] for line in said(talk)]
    assert [one["roleAtSend"] for one in (person, status, lead)] == ["human", "status", "lead"]
    assert {one["turnId"] for one in (person, status, lead)} == {START + 1_000}
    assert [one.get("extendsTurn") for one in (person, status, lead)] == [None, True, None]
    is_form(status, METADATA, {"turnId": int, "extendsTurn": bool})


def test_metadata_says_that_a_message_became_a_note():
    """`degradedToStatus` (§5.5), only then."""
    talk = Talk("ann", "bob", mode="moderator", moderator="ann")
    talk.say("host")
    talk.say("bob")
    talk.status("bob")
    degraded, status = [line["metadata"] for line in said(talk)[1:]]
    assert degraded["degradedToStatus"] is True
    assert degraded["roleAtSend"] == status["roleAtSend"] == "status"
    assert "degradedToStatus" not in status


@pytest.mark.parametrize(
    ("source", "role", "how"),
    [("host", "host_directed", "host_directed"), ("moderator", "assignee", "moderator_assigned")],
)
def test_metadata_of_an_invited_message(source, role, how):
    """Who gave the word shows in role and invocation (§5.2 d)."""
    talk = Talk("ann", "bob", mode="moderator", moderator="ann")
    talk.say("host")
    talk.do("ann", Invite("bob", source), proof=HOST)
    talk.say("bob")
    told = said(talk)[-1]["metadata"]
    assert (told["roleAtSend"], told["invocationType"]) == (role, how)


def test_metadata_names_whom_a_message_calls():
    """`mentions` (ours), as the room spells them."""
    talk = Talk("Ann", "bob")
    talk.say("bob", "@ann, see this")
    assert said(talk)[0]["metadata"]["mentions"] == ["Ann"]


def test_metadata_of_everything_said_is_of_the_listed_values():
    """Roles and invocations of §4.4, in a scene in which everything is said."""
    events = [entry.event for entry in talk_scene().log if isinstance(entry.event, MessageSaid)]
    roles = {"open", "lead", "supplement", "wrap", "moderator", "assignee", "host_directed", "human", "status"}
    invocations = {"normal_turn", "host_directed", "moderator_assigned", "status_update"}
    for shape in map(metadata, events):
        ours = {"mentions": list, "degradedToStatus": bool}
        is_form(shape, METADATA, {"turnId": int, "extendsTurn": bool}, ours)
        assert shape["roleAtSend"] in roles
        assert shape["invocationType"] in invocations


# -- quotations and withdrawals


def test_a_reply_quotes_what_it_answers():
    """Id, name of at most 80 and text of at most 120 characters, blanks collapsed (§4.3)."""
    name = "n" * 100
    talk = Talk(name, "bob")
    talk.say(name, "a  b\n\tc " + "x" * 200)
    talk.say("bob", "yes", reply_to=talk.log[-1].position)
    talk.say("bob", "no", reply_to=999)
    first, answer, alone = said(talk)
    is_form(answer["replyTo"], {"id": int, "name": str, "text": str}, {})
    assert answer["replyTo"] == {"id": first["id"], "name": "n" * 80, "text": "a b c " + "x" * 114}
    assert "replyTo" not in first
    assert "replyTo" not in alone


def test_a_withdrawn_message_says_nothing_any_more():
    """Its line stays, so that nothing is renumbered; its text is gone, also from what quotes it (W-11)."""
    talk = Talk("ann", "bob")
    talk.say("ann", "the password is swordfish")
    position = talk.log[-1].position
    talk.say("bob", "oh", reply_to=position)
    talk.do("ann", WithdrawMessage(position))
    shapes = messages(talk)
    assert "swordfish" not in json.dumps(shapes)
    assert (shapes[0]["type"], shapes[0]["text"], shapes[0]["line"]) == ("sys", "(withdrawn)", 1)
    assert shapes[1]["replyTo"]["text"] == "(withdrawn)"


# -- §4.5 attachments


def test_an_attachment_has_the_listed_fields():
    """An absolute address (floor 10), the declared size, and no digest of what it holds."""
    talk = Talk("ann")
    talk.do("ann", StoreAttachment("one", "a b.txt", "text/plain", 3, "d" * 64, "e" * 64, 3))
    talk.do("ann", StoreAttachment("two", "p.png", "image/png", 9, "d" * 64, width=4, height=5))
    talk.say("ann", "", attachments=("one", "two"))
    (line,) = said(talk)
    is_form(line, {**MESSAGE, "attachments": list}, {}, {"line": int, "verified": bool})
    file, image = line["attachments"]
    is_form(file, ATTACHMENT, {})
    is_form(image, {**ATTACHMENT, "width": int, "height": int}, {})
    assert (file["type"], image["type"], image["width"], image["height"]) == ("file", "image", 4, 5)
    assert file["url"] == f"{LINKS.base}/blobs/{CODE}/one/a%20b.txt"
    assert (file["uploadedAt"], file["size"], file["mime"]) == (START, 3, "text/plain")


# -- what never leaves


def test_no_digest_of_a_key_or_file_leaves():
    """Whatever is shown of a room in which everything has happened (gap 46)."""
    for scene in (full_scene(), talk_scene()):
        room = scene.room
        shapes = [room_shape(room, {}), board_shape(room, CODE), *messages(scene)]
        shapes += [standing(room, member, scene.now) for member in room.members.by_fold.values()]
        shown = json.dumps([*shapes, *([turn_shape(room.floor.turn)] if room.floor.turn else [])])
        assert not re.search(r"(.)\1{15}", shown), "digests here are one character many times"
    assert re.search(r"(.)\1{15}", repr(talk_scene().room)), "and there were some"


def test_everything_that_was_a_line_is_one_message():
    """In order, with ids that grow and lines that count from 1 (floor 7)."""
    for scene in (full_scene(), talk_scene()):
        shapes = messages(scene)
        assert [shape["line"] for shape in shapes] == [*range(1, scene.room.lines + 1)]
        assert [shape["id"] for shape in shapes] == sorted({shape["id"] for shape in shapes})
        for shape in shapes:
            is_form(shape, MESSAGE, {"attachments": list, "replyTo": dict}, {"line": int, "verified": bool})
