"""What waits for a member, as `yourTasks` (agent-room §6.10): the verdicts it owes first, and the exact next call.

Hints name tasks and calls only; titles, which members wrote, stand in fields (design §7).
"""

from typing import Any

from stateroom.core.gates import needs_proof
from stateroom.core.here import Here
from stateroom.core.payloads import one_line
from stateroom.core.reviews import Review
from stateroom.core.room import Room
from stateroom.core.tasks import Task
from stateroom.core.views.duties import Duties, duties
from stateroom.wire.agent_room.board_lines import TASK_STATES

Shape = dict[str, Any]
SHOWN = 5
TITLE_CHARS, TITLE_BYTES = 80, 160
PROOF = "fileListing, fileExcerpt, and runOutput with exitCode, or checks"


def inbox(room: Room, name: str, shown: int = SHOWN) -> Shape:
    """`{yourTasks: {toVerify, toReview, toDo, current, queued, hint}}`, each only if there is something, and cut after
    `shown`; `more` counts what is left out. Empty if nothing waits."""
    owed = duties(room, name)
    if not owed:
        return {}
    parts = {
        "toVerify": [_task(task) for task in owed.to_verify],
        "toReview": [_review(review) for review in owed.to_review],
        "toDo": [_task(task) for task in (*owed.current, *owed.queued)],
        "current": [_task(task) for task in owed.current],
        "queued": [_task(task) for task in owed.queued],
    }
    kept = {part: items[:shown] for part, items in parts.items() if items}
    more = sum(len(parts[part]) - len(kept.get(part, ())) for part in ("toVerify", "toReview", "toDo"))
    return {"yourTasks": {**kept, **({"more": more} if more else {}), "hint": _hint(owed)}}


def verdicts(room: Room, name: str) -> Shape:
    """The same with nothing but the verdicts a member owes; empty if it owes none."""
    owed = duties(room, name)
    shown = [_task(task) for task in owed.to_verify[:SHOWN]]
    return {"yourTasks": {"toVerify": shown, "hint": _hint(owed)}} if shown else {}


def verdict_ids(room: Room, name: str) -> Shape:
    """Their ids alone, for an answer that says as little as it can; empty if there are none."""
    found = duties(room, name).to_verify[:SHOWN]
    return {"yourTasks": {"toVerify": [{"id": task.id} for task in found]}} if found else {}


def finish(task: Task, room: Room) -> str:
    """The exact call by which whoever holds a task brings it to its end: a submission, where only another's verdict
    makes it done."""
    here = Here(room.lifecycle.host, room.last_at, policy=room.lifecycle.policy)
    if needs_proof(task, here):
        return _submit(task)
    return f'update_task(taskId: "{task.id}", status: "done"{_token(task)})'


def _task(task: Task) -> Shape:
    return {"id": task.id, "title": _short(task.title), "state": TASK_STATES[task.state]}


def _short(title: str) -> str:
    """On one line, of at most so many characters and bytes."""
    return one_line(title, TITLE_CHARS).encode()[:TITLE_BYTES].decode(errors="ignore")


def _review(review: Review) -> Shape:
    return {"id": review.id, "targetType": review.target_type, "targetId": review.target}


def _hint(owed: Duties) -> str:
    """The one next call."""
    if owed.to_verify:
        task, count = owed.to_verify[0], len(owed.to_verify)
        waits = "1 verdict waits" if count == 1 else f"{count} verdicts wait"
        return f'BOARD: {waits} for you: room_task(action: "verify", id: "{task.id}", verdict, note)'
    if owed.to_review:
        return f'BOARD: a review waits for you: approve or reject(reviewId: "{owed.to_review[0].id}", note)'
    if owed.current:
        return f"BOARD: {_go_on(owed.current[0])}"
    return f"BOARD: planned for you: {_claim(owed.queued[0])}"


def _go_on(task: Task) -> str:
    if task.state == "blocked":
        return f"{task.id} of yours is blocked; when nothing is in the way any more: {_claim(task)}"
    stands = "was rejected" if task.state == "rejected" else "is in progress"
    return f"{task.id} of yours {stands}: {_submit(task)}"


def _claim(task: Task) -> str:
    return f'room_task(action: "claim", id: "{task.id}")'


def _submit(task: Task) -> str:
    return f'room_task(action: "submit", id: "{task.id}"{_token(task)}, {PROOF})'


def _token(task: Task) -> str:
    return f", token: {task.lease.token}" if task.lease is not None and task.leased else ""
