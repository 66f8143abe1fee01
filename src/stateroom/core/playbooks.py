"""Playbooks: named recipes of a team that rooms start from: topic, reply mode, roles and tasks (agent-room §4.12).

A playbook holds plans only: no states, no evidence, no keys and nothing that was said. Owners and verifiers of its
tasks are names of its roles, or of members.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain

from stateroom.core import hosting, limits
from stateroom.core.evidence import blank
from stateroom.core.gates import apart
from stateroom.core.ids import Instant, Name
from stateroom.core.lifecycle import TOPIC_CHARS
from stateroom.core.members import Members, fold
from stateroom.core.refusals import BadPlaybook, TooLong
from stateroom.core.roles import RoleSlot
from stateroom.core.seats import ROLE_CHARS
from stateroom.core.tasks import Draft
from stateroom.core.turns import Mode, ModeConfig

ROLES, TASKS = 8, 20
SLUG_CHARS = 48
TITLE_CHARS = 100
BRIEF_CHARS = 1_000
OPENING_CHARS = 1_000
RECIPE_CHARS = 64_000
"""All texts of a playbook together: the lobby keeps it, and every server holds the lobby."""

_SHOWN_CHARS = 60
_OTHERS = re.compile(r"[^a-z0-9々〇\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+")
"""Everything but small letters, digits, and Chinese, Japanese and Korean writing."""


@dataclass(frozen=True, slots=True)
class Playbook:
    id: str
    """The slug of its name."""
    name: str
    topic: str = ""
    """What a room is about that starts from it, with what is left to fill in in braces."""
    mode: Mode = "open"
    config: ModeConfig = ModeConfig()
    """Who leads or moderates is the name of a role, or of a member."""
    roles: tuple[RoleSlot, ...] = ()
    tasks: tuple[Draft, ...] = ()
    opening: str = ""
    """What the room is asked to begin with."""
    team: str = ""
    """Whose it is; empty for one that comes with Stateroom."""
    source_room: str = ""
    """The code of the room it was saved from."""
    created_at: Instant = Instant(0)
    updated_at: Instant = Instant(0)

    @property
    def official(self) -> bool:
        return not self.team


def slug(name: str) -> str:
    """The id that a name gives: small letters, digits and CJK writing stay, the rest becomes dashes; at most 48
    characters, and empty if nothing is left."""
    plain = unicodedata.normalize("NFKC", name[: limits.NAME_CHARS]).lower()
    return _OTHERS.sub("-", plain).strip("-")[:SLUG_CHARS].rstrip("-")


def checked(playbook: Playbook) -> Playbook:
    """The playbook as it can be kept, under the id of its name.

    Raises BadPlaybook, TooLong, BadText, BadName, OwnerIsVerifier, InvalidModeConfig.
    """
    name = limits.text("name", playbook.name.strip(), TITLE_CHARS)
    if not slug(name):
        raise BadPlaybook(reason="its name has no letter or digit that an id could be made of")
    _few("roles", len(playbook.roles), ROLES)
    _few("tasks", len(playbook.tasks), TASKS)
    if not playbook.roles and not playbook.tasks:
        raise BadPlaybook(reason="it has neither roles nor tasks")
    limits.text("topic", playbook.topic, TOPIC_CHARS)
    limits.text("opening", playbook.opening, OPENING_CHARS)
    roles = tuple(_role(role) for role in playbook.roles)
    _distinct(roles)
    tasks = tuple(_task(number, task, len(playbook.tasks)) for number, task in enumerate(playbook.tasks))
    _refuse_circle(tasks)
    config = hosting.checked(Members(), playbook.mode, playbook.config)
    kept = replace(playbook, id=slug(name), name=name, roles=roles, tasks=tasks, config=config)
    _few("playbook", sum(map(len, _texts(kept))), RECIPE_CHARS, "characters")
    return kept


def rewritten(playbook: Playbook, change: Callable[[str], str]) -> Playbook:
    """The playbook with every text of it changed so; names of roles and members, which others go by, stay."""
    roles = tuple(replace(role, role=change(role.role), brief=change(role.brief)) for role in playbook.roles)
    tasks = tuple(
        replace(
            task,
            title=change(task.title),
            description=change(task.description),
            dod=change(task.dod) if task.dod else task.dod,
        )
        for task in playbook.tasks
    )
    named, about, opening = map(change, (playbook.name, playbook.topic, playbook.opening))
    return replace(playbook, name=named, topic=about, opening=opening, roles=roles, tasks=tasks)


def _texts(playbook: Playbook) -> list[str]:
    roles = chain.from_iterable((role.name, role.role, role.brief) for role in playbook.roles)
    tasks = chain.from_iterable(
        (task.title, task.description, task.dod or "", task.owner or "", task.verifier or "") for task in playbook.tasks
    )
    return [playbook.name, playbook.topic, playbook.opening, *roles, *tasks]


def _few(field: str, count: int, limit: int, unit: str = "") -> None:
    if count > limit:
        raise TooLong(field=field, size=count, limit=limit, unit=unit or field)


def _role(role: RoleSlot) -> RoleSlot:
    plays = limits.text("role", role.role.strip(), ROLE_CHARS)
    return RoleSlot(limits.name(role.name), plays, limits.text("brief", role.brief.strip(), BRIEF_CHARS))


def _distinct(roles: tuple[RoleSlot, ...]) -> None:
    seen: set[str] = set()
    for role in roles:
        if fold(role.name) in seen:
            raise BadPlaybook(reason=f"two roles are called {role.name[:_SHOWN_CHARS]}")
        seen.add(fold(role.name))


def _task(number: int, task: Draft, count: int) -> Draft:
    title = limits.text("title", task.title.strip(), limits.TITLE_CHARS)
    if blank(title):
        raise BadPlaybook(reason=f"tasks[{number}] has no title")
    owner, verifier = (
        None if name is None or blank(name) else limits.name(name) for name in (task.owner, task.verifier)
    )
    apart(owner, verifier)
    _refuse_elsewhere(number, task.depends_on, count)
    return replace(
        task,
        title=title,
        description=limits.text("description", task.description, limits.DESCRIPTION_CHARS),
        dod=None if blank(task.dod) else limits.text("dod", task.dod or "", limits.DESCRIPTION_CHARS),
        owner=owner,
        verifier=verifier,
        depends_on=tuple(dict.fromkeys(task.depends_on)),
    )


def _name(name: str | None) -> Name | None:
    return None if name is None or blank(name) else limits.name(name)


def _refuse_elsewhere(number: int, depends_on: tuple[int, ...], count: int) -> None:
    for index in depends_on:
        if not 0 <= index < count:
            reason = f"tasks[{number}] waits for tasks[{index}]; the tasks go from 0 to {count - 1}"
            raise BadPlaybook(reason=reason)


def _refuse_circle(tasks: tuple[Draft, ...]) -> None:
    """What waits for nothing that is left can be done next; what is left when nothing can, waits in a circle."""
    left = set(range(len(tasks)))
    while ready := {index for index in left if not left & set(tasks[index].depends_on)}:
        left -= ready
    if left:
        waiting = ", ".join(f"tasks[{index}]" for index in sorted(left))
        raise BadPlaybook(reason=f"these wait for each other, or for those that do: {waiting}")


def renamed(config: ModeConfig, names: Callable[[str], str]) -> ModeConfig:
    """The mode's settings with whoever leads or moderates called otherwise."""
    lead, moderator = (Name(names(name)) if name else name for name in (config.lead, config.moderator))
    return replace(config, lead=lead, moderator=moderator)
