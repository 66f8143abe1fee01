"""The board as naively as possible: tasks, claims, leases, proof, and what happens in silence. Part of `model.Model`.

Everything is looked for anew each time: no index, no kept deadline.
"""

from stateroom.core.templates import TEMPLATES
from tests.core.model_of_claims import Claims
from tests.core.model_of_proof import Proving
from tests.core.model_of_silence import Silence
from tests.core.model_of_talk import No, key
from tests.core.model_of_tasks import OVER, QUIETLY, Task

MOVES = {"open": "TaskReturned", "held": "TaskClaimed", "blocked": "TaskBlocked", "done": "TaskFinished"}


class Board(Silence, Claims, Proving):
    """How the plan is made and moved, and when it is complete."""

    ended_by_removal = False

    def completion(self, facts):
        """What is said besides when nothing is left to do."""
        ended = {"TaskFinished", "TaskVerified", "TaskCancelled"} & set(facts) or self.ended_by_removal
        self.ended_by_removal = False
        states = [task.state for task in self.tasks.values()]
        return ["BoardCompleted"] if ended and "done" in states and set(states) <= set(OVER) else []

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
