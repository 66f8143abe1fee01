"""Every "no": its code, its words, and that it is really said with all the facts its sentence asks for."""

import ast
import inspect
import string
from pathlib import Path

import pytest

import stateroom
from stateroom.core import refusals
from stateroom.core.refusals import Refusal

SOURCE = Path(stateroom.__file__).parent
CODES = {
    "UnknownRoom": ("unknown_room", 404),
    "BadRoomId": ("bad_room_id", 400),
    "ReservedRoomId": ("reserved_room_id", 400),
    "BadName": ("bad_name", 400),
    "WrongMember": ("wrong_member", 403),
    "UnknownTask": ("unknown_task", 404),
    "UnknownDependency": ("unknown_dependency", 404),
    "SelfDependency": ("self_dependency", 400),
    "DependencyCycle": ("dependency_cycle", 409),
    "TaskHeld": ("task_held", 409),
    "TaskMoved": ("task_moved", 409),
    "UnknownContext": ("unknown_context", 404),
    "BadPayload": ("bad_payload", 400),
    "ContextMoved": ("context_moved", 409),
    "NoEarlierVersion": ("no_earlier_version", 404),
    "UnknownVersion": ("unknown_version", 404),
    "UnknownEvent": ("unknown_event", 404),
    "UnknownReview": ("unknown_review", 404),
    "UnknownReviewTarget": ("unknown_review_target", 404),
    "ReviewResolved": ("review_resolved", 409),
    "NotTheReviewer": ("not_the_reviewer", 403),
    "OwnReview": ("own_review", 403),
    "LeaseHeld": ("lease_held", 409),
    "BadDuration": ("bad_duration", 400),
    "NotTheHolder": ("not_the_holder", 409),
    "BadCursor": ("bad_cursor", 400),
    "RequestReused": ("request_reused", 409),
    "TooLong": ("too_long", 413),
    "PayloadTooLarge": ("payload_too_large", 413),
    "TooDeep": ("too_deep", 400),
    "NoSemanticSearch": ("no_semantic_search", 501),
    "BadText": ("bad_text", 400),
    "UnknownTemplate": ("unknown_template", 404),
    "RoomHasTasks": ("room_has_tasks", 409),
    "NoCodeFree": ("no_code_free", 503),
    "RoomHasEnded": ("room_ended", 409),
    "NotParticipant": ("not_participant", 403),
    "NotHost": ("not_host", 403),
    "HostNameTaken": ("host_name_taken", 409),
    "SeatKeyNeeded": ("seat_key_needed", 403),
    "Muted": ("muted", 403),
    "NotYourTurn": ("not_your_turn", 409),
    "ModeNotSupported": ("mode_not_supported", 400),
    "InvalidModeConfig": ("invalid_mode_config", 400),
    "ExchangeClosed": ("exchange_closed", 409),
    "NothingSaid": ("nothing_said", 400),
    "BadPolicy": ("bad_policy", 400),
    "UnknownReport": ("unknown_report", 404),
    "UnknownArtifact": ("unknown_artifact", 404),
    "UnknownAttachment": ("unknown_attachment", 404),
    "AttachmentEmpty": ("attachment_empty", 400),
    "AttachmentTooLarge": ("attachment_too_large", 413),
    "AttachmentTypeNotAllowed": ("attachment_type_not_allowed", 415),
    "AttachmentTypeMismatch": ("attachment_type_mismatch", 415),
    "AttachmentDangerous": ("attachment_dangerous", 422),
    "AttachmentsFull": ("attachments_full", 413),
    "TaskExists": ("task_exists", 409),
    "BadTaskId": ("bad_task_id", 400),
    "OwnerIsVerifier": ("owner_is_verifier", 409),
    "VerifierCannotClaim": ("verifier_cannot_claim", 403),
    "NotTheOwner": ("not_the_owner", 403),
    "NotTheVerifier": ("not_the_verifier", 403),
    "OwnerCannotVerify": ("owner_cannot_verify", 403),
    "EvidenceIncomplete": ("evidence_incomplete", 400),
    "VerdictNeedsNote": ("verdict_needs_note", 400),
    "TaskStateWrong": ("task_state_wrong", 409),
    "TaskDoneImmutable": ("task_done_immutable", 409),
    "TaskNeedsProof": ("task_needs_proof", 409),
    "TaskHasEvidence": ("task_has_evidence", 409),
    "NobodyNamed": ("nobody_named", 400),
    "ReasonMissing": ("reason_missing", 400),
    "BadCommit": ("bad_commit", 400),
    "BadLink": ("bad_link", 400),
    "TaskLeaseOver": ("task_lease_over", 409),
    "TokenStale": ("token_stale", 409),
    "TokenNeeded": ("token_needed", 400),
    "NotTheTaskHolder": ("not_the_task_holder", 403),
    "NoTaskLease": ("no_task_lease", 409),
    "HandoffToSelf": ("handoff_to_self", 400),
    "HandoffMissing": ("handoff_missing", 400),
    "ProjectKeyWrong": ("project_key_wrong", 403),
    "BadFact": ("bad_fact", 400),
    "BadNumber": ("bad_number", 400),
    "UnknownFact": ("unknown_fact", 404),
    "UnknownPlaybook": ("unknown_playbook", 404),
    "BadPlaybook": ("bad_playbook", 400),
    "PlaybookReserved": ("playbook_reserved", 409),
    "PlaybooksFull": ("playbooks_full", 409),
    "NothingToKeep": ("nothing_to_keep", 409),
}
"""What has been published. A code and its status never change; a new refusal adds a line."""

NOT_YET_SAID = {"WrongMember"}
"""A bound name simply replaces the given one (protocol §7.5)."""

OTHERWISE = {"RoomHasEnded": "RoomEnded"}
"""Whose code is not its own name, because an event has that."""

SERVERS = {"NoSemanticSearch": 501, "NoCodeFree": 503}
"""What is no mistake of the caller's."""

ALL = {kind.__name__: kind for kind in Refusal.__subclasses__()}


def placeholders(kind: type[Refusal]) -> set[str]:
    """The facts that a refusal's sentence and hint ask for."""
    text = f"{kind.__doc__} {kind.hint}"
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def raised() -> list[tuple[str, str, set[str]]]:
    """Every place in the source that makes a no: where, which refusal, and the facts it is given."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            bare = isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name)
            name = node.exc if bare else node.func if isinstance(node, ast.Call) else None
            if isinstance(name, ast.Name) and name.id in ALL:
                facts = set() if bare else {keyword.arg for keyword in node.keywords}
                found.append((f"{path.relative_to(SOURCE)}:{node.lineno}", name.id, facts))
    return found


def test_codes_and_statuses_never_change():
    """Programs match on them."""
    assert {name: (kind.code, kind.status) for name, kind in ALL.items()} == CODES


def test_a_code_means_one_thing():
    """No two refusals share one, and each is the refusal's own name in small letters."""
    assert len({kind.code for kind in ALL.values()}) == len(ALL)
    assert all(kind.code.replace("_", "") == OTHERWISE.get(name, name).lower() for name, kind in ALL.items())


@pytest.mark.parametrize(("name", "kind"), ALL.items(), ids=ALL)
def test_a_refusal_has_words_a_next_step_and_a_place(name, kind):
    """A sentence of its own, a hint that is one, a status that is an error of the caller, and one home."""
    assert inspect.cleandoc(kind.__doc__ or "")
    assert "\n" not in inspect.cleandoc(kind.__doc__), "the docstring is the sentence itself"
    assert kind.hint.endswith(".")
    assert 400 <= kind.status < 500 or kind.status == SERVERS.get(name)
    assert kind.__module__.startswith(f"{refusals.__name__}.")


@pytest.mark.parametrize(("where", "name", "facts"), raised())
def test_a_refusal_is_given_the_facts_its_words_ask_for(where, name, facts):
    """Wherever in the source one is raised: otherwise saying no would itself be an error."""
    assert placeholders(ALL[name]) <= facts


def test_every_refusal_is_said_somewhere():
    """What nobody says would be documentation of nothing."""
    assert {name for _, name, _ in raised()} == set(ALL) - NOT_YET_SAID


@pytest.mark.parametrize("kind", ALL.values(), ids=ALL)
def test_a_refusal_speaks(kind):
    """With all its facts filled in, on one line each."""
    facts = {name: f"<{name}>" for name in placeholders(kind)}
    refusal = kind(**facts)
    said = f"{refusal} {refusal.next_step()}"
    assert all(fact in said for fact in facts.values())
    assert not set("{}\n") & set(said)


def test_peers_text_is_not_taken_for_a_format():
    """A title, name or key with braces in it is data."""
    assert str(refusals.UnknownTask(task="{holder}")) == "There is no task {holder} in this room."
    assert refusals.TaskHeld(task="T-01", holder="{0}", held_s=1, lease="").next_step().count("{0}") == 2
