"""Refusals about leases."""

from stateroom.core.refusals.base import Refusal


class LeaseHeld(Refusal):
    """{resource} is held by {holder} for another {remaining_ms} ms."""

    code = "lease_held"
    hint = "Ask again when it expires, or ask {holder} to release it."


class NotTheHolder(Refusal):
    """{resource} is not held by {name}."""

    code = "not_the_holder"
    hint = "List the leases to see who holds what."
