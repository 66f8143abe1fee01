"""Every cell of the board's table (agent-room §6.1, strict column): each action, in each state, by each kind of member,
through both faces of the conversation and, where it has the move, through the Room Protocol's plan."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.wire.across.house import RUN, Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

STATES = ("todo", "in_progress", "awaiting_review", "rejected", "done", "cancelled", "blocked")
WHO = ("owner", "verifier", "other", "stranger")
NAMES = {"owner": "Ben", "verifier": "Nova", "other": "Ann", "stranger": "Zoe"}
"""The task's owner, its named verifier, another member, and somebody who is not in the room."""

STATE, FIXED, AWAY = "TaskStateError", "TaskDoneImmutableError", "NotParticipantError"
OUT = {"stranger": AWAY}
"""Whoever is not in the room does nothing on its board (L13)."""


def all_of(answer: str, **others: str) -> dict[str, str]:
    return {**dict.fromkeys(WHO, answer), **OUT, **others}


CANNOT = "VerifierCannotClaimError"
CLAIMED = all_of("in_progress", verifier=CANNOT)
SUBMITTED = {"owner": "awaiting_review", "verifier": STATE, "other": STATE, **OUT}
"""`not_the_owner` is a TaskStateError here (agent-room §3.2)."""
UNOWNED = {"owner": "awaiting_review", "verifier": CANNOT, "other": "awaiting_review", **OUT}
RULED = {"owner": "OwnerCannotVerifyError", "other": "NotVerifierError", **OUT}
CELLS: dict[str, dict[str, dict[str, str]]] = {
    "claim": {
        "todo": CLAIMED,
        "in_progress": {"owner": "in_progress", "verifier": CANNOT, "other": STATE, **OUT},
        "awaiting_review": all_of(STATE),
        "rejected": all_of(STATE),
        "done": all_of(FIXED),
        "cancelled": all_of(STATE),
        "blocked": CLAIMED,
    },
    "submit": {
        "todo": UNOWNED,
        "in_progress": SUBMITTED,
        "awaiting_review": SUBMITTED,
        "rejected": SUBMITTED,
        "done": all_of(FIXED),
        "cancelled": all_of(STATE),
        "blocked": UNOWNED,
    },
    "verify done": {
        **dict.fromkeys(("todo", "in_progress", "rejected", "blocked"), all_of(STATE)),
        "awaiting_review": {**RULED, "verifier": "done"},
        "done": all_of(FIXED),
        "cancelled": all_of(FIXED),
    },
    "verify rejected": {
        **dict.fromkeys(("todo", "in_progress", "rejected", "blocked"), all_of(STATE)),
        "awaiting_review": {**RULED, "verifier": "rejected"},
        "done": all_of(FIXED),
        "cancelled": all_of(FIXED),
    },
    "reassign": {
        **{state: all_of(state) for state in ("todo", "in_progress", "awaiting_review", "blocked")},
        "rejected": all_of(STATE),
        "done": all_of(FIXED),
        "cancelled": all_of(STATE),
    },
    "cancel": {
        **dict.fromkeys(("todo", "in_progress", "blocked"), all_of("cancelled")),
        **dict.fromkeys(("awaiting_review", "rejected"), all_of(STATE)),
        "done": all_of(FIXED),
        "cancelled": all_of(STATE),
    },
    "reopen": {
        **dict.fromkeys(("todo", "in_progress", "awaiting_review", "blocked"), all_of(STATE)),
        **dict.fromkeys(("rejected", "cancelled"), all_of("todo")),
        "done": all_of(FIXED),
    },
    "block": {
        **dict.fromkeys(("todo", "in_progress", "blocked"), all_of("blocked")),
        **dict.fromkeys(("awaiting_review", "rejected", "cancelled"), all_of(STATE)),
        "done": all_of(FIXED),
    },
}
"""Action -> state -> who: the state it comes to, or the error's name."""
EXPECTED = [
    pytest.param(action, state, who, answer, id=f"{action}, {state}, {who}")
    for action, by_state in CELLS.items()
    for state, by_who in by_state.items()
    for who, answer in by_who.items()
]

Do = Callable[[Room, str], Awaitable[Any]]


@dataclass(frozen=True)
class Way:
    """One action through both faces."""

    tool: dict[str, Any]
    action: str
    fields: dict[str, Any]
    by: str = "name"
    """Which field of the action says who asks."""


WAYS = {
    "claim": Way({"action": "claim"}, "taskClaim", {}),
    "submit": Way({"action": "submit", **RUN}, "taskSubmit", {"evidence": RUN}),
    "verify done": Way(
        {"action": "verify", "verdict": "done", "note": "n"}, "taskVerify", {"verdict": "done", "note": "n"}
    ),
    "verify rejected": Way({"action": "verify", "verdict": "rejected"}, "taskVerify", {"verdict": "rejected"}),
    "reassign": Way({"action": "reassign", "verifier": "Dee"}, "taskReassign", {"verifier": "Dee"}, "requesterName"),
    "cancel": Way({"action": "cancel"}, "taskCancel", {}, "requesterName"),
    "reopen": Way({"action": "reopen"}, "taskReopen", {}, "requesterName"),
    "block": Way({"action": "block", "reason": "other"}, "taskBlock", {"reason": "other"}, "requesterName"),
}
OTHER_NAMES = {"NotParticipantError": "not_participant"}
"""What the tools call otherwise than `POST /api/room` does."""


async def prepared(room: Room, state: str) -> None:
    """Nova's task for whoever takes it, brought to a state by Ben."""

    async def do(name: str, action: str, **more: Any) -> None:
        await room.tool("room_task", name=name, action=action, id="T-01", **more)

    await room.tool("room_task", name="Nova", action="create", title="Write the client", verifier="Nova")
    if state in ("in_progress", "awaiting_review", "rejected", "done"):
        await do("Ben", "claim")
    if state in ("awaiting_review", "rejected", "done"):
        await do("Ben", "submit", **{**RUN, "fileListing": "first.py"})
    if state in ("rejected", "done"):
        await do("Nova", "verify", verdict=state)
    if state in ("cancelled", "blocked"):
        await do("Ann", "cancel" if state == "cancelled" else "block", reason="no access")


async def stands(room: Room) -> str:
    return str((await room.tool("room_task", action="list", id="T-01"))["task"]["state"])


@pytest.mark.parametrize(("action", "state", "who", "answer"), EXPECTED)
async def test_every_cell_through_the_tool(room: Room, action: str, state: str, who: str, answer: str) -> None:
    """`room_task`: the state it comes to, or the error's name and nothing changed."""
    await prepared(room, state)
    arguments = {"name": NAMES[who], "id": "T-01", **WAYS[action].tool}
    if answer in STATES:
        await room.tool("room_task", **arguments)
        assert await stands(room) == answer
    else:
        no = await room.tool_no("room_task", **arguments)
        assert no.name == OTHER_NAMES.get(answer, answer)
        assert no.hint
        assert await stands(room) == state


@pytest.mark.parametrize(("action", "state", "who", "answer"), EXPECTED)
async def test_every_cell_through_the_action(room: Room, action: str, state: str, who: str, answer: str) -> None:
    """`POST /api/room`: the same."""
    await prepared(room, state)
    way = WAYS[action]
    fields = {"id": "T-01", way.by: NAMES[who], **way.fields}
    if answer in STATES:
        done = await room.action(way.action, **fields)
        assert done["task"]["state"] == answer == await stands(room)
    else:
        no = await room.action_no(way.action, **fields)
        assert no.name == answer
        assert await stands(room) == state


FINISHED = {
    "todo": "task_needs_proof",
    "in_progress": "task_needs_proof",
    "awaiting_review": "task_needs_proof",
    "rejected": "task_needs_proof",
    "cancelled": "task_state_wrong",
    "blocked": "task_needs_proof",
}


@pytest.mark.parametrize(("state", "code"), FINISHED.items())
async def test_no_plan_finishes_what_needs_proof(room: Room, state: str, code: str) -> None:
    """`update_task(done)` is refused from every state, and names the exact next call."""
    await prepared(room, state)
    no = await room.tool_no("update_task", taskId="T-01", status="done", agentId="Ben")
    assert no.name == code
    assert "room_task(" in no.hint
    assert await stands(room) == state


async def test_what_was_proven_stays_done(room: Room) -> None:
    """Saying so again changes nothing; moving it back is refused."""
    await prepared(room, "done")
    again = await room.tool("update_task", taskId="T-01", status="done", agentId="Ben")
    assert again["status"] == "done"
    no = await room.tool_no("update_task", taskId="T-01", status="pending", agentId="Ben")
    assert no.name == "task_done_immutable"


async def test_the_table_is_whole() -> None:
    """Eight actions, seven states, four kinds of members; every task error of agent-room §3.2 that a cell can meet."""
    assert len(EXPECTED) == 8 * 7 * 4
    assert {answer for *_, answer in (param.values for param in EXPECTED)} - set(STATES) == {
        *(STATE, FIXED, AWAY, CANNOT, "OwnerCannotVerifyError", "NotVerifierError")
    }
