"""What agents wish for in a simulated world."""

from dataclasses import dataclass
from random import Random

from stateroom.core.context import ReviseContext, WriteContext
from stateroom.core.handing import GrantHandoff, ReleaseTask, RenewTask, RequestHandoff
from stateroom.core.here import Command
from stateroom.core.holding import ClaimTask
from stateroom.core.leases import ReleaseLease, TakeLease
from stateroom.core.messages import MarkRead, PostMessage, WithdrawMessage
from stateroom.core.picking import NextTask
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.tasks import LinkTask, MoveTask, OpenTask, RemoveTask
from stateroom.core.variables import SetVariable

HELLO = PostMessage("hello", "all", {})


@dataclass(frozen=True)
class Read:
    """What an agent has read of a room, perhaps a while ago: a note and its version, and its own task with a lease."""

    summary: str = "0"
    version: str = "1.0"
    task: str = "T-01"
    token: int = 0


def drawn(random: Random, name: str, number: int, read: Read) -> Command:
    """One wish. `number` makes it unlike any other; the note is counted up from what the agent has read of it."""
    if random.random() < 0.4:
        return on_the_board(random, name, number, read)
    return anything(random, name, number, read.summary, read.version)


def on_the_board(random: Random, name: str, number: int, read: Read) -> Command:
    """Work under leases that are shorter than many a pause; with the token the agent knows."""
    task = random.choice([read.task, f"T-{random.randint(1, 5):02d}"])
    shown = SubmitTask(read.task, f"{number}.py", "…", checks="read it", token=read.token or None)
    return random.choice(
        [
            OpenTask(f"task {number}"),
            NextTask(random.choice([1, 5])),
            NextTask(1),
            ClaimTask(task, random.choice([0, 1, 5])),
            RenewTask(read.task, read.token),
            ReleaseTask(read.task, read.token),
            RequestHandoff(task),
            GrantHandoff(read.task, random.choice(["", "agent-1", "agent-2"]), read.token),
            shown,
            shown,
            MoveTask(read.task, "done", token=read.token or None),
            VerifyTask(task, random.choice(["done", "done", "rejected"])),
        ]
    )


def anything(random: Random, name: str, number: int, summary: str, version: str) -> Command:
    """One wish of the other kinds."""
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
