"""tools/list (protocol §3.2, §4.2; design §8): all 44 tools, in order, in schemas that every client can read."""

import json
from typing import Any

import bpe_openai
import pytest

from stateroom.faces.mcp.profiles import BUDGETS, PROFILES
from stateroom.faces.mcp.server import Ask
from stateroom.faces.mcp.tools import schema_faults

from .catalogue import ARGUMENTS, Arg
from .harness import PROGRAM, Room, promise

KEYWORDS = {"string": ("minLength", "maxLength"), "integer": ("minimum", "maximum"), "array": ("minItems", "maxItems")}


async def listed(room: Room, profile: str = "full") -> list[dict[str, Any]]:
    """The tools of a profile, as a client gets them."""
    answer = await room.server.answer(Ask("tools/list", {}, PROGRAM, room.caller, profile))
    return list(json.loads(answer)["tools"])


async def tool_listed(room: Room, name: str) -> dict[str, Any]:
    """One tool, as a client gets it."""
    (tool,) = [tool for tool in await listed(room) if tool["name"] == name]
    return tool


@promise("§3.2", "§14.2")
async def test_all_44_tools_are_listed_in_the_order_of_the_catalogue(room: Room) -> None:
    """In the profile `state`, and in `full` behind the conversation's; the smaller ones choose their own."""
    assert [tool["name"] for tool in await listed(room, "state")] == list(ARGUMENTS)
    assert [tool["name"] for tool in await listed(room, "full")][-44:] == list(ARGUMENTS)
    assert len(ARGUMENTS) == 44


@pytest.mark.parametrize("name", ARGUMENTS)
async def test_a_listed_tool_can_be_read_by_every_client(room: Room, name: str) -> None:
    """A short name, a description, a flat schema without composition, and hints on what it may do."""
    tool = await tool_listed(room, name)
    assert len(name) <= 40
    assert tool["description"]
    assert tool["inputSchema"]["type"] == "object"
    assert schema_faults(tool["inputSchema"]) == []
    assert tool["annotations"]["openWorldHint"] is False


@pytest.mark.parametrize("name", ARGUMENTS)
async def test_a_schema_says_what_the_catalogue_says(room: Room, name: str) -> None:
    """Names, types, bounds, words, what is required; further arguments are all optional."""
    schema = (await tool_listed(room, name))["inputSchema"]
    properties = schema.get("properties", {})
    required = {argument for argument, arg in ARGUMENTS[name].items() if arg.required}
    assert set(schema.get("required", ())) == required
    for argument, arg in ARGUMENTS[name].items():
        check(properties[argument], arg)


def check(shown: dict[str, Any], arg: Arg) -> None:
    """One argument as it is listed."""
    assert shown["type"] == arg.type
    assert tuple(shown.get("enum", ())) == tuple(sorted(arg.one_of))
    if arg.type in KEYWORDS:
        low, high = (shown.get(word) for word in KEYWORDS[arg.type])
        assert (low or None, high) == (arg.low or None, arg.high)
    if "default" in shown:
        assert shown["default"] == arg.default


@pytest.mark.parametrize("name", ARGUMENTS)
async def test_hints_tell_reading_from_writing(room: Room, name: str) -> None:
    """A tool that only reads says so, and one that takes away says that."""
    hints = (await tool_listed(room, name))["annotations"]
    consuming = name in ("get_my_summary", "get_unread_events", "wait_for_events")
    reading = name.startswith(("get_", "read_", "list_", "search", "diff_")) and not consuming
    assert hints["readOnlyHint"] is reading
    assert hints.get("destructiveHint", False) is name.startswith("delete_")


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_listing_stays_within_its_budget(room: Room, profile: str, record_property: Any) -> None:
    """Counted in tokens of o200k, as a model would read it."""
    encoding = bpe_openai.get_encoding("o200k_base")
    text = json.dumps(await listed(room, profile), ensure_ascii=False, separators=(",", ":"))
    tokens = len(encoding.encode_ordinary(text))
    record_property("tokens", tokens)
    print(f"{profile}: {tokens} of {BUDGETS[profile]} tokens")
    assert tokens <= BUDGETS[profile]


async def test_what_an_endpoint_is_bound_to_need_not_be_said(room: Room) -> None:
    """Bound to a room and a name, a tool asks for neither."""
    room.caller = type(room.caller)("open", "open", room="demo", member="ann")
    said = {"roomId", "agentId", "author", "from", "requestedBy", "code", "name"}
    for tool in await listed(room):
        assert not said & set(tool["inputSchema"].get("required", ()))


@pytest.mark.parametrize(
    ("tool", "default"), [("read_events", 20), ("get_unread_events", 50), ("wait_for_events", 20), ("search", 20)]
)
async def test_a_limit_that_is_left_out_is_the_catalogues(room: Room, tool: str, default: int) -> None:
    """For a program, that is; a model may get less, and is told (test_answer_size.py)."""
    for number in range(60):
        await room.post("word", payload={"n": number})
    answer = await room.call(tool, **({"q": "word"} if tool == "search" else {"agentId": "bob"}))
    found = answer if isinstance(answer, list) else answer.get("events", answer.get("hits"))
    assert len(found) == default


async def test_a_wait_is_five_seconds_unless_said_otherwise(room: Room) -> None:
    """And a lock thirty, an analysis seven days: as the schemas say."""
    waits = (await tool_listed(room, "wait_for_events"))["inputSchema"]["properties"]["timeoutMs"]
    locks = (await tool_listed(room, "acquire_lock"))["inputSchema"]["properties"]["ttlSeconds"]
    days = (await tool_listed(room, "get_room_analytics"))["inputSchema"]["properties"]["days"]
    assert (waits["default"], locks["default"], days["default"]) == (5_000, 30, 7)
