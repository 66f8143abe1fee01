"""The task board in an answer: slim, what is still to do first, and the calls that have the rest."""

from typing import Any

from stateroom.core.gates import next_step
from stateroom.core.members import same
from stateroom.core.room import Room
from stateroom.core.tasks import Task
from stateroom.faces.mcp.agent_room.visits import Visit
from stateroom.faces.mcp.desk import fit, size
from stateroom.wire.agent_room.lines import TASK_STATES
from stateroom.wire.agent_room.tasks import board_shape, task_shape

Shape = dict[str, Any]
SLIM = ("id", "title", "state", "owner", "verifier", "priority", "dependsOn", "warning")
TITLE_CHARS = 120
LONG = ("description", "dod")
LONG_IN_EVIDENCE = ("fileListing", "fileExcerpt", "runOutput", "checks", "note")
SHORT_CHARS = 500
HISTORY_KEPT = 5
OVER = ("done", "cancelled")


def board(room: Room, there: Visit, room_bytes: int | None, offset: int = 0) -> Shape:
    """The TaskBoard; for a model as many slim tasks as fit, from `offset` on. Ours: `more`, how many follow."""
    whole = board_shape(room, there.card.code)
    if room_bytes is None:
        return whole
    open_first = sorted(whole["tasks"], key=lambda task: task["state"] in OVER)[offset:]
    tasks = fit(map(slim, open_first), room_bytes - 200)
    more = len(open_first) - len(tasks)
    return {**whole, "tasks": tasks, **({"more": more} if more else {})}


def slim(task: Shape) -> Shape:
    """A task as a list shows it. Ours: `needsProof`, for a definition of done that is not shown."""
    shape = {name: task[name] for name in SLIM if name in task}
    shape["title"] = shape["title"][:TITLE_CHARS]
    return {**shape, **({"needsProof": True} if "dod" in task else {})}


def one(task: Task, room: Room, room_bytes: int | None) -> tuple[Shape, bool]:
    """A Task, and whether long texts in it were cut to fit."""
    shape = task_shape(task, room)
    if room_bytes is None or size(shape) <= room_bytes:
        return shape, False
    shape |= {name: shape[name][:SHORT_CHARS] for name in LONG if name in shape}
    shape["title"] = shape["title"][:TITLE_CHARS]
    if "evidence" in shape:
        shown = shape["evidence"]
        shape["evidence"] = shown | {name: shown[name][:SHORT_CHARS] for name in LONG_IN_EVIDENCE if name in shown}
    for part, text in (("verdict", "note"), ("cancellation", "reason"), ("blocked", "reason")):
        if text in shape.get(part, {}):
            shape[part] = {**shape[part], text: shape[part][text][:SHORT_CHARS]}
    if "roleHistory" in shape:
        shape["roleHistory"] = shape["roleHistory"][-HISTORY_KEPT:]
    return shape, True


def digest(room: Room) -> str:
    """The board in figures."""
    states = [TASK_STATES[task.state] for task in room.board.tasks.values()]
    if not states:
        return 'The board is empty: room_task(action: "create", title) adds to it.'
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    return f"{len(states)} tasks: {counts}."


def hint(task: Task) -> str:
    """What can be done with a task now."""
    return f"{next_step(task)}."


def inbox(room: Room, name: str) -> Shape:
    """`yourTasks` (agent-room §6.10): ids of what waits for this member, so that who comes back sees it (gap 68)."""
    tasks = list(room.board.tasks.values())
    mine = [task for task in tasks if task.owner and same(task.owner, name)]
    found = {
        "toVerify": [t.id for t in tasks if t.state == "submitted" and t.verifier and same(t.verifier, name)],
        "current": [task.id for task in mine if task.state in ("held", "rejected", "blocked")],
        "queued": [task.id for task in mine if task.state == "open"],
    }
    waiting = {name: ids[:20] for name, ids in found.items() if ids}
    return {"yourTasks": waiting} if waiting else {}
