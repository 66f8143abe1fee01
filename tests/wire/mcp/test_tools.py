"""Arguments and schemas: what a tool says it takes, and what becomes of what is sent."""

import json
from typing import Any

import jsonschema
import pytest

from stateroom.faces.mcp.tools import input_schema, schema_faults
from tests.wire.mcp.inside import ask, call, exchange, request
from tests.wire.mcp.raw import LEGACY, MODERN
from tests.wire.mcp.toys import Everything, Nothing, Toys

HEAD = "MCP error -32602: Input validation error: Invalid arguments for tool everything: "
FULL: dict[str, Any] = {
    "roomId": "demo",
    "kind": "one",
    "label": "abc",
    "count": 1,
    "names": ["a"],
    "payload": {"deep": [{"x": None}]},
    "sure": True,
}
NEEDED = {"roomId": "demo", "kind": "one"}


async def issues(endpoint, arguments, version=MODERN):
    """What is wrong with which argument, read from the text as clients do and compared with the structured half."""
    _, answer = await ask(endpoint, version, "tools/call", {"name": "everything", "arguments": arguments})
    result = answer["result"]
    text = result["content"][0]["text"]
    assert result["isError"]
    assert text.startswith(HEAD)
    found = json.loads(text.removeprefix(HEAD))
    assert result["structuredContent"]["error"]["issues"] == found
    return found


def test_a_schema_is_flat():
    """Optional means absent; words are an enum; nothing refers, composes or forbids (traps 51 to 53)."""
    schema = input_schema(Everything)
    assert schema_faults(schema) == []
    assert schema == {
        "type": "object",
        "properties": {
            "roomId": {"type": "string"},
            "kind": {"type": "string", "enum": ["one", "two"]},
            "label": {"type": "string", "minLength": 1, "maxLength": 5},
            "count": {"type": "integer", "minimum": 1},
            "names": {"type": "array", "items": {"type": "string"}},
            "payload": {"type": "object"},
            "sure": {"type": "boolean"},
        },
        "required": ["roomId", "kind"],
    }


def test_a_schema_agrees_with_the_decoder():
    """What an independent validator takes, the tool takes."""
    jsonschema.Draft202012Validator.check_schema(input_schema(Everything))
    for arguments in (FULL, NEEDED):
        jsonschema.validate(arguments, input_schema(Everything))


def test_a_tool_without_arguments_still_says_object():
    """An input schema is an object in every revision."""
    assert input_schema(Nothing) == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "object", "properties": {"a": {"anyOf": []}}}, "$.a: anyOf"),
        ({"type": "object", "$defs": {}}, "$: $defs"),
        ({"type": "object", "properties": {"a": {"type": ["string", "null"]}}}, "$.a: an array of types"),
        ({"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#"}}}}, "$.a[]: $ref"),
    ],
)
def test_the_lint_sees_what_clients_stumble_over(schema, fault):
    """Each planted fault is found, with its place."""
    assert schema_faults(schema) == [fault]


def test_a_listing_is_encoded_once_and_says_what_each_tool_may_do():
    """The same bytes every time, in the order of the profile; hints on every tool (mcp-and-clients §3)."""
    registry = Toys().registry
    listed = registry.listing("all")
    assert registry.listing("all") is listed
    assert registry.listing("few") == registry.listing("no such profile")
    for tool in json.loads(listed):
        assert tool["annotations"]["openWorldHint"] is False
        assert "readOnlyHint" in tool["annotations"]
        assert tool["description"]


@pytest.mark.parametrize("version", [None, *LEGACY, MODERN])
async def test_arguments_that_fit_are_taken(endpoint, version):
    """All of them, the needed ones alone, and more than there are (protocol §3.3)."""
    assert (await call(endpoint, version, "everything", **FULL))["structuredContent"] == FULL
    assert (await call(endpoint, version, "everything", **NEEDED, extra={"a": 1}))["structuredContent"]["kind"] == "one"


async def test_other_spellings_stand_for_the_same_argument(endpoint):
    """`room_id` is `roomId` (§13.8); said twice, the tool's own name counts."""
    both = {"kind": "one", "room_id": "other", "roomId": "mine"}
    alone = {"kind": "one", "room_id": "other"}
    assert (await call(endpoint, MODERN, "everything", **both))["structuredContent"]["roomId"] == "mine"
    assert (await call(endpoint, MODERN, "everything", **alone))["structuredContent"]["roomId"] == "other"


@pytest.mark.parametrize("version", [LEGACY[0], MODERN])
async def test_everything_that_is_missing_is_named_at_once(endpoint, version):
    """With the one word clients know."""
    assert await issues(endpoint, {}, version) == [
        {"code": "invalid_type", "path": [name], "message": "Required"} for name in NEEDED
    ]


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"kind": "three"}, ["kind"]),
        ({"label": ""}, ["label"]),
        ({"label": "abcdef"}, ["label"]),
        ({"count": 0}, ["count"]),
        ({"count": 1.5}, ["count"]),
        ({"count": "1"}, ["count"]),
        ({"names": ["a", 1]}, ["names", "1"]),
        ({"payload": [1]}, ["payload"]),
        ({"sure": "true"}, ["sure"]),
        ({"roomId": None}, ["roomId"]),
    ],
)
async def test_what_does_not_fit_is_named_with_its_place(endpoint, wrong, path):
    """Nothing is coerced: a number in quotes is no number."""
    (found,) = await issues(endpoint, {**FULL, **wrong})
    assert found["path"] == path
    assert found["message"]


PLACES: list[tuple[dict[str, Any], list[str]]] = [
    ({"roomId": "BAD"}, ["roomId"]),
    ({"names": ["good", "BAD"]}, ["names", "1"]),
    ({"payload": {"a": [{"b": "BAD"}]}}, ["payload", "a", "0", "b"]),
    ({"extra": {"x": "BAD"}}, ["extra", "x"]),
]


async def sent_raw(endpoint, arguments):
    """(status, answer) of a call with exactly this JSON text as its arguments."""
    body, headers = request(MODERN, "tools/call", {"name": "everything", "arguments": "HERE"})
    async with exchange(endpoint, body.replace(b'"HERE"', arguments.encode()), **headers) as under_way:
        return await under_way.answer()


@pytest.mark.parametrize("bad", ["a\\u0000b", "\\u0000"])
@pytest.mark.parametrize(("place", "path"), PLACES)
async def test_a_nul_is_refused_with_its_place(endpoint, bad, place, path):
    """At any depth, also where nobody would look."""
    answer = await sent_raw(endpoint, json.dumps({**FULL, **place}).replace("BAD", bad))
    (found,) = answer["result"]["structuredContent"]["error"]["issues"]
    assert (found["path"], found["code"]) == (path, "invalid_string")


@pytest.mark.parametrize("bad", ["\\ud800", "a\\udfffb", "\\ud800\\u0041"])
@pytest.mark.parametrize(("place", "path"), PLACES)
async def test_a_lone_surrogate_is_no_text_and_its_place_is_said(endpoint, bad, place, path):
    """The message can not be read as JSON; the caller is answered all the same, under its id."""
    answer = await sent_raw(endpoint, json.dumps({**FULL, **place}).replace("BAD", bad))
    assert (answer["id"], answer["error"]["code"]) == (1, -32700)
    assert answer["error"]["message"].endswith(".".join(["params", "arguments", *path]))


async def test_a_pair_of_surrogates_is_a_character(endpoint):
    """As JSON writes what lies beyond the first 65,536."""
    assert (await call(endpoint, MODERN, "echo", text="\U0001f600"))["structuredContent"] == {"text": "\U0001f600"}
    body, headers = request(MODERN, "tools/call", {"name": "echo", "arguments": {"text": "HERE"}})
    async with exchange(endpoint, body.replace(b"HERE", b"\\ud83d\\ude00"), **headers) as under_way:
        assert (await under_way.answer())["result"]["structuredContent"] == {"text": "\U0001f600"}


@pytest.mark.parametrize("arguments", ['"text"', "[]", "7", "true", "NaN", "{1:2}", '{"a":1e999}', "[" * 5_000])
async def test_what_is_no_object_is_refused(endpoint, arguments):
    """As a tool result where the message around it could be read, else as an error."""
    answer = await sent_raw(endpoint, arguments)
    assert answer.get("result", {}).get("isError") or answer["error"]["code"] in (-32700, -32600, -32602)


@pytest.mark.parametrize("arguments", [{}, None])
async def test_no_arguments_are_no_arguments(endpoint, arguments):
    """Left out, null and empty mean the same (protocol §3.3)."""
    for params in ({"name": "listing"}, {"name": "listing", "arguments": arguments}):
        _, answer = await ask(endpoint, MODERN, "tools/call", params)
        assert answer["result"]["isError"] is False
