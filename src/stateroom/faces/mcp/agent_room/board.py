"""The task board in an answer: slim, what is still to do first, and the calls that have the rest."""

from typing import Any

from stateroom.core.gates import next_step
from stateroom.core.room import Room
from stateroom.core.tasks import Task
from stateroom.faces.mcp.agent_room.visits import Visit
from stateroom.faces.mcp.desk import fit, size
from stateroom.wire.agent_room.board_lines import TASK_STATES
from stateroom.wire.agent_room.inbox import finish
from stateroom.wire.agent_room.tasks import board_shape, submission_history, task_shape

Shape = dict[str, Any]
SLIM = ("id", "title", "state", "owner", "verifier", "priority", "dependsOn", "warning")
TITLE_CHARS = 120
DEPENDENCY_BYTES = 600
LONG = ("description", "dod", "title", "fileListing", "fileExcerpt", "runOutput", "checks", "note", "reason", "warning")
"""Fields of a task, and of what it holds, that may be cut to fit."""
SHORTER = ((500, 5), (150, 1))
"""Characters of each of those, and changes of hands, that are shown when the whole does not fit; tried in turn."""
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
    if "dependsOn" in shape:
        shape["dependsOn"] = fit(shape["dependsOn"], DEPENDENCY_BYTES)
    return {**shape, **({"needsProof": True} if "dod" in task else {})}


def one(task: Task, room: Room, room_bytes: int | None) -> tuple[Shape, bool]:
    """A Task, and whether anything in it was cut to fit; slim where even that is too much."""
    shape = task_shape(task, room)
    if room_bytes is None or size(shape) <= room_bytes:
        return shape, False
    for chars, changes in SHORTER:
        short = _shorter(shape, chars)
        if "roleHistory" in short:
            short["roleHistory"] = short["roleHistory"][-changes:]
        if size(short) <= room_bytes:
            return short, True
    return slim(shape), True


def _shorter(shape: Shape, chars: int) -> Shape:
    """With long texts cut, and with as many links and dependencies as fit."""
    cut = {name: text[:chars] if name in LONG else text for name, text in shape.items()}
    cut |= {name: _shorter(part, chars) for name, part in shape.items() if isinstance(part, dict)}
    return cut | {name: fit(shape[name], 2 * chars) for name in ("links", "dependsOn") if name in shape}


def digest(room: Room) -> str:
    """The board in figures."""
    states = [TASK_STATES[task.state] for task in room.board.tasks.values()]
    if not states:
        return 'The board is empty: room_task(action: "create", title) adds to it.'
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    return f"{len(states)} tasks: {counts}."


def hint(task: Task, room: Room, name: str) -> str:
    """What can be done with a task now; with its token, by whoever holds it under a lease."""
    mine = task.leased and task.held_by(name)
    return f"When it is done: {finish(task, room)}." if mine else f"{next_step(task)}."


def history(task: Task) -> Shape:
    """What was submitted before; empty if nothing was."""
    earlier = submission_history(task)
    return {"submissionHistory": earlier} if earlier else {}
