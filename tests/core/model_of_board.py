"""The board as naively as possible: tasks, claims, leases, proof, and what happens in silence. Part of `model.Model`.

Everything is looked for anew each time: no index, no kept deadline.
"""

from dataclasses import dataclass, field

from stateroom.core.templates import TEMPLATES
from tests.core.model_of_talk import No, key

MOVES = {"open": "TaskReturned", "held": "TaskClaimed", "blocked": "TaskBlocked", "done": "TaskFinished"}
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


class Board:
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

    # -- time

    def shows_a_sign_of_life(self):
        self.signs[self.by] = self.now
        for task in self.tasks.values():
            if task.owner == self.by:
                task.asked = False

    def _timed(self, state):
        tasks = [(task.turn, id) for id, task in self.tasks.items() if task.state == state]
        return [(id, self.tasks[id]) for _, id in sorted(tasks)]

    def _seen(self, task):
        return max(task.since, self.signs.get(task.owner, 0))

    def _over_at(self, task):
        if not task.leased() or not task.owner:
            return float("inf")
        return max(task.lease.renewed, self._seen(task)) + task.lease.seconds * 1000 + GRACE

    def lapses(self):
        over = [(id, task) for id, task in self._timed("held") if self._over_at(task) <= self.now]
        for _, task in over:
            self._stands(task, state="open", owner="")
            task.lease.status = "expired"
        return ["TaskLapsed"] * len(over)

    def passes(self, present):
        """What a tick finds on the board."""
        lapsed = self.lapses()
        held = [(id, task) for id, task in self._timed("held") if task.owner and not task.asked]
        silent = [task for _, task in held if self._seen(task) + STALL <= self.now]
        for task in silent:
            task.asked = True
        return [*lapsed, *["ClaimStalled"] * len(silent), *self._overdue({key(name) for name in present})]

    def _overdue(self, present):
        keyed = self.policy.identity == "keyed"
        judges = [name for name, member in self.members.items() if name in present and (member.seated or not keyed)]
        owed = [task.verifier for task in self.tasks.values() if task.state == "submitted"]
        owed += [one["reviewer"] for one in self.reviews.values() if self._asked_for(one)]
        facts = []
        for _, task in self._timed("submitted"):
            if task.due is not None and task.due <= self.now:
                by, at = task.submissions[-1][0], task.submissions[-1][3]
                chosen = self._judge(judges, owed, {task.owner, task.verifier, by})
                facts.append("TaskRerouted" if chosen else "VerdictOverdue")
                task.due = self._due() if chosen else self._later(at)
                if chosen:
                    self._stands(task, verifier=chosen)
        for review in self.reviews.values():
            if self._asked_for(review) and review["due"] is not None and review["due"] <= self.now:
                chosen = self._judge(judges, owed, {review["by"], review["reviewer"]})
                facts.append("ReviewRerouted" if chosen else "ReviewOverdue")
                review["due"] = self._due() if chosen else self._later(review["at"])
                review["reviewer"] = chosen or review["reviewer"]
        self._follow_submissions()
        return facts

    def _asked_for(self, review):
        return review["status"] == "pending" and not review["task"]

    def _judge(self, judges, owed, barred):
        free = [name for name in judges if name not in barred]
        if not free:
            return ""
        fewest = min(owed.count(name) for name in free)
        chosen = next(name for name in free if owed.count(name) == fewest)
        owed.append(chosen)
        return chosen

    def _due(self):
        return self.now + self.policy.review_seconds * 1000 if self.policy.review_seconds else None

    def _later(self, since):
        return 2 * self.now - since if self.policy.review_seconds and self.now > since else None

    def is_not_waited_for(self, name):
        for task in self.tasks.values():
            if task.state == "submitted" and task.verifier == name and task.due is not None:
                task.due = min(task.due, self.now + LEFT)
        for review in self.reviews.values():
            if self._asked_for(review) and review["reviewer"] == name and review["due"] is not None:
                review["due"] = min(review["due"], self.now + LEFT)

    def next_due(self):
        """When a tick will next find something on the board."""
        dues = [task.due for task in self.tasks.values() if task.state == "submitted" and task.due is not None]
        dues += [one["due"] for one in self.reviews.values() if self._asked_for(one) and one["due"] is not None]
        for _, task in self._timed("held"):
            if task.owner:
                dues += [self._over_at(task), *([] if task.asked else [self._seen(task) + STALL])]
        return [] if self.ended else [due for due in dues if due != float("inf")]

    # -- how a task stands

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

    def completion(self, facts):
        """What is said besides when nothing is left to do."""
        ended = {"TaskFinished", "TaskVerified", "TaskCancelled"} & set(facts) or self.ended_by_removal
        self.ended_by_removal = False
        states = [task.state for task in self.tasks.values()]
        return ["BoardCompleted"] if ended and "done" in states and set(states) <= set(OVER) else []

    ended_by_removal = False

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
        self.tasks[id] = Task(self.now, description=description, priority=priority)
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
            task = self.tasks.get(ahead.pop(), Task(0))
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
        self._must_not_take(task, owner, wish)
        description = task.description if wish.note is None else wish.note
        was, now = (task.state, task.owner, task.description), (wish.to, owner, description)
        if was == now:
            return []
        self._must_be_free_to_move(task, wish.to, owner)
        if wish.to == "done" and not (wish.takeover and task.leased()):
            self._must_show(task, wish.token)
        task.reason = None if wish.to != "blocked" else wish.note or "" if task.state != "blocked" else task.reason
        if wish.to == "held" and was[:2] != now[:2]:
            task.since = self.now
        self._stands(task, state=wish.to, owner=owner)
        task.description = description
        if wish.to == "held" and was[:2] != now[:2]:
            task.lease = None
        if was[0] != now[0]:
            return [MOVES[wish.to]]
        if was[1] != now[1]:
            return ["TaskClaimed" if wish.to == "held" else "TaskReassigned"]
        return ["TaskDescribed"]

    def _must_not_take(self, task, owner, wish):
        in_hand = task.state in ("held", "rejected")
        if in_hand and task.owner and owner and owner != task.owner and not wish.takeover:
            raise No("TaskHeld")
        if task.leased() and task.owner and task.owner != self.by and not wish.takeover:
            raise No("TaskHeld")

    def _must_be_free_to_move(self, task, to, owner):
        if task.state == "done" and task.proven:
            raise No("TaskDoneImmutable")
        gated = task.gated() or self.policy.proof == "always"
        if to == "done" and gated and task.state not in OVER:
            raise No("TaskNeedsProof")
        if task.state in ("cancelled", "submitted"):
            raise No("TaskStateWrong")
        if owner and owner == task.verifier:
            raise No("VerifierCannotClaim" if to == "held" else "OwnerIsVerifier")

    def _must_show(self, task, token):
        """The token of the lease it is under."""
        if token is not None and (task.lease is None or task.lease.token != token):
            raise No("TokenStale")
        if task.lease and task.lease.status == "expired":
            raise No("TaskLeaseOver")
        if task.lease and task.lease.status == "active" and token is None:
            raise No("TokenNeeded")

    # -- claims

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

    def claim_task(self, wish):
        task = self._in(wish.task, "open", "held", "blocked")
        if self.by == task.verifier:
            raise No("VerifierCannotClaim")
        if task.state == "held" and task.owner == self.by:
            seconds = wish.lease_s or (task.lease.seconds if task.leased() else 0)
            if not seconds:
                return []
            self._under(task, seconds)
            return ["TaskClaimed"]
        if task.state == "held" and task.owner:
            raise No("TaskHeld")
        return self._take(task, wish.lease_s)

    def _take(self, task, seconds):
        self._stands(task, state="held", owner=self.by)
        task.since, task.reason = self.now, None
        self._under(task, seconds)
        return ["TaskClaimed"]

    def next_task(self, wish):
        if not self.by:
            raise No("BadName")
        if any(task.owner == self.by and task.state in ("held", "rejected") for task in self.tasks.values()):
            return []
        ready = [
            (task.priority is None, task.priority or 0, not task.owner, number)
            for number, task in enumerate(self.tasks.values())
            if task.state == "open"
            and task.owner in ("", self.by)
            and task.verifier != self.by
            and all(id in self.tasks and self.tasks[id].state == "done" for id in task.waits_for)
        ]
        return self._take(list(self.tasks.values())[min(ready)[3]], wish.lease_s) if ready else []

    def renew_task(self, wish):
        task = self._holds(wish.task)
        if not task.leased():
            raise No("NoTaskLease")
        self._must_show(task, wish.token)
        seconds = wish.lease_s or task.lease.seconds
        if not 1 <= seconds <= 86_400:
            raise No("BadDuration")
        task.lease.seconds, task.lease.renewed = seconds, self.now
        return ["TaskRenewed"]

    def release_task(self, wish):
        task = self._holds(wish.task)
        if wish.token is not None:
            self._must_show(task, wish.token)
        self._stands(task, state="open", owner="")
        return ["TaskReturned"]

    def request_handoff(self, wish):
        task = self._in(wish.task, "held")
        if self.by == task.verifier:
            raise No("VerifierCannotClaim")
        if self.by == task.owner:
            raise No("HandoffToSelf")
        was, task.asked_by = task.asked_by, self.by
        return [] if was == self.by else ["TaskHandoffRequested"]

    def grant_handoff(self, wish):
        task = self._holds(wish.task)
        if wish.token is not None:
            self._must_show(task, wish.token)
        to = key(wish.to) or task.asked_by
        if not to:
            raise No("HandoffMissing")
        if to == task.verifier:
            raise No("VerifierCannotClaim")
        if to == task.owner:
            raise No("HandoffToSelf")
        if to not in self.members:
            raise No("NotParticipant")
        seconds = task.lease.seconds if task.leased() else 0
        self._stands(task, owner=to)
        task.since = self.now
        if seconds:
            self._under(task, seconds)
        else:
            task.lease = None
        return ["TaskHandedOver"]

    # -- proof and halts

    def submit_task(self, wish):
        task = self._in(wish.task, "open", "held", "blocked", "rejected", "submitted")
        if task.owner not in ("", self.by):
            raise No("NotTheOwner")
        if task.verifier == self.by:
            raise No("VerifierCannotClaim")
        self._must_show(task, wish.token)
        if not (wish.file_listing and wish.file_excerpt and wish.checks):
            raise No("EvidenceIncomplete")
        commit = self._hash(wish.commit)
        submission = (self.by, wish.file_listing, commit or task.commit)
        if task.state == "submitted" and task.submissions[-1][:3] == submission:
            return []
        task.submissions = [*task.submissions, (*submission, self.now)][-10:]
        self._stands(task, state="submitted", owner=self.by)
        if task.lease and task.lease.status == "active":
            task.lease.status = "released"
        task.reason, task.due = None, self._due()
        self._reports(task, commit)
        self._follow_submissions()
        return ["TaskSubmitted"]

    def _hash(self, text):
        if text == "no":
            raise No("BadCommit")
        return text.lower()

    def _reports(self, task, commit):
        if commit and not (task.commit and (commit.startswith(task.commit) or task.commit.startswith(commit))):
            task.commit = commit
            return True
        return False

    def report_commit(self, wish):
        task = self._in(wish.task, "open", "held", "blocked", "rejected", "submitted")
        if not wish.commit:
            raise No("BadCommit")
        return ["TaskCommitReported"] if self._reports(task, self._hash(wish.commit)) else []

    def verify_task(self, wish):
        if self._task(wish.task).state == "cancelled" and self.by:
            raise No("TaskDoneImmutable")
        task = self._in(wish.task, "submitted")
        by, _, commit, _ = task.submissions[-1]
        if self.by in (task.owner, by):
            raise No("OwnerCannotVerify")
        if task.verifier not in ("", self.by):
            raise No("NotTheVerifier")
        fits = commit and (commit.startswith(task.commit) or task.commit.startswith(commit))
        if wish.verdict == "done" and task.commit and not fits and not wish.note:
            raise No("VerdictNeedsNote")
        if self.policy.identity == "keyed" or not self.proof.vouched:
            self._must_be_somebody_else(task, by)
        self._stands(task, state=wish.verdict)
        task.proven, task.due = wish.verdict == "done", None
        self._follow_submissions()
        return ["TaskVerified" if wish.verdict == "done" else "TaskRejected"]

    def _must_be_somebody_else(self, task, by):
        if not self._must_be_here(self.by).seated:
            raise No("NotParticipant")
        keys = [self.members[name].seat for name in (task.owner, by) if name in self.members]
        if self.proof.seat and self.proof.seat in keys:
            raise No("OwnerCannotVerify")

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
        if was == now:
            return []
        if task.state == "held" and owner != task.owner:
            task.since = self.now
        self._stands(task, owner=owner, verifier=verifier)
        task.due = self._due() if task.state == "submitted" else None
        self._follow_submissions()
        return ["TaskReassigned" if was[1] == now[1] else "TaskVerifierNamed"]

    def block_task(self, wish):
        task = self._in(wish.task, "open", "held", "blocked")
        if not wish.reason:
            raise No("ReasonMissing")
        if task.reason == wish.reason:
            return []
        self._stands(task, state="blocked")
        task.reason = wish.reason
        return ["TaskBlocked"]

    def cancel_task(self, wish):
        task = self._in(wish.task, "open", "held", "blocked", "submitted", "rejected")
        if task.submissions:
            raise No("TaskHasEvidence")
        self._stands(task, state="cancelled")
        task.reason = None
        return ["TaskCancelled"]

    def reopen_task(self, wish):
        task = self._in(wish.task, "rejected", "cancelled")
        owner = task.owner or (self.by if wish.to == "held" else "")
        if wish.to == "held" and owner == task.verifier:
            raise No("VerifierCannotClaim")
        if wish.to == "submitted" and not task.submissions:
            raise No("EvidenceIncomplete")
        self._stands(task, state=wish.to, owner=owner)
        task.reason = wish.reason if wish.to == "blocked" else None
        if wish.to == "held":
            task.since, task.lease = self.now, None
        task.due = self._due() if wish.to == "submitted" else None
        self._follow_submissions()
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
        self.ended_by_removal = self.tasks.pop(wish.task).state not in OVER
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

    # -- reviews

    def _follow_submissions(self):
        """Every submission has a review, which stands as its task does."""
        for id, task in self.tasks.items():
            pending = [one for one in self.reviews.values() if one["task"] == id and one["status"] == "pending"]
            if task.state == "submitted" and not pending:
                number = 1 + sum(one["task"] == id for one in self.reviews.values())
                pending = [{"task": id, "status": "pending"}]
                self.reviews[f"R-{id}.{number}"] = pending[0]
            for one in pending:
                one["reviewer"] = task.verifier
                if task.state != "submitted":
                    one["status"] = "approved" if task.state == "done" else "rejected"

    def request_review(self, wish):
        if wish.target not in (self.tasks if wish.target_type == "task" else self.documents):
            raise No("UnknownReviewTarget")
        if key(wish.reviewer) == self.by:
            raise No("OwnReview")
        review = {"task": "", "reviewer": key(wish.reviewer), "status": "pending", "by": self.by, "at": self.now}
        self.reviews[self._new("R")] = {**review, "due": self._due()}
        return ["ReviewRequested"]

    def resolve_review(self, wish):
        if wish.review not in self.reviews:
            raise No("UnknownReview")
        review = self.reviews[wish.review]
        if review["task"] and review["status"] == "pending":
            return self.verify_task(Ruling(review["task"], RULINGS[wish.verdict], wish.note or ""))
        if review["status"] != "pending":
            raise No("ReviewResolved")
        if review["reviewer"] != self.by:
            raise No("NotTheReviewer")
        review["status"] = wish.verdict
        return ["ReviewApproved" if wish.verdict == "approved" else "ReviewRejected"]


RULINGS = {"approved": "done", "rejected": "rejected"}


@dataclass
class Ruling:
    """A verdict, as `verify_task` takes it."""

    task: str
    verdict: str
    note: str
