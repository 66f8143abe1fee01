"""The context's weaknesses (protocol §13.3), and what is better here."""

import copy
import json
from typing import Any

import pytest

from stateroom.core.payloads import EXAMPLES

from .harness import Room, ToolError, gather, promise


@promise("W-25")
async def test_two_revisions_at_once_are_two_versions(room: Room) -> None:
    """Neither vanishes from the history."""
    id = await room.note("start")
    calls = [room.call("update_context", id=id, author="ann", summary=f"s{n}") for n in range(8)]
    versions = [revised["version"] for revised in await gather(calls)]
    assert sorted(versions, key=lambda version: int(version[2:])) == [f"1.{n}" for n in range(1, 9)]
    history = await room.call("get_context_history", id=id)
    assert len({entry["summary"] for entry in [history["current"], *history["history"]]}) == 9


@promise("W-25")
async def test_of_two_writers_who_expect_one_version_one_is_told(room: Room) -> None:
    """expectedVersion refuses the second, names the version it must merge with, and changes nothing."""
    id = await room.note()
    calls = [
        room.call("update_context", id=id, author=name, summary=name, expectedVersion="1.0") for name in ("ann", "bob")
    ]
    won, lost = sorted(await gather(calls), key=lambda answer: isinstance(answer, ToolError))
    assert (won["version"], lost.code) == ("1.1", "context_moved")
    assert "1.1" in lost.sentence


@promise("W-27")
@pytest.mark.parametrize("tool", ["write_context", "update_context", "post_event", "reply_to_event"])
async def test_a_payload_has_the_same_bound_everywhere(room: Room, tool: str) -> None:
    """64,000 bytes of compact JSON are taken; one more is refused, and nothing changes."""
    id = await room.note()
    names = {"type": "note", "author": "ann", "summary": "", "consuming_agents": [], "from_": "ann", "to": "all"}
    arguments: dict[str, Any] = {**names, "replyToId": "E-1"}
    if tool == "update_context":
        arguments["id"] = id
    frame = len(b'{"text":""}')
    await room.call(tool, **arguments, payload={"text": "é" * ((64_000 - frame) // 2)})
    before = await room.state()
    refused = await room.refusal(tool, **arguments, payload={"text": "x" * (64_001 - frame)})
    assert refused.text.startswith("Error: payload exceeds 64KB")
    assert await room.state() == before


@promise("W-27")
async def test_revisions_are_bounded_like_new_entries(room: Room) -> None:
    """Summary and consumers: the same bounds as on creation; nothing changes."""
    id = await room.note()
    before = await room.state()
    for change in (
        {"summary": "s" * 4_001},
        {"consuming_agents": ["bob"] * 51},
        {"consuming_agents": ["b" * 129]},
    ):
        assert (await room.refusal("update_context", id=id, author="ann", **change)).code == "too_long"
    assert await room.state() == before


@promise("W-28")
async def test_the_history_of_a_withdrawn_entry_is_gone(room: Room) -> None:
    """It shows nothing more, like an entry that never was."""
    id = await room.note("secret")
    await room.call("update_context", id=id, author="ann", summary="secret too")
    await room.call("delete_context", id=id)
    history = await room.call("get_context_history", id=id)
    assert (history["current"], history["history"]) == (None, [])
    assert (await room.refusal("diff_context", id=id)).code == "unknown_context"


@promise("W-29")
async def test_context_is_listed_newest_first_and_in_pages(room: Room) -> None:
    """By the time it was last written; limit and offset walk through it."""
    ids = [await room.note(str(number)) for number in range(5)]
    await room.call("update_context", id=ids[0], author="ann", summary="revised")
    order = [ids[0], *ids[:0:-1]]
    assert [entry["id"] for entry in await room.call("list_context")] == order
    page = await room.call("list_context", limit=2, offset=2)
    assert [entry["id"] for entry in page] == order[2:4]


@promise("W-30")
async def test_a_new_author_alone_is_no_new_version(room: Room) -> None:
    """Nothing changed, so nothing happened: version, author and history stay."""
    id = await room.note("same")
    before = await room.state()
    same = await room.call("update_context", id=id, author="ann", summary="same", payload={"text": "same"})
    assert (same["version"], same["author"]) == ("1.0", "ann")
    assert await room.state() == before


@promise("W-30")
async def test_a_history_longer_than_its_answer_says_how_long_it_is(room: Room) -> None:
    """At most 50 earlier versions are shown, `total` counts all, and any of them can be compared with."""
    id = await room.note("v0")
    for number in range(1, 61):
        await room.call("update_context", id=id, author="ann", summary=f"v{number}")
    history = await room.call("get_context_history", id=id)
    assert (len(history["history"]), history["total"]) == (50, 60)
    assert (await room.call("diff_context", id=id, againstVersion="1.0"))["previous"]["summary"] == "v0"


@promise("W-31")
async def test_a_diff_goes_deep_and_does_not_mind_the_order_of_keys(room: Room) -> None:
    """Paths name what changed inside; reordered keys are no change; author and consumers are compared too."""
    payload = {"text": "t", "deep": {"a": {"b": 1}, "list": [1, 2, 3]}}
    id = await room.note(payload=payload)
    reordered = json.loads('{"deep": {"list": [1, 9, 3], "a": {"b": 1}}, "text": "t"}')
    await room.call("update_context", id=id, author="bob", payload=reordered, consuming_agents=["cyd"])
    diff = (await room.call("diff_context", id=id))["diff"]
    assert diff["payload"]["changed"] == ["deep"]
    assert diff["paths"] == [{"path": "deep.list.1", "kind": "changed"}]
    assert (diff["authorChanged"], diff["consumersChanged"]) == (True, True)


@promise("W-31")
async def test_consumers_are_told_what_a_new_contract_breaks(room: Room) -> None:
    """The diff and the `context_updated` event name the same broken promises."""
    contract: Any = copy.deepcopy(dict(EXAMPLES["api_contract"]))
    written = {"type": "api_contract", "summary": "users", "consuming_agents": ["web"], "author": "api"}
    id = (await room.call("write_context", **written, payload=contract))["id"]
    del contract["endpoints"][0]["response"]["email"]
    await room.call("update_context", id=id, author="api", payload=contract)
    broken = ["GET /users/{id}: response field email was removed"]
    assert (await room.call("diff_context", id=id))["diff"]["breaking"] == broken
    assert (await room.newest())["payload"]["breaking"] == broken


@promise("W-31")
async def test_an_addition_breaks_nobody(room: Room) -> None:
    """A contract that only gained a field has nothing to warn of."""
    contract: Any = copy.deepcopy(dict(EXAMPLES["api_contract"]))
    written = {"type": "api_contract", "summary": "users", "consuming_agents": ["web"], "author": "api"}
    id = (await room.call("write_context", **written, payload=contract))["id"]
    contract["endpoints"][0]["response"]["nick"] = "string"
    await room.call("update_context", id=id, author="api", payload=contract)
    assert "breaking" not in (await room.newest())["payload"]


@promise("W-32")
async def test_every_version_of_an_entry_can_be_found_again(room: Room) -> None:
    """History, comparison and search are there from the start."""
    id = await room.note("a login form")
    await room.call("update_context", id=id, author="ann", summary="a sign-in form")
    assert (await room.call("get_context_history", id=id))["history"][0]["summary"] == "a login form"
    assert [hit["id"] for hit in (await room.call("search", q="sign-in"))["hits"]] == [id]
