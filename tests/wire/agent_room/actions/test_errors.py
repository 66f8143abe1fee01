"""The table of errors: complete, and what clients rely on (agent-room §3.2)."""

import inspect

import pytest

from stateroom.core import refusals
from stateroom.core.refusals import Refusal
from stateroom.faces.rest.agent_room.errors import NAMES, of_refusal

EVERY = [
    kind
    for _, kind in inspect.getmembers(refusals, inspect.isclass)
    if issubclass(kind, Refusal) and kind is not Refusal
]
S3_STATUSES = {
    "RoomNotFoundError": 404,
    "HostNameTakenError": 409,
    "MutedError": 403,
    "NotParticipantError": 403,
    "NotYourTurnError": 409,
    "NotHostError": 403,
    "InvalidModeConfigError": 400,
    "ModeNotSupportedError": 400,
    "TaskNotFoundError": 404,
    "TaskExistsError": 409,
    "TaskStateError": 409,
    "TaskDoneImmutableError": 409,
    "EvidenceIncompleteError": 400,
    "NotVerifierError": 403,
    "OwnerCannotVerifyError": 403,
    "VerifierCannotClaimError": 403,
    "MemberAuthError": 403,
    "RoomEndedError": 409,
    "ExchangeClosedError": 409,
}


class Anything(dict):
    """Facts for whatever a sentence speaks of."""

    def __missing__(self, key: str) -> str:
        return key


@pytest.mark.parametrize("kind", EVERY, ids=[kind.__name__ for kind in EVERY])
def test_every_refusal_has_a_name_here(kind: type[Refusal]) -> None:
    """A name that says error, a status of the client's kind, its own code, a sentence and a next step."""
    refusal = kind()
    refusal.facts = Anything()
    told = of_refusal(refusal)
    assert told.failure.error.endswith("Error")
    assert told.failure.error != "RoomError" or kind.status in (415, 422, 501)
    assert 400 <= told.status < 500 or kind.status >= 500
    assert (told.failure.code, bool(told.failure.message), bool(told.failure.hint)) == (kind.code, True, True)


def test_the_names_clients_know_have_the_statuses_they_know() -> None:
    """S3's statuses, each name with one."""
    by_name = dict(NAMES.values())
    assert {name: by_name[name] for name in S3_STATUSES} == S3_STATUSES
    assert len(set(NAMES.values())) == len(by_name)


def test_the_table_names_no_refusal_that_is_not_there() -> None:
    """A code that was taken away leaves no row behind."""
    assert NAMES.keys() <= {kind.code for kind in EVERY}
