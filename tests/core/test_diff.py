"""Diffs of context entries: what changed, where, and which changes break those who build on a contract."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.views.diff import Diff, PathChange, breaking_changes, compare, diff

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
WORDS = st.sampled_from(
    ["string", "number?", "a | b", "string[]", "object", "type", "required", "properties", "items", "enum"]
)
KEYS = WORDS | st.sampled_from(["endpoints", "method", "path", "request", "response", "a.b", ""]) | st.text(max_size=4)
JSON = st.recursive(
    LEAVES | WORDS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=25
)
OBJECTS = st.dictionaries(KEYS, JSON, max_size=5)


def payload_diff(old: dict[str, Any], new: dict[str, Any], type: str = "note") -> Diff:
    return diff("same", "same", old, new, type)


def changes(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str]]:
    return [(change.path, change.kind) for change in payload_diff(old, new).paths]


def test_fact_94_a_changed_summary_and_key_are_reported() -> None:
    """The two things the reference server tells, told the same way."""
    result = diff("old", "new", {"text": "a", "kept": 1}, {"text": "b", "kept": 1}, "note")
    assert result.summary_changed
    assert (result.added, result.removed, result.changed) == ((), (), ("text",))
    assert result.paths == (PathChange("text", "changed", "a", "b"),)


def test_two_versions_as_mappings_compare_alike() -> None:
    """Callers with entries at hand need not take them apart."""
    older = {"type": "note", "summary": "s", "payload": {"text": "a"}}
    newer = {"type": "note", "summary": "s", "payload": {"text": "a", "references": []}}
    assert compare(older, newer) == payload_diff({"text": "a"}, {"text": "a", "references": []})
    assert compare(older, newer).added == ("references",)


def test_w31_the_order_of_keys_does_not_matter() -> None:
    """The reference server compared serialised text, so a client that sorts its keys changed everything."""
    old = {"a": {"x": 1, "y": [{"p": 1, "q": 2}]}, "b": 2}
    new = {"b": 2, "a": {"y": [{"q": 2, "p": 1}], "x": 1}}
    assert payload_diff(old, new) == payload_diff(old, old)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2}}}, [("a.b.c", "changed")]),
        ({"a": {"b": 1}}, {"a": {}}, [("a.b", "removed")]),
        ({"a": {}}, {"a": {"b": 1}}, [("a.b", "added")]),
        ({"a": 1}, {"a": True}, [("a", "changed")]),
        ({"a": [0]}, {"a": [False]}, [("a.0", "changed")]),
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": None}, {}, [("a", "removed")]),
        ({"a": {}}, {"a": []}, [("a", "changed")]),
        ({"a": [1, 2, 3]}, {"a": [1, 9, 2, 3]}, [("a.1", "added")]),
        ({"a": [1, 2, 3]}, {"a": [1, 3]}, [("a.1", "removed")]),
        ({"a": [1, 2, 3]}, {"a": [1, 5, 3]}, [("a.1", "changed")]),
        ({"a": [1, 2]}, {"a": [2, 1]}, [("a.0", "added"), ("a.1", "removed")]),
        ({"a": [1, 1]}, {"a": [1]}, [("a.1", "removed")]),
        ({"a": [{"b": 1}, 2]}, {"a": [{"b": 3}, 2, 4]}, [("a.0.b", "changed"), ("a.2", "added")]),
        ({"a": [1, 2, 3, 4]}, {"a": [2, 3, 4, 5]}, [("a.0", "removed"), ("a.3", "added")]),
        ({"a": [{"b": 1}, {"c": 1}, 3]}, {"a": [0, {"b": 1}, {"c": 2}, 3]}, [("a.0", "added"), ("a.2.c", "changed")]),
        ({"a.b": 1, "": 2}, {}, [('""', "removed"), ('"a.b"', "removed")]),
        ({"b": 1, "a": 1}, {"c": 1, "a": 2}, [("a", "changed"), ("b", "removed"), ("c", "added")]),
    ],
)
def test_changes_are_found_where_they_are(
    old: dict[str, Any], new: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    """Each change is named by the deepest path that shows all of it, in the order of the keys."""
    assert changes(old, new) == expected


def test_at_most_200_changes_are_listed_and_the_rest_is_counted() -> None:
    """A payload that changed throughout does not become an answer of megabytes."""
    result = payload_diff({"a": [0] * 1_000}, {"a": [1] * 1_000})
    assert (len(result.paths), result.more) == (200, 800)


def test_long_values_are_shown_cut() -> None:
    """Text stays text, anything else is shown as the beginning of its JSON."""
    (change,) = payload_diff({"a": "x" * 1_000}, {"a": [1] * 1_000}).paths
    assert change.old == "x" * 199 + "…"
    assert change.new == ("[" + "1," * 1_000)[:199] + "…"
    short = "y" * 198  # with its quotes 200 characters of JSON
    assert payload_diff({}, {"a": short}).paths == (PathChange("a", "added", None, short),)


@given(st.text(max_size=5), OBJECTS)
def test_nothing_differs_from_itself(summary: str, payload: dict[str, Any]) -> None:
    """The diff of a version with its own copy is empty, whatever it holds and whatever its type."""
    again = json.loads(json.dumps(payload))
    assert diff(summary, summary, payload, again, "api_contract") == Diff(False, (), (), (), (), 0, ())


@given(OBJECTS, OBJECTS)
def test_any_two_payloads_can_be_compared(old: dict[str, Any], new: dict[str, Any]) -> None:
    """No error, nothing altered, sorted keys, and there is a path exactly if there is a changed key."""
    before = copy.deepcopy((old, new))
    result = payload_diff(old, new, "api_contract")
    assert (old, new) == before
    assert set(result.added) == new.keys() - old.keys()
    assert set(result.removed) == old.keys() - new.keys()
    assert all(keys == tuple(sorted(keys)) for keys in (result.added, result.removed, result.changed))
    assert bool(result.paths) == bool(result.added or result.removed or result.changed)
    assert payload_diff(new, old).added == result.removed


@given(OBJECTS, st.data())
def test_a_planted_change_is_the_one_that_is_reported(payload: dict[str, Any], data: st.DataObject) -> None:
    """Replacing one value anywhere is reported as one change, at its path, with both values."""
    places = [place for place in _places(payload) if place]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    new = copy.deepcopy(payload)
    old_value = _replaced(new, place, "a planted value")
    (change,) = payload_diff(payload, new).paths
    assert change.kind == "changed"
    assert change.new == "a planted value"
    assert change.old == old_value or str(change.old).endswith("…")
    assert change.path.count(".") >= len(place) - 1


def _places(value: Any) -> list[tuple[Any, ...]]:
    """The key path of every value, the root's first."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *place) for key, part in inner for place in _places(part))]


def _replaced(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """Replace in place; returns what was there."""
    for key in place[:-1]:
        value = value[key]
    old, value[place[-1]] = value[place[-1]], new
    return old


# Breaking changes ---------------------------------------------------------------------------------------------------


def contract(*endpoints: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"service": "s", "version": "1", "endpoints": list(endpoints), **more}


def endpoint(where: str = "GET /users", **changes: Any) -> dict[str, Any]:
    method, path = where.split(" ")
    plain = {"method": method, "path": path, "response": {}, "auth_required": False, "description": "d"}
    return {**plain, **changes}


def request_breaks(old: Any, new: Any) -> list[str]:
    """What breaks when a request changes, without the endpoint's name."""
    found = breaking_changes(contract(endpoint(request=old)), contract(endpoint(request=new)))
    return [sentence.removeprefix("GET /users: ") for sentence in found]


def response_breaks(old: Any, new: Any) -> list[str]:
    found = breaking_changes(contract(endpoint(response=old)), contract(endpoint(response=new)))
    return [sentence.removeprefix("GET /users: ") for sentence in found]


def schema(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (contract(endpoint()), contract(endpoint("POST /users")), ["GET /users: the endpoint was removed"]),
        (contract(endpoint()), contract(endpoint("GET /people")), ["GET /users: the endpoint was removed"]),
        (contract(endpoint()), contract(endpoint(auth_required=True)), ["GET /users: now requires authentication"]),
        (
            contract(base_url="https://a.example"),
            contract(base_url="https://b.example"),
            ['base_url changed from "https://a.example" to "https://b.example"'],
        ),
        (contract(base_url="https://a.example"), contract(), ['base_url "https://a.example" was removed']),
        (
            contract(endpoint("GET /users/{id}", response={"user": {"email": "string"}})),
            contract(endpoint("GET /users/:userId", response={"user": {}})),
            ["GET /users/{id}: response field user.email was removed"],
        ),
    ],
)
def test_a_broken_promise_of_an_endpoint_is_named(
    old: dict[str, Any], new: dict[str, Any], expected: list[str]
) -> None:
    """One sentence each, with the endpoint as the older version wrote it."""
    assert list(breaking_changes(old, new)) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (contract(endpoint()), contract(endpoint(), endpoint("POST /users"))),
        (contract(endpoint(), endpoint("POST /a")), contract(endpoint("POST /a"), endpoint())),
        (contract(endpoint(auth_required=True)), contract(endpoint(auth_required=False))),
        (contract(endpoint(auth_required=True)), contract(endpoint(auth_required=True))),
        (contract(endpoint(description="a")), contract(endpoint(description="b"))),
        (contract(base_url="https://a.example/"), contract(base_url="https://a.example")),
        (contract(), contract(base_url="https://a.example")),
        (contract(service="a", version="1"), contract(service="b", version="2")),
        (contract(endpoint("GET /users/{id}/x")), contract(endpoint("GET /users/:name/x"))),
        (contract(endpoint("GET /users/<int:id>/")), contract(endpoint("get /users/[user_id]"))),
        (contract(endpoint("GET /users?limit={n}")), contract(endpoint("GET /users"))),
        (contract(endpoint(request={"a": "string"})), contract(endpoint())),
        ({"endpoints": "none"}, {"endpoints": [None, 5, {}]}),
    ],
)
def test_what_is_added_or_described_anew_breaks_nothing(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Nobody is woken for a change that an unchanged caller does not notice."""
    assert breaking_changes(old, new) == ()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"id": 1, "name": "Ann"}, {"id": 1}, ["response field name was removed"]),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {}}}, ["response field a.b.c was removed"]),
        ({"a": {"b": 1}}, {}, ["response field a was removed"]),
        ([{"id": 1, "name": "Ann"}], [{"id": 1}], ["response field [].name was removed"]),
        ({"users": [{"id": 1, "name": ""}]}, {"users": [{"id": 2}]}, ["response field users[].name was removed"]),
        ({"a": [[{"b": 1, "c": 2}], [{"b": 1}]]}, {"a": [[{"b": 1}], []]}, ["response field a[][].c was removed"]),
        ({"age": 5}, {"age": "five"}, ["response field age changed from number to string"]),
        ({"age": "number"}, {"age": "string"}, ["response field age changed from number to string"]),
        ({"age": "number"}, {"age": "number | null"}, ["response field age changed from number to null | number"]),
        ({"tags": ["a"]}, {"tags": [1]}, ["response field tags[] changed from string to number"]),
        ({"tags": "string[]"}, {"tags": "string"}, ["response field tags changed from array to string"]),
        ({"tags": "string[]"}, {"tags": "number[]"}, ["response field tags[] changed from string to number"]),
        ({"user": {"id": 1}}, {"user": "string"}, ["response field user changed from object to string"]),
        ({"user": {"id": 1}}, {"user": "object"}, ["response field user.id was removed"]),
        ({"a": 1}, [1], ["response changed from object to array"]),
        (
            {"role": "admin | member"},
            {"role": "admin | guest"},
            ['response field role no longer has the value "member"'],
        ),
        ({"name": "string"}, {"name?": "string"}, ["response field name may now be missing"]),
        ({"name": "string"}, {"name": "string (optional)"}, ["response field name may now be missing"]),
        (schema(id=WHOLE, name=TEXT), schema(id=WHOLE), ["response field name was removed"]),
        (schema(id=WHOLE), schema(id=TEXT), ["response field id changed from number to string"]),
        (schema("name", name=TEXT), schema(name=TEXT), ["response field name may now be missing"]),
        (
            schema("role", role={"enum": ["a", "b"]}),
            schema("role", role={"type": "string", "enum": ["a"]}),
            ['response field role no longer has the value "b"'],
        ),
        (
            schema(a=TEXT),
            schema(a={"type": "string", "nullable": True}),
            ["response field a changed from string to null | string"],
        ),
        (
            {"type": "array", "items": schema(id=WHOLE, name=TEXT)},
            {"type": "array", "items": schema(id=WHOLE)},
            ["response field [].name was removed"],
        ),
        # The same body in two notations is the same promise, so only the real change is told.
        ({"id": 1, "name": "Ann"}, schema("id", id=WHOLE), ["response field name was removed"]),
        (schema("id", id=WHOLE, name=TEXT), {"id": "number"}, ["response field name was removed"]),
        # Fields that are called like words of JSON Schema.
        (
            {"type": "string", "title": "string", "description": "string"},
            {"type": "string", "description": "string"},
            ["response field title was removed"],
        ),
        ({"type": "string", "id": 1, "name": "x"}, {"type": "string", "id": 1}, ["response field name was removed"]),
        (
            {"items": [{"id": 1}], "type": "page"},
            {"items": [{}], "type": "page"},
            ["response field items[].id was removed"],
        ),
    ],
)
def test_a_response_that_holds_less_or_other_things_breaks(old: Any, new: Any, expected: list[str]) -> None:
    """Examples, names of types and JSON Schema are all understood, and are compared with each other."""
    assert response_breaks(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"id": 1}, {"id": 2, "name": "Ann"}),
        ({"age": "number | null"}, {"age": "number"}),
        ({"age": None}, {"age": 5}),
        ({"age": 5}, {"age": 5.5}),
        ({"tags": []}, {"tags": ["a"]}),
        ({"tags": ["a"]}, {"tags": []}),
        ({"name": "Ann"}, {"name": "Bob Builder"}),
        ({"name": "Ann"}, {"name": "How are you?"}),
        ({"role": "admin | member"}, {"role": "admin | member | guest"}),
        ({"role": "admin"}, {"role": "admin | member"}),
        ({"name?": "string"}, {"name": "string"}),
        ([{"id": 1, "name": "a"}], [{"id": 1, "name": "a"}, {"id": 2}]),
        ({"id": 1, "name": "Ann"}, {"type": "object", "properties": {"id": WHOLE, "name": TEXT}}),
        (schema("id", id=WHOLE), {"$ref": "#/definitions/User"}),
        (schema(id=WHOLE), schema(id={"oneOf": [TEXT, WHOLE]})),
        (schema(id=TEXT), schema(id={"type": "string", "description": "anew", "format": "uuid"})),
        ({"a": "string"}, {"a": "number | any"}),
        ({"a": "x | " * 60 + "y"}, {"a": "x | z"}),  # no list of values, but a long text
        ({"data": "any"}, {"data": {"id": 1}}),
        ({"data": {"id": 1}}, {"data": "any"}),
    ],
)
def test_a_response_that_holds_more_breaks_nothing(old: Any, new: Any) -> None:
    """Nor does another example, a narrower type, or a notation that says less than the one before."""
    assert response_breaks(old, new) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {"name": "string"}, ["required request field name was added"]),
        ({"body": {"a": 1}}, {"body": {"a": 1, "b": 2}}, ["required request field body.b was added"]),
        ({}, {"query": {"limit?": 1, "page": 1}}, ["required request field query.page was added"]),
        ({"age": 5}, {"age": "5"}, ["request field age changed from number to string"]),
        ({"age": "number | null"}, {"age": "number"}, ["request field age changed from null | number to number"]),
        ({"name?": "string"}, {"name": "string"}, ["request field name is now required"]),
        ({"sort": "asc | desc"}, {"sort": "asc"}, []),
        ({"sort": "asc | desc"}, {"sort": '"asc" | "best"'}, ['request field sort no longer accepts "desc"']),
        (schema(a=TEXT), schema("b", a=TEXT, b=TEXT), ["required request field b was added"]),
        (schema(a=TEXT), schema("a", a=TEXT), ["request field a is now required"]),
        (schema(a=TEXT), schema(a=WHOLE), ["request field a changed from string to number"]),
        (
            {"a": {"type": "string", "required": False}},
            {"a": {"type": "string", "required": True}},
            ["request field a is now required"],
        ),
    ],
)
def test_a_request_that_demands_more_or_accepts_less_breaks(old: Any, new: Any, expected: list[str]) -> None:
    """A caller that sends what it always sent would be turned away."""
    assert request_breaks(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": 1, "b": 2}, {"a": 1}),
        ({}, {"limit?": "number"}),
        ({}, {"limit": "number?"}),
        ({}, {"limit": "optional number"}),
        ({}, {"limit": "number, optional"}),
        ({}, {"limit": {"type": "integer", "required": False}}),
        ({}, {"limit": {"type": "integer", "optional": True}}),
        ({}, {"query": {"limit?": "number"}}),
        ({"q": {**TEXT, "required": True}}, {"q": {**TEXT, "required": True}, "limit": WHOLE}),
        ({"age": "number"}, {"age": "number | string"}),
        ({"rows": [{"a": 1}]}, {"rows": [{"a": 1, "b": 2}, {"a": 1}]}),
        (schema(a=TEXT), schema(a=TEXT, b=TEXT)),
        ({"type": "object", "properties": {"a": TEXT}}, {"type": "object", "properties": {"a": TEXT, "b": TEXT}}),
        (schema("a", a=TEXT), schema(a=TEXT)),
        (schema(a={"enum": ["x"]}), schema(a={"enum": ["x", "y"]})),
        ({"type": "object", "properties": {"a": TEXT}}, {"a": "string"}),
        ({"a": "string"}, schema("a", a=TEXT)),
        (schema("a", a=TEXT), {"a": "string"}),
    ],
)
def test_a_request_that_accepts_more_breaks_nothing(old: Any, new: Any) -> None:
    """Optional fields may come and any field may go."""
    assert request_breaks(old, new) == []


def test_a_request_where_there_was_none_demands_its_required_fields() -> None:
    """An endpoint that took nothing and now wants a body breaks its callers; an optional body does not."""
    old = contract(endpoint())
    assert breaking_changes(old, contract(endpoint(request={"a": 1}))) == (
        "GET /users: required request field a was added",
    )
    assert breaking_changes(old, contract(endpoint(request={"a?": 1}))) == ()


def test_only_contracts_break() -> None:
    """Another type's payload may look like a contract; nobody has built on it."""
    old, new = contract(endpoint()), contract()
    assert payload_diff(old, new, "note").breaking == ()
    assert payload_diff(old, new, "api_contract").breaking == ("GET /users: the endpoint was removed",)


def test_the_list_of_broken_promises_is_bounded() -> None:
    """Fifty sentences, then their number; and no sentence carries a whole payload or a line break."""
    old = contract(*(endpoint(f"GET /a{number}") for number in range(80)), endpoint("GET /b\n" + "b" * 9_000))
    found = breaking_changes(old, contract())
    assert len(found) == 51
    assert found[-1] == "and 31 more breaking changes"
    (long,) = breaking_changes(contract(endpoint("GET /b\n" + "b" * 9_000)), contract())
    assert len(long) == 300
    assert long.isprintable()


NAMES = st.sampled_from(["id", "user", "email", "users", "meta", "n1", "n2"])
EXAMPLES = st.recursive(
    st.sampled_from([1, True, "x", "string", "number"]),
    lambda inner: st.dictionaries(NAMES, inner, min_size=1, max_size=4) | inner.map(lambda one: [one]),
    max_leaves=12,
)
BODIES = st.dictionaries(NAMES, EXAMPLES, min_size=1, max_size=4)


def as_schema(example: Any) -> dict[str, Any]:
    """The same promise in the other notation."""
    if isinstance(example, dict):
        return schema(*example, **{name: as_schema(part) for name, part in example.items()})
    if isinstance(example, list):
        return {"type": "array", "items": as_schema(example[0])}
    kinds = {"1": "integer", "True": "boolean", "number": "number"}
    return {"type": kinds.get(str(example), "string")}


@given(BODIES, st.data(), st.booleans(), st.booleans())
def test_every_removed_response_field_is_reported(
    body: Any, data: st.DataObject, from_schema: bool, to_schema: bool
) -> None:
    """Wherever a field is taken out, and in whichever notation, exactly that field is named."""
    place = data.draw(st.sampled_from([place for place in _places(body) if place and isinstance(place[-1], str)]))
    new = copy.deepcopy(body)
    holder = new
    for key in place[:-1]:
        holder = holder[key]
    del holder[place[-1]]
    path = "".join("[]" if isinstance(key, int) else f".{key}" for key in place).removeprefix(".")
    versions = as_schema(body) if from_schema else body, as_schema(new) if to_schema else new
    assert response_breaks(*versions) == [f"response field {path} was removed"]


@given(BODIES)
def test_the_two_notations_say_the_same(body: Any) -> None:
    """Writing a loose body down as JSON Schema, or the other way round, breaks nothing."""
    assert response_breaks(body, as_schema(body)) == response_breaks(as_schema(body), body) == []
    assert request_breaks(body, as_schema(body)) == request_breaks(as_schema(body), body) == []


@given(OBJECTS, OBJECTS, OBJECTS, OBJECTS)
def test_any_two_bodies_can_be_compared(old: Any, new: Any, old_request: Any, new_request: Any) -> None:
    """No error whatever the bodies hold, and a contract never breaks by staying as it is."""
    older, newer = endpoint(request=old_request, response=old), endpoint(request=new_request, response=new)
    found = breaking_changes(contract(older), contract(newer))
    assert all(isinstance(sentence, str) and len(sentence) <= 300 for sentence in found)
    assert breaking_changes(contract(older), contract(copy.deepcopy(older))) == ()
