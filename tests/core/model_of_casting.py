"""Playbooks as naively as possible: which roles are wanted, who has which, what that hands over. Part of
`model.Model`."""

from dataclasses import replace

from tests.core.model_of_board import Board
from tests.core.model_of_talk import No, key
from tests.core.model_of_tasks import QUIETLY


class Casting(Board):
    def __init__(self) -> None:
        super().__init__()
        self.wanted: dict[str, str] = {}
        """Role, by name -> what it is for."""

    def apply_playbook(self, wish):
        if self.tasks and not wish.append:
            raise No("RoomHasTasks")
        for slot in wish.playbook.roles:
            self.wanted.setdefault(key(slot.name), key(slot.role))
        ids = []
        for draft in wish.playbook.tasks:
            ids.append(f"T-{self.used['T'] + 1:02d}")
            task = self._opened(ids[-1], draft.description, draft.priority)
            task.owner, task.verifier = self._apart(draft)
            task.dod, task.waits_for = draft.dod or "", [ids[index] for index in draft.depends_on]
        return [*["TaskOpened" + QUIETLY] * len(ids), "PlaybookApplied"]

    def _apart(self, wish):
        """Owner and verifier, played by who has their roles; as planned if that were one member."""
        owner, verifier = self._played(wish.owner), self._played(wish.verifier)
        return (owner, verifier) if owner != verifier or not owner else (key(wish.owner), key(wish.verifier))

    def _played(self, name):
        return key(name) if key(name) in self.members else self._cast().get(key(name), key(name))

    def _cast(self):
        """Role -> member."""
        found = {}
        for rank in ("name", "role", "what for"):
            for name, member in self.members.items():
                for role, purpose in self.wanted.items():
                    came = key(member.role) if member.seated else ""
                    fits = {"name": name == role, "role": came == role, "what for": came and came == purpose}[rank]
                    if fits and role not in found and name not in found.values():
                        found[role] = name
        return found

    def open_task(self, wish):
        return super().open_task(self._meant(wish))

    def reassign_task(self, wish):
        return super().reassign_task(self._meant(wish))

    def _meant(self, wish):
        return replace(wish, owner=self._played(wish.owner) or None, verifier=self._played(wish.verifier) or None)

    def take_seat(self, wish):
        before = set(self.members)
        name = self._name(wish)
        facts = super().take_seat(wish)
        role = next((role for role, member in self._cast().items() if member == name), name)
        if role == name or role in before:
            return facts
        return [*facts, *self._takes_over(role, name)]

    def _takes_over(self, role, name):
        cast = [self._casts(task, role, name) for task in self.tasks.values()].count(True)
        self._follow_submissions()
        leads, self.lead = self.lead == role, name if self.lead == role else self.lead
        return [*["TaskCast"] * cast, "RoleTaken"] if cast or leads else []

    def _casts(self, task, role, name):
        """Whether the task goes over."""
        owner = name if task.owner == role and task.state == "open" else task.owner
        verifier = name if task.verifier == role and task.state not in ("done", "cancelled") else task.verifier
        if (owner, verifier) == (task.owner, task.verifier):
            return False
        if verifier and verifier in (owner, task.submissions[-1][0] if task.submissions else ""):
            return False
        self._stands(task, owner=owner, verifier=verifier)
        task.due = self._due() if task.state == "submitted" else task.due
        return True
