"""The roles of a room's playbook as every face shows them."""

from typing import Any

from stateroom.core import casting
from stateroom.core.members import same
from stateroom.core.roles import RoleSlot
from stateroom.core.room import Room

Shape = dict[str, Any]


def roles_shape(room: Room) -> list[Shape]:
    """The roles that the room's playbook wants somebody for, and who has which; without their briefs, which go to
    whoever takes them."""
    taken = casting.cast(room.lifecycle.roles, room.members.by_fold.values())
    return [_role_shape(slot, taken[slot.name].name if slot.name in taken else "") for slot in room.lifecycle.roles]


def _role_shape(slot: RoleSlot, name: str) -> Shape:
    shape: Shape = {"name": slot.name}
    if slot.role and not same(slot.role, slot.name):
        shape["role"] = slot.role
    return {**shape, "takenBy": name} if name else shape
