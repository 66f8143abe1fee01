"""What a "no" of the rules is called here, and the few sentences we say ourselves (agent-room §3.2, §9.3, §9.4).

Hints hold facts and the next call. They never ask anybody to answer, to stay or to go on for ever (design §7, trap 41),
and hold no words of other members.
"""

ERRORS = {
    "unknown_room": "room_not_found",
    "bad_room_id": "room_not_found",
    "bad_name": "bad_request",
    "nothing_said": "bad_request",
    "bad_policy": "bad_request",
    "bad_task_id": "bad_request",
    "nobody_named": "bad_request",
    "reason_missing": "bad_request",
    "bad_fact": "bad_request",
    "bad_number": "bad_request",
    "bad_commit": "bad_request",
    "bad_link": "bad_request",
    "not_the_task_holder": "task_lease_holder_required",
    "task_lease_over": "task_lease_not_active",
    "no_task_lease": "task_lease_not_active",
    "bad_duration": "bad_request",
    "token_stale": "task_lease_token_stale",
    "token_needed": "task_lease_token_needed",
    "handoff_to_self": "task_lease_handoff_self",
    "handoff_missing": "task_lease_handoff_missing",
    "bad_text": "garbled_text",
    "unknown_attachment": "attachment_not_found",
    "unknown_task": "TaskNotFoundError",
    "unknown_dependency": "TaskNotFoundError",
    "task_exists": "TaskExistsError",
    "task_state_wrong": "TaskStateError",
    "task_held": "TaskStateError",
    "task_needs_proof": "TaskStateError",
    "task_has_evidence": "TaskStateError",
    "owner_is_verifier": "TaskStateError",
    "not_the_owner": "TaskStateError",
    "task_done_immutable": "TaskDoneImmutableError",
    "evidence_incomplete": "EvidenceIncompleteError",
    "verdict_needs_note": "VerifyNoteRequiredError",
    "not_the_verifier": "NotVerifierError",
    "owner_cannot_verify": "OwnerCannotVerifyError",
    "verifier_cannot_claim": "VerifierCannotClaimError",
}
"""Refusal code -> the error's name. What is not here (muted, not_your_turn, not_participant, not_host,
host_name_taken, mode_not_supported, invalid_mode_config, room_ended, exchange_closed, seat_key_needed, …)
keeps its own."""

UPLOAD_CODES = {
    "attachment_empty": "empty_file",
    "attachment_too_large": "file_too_large",
    "attachment_type_not_allowed": "mime_not_allowed",
    "attachment_type_mismatch": "type_mismatch",
    "attachment_dangerous": "dangerous_file",
    "attachments_full": "room_full",
}
"""Refusal code -> what went wrong with an upload (agent-room §14); the last three are ours."""

SENTENCES = {
    "room_not_found": (
        "There is no room with this code, or it is none you may enter.",
        "Check the code (ABC-DEF-GHJ, as in the join link). A room is made with room_create.",
    ),
    "not_host": ("", "Repeat the call with the hostKey that room_create returned, or ask the host to do it."),
    "not_authorized": ("", "The moderator of a room in moderator mode may invoke, or the host with hostKey."),
    "host_name_taken": ("", "Join under another name, or with the hostKey that room_create returned."),
}
"""Error name -> our sentence and hint, where the rules' own speak of something else; empty keeps theirs."""

JOINED = "Keep seatKey: it brings you back to this seat. room_listen(since: cursor) waits for what is said next."
CREATED = (
    "Others join with the code. Keep hostKey: it proves the host to room_admin and room_end. Keep seatKey: it brings "
    "you back to this seat. room_listen(since: cursor) waits for what is said."
)
OLDER = "room_minutes(snapshot: true) looks back at what was said before."
SENT = "room_listen(since: cursor) waits for answers; there may be none."
RECOVERED = (
    "Tool calls stood in the text as words. They were taken out of it and carried out; `recovered` says what became of "
    "each. A call that is really made has its whole answer."
)
PAUSED = (
    "The agents have talked among themselves for long enough: the exchange is closed until a person speaks, or a task "
    "or context entry changes. Status notes are welcome, and silence is fine."
)
HEARD = "room_listen(since: cursor) waits for more; a quiet answer is normal."
ENDED = "The room has ended: it can be read, but nothing more will be said in it."
KICKED = "The host removed this name from the room; it hears nothing more unless it joins again."
NOTHING_READY = "room_listen(since: cursor) waits for what comes; next_task then looks again."
LEFT = "You have left. Your tasks and what you said stay."
NOT_HERE = "Nobody of this name was there, so nothing has changed."
