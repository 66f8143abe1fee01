"""A playbook in a room: its tasks join the plan, its roles are wanted from then on, and its way to take turns holds."""

from dataclasses import replace
from typing import TypeVar

from stateroom.core import board as boards
from stateroom.core import casting, hosting
from stateroom.core.floor import Floor
from stateroom.core.here import Event, Here
from stateroom.core.holding import ReassignTask
from stateroom.core.lifecycle import Lifecycle, PlaybookApplied
from stateroom.core.members import Members
from stateroom.core.playbooks import Playbook, renamed
from stateroom.core.tasks import Board, OpenTask

PlanWish = TypeVar("PlanWish", OpenTask, ReassignTask)


def apply(life: Lifecycle, members: Members, board: Board, floor: Floor, playbook: Playbook, here: Here) -> list[Event]:
    """The facts by which it is set up. Roles that are wanted already stay as they are; a topic too; and the way to take
    turns is the host's to choose, so only where the host asks is it the playbook's."""
    wanted = casting.joined(life.roles, playbook.roles)
    seeded = boards.seed(board, casting.planned(wanted, members, playbook.tasks), here)
    project = life.topic or playbook.topic or playbook.name
    applied = PlaybookApplied(playbook.id, playbook.name, project, len(seeded), wanted, playbook.opening)
    config = renamed(playbook.config, lambda name: casting.player(wanted, members, name))
    chosen = hosting.playbook_mode(floor, playbook.mode, config) if life.hosted_by(here) else []
    return [*seeded, applied, *chosen]


def named(life: Lifecycle, members: Members, command: PlanWish) -> PlanWish:
    """The wish, where whoever is named by a role of the playbook is the member that has it."""
    if not life.roles:
        return command
    owner, verifier = (
        casting.player(life.roles, members, name) if name else name for name in (command.owner, command.verifier)
    )
    return replace(command, owner=owner, verifier=verifier)
