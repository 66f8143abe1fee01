"""Refusals about context entries."""

from stateroom.core.refusals.base import Refusal


class UnknownContext(Refusal):
    """There is no context entry {context} in this room."""

    code, status = "unknown_context", 404
    hint = "List the context to see the ids."


class BadPayload(Refusal):
    """Invalid payload for context type "{type}": {problems}"""

    code, status = "bad_payload", 400
    hint = "Correct the named fields and call again; nothing was stored."


class ContextMoved(Refusal):
    """Context entry {context} is at version {actual}, you expected {expected}."""

    code = "context_moved"
    hint = "Read the entry again, merge your change into it, and repeat with expectedVersion: {actual}."


class NoEarlierVersion(Refusal):
    """Context entry {context} has no earlier version to compare with."""

    code, status = "no_earlier_version", 404
    hint = "Compare again after the entry has been revised."


class UnknownVersion(Refusal):
    """Context entry {context} never had version {version}."""

    code, status = "unknown_version", 404
    hint = "Read its history to see the versions."
