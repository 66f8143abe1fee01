"""Bad input per tool: refused in words, naming what is wrong, and nothing is changed by it."""

import json
from typing import Any

import pytest

from .catalogue import ARGUMENTS, sample
from .harness import Room, promise
from .test_results import SPECIAL, furnish

NAMES = ("agentId", "author", "from", "requestedBy", "reviewer")
"""Arguments that become somebody's name."""
QUIET_IDS = ("get_context_history", "get_event_reads", "reply_to_event")
"""Tools that answer an unknown id with nothing, or take it as it is (catalogue 16, 28, 29)."""

UNKNOWN = [
    ("taskId", "Task not found: nope"),
    ("dependsOn", "Dependency task not found: nope"),
    ("id", "ContextEntry not found: nope"),
    ("eventId", "Event not found: nope"),
    ("reviewId", "Review not found: nope"),
    ("templateId", "Unknown template: nope"),
    ("targetId", "There is no task nope in this room to review."),
]
USES = [
    (tool, name, text)
    for name, text in UNKNOWN
    for tool, arguments in ARGUMENTS.items()
    if name in arguments and tool not in QUIET_IDS
]


@promise("§14.4")
@pytest.mark.parametrize(("tool", "name", "text"), USES)
async def test_an_unknown_id_is_refused_in_the_literal_words(room: Room, tool: str, name: str, text: str) -> None:
    """By every tool that takes such an id; the refusal says what to do next; nothing changes."""
    await furnish(room)
    arguments = {**sample(tool), "payload": {"text": "t"}, name: "nope"}
    before = await room.state()
    refused = await room.raw_refusal(tool, json.dumps(arguments))
    assert refused.text == f"Error: {text}"
    assert refused.result["content"][1]["text"].startswith("Next: ")
    assert await room.state() == before


ROOM_TOOLS = [tool for tool, arguments in ARGUMENTS.items() if "roomId" in arguments]
LONG = "a" * 65


@promise("38", "39", "§14.4")
@pytest.mark.parametrize("tool", ROOM_TOOLS)
async def test_a_bad_room_id_is_refused_by_every_tool(room: Room, tool: str) -> None:
    """With the literal texts; no room comes to be."""
    invalid = "Error: Invalid roomId: use 2–64 chars of [a-z0-9_-], starting with alphanumeric"
    for id in ("r", "Room1", "__hidden", "-room", LONG, "my room", "röom", "a/b", "a\n"):
        assert (await room.raw_refusal(tool, json.dumps({**sample(tool), "roomId": id}))).text == invalid, id
    reserved = await room.raw_refusal(tool, json.dumps({**sample(tool), "roomId": "bad__id"}))
    assert reserved.text == "Error: Invalid roomId: reserved prefix"
    assert await room.call("list_rooms") == {"rooms": []}


@promise("38")
@pytest.mark.parametrize("id", ["ab", "room_1-ok", "0a", "a" * 64])
async def test_a_good_room_id_is_taken(room: Room, id: str) -> None:
    """Two to sixty-four characters."""
    assert (await room.at(id).call("read_plan"))["project"] == id


TEXTS = [
    (tool, name)
    for tool, arguments in ARGUMENTS.items()
    for name, arg in arguments.items()
    if arg.type == "string" and not arg.one_of and name != "since"
]


@pytest.mark.parametrize(("tool", "name"), TEXTS)
async def test_a_nul_in_a_text_is_refused_and_its_place_named(room: Room, tool: str, name: str) -> None:
    """Stores could not keep it; nothing changes."""
    await furnish(room)
    before = await room.state()
    refused = await room.raw_refusal(tool, json.dumps({**sample(tool, complete=True), name: "a\0b"}))
    assert (refused.code, refused.issues[0]["path"]) == ("bad_arguments", [name])
    assert "NUL" in refused.issues[0]["message"]
    assert await room.state() == before


@pytest.mark.parametrize("tool", ["write_context", "update_context", "post_event", "reply_to_event"])
@pytest.mark.parametrize("payload", [{"text": "a\0b"}, {"text": "t", "a\0": 1}, {"text": "t", "deep": [{"x": "\0"}]}])
async def test_a_nul_deep_in_a_payload_is_refused(room: Room, tool: str, payload: dict[str, Any]) -> None:
    """In a value, in a key, at any depth; the path leads there."""
    await furnish(room)
    before = await room.state()
    refused = await room.raw_refusal(tool, json.dumps({**sample(tool, complete=True), "payload": payload}))
    assert refused.issues[0]["path"][0] == "payload"
    assert await room.state() == before


ACTORS = [(tool, name) for tool, arguments in ARGUMENTS.items() for name in NAMES if name in arguments]
READING = ("list_context", "get_unblocked_tasks", "get_my_tasks")


@pytest.mark.parametrize(("tool", "name"), [pair for pair in ACTORS if pair[0] not in READING])
@pytest.mark.parametrize("bad", [" ", "a\u200bb", "a\nb", "\u202eevil", "n" * 129], ids=ascii)
async def test_a_name_nobody_can_read_is_refused(room: Room, tool: str, name: str, bad: str) -> None:
    """Empty, too long, or with invisible characters; nothing changes and nobody joins."""
    await furnish(room)
    before = await room.state()
    arguments = {**sample(tool, complete=True), **SPECIAL.get(tool, {}), name: bad}
    refused = await room.raw_refusal(tool, json.dumps(arguments))
    assert refused.code in ("bad_name", "bad_arguments")
    assert await room.state() == before


TOO_LONG = [
    ("add_task", "title", 1_000),
    ("add_task", "description", 16_000),
    ("update_task", "note", 16_000),
    ("reply_to_event", "type", 128),
    ("reply_to_event", "to", 128),
    ("reply_to_event", "replyToId", 128),
    ("update_context", "summary", 4_000),
    ("acquire_lock", "resource", 512),
    ("request_review", "note", 4_000),
]


@pytest.mark.parametrize(("tool", "name", "limit"), TOO_LONG)
async def test_a_text_beyond_its_bound_is_refused_with_the_bound(room: Room, tool: str, name: str, limit: int) -> None:
    """Where the catalogue sets none, ours is named in the refusal; nothing changes."""
    await furnish(room)
    before = await room.state()
    refused = await room.raw_refusal(tool, json.dumps({**sample(tool, complete=True), name: "a" * (limit + 1)}))
    assert refused.code == "too_long"
    assert f"{limit + 1} of at most {limit} characters" in refused.text
    assert await room.state() == before


@pytest.mark.parametrize("tool", ["approve", "reject"])
async def test_a_resolution_note_beyond_its_bound_is_refused(room: Room, tool: str) -> None:
    """And the review stays pending."""
    await furnish(room)
    refused = await room.refusal(tool, reviewId="R-01", agentId="bob", note="n" * 4_001)
    assert refused.code == "too_long"
    assert (await room.call("list_reviews"))[0]["status"] == "pending"


@pytest.mark.parametrize("tool", ["write_context", "update_context", "post_event", "reply_to_event"])
async def test_a_payload_nested_too_deep_is_refused(room: Room, tool: str) -> None:
    """Sixty-four levels are taken; one more is refused: some reader could not read it back."""
    await furnish(room)
    inner = json.loads("[" * 63 + "]" * 63)
    arguments = {**sample(tool, complete=True), "payload": {"text": "t", "deep": inner}}
    await room.raw(tool, json.dumps(arguments))
    before = await room.state()
    refused = await room.raw_refusal(tool, json.dumps({**arguments, "payload": {"text": "t", "deep": [inner]}}))
    assert (refused.code, refused.sentence) == ("too_deep", "payload is nested deeper than 64 levels.")
    assert await room.state() == before


@pytest.mark.parametrize("number", ["1e308", "0.1", "-0.0", "123456789012345678901234567890", "18446744073709551615"])
async def test_a_number_reads_back_as_it_was_sent(room: Room, number: str) -> None:
    """Large and small ones, whole and broken ones."""
    arguments = json.dumps({**sample("post_event"), "payload": "HERE"}).replace('"HERE"', f'{{"n": {number}}}')
    posted = (await room.raw("post_event", arguments)).value
    assert repr(posted["payload"]["n"]) == repr(json.loads(number))
    assert (await room.newest())["payload"] == posted["payload"]


@pytest.mark.parametrize("text", ["héllo — 世界 🚪", "\u2028\u2029", "\\ \" '", " leading and trailing ", "a\r\nb\tc"])
async def test_a_text_reads_back_as_it_was_sent(room: Room, text: str) -> None:
    """In titles, payloads, values and keys."""
    await room.add(text)
    assert (await room.call("read_plan"))["tasks"][0]["title"] == text
    await room.post(payload={"text": text, text: 1})
    assert (await room.newest())["payload"] == {"text": text, text: 1}
    await room.call("set_shared_var", key=text, value=text, agentId="ann")
    assert (await room.call("list_shared_vars"))["vars"] == {text: text}
