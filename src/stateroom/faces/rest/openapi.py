"""The OpenAPI 3.1 document, made from the endpoint tables: what is served is what is described."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from stateroom import __version__
from stateroom.faces.rest.endpoint import Endpoint
from stateroom.wire.problems import Problem

REFERENCE = "#/components/schemas/{name}"
FAULTS = {
    "400": "The request is malformed; the problem names the field.",
    "403": "A rule forbids it to this caller.",
    "404": "There is no such room or thing.",
    "409": "The rules of the room refuse it as things stand.",
    "413": "It is too large.",
    "503": "The store does not answer; repeat it.",
}


class Unauthorized(msgspec.Struct):
    error: str


def document(endpoints: Iterable[Endpoint], prefix: str) -> dict[str, Any]:
    """The whole document, as JSON data."""
    listed = list(endpoints)
    types = [type_ for endpoint in listed for type_ in (endpoint.answer, endpoint.query, endpoint.body) if type_]
    schemas, components = msgspec.json.schema_components(
        [*types, Problem, Unauthorized], schema_hook=_anything, ref_template=REFERENCE
    )
    by_type = {repr(type_): schema for type_, schema in zip(types, schemas, strict=False)}
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in listed:
        operation = _operation(endpoint, by_type, components)
        paths.setdefault(prefix + endpoint.path, {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Stateroom", "version": __version__, "license": {"name": "MIT", "identifier": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"key": []}],
    }


def _anything(type_: type) -> dict[str, Any]:
    """A value of which we know only that it is JSON."""
    return {"description": "Any JSON value."}


def _operation(endpoint: Endpoint, schemas: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.id,
        "summary": endpoint.summary,
        "parameters": [*_path_parameters(endpoint), *_query_parameters(endpoint, schemas, components)],
        "responses": {
            str(endpoint.status): _json("Done.", schemas[repr(endpoint.answer)]),
            "401": _json("No key, or none we know.", {"$ref": REFERENCE.format(name="Unauthorized")}),
            **{status: _json(text, {"$ref": REFERENCE.format(name="Problem")}) for status, text in FAULTS.items()},
        },
    }
    if endpoint.body is not None:
        content = {"application/json": {"schema": schemas[repr(endpoint.body)]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _json(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _path_parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    names = re.findall(r"\{(\w+)\}", endpoint.path)
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _query_parameters(endpoint: Endpoint, schemas: dict[str, Any], components: dict[str, Any]) -> list[dict[str, Any]]:
    schema = components[schemas[repr(endpoint.query)]["$ref"].rpartition("/")[2]]
    required = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": part}
        for name, part in schema["properties"].items()
    ]
