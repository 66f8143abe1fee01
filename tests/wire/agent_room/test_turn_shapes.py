"""Reply modes, turns, and what a member is to them, field by field (agent-room §4.6, §4.7, §5.7)."""

import pytest

from stateroom.core.floor import Invite, turn_of
from stateroom.core.lifecycle import EndRoom
from stateroom.core.refusals import InvalidModeConfig
from stateroom.core.turns import ModeConfig, Spoken, Timeouts
from stateroom.testing.scenes import START
from stateroom.wire.agent_room.rooms import (
    current_speaker,
    mode_config_shape,
    read_mode_config,
    spoken_shape,
    standing,
    turn_shape,
)
from tests.core.talking import PASS, Talk
from tests.wire.agent_room.forms import is_form

TURN = {"turnId": int, "mode": str, "queue": list, "spoken": list}
CURRENT = {"currentName": str, "currentClient": str, "currentRole": str}
LED = {"leadName": str, "leadClient": str}
MODERATED = {"moderatorName": str, "moderatorClient": str}
SLOT = {"name": str, "client": str, "role": str}
SPOKEN = {**SLOT, "status": str, "at": int}
WHOLE = {
    "leadAgentName": "ann",
    "leadAgentClient": "cc",
    "moderatorAgentName": "bob",
    "moderatorAgentClient": "cc",
    "timeoutMs": {"lead": 1, "supplement": 2, "wrap": 3, "moderator": 4, "assignee": 5},
    "leadGraceMs": 6,
    "restartOnHuman": True,
}


# -- §4.6 ReplyModeConfig


def test_a_mode_config_comes_back_as_it_was_sent():
    """All of §4.6, with `restartOnHuman`, which is ours."""
    config = ModeConfig("ann", "bob", Timeouts(1, 2, 3, 4, 5), 6, True)
    assert read_mode_config(WHOLE) == config
    assert mode_config_shape(config) == WHOLE


def test_what_is_not_set_is_left_out():
    """A config in which nothing is set has no fields, and nothing sent is nothing set."""
    assert mode_config_shape(ModeConfig()) == {}
    assert mode_config_shape(ModeConfig(grace_ms=0)) == {"leadGraceMs": 0}
    assert mode_config_shape(ModeConfig(timeouts=Timeouts(wrap=7))) == {"timeoutMs": {"wrap": 7}}
    for nothing in (None, {}, {"leadAgentName": None, "timeoutMs": None, "somethingElse": 1}):
        assert read_mode_config(nothing) == ModeConfig()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("sequential", "the config"),
        ({"leadAgentName": 1}, "leadAgentName"),
        ({"moderatorAgentName": ["ann"]}, "moderatorAgentName"),
        ({"timeoutMs": 5}, "timeoutMs"),
        ({"timeoutMs": {"lead": "5"}}, "timeoutMs.lead"),
        ({"timeoutMs": {"wrap": True}}, "timeoutMs.wrap"),
        ({"leadGraceMs": float("nan")}, "leadGraceMs"),
        ({"leadGraceMs": float("inf")}, "leadGraceMs"),
    ],
)
def test_what_is_no_mode_config_is_refused(given, named):
    """With the name of the part that is wrong."""
    with pytest.raises(InvalidModeConfig) as refused:
        read_mode_config(given)
    assert named in refused.value.facts["reason"]


# -- §4.7 TurnState


def test_a_sequential_turn_has_the_listed_fields():
    """Who leads, who has the floor until when, who follows."""
    talk = Talk("ann", "bob", "cyn", mode="sequential")
    talk.pass_s(1).say("host")
    shape = turn_shape(talk.turn)
    is_form(shape, {**TURN, **LED, **CURRENT, "deadline": int, "hardDeadline": int, "leadGraceUntil": int}, {})
    assert (shape["turnId"], shape["mode"], shape["leadName"]) == (START + 1_000, "sequential", "ann")
    assert (shape["currentName"], shape["currentRole"], shape["currentClient"]) == ("ann", "lead", "cc")
    times = [shape[name] - shape["turnId"] for name in ("leadGraceUntil", "deadline", "hardDeadline")]
    assert times == [20_000, 150_000, 600_000], "epoch milliseconds, as §5.4 has them"
    assert shape["queue"] == [{"name": name, "client": "cc", "role": "supplement"} for name in ("bob", "cyn")]
    assert shape["spoken"] == []


def test_a_moderated_turn_has_the_listed_fields():
    """The moderator keeps the floor: no hard limit, no queue."""
    talk = Talk("ann", "bob", mode="moderator", moderator="bob")
    talk.say("host")
    shape = turn_shape(talk.turn)
    is_form(shape, {**TURN, **MODERATED, **CURRENT, "deadline": int}, {})
    assert (shape["moderatorName"], shape["currentRole"], shape["queue"]) == ("bob", "moderator", [])


def test_those_invited_are_listed():
    """`hostDirected`, by whom and since when; gone when there are none."""
    talk = Talk("ann", "bob", "cyn", mode="moderator", moderator="ann")
    talk.say("host")
    assert "hostDirected" not in turn_shape(talk.turn)
    talk.pass_s(2).invite("bob")
    talk.do("ann", Invite("cyn", "moderator"))
    first, second = turn_shape(talk.turn)["hostDirected"]
    assert first == {"name": "bob", "client": "cc", "addedAt": START + 2_000, "source": "host"}
    assert (second["name"], second["source"]) == ("cyn", "moderator")
    talk.say("bob")
    talk.say("cyn")
    assert "hostDirected" not in turn_shape(talk.turn)


def test_a_finished_turn_is_a_record():
    """No speaker, no deadline; how every slot ended stays (§4.7)."""
    talk = Talk("ann", "bob", "cyn", mode="sequential")
    talk.say("host")
    talk.pass_s(1).say("ann")
    talk.pass_s(1).say("bob", PASS)
    talk.pass_s(1).skip()
    shape = turn_shape(talk.turn)
    is_form(shape, {**TURN, **LED}, {})
    for one in shape["spoken"]:
        is_form(one, SPOKEN, {})
    assert [(one["name"], one["role"], one["status"], one["at"] - START) for one in shape["spoken"]] == [
        ("ann", "lead", "replied", 1_000),
        ("bob", "supplement", "no_addition", 2_000),
        ("cyn", "supplement", "skipped", 3_000),
    ]


@pytest.mark.parametrize("ending", ["replied", "skipped", "timed_out", "no_addition", "skipped_by_grace"])
def test_the_ways_a_slot_ends_have_their_listed_names(ending):
    """Our endings are the `status` values of §4.7 themselves."""
    assert spoken_shape(Spoken("ann", "lead", ending, START))["status"] == ending


# -- §5.7 what a member is to the turn


def test_who_has_the_floor_in_short():
    """Name, role and deadline; nothing when nobody has it."""
    talk = Talk("ann", "bob", mode="sequential")
    assert current_speaker(turn_of(talk.room.floor)) is None
    talk.say("host")
    shape = current_speaker(turn_of(talk.room.floor))
    is_form(shape, {**SLOT, "deadline": int}, {})
    assert (shape["name"], shape["role"]) == ("ann", "lead")


def stands(talk, name):
    shape = standing(talk.room, talk.member(name), talk.now)
    return shape["myRoleInTurn"], shape["canISpeakNow"], shape.get("canSendStatusNow", False)


def test_in_open_mode_everybody_observes_and_may_speak():
    """§5.3; who is not here may not."""
    talk = Talk("ann")
    assert stands(talk, "ann") == stands(talk, "host") == ("observer", True, False)
    assert stands(talk, "nobody") == ("observer", False, False)


def test_roles_in_a_sequential_turn():
    """From the lead over the queue to those who have spoken; people always may (§5.7)."""
    talk = Talk("ann", "bob", "cyn", mode="sequential")
    talk.say("host")
    assert [stands(talk, name)[:2] for name in ("ann", "bob", "host")] == [
        ("lead", True),
        ("queued", False),
        ("observer", True),
    ]
    talk.pass_s(20)
    assert stands(talk, "bob") == ("supplement", True, False), "the lead's grace is over"
    talk.say("ann")
    assert [stands(talk, name)[:2] for name in ("ann", "bob", "cyn")] == [
        ("spoken", False),
        ("supplement", True),
        ("queued", False),
    ]


def test_who_has_no_turn_with_a_moderator_may_send_notes():
    """`canSendStatusNow` in moderator mode only (§5.7)."""
    talk = Talk("ann", "bob", mode="moderator", moderator="ann")
    talk.say("host")
    assert stands(talk, "ann") == ("moderator", True, False)
    assert stands(talk, "bob") == ("observer", False, True)
    talk.invite("bob")
    assert stands(talk, "bob") == ("host_directed", True, False)


def test_the_muted_and_the_ended_may_do_nothing():
    """Neither speak nor send notes."""
    talk = Talk("ann", "bob", mode="moderator", moderator="ann")
    talk.mute("bob")
    assert stands(talk, "bob") == ("observer", False, False)
    talk.host(EndRoom())
    assert stands(talk, "ann")[1:] == stands(talk, "host")[1:] == (False, False)


def test_a_standing_names_the_turn_and_its_speaker():
    """Only while one runs; the config is there where one is set."""
    talk = Talk("ann", "bob", mode="sequential", lead="bob")
    before = standing(talk.room, talk.member("ann"), talk.now)
    assert set(before) == {"replyMode", "modeConfig", "myRoleInTurn", "canISpeakNow"}
    talk.say("host")
    during = standing(talk.room, talk.member("ann"), talk.now)
    assert (during["turnId"], during["currentSpeaker"]["name"]) == (START, "bob")
