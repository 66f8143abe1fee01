"""A room's policy as every face shows it."""

from typing import Any

from stateroom.core.policy import Policy


def policy_shape(policy: Policy) -> dict[str, Any]:
    """`identity`, `exchangeLimit` (messages), `proof`, `reviewSeconds`, `recovery`."""
    return {
        "identity": policy.identity,
        "exchangeLimit": policy.exchange_limit,
        "proof": policy.proof,
        "reviewSeconds": policy.review_seconds,
        "recovery": policy.recovery,
    }
