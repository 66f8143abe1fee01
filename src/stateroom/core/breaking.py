"""What an `api_contract` promises, and which changes break what others build on (W-31)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from stateroom.core.payloads import compact_json, kind_of, one_line

SHOWN_CHARS = 200
MAX_BREAKS = 50
SENTENCE_CHARS = 300


def breaking_changes(old: dict[str, object], new: dict[str, object]) -> tuple[str, ...]:
    """How a new `api_contract` payload stops keeping what the old one promised: one sentence each, at most 50.

    For example `GET /users: response field user.email was removed`. Endpoints are matched by method and path,
    whatever their path parameters are called. Breaking is what an unchanged caller notices: an endpoint that is gone,
    a base URL that moved, authentication where there was none; a response that lacks a field or value, or holds
    another type; a request that demands more or accepts less. What is only added or described anew breaks nothing.

    A body may be written as JSON Schema or loosely, as an example or with the names of types, and the two mixed at
    any level. How it is read:

    - an object whose keys are all words of JSON Schema, with a `type`, `properties` or `enum`, is a schema;
    - `string`, `number | null`, `"a" | "b"`, `string[]` are types; any other text is an example of a string;
    - a loose field is required unless marked: `name?`, `string?`, `string (optional)`, `{…, "required": false}`, or
      unmarked beside a sibling that says `"required": true`; a field of a schema is required if listed;
    - an array is what its elements have in common; an empty one, a reference, `oneOf` and an earlier null tell nothing.
    """
    sentences = list(chain(_base_url_breaks(old, new), _endpoint_breaks(_endpoints(old), _endpoints(new))))
    left_out = len(sentences) - MAX_BREAKS
    kept = [one_line(sentence, SENTENCE_CHARS) for sentence in sentences[:MAX_BREAKS]]
    return (*kept, f"and {left_out} more breaking changes") if left_out > 0 else tuple(kept)


def _base_url_breaks(old: dict[str, object], new: dict[str, object]) -> Iterator[str]:
    before, after = old.get("base_url"), new.get("base_url")
    if not isinstance(before, str) or not before:
        return
    if not isinstance(after, str) or not after:
        yield f'base_url "{before}" was removed'
    elif before.rstrip("/") != after.rstrip("/"):
        yield f'base_url changed from "{before}" to "{after}"'


_PARAMETER = re.compile(r"\{[^/{}]*\}|<[^/<>]*>|(?<=/):\w+|(?<=/)\[[^/\[\]]*\]")


def _endpoints(contract: dict[str, object]) -> dict[str, dict[str, Any]]:
    """By method and path, parameters without their names: `/users/{id}`, `/users/:id` and `/users/{userId}` are one.

    Of two entries for one endpoint the first one counts.
    """
    listed = contract.get("endpoints")
    found: dict[str, dict[str, Any]] = {}
    for endpoint in listed if isinstance(listed, list) else ():
        if isinstance(endpoint, dict):
            path = _PARAMETER.sub("{}", str(endpoint.get("path")).partition("?")[0]).strip("/")
            found.setdefault(f"{str(endpoint.get('method')).upper()} /{path}", endpoint)
    return found


def _endpoint_breaks(old: Mapping[str, dict[str, Any]], new: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    for key, before in old.items():
        breaks = _promise_breaks(before, new[key]) if key in new else ["the endpoint was removed"]
        yield from (f"{str(before.get('method')).upper()} {before.get('path')}: {what}" for what in breaks)


def _promise_breaks(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    if new.get("auth_required") is True and not old.get("auth_required"):
        yield "now requires authentication"
    if "request" in new:
        yield from _breaks(_form(old.get("request", {})), _form(new["request"]), "request", "")
    yield from _breaks(_form(old.get("response", {})), _form(new.get("response", {})), "response", "")


@dataclass(frozen=True, slots=True)
class _Form:
    """What a body, or a part of one, may be, whichever way it was written down."""

    kinds: frozenset[str] = frozenset()
    """JSON kinds; empty when nothing is known. Integers are numbers: an example can not tell."""
    fields: Mapping[str, "_Form"] = field(default_factory=dict)
    items: "_Form | None" = None
    values: frozenset[str] = frozenset()
    """If not empty, the only values, as JSON."""
    required: bool = True
    said: bool = False
    """Whether `required` was said, rather than concluded from silence."""


def _breaks(old: _Form, new: _Form, side: str, at: str) -> Iterator[str]:
    """How `new` is not what callers of `old` count on: a response may be no other kind, a request must accept each."""
    where = f"{side} field {at}" if at else side
    if not old.kinds or not new.kinds or old.kinds == {"null"}:
        return
    if (old.kinds - new.kinds) if side == "request" else (new.kinds - old.kinds):
        yield f"{where} changed from {' | '.join(sorted(old.kinds))} to {' | '.join(sorted(new.kinds))}"
        return
    for value in sorted(old.values - new.values) if new.values else ():
        yield f"{where} no longer {'accepts' if side == 'request' else 'has the value'} {value}"
    if old.items and new.items:
        yield from _breaks(old.items, new.items, side, f"{at}[]")
    yield from _field_breaks(old, new, side, f"{at}." if at else "")


def _field_breaks(old: _Form, new: _Form, side: str, prefix: str) -> Iterator[str]:
    for name, before in old.fields.items():
        after = new.fields.get(name)
        if after is not None:
            yield from _presence_breaks(before, after, side, prefix + name)
            yield from _breaks(before, after, side, prefix + name)
        elif side == "response":
            yield f"response field {prefix}{name} was removed"
    if side == "request":
        added = ((prefix + name, form) for name, form in new.fields.items() if name not in old.fields)
        yield from (f"required request field {path} was added" for path in _demanded(added))


def _presence_breaks(old: _Form, new: _Form, side: str, at: str) -> Iterator[str]:
    if side == "request" and new.required and not old.required and (new.said or old.said):
        yield f"request field {at} is now required"
    if side == "response" and old.required and not new.required and new.said:
        yield f"response field {at} may now be missing"


def _demanded(fields: Iterable[tuple[str, _Form]]) -> Iterator[str]:
    """What must be sent. An object demands only what it holds: `query: {limit?}` demands nothing."""
    for path, form in fields:
        if form.required and form.fields:
            yield from _demanded((f"{path}.{name}", inner) for name, inner in form.fields.items())
        elif form.required:
            yield path


_TYPE_WORDS: Mapping[str, str] = {
    word: kind
    for kind, words in {
        "string": "string str text uuid date datetime date-time timestamp email url uri",
        "number": "number integer int float double decimal long",
        "boolean": "boolean bool",
        "object": "object dict map",
        "array": "array list",
        "null": "null none nil",
        "": "any unknown",
    }.items()
    for word in words.split()
}
_SCHEMA_VOCABULARY = """
    type properties required optional items enum const format description title nullable default example examples
    minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems
    uniqueItems minProperties maxProperties additionalProperties readOnly writeOnly deprecated
    oneOf anyOf allOf not $ref $schema $id $defs definitions
"""
_SCHEMA_WORDS = frozenset(_SCHEMA_VOCABULARY.split())
_ELSEWHERE = frozenset(["oneOf", "anyOf", "allOf", "$ref"])
"""Words of a schema that we do not follow: what it says about kinds and fields is then not known."""


def _form(spec: object) -> _Form:
    if isinstance(spec, dict):
        return _schema(spec) if _is_schema(spec) else _Form(frozenset(["object"]), _loose_fields(spec))
    if isinstance(spec, list):
        return _Form(frozenset(["array"]), items=_either([_form(element) for element in spec]) if spec else None)
    return _text(spec) if isinstance(spec, str) else _Form(frozenset([kind_of(spec)]))


def _is_schema(spec: Mapping[str, Any]) -> bool:
    """All keys are words of JSON Schema, used as such; in `{"type": "string", "title": "string"}` they are fields."""
    prose = [spec.get("title"), spec.get("description")]
    if not spec.keys() <= _SCHEMA_WORDS or any(isinstance(text, str) and text in _TYPE_WORDS for text in prose):
        return False
    by_parts = isinstance(spec.get("properties"), dict) or isinstance(spec.get("enum"), list)
    return by_parts or bool(_kinds(spec) or spec.keys() & _ELSEWHERE)


def _kinds(spec: Mapping[str, Any]) -> set[str]:
    named = spec.get("type")
    names = named if isinstance(named, list) else [named]
    return {_TYPE_WORDS[name] for name in names if isinstance(name, str) and name in _TYPE_WORDS}


def _schema(spec: Mapping[str, Any]) -> _Form:
    marks, kinds = _marks(spec), _kinds(spec)
    if "" in kinds or spec.keys() & _ELSEWHERE:
        return marks
    properties, items, enum, required = (spec.get(word) for word in ("properties", "items", "enum", "required"))
    values = enum if isinstance(enum, list) else []
    listed = required if isinstance(required, list) else None
    kinds = kinds or (set(map(kind_of, values)) if values else {"object"})
    return replace(
        marks,
        kinds=frozenset(kinds | {"null"} if spec.get("nullable") is True else kinds),
        fields=_schema_fields(properties, listed) if isinstance(properties, dict) else {},
        items=_form(items) if isinstance(items, dict) else None,
        values=frozenset(map(compact_json, values)),
    )


def _marks(spec: Mapping[str, Any]) -> _Form:
    """What a schema says about itself as a field: `"required": true` or `false`, `"optional": true`."""
    if isinstance(spec.get("required"), bool):
        return _Form(required=spec["required"], said=True)
    return _Form(required=False, said=True) if spec.get("optional") is True else _Form()


def _schema_fields(properties: Mapping[str, object], listed: list[object] | None) -> dict[str, _Form]:
    required = {name for name in listed or () if isinstance(name, str)}
    forms = {name: _form(part) for name, part in properties.items()}
    return {name: _unless_said(form, name in required, listed is not None) for name, form in forms.items()}


def _loose_fields(spec: Mapping[str, object]) -> dict[str, _Form]:
    forms = {name: _form(part) for name, part in spec.items()}
    silence = not any(form.said and form.required for form in forms.values())
    return {
        name.removesuffix("?"): _unless_said(form, silence and not name.endswith("?"), name.endswith("?"))
        for name, form in forms.items()
    }


def _unless_said(form: _Form, required: bool, said: bool) -> _Form:
    """What the field says about itself goes before what is said, or to be concluded, around it."""
    return form if form.said else replace(form, required=required, said=said)


_MARK = re.compile(r"^(optional|required)\s+|\s*[(,]?\s*(optional|required)\)?$|\?$", re.IGNORECASE)
_LITERAL = re.compile(r"""["']?[\w.-]+["']?""")


def _text(text: str) -> _Form:
    """The types a text names, or else an example of a string."""
    example = _Form(frozenset(["string"]))
    if len(text) > SHOWN_CHARS:
        return example
    mark = _MARK.search(text.strip())
    parts = [part.strip() for part in _MARK.sub("", text.strip(), count=1).split("|")]
    forms = [form for part in parts if (form := _word(part, among=len(parts)))]
    if len(forms) < len(parts):
        return example
    return replace(_either(forms), required=not mark or "required" in mark[0].lower(), said=bool(mark))


def _word(part: str, among: int) -> _Form | None:
    """One of the alternatives in a text. A bare word that is no type is a value only beside others: `low | high`."""
    if part.endswith("[]"):
        inner = _word(part[:-2], among)
        return inner and _Form(frozenset(["array"]), items=inner)
    kind = _TYPE_WORDS.get(part.lower())
    if kind is not None:
        return _Form(frozenset([kind] if kind else []))
    if among > 1 and _LITERAL.fullmatch(part):
        return _Form(frozenset(["string"]), values=frozenset([compact_json(part.strip("\"'"))]))
    return None


def _either(forms: Sequence[_Form]) -> _Form:
    """What holds whichever of the forms it is; a field that only some of them have is not required."""
    if len(forms) == 1:
        return forms[0]
    objects = [form for form in forms if "object" in form.kinds]
    names = dict.fromkeys(name for form in objects for name in form.fields)
    items = [form.items for form in forms if form.items]
    closed = [form.values for form in forms if form.kinds != {"null"}]
    return _Form(
        kinds=frozenset().union(*(form.kinds for form in forms)) if all(form.kinds for form in forms) else frozenset(),
        fields={name: _shared([form.fields.get(name) for form in objects]) for name in names},
        items=_either(items) if items else None,
        values=frozenset().union(*closed) if all(closed) else frozenset(),
    )


def _shared(fields: Sequence[_Form | None]) -> _Form:
    """A field as several objects have it; None stands for one that has not."""
    forms = [form for form in fields if form]
    required = len(forms) == len(fields) and all(form.required for form in forms)
    return replace(_either(forms), required=required, said=any(form.said for form in forms))
