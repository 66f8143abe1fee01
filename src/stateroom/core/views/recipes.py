"""A room's roles and tasks as a playbook: what was planned, and nothing that came of it (agent-room §4.12)."""

from collections.abc import Iterable
from unicodedata import category

from stateroom.core import casting, limits, roles
from stateroom.core.gates import are_same
from stateroom.core.ids import Name, TaskId
from stateroom.core.members import Member, fold, same
from stateroom.core.playbooks import Playbook, renamed
from stateroom.core.refusals import NothingToKeep
from stateroom.core.roles import RoleSlot
from stateroom.core.room import Room
from stateroom.core.tasks import Draft, Task

Slots = tuple[RoleSlot, ...]
LABEL_CHARS = 60
"""Of a role's name that is made from what somebody came for."""


def recipe(room: Room, name: str) -> Playbook:
    """The playbook of this name that a room makes; unchecked. Who has a role is called by it. Raises NothingToKeep."""
    slots, called = _roles(room)
    tasks = [task for task in room.board.tasks.values() if task.state != "cancelled"]
    if not slots and not tasks:
        raise NothingToKeep(room=room.lifecycle.room_id)
    places = {task.id: place for place, task in enumerate(tasks)}
    return Playbook(
        "",
        name,
        room.lifecycle.topic,
        room.floor.mode,
        renamed(room.floor.config, lambda one: called.get(fold(one), one)),
        slots,
        tuple(_draft(task, places, called) for task in tasks),
        team=room.lifecycle.team,
        source_room=room.lifecycle.code,
    )


def _roles(room: Room) -> tuple[Slots, dict[str, str]]:
    """The roles of the room, those nobody has come for included, and by folded name who has which."""
    slots = room.lifecycle.roles
    taken = casting.cast(slots, room.members.by_fold.values())
    called = {fold(member.name): role for role, member in taken.items()}
    others = (one for one in room.members.by_fold.values() if one.role.strip())
    for member in others:
        if fold(member.name) not in called:
            people = (one for one in room.members.names() if not same(one, member.name))
            slot = _slot(member, [*people, *(one.name for one in slots)])
            slots, called[fold(member.name)] = (*slots, slot), slot.name
    return slots, called


def _slot(member: Member, others: Iterable[str]) -> RoleSlot:
    """A role like a member's, under a name that no other has."""
    known = roles.preset(member.role)
    label = known.label if known else _legible(member.role) or member.name
    return RoleSlot(_free(label, others), label, known.brief if known else "")


def _legible(role: str) -> str:
    """As much of it as can be a name."""
    shown = (" " if one.isspace() else one for one in role if one.isspace() or category(one) not in limits.INVISIBLE)
    return " ".join("".join(shown).split())[:LABEL_CHARS].strip()


def _free(label: str, others: Iterable[str]) -> str:
    """`Builder`, `Builder 2`, `Builder 3`, …"""
    seen, number, name = {fold(one) for one in others}, 1, label
    while fold(name) in seen:
        number += 1
        name = f"{label} {number}"
    return name


def _draft(task: Task, places: dict[TaskId, int], called: dict[str, str]) -> Draft:
    """A task as it was planned. What it waited for and is not kept, it waits for no more. Where a role is called like
    somebody who has gone, the verifier stays who it was."""
    owner, verifier = (Name(called.get(fold(one), one)) if one else None for one in (task.owner, task.verifier))
    if are_same(owner, verifier):
        verifier = None if are_same(owner, task.verifier) else task.verifier
    waits = tuple(places[TaskId(id)] for id in task.depends_on if TaskId(id) in places)
    return Draft(task.title, task.description, task.priority, waits, owner, verifier, task.dod)
