"""Playbooks in JSON, as Agent Room's third generation has them (agent-room §4.12).

Times are epoch milliseconds; what is not there is left out.
"""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from stateroom.core.ids import Name
from stateroom.core.playbooks import Playbook
from stateroom.core.roles import RoleSlot
from stateroom.core.tasks import Draft
from stateroom.core.turns import Mode
from stateroom.wire.agent_room.rooms import mode_config_shape, read_mode_config

Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Of a size that every reader of JSON reads alike."""


class GivenRole(Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: str
    """What tasks call whoever takes it."""
    role: str = ""
    brief: str = ""


class GivenTask(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A planned task. Ours: `description`, `priority` and `depends_on`, indexes into the list of tasks."""

    title: str
    dod: str | None = None
    owner: str | None = None
    """The name of a role or of a member, and no more than a plan."""
    verifier: str | None = None
    description: str = ""
    priority: Whole | None = None
    depends_on: list[Whole] = []


class GivenPlaybook(Struct, forbid_unknown_fields=True, kw_only=True):
    """A recipe as somebody writes it."""

    name: str
    topic: str = ""
    replyMode: Mode = "open"
    modeConfig: dict[str, Any] | None = None
    roles: list[GivenRole] = []
    tasks: list[GivenTask] = []
    opening: str = ""
    """Ours: what a room that starts from it is asked to begin with."""


class PlaybookShape(Struct, omit_defaults=True, kw_only=True):
    """A Playbook. Ours: `opening`."""

    id: str
    name: str
    ownerId: str | UnsetType = UNSET
    """The team whose it is."""
    official: bool | UnsetType = UNSET
    """It comes with Stateroom."""
    sourceRoomCode: str | UnsetType = UNSET
    topic: str
    replyMode: Mode
    modeConfig: dict[str, Any] | UnsetType = UNSET
    opening: str | UnsetType = UNSET
    roles: list[GivenRole]
    tasks: list[GivenTask]
    createdAt: int
    updatedAt: int


class SavedPlaybook(Struct):
    playbook: PlaybookShape
    replaced: bool
    """There was one of this id before; it is gone."""


def playbook_shape(playbook: Playbook) -> PlaybookShape:
    return PlaybookShape(
        id=playbook.id,
        name=playbook.name,
        ownerId=playbook.team or UNSET,
        official=playbook.official or UNSET,
        sourceRoomCode=playbook.source_room or UNSET,
        topic=playbook.topic,
        replyMode=playbook.mode,
        modeConfig=mode_config_shape(playbook.config) or UNSET,
        opening=playbook.opening or UNSET,
        roles=[GivenRole(role.name, role.role, role.brief) for role in playbook.roles],
        tasks=[_task_shape(task) for task in playbook.tasks],
        createdAt=playbook.created_at,
        updatedAt=playbook.updated_at,
    )


def _task_shape(task: Draft) -> GivenTask:
    planned = (task.title, task.dod, task.owner, task.verifier)
    return GivenTask(*planned, task.description, task.priority, list(task.depends_on))


def read_playbook(given: GivenPlaybook) -> Playbook:
    """The playbook that somebody has written; unchecked. Raises InvalidModeConfig."""
    return Playbook(
        "",
        given.name,
        given.topic,
        given.replyMode,
        read_mode_config(given.modeConfig),
        tuple(RoleSlot(role.name, role.role, role.brief) for role in given.roles),
        tuple(_draft(task) for task in given.tasks),
        given.opening,
    )


def _draft(task: GivenTask) -> Draft:
    owner, verifier = (Name(name) if name else None for name in (task.owner, task.verifier))
    return Draft(task.title, task.description, task.priority, tuple(task.depends_on), owner, verifier, task.dod)
