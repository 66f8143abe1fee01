"""What a context entry may hold (protocol §2.2, §12.3 72 to 77): each type's payload, and how a bad one is named."""

import copy
from typing import Any

import pytest

from stateroom.core.payloads import CONTEXT_TYPES, EXAMPLES

from .harness import Room, promise

Path = tuple[str | int, ...]
MISSING = object()


def changed(type: str, path: Path, value: object) -> dict[str, Any]:
    """The type's example with one place replaced, or removed."""
    payload: Any = copy.deepcopy(EXAMPLES[type])
    place = payload
    for step in path[:-1]:
        place = place[step]
    if value is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return dict(payload)


def entry(type: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The arguments that write it."""
    return {"type": type, "summary": "s", "consuming_agents": [], "author": "ann", "payload": payload}


@promise("72")
@pytest.mark.parametrize("type", CONTEXT_TYPES)
async def test_a_well_formed_payload_passes(room: Room, type: str) -> None:
    """Each of the five types, and it reads back as it was written."""
    payload = dict(EXAMPLES[type])
    assert (await room.call("write_context", **entry(type, payload)))["payload"] == payload


FAULTS: list[tuple[str, Path, object, str]] = [
    ("api_contract", ("endpoints",), [], "endpoints: Array must contain at least 1 element(s)"),
    ("api_contract", ("endpoints",), ["POST /polls"], "endpoints.0: Expected object, received string"),
    ("api_contract", ("endpoints", 0, "method"), "TRACE", "endpoints.0.method: Invalid enum value."),
    ("api_contract", ("endpoints", 0, "method"), "TRACE", "'PATCH', received 'TRACE'"),
    ("api_contract", ("endpoints", 0, "path"), "", "endpoints.0.path: String must contain at least 1 character(s)"),
    ("api_contract", ("endpoints", 0, "response"), [], "endpoints.0.response: Expected object, received array"),
    ("api_contract", ("endpoints", 0, "auth_required"), "yes", "auth_required: Expected boolean, received string"),
    ("api_contract", ("endpoints", 0, "description"), MISSING, "endpoints.0.description: Required"),
    ("api_contract", ("service",), MISSING, "service: Required"),
    ("api_contract", ("version",), 1, "version: Expected string, received number"),
    ("api_contract", ("base_url",), None, "base_url: Expected string, received null"),
    ("arch_decision", ("rationale",), "", "rationale: String must contain at least 1 character(s)"),
    ("arch_decision", ("alternatives",), MISSING, "alternatives: Required"),
    ("arch_decision", ("consequences",), [1], "consequences.0: Expected string, received number"),
    ("task", ("task_id",), "", "task_id: String must contain at least 1 character(s)"),
    ("task", ("acceptance_criteria",), "all", "acceptance_criteria: Expected array, received string"),
    ("task", ("technical_notes",), MISSING, "technical_notes: Required"),
    ("change_request", ("urgency",), "now", "urgency: Invalid enum value. Expected 'low' | 'medium' | 'high'"),
    ("change_request", ("target_agent",), "", "target_agent: String must contain at least 1 character(s)"),
    ("change_request", ("blocking_task_id",), 7, "blocking_task_id: Expected string, received number"),
    ("note", ("text",), MISSING, "text: Required"),
    ("note", ("text",), "", "text: String must contain at least 1 character(s)"),
    ("note", ("references",), [{}], "references.0: Expected string, received object"),
]


@promise("73", "74", "75", "76", "79")
@pytest.mark.parametrize(("type", "path", "value", "named"), FAULTS)
async def test_a_bad_payload_is_refused_and_its_field_named(
    room: Room, type: str, path: Path, value: object, named: str
) -> None:
    """On one line, in the wording clients know, with the dotted path; nothing is stored."""
    await room.note()
    before = await room.state()
    refused = await room.refusal("write_context", **entry(type, changed(type, path, value)))
    assert refused.text.startswith(f'Error: Invalid payload for context type "{type}": ')
    assert named in refused.text
    assert "\n" not in refused.text
    assert await room.state() == before


async def test_every_problem_of_a_payload_is_told_at_once(room: Room) -> None:
    """One clause per problem, joined with `; `."""
    refused = await room.refusal("write_context", **entry("note", {"references": 3}))
    assert refused.sentence.endswith(": text: Required; references: Expected array, received number")


@promise("77")
async def test_unknown_top_level_fields_are_kept(room: Room) -> None:
    """An arch_decision may say more than its type asks for."""
    payload = {**EXAMPLES["arch_decision"], "deciders": ["ann"], "cost": {"eur": 1.5, "when": None}}
    id = (await room.call("write_context", **entry("arch_decision", payload)))["id"]
    assert (await room.call("read_context", id=id))["payload"] == payload


@promise("W-26")
async def test_unknown_fields_inside_an_endpoint_are_kept(room: Room) -> None:
    """The reference drops them without a word, against its own documents."""
    payload = changed("api_contract", ("endpoints", 0, "rate_limit"), {"per_minute": 60})
    id = (await room.call("write_context", **entry("api_contract", payload)))["id"]
    assert (await room.call("read_context", id=id))["payload"] == payload
