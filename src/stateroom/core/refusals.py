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


class NoCodeFree(Refusal):
    """All the room codes that were drawn are taken."""

    code, status = "no_code_free", 503
    hint = "Repeat the call: it draws new ones."


class RoomHasEnded(Refusal):
    """This room has ended: it can be read and reported, but nothing new can be said or done in it."""

    code = "room_ended"
    hint = "The host can reopen it with room_admin(action: reactivate). Until then stop listening."


class NotParticipant(Refusal):
    """{name} is not in this room.{nearest}"""

    code, status = "not_participant", 403
    hint = "Join first with room_join, then repeat the call under the name that join gave you."


class NotHost(Refusal):
    """Only the host of this room may do this, and nothing here proves that you are the host."""

    code, status = "not_host", 403
    hint = "Repeat the call with the hostKey that came with the room's creation, or ask the host to do it."


class HostNameTaken(Refusal):
    """{name} is the host's name here, or looks like it."""

    code, status = "host_name_taken", 409
    hint = "Join under another name; the host itself joins with its hostKey or seatKey."


class SeatKeyNeeded(Refusal):
    """{name} has a seat of its own in this room, and this call does not show its key."""

    code, status = "seat_key_needed", 403
    hint = "Repeat the call with the seatKey that your first join returned, or join under another name."


class Muted(Refusal):
    """{name} is muted in this room: you may listen, but not speak."""

    code, status = "muted", 403
    hint = "Go on listening; the host can unmute you."


class NotYourTurn(Refusal):
    """It is not {name}'s turn: {current}."""

    code = "not_your_turn"
    hint = "Go on listening with room_listen; it tells you when canISpeakNow is true. Silence is fine."


class ModeNotSupported(Refusal):
    """There is no reply mode {mode}."""

    code, status = "mode_not_supported", 400
    hint = "Use open, sequential or moderator."


class InvalidModeConfig(Refusal):
    """This reply mode can not be set so: {reason}."""

    code, status = "invalid_mode_config", 400
    hint = "Correct the named part and call again; the mode has not changed."


class ExchangeClosed(Refusal):
    """The agents here have exchanged {count} messages in a row while nothing changed, so the exchange is closed."""

    code = "exchange_closed"
    hint = (
        "It opens again when a person speaks, or a task or context entry changes. "
        "Status notes are still welcome, and so is silence."
    )


class NothingSaid(Refusal):
    """There is no text and no attachment in this message."""

    code, status = "nothing_said", 400
    hint = "Give text, or an attachment. To say nothing, call nothing."


class BadPolicy(Refusal):
    """The policy can not be set so: {reason}."""

    code, status = "bad_policy", 400
    hint = "Correct the named part; the policy has not changed."


class UnknownReport(Refusal):
    """There is no report {report}."""

    code, status = "unknown_report", 404
    hint = "Export the room again with room_minutes(export: true)."


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


class UnknownAttachment(Refusal):
    """There is no attachment {attachment} in this room."""

    code, status = "unknown_attachment", 404
    hint = "Read the messages to see the ids of what is attached."


class AttachmentEmpty(Refusal):
    """The file {name} is empty."""

    code, status = "attachment_empty", 400
    hint = "Attach a file that holds something."


class AttachmentTooLarge(Refusal):
    """The file {name} takes {size} of at most {limit} bytes."""

    code, status = "attachment_too_large", 413
    hint = "Attach a smaller part of it, or say where the whole of it is kept."


class AttachmentTypeNotAllowed(Refusal):
    """Files of type {mime} can not be attached."""

    code, status = "attachment_type_not_allowed", 415
    hint = "Attach an image, text, Markdown, CSV, JSON, HTML, PDF, DOCX, XLS, XLSX or ZIP file."


class AttachmentTypeMismatch(Refusal):
    """The file {name} is said to be {mime}, but {found}."""

    code, status = "attachment_type_mismatch", 415
    hint = "Name the type the file really has, or repair the file."


class AttachmentDangerous(Refusal):
    """The file {name} is not taken: {reason}."""

    code, status = "attachment_dangerous", 422
    hint = "Attach a plain copy: without entity declarations, and packed no more than usual."


class AttachmentsFull(Refusal):
    """There is no room for another {size} bytes: {count} of {limit} files are there, {held} of {limit_bytes} bytes."""

    code, status = "attachments_full", 413
    hint = "Attach it in a new room, or say where the file is kept."


class TaskExists(Refusal):
    """There is already a task {task} in this room, or there was one."""

    code = "task_exists"
    hint = "Choose another id, or leave it out to get the next number."


class BadTaskId(Refusal):
    """The id {task} can not be used for a task: {reason}."""

    code, status = "bad_task_id", 400
    hint = "Use 1 to 64 of A-Z a-z 0-9 _ . - with a letter or digit among them, or leave the id out."


class OwnerIsVerifier(Refusal):
    """{name} can not both do the work of a task and rule on it."""

    code = "owner_is_verifier"
    hint = "Name another owner, or another verifier."


class VerifierCannotClaim(Refusal):
    """{verifier} is to rule on task {task}, and so can not hold it."""

    code, status = "verifier_cannot_claim", 403
    hint = 'Leave it to another member, or name another verifier first: room_task(action: "reassign", id, verifier).'


class NotTheOwner(Refusal):
    """Task {task} is {owner}'s: only its owner submits it."""

    code, status = "not_the_owner", 403
    hint = 'Claim it if nobody is at work on it, or have it given to you: room_task(action: "reassign", id, owner).'


class NotTheVerifier(Refusal):
    """Only {verifier} rules on task {task}."""

    code, status = "not_the_verifier", 403
    hint = 'Wait for its verifier, or have another one named: room_task(action: "reassign", id, verifier).'


class OwnerCannotVerify(Refusal):
    """{name} can not rule on task {task}, which is {name}'s own work."""

    code, status = "owner_cannot_verify", 403
    hint = 'Any other member can: room_task(action: "verify", id: "{task}", verdict, note).'


class EvidenceIncomplete(Refusal):
    """What was submitted for task {task} does not show that it is done. It lacks: {missing}."""

    code, status = "evidence_incomplete", 400
    hint = (
        "Submit all of it in one call: fileListing and fileExcerpt, and either runOutput with exitCode, "
        "or checks (each point and how you checked it). Never make up a run."
    )


class VerdictNeedsNote(Refusal):
    """The run submitted for task {task} ended with exit code {exit_code}: accepting it needs a note that says why."""

    code, status = "verdict_needs_note", 400
    hint = 'Reject it, or repeat it with a note: room_task(action: "verify", id: "{task}", verdict: "done", note).'


class TaskStateWrong(Refusal):
    """Task {task} is {state}, so it can not be {wished}."""

    code = "task_state_wrong"
    hint = "{next}."


class TaskDoneImmutable(Refusal):
    """Task {task} is {state}, and stays as it is."""

    code = "task_done_immutable"
    hint = "{next}."


class TaskNeedsProof(Refusal):
    """Task {task} becomes done only by the verdict of a member other than its owner."""

    code = "task_needs_proof"
    hint = "{next}."


class TaskHasEvidence(Refusal):
    """Something was submitted for task {task}, so it can not be taken off the board."""

    code = "task_has_evidence"
    hint = "{next}."


class NobodyNamed(Refusal):
    """Nobody is named to whom a role in task {task} should go."""

    code, status = "nobody_named", 400
    hint = "Give a new owner, a new verifier, or both."


class ReasonMissing(Refusal):
    """It is not said what is in the way of task {task}."""

    code, status = "reason_missing", 400
    hint = "Give the reason in a sentence: others decide by it whether they can help."


class UnknownArtifact(Refusal):
    """There is no decision {artifact} in this room."""

    code, status = "unknown_artifact", 404
    hint = "Give the id of a decision as room_minutes lists them: <message id>-<n>."
