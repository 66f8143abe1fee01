"""The five shapes of context: what is asked for, in which words it is refused, and that nothing is altered."""

import copy
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.payloads import (
    CONTEXT_TYPES,
    EXAMPLES,
    MAX_DEPTH,
    MAX_PAYLOAD_BYTES,
    bad_text,
    json_schema,
    kind_of,
    problems,
    size_bytes,
    too_deep,
)

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner), max_leaves=20
)
ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=5)
ANY_JSON = st.recursive(
    LEAVES | ANY_TEXT, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner), max_leaves=20
)
TYPES = st.sampled_from(CONTEXT_TYPES)


def example(type: str, **changes: object) -> dict[str, Any]:
    """The type's example with fields replaced, or removed where the change is `...`."""
    changed = {**copy.deepcopy(EXAMPLES[type]), **changes}
    return {key: value for key, value in changed.items() if value is not ...}


def contract(**changes: object) -> dict[str, Any]:
    """The example contract with its one endpoint changed."""
    endpoint = {**EXAMPLES["api_contract"]["endpoints"][0], **changes}
    return example("api_contract", endpoints=[{key: value for key, value in endpoint.items() if value is not ...}])


def nested(levels: int) -> Any:
    """Lists in lists; `levels` of them."""
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize("type", CONTEXT_TYPES)
def test_fact_72_a_well_formed_payload_passes(type: str) -> None:
    """Every type has an example and the example is accepted."""
    assert problems(type, EXAMPLES[type]) == []


METHODS = "'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'"
REFUSED = {
    "fact 73: no endpoints": (
        "api_contract",
        example("api_contract", endpoints=[]),
        "endpoints: Array must contain at least 1 element(s)",
    ),
    "fact 74: unknown method": (
        "api_contract",
        contract(method="TRACE"),
        f"endpoints.0.method: Invalid enum value. Expected {METHODS}, received 'TRACE'",
    ),
    "fact 75: empty note": ("note", {}, "text: Required"),
    "fact 76: unknown urgency": (
        "change_request",
        example("change_request", urgency="asap"),
        "urgency: Invalid enum value. Expected 'low' | 'medium' | 'high', received 'asap'",
    ),
    "enum of the wrong kind": (
        "api_contract",
        contract(method=7),
        f"endpoints.0.method: Expected {METHODS}, received number",
    ),
    "empty string": ("note", {"text": ""}, "text: String must contain at least 1 character(s)"),
    "number for string": ("note", {"text": 5}, "text: Expected string, received number"),
    "null for an optional string": (
        "change_request",
        example("change_request", blocking_task_id=None),
        "blocking_task_id: Expected string, received null",
    ),
    "array for object": ("note", [], "(root): Expected object, received array"),
    "text for payload": ("note", "hello", "(root): Expected object, received string"),
    "array for a request": (
        "api_contract",
        contract(request=[]),
        "endpoints.0.request: Expected object, received array",
    ),
    "missing response": ("api_contract", contract(response=...), "endpoints.0.response: Required"),
    "text for a flag": (
        "api_contract",
        contract(auth_required="yes"),
        "endpoints.0.auth_required: Expected boolean, received string",
    ),
    "a flag is no text": (
        "api_contract",
        contract(description=True),
        "endpoints.0.description: Expected string, received boolean",
    ),
    "element of a list": (
        "arch_decision",
        example("arch_decision", alternatives=["a", {}]),
        "alternatives.1: Expected string, received object",
    ),
    "object for array": ("note", {"text": "a", "references": {}}, "references: Expected array, received object"),
    "unknown type": (
        "poem",
        {},
        f"type: Invalid enum value. Expected {' | '.join(map(repr, CONTEXT_TYPES))}, received 'poem'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_payload_is_refused_in_the_words_clients_know(name: str) -> None:
    """One mistake is one problem, naming the field by its path (facts 73 to 76; protocol §2.2)."""
    type, payload, problem = REFUSED[name]
    assert problems(type, payload) == [problem]


REQUIRED = {
    "api_contract": ["service", "version", "endpoints"],
    "arch_decision": ["title", "decision", "rationale", "alternatives", "consequences"],
    "task": ["task_id", "acceptance_criteria", "technical_notes"],
    "change_request": ["requested_by", "target_agent", "description", "urgency"],
    "note": ["text"],
}


@pytest.mark.parametrize("type", CONTEXT_TYPES)
def test_an_empty_payload_names_every_required_field(type: str) -> None:
    """All problems are reported at once, in the order of the protocol's table."""
    assert problems(type, {}) == [f"{name}: Required" for name in REQUIRED[type]]


@pytest.mark.parametrize("type", CONTEXT_TYPES)
def test_fact_77_unknown_top_level_fields_are_kept(type: str) -> None:
    """A field nobody asked for is no problem and is still there afterwards."""
    payload = example(type, mood="cheerful")
    assert problems(type, payload) == []
    assert payload["mood"] == "cheerful"


def test_w26_unknown_fields_inside_an_endpoint_are_kept() -> None:
    """The reference server dropped them silently; here an endpoint says whatever its author wants to add."""
    payload = contract(errors={"404": "no such user"}, deprecated=True)
    assert problems("api_contract", payload) == []
    assert payload["endpoints"][0]["errors"] == {"404": "no such user"}


def test_at_most_twenty_problems_are_reported() -> None:
    """Ten thousand wrong endpoints do not make an answer of megabytes."""
    found = problems("api_contract", example("api_contract", endpoints=[{}] * 10_000))
    assert len(found) == 20
    assert found[-1] == "endpoints.3.description: Required"


def test_a_problem_is_one_short_line_whatever_was_sent() -> None:
    """What a client sent is quoted only in part, and never with line breaks or surrogates."""
    (problem,) = problems("change_request", example("change_request", urgency="a\nb\ud800" + "x" * 9_000))
    path, message = problem.split(": ", 1)
    assert path == "urgency"
    assert len(message) <= 200
    assert problem.isprintable()


@given(TYPES, JSON)
def test_validation_never_raises_and_never_alters(type: str, payload: Any) -> None:
    """Any JSON at all gets a bounded answer, and is the same afterwards."""
    before = copy.deepcopy(payload)
    found = problems(type, payload)
    assert payload == before
    assert len(found) <= 20
    assert all(": " in problem and len(problem) <= 402 for problem in found)


def test_depth_is_limited_before_anything_else_is_looked_at() -> None:
    """64 levels are fine, 65 are one problem, and a hundred thousand are no RecursionError."""
    assert problems("note", {"text": "a", "deep": nested(MAX_DEPTH - 1)}) == []
    for levels in (MAX_DEPTH, 100_000):
        assert problems("note", {"text": 5, "deep": nested(levels)}) == ["(root): nested deeper than 64 levels"]
    assert too_deep(nested(3), levels=2)
    assert not too_deep(nested(3), levels=3)


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"a": [1, True, None]}, 19),
        ("é", 4),
        ("😀", 6),
        ("\ud800", 5),
        ({}, 2),
        ([[], {}], 7),
        ({"a": 1, "b": "\n"}, 16),
    ],
)
def test_size_is_counted_in_bytes_of_the_compact_form(value: Any, size: int) -> None:
    """W-27: bytes, not UTF-16 units; a lone surrogate is measured too, so that it can be refused with a reason."""
    assert size_bytes(value) == size


def test_a_note_at_the_limit_is_64_000_bytes() -> None:
    """The limit clients know is on the compact JSON of the whole payload."""
    assert size_bytes({"text": "x" * (64_000 - len('{"text":""}'))}) == MAX_PAYLOAD_BYTES == 64_000


@given(JSON)
def test_a_deep_payload_is_measured_like_any_other(value: Any) -> None:
    """Too deep for the recursive encoder, it is walked, and the size comes out the same to the byte."""
    flat = len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
    assert size_bytes(value) == flat
    deep = value
    for _ in range(2_000):
        deep = {"k": deep}
    assert size_bytes(deep) == flat + 2_000 * len('{"k":}')


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("fine \n\t é 😀", None),
        ({"a": ["b", {"c": "\x7f"}]}, None),
        ("\x00", "(root)"),
        ({"a": ["b", {"c": "x\ud800"}]}, "a.1.c"),
        ({"a": "b", "k\x00": 1}, "k�"),
        ({"a": {"\udfff": 1}, "b": "\x00"}, "a.�"),
        (["\x00", "\x00"], "0"),
        ({"a": {"b": 1}, "c": "\x00"}, "c"),
    ],
)
def test_text_that_can_not_be_stored_is_found_by_path(value: Any, path: str | None) -> None:
    """NUL and lone surrogates are named by the first place they stand in, keys included."""
    assert bad_text(value) == path


@given(ANY_JSON)
def test_bad_text_agrees_with_the_encoder(value: Any) -> None:
    """What passes can be encoded as UTF-8 and holds no NUL; what does not pass has a path that can be shown."""
    text = json.dumps(value, ensure_ascii=False)
    storable = not any(0xD800 <= ord(char) <= 0xDFFF for char in text) and "\x00" not in repr_strings(value)
    path = bad_text(value)
    assert (path is None) == storable
    assert path is None or (path.encode() and len(path) <= 200)


def repr_strings(value: Any) -> str:
    """All keys and texts of a JSON value in one string."""
    if isinstance(value, dict):
        return "".join(key + repr_strings(inner) for key, inner in value.items())
    if isinstance(value, list):
        return "".join(map(repr_strings, value))
    return value if isinstance(value, str) else ""


def test_bad_text_is_found_at_any_depth() -> None:
    """A hundred thousand levels are walked in linear time, and the path is cut."""
    deep: Any = "\x00"
    for _ in range(100_000):
        deep = [deep]
    path = bad_text(deep)
    assert path is not None
    assert path.startswith("0.0.0.")
    assert len(path) == 200


@given(TYPES, st.data())
def test_the_schema_says_what_the_check_does(type: str, data: st.DataObject) -> None:
    """A JSON Schema validator accepts exactly the payloads that have no problems."""
    payload = data.draw(st.one_of(JSON, mutated(type)))
    accepted = jsonschema.Draft202012Validator(json_schema(type)).is_valid(payload)
    assert accepted == (problems(type, payload) == [])


@st.composite
def mutated(draw: st.DrawFn, type: str) -> dict[str, Any]:
    """The type's example with one field replaced by any JSON."""
    payload = example(type)
    target = draw(st.sampled_from([payload, *payload.get("endpoints", [])]))
    target[draw(st.sampled_from(sorted(target)))] = draw(JSON | st.just("") | st.just([]))
    return payload


@pytest.mark.parametrize("type", CONTEXT_TYPES)
def test_the_schema_is_flat(type: str) -> None:
    """Clients choke on references and unions, so there are none (design §8)."""
    text = json.dumps(json_schema(type))
    assert not any(word in text for word in ("$ref", "$defs", "anyOf", "oneOf", "allOf", '"type": ['))


def test_true_is_a_boolean_not_a_number() -> None:
    """Python counts True as an integer; JSON does not."""
    kinds = [kind_of(value) for value in ("", True, 1, 1.5, None, [], {})]
    assert kinds == ["string", "boolean", "number", "number", "null", "array", "object"]
