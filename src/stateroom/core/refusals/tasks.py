"""Refusals about the board."""

from stateroom.core.refusals.base import Refusal


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
    """Task {task} is in progress: {holder} has held it for {held_s} s{lease}."""

    code = "task_held"
    hint = (
        'Pick another task, or ask {holder} for this one: room_task(action: "handoff", id: "{task}"). If {holder} is '
        'gone for good, update_task(taskId: "{task}", status: "in_progress", takeover: true) takes it.'
    )


class TaskMoved(Refusal):
    """Task {task} is not what you expected: {field} is {actual}, you expected {expected}."""

    code = "task_moved"
    hint = "Read the task again and decide on what it says now."


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
    """Accepting what was submitted for task {task} needs a note that says why: {objections}."""

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


class ReasonMissing(Refusal):
    """It is not said what is in the way of task {task}."""

    code, status = "reason_missing", 400
    hint = "Give the reason in a sentence: others decide by it whether they can help."


class BadCommit(Refusal):
    """{commit} is no commit id."""

    code, status = "bad_commit", 400
    hint = "Give the commit's hash: 7 to 64 hexadecimal digits."


class BadLink(Refusal):
    """{link} is no address of a page."""

    code, status = "bad_link", 400
    hint = "Give links as http:// or https:// addresses without spaces."


class TaskLeaseOver(Refusal):
    """The lease on task {task} has run out, and the task was given back to the board."""

    code = "task_lease_over"
    hint = 'If nobody else has it by now, claim it again: room_task(action: "claim", id: "{task}").'


class TokenStale(Refusal):
    """Token {token} for task {task} is not the one it is held under: the task has changed hands since."""

    code = "token_stale"
    hint = 'Look who holds it now: room_task(action: "list", id: "{task}"). Nothing you gave was kept.'


class TokenNeeded(Refusal):
    """Task {task} is held under a lease, so this needs the lease's token."""

    code, status = "token_needed", 400
    hint = (
        "Repeat the call with the token that your claim returned. If you no longer have it, claim the task again: "
        'room_task(action: "claim", id: "{task}") gives its holder a fresh one.'
    )


class NotTheTaskHolder(Refusal):
    """Task {task} is not held by {name}."""

    code, status = "not_the_task_holder", 403
    hint = 'Look who holds it: room_task(action: "list", id: "{task}").'


class NoTaskLease(Refusal):
    """Task {task} is held without a lease, so there is none to renew."""

    code = "no_task_lease"
    hint = 'Claim it again with a lease: room_task(action: "claim", id: "{task}", leaseSeconds: 900).'


class HandoffToSelf(Refusal):
    """{name} holds task {task} already."""

    code, status = "handoff_to_self", 400
    hint = "Name another member, or go on with the task."


class HandoffMissing(Refusal):
    """Nobody has asked for task {task}, and nobody is named to take it."""

    code, status = "handoff_missing", 400
    hint = 'Name who is to have it: room_task(action: "grant", id: "{task}", owner), or give it back with release.'
