"""Who takes which role of the playbook a room was started from, and what that hands over (decision 18).

A playbook plans with names of roles. Whoever comes with such a role, while no member is called so, takes it: what was
planned for the role is planned for that member from then on, on record, so that every other rule goes by names only.
"""

from collections.abc import Iterable
from dataclasses import replace

from stateroom.core import roles
from stateroom.core.floor import Floor, RoleTaken
from stateroom.core.gates import are_same, handed, verdict_due
from stateroom.core.here import Event, Here
from stateroom.core.holding import TaskCast
from stateroom.core.ids import Name
from stateroom.core.members import Member, Members, fold, same
from stateroom.core.roles import RoleSlot
from stateroom.core.tasks import Board, Draft, Task
from stateroom.core.turns import ModeConfig

Slots = tuple[RoleSlot, ...]


def cast(slots: Slots, members: Iterable[Member]) -> dict[str, Member]:
    """Who has which role, by the role's name: who is called so; else who joined first as that, else for that. (Who has
    no seat has come for nothing.)

    Nobody has two, and nobody has one that another has.
    """
    people, found = list(members), dict[str, Member]()
    for fits in (_is_called, _came_as, _came_for):
        for member in people:
            if member not in found.values():
                slot = next((slot for slot in slots if slot.name not in found and fits(member, slot)), None)
                if slot is not None:
                    found[slot.name] = member
    return found


def _is_called(member: Member, slot: RoleSlot) -> bool:
    return same(member.name, slot.name)


def _came_as(member: Member, slot: RoleSlot) -> bool:
    return bool(member.role) and same(member.role, slot.name)


def _came_for(member: Member, slot: RoleSlot) -> bool:
    if not member.role or not slot.role:
        return False
    known = roles.preset(member.role)
    return same(member.role, slot.role) or (known is not None and known == roles.preset(slot.role))


def joined(slots: Slots, more: Slots) -> Slots:
    """All these roles; of two with one name the first stays."""
    known = {fold(slot.name) for slot in slots}
    return (*slots, *(slot for slot in more if fold(slot.name) not in known))


def slot_of(slots: Slots, members: Members, member: Member) -> RoleSlot | None:
    """The role a member has."""
    found = cast(slots, _with(members, member))
    return next((slot for slot in slots if slot.name in found and same(found[slot.name].name, member.name)), None)


def _with(members: Members, member: Member) -> Iterable[Member]:
    """Everybody, with this member as it now is."""
    return {**members.by_fold, fold(member.name): member}.values()


def brief(slots: Slots, members: Members, member: Member) -> str:
    """What a member is here for: the brief of its role in the playbook, or of the preset it came as; or empty."""
    slot = slot_of(slots, members, member)
    given = (slot.brief or roles.brief(slot.role) or roles.brief(slot.name)) if slot is not None else ""
    return given or roles.brief(member.role)


def player(slots: Slots, members: Members, name: str) -> str:
    """Who is meant by a name: who has the role of that name, if it is one."""
    if not any(same(slot.name, name) for slot in slots):
        return name
    found = cast(slots, members.by_fold.values())
    return next((member.name for role, member in found.items() if same(role, name)), name)


def planned(slots: Slots, members: Members, drafts: Iterable[Draft]) -> list[Draft]:
    """The tasks of a playbook for a room in which some of its roles are taken already."""
    return [_for_players(draft, slots, members) for draft in drafts]


def _for_players(draft: Draft, slots: Slots, members: Members) -> Draft:
    owner, verifier = (Name(player(slots, members, name)) if name else None for name in (draft.owner, draft.verifier))
    return draft if are_same(owner, verifier) else replace(draft, owner=owner, verifier=verifier)


def arrived(
    slots: Slots, members: Members, board: Board, floor: Floor, member: Member | None, here: Here
) -> list[Event]:
    """What a member takes over by coming to its seat; nothing where another member is called like the role."""
    slot = slot_of(slots, members, member) if slots and member is not None else None
    if member is None or slot is None or same(slot.name, member.name):
        return []
    here = replace(here, by=member.name)
    plan = (task for task in board.tasks.values() if not task.over)
    handed_over = [fact for task in plan if (fact := _handed(task, slot.name, member.name, here)) is not None]
    config = _filled(floor.config, slot.name, member.name)
    if not handed_over and config == floor.config:
        return []
    return [*handed_over, RoleTaken(member.name, slot.name, tuple(fact.task.id for fact in handed_over), config)]


def _handed(task: Task, role: str, name: Name, here: Here) -> TaskCast | None:
    """The fact that a task meant for a role is meant for its player; None if it would make one member both. Only what
    nobody has begun changes its owner."""
    takes = task.state == "open" and are_same(task.owner, Name(role))
    owner = name if takes else task.owner
    verifier = name if are_same(task.verifier, Name(role)) else task.verifier
    submitter = task.evidence[-1].by if task.evidence else None
    if (owner, verifier) == (task.owner, task.verifier) or are_same(owner, verifier) or are_same(submitter, verifier):
        return None
    after = handed(handed(task, "owner", owner, here), "verifier", verifier, here)
    due = verdict_due(here) if task.state == "submitted" else task.review_due
    return TaskCast(replace(after, changed_at=here.now, review_due=due), task.state)


def _filled(config: ModeConfig, role: str, name: Name) -> ModeConfig:
    """Who leads or moderates is a member now."""
    lead, moderator = (name if one and same(one, role) else one for one in (config.lead, config.moderator))
    return replace(config, lead=lead, moderator=moderator)
