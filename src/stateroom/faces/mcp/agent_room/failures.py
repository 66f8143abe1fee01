"""A "no" as an answer of the tool: the documented object, marked as an error (agent-room §9.3, mcp-and-clients §3).

Every failure is marked `isError`: what the model can mend comes with the fact and the next call. Fields of the tool
(`sent`, `ok`, …) stand beside `error`, `message` and `hint`; `refusal` is our own code, which never changes.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from stateroom.core.refusals import Refusal
from stateroom.faces.mcp.agent_room.texts import ERRORS, SENTENCES
from stateroom.faces.mcp.desk import Desk
from stateroom.faces.mcp.results import Failed

Shape = dict[str, Any]
Run = Callable[[Desk, Any], Awaitable[Any]]
SAID_CHARS = 600
"""What a refusal repeats of what it was given, it does not repeat at length."""


def name_of(refusal: Refusal) -> str:
    """What a refusal is called here."""
    return ERRORS.get(refusal.code, refusal.code)


def failed(refusal: Refusal, **flags: Any) -> Failed:
    """A refusal as an answer; `flags` are the tool's own fields, and may rename the error."""
    name = flags.get("error", name_of(refusal))
    sentence, hint = SENTENCES.get(name, ("", ""))
    told = (sentence or str(refusal))[:SAID_CHARS], (hint or refusal.next_step())[:SAID_CHARS]
    return Failed({"error": name, "message": told[0], "hint": told[1], "refusal": refusal.code, **flags})


def bad_request(message: str, hint: str, **flags: Any) -> Failed:
    """Arguments that fit the schema and still make no sense."""
    return Failed({"error": "bad_request", "message": message, "hint": hint, **flags})


def answering(**flags: Any) -> Callable[[Run], Run]:
    """Around a tool: its refusals become answers with these fields of its own."""

    def around(run: Run) -> Run:
        @wraps(run)
        async def answered(desk: Desk, args: Any) -> Any:
            try:
                return await run(desk, args)
            except Refusal as refusal:
                return failed(refusal, **flags)

        return answered

    return around
