"""Refusals about what somebody wants to read."""

from stateroom.core.refusals.base import Refusal


class UnknownEvent(Refusal):
    """There is no event {event} in this room."""

    code, status = "unknown_event", 404
    hint = "Read the events to see their ids."


class BadCursor(Refusal):
    """The cursor {cursor} is outside this log: valid positions are 0 to {last}."""

    code, status = "bad_cursor", 400
    hint = "Start again from a position between 0 and {last}."


class NoSemanticSearch(Refusal):
    """Semantic search is not configured. Set UPSTASH_VECTOR_REST_URL and UPSTASH_VECTOR_REST_TOKEN."""

    code, status = "no_semantic_search", 501
    hint = "Leave `semantic` out: the word search covers tasks, context and events."


class UnknownReport(Refusal):
    """There is no report {report}."""

    code, status = "unknown_report", 404
    hint = "Export the room again with room_minutes(export: true)."


class UnknownArtifact(Refusal):
    """There is no decision {artifact} in this room."""

    code, status = "unknown_artifact", 404
    hint = "Give the id of a decision as room_minutes lists them: <message id>-<n>."
