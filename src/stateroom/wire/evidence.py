"""What has to be said loudly about a submission, in one sentence for every face (gap 65, trap 72)."""

from stateroom.core.evidence import doubts, objections
from stateroom.core.tasks import Task


def warning_of(task: Task) -> str | None:
    """What speaks against the newest submission of a task that has no verdict yet; None if nothing does."""
    newest = task.evidence[-1] if task.evidence else None
    if newest is None or task.over:
        return None
    against, odd = objections(newest, task.commit), doubts(newest)
    if not against and not odd:
        return None
    note = " Accepting it needs a note that says why." if against else " Look before you accept it."
    return f"WARNING: {'; '.join((*against, *odd))}.{note}"
