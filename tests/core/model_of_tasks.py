"""Tasks as naively as possible: how one stands, and when something may be done to it. The ground of the other parts of
`model_of_board`."""

from dataclasses import dataclass, field

from tests.core.model_of_talk import No

OVER = ("done", "cancelled")
QUIETLY = " quietly"
"""Marks a fact that the room is not told of although others of its kind are told."""
GRACE, STALL, LEFT = 30_000, 600_000, 60_000


@dataclass
class Lease:
    token: int
    seconds: int
    renewed: int
    status: str = "active"


@dataclass
class Task:
    opened: int
    state: str = "open"
    owner: str = ""
    description: str = ""
    waits_for: list[str] = field(default_factory=list)
    priority: int | None = None
    verifier: str = ""
    dod: str = ""
    submissions: list[tuple] = field(default_factory=list)
    """Who submitted what, about which commit, and when."""
    proven: bool = False
    reason: str | None = None
    """Why it is blocked."""
    since: int = 0
    """Since when it is held by whom it is held by."""
    lease: Lease | None = None
    asked_by: str = ""
    """Who has asked its holder for it."""
    commit: str = ""
    due: int | None = None
    """When its verdict is overdue."""
    asked: bool = False
    """Its holder was asked about its silence."""
    turn: int = 0
    """Grows each time its state, owner or verifier changes."""

    def gated(self) -> bool:
        return bool(self.verifier or self.dod or self.submissions)

    def leased(self) -> bool:
        return self.state == "held" and self.lease is not None and self.lease.status == "active"


class Tasks:
    """`by`, `now` and `policy` are those of the present wish."""

    def __init__(self) -> None:
        super().__init__()
        self.tasks: dict[str, Task] = {}
        self.ids: set[str] = set()
        """Every id a task has ever had."""
        self.reviews: dict[str, dict] = {}
        self.tokens, self.turns = 0, 0
        self.signs: dict[str, int] = {}
        """When each name has last done something."""

    def _timed(self, state):
        tasks = [(task.turn, id) for id, task in self.tasks.items() if task.state == state]
        return [(id, self.tasks[id]) for _, id in sorted(tasks)]

    def _stands(self, task, **now):
        """It comes to another state, owner or verifier, and what belongs to how it stood is gone."""
        was = (task.state, task.owner, task.verifier)
        for name, value in now.items():
            setattr(task, name, value)
        if was == (task.state, task.owner, task.verifier):
            return
        self.turns += 1
        task.turn = self.turns
        if was[:2] != (task.state, task.owner):
            task.asked, task.asked_by = False, ""
            if task.lease and task.lease.status == "active":
                task.lease.status = "released"

    def _under(self, task, seconds):
        """Its lease from now on."""
        if seconds and not 1 <= seconds <= 86_400:
            raise No("BadDuration")
        task.lease = None
        if seconds:
            self.tokens += 1
            task.lease = Lease(self.tokens, seconds, self.now)

    def _due(self):
        return self.now + self.policy.review_seconds * 1000 if self.policy.review_seconds else None

    def _task(self, id):
        if id not in self.tasks:
            raise No("UnknownTask")
        return self.tasks[id]

    def _in(self, id, *states):
        """The task, if somebody asks and it is in one of these states."""
        task = self._task(id)
        if not self.by:
            raise No("BadName")
        if task.state not in states:
            raise No("TaskDoneImmutable" if task.state == "done" else "TaskStateWrong")
        return task

    def _holds(self, id):
        task = self._in(id, "held")
        if task.owner != self.by:
            raise No("NotTheTaskHolder")
        return task

    def _must_show(self, task, token):
        """The token of the lease it is under."""
        if token is not None and (task.lease is None or task.lease.token != token):
            raise No("TokenStale")
        if task.lease and task.lease.status == "expired":
            raise No("TaskLeaseOver")
        if task.lease and task.lease.status == "active" and token is None:
            raise No("TokenNeeded")
