"""One shape for everything that goes wrong over HTTP: `{"error": {"code", "message", "hint", "facts"}}`.

Everything in it is bounded, because what a caller sent may come back inside it (L39).
"""

from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from stateroom.core.refusals import Refusal
from stateroom.log.seam import Unavailable

MESSAGE_CHARS = 2_000
FACT_CHARS = 200
RETRY_AFTER_S = 1


@dataclass(frozen=True, slots=True)
class Fault:
    code: str
    """Stable; for programs."""
    message: str
    """What is wrong, in a sentence; for people."""
    hint: str = ""
    """What to do next."""
    facts: dict[str, Any] | UnsetType = UNSET
    """What the sentence speaks of, by name: for a held task its `holder`, for a bad cursor the `last` position."""


@dataclass(frozen=True, slots=True)
class Problem:
    error: Fault


class HttpProblem(Exception):
    """A problem on its way out: a status and what the body says."""

    def __init__(
        self, status: int, code: str, message: str, hint: str = "", facts: dict[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        bounded = {name: _bounded(value) for name, value in (facts or {}).items()}
        self.problem = Problem(Fault(code, message[:MESSAGE_CHARS], hint[:MESSAGE_CHARS], bounded or UNSET))

    @property
    def headers(self) -> dict[str, str]:
        return {"retry-after": str(RETRY_AFTER_S)} if self.status == 503 else {}

    def encoded(self) -> bytes:
        """The body of the answer."""
        return msgspec.json.encode(self.problem)


def _bounded(value: object) -> object:
    """Small numbers, truth values and nothing as they are; everything else as text of at most 200 characters."""
    if value is None or isinstance(value, (bool, float)) or (isinstance(value, int) and abs(value) < 2**53):
        return value
    return str(value)[:FACT_CHARS]


def of_refusal(refusal: Refusal) -> HttpProblem:
    """A rule said no."""
    return HttpProblem(refusal.status, refusal.code, str(refusal), refusal.next_step(), refusal.facts)


def of_store(failure: Unavailable) -> HttpProblem:
    """The store did not answer: 503, never a word about keys (W-52)."""
    hint = "Repeat the request, with the same request_id if you gave one: then it has its effect once."
    return HttpProblem(503, "store_unavailable", str(failure), hint)
