"""Arguments (protocol §3.3, §4.2): bounds and defaults as in the catalogue, and what is done with the others."""

import json
from typing import Any

import pytest

from stateroom.faces.mcp.arguments import BadArguments, decode
from stateroom.faces.mcp.room_protocol.catalogue import TOOLS

from .catalogue import ARGUMENTS, Arg, sample
from .harness import Room, ToolError, promise

EVERY = [(tool, name) for tool, arguments in ARGUMENTS.items() for name in arguments]
WRONG: dict[str, list[Any]] = {
    "string": [1, True, [], {}],
    "integer": ["1", 1.5, True, []],
    "array": ["a", {}, 1],
    "object": ["{}", [], 1],
    "boolean": ["true", 1, {}],
}


def taken(tool: str, arguments: dict[str, Any]) -> bool:
    """Whether a tool's arguments are accepted, before any rule is asked."""
    found = {tool.name: tool for tool in TOOLS}
    try:
        decode(found[tool], json.dumps(arguments).encode(), {})
    except BadArguments:
        return False
    return True


def valued(arg: Arg, size: int) -> Any:
    """A value of this size."""
    return {"string": "a" * size, "integer": size, "array": ["a"] * size}[arg.type]


@pytest.mark.parametrize("tool", ARGUMENTS)
def test_the_catalogues_arguments_are_taken(tool: str) -> None:
    """The required ones alone, and all of them."""
    assert taken(tool, sample(tool))
    assert taken(tool, sample(tool, complete=True))


@pytest.mark.parametrize(("tool", "name"), [pair for pair in EVERY if ARGUMENTS[pair[0]][pair[1]].required])
async def test_a_missing_argument_is_named_as_required(room: Room, tool: str, name: str) -> None:
    """In the reference's frame, without the prefix `Error: `."""
    arguments = sample(tool)
    del arguments[name]
    refused = await room.raw_refusal(tool, json.dumps(arguments))
    head = f"MCP error -32602: Input validation error: Invalid arguments for tool {tool}: "
    assert refused.text.startswith(head)
    assert json.loads(refused.text.removeprefix(head)) == refused.issues
    assert {"code": "invalid_type", "path": [name], "message": "Required"} in refused.issues


@pytest.mark.parametrize(("tool", "name"), [pair for pair in EVERY if not ARGUMENTS[pair[0]][pair[1]].required])
def test_an_optional_argument_may_be_left_out(tool: str, name: str) -> None:
    """Each by itself."""
    arguments = sample(tool, complete=True)
    del arguments[name]
    assert taken(tool, arguments)


@pytest.mark.parametrize(("tool", "name"), EVERY)
async def test_a_value_of_the_wrong_type_is_refused_and_named(room: Room, tool: str, name: str) -> None:
    """Nothing is coerced; the issue's path is the argument."""
    for value in WRONG[ARGUMENTS[tool][name].type]:
        refused = await room.raw_refusal(tool, json.dumps({**sample(tool, complete=True), name: value}))
        assert (refused.code, refused.issues[0]["path"]) == ("bad_arguments", [name]), value


BOUNDED = [(tool, name) for tool, name in EVERY if ARGUMENTS[tool][name].low or ARGUMENTS[tool][name].high]


@pytest.mark.parametrize(("tool", "name"), BOUNDED)
def test_bounds_are_those_of_the_catalogue(tool: str, name: str) -> None:
    """At each end the bound itself is taken, and one beyond is not."""
    arg, arguments = ARGUMENTS[tool][name], sample(tool)
    if arg.low:
        assert taken(tool, {**arguments, name: valued(arg, arg.low)})
        assert not taken(tool, {**arguments, name: valued(arg, arg.low - 1)})
    if arg.high:
        assert taken(tool, {**arguments, name: valued(arg, arg.high)})
        assert not taken(tool, {**arguments, name: valued(arg, arg.high + 1)})


UNBOUNDED = [(tool, name) for tool, name in EVERY if ARGUMENTS[tool][name] in (Arg("string"), Arg("integer"))]


@pytest.mark.parametrize(("tool", "name"), UNBOUNDED)
def test_what_the_catalogue_does_not_bound_may_be_empty_or_negative(tool: str, name: str) -> None:
    """The rules may still say no, but in their own words."""
    for value in ("", "a" * 10_000) if ARGUMENTS[tool][name].type == "string" else (-5, 0):
        assert taken(tool, {**sample(tool), name: value})


def test_each_consumers_name_is_bounded() -> None:
    """0 to 128 characters in write_context."""
    for size, good in ((0, True), (128, True), (129, False)):
        assert taken("write_context", {**sample("write_context"), "consuming_agents": ["a" * size]}) is good


@pytest.mark.parametrize(
    ("tool", "name"), [(tool, name) for tool, name in EVERY if ARGUMENTS[tool][name].one_of], ids=str
)
async def test_words_are_those_of_the_catalogue(room: Room, tool: str, name: str) -> None:
    """Each one is taken; another, or one in capitals, is refused."""
    for word in ARGUMENTS[tool][name].one_of:
        assert taken(tool, {**sample(tool), name: word})
        assert not taken(tool, {**sample(tool), name: word.upper()})
    refused = await room.raw_refusal(tool, json.dumps({**sample(tool), name: "other"}))
    assert refused.issues[0]["path"] == [name]


@pytest.mark.parametrize(
    ("since", "good"),
    [
        ("2026-01-01T00:00:00Z", True),
        ("2026-01-01T00:00:00.123Z", True),
        ("2026-01-01T00:00:00.123456Z", True),
        ("2026-01-01T00:00:00+02:00", False),
        ("2026-01-01T00:00:00", False),
        ("2026-01-01", False),
        ("yesterday", False),
        ("", False),
        ("2026-13-01T00:00:00Z", False),
        ("2026-02-30T00:00:00Z", False),
        ("2026-01-01T25:00:00Z", False),
    ],
)
async def test_since_is_a_time_in_utc(room: Room, since: str, good: bool) -> None:
    """Offsets, local times, bare dates and days that are on no calendar fail with `Invalid datetime`."""
    await room.add()
    if good:
        await room.call("read_events", since=since)
    else:
        refused = await room.refusal("read_events", since=since)
        assert (refused.issues[0]["path"], refused.issues[0]["message"]) == (["since"], "Invalid datetime")


@promise("§3.3")
@pytest.mark.parametrize("tool", ARGUMENTS)
def test_extra_arguments_are_ignored(tool: str) -> None:
    """Whatever they are."""
    assert taken(tool, {**sample(tool), "verbose": True, "x-y": {"deep": [None]}, "": 1})


@promise("§13.8")
@pytest.mark.parametrize("tool", [tool for tool, arguments in ARGUMENTS.items() if "roomId" in arguments])
async def test_room_id_and_agent_id_are_read_as_aliases(room: Room, tool: str) -> None:
    """As the reference's prose spells them; where both are given the real name counts."""
    arguments = sample(tool)
    aliases = {{"roomId": "room_id", "agentId": "agent_id"}.get(name, name): arguments[name] for name in arguments}
    assert taken(tool, aliases)
    assert taken(tool, {**aliases, **arguments})


async def test_an_alias_reaches_the_room_it_names(room: Room) -> None:
    """And the agent."""
    await room.raw("heartbeat", '{"room_id": "other", "agent_id": "ann"}')
    assert [one["agentId"] for one in await room.at("other").call("get_presence")] == ["ann"]
    await room.raw("heartbeat", '{"room_id": "wrong", "roomId": "other", "agentId": "bob", "agent_id": "wrong"}')
    assert [one["agentId"] for one in await room.at("other").call("get_presence")] == ["ann", "bob"]


@promise("§3.3", "W-63")
@pytest.mark.parametrize("tool", ["list_rooms", "list_templates"])
@pytest.mark.parametrize("arguments", [None, "null", "{}"])
async def test_omitted_arguments_mean_none(room: Room, tool: str, arguments: str | None) -> None:
    """A tool that needs none answers."""
    assert (await room.raw(tool, arguments)).value


async def test_omitted_arguments_of_a_tool_that_needs_some_are_named(room: Room) -> None:
    """All that is missing, at once."""
    refused = await room.raw_refusal("heartbeat", None)
    assert [issue["path"] for issue in refused.issues] == [["roomId"], ["agentId"]]


@pytest.mark.parametrize("arguments", ["[]", '"demo"', "7", "true"])
async def test_arguments_must_be_an_object(room: Room, arguments: str) -> None:
    """Anything else is refused in words."""
    refused = await room.raw_refusal("read_plan", arguments)
    assert refused.issues[0]["message"].startswith("Expected object, received ")


@promise("§3.3")
async def test_an_unknown_tool_is_named(room: Room) -> None:
    """As a result with isError, in the reference's words."""
    refused = await room.refusal("make_coffee")
    assert isinstance(refused, ToolError)
    assert refused.text == "MCP error -32602: Tool make_coffee not found"
