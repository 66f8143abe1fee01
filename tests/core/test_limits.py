"""How long things may be: exactly at the limit is fine, one more is not, and the words are the same everywhere."""

import pytest

from stateroom.core import limits
from stateroom.core.context import ReviseContext, WriteContext
from stateroom.core.leases import TakeLease
from stateroom.core.messages import PostMessage
from stateroom.core.refusals import BadNumber, BadText, PayloadTooLarge, TooDeep, TooLong
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.tasks import LinkTask, MoveTask, OpenTask, PrioritizeTask, TaskPrioritized
from stateroom.core.variables import SetVariable
from stateroom.testing.scenes import Scene

GIVEN = (
    ("ann", OpenTask("t")),
    ("ann", WriteContext("note", "s", {"text": "t"})),
    ("ann", RequestReview("task", "T-01", "ann's friend")),
)
NOTE = {"text": "t"}

TEXTS = {
    # field as it is named to the caller, limit, and a wish with that text in it
    "title": (1_000, lambda text: ("ann", OpenTask(text))),
    "description": (16_000, lambda text: ("ann", OpenTask("t", text))),
    "note": (16_000, lambda text: ("ann", MoveTask("T-01", "held", note=text))),
    "depends_on": (128, lambda text: ("ann", OpenTask("t", depends_on=(text,)))),
    "summary": (4_000, lambda text: ("ann", WriteContext("note", text, NOTE))),
    "summary ": (4_000, lambda text: ("ann", ReviseContext("C-01", summary=text))),
    "consuming_agents": (128, lambda text: ("ann", WriteContext("note", "s", NOTE, (text,)))),
    "consuming_agents ": (128, lambda text: ("ann", ReviseContext("C-01", consumers=(text,)))),
    "type": (128, lambda text: ("ann", PostMessage(text, "all", {}))),
    "to": (128, lambda text: ("ann", PostMessage("hi", text, {}))),
    "reply_to": (128, lambda text: ("ann", PostMessage("hi", "all", {}, text))),
    "resource": (512, lambda text: ("ann", TakeLease(text, 30))),
    "key": (128, lambda text: ("ann", SetVariable(text, "v"))),
    "value": (4_096, lambda text: ("ann", SetVariable("k", text))),
    "note ": (4_000, lambda text: ("ann", RequestReview("task", "T-01", "bob", text))),
    "note  ": (4_000, lambda text: ("ann's friend", ResolveReview("R-01", "approved", text))),
}


@pytest.mark.parametrize(("field", "limit", "wish"), [(field, *rest) for field, rest in TEXTS.items()])
def test_a_text_may_be_as_long_as_its_limit(field, limit, wish):
    """Counted in characters, however wide; one more is refused, and the refusal says which field and by how much."""
    assert Scene(*GIVEN).when(*wish("é" * limit)).refusal is None
    refused = Scene(*GIVEN).when(*wish("é" * (limit + 1)))
    refused.then(TooLong, field=field.strip(), size=limit + 1, limit=limit, unit="characters")


@pytest.mark.parametrize("bad", ["\x00", "a\x00b", "\ud800", "\udfff a"])
@pytest.mark.parametrize(("field", "wish"), [(field, wish) for field, (_, wish) in TEXTS.items()])
def test_a_text_that_no_store_can_hold_is_refused(field, wish, bad):
    """NUL and lone surrogates, in every field (L15, L16)."""
    Scene(*GIVEN).when(*wish(bad)).then(BadText, field=field.strip())


PAYLOADS = [
    lambda payload: PostMessage("hi", "all", payload),
    lambda payload: WriteContext("note", "s", payload),
    lambda payload: ReviseContext("C-01", payload=payload),
]


def filled(size_bytes, letter="x"):
    """A note whose compact JSON has exactly so many bytes."""
    room = size_bytes - len('{"text":""}')
    width = len(letter.encode())
    return {"text": letter * (room // width) + "x" * (room % width)}


@pytest.mark.parametrize("letter", ["x", "é", "€", "𝄞"])
@pytest.mark.parametrize("wish", PAYLOADS)
def test_a_payload_has_at_most_64000_bytes_everywhere(wish, letter):
    """Bytes of compact UTF-8 JSON, the same in writing, revising and posting (W-27)."""
    assert Scene(*GIVEN).when("ann", wish(filled(64_000, letter))).refusal is None
    refused = Scene(*GIVEN).when("ann", wish(filled(64_001, letter)))
    refused.then(PayloadTooLarge, size=64_001, limit=64_000)


def nested(levels):
    inner = {}
    for _ in range(levels - 2):
        inner = {"in": inner}
    return {"text": "t", "in": inner}


@pytest.mark.parametrize("wish", PAYLOADS)
def test_a_payload_is_at_most_64_levels_deep(wish):
    """Deeper ones some reader could not read back, and then nobody could read the room."""
    assert Scene(*GIVEN).when("ann", wish(nested(64))).refusal is None
    Scene(*GIVEN).when("ann", wish(nested(65))).then(TooDeep, field="payload", limit=64)
    Scene(*GIVEN).when("ann", wish(nested(5_000))).then(TooDeep)


@pytest.mark.parametrize("wish", PAYLOADS)
@pytest.mark.parametrize(
    ("extra", "where"),
    [({"a": ["", "\x00"]}, "payload.a.1"), ({"a": {"b": "\ud800"}}, "payload.a.b"), ({"\x00": 1}, "payload.\ufffd")],
)
def test_a_payload_that_no_store_can_hold_is_refused(wish, extra, where):
    """Wherever in it the text is, and the caller is told where."""
    Scene(*GIVEN).when("ann", wish({"text": "t", **extra})).then(BadText, field=where)


def test_a_task_waits_for_at_most_100_others():
    """However it came to: opened so, or linked one by one."""
    ids = tuple(f"T-{n:02d}" for n in range(1, 102))
    tasks = [("ann", OpenTask("t"))] * 101
    Scene().when("ann", OpenTask("t", depends_on=ids)).then(
        TooLong, field="depends_on", size=101, limit=100, unit="tasks"
    )
    full = Scene(*tasks, ("ann", OpenTask("t", depends_on=ids[:100])))
    full.when("ann", LinkTask("T-102", "T-101")).then(TooLong, field="depends_on", size=101, limit=100, unit="tasks")
    full.when("ann", LinkTask("T-102", "T-100")).then()


def test_an_entry_has_at_most_50_consumers():
    """In writing and in revising."""
    assert Scene().when("ann", WriteContext("note", "s", NOTE, ("x",) * 50)).refusal is None
    for wish in (WriteContext("note", "s", NOTE, ("x",) * 51), ReviseContext("C-01", consumers=("x",) * 51)):
        Scene(*GIVEN).when("ann", wish).then(TooLong, field="consuming_agents", size=51, limit=50, unit="names")


def test_a_name_is_returned_trimmed():
    """And otherwise as it was given."""
    assert limits.name("  Ann Lee\n") == "Ann Lee"


@pytest.mark.parametrize("priority", [10**9 + 1, -(10**9) - 1, int("9" * 4_000)])
def test_a_priority_is_a_number_every_reader_can_read(priority):
    """Whoever asks for another is told the bounds, and nothing has changed."""
    scene = Scene(("ann", OpenTask("t")))
    scene.when("ann", OpenTask("u", priority=priority)).then(BadNumber)
    scene.when("ann", PrioritizeTask("T-01", priority)).then(BadNumber)
    scene.when("ann", PrioritizeTask("T-01", 10**9)).then(TaskPrioritized)
