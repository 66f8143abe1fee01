"""Secrets are taken out of every wish before a rule sees it, and nothing else is."""

from dataclasses import fields

import pytest

from stateroom.core.context import ReviseContext, WriteContext
from stateroom.core.here import Here
from stateroom.core.holding import ClaimTask
from stateroom.core.leases import TakeLease
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.messages import PostMessage
from stateroom.core.proving import SubmitTask
from stateroom.core.reports import KeepReport
from stateroom.core.reviews import RequestReview
from stateroom.core.room import decide
from stateroom.core.scrubbing import scrubbed
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import Say, SecretsRedacted
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.core.variables import SetVariable
from stateroom.log import codec
from stateroom.testing.scenes import START
from tests.core.talking import TEAM, Talk, kinds
from tests.log.samples import TALKED, WISHED

TOKEN = "ghp_" + "a1B2" * 10
HIDDEN = "[REDACTED]"
LEAKS = [
    OpenTask("t", f"use {TOKEN}"),
    OpenTask("t", dod=f"{TOKEN} is gone"),
    MoveTask("T-01", "held", note=TOKEN),
    PostMessage("question", "all", {"deep": [{"er": TOKEN}], "n": 1}),
    WriteContext("note", TOKEN, {"text": "t"}),
    WriteContext("note", "s", {"text": f"{TOKEN}, {TOKEN}"}),
    WriteContext("note", "s", {"text": "t"}, ("bob", TOKEN)),
    ReviseContext("C-01", payload={"text": TOKEN}),
    SubmitTask("T-01", "a.py", TOKEN, checks="1. green: ran it"),
    RequestReview("task", "T-01", "bob", TOKEN),
    SetVariable("key", TOKEN),
    TakeLease(TOKEN, 30),
    Say(f"see {TOKEN}"),
    TakeSeat(role=TOKEN),
    OpenRoom("demo", "ABC-DEF-GHJ", "red", TOKEN),
]


@pytest.mark.parametrize("wish", LEAKS, ids=lambda wish: type(wish).__name__)
def test_whatever_it_came_through_a_secret_is_not_written(wish):
    """In no field and at no depth of any wish (agent-room §17.1, gap 95); the rest of it stays."""
    clean, count = scrubbed(wish)
    assert type(clean) is type(wish)
    assert count == str(wish).count(TOKEN)
    assert TOKEN not in str(clean)
    assert str(clean) == str(wish).replace(TOKEN, HIDDEN)


@pytest.mark.parametrize("wish", [wish for _, wish, *_ in (*WISHED, *TALKED)], ids=lambda wish: type(wish).__name__)
def test_a_wish_without_a_secret_stays_itself(wish):
    """The very same, digests of keys and blobs included; a request and its repeat stay one."""
    if "hunter2" in str(wish):
        return
    clean, count = scrubbed(wish)
    assert (clean is wish, count) == (True, 0)


@pytest.mark.parametrize("digest", ["0123456789abcdef" * 4, "a1b2" * 16])
def test_digests_are_no_secrets(digest):
    """Hexadecimal digits are what is kept instead of one."""
    for wish in (
        TakeSeat(offer=digest),
        OpenRoom("demo", "ABC-DEF-GHJ", "red", host_digest=digest),
        KeepReport("x" * 16, digest, 1),
    ):
        assert scrubbed(wish) == (wish, 0)


def test_talk_hides_also_what_is_only_called_a_secret():
    """A contract may well have a field that is called token."""
    assert scrubbed(Say("password: hunter2"))[0].text == f"password: {HIDDEN}"
    contract = WriteContext("note", "s", {"text": "password: string", "token": "string"})
    assert scrubbed(contract) == (contract, 0)


def test_the_room_notes_how_many_there_were():
    """In the same breath, after what was written; never which."""
    talk = Talk("ann")
    facts = talk.do("ann", OpenTask("t", f"{TOKEN} {TOKEN}"))
    assert kinds(facts) == ["TaskOpened", "SecretsRedacted"]
    assert facts[-1] == SecretsRedacted(2)
    assert TOKEN.encode() not in b"".join(codec.encode(entry.event).body for entry in talk.log)


def test_nothing_written_nothing_noted():
    """A wish that changes nothing leaves no trace."""
    talk = Talk("ann")
    talk.do("ann", OpenTask("t"))
    talk.do("ann", ClaimTask("T-01"))
    talk.do("ann", MoveTask("T-01", "held", note=HIDDEN))
    assert talk.do("ann", MoveTask("T-01", "held", note=TOKEN)) == []


def test_a_server_may_be_told_not_to():
    """`STATEROOM_REDACT`: what is written is what was said."""
    talk = Talk("ann")
    (said,) = decide(talk.room, Say(f"see {TOKEN}"), Here("ann", START, "", TEAM, redacts=False))
    assert said.text == f"see {TOKEN}"


def test_every_field_of_every_wish_is_of_a_kind_that_is_looked_at():
    """Text, and what holds text; everything else can hold none, or is the server's own."""
    odd = {
        (type(wish).__name__, part.name)
        for _, wish, *_ in (*WISHED, *TALKED)
        for part in fields(wish)
        if not isinstance(getattr(wish, part.name), str | dict | list | tuple | int | None)
    }
    assert odd == {("OpenRoom", "policy"), ("SetMode", "config")}
