"""How a room is run: what its host may set, and within which bounds. Every decision is made under it."""

from dataclasses import dataclass
from typing import Literal, get_args

from stateroom.core.refusals import BadPolicy

Identity = Literal["", "asserted", "keyed"]
"""Who vouches for a name. *asserted*: the credential does. *keyed*: the seat's key does. Empty: as the caller came,
keyed for a guest who has only the code, asserted for everybody else (design §7)."""

Proof = Literal["asked", "always"]
"""Which tasks need another member's verdict. *asked*: those with a verifier or a definition of done. *always*: all."""

Recovery = Literal["calls", "off"]
"""What becomes of a tool call that was printed as text. *calls*: it is carried out, host actions excepted."""

EXCHANGE_LIMIT = 12
MAX_EXCHANGE_LIMIT = 10_000
REVIEW_SECONDS = 1_800
SHORTEST_REVIEW, LONGEST_REVIEW = 30, 30 * 86_400


@dataclass(frozen=True, slots=True)
class Policy:
    """How a room is run. Set by its host."""

    identity: Identity = ""
    exchange_limit: int = EXCHANGE_LIMIT
    """After so many messages of agents in a row, without any change of state, the exchange closes; 0 never."""
    proof: Proof = "asked"
    review_seconds: int = REVIEW_SECONDS
    """How long a verdict may take before another member is asked for it; 0 for ever (agent-room gap 67)."""
    recovery: Recovery = "calls"


USUAL = Policy()


def check_policy(policy: Policy) -> None:
    """Raises BadPolicy."""
    if policy.identity not in get_args(Identity):
        raise BadPolicy(reason="identity is neither asserted nor keyed, nor empty for the default")
    if not 0 <= policy.exchange_limit <= MAX_EXCHANGE_LIMIT:
        raise BadPolicy(reason=f"exchange_limit is {policy.exchange_limit}; use 0 to {MAX_EXCHANGE_LIMIT}")
    if policy.proof not in get_args(Proof):
        raise BadPolicy(reason="proof is neither asked nor always")
    if policy.review_seconds and not SHORTEST_REVIEW <= policy.review_seconds <= LONGEST_REVIEW:
        reason = f"review_seconds is {policy.review_seconds}; use {SHORTEST_REVIEW} to {LONGEST_REVIEW}, or 0 for ever"
        raise BadPolicy(reason=reason)
    if policy.recovery not in get_args(Recovery):
        raise BadPolicy(reason="recovery is neither calls nor off")
