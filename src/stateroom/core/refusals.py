"""Every "no" the rules can say.

A refusal's docstring is the sentence its reader sees, with its facts filled in; `code` never changes once
published, `status` hints at HTTP, `hint` says what to do next. Faces map codes to their own literal texts in
one table each and never invent refusals of their own.
"""

import inspect
from typing import ClassVar


class Refusal(Exception):
    """The room's rules do not allow this."""

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 409
    hint: ClassVar[str] = ""

    def __init__(self, **facts: object) -> None:
        super().__init__(self.code)
        self.facts = facts

    def __str__(self) -> str:
        return inspect.cleandoc(type(self).__doc__ or "").format_map(self.facts)

    def next_step(self) -> str:
        """The hint with the facts filled in."""
        return self.hint.format_map(self.facts)


class UnknownRoom(Refusal):
    """Room not found or access denied"""

    code, status = "unknown_room", 404
    hint = "List your rooms to see the ids you can use."


class BadRoomId(Refusal):
    """Invalid roomId: use 2–64 chars of [a-z0-9_-], starting with alphanumeric"""

    code, status = "bad_room_id", 400
    hint = "Choose a room id such as `my-project`."


class ReservedRoomId(Refusal):
    """Invalid roomId: reserved prefix"""

    code, status = "reserved_room_id", 400
    hint = "Choose a room id without two underscores in a row."


class BadName(Refusal):
    """The name {name} can not be used: {reason}."""

    code, status = "bad_name", 400
    hint = "Use 1 to 128 visible characters."


class WrongMember(Refusal):
    """This connection speaks as {bound}, not as {name}."""

    code, status = "wrong_member", 403
    hint = "Leave the name out, or use `{bound}`."


class UnknownTask(Refusal):
    """There is no task {task} in this room."""

    code, status = "unknown_task", 404
    hint = "Read the plan to see the task ids."


class UnknownDependency(Refusal):
    """There is no task {task} in this room to depend on."""

    code, status = "unknown_dependency", 404
    hint = "Read the plan to see the task ids."


class SelfDependency(Refusal):
    """A task cannot depend on itself."""

    code, status = "self_dependency", 400
    hint = "Name another task."


class DependencyCycle(Refusal):
    """{task} can not depend on {depends_on}: that would close the circle {circle}."""

    code = "dependency_cycle"
    hint = "Remove one of the dependencies in the circle first."


class TaskHeld(Refusal):
    """Task {task} is in progress: {holder} has held it for {held_s} s."""

    code = "task_held"
    hint = "Pick another unblocked task, ask {holder} to give it back, or repeat the call with takeover: true."


class TaskMoved(Refusal):
    """Task {task} is not what you expected: {field} is {actual}, you expected {expected}."""

    code = "task_moved"
    hint = "Read the task again and decide on what it says now."


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


class UnknownEvent(Refusal):
    """There is no event {event} in this room."""

    code, status = "unknown_event", 404
    hint = "Read the events to see their ids."


class UnknownReview(Refusal):
    """There is no review {review} in this room."""

    code, status = "unknown_review", 404
    hint = "List the reviews to see their ids."


class UnknownReviewTarget(Refusal):
    """There is no {kind} {target} in this room to review."""

    code, status = "unknown_review_target", 404
    hint = "Name an existing task or context entry."


class ReviewResolved(Refusal):
    """Review {review} is already {verdict}."""

    code = "review_resolved"
    hint = "Request a new review if the work has changed."


class NotTheReviewer(Refusal):
    """Only reviewer {reviewer} may resolve review {review}."""

    code, status = "not_the_reviewer", 403
    hint = "Wait for {reviewer}, or request a review from somebody else."


class OwnReview(Refusal):
    """{name} can not review what {name} asked to have reviewed."""

    code, status = "own_review", 403
    hint = "Name another member as reviewer."


class LeaseHeld(Refusal):
    """{resource} is held by {holder} for another {remaining_ms} ms."""

    code = "lease_held"
    hint = "Ask again when it expires, or ask {holder} to release it."


class NotTheHolder(Refusal):
    """{resource} is not held by {name}."""

    code = "not_the_holder"
    hint = "List the leases to see who holds what."


class BadCursor(Refusal):
    """The cursor {cursor} is outside this log: valid positions are 0 to {last}."""

    code, status = "bad_cursor", 400
    hint = "Start again from a position between 0 and {last}."


class RequestReused(Refusal):
    """The request id {request_id} was already used for a different call."""

    code = "request_reused"
    hint = "Use a new request id for a new wish; repeat the same arguments only to repeat the same wish."


class TooLong(Refusal):
    """{field} is too long: {size} of at most {limit} {unit}."""

    code, status = "too_long", 413
    hint = "Shorten it, or split it into several entries."


class PayloadTooLarge(Refusal):
    """payload exceeds 64KB: it takes {size} of at most {limit} bytes as compact JSON"""

    code, status = "payload_too_large", 413
    hint = "Split it into several entries, or refer to a file instead of holding it."


class TooDeep(Refusal):
    """{field} is nested deeper than {limit} levels."""

    code, status = "too_deep", 400
    hint = "Flatten it, or put the inner part into an entry of its own."


class NoSemanticSearch(Refusal):
    """Semantic search is not configured. Set UPSTASH_VECTOR_REST_URL and UPSTASH_VECTOR_REST_TOKEN."""

    code, status = "no_semantic_search", 501
    hint = "Leave `semantic` out: the word search covers tasks, context and events."


class BadDuration(Refusal):
    """{field} must be from 1 to {limit} seconds, not {value}."""

    code, status = "bad_duration", 400
    hint = "Ask for at most {limit} seconds, and again before they are over."


class BadText(Refusal):
    """{field} holds text that can not be stored: {reason}."""

    code, status = "bad_text", 400
    hint = "Send valid Unicode text without NUL characters."


class UnknownTemplate(Refusal):
    """Unknown template: {template}"""

    code, status = "unknown_template", 404
    hint = "List the templates to see their ids."


class RoomHasTasks(Refusal):
    """Room {room} already has {count} tasks; a template never overwrites a plan."""

    code = "room_has_tasks"
    hint = "Use a new room id, or pass append: true to add the template's tasks to the plan."
