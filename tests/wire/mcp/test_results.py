"""What becomes of a tool's answer: both halves, cuts, refusals and faults, in both eras."""

import json
import logging

import pytest

from tests.wire.mcp.inside import ask, call
from tests.wire.mcp.raw import LEGACY, MODERN
from tests.wire.mcp.toys import SECRET

ERAS = [None, *LEGACY, MODERN]
HALF_BYTES = 9_000
"""4 KB of what went wrong, 4 KB of what to do, and the frame around them."""


def text_of(result):
    return result["content"][0]["text"]


@pytest.mark.parametrize("version", ERAS)
async def test_both_halves_hold_the_value(endpoint, version):
    """The text is the value itself as compact JSON, un-enveloped; the structured half is the same object (trap 54)."""
    result = await call(endpoint, version, "add", a=2, b=3)
    assert (text_of(result), result["structuredContent"], result["isError"]) == ('{"sum":5}', {"sum": 5}, False)


@pytest.mark.parametrize("version", ERAS)
async def test_only_the_modern_era_says_what_kind_of_result_it_is(endpoint, version):
    """`resultType` and the server's identity on every result there, neither here (mcp-and-clients §2)."""
    result = await call(endpoint, version, "add", a=1)
    assert ("resultType" in result, "_meta" in result) == (version == MODERN, version == MODERN)


async def test_an_array_is_bare_in_the_text_and_wrapped_in_the_structure(endpoint):
    """Structured content is an object in every revision; the Room Protocol's text is the bare array (§3.2)."""
    result = await call(endpoint, MODERN, "listing")
    assert text_of(result) == '[{"id":1},{"id":2}]'
    assert result["structuredContent"] == {"result": [{"id": 1}, {"id": 2}]}


async def test_encoded_json_is_spliced(endpoint):
    """A tool may answer with bytes; an object of them is an object in the structured half too."""
    result = await call(endpoint, MODERN, "raw")
    assert (text_of(result), result["structuredContent"]) == ('{"spliced":true}', {"spliced": True})


@pytest.mark.parametrize(("tool", "value"), [("long", {"items": [1, 2]}), ("long_list", {"result": [1, 2]})])
async def test_a_cut_answer_says_so_in_both_halves(endpoint, tool, value):
    """A note as a second text, `truncated` and the note in the structure (trap 56)."""
    result = await call(endpoint, MODERN, tool)
    note = "2 of 9 items: call long(after: 2)."
    assert [part["text"] for part in result["content"]][1:] == [note]
    assert result["structuredContent"] == {**value, "truncated": True, "note": note}


async def test_a_big_answer_arrives_whole(endpoint):
    """Half a megabyte of characters that take three bytes each."""
    result = await call(endpoint, MODERN, "big")
    assert result["structuredContent"] == json.loads(text_of(result)) == {"text": "€" * 170_000}


@pytest.mark.parametrize("version", ERAS)
async def test_a_refusal_says_what_and_what_next(endpoint, version):
    """`isError`, the sentence and the next step, in both halves; HTTP 200."""
    result = await call(endpoint, version, "fail", text="ann")
    texts = [part["text"] for part in result["content"]]
    error = result["structuredContent"]["error"]
    assert result["isError"]
    assert texts[0] == "Error: Task T-01 is in progress: ann has held it for 3 s."
    assert texts[1] == f"Next: {error['hint']}"
    assert (error["code"], texts[0]) == ("task_held", f"Error: {error['message']}")


async def test_a_refusal_is_worded_by_the_faces_table(endpoint):
    """Clients match on literal texts: the application's table comes before the rule's own words."""
    assert text_of(await call(endpoint, MODERN, "reworded")) == "Error: No room is called r-1"


async def test_a_store_that_is_down_asks_for_the_same_call_again(endpoint):
    """Nobody's arguments or keys are to blame (W-52), and a repeated request has its effect once."""
    result = await call(endpoint, MODERN, "store_down")
    assert text_of(result) == "Error: The store does not answer."
    assert result["structuredContent"]["error"]["code"] == "store_unavailable"
    assert "same requestId" in result["content"][1]["text"]


@pytest.mark.parametrize("text", ["a" * 900_000, "€" * 300_000])
async def test_a_refusal_does_not_repeat_at_length_what_it_was_given(endpoint, text):
    """Each half is bounded, and cut between characters (L39)."""
    result = await call(endpoint, MODERN, "fail", text=text)
    for half in ("content", "structuredContent"):
        assert len(json.dumps(result[half], ensure_ascii=False).encode()) < HALF_BYTES


@pytest.mark.parametrize("kind", ["x" * 900_000, {"x" * 900_000: 1}, ["x"] * 100_000])
async def test_wrong_arguments_are_not_repeated_at_length(endpoint, kind):
    """Whatever was sent in place of a word."""
    result = await call(endpoint, MODERN, "everything", roomId="r", kind=kind)
    assert result["isError"]
    assert len(json.dumps(result).encode()) < 2 * HALF_BYTES


@pytest.mark.parametrize("version", ERAS)
async def test_a_fault_is_answered_with_an_id_and_logged_with_it(endpoint, version, caplog):
    """The one boundary: an internal error whose text stays in the log, and the next call is served."""
    status, answer = await ask(endpoint, version, "tools/call", {"name": "broken", "arguments": {}})
    error = answer["error"]
    assert (status, error["code"]) == (200, -32603)
    assert SECRET not in json.dumps(answer)
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert error["data"]["id"] in record.getMessage()
    assert error["data"]["id"] in error["message"]
    assert SECRET in str(record.exc_info[1])
    assert (await call(endpoint, version, "add", a=1))["structuredContent"] == {"sum": 1}


@pytest.mark.parametrize(
    ("uri", "code"), [("toy://broken", -32603), ("toy://away", -32000), ("toy://no such ball", -32602)]
)
async def test_what_goes_wrong_in_a_resource_is_said_as_an_error(endpoint, uri, code):
    """An unknown one, a store that is down, a fault: three codes, and no word from inside."""
    for version in (MODERN, LEGACY[-1]):
        status, answer = await ask(endpoint, version, "resources/read", {"uri": uri})
        assert answer["error"]["code"] == code
        assert status == (400 if version == MODERN and code == -32602 else 200)
        assert SECRET not in json.dumps(answer)


async def test_a_known_resource_and_prompt_are_answered(endpoint):
    """What the application says, in the frame of the protocol; stale at once, and this caller's only."""
    _, answer = await ask(endpoint, MODERN, "resources/read", {"uri": "toy://ball"})
    assert answer["result"]["contents"] == [{"uri": "toy://ball", "mimeType": "text/plain", "text": "round"}]
    assert (answer["result"]["ttlMs"], answer["result"]["cacheScope"]) == (0, "private")
    _, answer = await ask(endpoint, MODERN, "prompts/get", {"name": "play", "arguments": {"what": "it"}})
    assert answer["result"]["messages"][0]["content"]["text"] == "Play with it."


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {}),
        ("prompts/get", {"name": "nope"}),
        ("prompts/get", {"name": "play", "arguments": [1]}),
        ("tools/call", {}),
        ("subscriptions/listen", {}),
        ("subscriptions/listen", {"notifications": {"resourceSubscriptions": "toy://ball"}}),
        ("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["toy://ball"] * 101}}),
    ],
)
async def test_parameters_that_are_missing_or_odd_are_invalid(endpoint, method, params):
    """-32602 and 400 in the modern era, before anything is done."""
    status, answer = await ask(endpoint, MODERN, method, params)
    assert (status, answer["error"]["code"]) == (400, -32602)


async def test_a_tool_answers_to_its_former_name(endpoint):
    """Names change, clients do not."""
    assert (await call(endpoint, MODERN, "old_echo", text="a"))["structuredContent"] == {"text": "a"}
