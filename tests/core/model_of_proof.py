"""What is submitted, what is said to it, and what stops a task, as naively as possible. Part of `model_of_board`."""

from dataclasses import dataclass

from tests.core.model_of_talk import No, key
from tests.core.model_of_tasks import Tasks

RULINGS = {"approved": "done", "rejected": "rejected"}


@dataclass
class Ruling:
    """A verdict, as `verify_task` takes it."""

    task: str
    verdict: str
    note: str


class Proving(Tasks):
    """Submissions, verdicts, roles, halts and reviews."""

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
