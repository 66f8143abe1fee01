"""What a call says: the tool, and its arguments. The shapes in which the providers' formats say so."""

import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any

from stateroom.core.leaks.values import NotACall, Reader

Arguments = dict[str, Any]

PREFIX = r"(?:mcp__[\w-]{1,60}?__|functions\.|default_api\.|stateroom(?:\.|__?|:|/))"
"""What hosts and models put before the name of a tool."""
_PREFIX = re.compile(PREFIX)
_NAMES = ("name", "tool", "tool_name", "recipient_name", "function", "action")
_GIVEN = ("arguments", "parameters", "input", "args", "params", "tool_input", "action_input")
_TYPES = ("function", "tool_use", "function_call", "tool_call", None)
_BESIDE = {"type", "id", "call_id", "index"}
_WRAPPERS = ("tool_calls", "tool_uses", "function", "function_call", "functionCall", "tool_call")
_BESIDE_WRAPPER = _BESIDE | {"role", "content", "refusal"}
MOST_NESTED = 3


@dataclass(frozen=True, slots=True)
class Tools:
    """What can be called."""

    names: Container[str]
    taken: Callable[[str, Arguments], Arguments | None]
    """The arguments as the tool of this name takes them, or None if it does not."""


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    arguments: Arguments


def plain_name(name: str) -> str:
    """The tool's own name, without a prefix."""
    return _PREFIX.sub("", name.strip(), count=1)


def call(name: str, given: Any, tools: Tools) -> tuple[Call, ...]:
    """The call of a tool by its name, if there is one that takes these arguments. Raises NotACall."""
    plain = name.strip() if name.strip() in tools.names else plain_name(name)
    if plain not in tools.names or not isinstance(given, dict):
        raise NotACall
    taken = tools.taken(plain, given)
    if taken is None:
        raise NotACall
    return (Call(plain, taken),)


def calls_in(value: Any, tools: Tools, nested: int = 0) -> tuple[Call, ...]:
    """The calls that a value is: one, a list of nothing else, or wrapped as providers do. Raises NotACall.

    A value that says more than a call does (a description, a result, a time) is about a call."""
    if nested > MOST_NESTED or not value:
        raise NotACall
    if isinstance(value, list):
        return tuple(made for one in value for made in calls_in(one, tools, nested + 1))
    if not isinstance(value, dict) or value.get("type") not in _TYPES:
        raise NotACall
    wrapper = next((key for key in _WRAPPERS if isinstance(value.get(key), dict | list)), None)
    if wrapper is None:
        return _one(value, tools)
    if not value.keys() <= _BESIDE_WRAPPER | {wrapper} or value.get("content"):
        raise NotACall
    return calls_in(value[wrapper], tools, nested + 1)


def _one(value: Arguments, tools: Tools) -> tuple[Call, ...]:
    names = [key for key in _NAMES if key in value]
    given = [key for key in _GIVEN if key in value]
    if len(names) != 1 or len(given) != 1 or not value.keys() <= _BESIDE | {*names, *given}:
        raise NotACall
    name, arguments = value[names[0]], value[given[0]]
    if isinstance(arguments, str):
        arguments = _written(arguments)
    if not isinstance(name, str):
        raise NotACall
    return call(name, arguments, tools)


def _written(text: str) -> Any:
    """Arguments that are themselves a text of JSON."""
    reader = Reader(text)
    value, end = reader.value(reader.space(0))
    if reader.space(end) != len(text):
        raise NotACall
    return value
