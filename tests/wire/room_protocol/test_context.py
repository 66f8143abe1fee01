"""Typed, versioned context (protocol §12.3, 78 to 94)."""

import pytest

from stateroom.core.payloads import EXAMPLES

from .harness import Room, promise

TOLD = ("contextId", "contextType", "summary")


@promise("78")
async def test_a_written_entry_has_version_one_and_reads_back(room: Room) -> None:
    """What write_context answers is what read_context shows."""
    payload = {"text": "hello", "kind": "chat_turn"}
    written = await room.call(
        "write_context", type="note", summary="hi", consuming_agents=["bob"], payload=payload, author="ann"
    )
    assert await room.call("read_context", id=written["id"]) == written
    assert written == {
        "id": "C-01",
        "type": "note",
        "author": "ann",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "summary": "hi",
        "consuming_agents": ["bob"],
        "payload": payload,
        "version": "1.0",
    }


@promise("80", "81")
@pytest.mark.parametrize(("consumers", "to"), [(["bob"], "bob"), (["bob", "cyd"], "all")])
async def test_consumers_are_told_of_a_new_entry(room: Room, consumers: list[str], to: str) -> None:
    """One consumer is addressed by name, several as `all`."""
    id = await room.note("hi", consuming_agents=consumers)
    event = await room.newest()
    assert (event["type"], event["from"], event["to"]) == ("context_available", "ann", to)
    told = {"contextId": id, "contextType": "note", "summary": "hi", "consuming_agents": consumers}
    assert event["payload"] == told


@promise("82")
async def test_without_consumers_nobody_is_told(room: Room) -> None:
    """Neither of the new entry nor of its revision; only of its withdrawal."""
    id = await room.note()
    await room.call("update_context", id=id, author="ann", summary="new")
    assert await room.types() == []
    await room.call("delete_context", id=id)
    assert await room.types() == ["context_deleted"]


@promise("83")
async def test_a_new_summary_raises_the_version_and_keeps_the_type(room: Room) -> None:
    """In place: same id, same type, time and author of the revision."""
    id = await room.note("old")
    room.clock.advance(1)
    revised = await room.call("update_context", id=id, author="bob", summary="new")
    assert (revised["id"], revised["type"], revised["version"], revised["summary"]) == (id, "note", "1.1", "new")
    assert (revised["author"], revised["timestamp"]) == ("bob", "2026-01-01T00:00:01.000Z")
    assert revised["payload"] == {"text": "old"}


@promise("83")
async def test_the_minor_version_counts_on_past_nine(room: Room) -> None:
    """1.9 is followed by 1.10."""
    id = await room.note()
    for number in range(10):
        revised = await room.call("update_context", id=id, author="ann", summary=str(number))
    assert revised["version"] == "1.10"


@promise("84")
async def test_updating_makes_no_second_entry(room: Room) -> None:
    """The new payload replaces the old one whole."""
    id = await room.note("old", payload={"text": "old", "references": ["T-01"]})
    await room.call("update_context", id=id, author="ann", payload={"text": "new"})
    (entry,) = await room.call("list_context")
    assert entry["payload"] == {"text": "new"}


@promise("85", "79")
async def test_a_new_payload_must_fit_the_stored_type(room: Room) -> None:
    """With the literal text that clients match on; nothing changes."""
    contract = dict(EXAMPLES["api_contract"])
    written = {"summary": "s", "consuming_agents": [], "payload": contract, "author": "ann"}
    id = (await room.call("write_context", type="api_contract", **written))["id"]
    before = await room.state()
    refused = await room.refusal("update_context", id=id, author="ann", payload={"text": "a note"})
    assert refused.text.startswith('Error: Invalid payload for context type "api_contract": service: Required')
    assert await room.state() == before


@promise("86")
async def test_updating_tells_the_consumers_both_versions(room: Room) -> None:
    """`context_updated` names the earlier version and the new one."""
    id = await room.note(consuming_agents=["bob"])
    await room.call("update_context", id=id, author="cyd", summary="new")
    event = await room.newest()
    assert (event["type"], event["from"], event["to"]) == ("context_updated", "cyd", "bob")
    told = {"contextId": id, "contextType": "note", "summary": "new", "previousVersion": "1.0", "version": "1.1"}
    assert event["payload"] == told


@promise("87")
@pytest.mark.parametrize("tool", ["read_context", "update_context", "delete_context", "diff_context"])
async def test_an_unknown_entry_is_refused_by_name(room: Room, tool: str) -> None:
    """By every tool that needs it, in a room that exists and in one that does not."""
    arguments = {"id": "nope", "author": "ann", "agentId": "ann"}
    for _ in range(2):
        assert (await room.refusal(tool, **arguments)).text == "Error: ContextEntry not found: nope"
        await room.add()


@promise("88", "89", "90")
async def test_list_context_filters_by_type_and_author(room: Room) -> None:
    """Without a filter it has everything; two filters must both hold."""
    note = await room.note(author="ann")
    other = await room.note(author="bob")
    request = {"summary": "s", "consuming_agents": [], "payload": dict(EXAMPLES["change_request"]), "author": "ann"}
    change = (await room.call("write_context", type="change_request", **request))["id"]

    async def listed(**filters: str) -> list[str]:
        return [entry["id"] for entry in await room.call("list_context", **filters)]

    assert sorted(await listed()) == sorted([note, other, change])
    assert await listed(type="change_request") == [change]
    assert await listed(author="bob") == [other]
    assert await listed(type="note", author="ann") == [note]
    assert await listed(type="task") == []


@promise("91")
async def test_context_is_scoped_to_its_room(room: Room) -> None:
    """Another room's entries are neither listed nor read."""
    id = await room.note()
    assert await room.at("other").call("list_context") == []
    assert (await room.at("other").refusal("read_context", id=id)).code == "unknown_context"


@promise("92")
async def test_a_deleted_entry_cannot_be_read(room: Room) -> None:
    """Its withdrawal is told under the agent's name, or else the author's."""
    first, second = await room.note("one"), await room.note("two")
    assert await room.call("delete_context", id=first, agentId="bob") == {"deleted": True, "id": first}
    await room.call("delete_context", id=second)
    assert "not found" in (await room.refusal("read_context", id=first)).text
    by_author, by_agent = await room.call("read_events", limit=2)
    assert (by_agent["type"], by_agent["from"], by_agent["to"]) == ("context_deleted", "bob", "all")
    assert by_agent["payload"] == {"contextId": first, "contextType": "note", "summary": "one"}
    assert by_author["from"] == "ann"


@promise("93")
async def test_the_history_has_what_an_entry_said_before(room: Room) -> None:
    """Newest first, without the current one."""
    id = await room.note("one")
    for summary in ("two", "three"):
        await room.call("update_context", id=id, author="ann", summary=summary)
    history = await room.call("get_context_history", id=id)
    assert (history["id"], history["current"]["summary"]) == (id, "three")
    assert [(entry["version"], entry["summary"]) for entry in history["history"]] == [("1.1", "two"), ("1.0", "one")]


async def test_the_history_of_an_unknown_entry_is_empty(room: Room) -> None:
    """No error, in a room that exists and in one that does not."""
    for _ in range(2):
        history = await room.call("get_context_history", id="nope")
        assert (history["id"], history["current"], history["history"]) == ("nope", None, [])
        await room.add()


@promise("94")
async def test_a_diff_names_the_changed_keys(room: Room) -> None:
    """And whether the summary changed, with both texts and both versions."""
    id = await room.note("old", payload={"text": "old", "kept": 1, "gone": 2})
    await room.call("update_context", id=id, author="ann", summary="new", payload={"text": "new", "kept": 1, "more": 3})
    answer = await room.call("diff_context", id=id)
    diff = answer["diff"]
    assert (diff["summaryChanged"], diff["fromSummary"], diff["toSummary"]) == (True, "old", "new")
    assert diff["payload"] == {"added": ["more"], "removed": ["gone"], "changed": ["text"]}
    assert (diff["fromVersion"], diff["toVersion"]) == ("1.0", "1.1")
    assert (answer["id"], answer["current"]["summary"], answer["previous"]["summary"]) == (id, "new", "old")


@promise("94")
async def test_a_diff_compares_with_any_earlier_version(room: Room) -> None:
    """By default the one before; an empty version counts as none; others are refused in the literal words."""
    id = await room.note("one")
    assert (await room.refusal("diff_context", id=id)).text == "Error: No prior versions to diff against"
    for summary in ("two", "three"):
        await room.call("update_context", id=id, author="ann", summary=summary)
    for version, summary in ((None, "two"), ("", "two"), ("1.0", "one")):
        arguments = {} if version is None else {"againstVersion": version}
        assert (await room.call("diff_context", id=id, **arguments))["previous"]["summary"] == summary
    refused = await room.refusal("diff_context", id=id, againstVersion="9.9")
    assert refused.text == "Error: Version not found in history: 9.9"
