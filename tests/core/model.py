"""The room once more, as naively as possible: plain dicts, no events, no folds. What it says is what should happen.

Written from the design and the protocol, not from the code, so that the two can disagree. Names are ASCII here, so
the one compare of names is `key`.
"""

import json
import re
from copy import deepcopy
from dataclasses import dataclass, field

from stateroom.core.here import Command, Proof
from stateroom.core.templates import TEMPLATES
from stateroom.testing.scenes import GUEST
from tests.core.model_of_talk import No, Talk, key

SIGNED = {"Leave", "MarkRead", "TakeLease", "ReleaseLease", "RequestReview", "ResolveReview", "TakeSeat", "Say"}
ARRIVES_BY_ITSELF = {
    *(
        "Join",
        "Leave",
        "OpenRoom",
        "EndRoom",
        "ReactivateRoom",
        "SetPolicy",
        "Say",
        "Tick",
        "KeepReport",
        "StoreAttachment",
    ),
    *("TakeSeat", "RemoveMember", "MuteMember", "SetMode", "Invite", "SkipSpeaker"),
}
AFTER_THE_END = {
    *("OpenRoom", "EndRoom", "ReactivateRoom", "SetPolicy", "Tick", "Leave", "RemoveMember", "MarkRead"),
    *("ReleaseLease", "KeepReport"),
}
UNTOLD = {
    *("RoomOpened", "MemberJoined", "MemberSeated", "MessageRead", "AttachmentStored", "ReportKept"),
    *("LeaseTaken", "LeaseRenewed", "LeaseReleased", "LeaseLapsed"),
}
MOVES = {"open": "TaskReturned", "held": "TaskClaimed", "blocked": "TaskBlocked", "done": "TaskFinished"}
QUIETLY = " quietly"
"""Marks a fact that the room is not told of although others of its kind are told."""
WINDOW = 5
"""How many requests are remembered, for this test."""


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
    verifier: str = ""
    dod: str = ""
    submissions: list[tuple] = field(default_factory=list)
    """Who submitted what."""
    reason: str | None = None
    """Why it is blocked."""

    def gated(self) -> bool:
        return bool(self.verifier or self.dod or self.submissions)


class Model(Talk):
    def __init__(self) -> None:
        super().__init__()
        self.position = 0
        self.read: dict[int, set[str]] = {}
        self.tasks: dict[str, Task] = {}
        self.ids: set[str] = set()
        """Every id a task has ever had."""
        self.documents: dict[str, dict] = {}
        self.leases: dict[str, tuple[str, int, int]] = {}
        """Resource -> holder, until, token."""
        self.variables: dict[str, str] = {}
        self.reviews: dict[str, dict] = {}
        self.used = {"T": 0, "C": 0, "R": 0}
        self.requests: list[tuple[str, int, int]] = []
        self.last_by: dict[str, int] = {}
        """Where each member last spoke."""

    def ask(self, by: str, wish: Command, now: int, request: str = "", proof: Proof = GUEST) -> list[str]:
        """The kinds of facts that should follow. Raises No, and then nothing has changed."""
        before = deepcopy(self.__dict__)
        try:
            return self._ask(by, wish, now, request, proof)
        except No:
            self.__dict__ = before
            raise

    def _ask(self, by: str, wish: Command, now: int, request: str, proof: Proof) -> list[str]:
        name = type(wish).__name__
        if self.ended and name not in AFTER_THE_END:
            raise No("RoomHasEnded")
        if name in SIGNED and not key(by):
            raise No("BadName")
        self.by, self.now, self.proof = key(by), now, proof
        if name != "TakeSeat":
            self.check_key()
        arrives = self.by and self.by not in self.members and name not in ARRIVES_BY_ITSELF
        self.before = self.position + bool(arrives)
        facts = getattr(self, snake(name))(wish)
        if facts and arrives:
            if self.by in self.removed:
                raise No("NotParticipant")
            facts = ["MemberJoined", *facts]
            self._arrives(self.by)
        self._write(facts, request)
        return [fact.removesuffix(QUIETLY) for fact in facts]

    def _write(self, facts: list[str], request: str) -> None:
        first = self.position + 1
        for fact in facts:
            self.position += 1
            self.told[self.position] = fact not in UNTOLD and not fact.endswith(QUIETLY)
            self.something_changed(fact)
            if fact == "MessageSaid":
                self.last_by[self.by] = self.position
        if request and facts:
            self.requests = [*self.requests, (request, first, self.position)][-WINDOW:]

    def _new(self, kind: str) -> str:
        self.used[kind] += 1
        return f"{kind}-{self.used[kind]:02d}"

    # -- what is posted

    def post_message(self, wish):
        self._must_have_a_voice()
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
        id = wish.id or f"T-{self.used['T'] + 1:02d}"
        if id in self.ids:
            raise No("TaskExists")
        if wish.owner and key(wish.owner) == key(wish.verifier):
            raise No("OwnerIsVerifier")
        self._must_not_wait(id, wish.depends_on)
        task = self._opened(id, wish.description, wish.priority)
        task.waits_for = list(dict.fromkeys(wish.depends_on))
        task.owner, task.verifier, task.dod = key(wish.owner), key(wish.verifier), wish.dod or ""
        return ["TaskOpened"]

    def _opened(self, id, description, priority):
        self.ids.add(id)
        if id.startswith("T-"):
            self.used["T"] = max(self.used["T"], int(id[2:]))
        self.tasks[id] = Task(description=description, priority=priority)
        return self.tasks[id]

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
        seen = "held" if wish.expected_state == "held" and task.state in ("submitted", "rejected") else task.state
        if wish.expected_state not in (None, seen):
            raise No("TaskMoved")
        if wish.expected_owner is not None and key(wish.expected_owner) != task.owner:
            raise No("TaskMoved")
        owner = key(wish.owner) if wish.owner is not None else task.owner
        if wish.owner is None and wish.to == "held" and not task.owner:
            owner = self.by
        in_hand = task.state in ("held", "rejected")
        if in_hand and task.owner and owner and owner != task.owner and not wish.takeover:
            raise No("TaskHeld")
        description = task.description if wish.note is None else wish.note
        was, now = (task.state, task.owner, task.description), (wish.to, owner, description)
        if was == now:
            return []
        self._must_be_free_to_move(task, wish.to, owner)
        task.reason = None if wish.to != "blocked" else wish.note or "" if task.state != "blocked" else task.reason
        task.state, task.owner, task.description = now
        if was[0] != now[0]:
            return [MOVES[wish.to]]
        if was[1] != now[1]:
            return ["TaskClaimed" if wish.to == "held" else "TaskReassigned"]
        return ["TaskDescribed"]

    def _must_be_free_to_move(self, task, to, owner):
        if task.state == "done" and task.gated():
            raise No("TaskDoneImmutable")
        if task.state == "cancelled" or (task.state == "submitted" and to != "done"):
            raise No("TaskStateWrong")
        if to == "done" and task.gated():
            raise No("TaskNeedsProof")
        if owner and owner == task.verifier:
            raise No("VerifierCannotClaim" if to == "held" else "OwnerIsVerifier")

    # -- claims, proof and halts

    def _in(self, id, *states):
        """The task, if somebody asks and it is in one of these states."""
        task = self._task(id)
        if not self.by:
            raise No("BadName")
        if task.state not in states:
            raise No("TaskDoneImmutable" if task.state == "done" else "TaskStateWrong")
        return task

    def claim_task(self, wish):
        task = self._in(wish.task, "open", "held", "blocked")
        if self.by == task.verifier:
            raise No("VerifierCannotClaim")
        if task.state == "held" and task.owner == self.by:
            return []
        if task.state == "held" and task.owner:
            raise No("TaskHeld")
        task.state, task.owner, task.reason = "held", self.by, None
        return ["TaskClaimed"]

    def submit_task(self, wish):
        task = self._in(wish.task, "open", "held", "blocked", "rejected", "submitted")
        if task.owner not in ("", self.by):
            raise No("NotTheOwner")
        if task.verifier == self.by:
            raise No("VerifierCannotClaim")
        if not (wish.file_listing and wish.file_excerpt and wish.checks):
            raise No("EvidenceIncomplete")
        submission = (self.by, wish.file_listing)
        if task.state == "submitted" and task.submissions[-1] == submission:
            return []
        task.submissions = [*task.submissions, submission][-10:]
        task.state, task.owner, task.reason = "submitted", self.by, None
        return ["TaskSubmitted"]

    def verify_task(self, wish):
        if self._task(wish.task).state == "cancelled" and self.by:
            raise No("TaskDoneImmutable")
        task = self._in(wish.task, "submitted")
        if self.by in (task.owner, task.submissions[-1][0]):
            raise No("OwnerCannotVerify")
        if task.verifier not in ("", self.by):
            raise No("NotTheVerifier")
        task.state = wish.verdict
        return ["TaskVerified" if wish.verdict == "done" else "TaskRejected"]

    def reassign_task(self, wish):
        task = self._task(wish.task)
        if not key(wish.owner) and not key(wish.verifier):
            raise No("NobodyNamed")
        if task.state not in ("open", "held", "submitted", "blocked"):
            raise No("TaskDoneImmutable" if task.state == "done" else "TaskStateWrong")
        owner, verifier = key(wish.owner) or task.owner, key(wish.verifier) or task.verifier
        if owner and owner == verifier:
            raise No("OwnerIsVerifier")
        if task.state == "submitted" and task.submissions[-1][0] == verifier:
            raise No("OwnerIsVerifier")
        was, now = (task.owner, task.verifier), (owner, verifier)
        task.owner, task.verifier = now
        if was == now:
            return []
        return ["TaskReassigned" if was[1] == now[1] else "TaskVerifierNamed"]

    def block_task(self, wish):
        task = self._in(wish.task, "open", "held", "blocked")
        if not wish.reason:
            raise No("ReasonMissing")
        if task.reason == wish.reason:
            return []
        task.state, task.reason = "blocked", wish.reason
        return ["TaskBlocked"]

    def cancel_task(self, wish):
        task = self._in(wish.task, "open", "held", "blocked", "submitted", "rejected")
        if task.submissions:
            raise No("TaskHasEvidence")
        task.state, task.reason = "cancelled", None
        return ["TaskCancelled"]

    def reopen_task(self, wish):
        task = self._in(wish.task, "rejected", "cancelled")
        owner = task.owner or (self.by if wish.to == "held" else "")
        if wish.to == "held" and owner == task.verifier:
            raise No("VerifierCannotClaim")
        if wish.to == "submitted" and not task.submissions:
            raise No("EvidenceIncomplete")
        task.state, task.owner = wish.to, owner
        task.reason = wish.reason if wish.to == "blocked" else None
        return ["TaskReopened"]

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
        if self._task(wish.task).submissions:
            raise No("TaskHasEvidence")
        del self.tasks[wish.task]
        return ["TaskRemoved"]

    def apply_template(self, wish):
        if wish.template not in TEMPLATES:
            raise No("UnknownTemplate")
        if self.tasks and not wish.append:
            raise No("RoomHasTasks")
        drafts = TEMPLATES[wish.template].tasks
        for draft in drafts:
            self._opened(f"T-{self.used['T'] + 1:02d}", draft.description, draft.priority)
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
