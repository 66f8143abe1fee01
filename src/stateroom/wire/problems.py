"""One shape for everything that goes wrong over HTTP: `{"error": {"code", "message", "hint"}}`."""

from dataclasses import dataclass

from stateroom.core.refusals import Refusal
from stateroom.log.seam import Unavailable

MESSAGE_CHARS = 2_000
RETRY_AFTER_S = 1


@dataclass(frozen=True, slots=True)
class Fault:
    code: str
    """Stable; for programs."""
    message: str
    """What is wrong, in a sentence; for people."""
    hint: str = ""
    """What to do next."""


@dataclass(frozen=True, slots=True)
class Problem:
    error: Fault


class HttpProblem(Exception):
    """A problem on its way out: a status and what the body says."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.problem = Problem(Fault(code, message[:MESSAGE_CHARS], hint))

    @property
    def headers(self) -> dict[str, str]:
        return {"retry-after": str(RETRY_AFTER_S)} if self.status == 503 else {}


def of_refusal(refusal: Refusal) -> HttpProblem:
    """A rule said no."""
    return HttpProblem(refusal.status, refusal.code, str(refusal), refusal.next_step())


def of_store(failure: Unavailable) -> HttpProblem:
    """The store did not answer: 503, never a word about keys (W-52)."""
    hint = "Repeat the request, with the same request_id if you gave one: then it has its effect once."
    return HttpProblem(503, "store_unavailable", str(failure), hint)
