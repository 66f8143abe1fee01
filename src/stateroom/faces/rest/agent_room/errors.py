"""What goes wrong, as clients of Agent Room know it: `{"error": <name>, "message"}` (agent-room §3.2, S3's statuses).

Clients tell causes apart by the name. Ours beside it: `code`, the refusal's own, and `hint`, what to do next.
"""

from dataclasses import dataclass

import msgspec

from stateroom.core.refusals import Refusal
from stateroom.log.seam import Unavailable
from stateroom.wire.problems import MESSAGE_CHARS, RETRY_AFTER_S

BAD_REQUEST, TOO_LARGE, TASK_STATE = "BadRequestError", "PayloadTooLargeError", "TaskStateError"

NAMES: dict[str, tuple[str, int]] = {
    "unknown_room": ("RoomNotFoundError", 404),
    "room_ended": ("RoomEndedError", 409),
    "host_name_taken": ("HostNameTakenError", 409),
    "not_host": ("NotHostError", 403),
    "not_participant": ("NotParticipantError", 403),
    "seat_key_needed": ("MemberAuthError", 403),
    "wrong_member": ("MemberAuthError", 403),
    "muted": ("MutedError", 403),
    "not_your_turn": ("NotYourTurnError", 409),
    "exchange_closed": ("ExchangeClosedError", 409),
    "mode_not_supported": ("ModeNotSupportedError", 400),
    "invalid_mode_config": ("InvalidModeConfigError", 400),
    "unknown_task": ("TaskNotFoundError", 404),
    "task_exists": ("TaskExistsError", 409),
    "task_held": (TASK_STATE, 409),
    "task_moved": (TASK_STATE, 409),
    "task_state_wrong": (TASK_STATE, 409),
    "task_needs_proof": (TASK_STATE, 409),
    "task_has_evidence": (TASK_STATE, 409),
    "owner_is_verifier": (TASK_STATE, 409),
    "not_the_owner": (TASK_STATE, 409),
    "task_done_immutable": ("TaskDoneImmutableError", 409),
    "evidence_incomplete": ("EvidenceIncompleteError", 400),
    "not_the_verifier": ("NotVerifierError", 403),
    "owner_cannot_verify": ("OwnerCannotVerifyError", 403),
    "verifier_cannot_claim": ("VerifierCannotClaimError", 403),
    "verdict_needs_note": ("VerifyNoteRequiredError", 400),
    "not_the_task_holder": ("TaskLeaseHolderRequiredError", 403),
    "task_lease_over": ("TaskLeaseNotActiveError", 409),
    "no_task_lease": ("TaskLeaseNotActiveError", 409),
    "token_stale": ("TaskLeaseTokenStaleError", 409),
    "token_needed": ("TaskLeaseTokenNeededError", 400),
    "handoff_to_self": ("TaskLeaseHandoffSelfError", 400),
    "handoff_missing": ("TaskLeaseHandoffMissingError", 400),
    "unknown_attachment": (BAD_REQUEST, 400),
    "project_key_wrong": ("ProjectKeyError", 403),
    "unknown_artifact": ("ArtifactNotFoundError", 404),
    "unknown_template": (BAD_REQUEST, 400),
    "unknown_report": ("ReportNotFoundError", 404),
    "no_code_free": ("NoCodeFreeError", 503),
}
"""By the refusal's code; what is not here is known by its status."""
BY_STATUS = {400: BAD_REQUEST, 403: "ForbiddenError", 404: "NotFoundError", 409: "ConflictError", 413: TOO_LARGE}


class Malformed(Exception):
    """A request that is none: it was not understood, so no rule was asked."""

    def __init__(self, message: str, hint: str, code: str = "bad_request", status: int = 400) -> None:
        super().__init__(message)
        self.hint, self.code, self.status = hint, code, status


class Failure(msgspec.Struct):
    """The body of an answer that is no success."""

    error: str
    message: str
    code: str
    hint: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A failure on its way out."""

    status: int
    failure: Failure

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        if self.status == 503:
            return [(b"retry-after", str(RETRY_AFTER_S).encode())]
        return [(b"allow", b"POST")] if self.status == 405 else []


def answered(status: int, error: str, message: str, code: str, hint: str) -> Answered:
    """Bounded, because what a caller sent may come back in it (L39)."""
    return Answered(status, Failure(error, message[:MESSAGE_CHARS], code, hint[:MESSAGE_CHARS]))


def of_refusal(refusal: Refusal) -> Answered:
    """A rule said no."""
    by_status = (BY_STATUS.get(refusal.status, "RoomError"), refusal.status)
    name, status = NAMES.get(refusal.code, by_status)
    return answered(status, name, str(refusal), refusal.code, refusal.next_step())


def of_malformed(problem: Malformed) -> Answered:
    return answered(
        problem.status, BY_STATUS.get(problem.status, BAD_REQUEST), str(problem), problem.code, problem.hint
    )


def of_store(failure: Unavailable) -> Answered:
    """The store did not answer; whether the deed was done is not known."""
    return answered(503, "StoreUnavailable", str(failure), "store_unavailable", "Read the room, then send it again.")


UNAUTHORIZED = answered(
    401,
    "Unauthorized",
    "There is no key in this request, or one that nobody issued.",
    "unauthorized",
    "Send `Authorization: Bearer <key>`; to take part in a room that is there, its code is enough, and no header.",
)
