"""The room once more, as naively as possible: plain dicts, no events, no folds. What it says is what should happen.

Written from the design and the protocol, not from the code, so that the two can disagree. Names are ASCII here, so
the one compare of names is `key`.
"""

import json
import re
from dataclasses import dataclass, field

from stateroom.core.here import Command
from stateroom.core.templates import TEMPLATES

SIGNED = {"Leave", "MarkRead", "TakeLease", "ReleaseLease", "RequestReview", "ResolveReview"}
ARRIVES_BY_ITSELF = {"Join", "Leave", "OpenRoom"}
UNTOLD = {"RoomOpened", "MemberJoined", "MessageRead", "LeaseTaken", "LeaseRenewed", "LeaseReleased", "LeaseLapsed"}
MOVES = {"open": "TaskReturned", "held": "TaskClaimed", "blocked": "TaskBlocked", "done": "TaskFinished"}
QUIETLY = " quietly"
"""Marks a fact that the room is not told of although others of its kind are told."""
WINDOW = 5
"""How many requests are remembered, for this test."""


class No(Exception):
    """The rules should refuse; the first argument is the refusal's name."""


def key(name: str | None) -> str:
    return (name or "").strip().lower()


def snake(name: str) -> str:
    """`OpenTask` -> `open_task`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@dataclass
class Task:
    state: str = "open"
    owner: str = ""
    description: str = ""
    waits_for: list[str] = field(default_factory=list)
    priority: int | None = None


class Model:
    def __init__(self) -> None:
        self.position = 0
        self.opened = False
        self.members: dict[str, str] = {}
        self.told: dict[int, bool] = {}
        """Position -> whether the room was told of it; a withdrawn one is gone."""
        self.read: dict[int, set[str]] = {}
        self.tasks: dict[str, Task] = {}
        self.documents: dict[str, dict] = {}
        self.leases: dict[str, tuple[str, int, int]] = {}
        """Resource -> holder, until, token."""
        self.variables: dict[str, str] = {}
        self.reviews: dict[str, dict] = {}
        self.used = {"T": 0, "C": 0, "R": 0}
        self.requests: list[tuple[str, int, int]] = []

    def ask(self, by: str, wish: Command, now: int, request: str = "") -> list[str]:
        """The kinds of facts that should follow. Raises No."""
        name = type(wish).__name__
        if name in SIGNED and not key(by):
            raise No("BadName")
        self.by, self.now = key(by), now
        known = self.by in self.members or not self.by
        self.before = self.position + (not known and name not in ARRIVES_BY_ITSELF)
        facts = getattr(self, snake(name))(wish)
        if facts and not known and name not in ARRIVES_BY_ITSELF:
            facts = ["MemberJoined", *facts]
            self.members[self.by] = by.strip()
        self._write(facts, request)
        return [fact.removesuffix(QUIETLY) for fact in facts]

    def _write(self, facts: list[str], request: str) -> None:
        first = self.position + 1
        for fact in facts:
            self.position += 1
            self.told[self.position] = fact not in UNTOLD and not fact.endswith(QUIETLY)
        if request and facts:
            self.requests = [*self.requests, (request, first, self.position)][-WINDOW:]

    def _new(self, kind: str) -> str:
        self.used[kind] += 1
        return f"{kind}-{self.used[kind]:02d}"

    # -- the room and who is in it

    def open_room(self, wish):
        first, self.opened = not self.opened, True
        return ["RoomOpened"] if first else []

    def join(self, wish):
        known = self.by in self.members or not self.by
        if not known:
            self.members[self.by] = self.by
        return [] if known else ["MemberJoined"]

    def leave(self, wish):
        self.members.pop(self.by, None)
        return ["MemberLeft"]

    # -- what is said

    def post_message(self, wish):
        return ["MessagePosted"]

    def mark_read(self, wish):
        self._must_be_told(wish.position)
        readers = self.read.setdefault(wish.position, set())
        if self.by in readers:
            return []
        readers.add(self.by)
        return ["MessageRead"]

    def withdraw_message(self, wish):
        self._must_be_told(wish.position)
        del self.told[wish.position]
        self.read.pop(wish.position, None)
        return ["MessageWithdrawn"]

    def _must_be_told(self, position):
        if not self.told.get(position):
            raise No("UnknownEvent")

    # -- the plan

    def open_task(self, wish):
        id = f"T-{self.used['T'] + 1:02d}"
        self._must_not_wait(id, wish.depends_on)
        waits_for = list(dict.fromkeys(wish.depends_on))
        self.tasks[self._new("T")] = Task(description=wish.description, waits_for=waits_for, priority=wish.priority)
        return ["TaskOpened"]

    def _must_not_wait(self, id, others):
        if id in others:
            raise No("SelfDependency")
        if any(id in self.waits(other) for other in others):
            raise No("DependencyCycle")

    def waits(self, id):
        """Everything a task waits for, directly or not."""
        found, ahead = set(), [id]
        while ahead:
            task = self.tasks.get(ahead.pop(), Task())
            ahead += [other for other in task.waits_for if other not in found]
            found |= set(task.waits_for)
        return found

    def _task(self, id):
        if id not in self.tasks:
            raise No("UnknownTask")
        return self.tasks[id]

    def move_task(self, wish):
        task = self._task(wish.task)
        if wish.expected_state not in (None, task.state):
            raise No("TaskMoved")
        if wish.expected_owner is not None and key(wish.expected_owner) != task.owner:
            raise No("TaskMoved")
        owner = key(wish.owner) if wish.owner is not None else task.owner
        if wish.owner is None and wish.to == "held" and not task.owner:
            owner = self.by
        if task.state == "held" and task.owner and owner and owner != task.owner and not wish.takeover:
            raise No("TaskHeld")
        description = task.description if wish.note is None else wish.note
        was, now = (task.state, task.owner, task.description), (wish.to, owner, description)
        task.state, task.owner, task.description = now
        if was == now:
            return []
        if was[0] != now[0]:
            return [MOVES[wish.to]]
        if was[1] != now[1]:
            return ["TaskClaimed" if wish.to == "held" else "TaskReassigned"]
        return ["TaskDescribed"]

    def prioritize_task(self, wish):
        task = self._task(wish.task)
        was, task.priority = task.priority, wish.priority
        return [] if was == wish.priority else ["TaskPrioritized"]

    def link_task(self, wish):
        if wish.depends_on not in self.tasks:
            raise No("UnknownDependency")
        task = self._task(wish.task)
        if wish.depends_on in task.waits_for:
            return []
        self._must_not_wait(wish.task, [wish.depends_on])
        task.waits_for.append(wish.depends_on)
        return ["TaskLinked"]

    def remove_task(self, wish):
        self._task(wish.task)
        del self.tasks[wish.task]
        return ["TaskRemoved"]

    def apply_template(self, wish):
        if wish.template not in TEMPLATES:
            raise No("UnknownTemplate")
        if self.tasks and not wish.append:
            raise No("RoomHasTasks")
        drafts = TEMPLATES[wish.template].tasks
        for draft in drafts:
            self.tasks[self._new("T")] = Task(description=draft.description, priority=draft.priority)
        return [*["TaskOpened" + QUIETLY] * len(drafts), "TemplateApplied"]

    # -- documents

    def write_context(self, wish):
        if not wish.payload.get("text"):
            raise No("BadPayload")
        document = {"minor": 0, "summary": wish.summary, "payload": wish.payload, "consumers": wish.consumers}
        self.documents[self._new("C")] = document
        return ["ContextWritten" + self._quietly(document)]

    def _quietly(self, document):
        return "" if document["consumers"] else QUIETLY

    def _document(self, id):
        if id not in self.documents:
            raise No("UnknownContext")
        return self.documents[id]

    def revise_context(self, wish):
        document = self._document(wish.context)
        if wish.expected_version not in (None, f"1.{document['minor']}"):
            raise No("ContextMoved")
        if wish.payload is not None and not wish.payload.get("text"):
            raise No("BadPayload")
        given = {"summary": wish.summary, "payload": wish.payload, "consumers": wish.consumers}
        after = {**document, **{field: value for field, value in given.items() if value is not None}}
        if json.dumps(after, sort_keys=True) == json.dumps(document, sort_keys=True):
            return []
        self.documents[wish.context] = {**after, "minor": document["minor"] + 1}
        return ["ContextRevised" + self._quietly(after)]

    def withdraw_context(self, wish):
        self._document(wish.context)
        del self.documents[wish.context]
        return ["ContextWithdrawn"]

    # -- leases, variables, reviews

    def take_lease(self, wish):
        if not 1 <= wish.seconds <= 300:
            raise No("BadDuration")
        holder, until, token = self.leases.get(wish.resource, ("", 0, 0))
        if self.now >= until:
            self.leases[wish.resource] = (self.by, self.now + wish.seconds * 1000, self.before + 1)
            return ["LeaseTaken"]
        if holder != self.by:
            raise No("LeaseHeld")
        later = max(until, self.now + wish.seconds * 1000)
        self.leases[wish.resource] = (holder, later, token)
        return ["LeaseRenewed"] if later > until else []

    def release_lease(self, wish):
        holder, until, token = self.leases.get(wish.resource, ("", 0, 0))
        if holder != self.by or self.now >= until or wish.token not in (None, token):
            raise No("NotTheHolder")
        del self.leases[wish.resource]
        return ["LeaseReleased"]

    def tick(self, wish):
        over = [resource for resource, (_, until, _) in self.leases.items() if self.now >= until]
        for resource in over:
            del self.leases[resource]
        return ["LeaseLapsed"] * len(over)

    def set_variable(self, wish):
        self.variables[wish.key] = wish.value
        return ["VariableSet"]

    def request_review(self, wish):
        if wish.target not in (self.tasks if wish.target_type == "task" else self.documents):
            raise No("UnknownReviewTarget")
        if key(wish.reviewer) == self.by:
            raise No("OwnReview")
        self.reviews[self._new("R")] = {"reviewer": key(wish.reviewer), "status": "pending"}
        return ["ReviewRequested"]

    def resolve_review(self, wish):
        if wish.review not in self.reviews:
            raise No("UnknownReview")
        review = self.reviews[wish.review]
        if review["status"] != "pending":
            raise No("ReviewResolved")
        if review["reviewer"] != self.by:
            raise No("NotTheReviewer")
        review["status"] = wish.verdict
        return ["ReviewApproved" if wish.verdict == "approved" else "ReviewRejected"]
