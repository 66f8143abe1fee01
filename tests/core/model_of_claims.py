"""Who holds a task, as naively as possible. Part of `model_of_board`."""

from tests.core.model_of_talk import No, key
from tests.core.model_of_tasks import Tasks


class Claims(Tasks):
    """Claiming, going on, giving back and handing over."""

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
