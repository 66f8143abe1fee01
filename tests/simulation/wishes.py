"""What agents wish for in a simulated world."""

from random import Random

from stateroom.core.context import ReviseContext, WriteContext
from stateroom.core.here import Command
from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.messages import MarkRead, PostMessage, WithdrawMessage
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.tasks import LinkTask, MoveTask, OpenTask, RemoveTask
from stateroom.core.variables import SetVariable

HELLO = PostMessage("hello", "all", {})


def drawn(random: Random, name: str, number: int, summary: str, version: str) -> Command:
    """One wish. `number` makes it unlike any other; the note is counted up from what the agent has read of it."""
    task, other = (f"T-{random.randint(1, 5):02d}" for _ in range(2))
    position = random.randint(1, 40)
    counted = WriteContext("note", "0", {"text": "t"}, ("all",)) if random.random() < 0.2 else None
    return random.choice(
        [
            OpenTask(f"task {number}"),
            MoveTask(task, "held", owner=name),
            MoveTask(task, "held", owner=name, takeover=random.random() < 0.2),
            MoveTask(task, random.choice(["done", "blocked"])),
            MoveTask(task, "open", owner=""),
            LinkTask(task, other),
            RemoveTask(task),
            TakeLease("main.py", random.choice([1, 3, 9])),
            TakeLease("main.py", random.choice([1, 3, 9])),
            ReleaseLease("main.py"),
            PostMessage("hi", "all", {"n": number}),
            MarkRead(position),
            WithdrawMessage(position),
            counted or ReviseContext("C-01", summary=str(int(summary) + 1), expected_version=version),
            ReviseContext("C-01", summary=str(int(summary) + 1), expected_version=version),
            SetVariable("v", str(number)),
            RequestReview("task", task, "agent-0"),
            ResolveReview(f"R-{random.randint(1, 3):02d}", "approved"),
        ]
    )
