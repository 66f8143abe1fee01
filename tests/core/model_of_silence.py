"""What time does to a board, as naively as possible: every deadline is looked for anew. Part of `model_of_board`."""

from tests.core.model_of_talk import key
from tests.core.model_of_tasks import GRACE, LEFT, STALL, Tasks


class Silence(Tasks):
    """Lapses, stalls, and verdicts that are overdue."""

    def shows_a_sign_of_life(self):
        self.signs[self.by] = self.now
        for task in self.tasks.values():
            if task.owner == self.by:
                task.asked = False

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
